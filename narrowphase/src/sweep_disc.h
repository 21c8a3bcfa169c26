/// @file sweep_disc.h
/// A moving point against a disc: the core of every swept test that has a round part.
#ifndef GRZ_SWEEP_DISC_H
#define GRZ_SWEEP_DISC_H

#include <graze/sweep.h>

#include "scalar_mask.h"
#include "touch.h"

static inline graze_sweep miss(void)
{
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    return none;
}

/// Returns when a point that starts outside the disc of `radius` around the origin first touches
/// it; `normal` points from there to the origin, and `point` is where it touches.
///
/// Data    With s = cross(start, delta) the path passes the origin at s / |delta|, so the sign of
///         chord = (radius * |delta|)^2 - s^2 decides: without cancellation, however far away it
///         starts. The normal is composed of s and the root of chord, so its length is 1 by
///         construction.
/// Branch  One for all ways to miss, because which one it is cannot be predicted. No root and no
///         division without a hit; the other branches are hardly ever taken.
static inline graze_sweep enter_disc(graze_vec2d start, graze_vec2d delta, double radius)
{
    const double approach = -dot(start, delta);
    const double reach = squared(radius);
    const double path = dot(delta, delta);
    const double side = cross(start, delta);
    const double chord = reach * path - squared(side);
    const graze_vec2d end = add(start, delta);
    const scalar_mask ends_before = scalar_mask_or(is_at_most(path, approach), is_less(chord, 0));
    const scalar_mask is_short = scalar_mask_and(ends_before, is_less(reach, dot(end, end)));
    if (!scalar_mask_is_set(scalar_mask_but_not(is_less(0, approach), is_short))) {
        return miss();
    }
    graze_sweep sweep = {true, 1, {0, 0}, {0, 0}, 0};
    if (chord < 0) {
        sweep.normal = unit_or(negate(end), unit_or(delta, delta));
        sweep.point = end;
        return sweep;
    }
    const double root = grz_sqrt(chord);
    const double time = (dot(start, start) - reach) / (root + approach);
    if (!(time >= 0)) {
        return miss();
    }
    sweep.time = min_double(time, 1);
    if (radius > 0) {
        const graze_vec2d inward = along(scale(delta, root), left_of(delta), side);
        sweep.normal = scale(inward, 1 / (radius * path));
    } else {
        sweep.normal = unit_or(delta, delta);
    }
    sweep.point = scale(sweep.normal, -radius);
    return sweep;
}

/// Returns the sweep of two discs that touch at the start.
static inline graze_sweep initial_overlap_with_disc(graze_vec2d start, double reach,
                                                    double radius_b)
{
    const double distance = length_of(start);
    graze_sweep sweep = {true, 0, start, {1, 0}, reach - distance};
    if (distance > 0) {
        sweep.normal = scale(start, -1 / distance);
    }
    if (distance > radius_b) {
        sweep.point = scale(sweep.normal, -radius_b);
    }
    return sweep;
}

/// See graze_sweep_circles.
static inline graze_sweep sweep_discs(graze_vec2d start, graze_vec2d delta, double radius_a,
                                      double radius_b)
{
    const double reach = radius_a + radius_b;
    if (touches_disc(start, reach)) {
        const bool finite = is_finite_sum(reach + start.x + start.y + delta.x + delta.y);
        return finite ? initial_overlap_with_disc(start, reach, radius_b) : miss();
    }
    graze_sweep sweep = enter_disc(start, delta, reach);
    if (sweep.hit) {
        sweep.point = scale(sweep.normal, -radius_b);
    }
    return sweep;
}

#endif
