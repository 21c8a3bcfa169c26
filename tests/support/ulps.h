/// @file ulps.h
/// The error of a float.
#ifndef GRAZE_TESTS_ULPS_H
#define GRAZE_TESTS_ULPS_H

#include <float.h>
#include <math.h>

/// Returns the distance of a float from the true value, in units in the last place of floats of
/// that size.
static inline double count_ulps(float value, double truth)
{
    int exponent;
    frexp(truth, &exponent);
    const int last_place = exponent - FLT_MANT_DIG < -149 ? -149 : exponent - FLT_MANT_DIG;
    return fabs(ldexp((double)value - truth, -last_place));
}

#endif
