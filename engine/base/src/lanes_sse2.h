/// @file lanes_sse2.h
/// The operations of lanes.h by SSE2. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_SSE2_H
#define GRZ_LANES_SSE2_H

#include <emmintrin.h>
#include <string.h>

#define GRZ_WIDTH   4
#define GRZ_WIDTH_D 2

typedef __m128 floats;
typedef __m128d doubles;
typedef __m128i ints;
typedef __m128 floats_mask;
typedef __m128d doubles_mask;

static inline doubles load_point(const graze_vec2 *from)
{
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)from)));
}

static inline floats load_floats(const float *from)
{
    return _mm_loadu_ps(from);
}

static inline void store_floats(float *to, floats a)
{
    _mm_storeu_ps(to, a);
}

static inline floats fill_floats(float number)
{
    return _mm_set1_ps(number);
}

GRZ_BINARY(floats, add_floats, floats, _mm_add_ps(a, b))
GRZ_BINARY(floats, sub_floats, floats, _mm_sub_ps(a, b))
GRZ_BINARY(floats, mul_floats, floats, _mm_mul_ps(a, b))
GRZ_BINARY(floats, div_floats, floats, _mm_div_ps(a, b))
GRZ_UNARY(floats, sqrt_floats, floats, _mm_sqrt_ps(a))
GRZ_BINARY(floats, min_floats, floats, _mm_min_ps(a, b))
GRZ_BINARY(floats, max_floats, floats, _mm_max_ps(a, b))
GRZ_BINARY(floats_mask, less_floats, floats, _mm_cmplt_ps(a, b))
GRZ_BINARY(floats_mask, at_most_floats, floats, _mm_cmple_ps(a, b))

static inline floats select_floats(floats_mask mask, floats a, floats b)
{
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

static inline doubles load_doubles(const double *from)
{
    return _mm_loadu_pd(from);
}

static inline void store_doubles(double *to, doubles a)
{
    _mm_storeu_pd(to, a);
}

static inline doubles fill_doubles(double number)
{
    return _mm_set1_pd(number);
}

GRZ_BINARY(doubles, add_doubles, doubles, _mm_add_pd(a, b))
GRZ_BINARY(doubles, sub_doubles, doubles, _mm_sub_pd(a, b))
GRZ_BINARY(doubles, mul_doubles, doubles, _mm_mul_pd(a, b))
GRZ_BINARY(doubles, div_doubles, doubles, _mm_div_pd(a, b))
GRZ_UNARY(doubles, sqrt_doubles, doubles, _mm_sqrt_pd(a))
GRZ_BINARY(doubles, min_doubles, doubles, _mm_min_pd(a, b))
GRZ_BINARY(doubles, max_doubles, doubles, _mm_max_pd(a, b))
GRZ_BINARY(doubles_mask, less_doubles, doubles, _mm_cmplt_pd(a, b))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, _mm_cmple_pd(a, b))

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}

static inline ints load_ints(const uint32_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline ints read_ints(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static inline void store_ints(uint32_t *to, ints a)
{
    _mm_storeu_si128((__m128i *)(void *)to, a);
}

static inline void write_ints(void *to, ints a)
{
    _mm_storeu_si128((__m128i *)to, a);
}

static inline ints fill_ints(uint32_t number)
{
    return _mm_set1_epi32((int32_t)number);
}

static inline ints hold_ints(uint32_t number)
{
    return fill_ints(number);
}

GRZ_BINARY(ints, add_ints, ints, _mm_add_epi32(a, b))
GRZ_BINARY(ints, sub_ints, ints, _mm_sub_epi32(a, b))

static inline ints mul_ints(ints a, ints b)
{
    const __m128 even = _mm_castsi128_ps(_mm_mul_epu32(a, b));
    const __m128 odd =
        _mm_castsi128_ps(_mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32)));
    const __m128 lower = _mm_shuffle_ps(even, odd, _MM_SHUFFLE(2, 0, 2, 0));
    return _mm_shuffle_epi32(_mm_castps_si128(lower), _MM_SHUFFLE(3, 1, 2, 0));
}

GRZ_BINARY(ints, and_ints, ints, _mm_and_si128(a, b))
GRZ_BINARY(ints, or_ints, ints, _mm_or_si128(a, b))

static inline ints shift_left(ints a, uint32_t count)
{
    return _mm_sll_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

static inline ints shift_right(ints a, uint32_t count)
{
    return _mm_srl_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

static inline ints rotate_ints(ints a, uint32_t count)
{
    return _mm_or_si128(shift_left(a, count), shift_right(a, 32 - count));
}

static inline ints swap_shorts(ints a)
{
    const ints low = _mm_shufflelo_epi16(a, _MM_SHUFFLE(2, 3, 0, 1));
    return _mm_shufflehi_epi16(low, _MM_SHUFFLE(2, 3, 0, 1));
}

static inline ints min_ints(ints a, ints b)
{
    const ints less = _mm_cmplt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(less, a), _mm_andnot_si128(less, b));
}

// As signed numbers, from -2^31 on.
static inline ints min_unsigned(ints a, ints b)
{
    const ints least = fill_ints(0x80000000);
    const ints least_of_both = min_ints(_mm_xor_si128(a, least), _mm_xor_si128(b, least));
    return _mm_xor_si128(least_of_both, least);
}

GRZ_BINARY(floats_mask, equal_ints, ints, _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)))
GRZ_BINARY(floats_mask, less_ints, ints, _mm_castsi128_ps(_mm_cmplt_epi32(a, b)))

static inline ints count_in(ints a, floats_mask mask)
{
    return _mm_sub_epi32(a, _mm_castps_si128(mask));
}

GRZ_BINARY(floats_mask, mask_and, floats_mask, _mm_and_ps(a, b))
GRZ_BINARY(floats_mask, mask_or, floats_mask, _mm_or_ps(a, b))
GRZ_BINARY(floats_mask, mask_but_not, floats_mask, _mm_andnot_ps(b, a))

static inline uint32_t mask_bits(floats_mask mask)
{
    return (uint32_t)_mm_movemask_ps(mask);
}

GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, _mm_and_pd(a, b))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, _mm_or_pd(a, b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, _mm_andnot_pd(b, a))

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    return (uint32_t)_mm_movemask_pd(mask);
}

GRZ_UNARY(doubles, widen_low, floats, _mm_cvtps_pd(a))
GRZ_UNARY(doubles, widen_high, floats, _mm_cvtps_pd(_mm_movehl_ps(a, a)))

static inline floats narrow_doubles(doubles low, doubles high)
{
    return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    return _mm_unpacklo_epi64(_mm_cvttpd_epi32(low), _mm_cvttpd_epi32(high));
}

// Truncated, and 1 less where that is above.
static inline ints floor_doubles(doubles low, doubles high)
{
    const ints lower = _mm_cvttpd_epi32(low), upper = _mm_cvttpd_epi32(high);
    const __m128 low_above = _mm_castpd_ps(_mm_cmplt_pd(low, _mm_cvtepi32_pd(lower)));
    const __m128 high_above = _mm_castpd_ps(_mm_cmplt_pd(high, _mm_cvtepi32_pd(upper)));
    const __m128 above = _mm_shuffle_ps(low_above, high_above, _MM_SHUFFLE(2, 0, 2, 0));
    return _mm_add_epi32(_mm_unpacklo_epi64(lower, upper), _mm_castps_si128(above));
}

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    const floats first = load_floats(&from[0].x), second = load_floats(&from[2].x);
    *x = _mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0));
    *y = _mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1));
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    store_floats(&to[0].x, _mm_unpacklo_ps(x, y));
    store_floats(&to[2].x, _mm_unpackhi_ps(x, y));
}

static inline void gather_boxes(const graze_aabb *from, const uint32_t *index, floats *lower_x,
                                floats *lower_y, floats *upper_x, floats *upper_y)
{
    *lower_x = load_floats(&from[index[0]].lower.x);
    *lower_y = load_floats(&from[index[1]].lower.x);
    *upper_x = load_floats(&from[index[2]].lower.x);
    *upper_y = load_floats(&from[index[3]].lower.x);
    _MM_TRANSPOSE4_PS(*lower_x, *lower_y, *upper_x, *upper_y);
}

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    const uint32_t places[GRZ_WIDTH] = {0, 1, 2, 3};
    gather_boxes(from, places, lower_x, lower_y, upper_x, upper_y);
}

static inline void store_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                               floats upper_y)
{
    _MM_TRANSPOSE4_PS(lower_x, lower_y, upper_x, upper_y);
    store_floats(&to[0].lower.x, lower_x);
    store_floats(&to[1].lower.x, lower_y);
    store_floats(&to[2].lower.x, upper_x);
    store_floats(&to[3].lower.x, upper_y);
}

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    const doubles first = load_point(&from[index[0]]), second = load_point(&from[index[1]]);
    *x = _mm_unpacklo_pd(first, second);
    *y = _mm_unpackhi_pd(first, second);
}

static inline void gather_pairs(const double *from, const uint32_t *index, doubles *x, doubles *y)
{
    const doubles first = _mm_loadu_pd(&from[index[0]]);
    const doubles second = _mm_loadu_pd(&from[index[1]]);
    *x = _mm_unpacklo_pd(first, second);
    *y = _mm_unpackhi_pd(first, second);
}

static inline void scatter_pairs(double *to, const uint32_t *index, doubles x, doubles y)
{
    _mm_storeu_pd(&to[index[0]], _mm_unpacklo_pd(x, y));
    _mm_storeu_pd(&to[index[1]], _mm_unpackhi_pd(x, y));
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    const __m128 low =
        _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)&from[index[0]]));
    return _mm_castps_si128(_mm_loadh_pi(low, (const __m64 *)(const void *)&from[index[1]]));
}

static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return _mm_set_epi32((int32_t)from[index[3 * stride]], (int32_t)from[index[2 * stride]],
                         (int32_t)from[index[stride]], (int32_t)from[index[0]]);
}

static inline ints gather_halves(const uint32_t *from, const uint32_t *low, const uint32_t *high)
{
    return _mm_set_epi32((int32_t)from[high[1]], (int32_t)from[high[0]], (int32_t)from[low[1]],
                         (int32_t)from[low[0]]);
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    const char *next = from;
    const __m128 first = _mm_castsi128_ps(read_ints(next));
    const __m128 second = _mm_castsi128_ps(read_ints(next + 16));
    *a = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    *b = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
}

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    const char *next = from;
    const __m128 first = _mm_castsi128_ps(read_ints(next));
    const __m128 second = _mm_castsi128_ps(read_ints(next + 16));
    const __m128 third = _mm_castsi128_ps(read_ints(next + 32));
    const __m128 last_a = _mm_shuffle_ps(second, third, _MM_SHUFFLE(1, 1, 2, 2));
    const __m128 first_b = _mm_shuffle_ps(first, second, _MM_SHUFFLE(0, 0, 1, 1));
    const __m128 last_b = _mm_shuffle_ps(second, third, _MM_SHUFFLE(2, 2, 3, 3));
    const __m128 first_c = _mm_shuffle_ps(first, second, _MM_SHUFFLE(1, 1, 2, 2));
    *a = _mm_castps_si128(_mm_shuffle_ps(first, last_a, _MM_SHUFFLE(2, 0, 3, 0)));
    *b = _mm_castps_si128(_mm_shuffle_ps(first_b, last_b, _MM_SHUFFLE(2, 0, 2, 0)));
    *c = _mm_castps_si128(_mm_shuffle_ps(first_c, third, _MM_SHUFFLE(3, 0, 2, 0)));
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi32(low, high));
    _mm_storeu_si128((__m128i *)(void *)(to + 2), _mm_unpackhi_epi32(low, high));
}

static inline ints number_lanes(void)
{
    return _mm_set_epi32(3, 2, 1, 0);
}

static inline floats_mask first_lanes(uint32_t count)
{
    return _mm_castsi128_ps(_mm_cmplt_epi32(number_lanes(), _mm_set1_epi32((int32_t)count)));
}

static inline ints keep_ints(floats_mask mask, ints a)
{
    return _mm_and_si128(_mm_castps_si128(mask), a);
}

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    const ints chosen = _mm_castps_si128(mask);
    return _mm_or_si128(_mm_and_si128(chosen, a), _mm_andnot_si128(chosen, b));
}

GRZ_UNARY(doubles, negate_doubles, doubles, _mm_xor_pd(a, _mm_set1_pd(-0.0)))
GRZ_UNARY(doubles, absolute_doubles, doubles, _mm_andnot_pd(_mm_set1_pd(-0.0), a))

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    const floats first = load_floats(from), second = load_floats(from + stride);
    const floats low = _mm_unpacklo_ps(first, second), high = _mm_unpackhi_ps(first, second);
    columns[0] = widen_low(low);
    columns[1] = widen_high(low);
    columns[2] = widen_low(high);
    columns[3] = widen_high(high);
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    const floats low = narrow_doubles(a, b), high = narrow_doubles(c, d);
    store_floats(to, _mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
    store_floats(to + stride, _mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
}

GRZ_BINARY(floats, low_halves, floats, _mm_movelh_ps(a, b))
GRZ_BINARY(floats, high_halves, floats, _mm_movehl_ps(b, a))
GRZ_UNARY(floats, mix_halves, floats, _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 1, 2, 0)))

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    const floats mixed_a = mix_halves(a), mixed_b = mix_halves(b);
    const floats mixed_c = mix_halves(c), mixed_d = mix_halves(d);
    store_floats(to, _mm_movelh_ps(mixed_a, mixed_b));
    store_floats(to + 4, _mm_movelh_ps(mixed_c, mixed_d));
    store_floats(to + 8, _mm_movehl_ps(mixed_b, mixed_a));
    store_floats(to + 12, _mm_movehl_ps(mixed_d, mixed_c));
}

static inline void pack_octets(void *to, uint32_t bits, ints a, floats b, floats c, floats d)
{
    __m128i *first = (__m128i *)to, *second = first + 2 * (bits & 1);
    const floats mixed_a = mix_halves(_mm_castsi128_ps(a)), mixed_b = mix_halves(b);
    const floats mixed_c = mix_halves(c), mixed_d = mix_halves(d);
    _mm_storeu_si128(first, _mm_castps_si128(_mm_movelh_ps(mixed_a, mixed_b)));
    _mm_storeu_si128(first + 1, _mm_castps_si128(_mm_movelh_ps(mixed_c, mixed_d)));
    _mm_storeu_si128(second, _mm_castps_si128(_mm_movehl_ps(mixed_b, mixed_a)));
    _mm_storeu_si128(second + 1, _mm_castps_si128(_mm_movehl_ps(mixed_d, mixed_c)));
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const __m128i ab = _mm_packs_epi32(_mm_castps_si128(a), _mm_castps_si128(b));
    const __m128i cd = _mm_packs_epi32(_mm_castps_si128(c), _mm_castps_si128(d));
    const __m128i all = _mm_cmpeq_epi32(_mm_packs_epi16(ab, cd), _mm_set1_epi32(-1));
    const uint32_t bits = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(all));
    const uint32_t bytes = bits * 0x00204081u & 0x01010101u;
    memcpy(to, &bytes, sizeof bytes);
    return bytes * 0x01010101u >> 24;
}

#include "lanes_four.h"

#endif
