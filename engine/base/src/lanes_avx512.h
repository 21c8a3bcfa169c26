/// @file lanes_avx512.h
/// The operations of lanes.h by AVX-512 (F, BW, DQ, VL). Included by lanes_begin.h alone.
#ifndef GRZ_LANES_AVX512_H
#define GRZ_LANES_AVX512_H

#include <immintrin.h>

#define GRZ_WIDTH   16
#define GRZ_WIDTH_D 8

typedef __m512 floats;
typedef __m512d doubles;
typedef __m512i ints;
typedef __mmask16 floats_mask;
typedef __mmask8 doubles_mask;

static inline floats load_floats(const float *from)
{
    return _mm512_loadu_ps(from);
}

static inline floats load_half(const float *from)
{
    return _mm512_zextps256_ps512(_mm256_loadu_ps(from));
}

static inline void store_floats(float *to, floats a)
{
    _mm512_storeu_ps(to, a);
}

static inline void stream_floats(float *to, floats a)
{
    _mm512_stream_ps(to, a);
}

static inline floats fill_floats(float number)
{
    return _mm512_set1_ps(number);
}

GRZ_BINARY(floats, add_floats, floats, _mm512_add_ps(a, b))
GRZ_BINARY(floats, sub_floats, floats, _mm512_sub_ps(a, b))
GRZ_BINARY(floats, mul_floats, floats, _mm512_mul_ps(a, b))
GRZ_BINARY(floats, div_floats, floats, _mm512_div_ps(a, b))
GRZ_UNARY(floats, sqrt_floats, floats, _mm512_sqrt_ps(a))
GRZ_BINARY(floats, min_floats, floats, _mm512_min_ps(a, b))
GRZ_BINARY(floats, max_floats, floats, _mm512_max_ps(a, b))
GRZ_BINARY(floats_mask, less_floats, floats, _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ))
GRZ_BINARY(floats_mask, at_most_floats, floats, _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ))

static inline floats select_floats(floats_mask mask, floats a, floats b)
{
    return _mm512_mask_blend_ps(mask, b, a);
}

static inline doubles load_doubles(const double *from)
{
    return _mm512_loadu_pd(from);
}

static inline void store_doubles(double *to, doubles a)
{
    _mm512_storeu_pd(to, a);
}

static inline doubles fill_doubles(double number)
{
    return _mm512_set1_pd(number);
}

GRZ_BINARY(doubles, add_doubles, doubles, _mm512_add_pd(a, b))
GRZ_BINARY(doubles, sub_doubles, doubles, _mm512_sub_pd(a, b))
GRZ_BINARY(doubles, mul_doubles, doubles, _mm512_mul_pd(a, b))
GRZ_BINARY(doubles, div_doubles, doubles, _mm512_div_pd(a, b))
GRZ_UNARY(doubles, sqrt_doubles, doubles, _mm512_sqrt_pd(a))
GRZ_BINARY(doubles, min_doubles, doubles, _mm512_min_pd(a, b))
GRZ_BINARY(doubles, max_doubles, doubles, _mm512_max_pd(a, b))
GRZ_BINARY(doubles_mask, less_doubles, doubles, _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ))

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return _mm512_mask_blend_pd(mask, b, a);
}

static inline ints load_ints(const uint32_t *from)
{
    return _mm512_loadu_si512((const __m512i *)(const void *)from);
}

static inline ints read_ints(const void *from)
{
    return _mm512_loadu_si512(from);
}

static inline void store_ints(uint32_t *to, ints a)
{
    _mm512_storeu_si512((__m512i *)(void *)to, a);
}

static inline void write_ints(void *to, ints a)
{
    _mm512_storeu_si512(to, a);
}

static inline ints fill_ints(uint32_t number)
{
    return _mm512_set1_epi32((int32_t)number);
}

GRZ_BINARY(ints, add_ints, ints, _mm512_add_epi32(a, b))
GRZ_BINARY(ints, sub_ints, ints, _mm512_sub_epi32(a, b))
GRZ_BINARY(ints, mul_ints, ints, _mm512_mullo_epi32(a, b))
GRZ_BINARY(ints, and_ints, ints, _mm512_and_si512(a, b))
GRZ_BINARY(ints, or_ints, ints, _mm512_or_si512(a, b))
GRZ_BINARY(ints, min_ints, ints, _mm512_min_epi32(a, b))
GRZ_BINARY(ints, min_unsigned, ints, _mm512_min_epu32(a, b))

static inline ints shift_left(ints a, uint32_t count)
{
    return _mm512_sll_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

static inline ints shift_right(ints a, uint32_t count)
{
    return _mm512_srl_epi32(a, _mm_cvtsi32_si128((int32_t)count));
}

typedef uint32_t unsigned_lanes __attribute__((vector_size(64)));

// Compilers make one instruction of it, with a constant count; a variable count would take a vector
// of counts.
static inline ints rotate_ints(ints a, uint32_t count)
{
    const unsigned_lanes lanes = (unsigned_lanes)a;
    return (ints)(lanes << count | lanes >> (32 - count));
}

static inline ints swap_shorts(ints a)
{
    return _mm512_rol_epi32(a, 16);
}

static inline ints hold_ints(uint32_t number)
{
    ints held = fill_ints(number);
    __asm__("" : "+v"(held));
    return held;
}

GRZ_BINARY(floats_mask, equal_ints, ints, _mm512_cmpeq_epi32_mask(a, b))
GRZ_BINARY(floats_mask, less_ints, ints, _mm512_cmplt_epi32_mask(a, b))

static inline ints count_in(ints a, floats_mask mask)
{
    return _mm512_mask_add_epi32(a, mask, a, fill_ints(1));
}

// Forces both into registers: otherwise compilers mask the second comparison by the first, which
// makes it wait.
static inline floats_mask mask_and(floats_mask a, floats_mask b)
{
    __asm__("" : "+k"(a), "+k"(b));
    return (floats_mask)(a & b);
}

GRZ_BINARY(floats_mask, mask_or, floats_mask, (floats_mask)(a | b))
GRZ_BINARY(floats_mask, mask_but_not, floats_mask, (floats_mask)(a & ~b))

// gcc 12 for i686 spills 16 bits of a mask and loads 32, unless they are forced into a register.
static inline uint32_t mask_bits(floats_mask mask)
{
    uint32_t bits = mask;
#if defined(__GNUC__) && defined(__i386__)
    __asm__("" : "+r"(bits));
#endif
    return bits;
}

GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, (doubles_mask)((a) & (b)))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, (doubles_mask)(a | b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, (doubles_mask)(a & ~b))

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    return mask;
}

GRZ_UNARY(doubles, widen_low, floats, _mm512_cvtps_pd(_mm512_castps512_ps256(a)))
GRZ_UNARY(doubles, widen_high, floats, _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)))

static inline floats narrow_doubles(doubles low, doubles high)
{
    const __m512 lower = _mm512_castps256_ps512(_mm512_cvtpd_ps(low));
    return _mm512_insertf32x8(lower, _mm512_cvtpd_ps(high), 1);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    const __m512i lower = _mm512_castsi256_si512(_mm512_cvttpd_epi32(low));
    return _mm512_inserti32x8(lower, _mm512_cvttpd_epi32(high), 1);
}

static inline ints floor_doubles(doubles low, doubles high)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    const __m512i lower = _mm512_castsi256_si512(_mm512_cvt_roundpd_epi32(low, DOWN));
    return _mm512_inserti32x8(lower, _mm512_cvt_roundpd_epi32(high, DOWN), 1);
}

static inline uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)_mm_popcnt_u32(bits);
}

// To a register and from there to memory: on some processors the instruction that stores straight
// to memory is microcode.
static inline void pack_floats(float *to, uint32_t bits, floats a)
{
    store_floats(to, _mm512_maskz_compress_ps((__mmask16)bits, a));
}

static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    store_ints(to, _mm512_maskz_compress_epi32((__mmask16)bits, a));
}

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    const ints even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const ints odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    const floats first = load_floats(&from[0].x), second = load_floats(&from[8].x);
    *x = _mm512_permutex2var_ps(first, even, second);
    *y = _mm512_permutex2var_ps(first, odd, second);
}

static inline void split_points(const graze_vec2 *from, floats *even, floats *odd)
{
    const __m512i places = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i next = _mm512_add_epi64(places, _mm512_set1_epi64(1));
    const __m512d first = _mm512_loadu_pd(&from[0].x), second = _mm512_loadu_pd(&from[8].x);
    *even = _mm512_castpd_ps(_mm512_permutex2var_pd(first, places, second));
    *odd = _mm512_castpd_ps(_mm512_permutex2var_pd(first, next, second));
}

static inline void join_points(floats x, floats y, floats *first, floats *second)
{
    const ints low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const ints high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    *first = _mm512_permutex2var_ps(x, low, y);
    *second = _mm512_permutex2var_ps(x, high, y);
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    floats first, second;
    join_points(x, y, &first, &second);
    store_floats(&to[0].x, first);
    store_floats(&to[8].x, second);
}

static inline void stream_points(graze_vec2 *to, floats x, floats y)
{
    floats first, second;
    join_points(x, y, &first, &second);
    stream_floats(&to[0].x, first);
    stream_floats(&to[8].x, second);
}

// Every fourth of the next boxes.
static inline floats load_four_boxes(const graze_aabb *from, const uint32_t *index)
{
    floats four = _mm512_castps128_ps512(_mm_loadu_ps(&from[index[0]].lower.x));
    four = _mm512_insertf32x4(four, _mm_loadu_ps(&from[index[4]].lower.x), 1);
    four = _mm512_insertf32x4(four, _mm_loadu_ps(&from[index[8]].lower.x), 2);
    return _mm512_insertf32x4(four, _mm_loadu_ps(&from[index[12]].lower.x), 3);
}

static inline void gather_boxes(const graze_aabb *from, const uint32_t *index, floats *lower_x,
                                floats *lower_y, floats *upper_x, floats *upper_y)
{
    const floats a = load_four_boxes(from, index), b = load_four_boxes(from, index + 1);
    const floats c = load_four_boxes(from, index + 2), d = load_four_boxes(from, index + 3);
    const floats lower_ab = _mm512_unpacklo_ps(a, b), upper_ab = _mm512_unpackhi_ps(a, b);
    const floats lower_cd = _mm512_unpacklo_ps(c, d), upper_cd = _mm512_unpackhi_ps(c, d);
    *lower_x = _mm512_shuffle_ps(lower_ab, lower_cd, _MM_SHUFFLE(1, 0, 1, 0));
    *lower_y = _mm512_shuffle_ps(lower_ab, lower_cd, _MM_SHUFFLE(3, 2, 3, 2));
    *upper_x = _mm512_shuffle_ps(upper_ab, upper_cd, _MM_SHUFFLE(1, 0, 1, 0));
    *upper_y = _mm512_shuffle_ps(upper_ab, upper_cd, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    const ints even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const ints odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    floats lower, upper, next_lower, next_upper;
    split_points(&from[0].lower, &lower, &upper);
    split_points(&from[8].lower, &next_lower, &next_upper);
    *lower_x = _mm512_permutex2var_ps(lower, even, next_lower);
    *lower_y = _mm512_permutex2var_ps(lower, odd, next_lower);
    *upper_x = _mm512_permutex2var_ps(upper, even, next_upper);
    *upper_y = _mm512_permutex2var_ps(upper, odd, next_upper);
}

// The reverse of split_points: eight boxes.
static inline void join_corners(floats lower, floats upper, floats *first, floats *second)
{
    const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i high = _mm512_add_epi64(low, _mm512_set1_epi64(4));
    const __m512d a = _mm512_castps_pd(lower), b = _mm512_castps_pd(upper);
    *first = _mm512_castpd_ps(_mm512_permutex2var_pd(a, low, b));
    *second = _mm512_castpd_ps(_mm512_permutex2var_pd(a, high, b));
}

static inline void join_boxes(floats lower_x, floats lower_y, floats upper_x, floats upper_y,
                              floats four_each[4])
{
    floats lower, upper, next_lower, next_upper;
    join_points(lower_x, lower_y, &lower, &next_lower);
    join_points(upper_x, upper_y, &upper, &next_upper);
    join_corners(lower, upper, &four_each[0], &four_each[1]);
    join_corners(next_lower, next_upper, &four_each[2], &four_each[3]);
}

static inline void store_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                               floats upper_y)
{
    floats four_each[4];
    join_boxes(lower_x, lower_y, upper_x, upper_y, four_each);
    store_floats(&to[0].lower.x, four_each[0]);
    store_floats(&to[4].lower.x, four_each[1]);
    store_floats(&to[8].lower.x, four_each[2]);
    store_floats(&to[12].lower.x, four_each[3]);
}

static inline void scatter_boxes(graze_aabb *to, const uint32_t *index, floats lower_x,
                                 floats lower_y, floats upper_x, floats upper_y)
{
    graze_aabb boxes[GRZ_WIDTH];
    store_boxes(boxes, lower_x, lower_y, upper_x, upper_y);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[index[k]] = boxes[k];
    }
}

static inline void stream_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                                floats upper_y)
{
    floats four_each[4];
    join_boxes(lower_x, lower_y, upper_x, upper_y, four_each);
    stream_floats(&to[0].lower.x, four_each[0]);
    stream_floats(&to[4].lower.x, four_each[1]);
    stream_floats(&to[8].lower.x, four_each[2]);
    stream_floats(&to[12].lower.x, four_each[3]);
}

static inline __m128 load_two_points(const graze_vec2 *first, const graze_vec2 *second)
{
    const __m128 low = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)first));
    return _mm_loadh_pi(low, (const __m64 *)(const void *)second);
}

// By eight loads, as in lanes_avx2.h. Always inlined: where it is used many times gcc would call
// it, and save all vectors in memory around the call.
__attribute__((always_inline)) static inline void
gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x, doubles *y)
{
    const __m128 a = load_two_points(&from[index[0]], &from[index[1]]);
    const __m128 b = load_two_points(&from[index[2]], &from[index[3]]);
    const __m128 c = load_two_points(&from[index[4]], &from[index[5]]);
    const __m128 d = load_two_points(&from[index[6]], &from[index[7]]);
    const __m256 first = _mm256_set_m128(c, a), second = _mm256_set_m128(d, b);
    *x = _mm512_cvtps_pd(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    *y = _mm512_cvtps_pd(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
}

// Every second of eight. These two are always inlined, like gather_points.
__attribute__((always_inline)) static inline doubles load_four_pairs(const double *from,
                                                                     const uint32_t *index)
{
    const __m256d low =
        _mm256_set_m128d(_mm_loadu_pd(&from[index[2]]), _mm_loadu_pd(&from[index[0]]));
    const __m256d high =
        _mm256_set_m128d(_mm_loadu_pd(&from[index[6]]), _mm_loadu_pd(&from[index[4]]));
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

__attribute__((always_inline)) static inline void
gather_pairs(const double *from, const uint32_t *index, doubles *x, doubles *y)
{
    const doubles even = load_four_pairs(from, index), odd = load_four_pairs(from, index + 1);
    *x = _mm512_unpacklo_pd(even, odd);
    *y = _mm512_unpackhi_pd(even, odd);
}

static inline void store_four_pairs(double *to, const uint32_t *index, doubles a)
{
    _mm_storeu_pd(&to[index[0]], _mm512_castpd512_pd128(a));
    _mm_storeu_pd(&to[index[2]], _mm512_extractf64x2_pd(a, 1));
    _mm_storeu_pd(&to[index[4]], _mm512_extractf64x2_pd(a, 2));
    _mm_storeu_pd(&to[index[6]], _mm512_extractf64x2_pd(a, 3));
}

static inline void scatter_pairs(double *to, const uint32_t *index, doubles x, doubles y)
{
    store_four_pairs(to, index, _mm512_unpacklo_pd(x, y));
    store_four_pairs(to, index + 1, _mm512_unpackhi_pd(x, y));
}

static inline __m256 gather_half(const graze_vec2 *from, const uint32_t *index)
{
    const __m128 first = load_two_points(&from[index[0]], &from[index[1]]);
    const __m128 second = load_two_points(&from[index[2]], &from[index[3]]);
    return _mm256_set_m128(second, first);
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    const __m512 first = _mm512_castps256_ps512(gather_half(from, index));
    return _mm512_castps_si512(_mm512_insertf32x8(first, gather_half(from, index + 4), 1));
}

static inline __m128i gather_four(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return _mm_set_epi32((int32_t)from[index[3 * stride]], (int32_t)from[index[2 * stride]],
                         (int32_t)from[index[stride]], (int32_t)from[index[0]]);
}

static inline __m256i gather_eight(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return _mm256_set_m128i(gather_four(from, index + 4 * stride, stride),
                            gather_four(from, index, stride));
}

static inline ints join_eights(__m256i low, __m256i high)
{
    return _mm512_inserti32x8(_mm512_castsi256_si512(low), high, 1);
}

// By sixteen loads, as in lanes_avx2.h.
static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return join_eights(gather_eight(from, index, stride),
                       gather_eight(from, index + 8 * stride, stride));
}

static inline ints gather_halves(const uint32_t *from, const uint32_t *low, const uint32_t *high)
{
    return join_eights(gather_eight(from, low, 1), gather_eight(from, high, 1));
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    const ints even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const ints odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    const char *next = from;
    const ints first = read_ints(next), second = read_ints(next + 64);
    *a = _mm512_permutex2var_epi32(first, even, second);
    *b = _mm512_permutex2var_epi32(first, odd, second);
}

// Elements 0 to 31 of every third one, then those after them.
static inline ints pick_thirds(const ints parts[3], uint32_t first)
{
    const ints place = _mm512_add_epi32(
        _mm512_set_epi32(45, 42, 39, 36, 33, 30, 27, 24, 21, 18, 15, 12, 9, 6, 3, 0),
        fill_ints(first));
    const ints lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __mmask16 late = _mm512_cmpgt_epi32_mask(place, fill_ints(31));
    const ints last = _mm512_mask_sub_epi32(lane, late, place, fill_ints(16));
    return _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(parts[0], place, parts[1]), last,
                                     parts[2]);
}

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    const char *next = from;
    const ints parts[3] = {read_ints(next), read_ints(next + 64), read_ints(next + 128)};
    *a = pick_thirds(parts, 0);
    *b = pick_thirds(parts, 1);
    *c = pick_thirds(parts, 2);
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    const ints first = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const ints second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    _mm512_storeu_si512(to, _mm512_permutex2var_epi32(low, first, high));
    _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi32(low, second, high));
}

static inline void pack_longs(uint64_t *to, uint32_t bits, const uint64_t *from)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)bits, _mm512_loadu_si512(from)));
}

static inline ints number_lanes(void)
{
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

static inline ints number_set_lanes(uint32_t bits)
{
    return _mm512_maskz_expand_epi32((__mmask16)bits, number_lanes());
}

static inline floats_mask first_lanes(uint32_t count)
{
    return (floats_mask)((1u << count) - 1);
}

static inline ints keep_ints(floats_mask mask, ints a)
{
    return _mm512_maskz_mov_epi32(mask, a);
}

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    return _mm512_mask_blend_epi32(mask, b, a);
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    const ints low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const ints high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    const ints firsts = fill_ints(a);
    const ints seconds = _mm512_maskz_compress_epi32((__mmask16)bits, b);
    const uint32_t count = (uint32_t)__builtin_popcount(bits);
    store_ints(to, _mm512_permutex2var_epi32(firsts, low, seconds));
    store_ints(to + 16, _mm512_permutex2var_epi32(firsts, high, seconds));
    return count;
}

static inline uint32_t store_few_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    const ints low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const ints seconds = _mm512_maskz_compress_epi32((__mmask16)bits, b);
    const uint32_t count = (uint32_t)__builtin_popcount(bits);
    store_ints(to, _mm512_permutex2var_epi32(fill_ints(a), low, seconds));
    return count <= 8 ? count : store_pairs(to, bits, a, b);
}

static inline uint32_t store_places(uint32_t *to, uint32_t bits, uint32_t a, uint32_t first)
{
    return store_few_pairs(to, bits, a, add_ints(fill_ints(first), number_lanes()));
}

GRZ_UNARY(doubles, negate_doubles, doubles, _mm512_xor_pd(a, _mm512_set1_pd(-0.0)))
GRZ_UNARY(doubles, absolute_doubles, doubles, _mm512_andnot_pd(_mm512_set1_pd(-0.0), a))

// Rows k and k + 4 side by side.
static inline __m256 load_two_rows(const float *from, uint32_t stride)
{
    return _mm256_set_m128(_mm_loadu_ps(from + 4 * stride), _mm_loadu_ps(from));
}

static inline void store_two_rows(float *to, uint32_t stride, __m256 rows)
{
    _mm_storeu_ps(to, _mm256_castps256_ps128(rows));
    _mm_storeu_ps(to + 4 * stride, _mm256_extractf128_ps(rows, 1));
}

// Turns rows into columns, in both halves.
static inline void transpose_rows(__m256 rows[4])
{
    const __m256 low = _mm256_unpacklo_ps(rows[0], rows[1]);
    const __m256 high = _mm256_unpackhi_ps(rows[0], rows[1]);
    const __m256 next_low = _mm256_unpacklo_ps(rows[2], rows[3]);
    const __m256 next_high = _mm256_unpackhi_ps(rows[2], rows[3]);
    rows[0] = _mm256_shuffle_ps(low, next_low, _MM_SHUFFLE(1, 0, 1, 0));
    rows[1] = _mm256_shuffle_ps(low, next_low, _MM_SHUFFLE(3, 2, 3, 2));
    rows[2] = _mm256_shuffle_ps(high, next_high, _MM_SHUFFLE(1, 0, 1, 0));
    rows[3] = _mm256_shuffle_ps(high, next_high, _MM_SHUFFLE(3, 2, 3, 2));
}

// Of rows in two vectors, the second of which begins `skipped` floats after the first.
static inline int32_t place_in_two(uint32_t place, uint32_t skipped)
{
    return (int32_t)(place < GRZ_WIDTH ? place : GRZ_WIDTH + place - skipped);
}

static inline doubles pick_column(floats first, floats second, uint32_t skipped, uint32_t stride,
                                  uint32_t column)
{
    const ints places = _mm512_set_epi32(
        0, 0, 0, 0, 0, 0, 0, 0, place_in_two(7 * stride + column, skipped),
        place_in_two(6 * stride + column, skipped), place_in_two(5 * stride + column, skipped),
        place_in_two(4 * stride + column, skipped), place_in_two(3 * stride + column, skipped),
        place_in_two(2 * stride + column, skipped), place_in_two(stride + column, skipped),
        place_in_two(column, skipped));
    return widen_low(_mm512_permutex2var_ps(first, places, second));
}

// Rows so close together that two vectors hold them all, the second ending with the last row: a
// column is one instruction.
static inline void load_close_rows(const float *from, uint32_t stride, doubles columns[4])
{
    const uint32_t skipped = 7 * stride + 4 - GRZ_WIDTH;
    const floats first = load_floats(from), second = load_floats(from + skipped);
    for (uint32_t i = 0; i < 4; ++i) {
        columns[i] = pick_column(first, second, skipped, stride, i);
    }
}

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    if (stride >= 2 && stride <= 4) {
        load_close_rows(from, stride, columns);
        return;
    }
    __m256 rows[4] = {load_two_rows(from, stride), load_two_rows(from + stride, stride),
                      load_two_rows(from + 2 * stride, stride),
                      load_two_rows(from + 3 * stride, stride)};
    transpose_rows(rows);
    for (uint32_t i = 0; i < 4; ++i) {
        columns[i] = _mm512_cvtps_pd(rows[i]);
    }
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    __m256 rows[4] = {_mm512_cvtpd_ps(a), _mm512_cvtpd_ps(b), _mm512_cvtpd_ps(c),
                      _mm512_cvtpd_ps(d)};
    transpose_rows(rows);
    store_two_rows(to, stride, rows[0]);
    store_two_rows(to + stride, stride, rows[1]);
    store_two_rows(to + 2 * stride, stride, rows[2]);
    store_two_rows(to + 3 * stride, stride, rows[3]);
}

// The eight, rounded, or 0 where they are not set: the lower half of a vector.
static inline floats round_where(doubles_mask mask, doubles a)
{
    return _mm512_castps256_ps512(_mm512_maskz_cvtpd_ps(mask, a));
}

// The first, second and third two words of the sixes, side by side: those of the k-th six in place
// 3k, 3k + 1 and 3k + 2 modulo 8. So each place of what is stored comes from one of the three.
static inline void store_sixes(void *to, doubles_mask mask, doubles a, doubles b, doubles c,
                               doubles d, doubles e)
{
    double *next = (double *)to;
    const ints order_a = _mm512_set_epi32(21, 5, 18, 2, 23, 7, 20, 4, 17, 1, 22, 6, 19, 3, 16, 0);
    const ints order_b = _mm512_set_epi32(18, 2, 23, 7, 20, 4, 17, 1, 22, 6, 19, 3, 16, 0, 21, 5);
    const ints order_c = _mm512_set_epi32(23, 7, 20, 4, 17, 1, 22, 6, 19, 3, 16, 0, 21, 5, 18, 2);
    const floats flags = _mm512_castsi512_ps(_mm512_maskz_set1_epi32(mask, 1));
    const floats sides[5] = {round_where(mask, a), round_where(mask, b), round_where(mask, c),
                             round_where(mask, d), round_where(mask, e)};
    const doubles first = _mm512_castps_pd(_mm512_permutex2var_ps(flags, order_a, sides[0]));
    const doubles second = _mm512_castps_pd(_mm512_permutex2var_ps(sides[1], order_b, sides[2]));
    const doubles third = _mm512_castps_pd(_mm512_permutex2var_ps(sides[3], order_c, sides[4]));
    const doubles low = _mm512_mask_blend_pd(0x92, first, second);
    const doubles middle = _mm512_mask_blend_pd(0x24, first, second);
    const doubles high = _mm512_mask_blend_pd(0x49, first, second);
    _mm512_storeu_pd(next, _mm512_mask_blend_pd(0x24, low, third));
    _mm512_storeu_pd(next + 8, _mm512_mask_blend_pd(0x49, middle, third));
    _mm512_storeu_pd(next + 16, _mm512_mask_blend_pd(0x92, high, third));
}

// The eight, rounded, or 0 where they are not set: those of a, then those of b.
static inline floats round_both_where(doubles_mask mask, doubles a, doubles b)
{
    return _mm512_insertf32x8(round_where(mask, a), _mm512_maskz_cvtpd_ps(mask, b), 1);
}

// The places of the nines' words: the first, second, third and sixth of a nine among 32 words, the
// last two among 16; the others are 0.
static inline int32_t place_of_word(uint32_t word)
{
    static const int32_t first_of[9] = {0, 8, 16, 0, 0, 24, 0, 0, 8};
    return first_of[word % 9] + (int32_t)(word / 9);
}

static inline floats words_from(uint32_t word, const floats parts[3], uint32_t early, uint32_t late)
{
    const ints places = _mm512_set_epi32(
        place_of_word(word + 15), place_of_word(word + 14), place_of_word(word + 13),
        place_of_word(word + 12), place_of_word(word + 11), place_of_word(word + 10),
        place_of_word(word + 9), place_of_word(word + 8), place_of_word(word + 7),
        place_of_word(word + 6), place_of_word(word + 5), place_of_word(word + 4),
        place_of_word(word + 3), place_of_word(word + 2), place_of_word(word + 1),
        place_of_word(word));
    const floats known = _mm512_maskz_permutex2var_ps((__mmask16)early, parts[0], places, parts[1]);
    return _mm512_mask_permutexvar_ps(known, (__mmask16)late, places, parts[2]);
}

static inline void store_nines(void *to, doubles_mask mask, doubles a, doubles b, doubles c,
                               doubles d, doubles e)
{
    float *next = (float *)to;
    const floats flags = _mm512_castsi512_ps(_mm512_maskz_set1_epi32(mask, 1));
    const floats flags_a = _mm512_insertf32x8(flags, _mm512_maskz_cvtpd_ps(mask, a), 1);
    const floats parts[3] = {flags_a, round_both_where(mask, b, c), round_both_where(mask, d, e)};
    store_floats(next, words_from(0, parts, 0x4e27, 0x0180));
    store_floats(next + 16, words_from(16, parts, 0x389c, 0x0603));
    store_floats(next + 32, words_from(32, parts, 0xe271, 0x180c));
    store_floats(next + 48, words_from(48, parts, 0x89c4, 0x6030));
    const floats last = words_from(64, parts, 0x0013, 0x00c0);
    _mm256_storeu_ps(next + 64, _mm512_castps512_ps256(last));
}

#include "lanes_seventeens.h"

GRZ_BINARY(floats, low_halves, floats, _mm512_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 1, 0)))
GRZ_BINARY(floats, high_halves, floats, _mm512_shuffle_ps(a, b, _MM_SHUFFLE(3, 2, 3, 2)))

// With signs flipped, at least becomes at most: so each of the two is loaded only once, as an
// operand of another instruction.
static inline floats_mask overlap_fours(floats a, floats b)
{
    const __m512 signs = _mm512_broadcast_f32x4(_mm_set_ps(-0.0f, -0.0f, 0, 0));
    const __m512 other = _mm512_permute_ps(b, _MM_SHUFFLE(1, 0, 3, 2));
    return at_most_floats(_mm512_xor_ps(a, signs), _mm512_xor_ps(other, signs));
}

static inline doubles mix_halves(floats a, ints order)
{
    return _mm512_castps_pd(_mm512_permutexvar_ps(order, a));
}

// Of the octets that `order` lists, the lanes of a and b so that octets 0 2 1 3 come to lie in the
// lower halves of four lanes, 4 6 5 7 in the upper; those of c and d beside them: 2 0 3 1, 6 4 7 5.
static inline void store_mixed(void *to, ints order, floats a, floats b, floats c, floats d)
{
    double *octets = (double *)to;
    const ints even = _mm512_set_epi64(7, 3, 5, 1, 6, 2, 4, 0);
    const ints odd = _mm512_set_epi64(5, 1, 7, 3, 4, 0, 6, 2);
    const ints first = _mm512_permutexvar_epi64(even, order);
    const ints second = _mm512_permutexvar_epi64(odd, order);
    const doubles mixed_a = mix_halves(a, first), mixed_b = mix_halves(b, first);
    const doubles mixed_c = mix_halves(c, second), mixed_d = mix_halves(d, second);
    const doubles low_ab = _mm512_unpacklo_pd(mixed_a, mixed_b);
    const doubles low_cd = _mm512_unpacklo_pd(mixed_c, mixed_d);
    const doubles high_ab = _mm512_unpackhi_pd(mixed_a, mixed_b);
    const doubles high_cd = _mm512_unpackhi_pd(mixed_c, mixed_d);
    const doubles turned_low = _mm512_mask_blend_pd(0xCC, low_cd, low_ab);
    const doubles turned_high = _mm512_mask_blend_pd(0xCC, high_cd, high_ab);
    _mm512_storeu_pd(octets, _mm512_mask_blend_pd(0xCC, low_ab, low_cd));
    _mm512_storeu_pd(octets + 8, _mm512_shuffle_f64x2(turned_low, turned_low, 0xB1));
    _mm512_storeu_pd(octets + 16, _mm512_mask_blend_pd(0xCC, high_ab, high_cd));
    _mm512_storeu_pd(octets + 24, _mm512_shuffle_f64x2(turned_high, turned_high, 0xB1));
}

static inline ints order_of_halves(void)
{
    return _mm512_set_epi32(15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0);
}

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    store_mixed(to, order_of_halves(), a, b, c, d);
}

static inline void pack_octets(void *to, uint32_t bits, ints a, floats b, floats c, floats d)
{
    const ints order = _mm512_maskz_compress_epi64((__mmask8)bits, order_of_halves());
    store_mixed(to, order, _mm512_castsi512_ps(a), b, c, d);
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const __mmask64 lanes = _mm512_kunpackd(_mm512_kunpackw(d, c), _mm512_kunpackw(b, a));
    const __mmask16 all = _mm512_cmpeq_epi32_mask(_mm512_movm_epi8(lanes), _mm512_set1_epi32(-1));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_maskz_set1_epi8(all, 1));
    return (uint32_t)_mm_popcnt_u32(all);
}

#endif
