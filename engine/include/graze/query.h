/// @file query.h
/// Questions to a world between steps: what is here, what would a ray hit.
///
/// Bodies are found where they are now, those created or teleported since the last step included.
///
/// Units      The game's own, as in body.h and shape.h.
/// Filter     A thing is found when it and the query's filter meet (body.h): graze_filter_default()
///            finds everything that has default filters. The world's filter callback is not asked.
/// Lists      Those functions return how many things there are, also beyond `capacity`, and write
///            the first `capacity` of them, in the order that each function names, to the caller's
///            array, which may be null when capacity is 0.
/// Errors     Input that is not finite or a negative size: a list is empty; where a status is
///            returned it is GRAZE_ERROR_ARGUMENT, and the log gets a line.
/// Threads    Any number of threads at once, as long as none changes the world.
/// Cost       Of bodies and segments those near the query. Bodies that were created, teleported or
///            loaded since the last step are looked at one by one: see graze_world_sort(). Nothing
///            is allocated.
#ifndef GRAZE_QUERY_H
#define GRAZE_QUERY_H

#include <graze/aabb.h>
#include <graze/body.h>
#include <graze/id.h>
#include <graze/shape.h>
#include <graze/status.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a ray or a moving shape met.
typedef struct graze_query_hit {
    graze_body_id body;       ///< None against terrain, and when nothing was hit.
    graze_segment_id segment; ///< None against a body, and when nothing was hit.
    float time;               ///< 0 to 1 of the ray's delta; 1 when nothing was hit.
    graze_vec2 point;         ///< Where they touch; the ray's end when nothing was hit.
    graze_vec2 normal;        ///< Unit, the surface's own, facing the mover; 0, 0 for no hit.
} graze_query_hit;

/// Writes the first thing that the ray meets to `closest`. At equal times terrain comes first, then
/// the smaller id. Returns OK, also when nothing is hit (body and segment are none then), or
/// ARGUMENT when the ray is not finite or `closest` is null.
graze_status graze_query_ray(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *closest);

/// Lists everything that the ray meets: by time, then terrain before bodies, then by id.
uint32_t graze_query_ray_all(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *hits, uint32_t capacity);

/// Writes to hits[i] what graze_query_ray gives for rays[i]: `count` elements each, one filter for
/// all. Returns OK; or ARGUMENT, with `hits` unchanged, when a ray is not finite, or when an array
/// is null and count is not 0.
///
/// Cost       Many rays are looked up together, in lanes: several times as fast as one by one
///            (bench: engine/query_ray_many).
graze_status graze_query_ray_many(const graze_world *world, const graze_ray *rays, uint32_t count,
                                  graze_filter filter, graze_query_hit *hits);

/// Lists the bodies that contain the point, their rims included, by id. A ray is its tip.
uint32_t graze_query_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                           graze_body_id *bodies, uint32_t capacity);

/// Lists the bodies whose shape touches the box, by id.
uint32_t graze_query_box(const graze_world *world, graze_aabb box, graze_filter filter,
                         graze_body_id *bodies, uint32_t capacity);

/// Lists the bodies that come within `radius` of the point, nearest first, then by id.
uint32_t graze_query_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity);

/// Moves a shape straight from `from` by `delta` and writes the first thing that it meets to
/// `closest`, as graze_query_ray does. `angle` (radians) turns a rect; it stays as it is on the
/// way. A shape that overlaps something at the start meets it at time 0. Returns OK, or ARGUMENT.
graze_status graze_query_cast(const graze_world *world, graze_shape shape, graze_vec2 from,
                              float angle, graze_vec2 delta, graze_filter filter,
                              graze_query_hit *closest);

#ifdef __cplusplus
}
#endif

#endif
