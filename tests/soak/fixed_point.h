/// @file fixed_point.h
/// Places as whole multiples of 2^-40: exact geometry in 128-bit integers, at the speed of the
/// machine. The second opinion on sides, insides and times.
///
/// Range      |coordinate| <= 2^20: then no product overflows. Floats of at least 2^-17 are such
///            multiples anyway; smaller ones are rounded to one.
#ifndef GRAZE_TESTS_FIXED_POINT_H
#define GRAZE_TESTS_FIXED_POINT_H

#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

/// The largest coordinate that may be converted.
#define FIXED_REACH 1048576.0f

typedef struct fixed_vec2 {
    int64_t x, y;
} fixed_vec2;

/// Returns the nearest point that is exact as a fixed_vec2, moved into the range.
graze_vec2 fixed_round(graze_vec2 point);

/// Converts a point that is exact.
fixed_vec2 fixed_from(graze_vec2 point);

/// Returns whether the point, moved by an infinitesimal (eps, eps^2), is inside a closed polygon:
/// whether the line from there to the right crosses the polygon an odd number of times.
bool fixed_is_inside(const fixed_vec2 *polygon, uint32_t count, fixed_vec2 point);

/// Returns when a move from->to is on the line through a and b, as a share of it: the exact
/// quotient, rounded. The two must not be parallel.
long double fixed_time(fixed_vec2 from, fixed_vec2 to, fixed_vec2 a, fixed_vec2 b);

#endif
