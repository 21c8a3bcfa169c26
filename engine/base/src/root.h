/// @file root.h
/// The square root, correctly rounded.
///
/// C does not promise that of sqrt(): one C library of Windows computes more digits and rounds
/// twice, which changes the last bit once in some thousand times.
#ifndef GRZ_ROOT_H
#define GRZ_ROOT_H

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#include <emmintrin.h>

static inline double grz_sqrt(double number)
{
    const __m128d lanes = _mm_set_sd(number);
    return _mm_cvtsd_f64(_mm_sqrt_sd(lanes, lanes));
}

#else
#include <math.h>

static inline double grz_sqrt(double number)
{
    return sqrt(number);
}

#endif

#endif
