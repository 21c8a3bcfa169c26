/// @file query.h
/// Queries between steps: what is here, and what would a ray or a moving shape hit? Bodies are
/// found where they are now, including those created or teleported since the last step.
///
///     graze_ray sight = {{0, 0}, {20, 5}}; // From, and by how much.
///     graze_query_hit hit;
///     graze_query_ray(world, sight, graze_filter_default(), &hit);
///     if (hit.time < 1) {
///         ... hit.body, or hit.segment, is at hit.point ...
///     }
///
/// Units      The game's own, as in body.h and shape.h.
/// Rays       To all queries a body that is a ray is the point at its tip.
/// Filter     A thing is found if its filter and the query's would let two bodies meet (body.h).
///            graze_filter_default() finds everything that has the default filter. The body for
///            which a game asks is found, too. To leave it out, give it and the query's filter the
///            same negative group, or take its category out of the query's mask. The world's filter
///            callback is not asked.
/// Sides      Sensors are found like all else. A segment of a one-sided chain is found only by what
///            starts on its left: a ray by its origin, a shape by its centre (chain.h).
/// Lists      List functions return the number of things found, even if it exceeds `capacity`. They
///            write the first `capacity` of them to the caller's array, in the order that each
///            function states. The array may be null if capacity is 0.
/// Errors     The log receives a line, functions that return a status return GRAZE_ERROR_ARGUMENT,
///            and lists are empty. A number that is not finite is refused, and so is a path whose
///            end is not. So are a negative size, a box whose lower side is above its upper side,
///            and a null array that should hold something.
/// Threads    Any number of threads may query at once, as long as none changes the world.
/// Cost       Proportional to the bodies and segments near the query. Nothing is allocated. Bodies
///            created, teleported or loaded since the last step are tested one by one. So are
///            bodies that others pushed in it farther than they could have gone by themselves. See
///            graze_world_sort().
/// Walls      A segment is stored in at most 27 cells, however long it is. Where hundreds of long
///            walls lie side by side, even a short ray among them tests many. Points that divide
///            the walls make it cheaper, but casts along their whole length dearer.
/// Ends       A ray or a moving shape ends at its start plus its delta, rounded to float, as a body
///            does in a step. What it meets, and when, is decided for that path. Far from the
///            origin, times may therefore differ from those that cast.h computes for the delta.
/// Times      Hits are compared by their times in double, which are rounded to float afterwards. So
///            of hits with the same `time` the first may still be the earlier one.
/// Source     Each candidate is decided by the tests of cast.h and overlap.h; grid.h and
///            segment_grid.h say how they are found.
#ifndef GRAZE_QUERY_H
#define GRAZE_QUERY_H

#include <graze/aabb.h>
#include <graze/body.h>
#include <graze/id.h>
#include <graze/shape.h>
#include <graze/status.h>
#include <graze/vec2.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first thing that a ray or a moving shape meets.
typedef struct graze_query_hit {
    graze_body_id body;       ///< None if terrain or nothing was hit.
    graze_segment_id segment; ///< None if a body or nothing was hit.
    float time;               ///< 0 to 1 of the delta; 1 if nothing was hit.
    graze_vec2 point;         ///< Where they touch; the ray's end if nothing was hit.
    graze_vec2 normal;        ///< Unit, of the surface, facing the mover; 0, 0 if nothing was hit.
} graze_query_hit;

/// Writes the first thing that the ray meets to `closest`. At equal times terrain comes first, then
/// the smaller id. Returns OK, also if nothing is hit (body and segment are none then).
///
/// Errors     ARGUMENT, with `closest` unchanged, if the ray is not finite or `closest` is null.
graze_status graze_query_ray(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *closest);

/// Lists everything that the ray meets, ordered by time, then terrain before bodies, then by id.
///
/// Cost       Hits are found in passes along the whole ray, 64 hits each, also those beyond
///            `capacity`.
uint32_t graze_query_ray_all(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *hits, uint32_t capacity);

/// Writes to hits[i] what graze_query_ray gives for rays[i]. Both arrays have `count` elements; the
/// filter applies to all rays. Returns OK.
///
/// Errors     ARGUMENT, with `hits` unchanged, if a ray is not finite, or if an array is null and
///            count is not 0.
/// Cost       Rays are processed together, in SIMD lanes: several times as fast as one by one
///            (bench: engine/query_ray_many).
graze_status graze_query_ray_many(const graze_world *world, const graze_ray *rays, uint32_t count,
                                  graze_filter filter, graze_query_hit *hits);

/// Lists the bodies that contain the point, boundaries included, ordered by id. Terrain is not
/// listed, here and by the two that follow.
uint32_t graze_query_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                           graze_body_id *bodies, uint32_t capacity);

/// Lists the bodies whose shape touches the box, ordered by id.
uint32_t graze_query_box(const graze_world *world, graze_aabb box, graze_filter filter,
                         graze_body_id *bodies, uint32_t capacity);

/// Lists the bodies whose shape is within `radius` (finite, >= 0) of the point, nearest first, then
/// by id. A body that contains the point is at distance 0.
///
/// Cost       Looks at each body within `radius`, however few are listed
///            (bench: engine/query_nearest).
uint32_t graze_query_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity);

/// Moves a shape in a straight line from `from` by `delta`, and writes the first thing that it
/// meets to `closest`, as graze_query_ray does. `angle` (radians) rotates a rect; it does not turn
/// on the way. A shape that overlaps something at the start meets it at time 0. Returns OK.
///
/// Errors     ARGUMENT, with `closest` unchanged, if a number is out of range (as in
///            graze_body_def) or `closest` is null.
graze_status graze_query_cast(const graze_world *world, graze_shape shape, graze_vec2 from,
                              float angle, graze_vec2 delta, graze_filter filter,
                              graze_query_hit *closest);

#ifdef __cplusplus
}
#endif

#endif
