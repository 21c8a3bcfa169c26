/// @file sweep_turn.h
/// Swept tests of shapes that turn as they move: when does `a`, which moves in a straight line and
/// turns evenly, first touch `b`, which turns evenly in its place?
///
///     const graze_turning blade = {graze_shape_rect(2, 0.1f), rotation, spin * dt};
///     const graze_turning ball = {graze_shape_circle(0.25f), {1, 0}, 0};
///     const graze_sweep sweep = graze_sweep_turning(&blade, &ball, start, delta);
///
/// Units      As in sweep.h; turns are radians over the motion, positive where x turns to y. A turn
///            may be longer than once around.
/// Threads    Pure functions: any number of threads.
/// Errors     Input that is not finite: no hit.
/// Exactness  No touch is missed, and times are early by about 2^-30 of the motion at most.
/// Method     The test goes on in rounds. Each round finds a separating axis, which turns with one
///            of the two. Its rate, and a bound of its second derivative, say for how long the gap
///            certainly lasts. The next round begins there. The test ends when an axis certifies
///            less than 2^-30 of the motion, and calls that a touch.
/// Limits     After GRAZE_TURN_ROUNDS rounds the test gives up. Then it calls a touch what is not
///            certainly none. That concerns shapes that stay, all the time, closer to each other
///            than 2^-15 of the sum of their reaches times the square of the turn. An example is
///            what turns more than ten times around within reach of another.
/// Cost       Two directions (a sine and a cosine) and up to 16 roots a round. Most pairs take 2 to
///            10 rounds. bench: narrowphase/sweep_turning
/// Source     B. Mirtich 1996, "Impulse-based Dynamic Simulation of Rigid Body Systems" (bounds of
///            the time until two bodies touch); X. Zhang, S. Redon, M. Lee, Y. J. Kim 2007,
///            "Continuous Collision Detection for Articulated Models using Taylor Models and
///            Temporal Culling" (conservative advancement with a bound of higher order).
#ifndef GRAZE_SWEEP_TURN_H
#define GRAZE_SWEEP_TURN_H

#include <graze/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many times a sweep of turning shapes advances at most.
#define GRAZE_TURN_ROUNDS 128

/// A rect's half diagonal times this is a bound of how far any part of it is from its centre. It
/// allows for the rounding of the rect's axes, which are in float.
#define GRAZE_TURN_MARGIN 1.000001

/// A shape, as it is when the motion begins, and by how much it turns until it ends.
typedef struct graze_turning {
    graze_shape shape;       ///< A ray is a point.
    graze_rotation rotation; ///< Of a rect, at the start.
    double turn;             ///< Radians. Of what is round it has no effect.
} graze_turning;

/// Returns a rotation turned further by `radians`, below 2^17 in size; computed in double, and
/// rounded once to float. NaN gives a rotation that is NaN.
graze_rotation graze_rotation_turned(graze_rotation rotation, double radians);

/// Sweeps two shapes that turn. `start` and `delta` are as in sweep.h, and so is the result. For an
/// overlap at the start it is that of graze_sweep_rects, graze_sweep_circle_rect or
/// graze_sweep_circles. For a later touch the point is where the shapes, as they are turned then,
/// touch.
graze_sweep graze_sweep_turning(const graze_turning *a, const graze_turning *b, graze_vec2d start,
                                graze_vec2d delta);

/// Sweeps a rect that turns by `turn` radians against a wall, which stands still; the other
/// arguments as in graze_sweep_rect_segment.
graze_sweep graze_sweep_turning_segment(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                        graze_rotation rotation, double turn, graze_segment wall);

#ifdef __cplusplus
}
#endif

#endif
