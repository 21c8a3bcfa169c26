#include "hull.h"

#include <math.h>

static double dot(graze_vec2d a, graze_vec2d b)
{
    return a.x * b.x + a.y * b.y;
}

static graze_vec2d subtract(graze_vec2d a, graze_vec2d b)
{
    graze_vec2d difference = {a.x - b.x, a.y - b.y};
    return difference;
}

static double lowest_along(const hull *a, graze_vec2d axis)
{
    double lowest = dot(a->points[0], axis);
    for (uint32_t i = 1; i < a->count; ++i) {
        lowest = fmin(lowest, dot(a->points[i], axis));
    }
    return lowest;
}

/// The gap between the projections of a and b on the axis; negative: how far they overlap.
static double find_separation(const hull *a, const hull *b, graze_vec2d axis)
{
    graze_vec2d opposite = {-axis.x, -axis.y};
    double b_after_a = lowest_along(b, axis) + lowest_along(a, opposite);
    double a_after_b = lowest_along(a, axis) + lowest_along(b, opposite);
    return fmax(b_after_a, a_after_b);
}

static double widen_by_own_axes(const hull *own, const hull *a, const hull *b, double separation)
{
    for (uint32_t i = 0; i < own->count; ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            graze_vec2d side = subtract(own->points[i], own->points[j]);
            double length = sqrt(dot(side, side));
            if (length > 0) {
                graze_vec2d axis = {-side.y / length, side.x / length};
                separation = fmax(separation, find_separation(a, b, axis));
            }
        }
    }
    return separation;
}

static double find_largest_separation(const hull *a, const hull *b)
{
    const graze_vec2d x = {1.0, 0.0};
    const graze_vec2d y = {0.0, 1.0};
    double separation = fmax(find_separation(a, b, x), find_separation(a, b, y));
    separation = widen_by_own_axes(a, a, b, separation);
    return widen_by_own_axes(b, a, b, separation);
}

static double distance_to_segment(graze_vec2d point, graze_vec2d from, graze_vec2d to)
{
    graze_vec2d side = subtract(to, from);
    graze_vec2d offset = subtract(point, from);
    double squared = dot(side, side);
    double along = squared > 0 ? fmin(fmax(dot(offset, side) / squared, 0.0), 1.0) : 0.0;
    graze_vec2d rest = {offset.x - side.x * along, offset.y - side.y * along};
    return sqrt(dot(rest, rest));
}

/// The least distance from a point of a to a segment between two points of b: diagonals lie inside
/// b, so they are never closer than its sides.
static double nearest_point_to_side(const hull *a, const hull *b)
{
    double nearest = HUGE_VAL;
    for (uint32_t k = 0; k < a->count; ++k) {
        for (uint32_t i = 0; i < b->count; ++i) {
            for (uint32_t j = 0; j <= i; ++j) {
                double distance = distance_to_segment(a->points[k], b->points[i], b->points[j]);
                nearest = fmin(nearest, distance);
            }
        }
    }
    return nearest;
}

double hull_gap(const hull *a, const hull *b)
{
    double gap = find_largest_separation(a, b);
    if (gap > 0) {
        gap = fmin(nearest_point_to_side(a, b), nearest_point_to_side(b, a));
    }
    return gap - a->radius - b->radius;
}

hull hull_sweep(const hull *a, graze_vec2d delta)
{
    hull swept = *a;
    for (uint32_t i = 0; i < a->count; ++i) {
        graze_vec2d moved = {a->points[i].x + delta.x, a->points[i].y + delta.y};
        swept.points[swept.count++] = moved;
    }
    return swept;
}

static void append_point(hull *shape, double x, double y)
{
    graze_vec2d point = {x, y};
    shape->points[shape->count++] = point;
}

hull hull_of_point(graze_vec2 point)
{
    hull shape = {.count = 0};
    append_point(&shape, (double)point.x, (double)point.y);
    return shape;
}

hull hull_of_circle(graze_circle circle)
{
    hull shape = hull_of_point(circle.center);
    shape.radius = (double)circle.radius;
    return shape;
}

hull hull_of_rect(graze_rect rect)
{
    hull shape = {.count = 0};
    double ux = (double)rect.rotation.cosine * (double)rect.half.x;
    double uy = (double)rect.rotation.sine * (double)rect.half.x;
    double vx = -(double)rect.rotation.sine * (double)rect.half.y;
    double vy = (double)rect.rotation.cosine * (double)rect.half.y;
    double x = (double)rect.center.x;
    double y = (double)rect.center.y;
    append_point(&shape, x - ux - vx, y - uy - vy);
    append_point(&shape, x + ux - vx, y + uy - vy);
    append_point(&shape, x + ux + vx, y + uy + vy);
    append_point(&shape, x - ux + vx, y - uy + vy);
    return shape;
}

hull hull_of_segment(graze_segment segment)
{
    hull shape = hull_of_point(segment.a);
    append_point(&shape, (double)segment.b.x, (double)segment.b.y);
    return shape;
}
