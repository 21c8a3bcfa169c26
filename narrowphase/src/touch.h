/// @file touch.h
/// The decisions "do these two touch?", in double, written once, so that overlap.h, collide.h,
/// cast.h and sweep.h agree on the same configuration.
///
/// Every comparison is closed (<=), without divisions or square roots, and false for NaN.
#ifndef GRZ_TOUCH_H
#define GRZ_TOUCH_H

#include <graze/shape.h>

#include "vec2d.h"

/// Returns the axis of a float rotation, normalised to 1e-14: it is so close to length 1 that one
/// Newton step suffices.
static inline graze_vec2d unit_axis(graze_vec2d axis)
{
    return scale(axis, 1.5 - 0.5 * dot(axis, axis));
}

/// The axes of a rotation: u is where x goes, v is where y goes.
static inline graze_vec2d axis_u(graze_rotation rotation)
{
    return vec2d((double)rotation.cosine, (double)rotation.sine);
}

static inline graze_vec2d axis_v(graze_rotation rotation)
{
    return vec2d(-(double)rotation.sine, (double)rotation.cosine);
}

/// A rect's axes and half sizes, widened once.
typedef struct rect_frame {
    graze_vec2d u, v;
    graze_vec2d half;
} rect_frame;

static inline rect_frame frame_of(graze_vec2 half, graze_rotation rotation)
{
    const rect_frame frame = {axis_u(rotation), axis_v(rotation), widen(half)};
    return frame;
}

/// Returns an offset from a rect's centre in the rect's own axes.
static inline graze_vec2d into_frame(const rect_frame *frame, graze_vec2d offset)
{
    return vec2d(dot(offset, frame->u), dot(offset, frame->v));
}

/// Returns a vector given in a rect's own axes in world axes.
static inline graze_vec2d out_of_frame(const rect_frame *frame, graze_vec2d local)
{
    return add(scale(frame->u, local.x), scale(frame->v, local.y));
}

/// Returns half the width of a rect's projection on an axis, times the axis' length.
static inline double reach_along(const rect_frame *frame, graze_vec2d axis)
{
    return frame->half.x * absolute(dot(frame->u, axis)) +
           frame->half.y * absolute(dot(frame->v, axis));
}

/// Two discs, or a point and a disc: `offset` between the centres, `radius` the sum of both.
static inline bool touches_disc(graze_vec2d offset, double radius)
{
    return dot(offset, offset) <= radius * radius;
}

/// A point and a box around the origin.
static inline bool touches_box(graze_vec2d local, graze_vec2d half)
{
    return absolute(local.x) <= half.x && absolute(local.y) <= half.y;
}

/// A disc and a rect; `local` is the disc's centre in the rect's own axes.
static inline bool touches_disc_box(graze_vec2d local, double radius, graze_vec2d half)
{
    const graze_vec2d beyond = {max_double(absolute(local.x) - half.x, 0),
                                max_double(absolute(local.y) - half.y, 0)};
    return touches_disc(beyond, radius);
}

/// A disc and the infinite line through the origin along `direction`, which is not zero.
static inline bool touches_disc_line(graze_vec2d center, double radius, graze_vec2d direction)
{
    return squared(cross(direction, center)) <= squared(radius) * dot(direction, direction);
}

/// A disc and a segment; the disc's centre relative to the segment's a and to its b.
static inline bool touches_disc_segment(graze_vec2d from_a, graze_vec2d from_b, double radius,
                                        graze_vec2d direction)
{
    if (dot(from_a, direction) <= 0) {
        return touches_disc(from_a, radius);
    }
    if (dot(from_b, direction) >= 0) {
        return touches_disc(from_b, radius);
    }
    return touches_disc_line(from_a, radius, direction);
}

/// Two rects, by their four separating axes; `offset` between the centres, either way.
static inline bool touches_rects(graze_vec2d offset, const rect_frame *a, const rect_frame *b)
{
    return absolute(dot(offset, a->u)) <= a->half.x + reach_along(b, a->u) &&
           absolute(dot(offset, a->v)) <= a->half.y + reach_along(b, a->v) &&
           absolute(dot(offset, b->u)) <= b->half.x + reach_along(a, b->u) &&
           absolute(dot(offset, b->v)) <= b->half.y + reach_along(a, b->v);
}

/// A rect and a segment, by their three separating axes; the segment's ends in the rect's own axes.
static inline bool touches_box_segment(graze_vec2d half, graze_vec2d a, graze_vec2d b)
{
    const graze_vec2d direction = subtract(b, a);
    return min_double(a.x, b.x) <= half.x && max_double(a.x, b.x) >= -half.x &&
           min_double(a.y, b.y) <= half.y && max_double(a.y, b.y) >= -half.y &&
           absolute(cross(direction, a)) <=
               half.x * absolute(direction.y) + half.y * absolute(direction.x);
}

#endif
