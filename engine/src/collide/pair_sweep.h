/// @file pair_sweep.h
/// Whether and when two things touch in a step: what the engine asks of the narrowphase.
#ifndef GRZ_PAIR_SWEEP_H
#define GRZ_PAIR_SWEEP_H

#include <graze/sweep.h>

#include "asserts.h"
#include "double2.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/filter_kinds.h"
#include "world/rows.h"
#include "world/world_state.h"

/// A shape in the form that the kernels take.
typedef struct grz_figure {
    graze_shape_kind kind;
    graze_vec2 half; ///< Half extents; a circle's radius twice; a ray's 0, 0.
    graze_rotation rotation;
} grz_figure;

/// Sweeps one shape against another, of any kinds: sweep.h explains arguments and result.
graze_sweep grz_sweep_figures(const grz_figure *a, const grz_figure *b, graze_vec2d start,
                              graze_vec2d delta);

/// Returns whether two discs do not touch. As graze_sweep_circles has it: the kernel's own terms,
/// but one branch instead of five.
///
/// start, delta  As there, of discs whose radii sum up to the root of `reach`.
static inline bool grz_discs_miss(double2 start, double2 delta, double reach)
{
    const double approach = -dot_double2(start, delta);
    const double path = dot_double2(delta, delta);
    const double chord = reach * path - squared(cross_double2(start, delta));
    const double2 stop = add_double2(start, delta);
    const bool is_away = !(approach > 0);
    const bool is_beside = (approach >= path) | (chord < 0);
    const bool ends_apart = dot_double2(stop, stop) > reach;
    return (dot_double2(start, start) > reach) & (is_away | (is_beside & ends_apart));
}

/// Returns the x axis of what is rotated.
static inline graze_vec2d grz_x_axis(graze_rotation rotation)
{
    return vec2d((double)rotation.cosine, (double)rotation.sine);
}

/// Returns the shape of a body, with its rotation before the step.
grz_figure grz_figure_of(const grz_rows *rows, grz_row row);

/// Returns the half extents of the box around a figure, a little more than exact.
graze_vec2 grz_extent_of_figure(const grz_figure *shape);

/// Returns whether two filters that meet let their things pass through each other.
static inline bool grz_filters_pass(graze_filter a, graze_filter b)
{
    return ((a.category & b.pass) | (b.category & a.pass)) != 0;
}

/// Returns whether two bodies that meet pass through each other: neither deflects the other.
static inline bool grz_bodies_pass(const graze_world *world, grz_row row_a, grz_row row_b)
{
    const uint32_t *index = world->bodies.rows.index;
    return grz_may_any_pass(world) && grz_filters_pass(*grz_filter_of(world, index[row_a]),
                                                       *grz_filter_of(world, index[row_b]));
}

/// Returns whether the filters of two bodies let them meet. It does not look at their shapes: the
/// grid pairs no two rays.
bool grz_bodies_meet(const graze_world *world, grz_row row_a, grz_row row_b);

/// Returns whether the game's own filter lets two bodies meet. The world must have one.
bool grz_game_lets_meet(const graze_world *world, grz_row row_a, grz_row row_b);

/// Returns how far the body in a row reaches along a unit vector, from its centre.
static inline double grz_reach_along(const grz_rows *rows, grz_row row, graze_vec2d normal)
{
    const graze_vec2d half = widen(rows->half[row]);
    if (!grz_has_sides(rows->traits[row])) {
        return half.x;
    }
    const graze_vec2d axis = grz_x_axis(grz_rotation_of(rows, row));
    return half.x * absolute(dot(axis, normal)) + half.y * absolute(cross(axis, normal));
}

/// As grz_touch_straight, of two bodies that turn: for which the rotations before the step give no
/// touch, or none that counts.
bool grz_touch_turning(const grz_rows *rows, grz_row row_a, grz_row row_b, grz_touch *touch);

/// Finds the first touch of two bodies that both go straight from position to end through the whole
/// step, and turn as they go.
bool grz_touch_straight(const grz_rows *rows, grz_row row_a, grz_row row_b, grz_touch *touch);

/// Where two bodies go in the step, and by how much they turn: radians.
typedef struct grz_ways {
    graze_vec2 end_a, end_b;
    double turn_a, turn_b;
} grz_ways;

/// The same where the two go straight to other ends, or turn otherwise.
bool grz_touch_on_ways(const grz_rows *rows, grz_row row_a, grz_row row_b, const grz_ways *ways,
                       grz_touch *touch);

/// Finds the first touch of two bodies at `*from` (0 to 1 of the step) or later, along their
/// trajectories as they are known now. Sets `*from` to when either of them turns after that touch,
/// 1 if neither does: from there the next can be found.
bool grz_touch_moving(const graze_world *world, grz_row row_a, grz_row row_b, double *from,
                      grz_touch *touch);

/// Returns whether two bodies that touch at `time` would not touch, until one of them is deflected,
/// if a were shifted by `aside`, or as far to the other side: then they only touch with sides along
/// which they pass each other.
bool grz_pass_aside(const graze_world *world, grz_row row_a, grz_row row_b, double time,
                    graze_vec2d aside);

/// A straight piece of a trajectory.
typedef struct grz_piece {
    double start_time, end_time;
    graze_vec2 start, end;
} grz_piece;

/// Returns where the centre of a body is at `time` of the step, as its trajectory is known now.
graze_vec2d grz_place_at(const graze_world *world, grz_row row, double time);

/// Returns how a body moves at `time` of the step, in units per step, as its trajectory is known
/// now.
graze_vec2d grz_course_at(const graze_world *world, grz_row row, double time);

/// Returns the trajectory of a dynamic body; null if it has none, as nothing has touched it
/// (trajectory.h), or is kinematic. To be asked in Respond alone, where any body is free.
static inline grz_trajectory *grz_trajectory_of(const graze_world *world, grz_row row)
{
    GRZ_ASSERT(world->found.totals.free);
    const uint32_t place =
        row < world->bodies.active_count ? world->impacts.trajectory_of_row.data[row] : GRZ_NONE;
    return place == GRZ_NONE ? NULL : &world->impacts.trajectories.data[place];
}

/// How a body turns in a part of the step that begins at some time, radians.
typedef struct grz_spinning {
    double before; ///< Until then.
    double rate;   ///< From then on, per step.
} grz_spinning;

/// Returns how a body turns from a time in Respond on. What is rigid, and has been deflected, spins
/// otherwise since.
grz_spinning grz_spinning_at(const graze_world *world, grz_row row, double from);

/// Returns the half extents of the box around a body, however it is turned in the step.
graze_vec2 grz_extent_of(const grz_rows *rows, grz_row row);

/// Returns the last piece of a trajectory, as it is known now.
static inline grz_piece grz_last_piece_of(const grz_trajectory *trajectory)
{
    const uint32_t last = trajectory->count - 1;
    const grz_piece bent = {trajectory->time[last - 1], trajectory->time[last],
                            trajectory->at[last - 1], trajectory->at[last]};
    return bent;
}

/// Returns the last piece of a trajectory in the form that tests against other bodies use.
static inline grz_course grz_course_of_trajectory(const grz_trajectory *trajectory)
{
    const double never = 2; // Of the step.
    const uint32_t last = trajectory->count - 1;
    const grz_course course = {trajectory->at[last - 1], trajectory->at[last],
                               trajectory->gone ? never : trajectory->time[last - 1]};
    return course;
}

/// Finds the last piece of a body's path, as its trajectory is known now.
grz_course grz_course_find(const graze_world *world, grz_row row);

/// Returns whether the same is kept in world->impacts.courses: of a dynamic body, no ray.
static inline bool grz_course_is_kept(const graze_world *world, grz_row row)
{
    return row < world->bodies.active_count && !world->config.no_shortcuts &&
           grz_is_free_shape(world->bodies.rows.traits[row]);
}

/// Returns it from there if it is, for loops that ask for many.
static inline grz_course grz_course_of(const graze_world *world, grz_row row)
{
    return grz_course_is_kept(world, row) ? world->impacts.courses.data[row]
                                          : grz_course_find(world, row);
}

/// Returns where a course is at `from` (0 to 1 of the step), when it has begun.
static inline graze_vec2d grz_course_start(const grz_course *course, double from)
{
    const graze_vec2d start = widen(course->from);
    const graze_vec2d delta = subtract(widen(course->to), start);
    return along(start, delta, (from - course->begin) / (1 - course->begin));
}

// --- What is near a body as it is now, for queries and rays ---

/// Returns whether the box around a body, as it is now, overlaps another. A query asks this of all
/// bodies that it finds: a touch by rounding alone must not depend on whether the grid knows them.
bool grz_is_near(const grz_rows *rows, grz_row row, graze_aabb box);

/// Likewise whether the ray from -> end meets that box. Exact.
bool grz_is_near_ray(const grz_rows *rows, grz_row row, graze_vec2 from, graze_vec2 end);

#endif
