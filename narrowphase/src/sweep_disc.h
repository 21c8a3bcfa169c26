/// @file sweep_disc.h
/// A point that moves into a disc: the core of every moving test with a round part.
#ifndef GRZ_SWEEP_DISC_H
#define GRZ_SWEEP_DISC_H

#include <graze/sweep.h>

#include "vec2d.h"

static inline graze_sweep miss(void)
{
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    return none;
}

/// Returns when a point that starts outside the disc of `radius` around the origin first touches
/// it; `normal` points from there to the origin, and `point` is where it touches.
///
/// Data    With s = cross(start, delta) the path passes the origin at s / |delta|, so what decides
///         is chord = (radius * |delta|)^2 - s^2: no cancellation however far away it starts. The
///         normal is put together from s and the root of chord, so its length is 1 by construction.
/// Branch  Moving away, too short and passing by come first: no root, no division without a hit.
static inline graze_sweep enter_disc(graze_vec2d start, graze_vec2d delta, double radius)
{
    const double approach = -dot(start, delta);
    if (!(approach > 0)) {
        return miss();
    }
    const double reach = squared(radius);
    const double path = dot(delta, delta);
    const double side = cross(start, delta);
    const double chord = reach * path - squared(side);
    graze_sweep sweep = {true, 1, {0, 0}, {0, 0}, 0};
    if (approach >= path || chord < 0) {
        const graze_vec2d end = add(start, delta);
        if (dot(end, end) > reach) {
            return miss();
        }
        if (chord < 0) {
            sweep.normal = unit_or(negate(end), unit_or(delta, delta));
            sweep.point = end;
            return sweep;
        }
    }
    const double root = grz_sqrt(chord);
    const double time = (dot(start, start) - reach) / (root + approach);
    if (!(time >= 0)) {
        return miss();
    }
    sweep.time = lesser(time, 1);
    if (radius > 0) {
        const graze_vec2d inward = along(scale(delta, root), left_of(delta), side);
        sweep.normal = scale(inward, 1 / (radius * path));
    } else {
        sweep.normal = unit_or(delta, delta);
    }
    sweep.point = scale(sweep.normal, -radius);
    return sweep;
}

#endif
