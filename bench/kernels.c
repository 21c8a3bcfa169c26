#include "kernels.h"

#include <graze/graze.h>
#include <graze/sweep.h>
#include <graze/sweep_turn.h>

#include <math.h>
#include <string.h>

// --- What is a hit ---

static graze_vec2d subtract_widened(graze_vec2 a, graze_vec2 b)
{
    graze_vec2d difference = {(double)a.x - (double)b.x, (double)a.y - (double)b.y};
    return difference;
}

/// A ray's end as float, as casts take it.
static graze_vec2 end_of(graze_ray ray)
{
    return graze_vec2_add(ray.origin, ray.delta);
}

static double cross(graze_vec2d a, graze_vec2d b)
{
    return a.x * b.y - a.y * b.x;
}

/// Left of the segment is a hit.
static double gap_of_side(const void *a, const void *b)
{
    const graze_segment *segment = a;
    const graze_vec2 *point = b;
    return -cross(subtract_widened(segment->b, segment->a), subtract_widened(*point, segment->a));
}

/// Behind the first line's point a, where along_a > 0, is a hit.
static double gap_of_line_crossing(const void *a, const void *b)
{
    const graze_line *one = a;
    const graze_line *other = b;
    graze_vec2d one_side = subtract_widened(one->b, one->a);
    graze_vec2d other_side = subtract_widened(other->b, other->a);
    double sine = cross(one_side, other_side);
    double along = cross(subtract_widened(other->a, one->a), other_side) / sine;
    return fabs(sine) < 0.05 ? 0.0 : -along;
}

/// Some point of the segment is nearer than the radius, and some end is not.
static double gap_of_circumference(const void *a, const void *b)
{
    const graze_segment *segment = a;
    const graze_circle *circle = b;
    hull outline = hull_of_segment(*segment);
    hull disc = hull_of_circle(*circle);
    graze_vec2d to_a = subtract_widened(segment->a, circle->center);
    graze_vec2d to_b = subtract_widened(segment->b, circle->center);
    double farthest =
        sqrt(fmax(to_a.x * to_a.x + to_a.y * to_a.y, to_b.x * to_b.x + to_b.y * to_b.y));
    return fmax(hull_gap(&outline, &disc), (double)circle->radius - farthest);
}

/// Engines disagree on rays that begin inside: not used.
static double gap_of_circle_cast(const void *a, const void *b)
{
    hull way = operand_graze_ray.outline(a);
    hull start = hull_of_point(((const graze_ray *)a)->origin);
    hull disc = hull_of_circle(*(const graze_circle *)b);
    return hull_gap(&start, &disc) < KERNEL_DOUBT ? 0.0 : hull_gap(&way, &disc);
}

// --- Kernels with other arguments than shapes ---

static bool sweep_circles(const moving_circle *a, const graze_circle *b)
{
    graze_vec2d start = subtract_widened(a->circle.center, b->center);
    return graze_sweep_circles(start, widen(a->delta), (double)a->circle.radius, (double)b->radius)
        .hit;
}

static bool sweep_circle_rect(const moving_circle *a, const graze_rect *b)
{
    graze_vec2d start = subtract_widened(a->circle.center, b->center);
    double radius = (double)a->circle.radius;
    return graze_sweep_circle_rect(start, widen(a->delta), radius, b->half, b->rotation).hit;
}

static bool sweep_rects(const moving_rect *a, const graze_rect *b)
{
    graze_vec2d start = subtract_widened(a->rect.center, b->center);
    return graze_sweep_rects(start, widen(a->delta), a->rect.half, a->rect.rotation, b->half,
                             b->rotation)
        .hit;
}

// The turn is so short that it changes no answer: so the outlines tell whether it is right.
static bool sweep_turning(const moving_rect *a, const graze_rect *b)
{
    const double turn = 1e-7;
    const graze_turning turning = {graze_shape_rect(a->rect.half.x, a->rect.half.y),
                                   a->rect.rotation, turn};
    const graze_turning other = {graze_shape_rect(b->half.x, b->half.y), b->rotation, -turn};
    graze_vec2d start = subtract_widened(a->rect.center, b->center);
    return graze_sweep_turning(&turning, &other, start, widen(a->delta)).hit;
}

static bool sweep_circle_segment(const moving_circle *a, const graze_segment *b)
{
    double radius = (double)a->circle.radius;
    return graze_sweep_circle_segment(widen(a->circle.center), widen(a->delta), radius, *b).hit;
}

static bool sweep_rect_segment(const moving_rect *a, const graze_segment *b)
{
    return graze_sweep_rect_segment(widen(a->rect.center), widen(a->delta), a->rect.half,
                                    a->rect.rotation, *b)
        .hit;
}

// --- All ---

/// All kernels: name, types of a and b, gap (null: that of their outlines), whether a pair is a
/// hit.
#define KERNELS(X)                                                                                 \
    X(orient, graze_segment, graze_vec2, gap_of_side, graze_orient(a->a, a->b, *b) > 0)            \
    X(crosses, graze_ray, graze_segment, NULL, graze_crosses(a->origin, end_of(*a), *b))           \
    X(overlap_point_circle, graze_vec2, graze_circle, NULL, graze_overlap_point_circle(*a, *b))    \
    X(overlap_point_rect, graze_vec2, graze_rect, NULL, graze_overlap_point_rect(*a, *b))          \
    X(overlap_point_polygon, graze_vec2, graze_polygon, NULL, graze_overlap_point_polygon(*a, b))  \
    X(overlap_aabbs, graze_aabb, graze_aabb, NULL, graze_overlap_aabbs(*a, *b))                    \
    X(overlap_circles, graze_circle, graze_circle, NULL, graze_overlap_circles(*a, *b))            \
    X(overlap_circle_line, graze_circle, graze_line, NULL, graze_overlap_circle_line(*a, *b))      \
    X(overlap_circle_segment, graze_circle, graze_segment, NULL,                                   \
      graze_overlap_circle_segment(*a, *b))                                                        \
    X(overlap_circle_rect, graze_circle, graze_rect, NULL, graze_overlap_circle_rect(*a, *b))      \
    X(overlap_circle_polygon, graze_circle, graze_polygon, NULL,                                   \
      graze_overlap_circle_polygon(*a, b))                                                         \
    X(overlap_rects, graze_rect, graze_rect, NULL, graze_overlap_rects(*a, *b))                    \
    X(overlap_rect_segment, graze_rect, graze_segment, NULL, graze_overlap_rect_segment(*a, *b))   \
    X(overlap_segments, graze_segment, graze_segment, NULL, graze_overlap_segments(*a, *b))        \
    X(overlap_polygons, graze_polygon, graze_polygon, NULL, graze_overlap_polygons(a, b))          \
    X(overlap_polygon_segment, graze_polygon, graze_segment, NULL,                                 \
      graze_overlap_polygon_segment(a, *b))                                                        \
    X(cross_lines, graze_line, graze_line, gap_of_line_crossing,                                   \
      graze_cross_lines(*a, *b).along_a[0] > 0)                                                    \
    X(cross_segments, graze_segment, graze_segment, NULL, graze_cross_segments(*a, *b).count > 0)  \
    X(cross_segment_circle, graze_segment, graze_circle, gap_of_circumference,                     \
      graze_cross_segment_circle(*a, *b).count > 0)                                                \
    X(collide_circles, graze_circle, graze_circle, NULL, graze_collide_circles(*a, *b).count > 0)  \
    X(collide_circle_segment, graze_circle, graze_segment, NULL,                                   \
      graze_collide_circle_segment(*a, *b).count > 0)                                              \
    X(collide_circle_rect, graze_circle, graze_rect, NULL,                                         \
      graze_collide_circle_rect(*a, *b).count > 0)                                                 \
    X(collide_rects, graze_rect, graze_rect, NULL, graze_collide_rects(*a, *b).count > 0)          \
    X(collide_rect_segment, graze_rect, graze_segment, NULL,                                       \
      graze_collide_rect_segment(*a, *b).count > 0)                                                \
    X(cast_ray_line, graze_ray, graze_line, NULL, graze_cast_ray_line(*a, *b).hit)                 \
    X(cast_ray_segment, graze_ray, graze_segment, NULL, graze_cast_ray_segment(*a, *b).hit)        \
    X(cast_ray_circle, graze_ray, graze_circle, gap_of_circle_cast,                                \
      graze_cast_ray_circle(*a, *b).hit)                                                           \
    X(cast_ray_rect, graze_ray, graze_rect, NULL, graze_cast_ray_rect(*a, *b).hit)                 \
    X(cast_ray_polygon, graze_ray, graze_polygon, NULL, graze_cast_ray_polygon(*a, b).hit)         \
    X(cast_circle_segment, moving_circle, graze_segment, NULL,                                     \
      graze_cast_circle_segment(a->circle, a->delta, *b).hit)                                      \
    X(cast_circle_circle, moving_circle, graze_circle, NULL,                                       \
      graze_cast_circle_circle(a->circle, a->delta, *b).hit)                                       \
    X(cast_circle_rect, moving_circle, graze_rect, NULL,                                           \
      graze_cast_circle_rect(a->circle, a->delta, *b).hit)                                         \
    X(cast_rect_segment, moving_rect, graze_segment, NULL,                                         \
      graze_cast_rect_segment(a->rect, a->delta, *b).hit)                                          \
    X(cast_rect_rect, moving_rect, graze_rect, NULL,                                               \
      graze_cast_rect_rect(a->rect, a->delta, *b).hit)                                             \
    X(sweep_circles, moving_circle, graze_circle, NULL, sweep_circles(a, b))                       \
    X(sweep_circle_rect, moving_circle, graze_rect, NULL, sweep_circle_rect(a, b))                 \
    X(sweep_rects, moving_rect, graze_rect, NULL, sweep_rects(a, b))                               \
    X(sweep_turning, moving_rect, graze_rect, NULL, sweep_turning(a, b))                           \
    X(sweep_circle_segment, moving_circle, graze_segment, NULL, sweep_circle_segment(a, b))        \
    X(sweep_rect_segment, moving_rect, graze_segment, NULL, sweep_rect_segment(a, b))              \
    X(sweep_point_segment, graze_ray, graze_segment, NULL,                                         \
      graze_sweep_point_segment(a->origin, end_of(*a), *b).hit)

#define DEFINE_LOOP(name, first_type, second_type, gap, hit)                                       \
    static uint32_t run_##name(const void *first, const void *second)                              \
    {                                                                                              \
        const first_type *a = first;                                                               \
        const second_type *b = second;                                                             \
        uint32_t hits = 0;                                                                         \
        for (uint32_t i = 0; i < KERNEL_PAIRS; ++i, ++a, ++b) {                                    \
            hits += (hit);                                                                         \
        }                                                                                          \
        return hits;                                                                               \
    }
KERNELS(DEFINE_LOOP)

#define DEFINE_ENTRY(name, first_type, second_type, gap, hit)                                      \
    {#name, &operand_##first_type, &operand_##second_type, run_##name, gap},
const kernel kernels[] = {KERNELS(DEFINE_ENTRY)};

const uint32_t kernel_count = sizeof kernels / sizeof kernels[0];

double kernel_gap(const kernel *which, const void *a, const void *b)
{
    if (which->gap) {
        return which->gap(a, b);
    }
    hull first = which->first->outline(a);
    hull second = which->second->outline(b);
    return hull_gap(&first, &second);
}

const kernel *kernel_named(const char *name)
{
    uint32_t i = 0;
    while (strcmp(kernels[i].name, name) != 0) {
        ++i;
    }
    return &kernels[i];
}
