/// @file pair.h
/// Vectors in double whose x and y go through each operation together: about half the instructions
/// of vec2d.h, the same results. For kernels that are short enough to feel it.
#ifndef GRZ_PAIR_H
#define GRZ_PAIR_H

#include "scalar_mask.h"

#include <stdint.h>

#if GRZ_SCALAR_MASK_SSE2
#include <string.h>

typedef __m128d pair; // x, y.

static inline __m128 load_vec2(graze_vec2 v)
{
    double bits;
    memcpy(&bits, &v, sizeof bits);
    return _mm_castpd_ps(_mm_set_sd(bits));
}

static inline pair widen_pair(graze_vec2 v)
{
    return _mm_cvtps_pd(load_vec2(v));
}

/// Returns a + b, rounded to float as graze_vec2_add() does it.
static inline pair widen_sum(graze_vec2 a, graze_vec2 b)
{
    return _mm_cvtps_pd(_mm_add_ps(load_vec2(a), load_vec2(b)));
}

/// Rounds to float.
static inline graze_vec2 narrow_pair(pair v)
{
    const double bits = _mm_cvtsd_f64(_mm_castps_pd(_mm_cvtpd_ps(v)));
    graze_vec2 rounded;
    memcpy(&rounded, &bits, sizeof rounded);
    return rounded;
}

static inline pair fill_pair(double number)
{
    return _mm_set1_pd(number);
}

static inline pair join_pair(graze_vec2d v)
{
    return _mm_set_pd(v.y, v.x);
}

static inline graze_vec2d split_pair(pair v)
{
    return vec2d(_mm_cvtsd_f64(v), _mm_cvtsd_f64(_mm_unpackhi_pd(v, v)));
}

static inline pair add_pairs(pair a, pair b)
{
    return _mm_add_pd(a, b);
}

static inline pair sub_pairs(pair a, pair b)
{
    return _mm_sub_pd(a, b);
}

static inline pair mul_pairs(pair a, pair b)
{
    return _mm_mul_pd(a, b);
}

static inline pair div_pairs(pair a, pair b)
{
    return _mm_div_pd(a, b);
}

static inline pair root_pair(pair v)
{
    return _mm_sqrt_pd(v);
}

static inline pair absolute_pair(pair v)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), v);
}

static inline pair swap_pair(pair v)
{
    return _mm_shuffle_pd(v, v, 1);
}

/// Returns v turned by +90 degrees (y axis up).
static inline pair left_of_pair(pair v)
{
    return _mm_xor_pd(swap_pair(v), _mm_set_pd(0.0, -0.0));
}

static inline double dot_pairs(pair a, pair b)
{
    const pair products = _mm_mul_pd(a, b);
    return _mm_cvtsd_f64(_mm_add_sd(products, swap_pair(products)));
}

static inline double cross_pairs(pair a, pair b)
{
    const pair products = _mm_mul_pd(a, swap_pair(b));
    return _mm_cvtsd_f64(_mm_sub_sd(products, swap_pair(products)));
}

/// Returns a.x, b.x.
static inline pair first_of_pairs(pair a, pair b)
{
    return _mm_unpacklo_pd(a, b);
}

/// Returns a.y, b.y.
static inline pair second_of_pairs(pair a, pair b)
{
    return _mm_unpackhi_pd(a, b);
}

/// Returns a vector, or zeros where the mask is not set.
static inline pair keep_pair(scalar_mask mask, pair v)
{
    return _mm_and_pd(_mm_unpacklo_pd(mask, mask), v);
}

static inline pair select_pair(scalar_mask mask, pair a, pair b)
{
    const scalar_mask lanes = _mm_unpacklo_pd(mask, mask);
    return _mm_or_pd(_mm_and_pd(lanes, a), _mm_andnot_pd(lanes, b));
}

/// Returns in bit 0 whether a.x < b.x, in bit 1 whether a.y < b.y.
static inline uint32_t less_bits(pair a, pair b)
{
    return (uint32_t)_mm_movemask_pd(_mm_cmplt_pd(a, b));
}

/// Likewise for <=.
static inline uint32_t at_most_bits(pair a, pair b)
{
    return (uint32_t)_mm_movemask_pd(_mm_cmple_pd(a, b));
}

/// Returns whether a.x < b.x and a.y < b.y.
static inline bool is_less_pair(pair a, pair b)
{
    return _mm_movemask_pd(_mm_cmplt_pd(a, b)) == 3;
}

static inline pair greater_pair(pair a, pair b)
{
    return _mm_max_pd(a, b);
}

/// Returns whether a.x <= b.x and a.y <= b.y.
static inline scalar_mask is_at_most_pair(pair a, pair b)
{
    const pair lanes = _mm_cmple_pd(a, b);
    return _mm_and_pd(lanes, swap_pair(lanes));
}

/// Returns v, which is not negative, with its signs turned to those of `sign`, zeros positive.
static inline pair turn_pair(pair v, pair sign)
{
    return _mm_or_pd(v, _mm_and_pd(_mm_cmplt_pd(sign, _mm_setzero_pd()), _mm_set1_pd(-0.0)));
}

/// Returns whether x and y, neither of them 0, differ in sign.
static inline scalar_mask differs_in_sign(pair v)
{
    return _mm_xor_pd(v, swap_pair(v));
}

#else

typedef graze_vec2d pair;

static inline pair widen_pair(graze_vec2 v)
{
    return widen(v);
}

/// Returns a + b, rounded to float as graze_vec2_add() does it.
static inline pair widen_sum(graze_vec2 a, graze_vec2 b)
{
    return widen(graze_vec2_add(a, b));
}

/// Rounds to float.
static inline graze_vec2 narrow_pair(pair v)
{
    return narrow(v);
}

static inline pair fill_pair(double number)
{
    return vec2d(number, number);
}

static inline pair join_pair(graze_vec2d v)
{
    return v;
}

static inline graze_vec2d split_pair(pair v)
{
    return v;
}

static inline pair add_pairs(pair a, pair b)
{
    return add(a, b);
}

static inline pair sub_pairs(pair a, pair b)
{
    return subtract(a, b);
}

static inline pair mul_pairs(pair a, pair b)
{
    return vec2d(a.x * b.x, a.y * b.y);
}

static inline pair div_pairs(pair a, pair b)
{
    return vec2d(a.x / b.x, a.y / b.y);
}

static inline pair root_pair(pair v)
{
    return vec2d(grz_sqrt(v.x), grz_sqrt(v.y));
}

static inline pair absolute_pair(pair v)
{
    return vec2d(absolute(v.x), absolute(v.y));
}

/// Returns v turned by +90 degrees (y axis up).
static inline pair left_of_pair(pair v)
{
    return left_of(v);
}

static inline double dot_pairs(pair a, pair b)
{
    return dot(a, b);
}

static inline double cross_pairs(pair a, pair b)
{
    return cross(a, b);
}

/// Returns a.x, b.x.
static inline pair first_of_pairs(pair a, pair b)
{
    return vec2d(a.x, b.x);
}

/// Returns a.y, b.y.
static inline pair second_of_pairs(pair a, pair b)
{
    return vec2d(a.y, b.y);
}

/// Returns a vector, or zeros where the mask is not set.
static inline pair keep_pair(scalar_mask mask, pair v)
{
    return keep_vector(mask, v);
}

static inline pair select_pair(scalar_mask mask, pair a, pair b)
{
    return select_vector(mask, a, b);
}

/// Returns in bit 0 whether a.x < b.x, in bit 1 whether a.y < b.y.
static inline uint32_t less_bits(pair a, pair b)
{
    return (uint32_t)(a.x < b.x) | (uint32_t)(a.y < b.y) << 1;
}

/// Likewise for <=.
static inline uint32_t at_most_bits(pair a, pair b)
{
    return (uint32_t)(a.x <= b.x) | (uint32_t)(a.y <= b.y) << 1;
}

/// Returns whether a.x < b.x and a.y < b.y.
static inline bool is_less_pair(pair a, pair b)
{
    return (a.x < b.x) & (a.y < b.y);
}

static inline pair greater_pair(pair a, pair b)
{
    return vec2d(greater_scalar(a.x, b.x), greater_scalar(a.y, b.y));
}

/// Returns whether a.x <= b.x and a.y <= b.y.
static inline scalar_mask is_at_most_pair(pair a, pair b)
{
    return (a.x <= b.x) & (a.y <= b.y);
}

/// Returns v, which is not negative, with its signs turned to those of `sign`, zeros positive.
static inline pair turn_pair(pair v, pair sign)
{
    return vec2d(sign.x < 0 ? -v.x : v.x, sign.y < 0 ? -v.y : v.y);
}

/// Returns whether x and y, neither of them 0, differ in sign.
static inline scalar_mask differs_in_sign(pair v)
{
    return (v.x < 0) != (v.y < 0);
}

#endif

static inline pair scale_pair(pair v, double factor)
{
    return mul_pairs(v, fill_pair(factor));
}

/// Returns dot(a, b), dot(c, d).
static inline pair dots_of_pairs(pair a, pair b, pair c, pair d)
{
    const pair first = mul_pairs(a, b), last = mul_pairs(c, d);
    return add_pairs(first_of_pairs(first, last), second_of_pairs(first, last));
}

#endif
