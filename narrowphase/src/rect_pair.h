/// @file rect_pair.h
/// Two rects and their projections on the four separating axes: 0 and 1 are a's u and v, 2 and 3
/// are b's.
#ifndef GRZ_RECT_PAIR_H
#define GRZ_RECT_PAIR_H

#include "feature_pair.h"
#include "separating_axis.h"

typedef struct rect_pair {
    rect_frame a, b;
    double cosine, sine; ///< Of the angle between them, without sign.
} rect_pair;

static inline rect_pair pair_of_frames(rect_frame a, rect_frame b)
{
    const rect_pair pair = {a, b, absolute(dot(a.u, b.u)), absolute(dot(a.u, b.v))};
    return pair;
}

static inline rect_pair pair_of(graze_vec2 half_a, graze_rotation rotation_a, graze_vec2 half_b,
                                graze_rotation rotation_b)
{
    return pair_of_frames(frame_of(half_a, rotation_a), frame_of(half_b, rotation_b));
}

static inline graze_vec2d axis_of_pair(const rect_pair *pair, int axis)
{
    const rect_frame *owner = axis < 2 ? &pair->a : &pair->b;
    return axis % 2 == 0 ? owner->u : owner->v;
}

/// `start` is a's centre minus b's. The sums are those of touches_rects, term by term.
static inline projection project_rects(const rect_pair *pair, graze_vec2d start, graze_vec2d delta,
                                       int axis)
{
    const graze_vec2d owner = axis < 2 ? pair->a.half : pair->b.half;
    const graze_vec2d other = axis < 2 ? pair->b.half : pair->a.half;
    const double reach = axis % 2 == 0 ? owner.x + (other.x * pair->cosine + other.y * pair->sine)
                                       : owner.y + (other.x * pair->sine + other.y * pair->cosine);
    const graze_vec2d direction = axis_of_pair(pair, axis);
    const double center = -dot(start, direction);
    const projection on_axis = {center, center, reach, dot(delta, direction)};
    return on_axis;
}

/// Returns whether all numbers of the pair are finite.
static inline bool is_finite_pair(const rect_pair *pair, graze_vec2d start, graze_vec2d delta)
{
    const projection x = project_rects(pair, start, delta, 0);
    const projection y = project_rects(pair, start, delta, 1);
    return is_finite_sum(x.low + x.reach + x.speed + y.low + y.reach + y.speed);
}

/// Returns the features that touch on an axis, counted from b's centre, when a's is at `start`.
static inline feature_pair features_of_rects(const rect_pair *pair, graze_vec2d start, int axis,
                                             double toward)
{
    const bool is_of_a = axis < 2;
    const rect_frame *owner = is_of_a ? &pair->a : &pair->b;
    const rect_frame *other = is_of_a ? &pair->b : &pair->a;
    const graze_vec2d normal = scale(unit_axis(axis_of_pair(pair, axis)), toward);
    face reference = {is_of_a ? normal : negate(normal), owner->half.x, owner->half.y};
    if (axis % 2 != 0) {
        reference.distance = owner->half.y;
        reference.half_width = owner->half.x;
    }
    const graze_vec2d between = is_of_a ? negate(start) : start;
    const graze_vec2d center = is_of_a ? start : vec2d(0, 0);
    return pair_features(center, normal, reference,
                         find_incident_edge(other, between, reference.normal));
}

#endif
