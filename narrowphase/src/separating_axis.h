/// @file separating_axis.h
/// The separating axis test (SAT) with velocities: the projections of two polygons on an axis, the
/// window of time in which they overlap on all axes, and, for an overlap at the start, the axis of
/// least penetration.
#ifndef GRZ_SEPARATING_AXIS_H
#define GRZ_SEPARATING_AXIS_H

#include "vec2d.h"

/// The projections on one axis, relative to a's centre: a covers [-reach, reach] and moves by
/// `speed`, b covers [low, high].
typedef struct projection {
    double low, high, reach, speed;
} projection;

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
static inline bool narrow_window(window *open, projection shapes, int axis)
{
    const bool is_ahead = shapes.low > shapes.reach;
    const double gap = is_ahead ? shapes.low - shapes.reach : -shapes.reach - shapes.high;
    if (gap > 0) {
        const double closing = is_ahead ? shapes.speed : -shapes.speed;
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
    const double pace = absolute(shapes.speed);
    const double exit = shapes.speed > 0 ? shapes.high + shapes.reach : shapes.reach - shapes.low;
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
typedef struct penetration {
    double depth;  ///< Negative when the projections are apart on that axis.
    int axis;      ///< -1 before the first.
    double toward; ///< 1 when b lies ahead on that axis, -1 when behind.
} penetration;

static inline penetration no_penetration(void)
{
    const penetration none = {0, -1, 0};
    return none;
}

/// Takes an axis of the given length into account; of equally deep ones the first stays.
static inline void consider_penetration(penetration *best, projection shapes, double length,
                                        int axis)
{
    const double back = shapes.reach - shapes.low;
    const double ahead = shapes.high + shapes.reach;
    const double depth = min_double(back, ahead) / length;
    if (best->axis < 0 || depth < best->depth) {
        best->depth = depth;
        best->axis = axis;
        best->toward = back <= ahead ? 1 : -1;
    }
}

#endif
