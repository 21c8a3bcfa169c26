/// @file lanes_avx2.h
/// The operations of lanes.h by AVX2. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_AVX2_H
#define GRZ_LANES_AVX2_H

#include "lanes_packed.h"

#include <immintrin.h>
#include <string.h>

#define GRZ_WIDTH   8
#define GRZ_WIDTH_D 4

typedef __m256 floats;
typedef __m256d doubles;
typedef __m256i ints;
typedef __m256 floats_mask;
typedef __m256d doubles_mask;

static inline __m128 load_two_points(const graze_vec2 *first, const graze_vec2 *second)
{
    const __m128 low = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)first));
    return _mm_loadh_pi(low, (const __m64 *)(const void *)second);
}

static inline floats load_floats(const float *from)
{
    return _mm256_loadu_ps(from);
}

static inline floats load_half(const float *from)
{
    return _mm256_zextps128_ps256(_mm_loadu_ps(from));
}

static inline void store_floats(float *to, floats a)
{
    _mm256_storeu_ps(to, a);
}

static inline void stream_floats(float *to, floats a)
{
    _mm256_stream_ps(to, a);
}

static inline floats fill_floats(float number)
{
    return _mm256_set1_ps(number);
}

GRZ_BINARY(floats, add_floats, floats, _mm256_add_ps(a, b))
GRZ_BINARY(floats, sub_floats, floats, _mm256_sub_ps(a, b))
GRZ_BINARY(floats, mul_floats, floats, _mm256_mul_ps(a, b))
GRZ_BINARY(floats, div_floats, floats, _mm256_div_ps(a, b))
GRZ_UNARY(floats, sqrt_floats, floats, _mm256_sqrt_ps(a))
GRZ_BINARY(floats, min_floats, floats, _mm256_min_ps(a, b))
GRZ_BINARY(floats, max_floats, floats, _mm256_max_ps(a, b))
GRZ_BINARY(floats_mask, less_floats, floats, _mm256_cmp_ps(a, b, _CMP_LT_OQ))
GRZ_BINARY(floats_mask, at_most_floats, floats, _mm256_cmp_ps(a, b, _CMP_LE_OQ))

static inline floats select_floats(floats_mask mask, floats a, floats b)
{
    return _mm256_blendv_ps(b, a, mask);
}

static inline doubles load_doubles(const double *from)
{
    return _mm256_loadu_pd(from);
}

static inline void store_doubles(double *to, doubles a)
{
    _mm256_storeu_pd(to, a);
}

static inline doubles fill_doubles(double number)
{
    return _mm256_set1_pd(number);
}

GRZ_BINARY(doubles, add_doubles, doubles, _mm256_add_pd(a, b))
GRZ_BINARY(doubles, sub_doubles, doubles, _mm256_sub_pd(a, b))
GRZ_BINARY(doubles, mul_doubles, doubles, _mm256_mul_pd(a, b))
GRZ_BINARY(doubles, div_doubles, doubles, _mm256_div_pd(a, b))
GRZ_UNARY(doubles, sqrt_doubles, doubles, _mm256_sqrt_pd(a))
GRZ_BINARY(doubles, min_doubles, doubles, _mm256_min_pd(a, b))
GRZ_BINARY(doubles, max_doubles, doubles, _mm256_max_pd(a, b))
GRZ_BINARY(doubles_mask, less_doubles, doubles, _mm256_cmp_pd(a, b, _CMP_LT_OQ))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, _mm256_cmp_pd(a, b, _CMP_LE_OQ))

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return _mm256_blendv_pd(b, a, mask);
}

static inline ints load_ints(const uint32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline ints read_ints(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline void store_ints(uint32_t *to, ints a)
{
    _mm256_storeu_si256((__m256i *)(void *)to, a);
}

static inline void write_ints(void *to, ints a)
{
    _mm256_storeu_si256((__m256i *)to, a);
}

static inline ints fill_ints(uint32_t number)
{
    return _mm256_set1_epi32((int32_t)number);
}

static inline ints hold_ints(uint32_t number)
{
    ints held = fill_ints(number);
    __asm__("" : "+x"(held));
    return held;
}

GRZ_BINARY(ints, add_ints, ints, _mm256_add_epi32(a, b))
GRZ_BINARY(ints, sub_ints, ints, _mm256_sub_epi32(a, b))
GRZ_BINARY(ints, mul_ints, ints, _mm256_mullo_epi32(a, b))
GRZ_BINARY(ints, and_ints, ints, _mm256_and_si256(a, b))
GRZ_BINARY(ints, or_ints, ints, _mm256_or_si256(a, b))
GRZ_BINARY(ints, min_ints, ints, _mm256_min_epi32(a, b))
GRZ_BINARY(ints, min_unsigned, ints, _mm256_min_epu32(a, b))

static inline ints shift_left(ints a, uint32_t count)
{
    return _mm256_sll_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

static inline ints shift_right(ints a, uint32_t count)
{
    return _mm256_srl_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

static inline ints rotate_ints(ints a, uint32_t count)
{
    return _mm256_or_si256(shift_left(a, count), shift_right(a, 32 - count));
}

static inline ints swap_shorts(ints a)
{
    const __m128i bytes = _mm_set_epi64x(0x0d0c0f0e09080b0a, 0x0504070601000302);
    return _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(bytes));
}

GRZ_BINARY(floats_mask, equal_ints, ints, _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)))
GRZ_BINARY(floats_mask, less_ints, ints, _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)))

static inline ints count_in(ints a, floats_mask mask)
{
    return _mm256_sub_epi32(a, _mm256_castps_si256(mask));
}

GRZ_BINARY(floats_mask, mask_and, floats_mask, _mm256_and_ps(a, b))
GRZ_BINARY(floats_mask, mask_or, floats_mask, _mm256_or_ps(a, b))
GRZ_BINARY(floats_mask, mask_but_not, floats_mask, _mm256_andnot_ps(b, a))

static inline uint32_t mask_bits(floats_mask mask)
{
    return (uint32_t)_mm256_movemask_ps(mask);
}

GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, _mm256_and_pd(a, b))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, _mm256_or_pd(a, b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, _mm256_andnot_pd(b, a))

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    return (uint32_t)_mm256_movemask_pd(mask);
}

GRZ_UNARY(doubles, widen_low, floats, _mm256_cvtps_pd(_mm256_castps256_ps128(a)))
GRZ_UNARY(doubles, widen_high, floats, _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)))

static inline floats narrow_doubles(doubles low, doubles high)
{
    const __m256 lower = _mm256_castps128_ps256(_mm256_cvtpd_ps(low));
    return _mm256_insertf128_ps(lower, _mm256_cvtpd_ps(high), 1);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    const __m256i lower = _mm256_castsi128_si256(_mm256_cvttpd_epi32(low));
    return _mm256_inserti128_si256(lower, _mm256_cvttpd_epi32(high), 1);
}

static inline ints floor_doubles(doubles low, doubles high)
{
    return truncate_doubles(_mm256_floor_pd(low), _mm256_floor_pd(high));
}

static inline uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)_mm_popcnt_u32(bits);
}

// Instructions that move lanes use only the lowest three bits of a number.
static inline __m256i lanes_to_pack(uint32_t bits)
{
    return _mm256_cvtepu8_epi32(_mm_set_epi64x(0, (int64_t)packed_lanes(bits)));
}

static inline void pack_floats(float *to, uint32_t bits, floats a)
{
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(a, lanes_to_pack(bits)));
}

static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    pack_floats((float *)(void *)to, bits, _mm256_castsi256_ps(a));
}

static inline ints number_set_lanes(uint32_t bits)
{
    return _mm256_srli_epi32(lanes_to_pack(bits), 4);
}

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    // Points 0 1 4 5 2 3 6 7, then in order.
    const floats first = load_floats(&from[0].x), second = load_floats(&from[4].x);
    const floats all_x = _mm256_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0));
    const floats all_y = _mm256_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1));
    const __m256d ordered_x =
        _mm256_permute4x64_pd(_mm256_castps_pd(all_x), _MM_SHUFFLE(3, 1, 2, 0));
    const __m256d ordered_y =
        _mm256_permute4x64_pd(_mm256_castps_pd(all_y), _MM_SHUFFLE(3, 1, 2, 0));
    *x = _mm256_castpd_ps(ordered_x);
    *y = _mm256_castpd_ps(ordered_y);
}

static inline floats order_halves(floats a)
{
    const __m256d ordered = _mm256_permute4x64_pd(_mm256_castps_pd(a), _MM_SHUFFLE(3, 1, 2, 0));
    return _mm256_castpd_ps(ordered);
}

static inline void split_points(const graze_vec2 *from, floats *even, floats *odd)
{
    const floats first = load_floats(&from[0].x), second = load_floats(&from[4].x);
    *even = order_halves(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(1, 0, 1, 0)));
    *odd = order_halves(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(3, 2, 3, 2)));
}

static inline void join_points(floats x, floats y, floats *first, floats *second)
{
    // Points 0 1 4 5 and 2 3 6 7, then in order.
    const floats low = _mm256_unpacklo_ps(x, y), high = _mm256_unpackhi_ps(x, y);
    *first = _mm256_permute2f128_ps(low, high, 0x20);
    *second = _mm256_permute2f128_ps(low, high, 0x31);
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    floats first, second;
    join_points(x, y, &first, &second);
    store_floats(&to[0].x, first);
    store_floats(&to[4].x, second);
}

static inline void stream_points(graze_vec2 *to, floats x, floats y)
{
    floats first, second;
    join_points(x, y, &first, &second);
    stream_floats(&to[0].x, first);
    stream_floats(&to[4].x, second);
}

// Of each four lanes the first two of a, then of b; or the last two.
static inline floats join_lows(floats a, floats b)
{
    return _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 1, 0));
}

static inline floats join_highs(floats a, floats b)
{
    return _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline floats load_two_boxes(const graze_aabb *first, const graze_aabb *second)
{
    return _mm256_set_m128(_mm_loadu_ps(&second->lower.x), _mm_loadu_ps(&first->lower.x));
}

static inline void gather_boxes(const graze_aabb *from, const uint32_t *index, floats *lower_x,
                                floats *lower_y, floats *upper_x, floats *upper_y)
{
    const floats a = load_two_boxes(&from[index[0]], &from[index[4]]);
    const floats b = load_two_boxes(&from[index[1]], &from[index[5]]);
    const floats c = load_two_boxes(&from[index[2]], &from[index[6]]);
    const floats d = load_two_boxes(&from[index[3]], &from[index[7]]);
    const floats lower_ab = _mm256_unpacklo_ps(a, b), upper_ab = _mm256_unpackhi_ps(a, b);
    const floats lower_cd = _mm256_unpacklo_ps(c, d), upper_cd = _mm256_unpackhi_ps(c, d);
    *lower_x = join_lows(lower_ab, lower_cd);
    *lower_y = join_highs(lower_ab, lower_cd);
    *upper_x = join_lows(upper_ab, upper_cd);
    *upper_y = join_highs(upper_ab, upper_cd);
}

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    const uint32_t places[GRZ_WIDTH] = {0, 1, 2, 3, 4, 5, 6, 7};
    gather_boxes(from, places, lower_x, lower_y, upper_x, upper_y);
}

// Boxes 0 4, 1 5, 2 6 and 3 7.
static inline void pair_boxes(floats lower_x, floats lower_y, floats upper_x, floats upper_y,
                              floats two_each[4])
{
    const floats lower_low = _mm256_unpacklo_ps(lower_x, lower_y);
    const floats lower_high = _mm256_unpackhi_ps(lower_x, lower_y);
    const floats upper_low = _mm256_unpacklo_ps(upper_x, upper_y);
    const floats upper_high = _mm256_unpackhi_ps(upper_x, upper_y);
    two_each[0] = join_lows(lower_low, upper_low);
    two_each[1] = join_highs(lower_low, upper_low);
    two_each[2] = join_lows(lower_high, upper_high);
    two_each[3] = join_highs(lower_high, upper_high);
}

static inline void join_boxes(floats lower_x, floats lower_y, floats upper_x, floats upper_y,
                              floats two_each[4])
{
    floats pairs[4];
    pair_boxes(lower_x, lower_y, upper_x, upper_y, pairs);
    two_each[0] = _mm256_permute2f128_ps(pairs[0], pairs[1], 0x20);
    two_each[1] = _mm256_permute2f128_ps(pairs[2], pairs[3], 0x20);
    two_each[2] = _mm256_permute2f128_ps(pairs[0], pairs[1], 0x31);
    two_each[3] = _mm256_permute2f128_ps(pairs[2], pairs[3], 0x31);
}

static inline void scatter_boxes(graze_aabb *to, const uint32_t *index, floats lower_x,
                                 floats lower_y, floats upper_x, floats upper_y)
{
    floats pairs[4];
    pair_boxes(lower_x, lower_y, upper_x, upper_y, pairs);
    for (uint32_t k = 0; k < 4; ++k) {
        _mm_storeu_ps(&to[index[k]].lower.x, _mm256_castps256_ps128(pairs[k]));
        _mm_storeu_ps(&to[index[k + 4]].lower.x, _mm256_extractf128_ps(pairs[k], 1));
    }
}

static inline void store_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                               floats upper_y)
{
    floats two_each[4];
    join_boxes(lower_x, lower_y, upper_x, upper_y, two_each);
    for (uint32_t k = 0; k < 4; ++k) {
        store_floats(&to[2 * k].lower.x, two_each[k]);
    }
}

static inline void stream_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                                floats upper_y)
{
    floats two_each[4];
    join_boxes(lower_x, lower_y, upper_x, upper_y, two_each);
    for (uint32_t k = 0; k < 4; ++k) {
        stream_floats(&to[2 * k].lower.x, two_each[k]);
    }
}

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    const __m128 first = load_two_points(&from[index[0]], &from[index[1]]);
    const __m128 second = load_two_points(&from[index[2]], &from[index[3]]);
    *x = _mm256_cvtps_pd(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    *y = _mm256_cvtps_pd(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
}

static inline doubles load_two_pairs(const double *first, const double *second)
{
    return _mm256_set_m128d(_mm_loadu_pd(second), _mm_loadu_pd(first));
}

static inline void gather_pairs(const double *from, const uint32_t *index, doubles *x, doubles *y)
{
    const doubles even = load_two_pairs(&from[index[0]], &from[index[2]]);
    const doubles odd = load_two_pairs(&from[index[1]], &from[index[3]]);
    *x = _mm256_unpacklo_pd(even, odd);
    *y = _mm256_unpackhi_pd(even, odd);
}

static inline void scatter_pairs(double *to, const uint32_t *index, doubles x, doubles y)
{
    const doubles even = _mm256_unpacklo_pd(x, y), odd = _mm256_unpackhi_pd(x, y);
    _mm_storeu_pd(&to[index[0]], _mm256_castpd256_pd128(even));
    _mm_storeu_pd(&to[index[1]], _mm256_castpd256_pd128(odd));
    _mm_storeu_pd(&to[index[2]], _mm256_extractf128_pd(even, 1));
    _mm_storeu_pd(&to[index[3]], _mm256_extractf128_pd(odd, 1));
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    const __m128 first = load_two_points(&from[index[0]], &from[index[1]]);
    const __m128 second = load_two_points(&from[index[2]], &from[index[3]]);
    return _mm256_castps_si256(_mm256_set_m128(second, first));
}

static inline __m128i gather_four(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return _mm_set_epi32((int32_t)from[index[3 * stride]], (int32_t)from[index[2 * stride]],
                         (int32_t)from[index[stride]], (int32_t)from[index[0]]);
}

// By eight loads: the gathering instruction is microcode on some processors.
static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return _mm256_set_m128i(gather_four(from, index + 4 * stride, stride),
                            gather_four(from, index, stride));
}

static inline ints gather_halves(const uint32_t *from, const uint32_t *low, const uint32_t *high)
{
    return _mm256_set_m128i(gather_four(from, high, 1), gather_four(from, low, 1));
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    const char *next = from;
    // Pairs 0 1 4 5 2 3 6 7, then in order.
    const __m256 first = _mm256_castsi256_ps(read_ints(next));
    const __m256 second = _mm256_castsi256_ps(read_ints(next + 32));
    const __m256 all_a = _mm256_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 all_b = _mm256_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1));
    *a = _mm256_permute4x64_epi64(_mm256_castps_si256(all_a), _MM_SHUFFLE(3, 1, 2, 0));
    *b = _mm256_permute4x64_epi64(_mm256_castps_si256(all_b), _MM_SHUFFLE(3, 1, 2, 0));
}

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    // In each of the three parts the words of a lie in other lanes, likewise those of b and of c:
    // so blends bring them together.
    const char *next = from;
    const ints first = read_ints(next), second = read_ints(next + 32), third = read_ints(next + 64);
    const ints all_a = _mm256_blend_epi32(_mm256_blend_epi32(first, second, 0x92), third, 0x24);
    const ints all_b = _mm256_blend_epi32(_mm256_blend_epi32(first, second, 0x24), third, 0x49);
    const ints all_c = _mm256_blend_epi32(_mm256_blend_epi32(first, second, 0x49), third, 0x92);
    *a = _mm256_permutevar8x32_epi32(all_a, _mm256_set_epi32(5, 2, 7, 4, 1, 6, 3, 0));
    *b = _mm256_permutevar8x32_epi32(all_b, _mm256_set_epi32(6, 3, 0, 5, 2, 7, 4, 1));
    *c = _mm256_permutevar8x32_epi32(all_c, _mm256_set_epi32(7, 4, 1, 6, 3, 0, 5, 2));
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    // 0 1 4 5 and 2 3 6 7, then in order.
    const ints first = _mm256_unpacklo_epi32(low, high), second = _mm256_unpackhi_epi32(low, high);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(to + 4),
                        _mm256_permute2x128_si256(first, second, 0x31));
}

// By the bits that are set, for each 64-bit lane: twice the number of its source.
static inline ints longs_to_pack(uint32_t bits)
{
    const ints lanes = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int32_t)packed_lanes(bits)));
    return _mm256_or_si256(lanes, _mm256_slli_epi64(lanes, 32));
}

static inline void pack_longs(uint64_t *to, uint32_t bits, const uint64_t *from)
{
    const ints lanes = longs_to_pack(bits), uppers = _mm256_set1_epi64x(INT64_C(1) << 32);
    const ints halves = _mm256_add_epi32(_mm256_add_epi32(lanes, lanes), uppers);
    const ints all = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(all, halves));
}

static inline ints number_lanes(void)
{
    return _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
}

static inline floats_mask first_lanes(uint32_t count)
{
    const ints counts = _mm256_set1_epi32((int32_t)count);
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(counts, number_lanes()));
}

static inline ints keep_ints(floats_mask mask, ints a)
{
    return _mm256_and_si256(_mm256_castps_si256(mask), a);
}

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    return _mm256_blendv_epi8(b, a, _mm256_castps_si256(mask));
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    // All lanes packed, then beside a: the first two pairs of both fours, and the last.
    const ints seconds = _mm256_permutevar8x32_epi32(b, lanes_to_pack(bits));
    const ints firsts = _mm256_set1_epi32((int32_t)a);
    const ints early = _mm256_unpacklo_epi32(firsts, seconds);
    const ints late = _mm256_unpackhi_epi32(firsts, seconds);
    store_ints(to, _mm256_permute2x128_si256(early, late, 0x20));
    store_ints(to + GRZ_WIDTH, _mm256_permute2x128_si256(early, late, 0x31));
    return count_bits(bits);
}

static inline uint32_t store_few_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    return store_pairs(to, bits, a, b);
}

static inline uint32_t store_places(uint32_t *to, uint32_t bits, uint32_t a, uint32_t first)
{
    return store_few_pairs(to, bits, a, add_ints(fill_ints(first), number_lanes()));
}

GRZ_UNARY(doubles, negate_doubles, doubles, _mm256_xor_pd(a, _mm256_set1_pd(-0.0)))
GRZ_UNARY(doubles, absolute_doubles, doubles, _mm256_andnot_pd(_mm256_set1_pd(-0.0), a))

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + stride);
    __m128 c = _mm_loadu_ps(from + 2 * stride), d = _mm_loadu_ps(from + 3 * stride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    columns[0] = _mm256_cvtps_pd(a);
    columns[1] = _mm256_cvtps_pd(b);
    columns[2] = _mm256_cvtps_pd(c);
    columns[3] = _mm256_cvtps_pd(d);
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    __m128 first = _mm256_cvtpd_ps(a), second = _mm256_cvtpd_ps(b);
    __m128 third = _mm256_cvtpd_ps(c), fourth = _mm256_cvtpd_ps(d);
    _MM_TRANSPOSE4_PS(first, second, third, fourth);
    _mm_storeu_ps(to, first);
    _mm_storeu_ps(to + stride, second);
    _mm_storeu_ps(to + 2 * stride, third);
    _mm_storeu_ps(to + 3 * stride, fourth);
}

static inline __m128 round_where(doubles_mask mask, doubles a)
{
    return _mm256_cvtpd_ps(_mm256_and_pd(mask, a));
}

// Two sixes; each vector holds two words of them.
static inline void store_two_sixes(float *to, __m128 first, __m128 second, __m128 third)
{
    _mm_storeu_ps(to, _mm_movelh_ps(first, second));
    _mm_storeu_ps(to + 4, _mm_shuffle_ps(third, first, _MM_SHUFFLE(3, 2, 1, 0)));
    _mm_storeu_ps(to + 8, _mm_movehl_ps(third, second));
}

static inline void store_sixes(void *to, doubles_mask mask, doubles a, doubles b, doubles c,
                               doubles d, doubles e)
{
    const __m256d whole = _mm256_castsi256_pd(_mm256_set1_epi64x(1));
    const __m256i flags = _mm256_castpd_si256(_mm256_and_pd(mask, whole));
    const __m128 first = _mm_castsi128_ps(_mm256_castsi256_si128(flags));
    const __m128 last = _mm_castsi128_ps(_mm256_extracti128_si256(flags, 1));
    const __m128 flag = _mm_shuffle_ps(first, last, _MM_SHUFFLE(2, 0, 2, 0));
    const __m128 one = round_where(mask, a), two = round_where(mask, b);
    const __m128 three = round_where(mask, c), four = round_where(mask, d);
    const __m128 five = round_where(mask, e);
    float *next = (float *)to;
    store_two_sixes(next, _mm_unpacklo_ps(flag, one), _mm_unpacklo_ps(two, three),
                    _mm_unpacklo_ps(four, five));
    store_two_sixes(next + 12, _mm_unpackhi_ps(flag, one), _mm_unpackhi_ps(two, three),
                    _mm_unpackhi_ps(four, five));
}

#include "lanes_nines.h"
#include "lanes_seventeens.h"

GRZ_BINARY(floats, low_halves, floats, _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 1, 0)))
GRZ_BINARY(floats, high_halves, floats, _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 2, 3, 2)))

// With signs flipped, at least becomes at most: so each of the two is loaded only once, as an
// operand of another instruction.
static inline floats_mask overlap_fours(floats a, floats b)
{
    const __m256 signs = _mm256_set_ps(-0.0f, -0.0f, 0, 0, -0.0f, -0.0f, 0, 0);
    const __m256 other = _mm256_permute_ps(b, _MM_SHUFFLE(1, 0, 3, 2));
    return at_most_floats(_mm256_xor_ps(a, signs), _mm256_xor_ps(other, signs));
}

static inline doubles mix_halves(floats a, ints order)
{
    return _mm256_castps_pd(_mm256_permutevar8x32_ps(a, order));
}

static inline void store_mixed(void *to, doubles a, doubles b, doubles c, doubles d)
{
    double *octets = (double *)to;
    const doubles even_ab = _mm256_unpacklo_pd(a, b), odd_ab = _mm256_unpackhi_pd(a, b);
    const doubles even_cd = _mm256_unpacklo_pd(c, d), odd_cd = _mm256_unpackhi_pd(c, d);
    _mm256_storeu_pd(octets, _mm256_permute2f128_pd(even_ab, even_cd, 0x20));
    _mm256_storeu_pd(octets + 4, _mm256_permute2f128_pd(odd_ab, odd_cd, 0x20));
    _mm256_storeu_pd(octets + 8, _mm256_permute2f128_pd(even_ab, even_cd, 0x31));
    _mm256_storeu_pd(octets + 12, _mm256_permute2f128_pd(odd_ab, odd_cd, 0x31));
}

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    const ints order = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0);
    store_mixed(to, mix_halves(a, order), mix_halves(b, order), mix_halves(c, order),
                mix_halves(d, order));
}

static inline void pack_octets(void *to, uint32_t bits, ints a, floats b, floats c, floats d)
{
    const ints uppers = _mm256_set1_epi64x(INT64_C(4) << 32);
    const ints order = _mm256_add_epi32(longs_to_pack(bits), uppers);
    store_mixed(to, mix_halves(_mm256_castsi256_ps(a), order), mix_halves(b, order),
                mix_halves(c, order), mix_halves(d, order));
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const __m128i order = _mm_set_epi64x(-1, 0x0E060C040A020800);
    const __m256i ab = _mm256_packs_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b));
    const __m256i cd = _mm256_packs_epi32(_mm256_castps_si256(c), _mm256_castps_si256(d));
    const __m256i all = _mm256_cmpeq_epi32(_mm256_packs_epi16(ab, cd), _mm256_set1_epi32(-1));
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    const __m128i bytes = _mm_and_si128(_mm_shuffle_epi8(words, order), _mm_set1_epi8(1));
    _mm_storel_epi64((__m128i *)(void *)to, bytes);
    return (uint32_t)_mm_popcnt_u32((uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(all)));
}

#endif
