/// @file double2.h
/// Vectors in double whose x and y go through each operation together: about half the instructions
/// of vec2d.h, the same results. For short kernels, where that matters.
#ifndef GRZ_DOUBLE2_H
#define GRZ_DOUBLE2_H

#include "scalar_mask.h"

#include <stdint.h>
#include <string.h>

#if GRZ_SCALAR_MASK_SSE2

typedef __m128d double2; ///< x, y.

static inline __m128 load_vec2(graze_vec2 v)
{
    double bits;
    memcpy(&bits, &v, sizeof bits);
    return _mm_castpd_ps(_mm_set_sd(bits));
}

static inline graze_vec2 store_vec2(__m128 v)
{
    const double bits = _mm_cvtsd_f64(_mm_castps_pd(v));
    graze_vec2 stored;
    memcpy(&stored, &bits, sizeof stored);
    return stored;
}

#else

typedef graze_vec2d double2;

#endif

GRZ_EITHER(double2, widen_double2, (graze_vec2 v), _mm_cvtps_pd(load_vec2(v)), widen(v))

/// Returns a + b, rounded to float as graze_vec2_add() does it.
GRZ_EITHER(double2, widen_sum, (graze_vec2 a, graze_vec2 b),
           _mm_cvtps_pd(_mm_add_ps(load_vec2(a), load_vec2(b))), widen(graze_vec2_add(a, b)))

/// Rounds to float.
GRZ_EITHER(graze_vec2, narrow_double2, (double2 v), store_vec2(_mm_cvtpd_ps(v)), narrow(v))

GRZ_EITHER(double2, fill_double2, (double number), _mm_set1_pd(number), vec2d(number, number))
GRZ_EITHER(double2, join_double2, (graze_vec2d v), _mm_set_pd(v.y, v.x), v)
GRZ_EITHER(graze_vec2d, split_double2, (double2 v),
           vec2d(_mm_cvtsd_f64(v), _mm_cvtsd_f64(_mm_unpackhi_pd(v, v))), v)
GRZ_EITHER(double2, swap_double2, (double2 v), _mm_shuffle_pd(v, v, 1), vec2d(v.y, v.x))

GRZ_EITHER(double2, add_double2, (double2 a, double2 b), _mm_add_pd(a, b), add(a, b))
GRZ_EITHER(double2, sub_double2, (double2 a, double2 b), _mm_sub_pd(a, b), subtract(a, b))
GRZ_EITHER(double2, mul_double2, (double2 a, double2 b), _mm_mul_pd(a, b),
           vec2d((a.x) * (b.x), (a.y) * (b.y)))
GRZ_EITHER(double2, sqrt_double2, (double2 v), _mm_sqrt_pd(v), vec2d(grz_sqrt(v.x), grz_sqrt(v.y)))
GRZ_EITHER(double2, absolute_double2, (double2 v), _mm_andnot_pd(_mm_set1_pd(-0.0), v),
           vec2d(absolute(v.x), absolute(v.y)))
GRZ_EITHER(double2, max_double2, (double2 a, double2 b), _mm_max_pd(a, b),
           vec2d(max_scalar(a.x, b.x), max_scalar(a.y, b.y)))

/// Returns v turned by +90 degrees (y axis up).
GRZ_EITHER(double2, left_of_double2, (double2 v),
           _mm_xor_pd(swap_double2(v), _mm_set_pd(0.0, -0.0)), left_of(v))

/// Return a.x, b.x and a.y, b.y.
GRZ_EITHER(double2, xs_of_double2, (double2 a, double2 b), _mm_unpacklo_pd(a, b), vec2d(a.x, b.x))
GRZ_EITHER(double2, ys_of_double2, (double2 a, double2 b), _mm_unpackhi_pd(a, b), vec2d(a.y, b.y))

GRZ_EITHER(double2, select_double2, (scalar_mask mask, double2 a, double2 b),
           _mm_or_pd(_mm_and_pd(_mm_unpacklo_pd(mask, mask), a),
                     _mm_andnot_pd(_mm_unpacklo_pd(mask, mask), b)),
           vec2d(select_scalar(mask, a.x, b.x), select_scalar(mask, a.y, b.y)))

/// Return in bit 0 whether a.x < b.x, in bit 1 whether a.y < b.y; likewise for <=.
GRZ_EITHER(uint32_t, less_bits, (double2 a, double2 b),
           (uint32_t)_mm_movemask_pd(_mm_cmplt_pd(a, b)),
           (uint32_t)(a.x < b.x) | (uint32_t)(a.y < b.y) << 1)
GRZ_EITHER(uint32_t, at_most_bits, (double2 a, double2 b),
           (uint32_t)_mm_movemask_pd(_mm_cmple_pd(a, b)),
           (uint32_t)(a.x <= b.x) | (uint32_t)(a.y <= b.y) << 1)

/// Returns v, which is not negative, with its signs turned to those of `sign`, zeros positive.
GRZ_EITHER(double2, copy_signs_double2, (double2 v, double2 sign),
           _mm_or_pd(v, _mm_and_pd(_mm_cmplt_pd(sign, _mm_setzero_pd()), _mm_set1_pd(-0.0))),
           vec2d(sign.x < 0 ? -v.x : v.x, sign.y < 0 ? -v.y : v.y))

/// Returns whether x and y, neither of them 0, differ in sign.
GRZ_EITHER(scalar_mask, differs_in_sign, (double2 v), _mm_xor_pd(v, swap_double2(v)),
           (v.x < 0) != (v.y < 0))

GRZ_EITHER(double, first_of_double2, (double2 v), _mm_cvtsd_f64(v), v.x)

static inline double dot_double2(double2 a, double2 b)
{
    const double2 products = mul_double2(a, b);
    return first_of_double2(add_double2(products, swap_double2(products)));
}

static inline double cross_double2(double2 a, double2 b)
{
    const double2 products = mul_double2(a, swap_double2(b));
    return first_of_double2(sub_double2(products, swap_double2(products)));
}

static inline double2 scale_double2(double2 v, double factor)
{
    return mul_double2(v, fill_double2(factor));
}

/// Returns dot(a, b), dot(c, d).
static inline double2 dots_of_double2(double2 a, double2 b, double2 c, double2 d)
{
    const double2 first = mul_double2(a, b), last = mul_double2(c, d);
    return add_double2(xs_of_double2(first, last), ys_of_double2(first, last));
}

#endif
