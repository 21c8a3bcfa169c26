#include "step/carry.h"

#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/obstacle.h"
#include "world/bodies.h"
#include "world/rows.h"

#include <string.h>

// Whether a body that goes or turns moves others, and is moved by none. What goes farther in a step
// than it is long leaves behind what it meets: a bullet need not carry crowds.
static bool drives(const grz_rows *rows, grz_row row)
{
    const uint32_t traits = rows->traits[row];
    const bool gives_way =
        (traits & (GRZ_TRAIT_RESPONDS | GRZ_TRAIT_RIGID)) && !(traits & GRZ_TRAIT_INFINITE_MASS);
    if (!grz_is_solid(traits) || (traits & (GRZ_TRAIT_LAST | GRAZE_SHAPE_RAY)) || gives_way) {
        return false;
    }
    const double way = length_of(offset(rows->end[row], rows->position[row]));
    return (way > 0 || grz_turn_of(rows, row) != 0) && way <= 2 * grz_round_reach(rows, row);
}

static bool may_be_carried(uint32_t traits)
{
    return grz_is_solid(traits) && !(traits & (GRZ_TRAIT_INFINITE_MASS | GRAZE_SHAPE_RAY)) &&
           (traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID));
}

static double distance_of(const grz_rows *rows, grz_row a, grz_row b)
{
    return length_of(offset(rows->position[a], rows->position[b]));
}

// How far a point of the driven body goes at most that a body may be at.
static double carry_by_driven(const graze_world *world, grz_row driven, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const double lever = min_double(grz_round_reach(rows, driven),
                                    distance_of(rows, row, driven) + grz_round_reach(rows, row));
    const double carry = length_of(offset(rows->end[driven], rows->position[driven])) +
                         absolute(grz_turn_of(rows, driven)) * lever;
    return grz_distance_out_of_reach(world, row, driven) > 0 ? 0 : carry;
}

static double reach_of(const graze_world *world, grz_row row)
{
    return grz_rigid_reach(&world->bodies.rows, row, world->bodies.rows.end[row],
                           grz_gravity_step(world->config.gravity, world->call.dt), world->call.dt);
}

// --- Whether any must be carried ---

/// A driven body, and where the centre of another one is, seen from it.
typedef struct driven_view {
    bool is_round;
    graze_vec2d half;
    graze_vec2d at;
} driven_view;

static driven_view view_from(const grz_rows *rows, grz_row driven, graze_rotation rotation,
                             graze_vec2d centre)
{
    const graze_vec2d x = {(double)rotation.cosine, (double)rotation.sine};
    const bool is_round = grz_kind_of(rows->traits[driven]) == GRAZE_SHAPE_CIRCLE;
    const driven_view view = {
        is_round, widen(rows->half[driven]), {dot(centre, x), cross(x, centre)}};
    return view;
}

// How deep a disc of a size is behind the side of the driven body on which it is in `from`. Less
// than nothing where it is beside that.
static double depth_behind(const driven_view *from, const driven_view *view, double size)
{
    if (view->is_round) {
        const graze_vec2d out = unit_or(from->at, vec2d(1, 0));
        const double beside = absolute(cross(out, view->at));
        const double side = dot(out, view->at) < 0 ? -view->half.x : length_of(view->at);
        return beside < view->half.x ? size + view->half.x - side : -size;
    }
    const double x = absolute(from->at.x) - from->half.x, y = absolute(from->at.y) - from->half.y;
    const double sign_x = from->at.x < 0 ? -1 : 1, sign_y = from->at.y < 0 ? -1 : 1;
    const double out =
        x > y ? sign_x * view->at.x - view->half.x : sign_y * view->at.y - view->half.y;
    const double beside =
        x > y ? absolute(view->at.y) - view->half.y : absolute(view->at.x) - view->half.x;
    return beside < 0 ? size - out : -size;
}

static graze_vec2 end_of(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory =
        world->found.totals.free ? grz_trajectory_of(world, row) : NULL;
    return trajectory ? trajectory->at[trajectory->count - 1] : world->bodies.rows.end[row];
}

// Whether what is driven ends so deep in a body that it does not hold it, and deeper than it was.
// What is fast itself, more than a bounce makes it, is not carried: it has flown there.
static bool runs_into(const graze_world *world, grz_row driven, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    if (!may_be_carried(rows->traits[row]) || !drives(rows, driven)) {
        return false;
    }
    const bool turns = grz_turn_of(rows, driven) != 0;
    const graze_rotation rotation = grz_rotation_of(rows, driven);
    const graze_vec2d centre = offset(rows->position[row], rows->position[driven]);
    const graze_vec2d later = offset(end_of(world, row), rows->end[driven]);
    const double size = grz_size_of(world, row), most = grz_hold_depth * size;
    const driven_view before = view_from(rows, driven, rotation, centre);
    const driven_view after =
        view_from(rows, driven, turns ? rows->end_rotation[driven] : rotation, later);
    const double was = depth_behind(&before, &before, size);
    return was < size && depth_behind(&before, &after, size) > max_double(was, most) &&
           reach_of(world, row) <= 2 * carry_by_driven(world, driven, row) &&
           !grz_bodies_pass(world, row, driven);
}

static bool run_into_each_other(const graze_world *world, grz_row a, grz_row b)
{
    return runs_into(world, a, b) || runs_into(world, b, a);
}

// In most worlds nothing is driven.
static bool is_any_pair_run_into(const graze_world *world)
{
    const grz_solve *solve = &world->solve;
    const bool is_any_heavy = (world->found.totals.traits & GRZ_TRAIT_INFINITE_MASS) != 0;
    const bool may = solve->rigid_count && (solve->slot_count > solve->rigid_count || is_any_heavy);
    bool any = false;
    for (uint32_t k = 0; may && !any && k < solve->pairs.count; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        any = (pair->fixed || is_any_heavy) && run_into_each_other(world, pair->row_a, pair->row_b);
    }
    return any;
}

bool grz_carry_is_needed(const graze_world *world)
{
    bool needed = is_any_pair_run_into(world);
    GRZ_FAULT(carried_by_nothing, return false);
    for (uint32_t k = 0; !needed && k < world->found.candidates.count; ++k) {
        const grz_candidate *candidate = &world->found.candidates.data[k];
        needed = run_into_each_other(world, candidate->row_a, candidate->row_b);
    }
    return needed;
}

// --- How far bodies are carried ---

// And what is carried carries what is before it.
static double carry_by_carried(const graze_world *world, grz_row carried, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const double gap = distance_of(rows, carried, row) - grz_round_reach(rows, carried) -
                       grz_round_reach(rows, row);
    return (double)rows->carry[rows->index[carried]] - max_double(gap, 0);
}

/// What a look at all pairs does.
typedef struct carry_pass {
    float *next;  ///< By index: from what was carried before, so that the order has no effect.
    bool changed; ///< Some are carried farther than before,
    bool more;    ///< and farther than they reached.
} carry_pass;

static void carry_one(const graze_world *world, carry_pass *pass, grz_row row, grz_row by)
{
    const grz_rows *rows = &world->bodies.rows;
    float *next = &pass->next[rows->index[row]];
    const bool is_driven = drives(rows, by);
    if (!may_be_carried(rows->traits[row]) ||
        (!is_driven && !(rows->carry[rows->index[by]] > *next))) {
        return;
    }
    const double carry =
        is_driven ? carry_by_driven(world, by, row) : carry_by_carried(world, by, row);
    if (carry > (double)*next && !grz_bodies_pass(world, row, by)) {
        pass->changed = true;
        pass->more |= carry > reach_of(world, row);
        *next = (float)carry;
    }
}

static carry_pass pass_on(graze_world *world)
{
    const size_t count = world->bodies.cold.count;
    float *carry = world->found.carry.data;
    carry_pass pass = {carry + count, false, false};
    memcpy(pass.next, carry, count * sizeof *carry);
    for (uint32_t k = 0; k < world->found.candidates.count; ++k) {
        const grz_candidate *candidate = &world->found.candidates.data[k];
        carry_one(world, &pass, candidate->row_a, candidate->row_b);
        carry_one(world, &pass, candidate->row_b, candidate->row_a);
    }
    memcpy(carry, pass.next, count * sizeof *carry);
    return pass;
}

static bool begin(graze_world *world)
{
    const size_t count = world->bodies.cold.count;
    if (!grz_array_reserve(&world->found.carry, &world->config.counting, 2 * count)) {
        return false;
    }
    memset(world->found.carry.data, 0, count * sizeof *world->found.carry.data);
    world->bodies.rows.carry = world->found.carry.data;
    return true;
}

bool grz_carry_find(graze_world *world, bool *more)
{
    enum { PASSES = 8 };
    *more = false;
    if (!world->bodies.rows.carry && !begin(world)) {
        return false;
    }
    carry_pass pass = {.changed = true};
    for (uint32_t k = 0; pass.changed && k < PASSES; ++k) {
        pass = pass_on(world);
        *more |= pass.more;
    }
    return true;
}
