// Overlap tests: they check that the input is finite, touch.h decides.

#include <graze/orient.h>
#include <graze/overlap.h>

#include "touch.h"

static bool is_finite_circle(graze_circle circle)
{
    return is_finite(circle.center) && is_finite_sum((double)circle.radius);
}

static bool is_finite_rect(graze_rect rect)
{
    const graze_vec2 axis = {rect.rotation.cosine, rect.rotation.sine};
    return is_finite(rect.center) && is_finite(rect.half) && is_finite(axis);
}

static bool is_finite_segment(graze_vec2 a, graze_vec2 b)
{
    return is_finite(a) && is_finite(b);
}

// An offset that is NaN or infinite is not within a finite radius: so only the radius is tested.
bool graze_overlap_point_circle(graze_vec2 point, graze_circle circle)
{
    const double radius = (double)circle.radius;
    return touches_disc(offset(point, circle.center), radius) && is_finite_sum(radius);
}

bool graze_overlap_circles(graze_circle a, graze_circle b)
{
    const double radius = (double)a.radius + (double)b.radius;
    return touches_disc(offset(a.center, b.center), radius) && is_finite_sum(radius);
}

bool graze_overlap_point_rect(graze_vec2 point, graze_rect rect)
{
    const rect_frame frame = frame_of(rect.half, rect.rotation);
    return touches_box(into_frame(&frame, offset(point, rect.center)), frame.half) &&
           is_finite(rect.half);
}

bool graze_overlap_circle_line(graze_circle circle, graze_line line)
{
    if (!is_finite_circle(circle) || !is_finite_segment(line.a, line.b)) {
        return false;
    }
    const graze_vec2d direction = offset(line.b, line.a);
    const graze_vec2d center = offset(circle.center, line.a);
    const double radius = (double)circle.radius;
    if (direction.x == 0 && direction.y == 0) {
        return touches_disc(center, radius);
    }
    return touches_disc_line(center, radius, direction);
}

bool graze_overlap_circle_segment(graze_circle disc, graze_segment segment)
{
    return is_finite_circle(disc) && is_finite_segment(segment.a, segment.b) &&
           touches_disc_segment(offset(disc.center, segment.a), offset(disc.center, segment.b),
                                (double)disc.radius, offset(segment.b, segment.a));
}

bool graze_overlap_circle_rect(graze_circle circle, graze_rect rect)
{
    if (!is_finite_circle(circle) || !is_finite_rect(rect)) {
        return false;
    }
    const rect_frame frame = frame_of(rect.half, rect.rotation);
    return touches_disc_box(into_frame(&frame, offset(circle.center, rect.center)),
                            (double)circle.radius, frame.half);
}

bool graze_overlap_rects(graze_rect a, graze_rect b)
{
    if (!is_finite_rect(a) || !is_finite_rect(b)) {
        return false;
    }
    const rect_frame frame_a = frame_of(a.half, a.rotation);
    const rect_frame frame_b = frame_of(b.half, b.rotation);
    return touches_rects(offset(a.center, b.center), &frame_a, &frame_b);
}

bool graze_overlap_rect_segment(graze_rect rect, graze_segment segment)
{
    if (!is_finite_rect(rect) || !is_finite_segment(segment.a, segment.b)) {
        return false;
    }
    const rect_frame frame = frame_of(rect.half, rect.rotation);
    return touches_box_segment(frame.half, into_frame(&frame, offset(segment.a, rect.center)),
                               into_frame(&frame, offset(segment.b, rect.center)));
}

// Whether the intervals between a and b and between c and d share a point.
static bool share_interval(float a, float b, float c, float d)
{
    return (a <= b ? a : b) <= (c <= d ? d : c) && (c <= d ? c : d) <= (a <= b ? b : a);
}

// Whether the line through a segment keeps both ends of the other strictly on one side.
static bool keeps_apart(graze_segment line, graze_segment other)
{
    return graze_orient(line.a, line.b, other.a) * graze_orient(line.a, line.b, other.b) > 0;
}

// On one line the boxes decide; otherwise they meet if neither line separates them. A segment that
// is a point separates nothing, but then the box is the point.
bool graze_overlap_segments(graze_segment a, graze_segment b)
{
    return share_interval(a.a.x, a.b.x, b.a.x, b.b.x) &&
           share_interval(a.a.y, a.b.y, b.a.y, b.b.y) && is_finite_segment(a.a, a.b) &&
           is_finite_segment(b.a, b.b) && !keeps_apart(a, b) && !keeps_apart(b, a);
}
