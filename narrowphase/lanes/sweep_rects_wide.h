/// @file sweep_rects_wide.h
/// Rects that move, a pair in each lane: mirrors graze_sweep_rects(). Included by wide loops alone.
#ifndef GRZ_SWEEP_RECTS_WIDE_H
#define GRZ_SWEEP_RECTS_WIDE_H

#include "rects_wide.h"

#include <float.h>

/// The motion of a's centre relative to b's.
typedef struct relative_motions {
    vectors start, delta;
} relative_motions;

/// The result of all axes so far: see window and penetration in separating_axis.h.
typedef struct windows {
    numbers enter, enter_per, leave, leave_per;
    faces entered;    ///< The face entered last,
    marks apart;      ///< if they are not apart on some axis at the start: unset.
    penetrations out; ///< The shallowest way out.
    marks misses;
    marks far; ///< They stay apart, even if both turn this far:
    numbers arc;
} windows;

GRZ_IN_PLACE windows open_windows(numbers arc)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const marks unset = less_numbers(zero, zero);
    const faces none = {zero, unset, unset};
    const windows open = {zero,  one,   one, one, none, unset, {fill_numbers(DBL_MAX), none},
                          unset, unset, arc};
    return open;
}

// Takes an axis into account, as narrow_window and consider_penetration do.
GRZ_IN_PLACE void narrow_windows(windows *open, const rect_axes *axes, uint32_t axis,
                                 const relative_motions *motion)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const numbers reach = axes->reach[axis];
    const numbers center = negate_numbers(dot_vectors(motion->start, axes->axis[axis]));
    const numbers speed = dot_vectors(motion->delta, axes->axis[axis]);
    open->out = shallower(open->out, penetrations_along(axes, axis, motion->start));

    const marks is_ahead = less_numbers(reach, center);
    const numbers gap = select_numbers(is_ahead, sub_numbers(center, reach),
                                       sub_numbers(negate_numbers(reach), center));
    const numbers closing = select_numbers(is_ahead, speed, negate_numbers(speed));
    const marks parted = less_numbers(zero, gap);
    open->misses = or_marks(open->misses, and_marks(parted, less_numbers(closing, gap)));
    open->far =
        or_marks(open->far, and_marks(parted, less_numbers(open->arc, sub_numbers(gap, closing))));
    const marks later = and_marks(
        parted, less_numbers(mul_numbers(open->enter, closing), mul_numbers(gap, open->enter_per)));
    const numbers toward = select_numbers(is_ahead, one, fill_numbers(-1));
    open->entered = select_faces(later, face_across(axis, toward), open->entered);
    open->enter = select_numbers(later, gap, open->enter);
    open->enter_per = select_numbers(later, closing, open->enter_per);
    open->apart = or_marks(open->apart, later);

    const numbers pace = absolute_numbers(speed);
    const numbers back = sub_numbers(reach, center), ahead = add_numbers(center, reach);
    const numbers exit = select_numbers(less_numbers(zero, speed), ahead, back);
    const marks earlier =
        less_numbers(mul_numbers(exit, open->leave_per), mul_numbers(open->leave, pace));
    open->leave = select_numbers(earlier, exit, open->leave);
    open->leave_per = select_numbers(earlier, pace, open->leave_per);
}

// The place on the edge that represents the touch: as touching_point() has it.
GRZ_IN_PLACE numbers find_touching(const feature_pairs *features)
{
    const edge_parts part = clip_edges(features);
    const numbers slope = dot_vectors(features->reference, features->half);
    const numbers length2 = dot_vectors(features->half, features->half);
    const marks parallel =
        at_most_numbers(square_numbers(slope), mul_numbers(fill_numbers(1e-12), length2));
    const numbers between = mul_numbers(add_numbers(part.from, part.until), fill_numbers(0.5));
    const numbers deeper =
        select_numbers(less_numbers(slope, fill_numbers(0)), part.until, part.from);
    return select_numbers(parallel, between, deeper);
}

// Also initial_overlap_of_rects(), if they overlap at the start. All input is finite. `arc` is how
// far both go by turning.
GRZ_IN_PLACE sweeps sweep_rects(frames a, frames b, const relative_motions *motion, numbers arc)
{
    const rect_axes axes = find_axes(a, b);
    windows open = open_windows(arc);
    for (uint32_t axis = 0; axis < 4; ++axis) {
        narrow_windows(&open, &axes, axis, motion);
    }
    const marks opens = at_most_numbers(mul_numbers(open.enter, open.leave_per),
                                        mul_numbers(open.leave, open.enter_per));
    const numbers zero = fill_numbers(0);
    sweeps sweep;
    sweep.hit = but_not_marks(opens, open.misses);
    sweep.rare = less_numbers(zero, zero);
    sweep.far = open.far;
    sweep.time = select_numbers(open.apart, div_numbers(open.enter, open.enter_per), zero);
    sweep.depth = select_numbers(open.apart, zero, open.out.depth);
    const faces face = select_faces(open.apart, open.entered, open.out.face);
    const vectors at = place_at(motion->start, motion->delta, sweep.time);
    const feature_pairs features = features_of_pairs(a, b, at, face);
    sweep.normal = features.normal;
    sweep.approach = dot_vectors(motion->delta, sweep.normal);
    sweep.point = add_vectors(features.center, point_on_edge(&features, find_touching(&features)));
    return sweep;
}

#endif
