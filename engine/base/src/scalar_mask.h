/// @file scalar_mask.h
/// Branchless selection between doubles, by masks: where pairs come in random order a processor
/// cannot predict a branch (bench: narrowphase/sweep_rects).
///
/// A mask is all ones or all zeros. Comparisons with a NaN are false. Names are those of the lanes
/// (lanes.h), which do the same to several numbers at once.
#ifndef GRZ_SCALAR_MASK_H
#define GRZ_SCALAR_MASK_H

#include "vec2d.h"

// An operation is listed once: its result, name and arguments, what it is by SSE2, and what it is
// without.
#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#include <emmintrin.h>

#define GRZ_SCALAR_MASK_SSE2 1
#define GRZ_EITHER(result, name, arguments, by_sse2, plain)                                        \
    static inline result name arguments                                                            \
    {                                                                                              \
        return by_sse2;                                                                            \
    }

typedef __m128d scalar_mask;

#else

#define GRZ_SCALAR_MASK_SSE2 0
#define GRZ_EITHER(result, name, arguments, by_sse2, plain)                                        \
    static inline result name arguments                                                            \
    {                                                                                              \
        return plain;                                                                              \
    }

typedef bool scalar_mask;

#endif

GRZ_EITHER(scalar_mask, is_less, (double a, double b), _mm_cmplt_sd(_mm_set_sd(a), _mm_set_sd(b)),
           a < b)
GRZ_EITHER(scalar_mask, is_at_most, (double a, double b),
           _mm_cmple_sd(_mm_set_sd(a), _mm_set_sd(b)), a <= b)
GRZ_EITHER(scalar_mask, scalar_mask_and, (scalar_mask a, scalar_mask b), _mm_and_pd(a, b),
           (a) & (b))
GRZ_EITHER(scalar_mask, scalar_mask_or, (scalar_mask a, scalar_mask b), _mm_or_pd(a, b), a | b)
GRZ_EITHER(scalar_mask, scalar_mask_but_not, (scalar_mask a, scalar_mask b), _mm_andnot_pd(b, a),
           a & !b)
GRZ_EITHER(bool, scalar_mask_is_set, (scalar_mask a), (_mm_movemask_pd(a) & 1) != 0, a)
GRZ_EITHER(double, select_scalar, (scalar_mask mask, double a, double b),
           _mm_cvtsd_f64(_mm_or_pd(_mm_and_pd(mask, _mm_set_sd(a)),
                                   _mm_andnot_pd(mask, _mm_set_sd(b)))),
           mask ? a : b)

/// As min_double() and max_double(), which may be compiled to a branch.
GRZ_EITHER(double, min_scalar, (double a, double b),
           _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b))), min_double(a, b))
GRZ_EITHER(double, max_scalar, (double a, double b),
           _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b))), max_double(a, b))

#endif
