// Rays against convex polygons: clipped by one edge after the other, decided by exact signs.

#include <graze/cast.h>
#include <graze/orient.h>
#include <graze/overlap.h>

#include "determinant.h"
#include "polygon_edge.h"
#include "vec2d.h"

/// A convex polygon as half planes: `turn` is 1 when its inside lies left of its edges, -1 when
/// right of them, 0 when it has no area.
typedef struct half_planes {
    const graze_polygon *polygon;
    int turn;
} half_planes;

static int turn_of(const graze_polygon *polygon)
{
    for (uint32_t i = 2; i < polygon->count; ++i) {
        const int turn =
            graze_orient(polygon->vertices[0], polygon->vertices[i - 1], polygon->vertices[i]);
        if (turn != 0) {
            return turn;
        }
    }
    return 0;
}

// Returns the segment that a polygon without area covers.
static graze_segment span_of(const graze_polygon *polygon)
{
    graze_segment span = {polygon->vertices[0], polygon->vertices[0]};
    for (uint32_t i = 1; i < polygon->count; ++i) {
        const graze_vec2 v = polygon->vertices[i];
        if (v.x < span.a.x || (v.x == span.a.x && v.y < span.a.y)) {
            span.a = v;
        }
        if (v.x > span.b.x || (v.x == span.b.x && v.y > span.b.y)) {
            span.b = v;
        }
    }
    return span;
}

// Returns how far a point is outside the edge's half plane, times the edge's length; exact in
// sign.
static double outside_of(const half_planes *planes, uint32_t i, graze_vec2 point)
{
    const graze_segment edge = polygon_edge(planes->polygon, i);
    return -planes->turn * grz_orient_value(edge.a, edge.b, point);
}

static graze_vec2d outward_of(const half_planes *planes, uint32_t i)
{
    const graze_segment edge = polygon_edge(planes->polygon, i);
    return scale(left_of(offset(edge.b, edge.a)), -planes->turn);
}

// Returns the edge nearest to a point inside.
static uint32_t nearest_edge(const half_planes *planes, graze_vec2 inside)
{
    uint32_t nearest = 0;
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < planes->polygon->count; ++i) {
        const graze_vec2d outward = outward_of(planes, i);
        const double depth = -outside_of(planes, i, inside) / length_of(outward);
        if (depth < least) {
            least = depth;
            nearest = i;
        }
    }
    return nearest;
}

// A path that is known to touch the polygon enters it through the half plane that it enters last.
// Signs are exact: if it starts outside of a half plane, it does not end outside, unless rounding
// has dented a side of collinear vertices.
static graze_hit enter_half_planes(const half_planes *planes, graze_vec2 from, graze_vec2 to)
{
    double enter = 0;
    double enter_per = 1;
    uint32_t edge = planes->polygon->count;
    for (uint32_t i = 0; i < planes->polygon->count; ++i) {
        const double before = outside_of(planes, i, from);
        const double closing = before - min_double(outside_of(planes, i, to), 0);
        if (before > 0 && before * enter_per > enter * closing) {
            enter = before;
            enter_per = closing;
            edge = i;
        }
    }
    if (edge == planes->polygon->count) {
        edge = nearest_edge(planes, from);
    }
    const double time = enter / enter_per;
    const graze_vec2d normal = outward_of(planes, edge);
    const graze_hit hit = {true, (float)time, narrow(along(widen(from), offset(to, from), time)),
                           narrow(unit_or(normal, normal))};
    return hit;
}

graze_hit graze_cast_ray_polygon(graze_ray ray, const graze_polygon *polygon)
{
    const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    const graze_segment path = {ray.origin, end};
    const graze_hit none = {false, 0, {0, 0}, {0, 0}};
    if (!graze_overlap_polygon_segment(polygon, path)) {
        return none;
    }
    const half_planes planes = {polygon, turn_of(polygon)};
    if (planes.turn == 0) {
        const graze_circle point = {ray.origin, 0};
        return graze_cast_circle_segment(point, ray.delta, span_of(polygon));
    }
    return enter_half_planes(&planes, ray.origin, end);
}
