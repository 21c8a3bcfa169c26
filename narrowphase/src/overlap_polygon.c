// Overlap tests of convex polygons, by exact signs.

#include <graze/orient.h>
#include <graze/overlap.h>

#include "bounds.h"
#include "polygon_edge.h"
#include "touch.h"

static bool is_usable_polygon(const graze_polygon *polygon)
{
    if (polygon->count < 1 || polygon->count > GRAZE_POLYGON_CAPACITY) {
        return false;
    }
    for (uint32_t i = 0; i < polygon->count; ++i) {
        if (!is_finite(polygon->vertices[i])) {
            return false;
        }
    }
    return true;
}

static graze_aabb bounds_of(const graze_polygon *polygon)
{
    graze_aabb bounds = box_of_point(polygon->vertices[0]);
    for (uint32_t i = 1; i < polygon->count; ++i) {
        extend_by_point(&bounds, polygon->vertices[i]);
    }
    return bounds;
}

// Inside a convex polygon no two edges see the point on different sides. If the polygon has no area
// and the point is on every edge's line, its box decides.
static bool contains(const graze_polygon *polygon, graze_vec2 point)
{
    bool left = false;
    bool right = false;
    for (uint32_t i = 0; i < polygon->count; ++i) {
        const graze_segment edge = polygon_edge(polygon, i);
        const int side = graze_orient(edge.a, edge.b, point);
        left = left || side > 0;
        right = right || side < 0;
        if (left && right) {
            return false;
        }
    }
    const graze_aabb at_point = {point, point};
    return left || right || graze_overlap_aabbs(bounds_of(polygon), at_point);
}

static bool meets_an_edge(const graze_polygon *polygon, graze_segment segment)
{
    for (uint32_t i = 0; i < polygon->count; ++i) {
        if (graze_overlap_segments(polygon_edge(polygon, i), segment)) {
            return true;
        }
    }
    return false;
}

bool graze_overlap_point_polygon(graze_vec2 point, const graze_polygon *polygon)
{
    return is_usable_polygon(polygon) && is_finite(point) && contains(polygon, point);
}

bool graze_overlap_circle_polygon(graze_circle circle, const graze_polygon *polygon)
{
    if (!is_usable_polygon(polygon) || !is_finite(circle.center) ||
        !is_finite_sum((double)circle.radius)) {
        return false;
    }
    for (uint32_t i = 0; i < polygon->count; ++i) {
        const graze_segment edge = polygon_edge(polygon, i);
        if (touches_disc_segment(offset(circle.center, edge.a), offset(circle.center, edge.b),
                                 (double)circle.radius, offset(edge.b, edge.a))) {
            return true;
        }
    }
    return contains(polygon, circle.center);
}

// Two convex sets touch when their borders do, or when one holds any point of the other.
bool graze_overlap_polygon_segment(const graze_polygon *polygon, graze_segment segment)
{
    return is_usable_polygon(polygon) && is_finite(segment.a) && is_finite(segment.b) &&
           (meets_an_edge(polygon, segment) || contains(polygon, segment.a));
}

bool graze_overlap_polygons(const graze_polygon *a, const graze_polygon *b)
{
    if (!is_usable_polygon(a) || !is_usable_polygon(b) ||
        !graze_overlap_aabbs(bounds_of(a), bounds_of(b))) {
        return false;
    }
    for (uint32_t i = 0; i < b->count; ++i) {
        if (meets_an_edge(a, polygon_edge(b, i))) {
            return true;
        }
    }
    return contains(a, b->vertices[0]) || contains(b, a->vertices[0]);
}
