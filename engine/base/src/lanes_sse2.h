/// @file lanes_sse2.h
/// The operations of lanes.h by SSE2. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_SSE2_H
#define GRZ_LANES_SSE2_H

#include <emmintrin.h>

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

static inline floats add_floats(floats a, floats b)
{
    return _mm_add_ps(a, b);
}

static inline floats sub_floats(floats a, floats b)
{
    return _mm_sub_ps(a, b);
}

static inline floats mul_floats(floats a, floats b)
{
    return _mm_mul_ps(a, b);
}

static inline floats div_floats(floats a, floats b)
{
    return _mm_div_ps(a, b);
}

static inline floats root_floats(floats a)
{
    return _mm_sqrt_ps(a);
}

static inline floats lesser_floats(floats a, floats b)
{
    return _mm_min_ps(a, b);
}

static inline floats greater_floats(floats a, floats b)
{
    return _mm_max_ps(a, b);
}

static inline floats_mask less_floats(floats a, floats b)
{
    return _mm_cmplt_ps(a, b);
}

static inline floats_mask at_most_floats(floats a, floats b)
{
    return _mm_cmple_ps(a, b);
}

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

static inline doubles add_doubles(doubles a, doubles b)
{
    return _mm_add_pd(a, b);
}

static inline doubles sub_doubles(doubles a, doubles b)
{
    return _mm_sub_pd(a, b);
}

static inline doubles mul_doubles(doubles a, doubles b)
{
    return _mm_mul_pd(a, b);
}

static inline doubles div_doubles(doubles a, doubles b)
{
    return _mm_div_pd(a, b);
}

static inline doubles root_doubles(doubles a)
{
    return _mm_sqrt_pd(a);
}

static inline doubles lesser_doubles(doubles a, doubles b)
{
    return _mm_min_pd(a, b);
}

static inline doubles greater_doubles(doubles a, doubles b)
{
    return _mm_max_pd(a, b);
}

static inline doubles_mask less_doubles(doubles a, doubles b)
{
    return _mm_cmplt_pd(a, b);
}

static inline doubles_mask at_most_doubles(doubles a, doubles b)
{
    return _mm_cmple_pd(a, b);
}

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}

static inline ints load_ints(const uint32_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline void store_ints(uint32_t *to, ints a)
{
    _mm_storeu_si128((__m128i *)(void *)to, a);
}

static inline ints fill_ints(uint32_t number)
{
    return _mm_set1_epi32((int32_t)number);
}

static inline ints add_ints(ints a, ints b)
{
    return _mm_add_epi32(a, b);
}

static inline ints sub_ints(ints a, ints b)
{
    return _mm_sub_epi32(a, b);
}

static inline ints mul_ints(ints a, ints b)
{
    const ints even = _mm_mul_epu32(a, b);
    const ints odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0)),
                              _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0)));
}

static inline ints and_ints(ints a, ints b)
{
    return _mm_and_si128(a, b);
}

static inline ints or_ints(ints a, ints b)
{
    return _mm_or_si128(a, b);
}

static inline ints shift_ints(ints a, uint32_t count)
{
    return _mm_sll_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

static inline floats_mask less_ints(ints a, ints b)
{
    return _mm_castsi128_ps(_mm_cmplt_epi32(a, b));
}

static inline floats_mask mask_and(floats_mask a, floats_mask b)
{
    return _mm_and_ps(a, b);
}

static inline floats_mask mask_or(floats_mask a, floats_mask b)
{
    return _mm_or_ps(a, b);
}

static inline floats_mask mask_but_not(floats_mask a, floats_mask b)
{
    return _mm_andnot_ps(b, a);
}

static inline uint32_t mask_bits(floats_mask mask)
{
    return (uint32_t)_mm_movemask_ps(mask);
}

static inline doubles_mask mask_and_d(doubles_mask a, doubles_mask b)
{
    return _mm_and_pd(a, b);
}

static inline doubles_mask mask_or_d(doubles_mask a, doubles_mask b)
{
    return _mm_or_pd(a, b);
}

static inline doubles_mask mask_but_not_d(doubles_mask a, doubles_mask b)
{
    return _mm_andnot_pd(b, a);
}

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    return (uint32_t)_mm_movemask_pd(mask);
}

static inline doubles widen_low(floats a)
{
    return _mm_cvtps_pd(a);
}

static inline doubles widen_high(floats a)
{
    return _mm_cvtps_pd(_mm_movehl_ps(a, a));
}

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

// Of four bits at most: sixteen digits, looked up.
static inline uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)(UINT64_C(0x4332322132212110) >> bits * 4) & 7;
}

// Stored lane by lane, each over what the one before has left out: no branch decides.
static inline void pack_floats(float *to, uint32_t bits, floats a)
{
    float lane[GRZ_WIDTH];
    store_floats(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
}

static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    uint32_t lane[GRZ_WIDTH];
    store_ints(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
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

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    const doubles first = load_point(&from[index[0]]), second = load_point(&from[index[1]]);
    *x = _mm_unpacklo_pd(first, second);
    *y = _mm_unpackhi_pd(first, second);
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

static inline void load_pairs(const uint32_t *from, ints *a, ints *b)
{
    const __m128 first = _mm_castsi128_ps(load_ints(from));
    const __m128 second = _mm_castsi128_ps(load_ints(from + 4));
    *a = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    *b = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi32(low, high));
    _mm_storeu_si128((__m128i *)(void *)(to + 2), _mm_unpackhi_epi32(low, high));
}

static inline void pack_longs(uint64_t *to, uint32_t bits, const uint64_t *from)
{
    const uint64_t first = from[0], second = from[1];
    to[0] = first;
    to[bits & 1] = second;
}

static inline ints number_lanes(void)
{
    return _mm_set_epi32(3, 2, 1, 0);
}

static inline floats_mask first_lanes(uint32_t count)
{
    return _mm_castsi128_ps(_mm_cmplt_epi32(number_lanes(), _mm_set1_epi32((int32_t)count)));
}

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    const ints chosen = _mm_castps_si128(mask);
    return _mm_or_si128(_mm_and_si128(chosen, a), _mm_andnot_si128(chosen, b));
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    uint32_t seconds[GRZ_WIDTH], count = 0;
    store_ints(seconds, b);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[2 * count] = a;
        to[2 * count + 1] = seconds[k];
        count += bits >> k & 1;
    }
    return count;
}

static inline uint32_t store_few_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    return store_pairs(to, bits, a, b);
}

static inline doubles negate_doubles(doubles a)
{
    return _mm_xor_pd(a, _mm_set1_pd(-0.0));
}

static inline doubles absolute_doubles(doubles a)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}

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

static inline floats low_halves(floats a, floats b)
{
    return _mm_movelh_ps(a, b);
}

static inline floats high_halves(floats a, floats b)
{
    return _mm_movehl_ps(b, a);
}

static inline floats mix_halves(floats a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 1, 2, 0));
}

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

#endif
