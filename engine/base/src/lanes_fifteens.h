/// @file lanes_fifteens.h
/// How AVX2 and AVX-512 write fifteen words: vectors of eight reach far enough. Included by these
/// sets alone.
#ifndef GRZ_LANES_FIFTEENS_H
#define GRZ_LANES_FIFTEENS_H

// Two vectors that have a word in common, which is the second's.
static inline void write_fifteen(void *to, const void *eight, uint64_t n, uint32_t bits)
{
    const __m256i of = _mm256_loadu_si256((const __m256i *)eight), zero = _mm256_setzero_si256();
    const __m256i halves = _mm256_shuffle_epi32(_mm256_set1_epi64x((int64_t)n), 0x11);
    const __m256i ids = _mm256_srlv_epi32(halves, _mm256_set_epi32(0, 0, 0, 0, 0, 0, 1, 0));
    const __m256i first = _mm256_blend_epi32(_mm256_unpacklo_epi32(ids, of), zero, 0xf0);
    const __m256i order = _mm256_set_epi32(0, 0, 7, 6, 5, 4, 3, 2);
    const __m256i rest = _mm256_permutevar8x32_epi32(of, order);
    const __m256i flags = _mm256_blend_epi32(_mm256_set1_epi32((int32_t)bits), halves, 0x80);
    const __m256i all = _mm256_blend_epi32(rest, flags, 0xc0);
    const __m256i high = _mm256_sllv_epi32(all, _mm256_set_epi32(31, 0, 0, 0, 0, 0, 0, 0));
    const __m256i last = _mm256_srlv_epi32(high, _mm256_set_epi32(31, 31, 0, 0, 0, 0, 0, 0));
    _mm256_storeu_si256((__m256i *)to, first);
    _mm256_storeu_si256((__m256i *)(void *)((char *)to + 28), last);
}

#endif
