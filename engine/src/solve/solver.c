// The sub-stepped solver: velocities under gravity and contacts, and where they lead.

#include "solve/solver.h"

#include "collide/tolerance.h"
#include "fault.h"
#include "solve/obstacle.h"
#include "solve/solve.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A step is cut into substeps. In each, gravity and the impulses of the substep before change the
// velocities; a sweep over the contacts corrects them so that overlaps are left; bodies move; and a
// second sweep takes back what was added to leave overlaps. Contacts are not found anew: their gaps
// change with the moves of their bodies.
//
// With fixed levers, gravity and the impulses of the last substep are what changed the velocities
// in it: so beginning the next substep with them is adding the same change again.

// The loops of the narrowest lanes in which as many contacts fit at once, if they fit at all: more
// lanes take longer.
static const grz_solver_loops *loops_for(grz_lane_set lanes, uint32_t contacts)
{
    static const grz_solver_loops *const loops[] = GRZ_WIDE_TABLES(grz_solver_loops);
    uint32_t set = lanes;
    while (set > 0 && loops[set - 1]->width < loops[set]->width &&
           contacts <= loops[set - 1]->width) {
        --set;
    }
    return loops[set];
}

// --- Bodies ---

static float inverse_inertia_of(const graze_world *world, grz_row row)
{
    if (!grz_turns_by_contacts(world, row)) {
        return 0;
    }
    const grz_rows *rows = &world->bodies.rows;
    const graze_vec2 half = rows->half[row];
    const float inertia =
        grz_inertia_of(world, rows->index[row], rows->traits[row] & GRZ_TRAIT_KIND, half);
    const float inverse = 1 / inertia;
    return inertia > 0 && inverse <= FLT_MAX ? inverse : 0; // Nothing turns a point.
}

// What gravity adds in a substep, if nothing damps it.
static graze_vec2 gravity_step_of(const graze_world *world)
{
    const float length = grz_substep_of(world);
    const graze_vec2 step = {world->config.gravity.x * length, world->config.gravity.y * length};
    return step;
}

static void begin_rigid(const graze_world *world, grz_slot slot, graze_vec2 gravity_step)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_solve *solve = &world->solve;
    const grz_row row = solve->row_of_slot.data[slot];
    grz_solver_body body = {0};
    float scale = 0;
    if (!solve->ends.data[slot].asleep) {
        const grz_dynamics dynamics = grz_dynamics_of(world, rows->index[row]);
        const float dt = world->call.dt, slowed = 1 + dynamics.damping * dt;
        body.velocity_x = rows->velocity[row].x / slowed;
        body.velocity_y = rows->velocity[row].y / slowed;
        body.spin = grz_spin_of(rows, row) / (1 + dynamics.spin_damping * dt);
        body.inverse_mass = 1 / grz_material_of(world, rows->index[row]).mass;
        body.inverse_inertia = inverse_inertia_of(world, row);
        scale = dynamics.gravity_scale * (1 / slowed);
    }
    solve->before[slot] = body;
    solve->rebounds[slot] =
        (grz_rebound){.x = body.velocity_x, .y = body.velocity_y, .spin = body.spin};
    body.velocity_x += gravity_step.x * scale;
    body.velocity_y += gravity_step.y * scale;
    solve->bodies.data[slot] = body;
}

static grz_solver_body driven_body(const graze_world *world, grz_slot slot)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->solve.row_of_slot.data[slot];
    const graze_vec2 velocity = grz_driving_velocity(rows, row);
    const grz_solver_body body = {
        .velocity_x = velocity.x, .velocity_y = velocity.y, .spin = grz_spin_of(rows, row)};
    return body;
}

static void begin_bodies(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_solve *solve = &world->solve;
    const graze_vec2 gravity_step = gravity_step_of(world);
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        if (slot < solve->rigid_count) {
            begin_rigid(world, slot, gravity_step);
        } else {
            solve->bodies.data[slot] = driven_body(world, slot);
        }
    }
}

bool grz_solve_begin(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const size_t bodies = (size_t)solve->slot_count + 2;
    if (!grz_array_reserve(&solve->bodies, allocator, bodies) ||
        !grz_array_reserve(&solve->pressed, allocator, bodies)) {
        return false;
    }
    _Static_assert(sizeof *solve->before + sizeof *solve->rebounds <=
                       sizeof *solve->contact_bodies.data,
                   "the memory is enough for both");
    solve->before = (grz_solver_body *)(void *)solve->contact_bodies.data;
    solve->rebounds = (grz_rebound *)(void *)(solve->before + bodies);
    const grz_solver_body none = {0};
    grz_run_blocks(world, solve->slot_count, GRZ_BLOCK_SLOTS, begin_bodies, world);
    solve->bodies.data[grz_terrain_slot(solve)] = none;
    solve->bodies.data[grz_dummy_slot(solve)] = none;
    return true;
}

// --- Substeps ---

/// What all substeps of a step share.
typedef struct substeps {
    const graze_world *world;
    grz_solve *solve;
    grz_sweep sweep;
    float length; ///< Seconds.
} substeps;

static void warm_start(grz_solve *solve, const grz_constraint_contact *contact)
{
    grz_solver_body *a = &solve->bodies.data[contact->a], *b = &solve->bodies.data[contact->b];
    a->velocity_x -= a->inverse_mass * contact->start[0];
    a->velocity_y -= a->inverse_mass * contact->start[1];
    a->spin -= a->inverse_inertia * contact->start[2];
    if (!contact->fixed) {
        b->velocity_x += b->inverse_mass * contact->start[0];
        b->velocity_y += b->inverse_mass * contact->start[1];
        b->spin += b->inverse_inertia * contact->start[3];
    }
}

static void warm_start_all(grz_solve *solve)
{
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        if (solve->contacts.data[k].pack != GRZ_NONE) {
            warm_start(solve, &solve->contacts.data[k]);
        }
    }
}

// Both loops take four numbers a body, side by side, of which the last stays as it is.

// HOT. bench: engine/step/pyramid
//
// Data    16 bytes of a body read and written, 16 of its velocities before.
static void repeat_changes(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const substeps *steps = context;
    grz_solver_body *bodies = steps->solve->bodies.data, *before = steps->solve->before;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        const grz_solver_body now = bodies[slot], then = before[slot];
        before[slot].velocity_x = now.velocity_x;
        before[slot].velocity_y = now.velocity_y;
        before[slot].spin = now.spin;
        before[slot].inverse_mass = now.inverse_mass;
        bodies[slot].velocity_x = now.velocity_x + (now.velocity_x - then.velocity_x);
        bodies[slot].velocity_y = now.velocity_y + (now.velocity_y - then.velocity_y);
        bodies[slot].spin = now.spin + (now.spin - then.spin);
        bodies[slot].inverse_mass = now.inverse_mass + (now.inverse_mass - then.inverse_mass);
    }
}

static void move_bodies(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const substeps *steps = context;
    grz_solver_body *bodies = steps->solve->bodies.data;
    const float length = steps->length, none = 0;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        const grz_solver_body body = bodies[slot];
        bodies[slot].delta_x = body.delta_x + length * body.velocity_x;
        bodies[slot].delta_y = body.delta_y + length * body.velocity_y;
        bodies[slot].turn = body.turn + length * body.spin;
        bodies[slot].inverse_inertia = body.inverse_inertia + none * body.inverse_mass;
    }
}

/// A group whose packs are worked on.
typedef struct group_part {
    const substeps *steps;
    const grz_pack_group *group;
} group_part;

static grz_packs packs_of(const group_part *part, uint32_t first, uint32_t end)
{
    const grz_solve *solve = part->steps->solve;
    const grz_pack_group *group = part->group;
    const uint32_t pack = group->first + first / GRZ_PACK;
    const grz_packs packs = {group->two ? NULL : &solve->ones.data[pack],
                             group->two ? &solve->twos.data[pack] : NULL, end - first,
                             group->fixed};
    return packs;
}

static const grz_solver_loops *loops_of(const group_part *part, const grz_packs *packs)
{
    return loops_for(part->steps->world->config.lanes, packs->contacts);
}

static void fill_packs(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const group_part *part = context;
    const substeps *steps = part->steps;
    const grz_packs packs = packs_of(part, first, end);
    (void)block;
    loops_of(part, &packs)->fill(steps->solve->contacts.data, steps->sweep.bodies, &packs);
}

static void sweep_packs(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const group_part *part = context;
    const grz_packs packs = packs_of(part, first, end);
    (void)block;
    loops_of(part, &packs)->sweep(&part->steps->sweep, &packs);
}

static void take_packs(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const group_part *part = context;
    const grz_packs packs = packs_of(part, first, end);
    (void)block;
    loops_of(part, &packs)->take(part->steps->solve->contacts.data, &packs);
}

// The contacts of a group share no body that gives way: so threads may share them out.
static void for_groups(const substeps *steps, grz_block_fn *run)
{
    const grz_solve *solve = steps->solve;
    for (uint32_t k = 0; k < solve->groups.count; ++k) {
        group_part part = {steps, &solve->groups.data[k]};
        grz_run_blocks(steps->world, part.group->contacts, GRZ_BLOCK_SLOTS, run, &part);
    }
}

// --- Rolling ---

// What rolls loses spin by a torque of at most `rolling` times the pressure.
static void resist_rolling(grz_solve *solve)
{
    for (uint32_t k = 0; k < solve->rolling.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[solve->rolling.data[k]];
        if (contact->pack == GRZ_NONE) {
            continue;
        }
        const grz_packed packed = grz_packed_of(solve, contact);
        grz_solver_body *a = &solve->bodies.data[contact->a], *b = &solve->bodies.data[contact->b];
        const float of_b = contact->fixed ? 0 : b->inverse_inertia;
        const float inertia = a->inverse_inertia + of_b;
        const float most = contact->rolling * packed.points[0].impulse[packed.lane];
        if (inertia > 0) {
            const float before = contact->rolling_impulse;
            const float wanted = before + (a->spin - b->spin) / inertia;
            contact->rolling_impulse = max_float(min_float(wanted, most), -most);
            const float torque = contact->rolling_impulse - before;
            a->spin -= a->inverse_inertia * torque;
            b->spin += of_b * torque;
        }
    }
}

// --- Squeezes ---

static float impulse_of(const grz_solve *solve, const grz_constraint_contact *contact)
{
    (void)solve;
    return contact->pack != GRZ_NONE ? contact->sums[0] + contact->sums[1] : 0;
}

// Whether what a body is in presses on it and does not give way, nor does most of what presses it
// back.
static bool is_squeezed(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    const float impulse = impulse_of(solve, contact);
    const float left = dot_of(solve->pressed.data[contact->a], contact->manifold.normal);
    if (!(impulse > 0 && left < impulse / 2)) {
        return false;
    }
    const grz_row row = solve->row_of_slot.data[contact->a];
    const double least = -grz_slop_of(world, row);
    bool deep = false;
    for (uint32_t point = 0; point < contact->manifold.count; ++point) {
        deep = deep || (contact->sums[point] > 0 && (double)contact->manifold.gaps[point] < least);
    }
    return deep;
}

// Nothing can satisfy all contacts of a body that is squeezed: their impulses would grow from step
// to step, and throw it when it comes free. So it stops, and the next step begins without them.
static void forget_squeezes(graze_world *world)
{
    grz_solve *solve = &world->solve;
    grz_solve_sum_pressed(solve, impulse_of);
    memset(solve->colours.data, 0, solve->slot_count * sizeof(uint64_t));
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (is_squeezed(world, contact)) {
            grz_solver_body *body = &solve->bodies.data[contact->a];
            body->velocity_x = body->velocity_y = body->spin = 0;
            solve->colours.data[contact->a] = 1;
        }
    }
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (solve->colours.data[contact->a]) {
            contact->impulses[0] = contact->impulses[1] = contact->friction_impulse = 0;
        }
    }
}

// --- Steps of several lengths ---

// What holds a heap up is its weight times the length of a substep: so what is kept is kept for the
// mean substep, and stretched by how much longer one is. What a step adds may be a blow, which is
// no weight: it is not stretched, and what may hold one is stretched to twice as much at most.

typedef void impulses_fn(grz_constraint_contact *contact, float by);

static void for_solved(grz_solve *solve, impulses_fn *change, float by)
{
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        if (solve->contacts.data[k].pack != GRZ_NONE) {
            change(&solve->contacts.data[k], by);
        }
    }
}

static void stretch(grz_constraint_contact *contact, float by)
{
    grz_scale_impulses(contact, min_float(by, 2));
}

// Those with which the step begins: the warm start leaves room for them.
static void note_start(grz_constraint_contact *contact, float by)
{
    (void)by;
    contact->start[0] = contact->impulses[0];
    contact->start[1] = contact->impulses[1];
    contact->start[2] = contact->friction_impulse;
    contact->start[3] = contact->rolling_impulse;
}

static void unstretch(grz_constraint_contact *contact, float by)
{
    const float *start = contact->start, added = min_float(by, 1);
    contact->impulses[0] = start[0] * by + (contact->impulses[0] - start[0]) * added;
    contact->impulses[1] = start[1] * by + (contact->impulses[1] - start[1]) * added;
    contact->friction_impulse = start[2] * by + (contact->friction_impulse - start[2]) * added;
    contact->rolling_impulse = start[3] * by + (contact->rolling_impulse - start[3]) * added;
}

// Springs are as stiff as the mean substep asks for: had each step springs of its own, heaps would
// rise and sink with the lengths of steps, and jump where substeps become many. None is stiffer
// than the spring of half a substep.
static float spring_frequency(const graze_world *world)
{
    return grz_contact_frequency / max_float(grz_mean_substep(world), grz_substep_of(world) / 2);
}

// --- All of it ---

// A spring of this frequency and damping ratio, solved implicitly.
static grz_softness soften(float frequency, float length)
{
    const float omega = 2 * GRZ_PI * frequency;
    const float first = 2 * grz_contact_damping + length * omega;
    const float second = length * omega * first;
    const float third = 1 / (1 + second);
    const grz_softness soft = {omega / first, second * third, third};
    return soft;
}

static substeps plan_substeps(graze_world *world)
{
    const float length = grz_substep_of(world);
    const float frequency = spring_frequency(world);
    grz_softness fixed = soften(2 * frequency, length);
    fixed.mass_share = 1;
    fixed.impulse_share = 0;
    const substeps steps = {
        world,
        &world->solve,
        {&world->solve.bodies.data->velocity_x, 1 / length, soften(frequency, length), fixed,
         false},
        length,
    };
    return steps;
}

static void start(graze_world *world, substeps *steps, bool varies)
{
    if (varies) {
        for_solved(steps->solve, stretch, grz_substep_of(world) / grz_mean_substep(world));
    }
    for_groups(steps, fill_packs);
    warm_start_all(steps->solve);
    if (varies) {
        for_solved(steps->solve, note_start, 1);
    }
}

void grz_solve_sweep(graze_world *world)
{
    grz_solve *solve = &world->solve;
    substeps steps = plan_substeps(world);
    const float mean = grz_mean_substep(world), change = grz_substep_of(world) - mean;
    bool varies = absolute((double)change) > 0x1p-20 * (double)mean; // By more than rounding.
    GRZ_FAULT(steps_of_several_lengths, varies = false);
    start(world, &steps, varies);
    for (uint32_t substep = 0; substep < world->config.substeps; ++substep) {
        if (substep > 0) {
            grz_run_blocks(world, solve->rigid_count, GRZ_BLOCK_SLOTS, repeat_changes, &steps);
        }
        steps.sweep.relax = false;
        for_groups(&steps, sweep_packs);
        grz_run_blocks(world, solve->slot_count, GRZ_BLOCK_SLOTS, move_bodies, &steps);
        steps.sweep.relax = true;
        for_groups(&steps, sweep_packs);
        resist_rolling(solve);
        grz_solve_drive(world);
    }
    for_groups(&steps, take_packs);
    if (varies) {
        for_solved(solve, unstretch, grz_next_mean_substep(world) / grz_substep_of(world));
    }
    grz_solve_take_gains(world);
    grz_solve_bounce(world);
    forget_squeezes(world);
}
