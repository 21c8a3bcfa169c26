/// @file scalar_mask.h
/// Branchless selection between doubles, by masks: where pairs come in random order a processor
/// cannot predict a branch (bench: narrowphase/sweep_rects).
///
/// A mask is all ones or all zeros. Comparisons with a NaN are false. Names are those of the lanes
/// (lanes.h), which do the same to several numbers at once.
#ifndef GRZ_SCALAR_MASK_H
#define GRZ_SCALAR_MASK_H

#include "vec2d.h"

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#define GRZ_SCALAR_MASK_SSE2 1
#else
#define GRZ_SCALAR_MASK_SSE2 0
#endif

#if GRZ_SCALAR_MASK_SSE2
#include <emmintrin.h>

typedef __m128d scalar_mask;

static inline scalar_mask is_less(double a, double b)
{
    return _mm_cmplt_sd(_mm_set_sd(a), _mm_set_sd(b));
}

static inline scalar_mask is_at_most(double a, double b)
{
    return _mm_cmple_sd(_mm_set_sd(a), _mm_set_sd(b));
}

static inline scalar_mask scalar_mask_and(scalar_mask a, scalar_mask b)
{
    return _mm_and_pd(a, b);
}

static inline scalar_mask scalar_mask_or(scalar_mask a, scalar_mask b)
{
    return _mm_or_pd(a, b);
}

static inline scalar_mask scalar_mask_but_not(scalar_mask a, scalar_mask b)
{
    return _mm_andnot_pd(b, a);
}

static inline bool scalar_mask_is_set(scalar_mask a)
{
    return (_mm_movemask_pd(a) & 1) != 0;
}

/// Returns a number, or 0 where the mask is not set.
static inline double keep_scalar(scalar_mask mask, double number)
{
    return _mm_cvtsd_f64(_mm_and_pd(mask, _mm_set_sd(number)));
}

static inline double select_scalar(scalar_mask mask, double a, double b)
{
    const __m128d lanes_a = _mm_and_pd(mask, _mm_set_sd(a));
    const __m128d lanes_b = _mm_andnot_pd(mask, _mm_set_sd(b));
    return _mm_cvtsd_f64(_mm_or_pd(lanes_a, lanes_b));
}

/// As min_double() and max_double(), which may be compiled to a branch.
static inline double min_scalar(double a, double b)
{
    return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b)));
}

static inline double max_scalar(double a, double b)
{
    return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b)));
}

#else

typedef bool scalar_mask;

static inline scalar_mask is_less(double a, double b)
{
    return a < b;
}

static inline scalar_mask is_at_most(double a, double b)
{
    return a <= b;
}

static inline scalar_mask scalar_mask_and(scalar_mask a, scalar_mask b)
{
    return a & b;
}

static inline scalar_mask scalar_mask_or(scalar_mask a, scalar_mask b)
{
    return a | b;
}

static inline scalar_mask scalar_mask_but_not(scalar_mask a, scalar_mask b)
{
    return a & !b;
}

static inline bool scalar_mask_is_set(scalar_mask a)
{
    return a;
}

/// Returns a number, or 0 where the mask is not set.
static inline double keep_scalar(scalar_mask mask, double number)
{
    return mask ? number : 0;
}

static inline double select_scalar(scalar_mask mask, double a, double b)
{
    return mask ? a : b;
}

/// As min_double() and max_double(), which may be compiled to a branch.
static inline double min_scalar(double a, double b)
{
    return a < b ? a : b;
}

static inline double max_scalar(double a, double b)
{
    return a > b ? a : b;
}

#endif

static inline graze_vec2d keep_vector(scalar_mask mask, graze_vec2d v)
{
    return vec2d(keep_scalar(mask, v.x), keep_scalar(mask, v.y));
}

static inline graze_vec2d select_vector(scalar_mask mask, graze_vec2d a, graze_vec2d b)
{
    return vec2d(select_scalar(mask, a.x, b.x), select_scalar(mask, a.y, b.y));
}

#endif
