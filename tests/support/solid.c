#include "solid.h"

#include <math.h>

static solid_point difference(solid_point a, solid_point b)
{
    const solid_point d = {a.x - b.x, a.y - b.y};
    return d;
}

static long double product(solid_point a, solid_point b)
{
    return a.x * b.x + a.y * b.y;
}

// As fminl and fmaxl, but inline: a NaN as `next` is none.
static long double least_of(long double least, long double next)
{
    return next < least ? next : least;
}

static long double greatest_of(long double greatest, long double next)
{
    return next > greatest ? next : greatest;
}

// The squares of floats neither overflow nor vanish here.
static long double length_of_point(solid_point p)
{
    return sqrtl(product(p, p));
}

static solid solid_of_points(int count, const graze_vec2 *points, long double radius)
{
    solid shape = {count, {{0, 0}}, radius};
    for (int i = 0; i < count; ++i) {
        shape.corners[i].x = (long double)points[i].x;
        shape.corners[i].y = (long double)points[i].y;
    }
    return shape;
}

solid solid_of_circle(graze_circle circle)
{
    return solid_of_points(1, &circle.center, (long double)circle.radius);
}

solid solid_of_segment(graze_segment segment)
{
    const graze_vec2 ends[2] = {segment.a, segment.b};
    return solid_of_points(2, ends, 0);
}

solid solid_of_rect(graze_rect rect)
{
    static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const long double c = (long double)rect.rotation.cosine;
    const long double s = (long double)rect.rotation.sine;
    solid shape = {4, {{0, 0}}, 0};
    for (int i = 0; i < 4; ++i) {
        const long double x = signs[i][0] * (long double)rect.half.x / (c * c + s * s);
        const long double y = signs[i][1] * (long double)rect.half.y / (c * c + s * s);
        shape.corners[i].x = (long double)rect.center.x + c * x - s * y;
        shape.corners[i].y = (long double)rect.center.y + s * x + c * y;
    }
    return shape;
}

solid solid_moved(solid shape, graze_vec2 delta, long double factor)
{
    for (int i = 0; i < shape.count; ++i) {
        shape.corners[i].x += (long double)delta.x * factor;
        shape.corners[i].y += (long double)delta.y * factor;
    }
    return shape;
}

static long double distance_to_edge(solid_point p, solid_point a, solid_point b)
{
    const solid_point edge = difference(b, a);
    const solid_point from_a = difference(p, a);
    const long double length = product(edge, edge);
    long double t = length > 0 ? product(from_a, edge) / length : 0;
    t = least_of(greatest_of(t, 0), 1);
    const solid_point gap = {from_a.x - t * edge.x, from_a.y - t * edge.y};
    return length_of_point(gap);
}

static long double distance_to_corners(const solid *a, const solid *b)
{
    long double least = HUGE_VALL;
    for (int i = 0; i < a->count; ++i) {
        for (int j = 0; j < b->count; ++j) {
            const solid_point next = b->corners[(j + 1) % b->count];
            least = least_of(least, distance_to_edge(a->corners[i], b->corners[j], next));
        }
    }
    return least;
}

/// How far a shape reaches along a direction.
typedef struct extent {
    long double low, high;
} extent;

static extent extent_along(solid_point normal, solid_point from, const solid *shape)
{
    extent along = {HUGE_VALL, -HUGE_VALL};
    for (int k = 0; k < shape->count; ++k) {
        const long double reach = product(normal, difference(shape->corners[k], from));
        along.low = least_of(along.low, reach);
        along.high = greatest_of(along.high, reach);
    }
    return along;
}

// Returns how far b lies beyond the edge i of a, in either winding.
static long double separation_on_edge(const solid *a, const solid *b, int i)
{
    const solid_point edge = difference(a->corners[(i + 1) % a->count], a->corners[i]);
    const long double length = length_of_point(edge);
    const solid_point normal = {edge.y / length, -edge.x / length};
    const extent own = extent_along(normal, a->corners[i], a);
    const extent other = extent_along(normal, a->corners[i], b);
    return length > 0 ? greatest_of(other.low - own.high, own.low - other.high) : -HUGE_VALL;
}

static long double greatest_separation(const solid *a, const solid *b)
{
    long double greatest = -HUGE_VALL;
    for (int i = 0; i < a->count; ++i) {
        greatest = greatest_of(greatest, separation_on_edge(a, b, i));
    }
    for (int i = 0; i < b->count; ++i) {
        greatest = greatest_of(greatest, separation_on_edge(b, a, i));
    }
    return greatest;
}

long double solid_gap(const solid *a, const solid *b)
{
    const long double radii = a->radius + b->radius;
    if (a->count > 2 || b->count > 2) {
        const long double separation = greatest_separation(a, b);
        if (separation <= 0) {
            return separation - radii;
        }
    }
    return least_of(distance_to_corners(a, b), distance_to_corners(b, a)) - radii;
}
