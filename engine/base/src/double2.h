/// @file double2.h
/// Vectors in double whose x and y go through each operation together: about half the instructions
/// of vec2d.h, the same results. For short kernels, where that matters.
#ifndef GRZ_DOUBLE2_H
#define GRZ_DOUBLE2_H

#include "scalar_mask.h"

#include <stdint.h>

#if GRZ_SCALAR_MASK_SSE2
#include <string.h>

typedef __m128d double2; ///< x, y.

static inline __m128 load_vec2(graze_vec2 v)
{
    double bits;
    memcpy(&bits, &v, sizeof bits);
    return _mm_castpd_ps(_mm_set_sd(bits));
}

static inline double2 widen_double2(graze_vec2 v)
{
    return _mm_cvtps_pd(load_vec2(v));
}

/// Returns a + b, rounded to float as graze_vec2_add() does it.
static inline double2 widen_sum(graze_vec2 a, graze_vec2 b)
{
    return _mm_cvtps_pd(_mm_add_ps(load_vec2(a), load_vec2(b)));
}

/// Rounds to float.
static inline graze_vec2 narrow_double2(double2 v)
{
    const double bits = _mm_cvtsd_f64(_mm_castps_pd(_mm_cvtpd_ps(v)));
    graze_vec2 rounded;
    memcpy(&rounded, &bits, sizeof rounded);
    return rounded;
}

static inline double2 fill_double2(double number)
{
    return _mm_set1_pd(number);
}

static inline double2 join_double2(graze_vec2d v)
{
    return _mm_set_pd(v.y, v.x);
}

static inline graze_vec2d split_double2(double2 v)
{
    return vec2d(_mm_cvtsd_f64(v), _mm_cvtsd_f64(_mm_unpackhi_pd(v, v)));
}

static inline double2 add_double2(double2 a, double2 b)
{
    return _mm_add_pd(a, b);
}

static inline double2 sub_double2(double2 a, double2 b)
{
    return _mm_sub_pd(a, b);
}

static inline double2 mul_double2(double2 a, double2 b)
{
    return _mm_mul_pd(a, b);
}

static inline double2 sqrt_double2(double2 v)
{
    return _mm_sqrt_pd(v);
}

static inline double2 absolute_double2(double2 v)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), v);
}

static inline double2 swap_double2(double2 v)
{
    return _mm_shuffle_pd(v, v, 1);
}

/// Returns v turned by +90 degrees (y axis up).
static inline double2 left_of_double2(double2 v)
{
    return _mm_xor_pd(swap_double2(v), _mm_set_pd(0.0, -0.0));
}

static inline double dot_double2(double2 a, double2 b)
{
    const double2 products = _mm_mul_pd(a, b);
    return _mm_cvtsd_f64(_mm_add_sd(products, swap_double2(products)));
}

static inline double cross_double2(double2 a, double2 b)
{
    const double2 products = _mm_mul_pd(a, swap_double2(b));
    return _mm_cvtsd_f64(_mm_sub_sd(products, swap_double2(products)));
}

/// Returns a.x, b.x.
static inline double2 xs_of_double2(double2 a, double2 b)
{
    return _mm_unpacklo_pd(a, b);
}

/// Returns a.y, b.y.
static inline double2 ys_of_double2(double2 a, double2 b)
{
    return _mm_unpackhi_pd(a, b);
}

static inline double2 select_double2(scalar_mask mask, double2 a, double2 b)
{
    const scalar_mask lanes = _mm_unpacklo_pd(mask, mask);
    return _mm_or_pd(_mm_and_pd(lanes, a), _mm_andnot_pd(lanes, b));
}

/// Returns in bit 0 whether a.x < b.x, in bit 1 whether a.y < b.y.
static inline uint32_t less_bits(double2 a, double2 b)
{
    return (uint32_t)_mm_movemask_pd(_mm_cmplt_pd(a, b));
}

/// Likewise for <=.
static inline uint32_t at_most_bits(double2 a, double2 b)
{
    return (uint32_t)_mm_movemask_pd(_mm_cmple_pd(a, b));
}

/// Returns whether a.x < b.x and a.y < b.y.
static inline bool is_less_double2(double2 a, double2 b)
{
    return _mm_movemask_pd(_mm_cmplt_pd(a, b)) == 3;
}

static inline double2 max_double2(double2 a, double2 b)
{
    return _mm_max_pd(a, b);
}

/// Returns whether a.x <= b.x and a.y <= b.y.
static inline scalar_mask is_at_most_double2(double2 a, double2 b)
{
    const double2 lanes = _mm_cmple_pd(a, b);
    return _mm_and_pd(lanes, swap_double2(lanes));
}

/// Returns v, which is not negative, with its signs turned to those of `sign`, zeros positive.
static inline double2 copy_signs_double2(double2 v, double2 sign)
{
    return _mm_or_pd(v, _mm_and_pd(_mm_cmplt_pd(sign, _mm_setzero_pd()), _mm_set1_pd(-0.0)));
}

/// Returns whether x and y, neither of them 0, differ in sign.
static inline scalar_mask differs_in_sign(double2 v)
{
    return _mm_xor_pd(v, swap_double2(v));
}

#else

typedef graze_vec2d double2;

static inline double2 widen_double2(graze_vec2 v)
{
    return widen(v);
}

/// Returns a + b, rounded to float as graze_vec2_add() does it.
static inline double2 widen_sum(graze_vec2 a, graze_vec2 b)
{
    return widen(graze_vec2_add(a, b));
}

/// Rounds to float.
static inline graze_vec2 narrow_double2(double2 v)
{
    return narrow(v);
}

static inline double2 fill_double2(double number)
{
    return vec2d(number, number);
}

static inline double2 join_double2(graze_vec2d v)
{
    return v;
}

static inline graze_vec2d split_double2(double2 v)
{
    return v;
}

static inline double2 add_double2(double2 a, double2 b)
{
    return add(a, b);
}

static inline double2 sub_double2(double2 a, double2 b)
{
    return subtract(a, b);
}

static inline double2 mul_double2(double2 a, double2 b)
{
    return vec2d(a.x * b.x, a.y * b.y);
}

static inline double2 sqrt_double2(double2 v)
{
    return vec2d(grz_sqrt(v.x), grz_sqrt(v.y));
}

static inline double2 absolute_double2(double2 v)
{
    return vec2d(absolute(v.x), absolute(v.y));
}

/// Returns v turned by +90 degrees (y axis up).
static inline double2 left_of_double2(double2 v)
{
    return left_of(v);
}

static inline double dot_double2(double2 a, double2 b)
{
    return dot(a, b);
}

static inline double cross_double2(double2 a, double2 b)
{
    return cross(a, b);
}

/// Returns a.x, b.x.
static inline double2 xs_of_double2(double2 a, double2 b)
{
    return vec2d(a.x, b.x);
}

/// Returns a.y, b.y.
static inline double2 ys_of_double2(double2 a, double2 b)
{
    return vec2d(a.y, b.y);
}

static inline double2 select_double2(scalar_mask mask, double2 a, double2 b)
{
    return select_vector(mask, a, b);
}

/// Returns in bit 0 whether a.x < b.x, in bit 1 whether a.y < b.y.
static inline uint32_t less_bits(double2 a, double2 b)
{
    return (uint32_t)(a.x < b.x) | (uint32_t)(a.y < b.y) << 1;
}

/// Likewise for <=.
static inline uint32_t at_most_bits(double2 a, double2 b)
{
    return (uint32_t)(a.x <= b.x) | (uint32_t)(a.y <= b.y) << 1;
}

/// Returns whether a.x < b.x and a.y < b.y.
static inline bool is_less_double2(double2 a, double2 b)
{
    return (a.x < b.x) & (a.y < b.y);
}

static inline double2 max_double2(double2 a, double2 b)
{
    return vec2d(max_scalar(a.x, b.x), max_scalar(a.y, b.y));
}

/// Returns whether a.x <= b.x and a.y <= b.y.
static inline scalar_mask is_at_most_double2(double2 a, double2 b)
{
    return (a.x <= b.x) & (a.y <= b.y);
}

/// Returns v, which is not negative, with its signs turned to those of `sign`, zeros positive.
static inline double2 copy_signs_double2(double2 v, double2 sign)
{
    return vec2d(sign.x < 0 ? -v.x : v.x, sign.y < 0 ? -v.y : v.y);
}

/// Returns whether x and y, neither of them 0, differ in sign.
static inline scalar_mask differs_in_sign(double2 v)
{
    return (v.x < 0) != (v.y < 0);
}

#endif

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
