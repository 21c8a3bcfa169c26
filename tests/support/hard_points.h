/// @file hard_points.h
/// Random points for which inexact geometry fails: ties, near ties, extreme exponents.
#ifndef GRAZE_TESTS_HARD_POINTS_H
#define GRAZE_TESTS_HARD_POINTS_H

#include "random.h"

#include <graze/vec2.h>

/// How the points are made.
typedef enum hard_kind {
    HARD_GRID,        ///< Integers from -3 to 3: most tuples have a tie.
    HARD_SCALED_GRID, ///< The same times 0.1 and a power of two: near ties by rounding.
    HARD_FAR_GRID,    ///< Multiples of 1/8 near (1e5, -1e6).
    HARD_NEIGHBOURS,  ///< On one line to within rounding, or one ulp beside it.
    HARD_SPREAD,   ///< On a line through the origin, exactly or nearly, up to 2^40 apart in size.
    HARD_MIXED,    ///< Random bits, exponents from 2^-60 to 2^60.
    HARD_DENORMAL, ///< Small multiples of the smallest denormal, some of them far larger.
    HARD_HUGE,     ///< Near the largest float, of either sign, some of them denormal.
    HARD_KIND_COUNT
} hard_kind;

/// Writes `count` points of a kind.
void hard_points_make(random_state *random, hard_kind kind, graze_vec2 *points, int count);

/// Prints the seed, the kind and the points, as hexadecimal floats, to the standard error output.
void hard_points_show(uint64_t seed, hard_kind kind, const graze_vec2 *points, int count);

#endif
