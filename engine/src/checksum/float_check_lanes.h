/// @file float_check_lanes.h
/// Words checked as floats, by their patterns of bits. Included by wide headers alone.
#ifndef GRZ_FLOAT_CHECK_LANES_H
#define GRZ_FLOAT_CHECK_LANES_H

#include "bits.h"

// Sums put what is too large into sign bits, which are joined by or: every set has instructions for
// these, while SSE2 takes ten for a min_unsigned. Other bits mean nothing.
static uint32_t sign_bits(ints found)
{
    return mask_bits(less_ints(found, fill_ints(0)));
}

// Finds floats with patterns above `most`, which is not negative, and negative ones.
static inline ints sign_above(ints pattern, uint32_t most)
{
    return or_ints(pattern, add_ints(pattern, fill_ints(INT32_MAX - most)));
}

/// Findings on floats that may be negative.
typedef struct float_check {
    ints large; ///< In the sign bit: some are infinite, NaN, or above the maximum.
    ints least; ///< The least pattern, as int32_t: that of -0 if there is one.
} float_check;

static inline float_check check_no_floats(void)
{
    const float_check found = {fill_ints(0), fill_ints(0)};
    return found;
}

// `most` is a pattern that is not negative.
static inline void check_floats(float_check *found, ints pattern, uint32_t most)
{
    const ints size = and_ints(pattern, fill_ints(GRZ_PATTERN_MAGNITUDE));
    found->large = or_ints(found->large, add_ints(size, fill_ints(INT32_MAX - most)));
    found->least = min_ints(found->least, pattern);
}

static uint32_t are_strange(const float_check *found)
{
    return sign_bits(found->large) | mask_bits(equal_ints(found->least, fill_ints(0x80000000)));
}

#endif
