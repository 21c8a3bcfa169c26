/// @file min_max.h
/// The smaller and the larger of two numbers.
///
/// Exactness  a < b ? a : b and a > b ? a : b, as min_floats and max_floats of lanes.h do it: b
///            where either is NaN, and where both are zeros.
#ifndef GRZ_MIN_MAX_H
#define GRZ_MIN_MAX_H

#include <stdint.h>

#define GRZ_MIN_MAX(type, min, max)                                                                \
    static inline type min(type a, type b)                                                         \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
                                                                                                   \
    static inline type max(type a, type b)                                                         \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }

GRZ_MIN_MAX(uint32_t, min_u32, max_u32)
GRZ_MIN_MAX(int64_t, min_i64, max_i64)
GRZ_MIN_MAX(float, min_float, max_float)
GRZ_MIN_MAX(double, min_double, max_double)

#endif
