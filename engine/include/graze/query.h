/// @file query.h
/// Questions to a world between steps: what is here, what would a ray hit.
///
/// Bodies are met where they are now, created and teleported ones included.
///
/// Filter     A thing is found when it and the query's filter meet (body.h): graze_filter_default()
///            finds everything of default category. The world's filter callback is not asked.
/// Lists      Return how many there are, also beyond `capacity`; `hits` or `bodies` (capacity
///            elements, may be null when capacity is 0) get the first ones of the order.
/// Errors     Non-finite input, a negative size: nothing is found, or GRAZE_ERROR_ARGUMENT where a
///            status is returned.
/// Threads    Any number at once, as long as nobody changes the world.
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

/// Writes the first thing that the ray meets to `closest`: ties go to terrain, then to the smaller
/// id. Returns GRAZE_OK also when nothing is hit (body and segment are none then), ARGUMENT for a
/// ray that is not finite or a null `closest`.
graze_status graze_query_ray(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *closest);

/// Lists everything that the ray meets, by time, then terrain before bodies, then by id.
uint32_t graze_query_ray_all(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *hits, uint32_t capacity);

/// graze_query_ray for `count` rays: hits[i] gets what rays[i] meets. One filter for all. Returns
/// ARGUMENT, hits unchanged, when a ray is not finite or an array is null while count is not 0.
graze_status graze_query_ray_many(const graze_world *world, const graze_ray *rays, uint32_t count,
                                  graze_filter filter, graze_query_hit *hits);

/// Lists the bodies that contain the point (closed shapes; a ray is its tip), by id.
uint32_t graze_query_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                           graze_body_id *bodies, uint32_t capacity);

/// Lists the bodies whose shape touches the box, by id.
uint32_t graze_query_box(const graze_world *world, graze_aabb box, graze_filter filter,
                         graze_body_id *bodies, uint32_t capacity);

/// Lists the bodies that come within `radius` of the point, nearest first, then by id.
uint32_t graze_query_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity);

/// Moves a shape from `from` by `delta` and writes the first thing it meets to `closest`, as
/// graze_query_ray does. A shape that overlaps something at the start meets it at time 0.
graze_status graze_query_cast(const graze_world *world, graze_shape shape, graze_vec2 from,
                              float angle, graze_vec2 delta, graze_filter filter,
                              graze_query_hit *closest);

#ifdef __cplusplus
}
#endif

#endif
