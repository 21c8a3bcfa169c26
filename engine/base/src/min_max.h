/// @file min_max.h
/// The smaller and the larger of two numbers.
///
/// Exactness  a < b ? a : b and a > b ? a : b, as min_floats and max_floats of lanes.h do it: b
///            where either is NaN, and where both are zeros.
#ifndef GRZ_MIN_MAX_H
#define GRZ_MIN_MAX_H

#include <stdint.h>

static inline uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline float min_float(float a, float b)
{
    return a < b ? a : b;
}

static inline float max_float(float a, float b)
{
    return a > b ? a : b;
}

static inline double min_double(double a, double b)
{
    return a < b ? a : b;
}

static inline double max_double(double a, double b)
{
    return a > b ? a : b;
}

#endif
