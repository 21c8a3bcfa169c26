/// @file bits.h
/// Bits of words and of floats.
#ifndef GRZ_BITS_H
#define GRZ_BITS_H

#include "asserts.h"

#include <stdint.h>
#include <string.h>

/// Floats as patterns of bits.
enum {
    GRZ_PATTERN_ONE = 0x3f800000,       ///< 1.0f.
    GRZ_PATTERN_INFINITE = 0x7f800000,  ///< Above every finite number that is not negative.
    GRZ_PATTERN_HALF_TURN = 0x40490fdb, ///< The float nearest to pi.
    GRZ_PATTERN_MAGNITUDE = 0x7fffffff  ///< All bits but the sign.
};

/// Returns the place of the lowest bit that is set; at least one must be.
static inline uint32_t grz_lowest_bit(uint64_t word)
{
    GRZ_ASSERT(word != 0);
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t bit = 0;
    for (uint32_t width = 32; width; width /= 2) {
        if (!(word & ((UINT64_C(1) << width) - 1))) {
            word >>= width;
            bit += width;
        }
    }
    return bit;
#endif
}

/// Returns how many bits a number has, without leading zeros.
static inline uint32_t grz_count_bits_of(uint32_t number)
{
    uint32_t count = 0;
    for (; number; number >>= 1) {
        ++count;
    }
    return count;
}

/// Returns the bits of a float.
static inline uint32_t grz_pattern_of(float number)
{
    uint32_t pattern;
    memcpy(&pattern, &number, sizeof pattern);
    return pattern;
}

#endif
