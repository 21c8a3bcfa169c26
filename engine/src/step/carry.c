#include "step/step.h"

#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/impulse.h"
#include "solve/slices.h"
#include "world/bodies.h"
#include "world/rows.h"

#include <string.h>

static bool may_be_carried(const graze_world *world, grz_row row)
{
    return grz_is_solid(world->bodies.rows.traits[row]) && grz_gives_way(world, row);
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
    const graze_vec2d x = grz_x_axis(rotation);
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

static const grz_trajectory *flight_of(const graze_world *world, grz_row row)
{
    return world->found.totals.free ? grz_trajectory_of(world, row) : NULL;
}

static bool is_gone(const graze_world *world, grz_row row)
{
    const grz_trajectory *flight = flight_of(world, row);
    return flight && flight->gone;
}

static graze_vec2 end_of(const graze_world *world, grz_row row)
{
    const grz_trajectory *flight = flight_of(world, row);
    return flight ? flight->at[flight->count - 1] : world->bodies.rows.end[row];
}

/// How deep what is driven is in a body before the step, and then if the body ends somewhere.
typedef struct driven_depths {
    double before, after;
} driven_depths;

static driven_depths find_depths(const graze_world *world, grz_row driven, grz_row row,
                                 graze_vec2 end)
{
    const grz_rows *rows = &world->bodies.rows;
    const bool turns = grz_turn_of(rows, driven) != 0;
    const graze_rotation rotation = grz_rotation_of(rows, driven);
    const graze_vec2d centre = offset(rows->position[row], rows->position[driven]);
    const driven_view before = view_from(rows, driven, rotation, centre);
    const driven_view after = view_from(rows, driven, turns ? rows->end_rotation[driven] : rotation,
                                        offset(end, rows->end[driven]));
    const double size = grz_size_of(world, row);
    const driven_depths depths = {depth_behind(&before, &before, size),
                                  depth_behind(&before, &after, size)};
    return depths;
}

// How far what is driven pushes a body: as far as its surface goes there. Boxes grow by that, and
// pairs by its square: so what is too fast leaves the body behind.
static double carry_by_driven(const graze_world *world, grz_row driven, grz_row row)
{
    const driven_depths depths = find_depths(world, driven, row, world->bodies.rows.position[row]);
    const double way = depths.after - depths.before;
    return depths.after > 0 && way <= grz_longest_carry * grz_size_of(world, row) ? way : 0;
}

// Whether what is driven ends so deep in a body that it does not hold it, and deeper than it was.
// What is fast itself, more than a bounce makes it, is not carried: it has flown there.
static bool runs_into(const graze_world *world, grz_row driven, grz_row row)
{
    if (!may_be_carried(world, row) || !grz_drives(world->bodies.rows.traits[driven])) {
        return false;
    }
    const driven_depths depths = find_depths(world, driven, row, end_of(world, row));
    const double size = grz_size_of(world, row);
    return depths.before < size &&
           depths.after > max_double(depths.before, grz_hold_depth * size) &&
           grz_reach_of_solved(world, row) <= 2 * carry_by_driven(world, driven, row) &&
           !is_gone(world, row) && !grz_bodies_pass(world, row, driven);
}

static bool run_into_each_other(const graze_world *world, grz_row a, grz_row b)
{
    return runs_into(world, a, b) || runs_into(world, b, a);
}

// A step in which bodies are carried is not cut into slices, as the solver must know all that is
// pushed along. That would cost the square of their speed where many are fast: MOST_FAST bounds it.
bool grz_carry_is_needed(const graze_world *world)
{
    enum { MOST_FAST = 64 };
    const grz_solve *solve = &world->solve;
    const bool any = world->found.totals.driving > 0; // In most worlds there is none.
    const uint32_t pairs = any && solve->rigid_count ? solve->pairs.count : 0;
    const uint32_t candidates = any ? world->found.candidates.count : 0;
    bool needed = false;
    GRZ_FAULT(carried_by_nothing, return false);
    for (uint32_t k = 0; !needed && k < pairs; ++k) {
        needed = run_into_each_other(world, solve->pairs.data[k].row_a, solve->pairs.data[k].row_b);
    }
    for (uint32_t k = 0; !needed && k < candidates; ++k) {
        const grz_candidate *candidate = &world->found.candidates.data[k];
        needed = run_into_each_other(world, candidate->row_a, candidate->row_b);
    }
    return needed && grz_slices_count_quick(world) <= MOST_FAST;
}

// --- How far bodies are carried ---

// And what is carried carries what is before it.
static double carry_by_carried(const graze_world *world, grz_row carried, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const double distance = length_of(offset(rows->position[row], rows->position[carried]));
    const double gap = distance - grz_round_reach(rows, carried) - grz_round_reach(rows, row);
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
    const bool is_driven = grz_drives(rows->traits[by]);
    if (!may_be_carried(world, row) || (!is_driven && !(rows->carry[rows->index[by]] > *next))) {
        return;
    }
    const double carry =
        is_driven ? carry_by_driven(world, by, row) : carry_by_carried(world, by, row);
    if (carry > (double)*next && !grz_bodies_pass(world, row, by)) {
        pass->changed = true;
        pass->more |= carry > grz_reach_of_solved(world, row);
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
