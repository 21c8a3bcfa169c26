// Islands: rigid bodies that are in contact, and fall asleep and wake together.

#include "collide/tolerance.h"
#include "fault.h"
#include "solve/obstacle.h"
#include "solve/solve.h"
#include "world/contact_keys.h"
#include "world/forest.h"
#include "world/parallel.h"
#include "world/rows.h"

// Asleep    A body that is asleep does not move, and acts on others as if it were fixed. This is
//           part of the state, unlike being still (sleep.h), which only follows from it.
// Falling   An island falls asleep when all of it has been slow for half a second. What moves it
// asleep    on, such as a belt or a driven body, keeps it awake.
// Waking    What is asleep wakes when it is in contact with a body that is awake, or with a driven
//           one that moves, or when its contacts are not those of the last step; and its whole
//           island with it, and what touches that. What only lies beside it wakes it when it, or
//           what touches it, is no longer slow and comes nearer.

// Two that only lie side by side may sleep apart.
static bool is_pressed(const grz_constraint_contact *contact)
{
    return contact->impulses[0] > 0 || contact->impulses[1] > 0;
}

static void join_islands(grz_solve *solve, bool all)
{
    grz_forest_begin(solve->parents.data, solve->rigid_count);
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        if (!contact->fixed &&
            (is_pressed(contact) || (all && !contact->flies && !contact->hidden))) {
            grz_forest_join(solve->parents.data, contact->a, contact->b);
        }
    }
}

static bool moves(const graze_world *world, grz_slot slot)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->solve.row_of_slot.data[slot];
    const graze_vec2 velocity = grz_driving_velocity(rows, row);
    return velocity.x != 0 || velocity.y != 0 || grz_spin_of(rows, row) != 0 ||
           (grz_dynamics_of(world, rows->index[row]).flags & GRZ_STIRRED);
}

bool grz_is_driven_on(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    return (contact->slip != 0 && contact->friction > 0) ||
           (contact->b != grz_terrain_slot(solve) && moves(world, contact->b));
}

// An island is noted as awake in its root.
static void note_none_awake(grz_solve *solve)
{
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        solve->ends.data[slot].wakes = false;
    }
}

static void wake_slot(grz_solve *solve, grz_slot slot)
{
    solve->ends.data[grz_forest_root(solve->parents.data, slot)].wakes = true;
}

static bool wakes(const grz_solve *solve, grz_slot slot)
{
    return solve->ends.data[grz_forest_root(solve->parents.data, slot)].wakes;
}

static void wake_body(graze_world *world, graze_body_id body)
{
    const grz_row row = body.generation ? grz_bodies_find(world, body) : GRZ_NONE;
    const grz_slot slot = row == GRZ_NONE ? GRZ_NONE : world->solve.slot_of_row.data[row];
    if (slot < world->solve.rigid_count) {
        wake_slot(&world->solve, slot);
    }
}

static uint32_t next_now(const grz_solve *solve, uint32_t k)
{
    while (k < solve->contacts.count && solve->contacts.data[k].flies) {
        ++k;
    }
    return k;
}

static uint32_t next_then(const grz_solve *solve, uint32_t i)
{
    while (i < solve->cache.count && solve->cache.data[i].features[0] == GRZ_NONE) {
        ++i;
    }
    return i;
}

// Both lists are sorted by key. What flies by wakes nothing.
static void wake_where_contacts_changed(graze_world *world)
{
    grz_solve *solve = &world->solve;
    uint32_t k = next_now(solve, 0), i = next_then(solve, 0);
    while (k < solve->contacts.count || i < solve->cache.count) {
        const graze_contact_end *now =
            k < solve->contacts.count ? &solve->contacts.data[k].key : NULL;
        const graze_contact_end *then = i < solve->cache.count ? &solve->cache.data[i].key : NULL;
        const int order = !now ? 1 : !then ? -1 : grz_compare_keys(now, then);
        if (order != 0) {
            const graze_contact_end changed = order < 0 ? *now : *then;
            wake_body(world, changed.a);
            wake_body(world, changed.b);
        }
        k = order <= 0 ? next_now(solve, k + 1) : k;
        i = order >= 0 ? next_then(solve, i + 1) : i;
    }
}

// How fast a body may be and still be slow: little beside what it falls by its own size, and no
// faster than what starts to go down a gentle slope is after the time that it takes to fall asleep.
static double slow_speed(const graze_world *world, grz_row row, double pull)
{
    const grz_rows *rows = &world->bodies.rows;
    const double size = grz_size_of(world, row);
    const double share = (double)grz_dynamics_of(world, rows->index[row]).gravity_scale;
    const double gravity = pull * absolute(share);
    const double starts = gravity * (double)grz_sleep_seconds * grz_sleep_slope;
    const double slow =
        max_double(grz_sleep_share * grz_sqrt(gravity * size), grz_sleep_rate * size);
    return gravity > 0 ? min_double(slow, starts) : slow;
}

static void mark_awake(graze_world *world)
{
    grz_solve *solve = &world->solve;
    note_none_awake(solve);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        if (!solve->ends.data[slot].asleep) {
            wake_slot(solve, slot);
        }
    }
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (grz_is_driven_on(world, contact)) {
            wake_slot(solve, contact->a);
        }
    }
    wake_where_contacts_changed(world);
}

// Returns whether any is asleep.
static bool begin_ends(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const grz_rows *rows = &world->bodies.rows;
    bool is_any = false;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_row row = solve->row_of_slot.data[slot];
        const grz_dynamics dynamics = grz_dynamics_of(world, rows->index[row]);
        const grz_rigid_end end = {
            .row = row,
            .index = rows->index[row],
            .angle = grz_angle_of(rows, row),
            .spin = grz_spin_of(rows, row),
            .quiet = dynamics.quiet,
            .asleep = (dynamics.flags & GRZ_ASLEEP) != 0,
        };
        solve->ends.data[slot] = end;
        is_any |= end.asleep;
    }
    return is_any;
}

// Returns whether any did.
static bool wake_islands(grz_solve *solve)
{
    bool any = false;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        grz_rigid_end *end = &solve->ends.data[slot];
        end->slept = end->asleep && !wakes(solve, slot);
        if (end->asleep && !end->slept) {
            end->asleep = false;
            end->quiet = 0;
            end->woke = any = true;
        }
    }
    return any;
}

// Whether two come together faster than what is slow: a blow, which goes through all that touches.
static bool is_blow(const graze_world *world, const grz_constraint_contact *contact, double pull)
{
    const grz_rows *rows = &world->bodies.rows;
    if (contact->fixed || contact->flies || contact->hidden) {
        return false;
    }
    const grz_row a = world->solve.row_of_slot.data[contact->a];
    const grz_row b = world->solve.row_of_slot.data[contact->b];
    const graze_vec2d closing = offset(rows->velocity[a], rows->velocity[b]);
    return dot(closing, widen(contact->manifold.normal)) >
           max_double(slow_speed(world, a, pull), slow_speed(world, b, pull));
}

// Returns whether there are any. The two count as what wakes.
static bool note_blows(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const double pull = length_of(widen(world->config.gravity));
    bool any = false;
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        GRZ_FAULT(blows_beside_sleepers, continue);
        if (is_blow(world, contact, pull)) {
            solve->ends.data[contact->a].woke = solve->ends.data[contact->b].woke = any = true;
        }
    }
    return any;
}

// What has only lain beside an island that wakes must not stand in its way as if it were fixed.
static void wake_beside(grz_solve *solve)
{
    join_islands(solve, true);
    note_none_awake(solve);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        GRZ_FAULT(waking_alone, break);
        if (solve->ends.data[slot].woke) {
            wake_slot(solve, slot);
        }
    }
    (void)wake_islands(solve);
}

bool grz_solve_wake(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!grz_array_reserve(&solve->ends, &world->config.counting, solve->rigid_count) ||
        !grz_array_reserve(&solve->parents, &world->config.counting, solve->slot_count)) {
        return false;
    }
    if (begin_ends(world)) {
        join_islands(solve, false);
        mark_awake(world);
        const bool woken = wake_islands(solve);
        if (note_blows(world) || woken) {
            wake_beside(solve);
        }
    }
    return true;
}

// --- After the step ---

// What is wedged keeps a velocity that its contacts undo: it does not move, and that counts.
static double speed_of(const graze_world *world, grz_slot slot)
{
    const grz_solver_body *body = &world->solve.bodies.data[slot];
    const grz_row row = world->solve.row_of_slot.data[slot];
    const double rate = 1 / (double)world->call.dt;
    const graze_vec2d velocity = {(double)body->velocity_x, (double)body->velocity_y};
    const graze_vec2d moved = {(double)body->delta_x * rate, (double)body->delta_y * rate};
    const double spin = absolute((double)body->spin), turned = absolute((double)body->turn) * rate;
    const double reach = length_of(widen(world->bodies.rows.half[row]));
    return min_double(length_of(velocity), length_of(moved)) + min_double(spin, turned) * reach;
}

static void note_quiet(void *context, uint32_t block, uint32_t first, uint32_t end_slot)
{
    const graze_world *world = context;
    const grz_solve *solve = &world->solve;
    const double gravity = length_of(widen(world->config.gravity));
    (void)block;
    for (grz_slot slot = first; slot < end_slot; ++slot) {
        grz_rigid_end *end = &solve->ends.data[slot];
        const bool slow = speed_of(world, slot) <= slow_speed(world, end->row, gravity);
        const bool goes = solve->flies.data[slot] && !grz_turns_by_contacts(world, end->row);
        const bool may = !goes && !(grz_dynamics_of(world, end->index).flags & GRZ_NEVER_SLEEPS);
        if (!end->asleep) {
            end->quiet =
                slow && may ? min_float(end->quiet + world->call.dt, grz_sleep_seconds) : 0;
        }
    }
}

// What is driven lets nothing that it touches come to rest.
static void stir_driven(graze_world *world)
{
    grz_solve *solve = &world->solve;
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (grz_is_driven_on(world, contact)) {
            solve->ends.data[contact->a].quiet = 0;
        }
    }
}

static bool may_any_sleep(const grz_solve *solve)
{
    bool is_any = false;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rigid_end *end = &solve->ends.data[slot];
        is_any = is_any || (!end->asleep && end->quiet >= grz_sleep_seconds);
    }
    return is_any;
}

// By how much the gap at a point has grown in the step.
static float growth_of_gap(const grz_solve *solve, const grz_constraint_contact *contact,
                           uint32_t point)
{
    const grz_solver_body *a = &solve->bodies.data[contact->a],
                          *b = &solve->bodies.data[contact->b];
    const graze_vec2 normal = contact->manifold.normal;
    return normal.x * (b->delta_x - a->delta_x) + normal.y * (b->delta_y - a->delta_y) +
           cross_of(contact->manifold.levers_b[point], normal) * b->turn -
           cross_of(contact->manifold.levers_a[point], normal) * a->turn;
}

// Whether two overlap deep, and part: no more than their weight presses them together. The solver
// pushes them apart, but gives them next to no speed.
static bool is_parting(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solver_body *bodies = world->solve.bodies.data;
    const double size = absolute((double)contact->push) / grz_push_rate;
    const double slow = grz_sleep_rate * size;
    const double masses = (double)bodies[contact->a].inverse_mass +
                          (contact->fixed ? 0 : (double)bodies[contact->b].inverse_mass);
    const double impulse = (double)contact->sums[0] + (double)contact->sums[1];
    return contact->pack != GRZ_NONE &&
           grz_least_gap(&contact->manifold) < -grz_contact_margin * size &&
           impulse * masses < max_double(slow, grz_sleep_speed(world)) &&
           max_float(growth_of_gap(&world->solve, contact, 0),
                     growth_of_gap(&world->solve, contact, contact->manifold.count - 1)) >
               (float)slow * world->call.dt;
}

static void stir_parting(graze_world *world)
{
    grz_solve *solve = &world->solve;
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        if (is_parting(world, contact)) {
            solve->ends.data[contact->a].quiet = 0;
            solve->ends.data[contact->fixed ? contact->a : contact->b].quiet = 0;
        }
    }
}

static void let_sleep(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!may_any_sleep(solve)) {
        return;
    }
    stir_parting(world);
    join_islands(solve, false);
    note_none_awake(solve);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rigid_end *end = &solve->ends.data[slot];
        if (!end->asleep && end->quiet < grz_sleep_seconds) {
            wake_slot(solve, slot);
        }
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        grz_rigid_end *end = &solve->ends.data[slot];
        grz_solver_body *body = &solve->bodies.data[slot];
        if (!end->asleep && !wakes(solve, slot)) {
            end->asleep = true;
            body->velocity_x = body->velocity_y = body->spin = 0;
        }
    }
}

void grz_solve_rest(graze_world *world)
{
    grz_run_blocks(world, world->solve.rigid_count, GRZ_BLOCK_SLOTS, note_quiet, world);
    stir_driven(world);
    let_sleep(world);
}
