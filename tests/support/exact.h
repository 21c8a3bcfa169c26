/// @file exact.h
/// Geometry in exact arithmetic: the oracle of the kernels.
///
/// Coordinates become big integers (fixed point, fine enough for the smallest denormal), so nothing
/// rounds. The methods differ from the library's: crossings are found by solving for the point, not
/// by comparing sides.
#ifndef GRAZE_TESTS_EXACT_H
#define GRAZE_TESTS_EXACT_H

#include <graze/vec2.h>

#include <stdbool.h>

/// Returns the sign of the area of the triangle a, b, p.
int exact_orient(graze_vec2 a, graze_vec2 b, graze_vec2 p);

/// Returns whether the move, shifted by (2^-512, 2^-1024), crosses the wall. This shift is smaller
/// than any difference that finite floats can make, so it stands for an infinitesimal one.
bool exact_crosses(graze_vec2 from, graze_vec2 to, graze_vec2 wall_a, graze_vec2 wall_b);

/// Returns whether two closed segments share a point.
bool exact_segments_meet(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1);

/// Returns whether the directions a0->a1 and b0->b1 are parallel, or one of them is zero.
bool exact_are_parallel(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1);

/// Returns where on the line a0->a1 (0 at a0, 1 at a1) the line b0->b1 crosses it, the true value
/// rounded towards 0; the lines must not be parallel.
double exact_place_of_crossing(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0, graze_vec2 b1);

/// Returns the sign of (distance between the point and the segment) - radius; radius >= 0.
int exact_compare_distance(graze_vec2 point, graze_vec2 a, graze_vec2 b, double radius);

#endif
