// Which rigid bodies fly in a step, and how they turn.

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/exchange.h"
#include "solve/obstacle.h"
#include "solve/solve.h"
#include "world/adjacency.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

// A body that touches something, and comes to it no faster than what rests does, is bound: the
// solver moves it. What flies meets others faster than that, and bounces off them, or lands on
// them, where and when it meets them.

// --- Which bodies are bound ---

// What gravity and damping change in the step.
static graze_vec2d change_of(const grz_rows *rows, grz_row row)
{
    return offset(rows->end_velocity[row], rows->velocity[row]);
}

// How fast the two come together in the step, if nothing holds them.
static double find_approach(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    const grz_row row_a = solve->row_of_slot.data[contact->a];
    graze_vec2d change = change_of(&world->bodies.rows, row_a);
    if (contact->b < solve->rigid_count) {
        change =
            subtract(change, change_of(&world->bodies.rows, solve->row_of_slot.data[contact->b]));
    }
    return (double)contact->speed + dot(change, widen(contact->manifold.normal));
}

// What gives no way binds all that neither leaves it nor bounces off it.
static bool is_bound_by_fixed(const grz_constraint_contact *contact, double approach, double rest)
{
    return approach >= -rest && !(contact->restitution > 0 && approach > rest);
}

static double size_of(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    const double own = grz_least_half(&world->bodies.rows, solve->row_of_slot.data[contact->a]);
    return contact->fixed ? own
                          : min_double(own, grz_least_half(&world->bodies.rows,
                                                           solve->row_of_slot.data[contact->b]));
}

static bool both_give_way(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    return !contact->fixed && grz_gives_way(world, solve->row_of_slot.data[contact->a]) &&
           grz_gives_way(world, solve->row_of_slot.data[contact->b]);
}

// Whether two that touch already press on each other: they do not bounce, overlap deep, or did
// bounce in the last step, and come together again.
static bool presses(const graze_world *world, const grz_constraint_contact *contact,
                    double approach, double size)
{
    const bool deep = grz_least_gap(&contact->manifold) < -grz_contact_margin * size;
    return approach > 0 && contact->touches &&
           (!(contact->restitution > 0) || contact->jams ||
            (deep && both_give_way(world, contact)));
}

// Whether the solver decides a contact: the two press on each other, or come together or part no
// faster than gravity makes them in two steps, `rest`; or, if they do not bounce, than a 64th of
// their size in a step.
static bool is_binding(const graze_world *world, grz_constraint_contact *contact, double rest)
{
    const double size = size_of(world, contact), approach = find_approach(world, contact);
    contact->touches = grz_least_gap(&contact->manifold) <= grz_contact_slop * size;
    contact->hits = contact->touches && approach > 0;
    contact->hidden = contact->hidden && !contact->jams; // What jams is no ghost.
    if (contact->hidden) {
        return false;
    }
    return presses(world, contact, approach, size) ||
           (contact->fixed ? is_bound_by_fixed(contact, approach, rest)
                           : absolute(approach) <= rest ||
                                 (!(contact->restitution > 0) &&
                                  absolute(approach) <= size / 64 / (double)world->call.dt));
}

static uint32_t count_of(const grz_numbers *ends, grz_slot slot)
{
    return ends->data[slot] - grz_first_of(ends, slot);
}

// Whether there is anything that the body may meet.
static bool has_company(const graze_world *world, grz_slot slot)
{
    const grz_solve *solve = &world->solve;
    const bool touches = count_of(&solve->pair_ends, slot) ||
                         count_of(&solve->partner_ends, slot) || count_of(&solve->wall_ends, slot);
    GRZ_FAULT(slices_fly_alone, return touches);
    return touches || grz_is_fast(world, solve->row_of_slot.data[slot]);
}

// What has only joined the rigid bodies goes back unless a contact binds it.
static bool may_fly(const graze_world *world, grz_slot slot)
{
    const grz_row row = world->solve.row_of_slot.data[slot];
    const grz_dynamics dynamics = grz_dynamics_of(world, world->bodies.rows.index[row]);
    const bool joined = !grz_turns_by_contacts(world, row);
    const bool gives_way = !(world->bodies.rows.traits[row] & GRZ_TRAIT_INFINITE_MASS);
    return !(dynamics.flags & GRZ_ASLEEP) && (joined || (gives_way && has_company(world, slot)));
}

static bool lies_on_driven(const graze_world *world, const grz_constraint_contact *contact)
{
    const graze_vec2d gravity = widen(world->config.gravity);
    return contact->b != grz_terrain_slot(&world->solve) && contact->touches &&
           dot(widen(contact->manifold.normal), gravity) >
               grz_steepest_bearing * length_of(gravity);
}

// What never turns slides along terrain, and meets what is driven, in the order of time, unless it
// lies on it.
static bool may_bind(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    return !contact->fixed || lies_on_driven(world, contact) ||
           grz_turns_by_contacts(world, solve->row_of_slot.data[contact->a]);
}

// What touches a body that is bound, and does not bounce off it, is bound as well: it would be in
// the way of what moves that. `loose` lists the contacts that bound nothing themselves.
static void bind_neighbours(grz_solve *solve, const uint32_t *loose, uint32_t count)
{
    uint32_t *flies = solve->flies.data;
    for (bool found = true; found;) {
        found = false;
        for (uint32_t k = 0; k < count; ++k) {
            GRZ_FAULT(flying_in_the_way, continue);
            const grz_constraint_contact *contact = &solve->contacts.data[loose[k]];
            if (!contact->fixed && contact->touches && !(contact->restitution > 0) &&
                flies[contact->a] != flies[contact->b]) {
                flies[contact->a] = flies[contact->b] = 0;
                found = true;
            }
        }
    }
}

static void let_some_fly(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        world->solve.flies.data[slot] = may_fly(world, slot);
    }
}

// Contacts of two that are bound already are not asked.
static uint32_t find_flying(graze_world *world)
{
    grz_solve *solve = &world->solve;
    uint32_t *flies = solve->flies.data, *loose = solve->order.data, loose_count = 0, count = 0;
    const double rest = grz_sleep_speed(world);
    grz_run_blocks(world, solve->rigid_count, GRZ_BLOCK_SLOTS, let_some_fly, world);
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        const bool asked = flies[contact->a] || (!contact->fixed && flies[contact->b]);
        if (asked && is_binding(world, contact, rest) && may_bind(world, contact)) {
            flies[contact->a] = 0;
            flies[contact->fixed ? contact->a : contact->b] = 0;
        } else if (asked) {
            loose[loose_count++] = k;
        }
    }
    bind_neighbours(solve, loose, loose_count);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        count += flies[slot];
    }
    return count;
}

// --- What flies ---

// What had only joined the rigid bodies is as it was.
static void set_traits(graze_world *world, grz_slot slot)
{
    grz_solve *solve = &world->solve;
    const grz_row row = solve->row_of_slot.data[slot];
    const grz_index index = world->bodies.rows.index[row];
    if (grz_turns_by_contacts(world, row)) {
        const bool limited = grz_life_of(world, index).hit_limit != 0;
        world->bodies.rows.traits[row] |= (uint32_t)(GRZ_TRAIT_RESPONDS | GRZ_TRAIT_TURNS) |
                                          (limited ? (uint32_t)GRZ_TRAIT_LIMITED : 0u);
        solve->joined.data[solve->joined.count++] = index;
        ++world->found.totals.free;
        ++world->found.totals.free_shapes;
        ++world->found.totals.flying;
    } else {
        grz_bodies_renew_traits(world, row);
    }
}

static void leave_contacts(grz_solve *solve)
{
    const uint32_t *flies = solve->flies.data;
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        contact->flies = flies[contact->a] || (!contact->fixed && flies[contact->b]);
    }
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        grz_solver_pair *pair = &solve->pairs.data[k];
        const uint32_t a = solve->slot_of_row.data[pair->row_a];
        const uint32_t b = solve->slot_of_row.data[pair->row_b];
        pair->flies = flies[a] || (!pair->fixed && flies[b]);
    }
}

bool grz_solve_let_fly(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!grz_array_reserve(&solve->flies, &world->config.counting, solve->rigid_count) ||
        !grz_array_reserve(&solve->order, &world->config.counting, solve->contacts.count)) {
        return false;
    }
    if (find_flying(world)) {
        leave_contacts(solve);
        for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
            if (solve->flies.data[slot]) {
                set_traits(world, slot);
            }
        }
    }
    return grz_solve_part_candidates(world);
}

const grz_manifold *grz_flight_manifold(const graze_world *world, grz_row row,
                                        graze_segment_id segment)
{
    const grz_solve *solve = &world->solve;
    const grz_slot slot = solve->slot_of_row.data[row];
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        const grz_near_wall *near = &solve->walls.data[k];
        if (near->contact != GRZ_NONE && near->wall.item == segment.index &&
            near->wall.chain == segment.chain.index) {
            return &solve->contacts.data[near->contact].manifold;
        }
    }
    return NULL;
}

// --- How they turn ---

static void note_flight(graze_world *world, const grz_trajectory *trajectory)
{
    grz_solve *solve = &world->solve;
    grz_rigid_end *end = &solve->ends.data[solve->slot_of_row.data[trajectory->row]];
    end->spin = trajectory->spin + 0.0f;
    if (trajectory->version == 1 || !solve->flies.data[solve->slot_of_row.data[trajectory->row]]) {
        return;
    }
    end->angle = grz_wrap_angle(grz_angle_of(&world->bodies.rows, end->row) + trajectory->turn);
    end->quiet = 0;
    end->asleep = false;
    if (grz_kind_of(world->bodies.rows.traits[end->row]) == GRAZE_SHAPE_RECT) {
        world->bodies.rows.end_rotation[end->row] = graze_rotation_from_angle(end->angle);
    }
}

static bool is_jammed(const graze_world *world, graze_body_id body)
{
    const grz_row row = body.generation ? world->bodies.row_of_index.data[body.index] : GRZ_NONE;
    const grz_trajectory *trajectory = row == GRZ_NONE ? NULL : grz_trajectory_of(world, row);
    if (!trajectory || trajectory->count < GRZ_KNOTS) {
        return false;
    }
    const double way = length_of(offset(trajectory->at[trajectory->count - 1], trajectory->at[0]));
    return way <= grz_contact_margin * grz_least_half(&world->bodies.rows, row);
}

// Where two hit each other and fly on, the next step begins anew. But what has had as many impacts
// as it may have in a step, and got nowhere, is jammed.
static void keep_jams(graze_world *world)
{
    grz_contact_cache *coming = &world->solve.coming;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < coming->count; ++k) {
        const grz_cached_contact *contact = &coming->data[k];
        if (contact->features[0] != GRZ_NONE || is_jammed(world, contact->key.a) ||
            is_jammed(world, contact->key.b)) {
            coming->data[kept++] = *contact;
        }
    }
    coming->count = kept;
}

void grz_solve_note_flights(graze_world *world)
{
    keep_jams(world);
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        if (grz_is_rigid(world->bodies.rows.traits[world->impacts.trajectories.data[m].row])) {
            note_flight(world, &world->impacts.trajectories.data[m]);
        }
    }
}
