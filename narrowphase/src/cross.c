// Crossings of lines, segments and circumferences.

#include <graze/cross.h>
#include <graze/orient.h>

#include "determinant.h"
#include "root.h"
#include "vec2d.h"

static const graze_crossing no_crossing = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}, false, false};

// The point at t from a to b, computed from the nearer end: exactly a at 0 and b at 1.
static graze_vec2 point_at(graze_vec2 a, graze_vec2 b, double t)
{
    const graze_vec2d whole = offset(b, a);
    return narrow(t <= 0.5 ? along(widen(a), whole, t) : along(widen(b), whole, t - 1));
}

// Adding 0 turns -0 into 0.
static void append_point(graze_crossing *crossing, graze_vec2 point, double along_a, double along_b)
{
    crossing->points[crossing->count] = point;
    crossing->along_a[crossing->count] = (float)along_a + 0.0f;
    crossing->along_b[crossing->count] = (float)along_b + 0.0f;
    ++crossing->count;
}

// For parallel a and b. If one is a point, it has no direction, and every point is on its line: so
// the other decides.
static bool lie_on_one_line(graze_segment a, graze_segment b)
{
    if (is_same_point(a.a, a.b) && is_same_point(b.a, b.b)) {
        return is_same_point(a.a, b.a);
    }
    return graze_orient(a.a, a.b, b.a) == 0 && graze_orient(b.a, b.b, a.a) == 0;
}

static graze_crossing describe_parallel(graze_segment a, graze_segment b)
{
    graze_crossing crossing = no_crossing;
    crossing.parallel = true;
    crossing.coincident = lie_on_one_line(a, b);
    return crossing;
}

graze_crossing graze_cross_lines(graze_line a, graze_line b)
{
    const graze_segment on_a = {a.a, a.b};
    const graze_segment on_b = {b.a, b.b};
    const double area = grz_cross_value(on_a, on_b);
    if (area == 0) {
        return describe_parallel(on_a, on_b);
    }
    graze_crossing crossing = no_crossing;
    const double along_a = grz_orient_value(b.a, b.b, a.a) / area;
    const double along_b = -grz_orient_value(a.a, a.b, b.a) / area;
    const graze_vec2 point = point_at(a.a, a.b, along_a);
    const graze_vec2 places = {(float)along_a, (float)along_b};
    if (is_finite(point) && is_finite(places)) {
        append_point(&crossing, point, along_a, along_b);
    }
    return crossing;
}

// An order of the points of any one line, in one of its directions.
static bool precedes(graze_vec2 p, graze_vec2 q)
{
    return p.x < q.x || (p.x == q.x && p.y < q.y);
}

static graze_segment put_in_order(graze_segment segment)
{
    const graze_segment reversed = {segment.b, segment.a};
    return precedes(segment.b, segment.a) ? reversed : segment;
}

// The parameter of a point of a segment. Exact at the ends; never divides by a length of 0.
static double place_on(graze_segment segment, graze_vec2 point)
{
    if (is_same_point(point, segment.a)) {
        return 0;
    }
    if (is_same_point(point, segment.b)) {
        return 1;
    }
    const graze_vec2d whole = offset(segment.b, segment.a);
    const graze_vec2d part = offset(point, segment.a);
    return absolute(whole.x) >= absolute(whole.y) ? part.x / whole.x : part.y / whole.y;
}

static void append_shared_part(graze_crossing *crossing, graze_segment a, graze_segment b)
{
    const graze_segment rising_a = put_in_order(a);
    const graze_segment rising_b = put_in_order(b);
    const graze_vec2 low = precedes(rising_a.a, rising_b.a) ? rising_b.a : rising_a.a;
    const graze_vec2 high = precedes(rising_a.b, rising_b.b) ? rising_a.b : rising_b.b;
    if (precedes(high, low)) {
        return;
    }
    const bool falls = precedes(a.b, a.a);
    const graze_vec2 first = falls ? high : low;
    const graze_vec2 last = falls ? low : high;
    append_point(crossing, first, place_on(a, first), place_on(b, first));
    if (!is_same_point(first, last)) {
        append_point(crossing, last, place_on(a, last), place_on(b, last));
    }
}

static graze_crossing cross_parallel_segments(graze_segment a, graze_segment b)
{
    graze_crossing crossing = describe_parallel(a, b);
    if (crossing.coincident) {
        append_shared_part(&crossing, a, b);
    }
    return crossing;
}

graze_crossing graze_cross_segments(graze_segment a, graze_segment b)
{
    if (grz_cross_value(a, b) == 0) {
        return cross_parallel_segments(a, b);
    }
    graze_crossing crossing = no_crossing;
    const double a_start = grz_orient_value(b.a, b.b, a.a);
    const double a_end = grz_orient_value(b.a, b.b, a.b);
    const double b_start = grz_orient_value(a.a, a.b, b.a);
    const double b_end = grz_orient_value(a.a, a.b, b.b);
    // Products of determinants stay inside the range of double, so their signs are exact too. NaN
    // fails both comparisons.
    if (a_start * a_end <= 0 && b_start * b_end <= 0) {
        const double along_a = a_start / (a_start - a_end);
        const double along_b = b_start / (b_start - b_end);
        const bool at_end_of_b = b_start == 0 || b_end == 0;
        append_point(&crossing,
                     at_end_of_b ? point_at(b.a, b.b, along_b) : point_at(a.a, a.b, along_a),
                     along_a, along_b);
    }
    return crossing;
}

/// The quantities that decide where a segment from a to b meets the rim of a circle.
typedef struct chord {
    double length_squared;
    double start; ///< (a - centre) . (b - a): negative while a approaches the centre.
    double end;   ///< (b - centre) . (b - a): positive while b leaves it.
    double start_power, end_power; ///< Squared distance less squared radius: negative inside.
    double half_width_squared;     ///< Of the part of the line inside, times length_squared.
} chord;

static chord measure_chord(graze_segment segment, graze_circle circle)
{
    const graze_vec2d direction = offset(segment.b, segment.a);
    const graze_vec2d a = offset(segment.a, circle.center);
    const graze_vec2d b = offset(segment.b, circle.center);
    const double radius_squared = squared((double)circle.radius);
    const double length_squared = dot(direction, direction);
    const chord measured = {length_squared,
                            dot(a, direction),
                            dot(b, direction),
                            dot(a, a) - radius_squared,
                            dot(b, b) - radius_squared,
                            radius_squared * length_squared - squared(cross(a, direction))};
    return measured;
}

static bool has_nearest_point_between_ends(const chord *c)
{
    return c->start < 0 && c->end > 0;
}

// Whether any point of the segment is strictly inside the rim.
static bool goes_inside(const chord *c)
{
    return c->start_power < 0 || c->end_power < 0 ||
           (has_nearest_point_between_ends(c) && c->half_width_squared > 0);
}

// Whether a segment that does not go inside has a point on the rim.
static bool touches_rim(const chord *c)
{
    return c->start_power == 0 || c->end_power == 0 ||
           (has_nearest_point_between_ends(c) && c->half_width_squared == 0);
}

static double place_of_touch(const chord *c)
{
    if (c->start_power == 0) {
        return 0;
    }
    return c->end_power == 0 ? 1 : -c->start / c->length_squared;
}

// Where a segment enters the disc, and where it leaves it. With S the start's product, W the half
// width and P the start's power, the roots are (-S - W) / L and (-S + W) / L, and their product is
// P / L: of the two forms of each root it takes the one that adds numbers of equal sign.
static double place_of_entry(const chord *c, double half_width)
{
    return clamp(c->start_power / (half_width - c->start), 0, 1);
}

static double place_of_exit(const chord *c, double half_width)
{
    if (c->end_power == 0) {
        return 1;
    }
    const double place = c->start <= 0 ? (half_width - c->start) / c->length_squared
                                       : -c->start_power / (half_width + c->start);
    return clamp(place, 0, 1);
}

static void append_rim_point(graze_crossing *crossing, graze_segment segment, graze_circle circle,
                             double place)
{
    static const graze_vec2 x_axis = {1, 0};
    const graze_vec2 point = point_at(segment.a, segment.b, place);
    const graze_vec2 spoke = narrow(offset(point, circle.center));
    const bool has_angle = circle.radius > 0;
    append_point(crossing, point, place, has_angle ? (double)graze_vec2_angle(x_axis, spoke) : 0.0);
}

graze_crossing graze_cross_segment_circle(graze_segment segment, graze_circle circumference)
{
    graze_crossing crossing = no_crossing;
    if (!is_finite(segment.a) || !is_finite(segment.b) || !is_finite(circumference.center) ||
        !is_finite_sum((double)circumference.radius)) {
        return crossing;
    }
    const chord c = measure_chord(segment, circumference);
    if (!goes_inside(&c)) {
        if (touches_rim(&c)) {
            append_rim_point(&crossing, segment, circumference, place_of_touch(&c));
        }
        return crossing;
    }
    const double half_width = grz_sqrt(max_double(c.half_width_squared, 0));
    if (c.start_power >= 0) {
        append_rim_point(&crossing, segment, circumference, place_of_entry(&c, half_width));
    }
    if (c.end_power >= 0) {
        append_rim_point(&crossing, segment, circumference, place_of_exit(&c, half_width));
    }
    return crossing;
}
