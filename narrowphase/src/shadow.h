/// @file shadow.h
/// The separating axis test (SAT) with velocities: the projections ("shadows") of two polygons on
/// an axis, the window of time in which they overlap on all axes, and, for an overlap at the start,
/// the axis of least penetration.
#ifndef GRZ_SHADOW_H
#define GRZ_SHADOW_H

#include "vec2d.h"

/// The projections on one axis, relative to a's centre: a covers [-reach, reach] and moves by
/// `speed`, b covers [low, high].
typedef struct shadow {
    double low, high, reach, speed;
} shadow;

/// The time in which the projections overlap on all axes so far: from enter / enter_per to leave /
/// leave_per of the motion. Fractions are compared by cross-multiplying, so that a miss costs no
/// division.
typedef struct window {
    double enter, enter_per;
    double leave, leave_per;
    int axis;      ///< The axis entered last; -1 when they overlapped on all at the start.
    double toward; ///< 1 when b lies ahead on that axis, -1 when behind.
} window;

static inline window whole_motion(void)
{
    const window open = {0, 1, 1, 1, -1, 0};
    return open;
}

/// Takes an axis into account. Returns false if the projections never overlap on it in the motion.
static inline bool narrow_window(window *open, shadow cast, int axis)
{
    const bool is_ahead = cast.low > cast.reach;
    const double gap = is_ahead ? cast.low - cast.reach : -cast.reach - cast.high;
    if (gap > 0) {
        const double closing = is_ahead ? cast.speed : -cast.speed;
        if (gap > closing) {
            return false;
        }
        if (gap * open->enter_per > open->enter * closing) {
            open->enter = gap;
            open->enter_per = closing;
            open->axis = axis;
            open->toward = is_ahead ? 1 : -1;
        }
    }
    const double pace = absolute(cast.speed);
    const double exit = cast.speed > 0 ? cast.high + cast.reach : cast.reach - cast.low;
    if (exit * open->leave_per < open->leave * pace) {
        open->leave = exit;
        open->leave_per = pace;
    }
    return true;
}

/// Returns whether there is a time at which the projections overlap on all axes.
static inline bool is_open(const window *open)
{
    return open->enter * open->leave_per <= open->leave * open->enter_per;
}

/// The axis of least penetration so far.
typedef struct way_out {
    double depth;  ///< Negative when the shadows are apart on that axis.
    int axis;      ///< -1 before the first.
    double toward; ///< 1 when b lies ahead on that axis, -1 when behind.
} way_out;

static inline way_out no_way_out(void)
{
    const way_out none = {0, -1, 0};
    return none;
}

/// Takes an axis of the given length into account; of equally deep ones the first stays.
static inline void offer_way_out(way_out *best, shadow cast, double length, int axis)
{
    const double back = cast.reach - cast.low;
    const double ahead = cast.high + cast.reach;
    const double depth = lesser(back, ahead) / length;
    if (best->axis < 0 || depth < best->depth) {
        best->depth = depth;
        best->axis = axis;
        best->toward = back <= ahead ? 1 : -1;
    }
}

#endif
