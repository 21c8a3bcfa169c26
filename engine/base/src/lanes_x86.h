/// @file lanes_x86.h
/// What SSE2, AVX2 and AVX-512 have instructions for and C has no words, or compilers no good ones.
/// Included by lanes_begin.h alone.
#ifndef GRZ_LANES_X86_H
#define GRZ_LANES_X86_H

// The intrinsics of a set have one prefix; `half_floats` are half a vector, or the lower half of
// one.
#if GRZ_LANES == GRZ_LANES_SSE2
#define GRZ_MM(name) _mm_##name
typedef __m128 half_floats;
typedef __m128i whole_ints;
#elif GRZ_LANES == GRZ_LANES_AVX2
#define GRZ_MM(name) _mm256_##name
typedef __m128 half_floats;
typedef __m256i whole_ints;
#else
#define GRZ_MM(name) _mm512_##name
typedef __m256 half_floats;
typedef __m512i whole_ints;
#endif

GRZ_BINARY(floats, min_floats, floats, GRZ_MM(min_ps)(a, b))
GRZ_BINARY(floats, max_floats, floats, GRZ_MM(max_ps)(a, b))
GRZ_UNARY(doubles, sqrt_doubles, doubles, GRZ_MM(sqrt_pd)(a))
GRZ_BINARY(doubles, min_doubles, doubles, GRZ_MM(min_pd)(a, b))
GRZ_BINARY(doubles, max_doubles, doubles, GRZ_MM(max_pd)(a, b))
GRZ_UNARY(doubles, absolute_doubles, doubles, GRZ_MM(andnot_pd)(GRZ_MM(set1_pd)(-0.0), a))

// --- Masks: numbers in mask registers, or floats and doubles whose bits are all set or none ---

#if GRZ_LANES == GRZ_LANES_AVX512

typedef __mmask16 floats_mask;
typedef __mmask8 doubles_mask;

GRZ_BINARY(floats_mask, less_floats, floats, _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ))
GRZ_BINARY(floats_mask, at_most_floats, floats, _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ))
GRZ_BINARY(doubles_mask, less_doubles, doubles, _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ))
GRZ_BINARY(floats_mask, equal_ints, ints, _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b))
GRZ_BINARY(floats_mask, less_ints, ints, _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b))
GRZ_SELECT(floats, floats_mask, _mm512_mask_blend_ps(mask, b, a))
GRZ_SELECT(doubles, doubles_mask, _mm512_mask_blend_pd(mask, b, a))
GRZ_SELECT(ints, floats_mask, (ints)_mm512_mask_blend_epi32(mask, (__m512i)b, (__m512i)a))

// Forces both into registers: otherwise compilers mask the second comparison by the first, which
// makes it wait.
static inline floats_mask mask_and(floats_mask a, floats_mask b)
{
    __asm__("" : "+k"(a), "+k"(b));
    return (floats_mask)(a & b);
}

// gcc 12 for i686 spills 16 bits of a mask and loads 32, unless they are forced into a register.
static inline uint32_t mask_bits(floats_mask mask)
{
    uint32_t bits = mask;
#if defined(__GNUC__) && defined(__i386__)
    __asm__("" : "+r"(bits));
#endif
    return bits;
}

GRZ_UNARY(uint32_t, mask_bits_d, doubles_mask, a)
GRZ_UNARY(floats_mask, first_lanes, uint32_t, (floats_mask)((1u << a) - 1))

#else

typedef floats floats_mask;
typedef doubles doubles_mask;

GRZ_BINARY(floats_mask, mask_and, floats_mask, GRZ_MM(and_ps)(a, b))
GRZ_BINARY(floats_mask, mask_or, floats_mask, GRZ_MM(or_ps)(a, b))
GRZ_UNARY(uint32_t, mask_bits, floats_mask, (uint32_t)GRZ_MM(movemask_ps)(a))
GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, GRZ_MM(and_pd)(a, b))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, GRZ_MM(or_pd)(a, b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, GRZ_MM(andnot_pd)(b, a))
GRZ_UNARY(uint32_t, mask_bits_d, doubles_mask, (uint32_t)GRZ_MM(movemask_pd)(a))

#if GRZ_LANES == GRZ_LANES_SSE2
GRZ_SELECT(floats, floats_mask, _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b)))
GRZ_SELECT(doubles, doubles_mask, _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b)))
GRZ_SELECT(ints, floats_mask, ((ints)mask & a) | (~(ints)mask & b))
#else
GRZ_SELECT(floats, floats_mask, _mm256_blendv_ps(b, a, mask))
GRZ_SELECT(doubles, doubles_mask, _mm256_blendv_pd(b, a, mask))
GRZ_SELECT(ints, floats_mask, (ints)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask))
#endif

#endif

// --- Halves, and conversions ---

#if GRZ_LANES == GRZ_LANES_SSE2
GRZ_UNARY(half_floats, low_half, floats, a)
GRZ_UNARY(half_floats, high_half, floats, _mm_movehl_ps(a, a))
GRZ_BINARY(floats, join_halves, half_floats, _mm_movelh_ps(a, b))
#define GRZ_JOIN_QUADS(quads) (quads)[0]
#elif GRZ_LANES == GRZ_LANES_AVX2
GRZ_UNARY(half_floats, low_half, floats, _mm256_castps256_ps128(a))
GRZ_UNARY(half_floats, high_half, floats, _mm256_extractf128_ps(a, 1))
GRZ_BINARY(floats, join_halves, half_floats, _mm256_set_m128(b, a))
#define GRZ_JOIN_QUADS(quads) join_halves((quads)[0], (quads)[1])
#else
GRZ_UNARY(half_floats, low_half, floats, _mm512_castps512_ps256(a))
GRZ_UNARY(half_floats, high_half, floats, _mm512_extractf32x8_ps(a, 1))
GRZ_BINARY(floats, join_halves, half_floats, _mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1))
#define GRZ_JOIN_QUADS(quads)                                                                      \
    join_halves(_mm256_set_m128((quads)[1], (quads)[0]), _mm256_set_m128((quads)[3], (quads)[2]))
#endif

GRZ_UNARY(doubles, widen_low, floats, GRZ_MM(cvtps_pd)(low_half(a)))
GRZ_UNARY(doubles, widen_high, floats, GRZ_MM(cvtps_pd)(high_half(a)))

static inline floats narrow_doubles(doubles low, doubles high)
{
    return join_halves(GRZ_MM(cvtpd_ps)(low), GRZ_MM(cvtpd_ps)(high));
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    const half_floats lower = (half_floats)GRZ_MM(cvttpd_epi32)(low);
    return (ints)join_halves(lower, (half_floats)GRZ_MM(cvttpd_epi32)(high));
}

#if GRZ_LANES == GRZ_LANES_SSE2

// Truncated, and 1 less where that is above.
static inline ints floor_doubles(doubles low, doubles high)
{
    const __m128i lower = _mm_cvttpd_epi32(low), upper = _mm_cvttpd_epi32(high);
    const __m128 low_above = (__m128)_mm_cmplt_pd(low, _mm_cvtepi32_pd(lower));
    const __m128 high_above = (__m128)_mm_cmplt_pd(high, _mm_cvtepi32_pd(upper));
    const __m128 above = _mm_shuffle_ps(low_above, high_above, _MM_SHUFFLE(2, 0, 2, 0));
    return (ints)_mm_unpacklo_epi64(lower, upper) + (ints)above;
}

#else

static inline ints floor_doubles(doubles low, doubles high)
{
    return truncate_doubles(GRZ_MM(floor_pd)(low), GRZ_MM(floor_pd)(high));
}

#endif

static inline uint32_t count_bits(uint32_t bits)
{
#if GRZ_LANES == GRZ_LANES_SSE2
    return (uint32_t)(UINT64_C(0x4332322132212110) >> bits * 4) & 7;
#else
    return (uint32_t)_mm_popcnt_u32(bits);
#endif
}

// --- Quads, and vectors whose lanes are chosen by bits ---

static inline __m128 load_two_points(const graze_vec2 *first, const graze_vec2 *second)
{
    const __m128 low = (__m128)_mm_loadl_epi64((const __m128i *)(const void *)first);
    return _mm_loadh_pi(low, (const __m64 *)(const void *)second);
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    __m128 quads[GRZ_WIDTH / 4];
    GRZ_UNROLLED
    for (uint32_t k = 0; k < GRZ_WIDTH / 4; ++k) {
        quads[k] = load_two_points(&from[index[2 * k]], &from[index[2 * k + 1]]);
    }
    return (ints)GRZ_JOIN_QUADS(quads);
}

#if GRZ_LANES != GRZ_LANES_SSE2

static inline floats load_quads(const float *const from[GRZ_WIDTH / 4])
{
    __m128 quads[GRZ_WIDTH / 4];
    GRZ_UNROLLED
    for (uint32_t k = 0; k < GRZ_WIDTH / 4; ++k) {
        quads[k] = _mm_loadu_ps(from[k]);
    }
    return GRZ_JOIN_QUADS(quads);
}

#endif

#if GRZ_LANES == GRZ_LANES_AVX2

static inline floats permute(floats a, ints order)
{
    return _mm256_permutevar8x32_ps(a, (__m256i)order);
}

static inline void store_quads(float *const to[2], floats a)
{
    _mm_storeu_ps(to[0], low_half(a));
    _mm_storeu_ps(to[1], high_half(a));
}

// The numbers of the lanes whose bits are set, the first in the lowest byte.
#define GRZ_PACK(bits, k, later) ((later) << 8 * ((bits) >> (k)&1) | ((bits) >> (k)&1) * (k))
#define GRZ_PACK_3(bits, k, later)                                                                 \
    GRZ_PACK(bits, k, GRZ_PACK(bits, (k) + 1, GRZ_PACK(bits, (k) + 2, later)))
#define GRZ_PACK_8(bits)                                                                           \
    GRZ_PACK_3(bits, 0, GRZ_PACK_3(bits, 3, GRZ_PACK(bits, 6, GRZ_PACK(bits, 7, UINT64_C(0)))))
#define GRZ_PACKS_4(bits)                                                                          \
    GRZ_PACK_8(bits), GRZ_PACK_8((bits) + 1), GRZ_PACK_8((bits) + 2), GRZ_PACK_8((bits) + 3)
#define GRZ_PACKS_16(bits)                                                                         \
    GRZ_PACKS_4(bits), GRZ_PACKS_4((bits) + 4), GRZ_PACKS_4((bits) + 8), GRZ_PACKS_4((bits) + 12)
#define GRZ_PACKS_64(bits)                                                                         \
    GRZ_PACKS_16(bits), GRZ_PACKS_16((bits) + 16), GRZ_PACKS_16((bits) + 32),                      \
        GRZ_PACKS_16((bits) + 48)

static inline __m128i packed_lanes(uint32_t bits)
{
    static const uint64_t lanes[256] = {GRZ_PACKS_64(0u), GRZ_PACKS_64(64u), GRZ_PACKS_64(128u),
                                        GRZ_PACKS_64(192u)};
    return _mm_loadl_epi64((const __m128i *)(const void *)&lanes[bits]);
}

static inline ints compress_ints(uint32_t bits, ints a)
{
    return (ints)_mm256_permutevar8x32_epi32((__m256i)a, _mm256_cvtepu8_epi32(packed_lanes(bits)));
}

// By lanes of 32 bits: twice the number of a double, and 1 more.
static inline doubles compress_doubles(uint32_t bits, doubles a)
{
    const __m256i lanes = _mm256_cvtepu8_epi64(packed_lanes(bits));
    const __m256i both = _mm256_or_si256(lanes, _mm256_slli_epi64(lanes, 32));
    const __m256i uppers = _mm256_set1_epi64x(INT64_C(1) << 32);
    const __m256i halves = _mm256_add_epi32(_mm256_add_epi32(both, both), uppers);
    return (doubles)_mm256_permutevar8x32_ps((__m256)a, halves);
}

#elif GRZ_LANES == GRZ_LANES_AVX512

static inline floats permute(floats a, ints order)
{
    return _mm512_permutexvar_ps((__m512i)order, a);
}

static inline floats load_half(const float *from)
{
    return _mm512_zextps256_ps512(_mm256_loadu_ps(from));
}

static inline void store_quads(float *const to[4], floats a)
{
    _mm_storeu_ps(to[0], _mm512_castps512_ps128(a));
    _mm_storeu_ps(to[1], _mm512_extractf32x4_ps(a, 1));
    _mm_storeu_ps(to[2], _mm512_extractf32x4_ps(a, 2));
    _mm_storeu_ps(to[3], _mm512_extractf32x4_ps(a, 3));
}

// In a register: on some processors the instruction that stores straight to memory is microcode.
static inline ints compress_ints(uint32_t bits, ints a)
{
    return (ints)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)a);
}

static inline doubles compress_doubles(uint32_t bits, doubles a)
{
    return _mm512_maskz_compress_pd((__mmask8)bits, a);
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const __mmask64 lanes = _mm512_kunpackd(_mm512_kunpackw(d, c), _mm512_kunpackw(b, a));
    const __mmask16 all = _mm512_cmpeq_epi32_mask(_mm512_movm_epi8(lanes), _mm512_set1_epi32(-1));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_maskz_set1_epi8(all, 1));
    return count_bits(all);
}

#endif

#if GRZ_LANES != GRZ_LANES_AVX512

// A bit for each, then a byte for each bit; with AVX2 a, b, c and d have two each, in both halves.
static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const uint64_t order = GRZ_WIDTH == 4 ? 0x08040201 : 0x8008400420021001;
    const whole_ints ab = GRZ_MM(packs_epi32)((whole_ints)a, (whole_ints)b);
    const whole_ints cd = GRZ_MM(packs_epi32)((whole_ints)c, (whole_ints)d);
    const floats_mask all = (floats_mask)((signed_ints)GRZ_MM(packs_epi16)(ab, cd) == -1);
    const uint64_t bits = mask_bits(all) * UINT64_C(0x0101010101010101) & order;
    const uint64_t bytes = (bits + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    memcpy(to, &bytes, GRZ_WIDTH);
    return count_bits(mask_bits(all));
}

#endif

#undef GRZ_MM

#endif
