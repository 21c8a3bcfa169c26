/// @file float_check_lanes.h
/// Words checked as floats, by their patterns of bits. Included by wide headers alone.
#ifndef GRZ_FLOAT_CHECK_LANES_H
#define GRZ_FLOAT_CHECK_LANES_H

#include "bits.h"

// What is too large is found in sign bits, by sums, and gathered by or: every set has instructions
// for these, where SSE2 takes ten for a min_unsigned. Other bits mean nothing.
static uint32_t sign_bits(ints found)
{
    return mask_bits(less_ints(found, fill_ints(0)));
}

// Where the pattern of a float is above `most`, which is not negative, or is negative itself.
static inline ints sign_above(ints pattern, uint32_t most)
{
    return or_ints(pattern, add_ints(pattern, fill_ints(INT32_MAX - most)));
}

/// What was found of floats that may be negative.
typedef struct float_check {
    ints large; ///< In the sign: some are infinite, NaN, or beyond the most that they may be.
    ints least; ///< Of their patterns, as int32_t: that of -0 if it is among them.
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
