/// @file lanes_seventeens.h
/// How AVX2 and AVX-512 write seventeen words: vectors of eight reach far enough. Included by these
/// sets alone.
#ifndef GRZ_LANES_SEVENTEENS_H
#define GRZ_LANES_SEVENTEENS_H

#include <string.h>

// Two vectors that have a word in common, which is the second's, and two words more. A sign is
// flipped so that clipping at 0 keeps the words that had it.
static inline void write_seventeen(void *to, const void *eight, uint64_t n, uint32_t bits)
{
    const __m256i of = _mm256_loadu_si256((const __m256i *)eight), zero = _mm256_setzero_si256();
    const __m256i halves = _mm256_shuffle_epi32(_mm256_set1_epi64x((int64_t)n), 0x11);
    const __m256i ids = _mm256_srlv_epi32(halves, _mm256_set_epi32(0, 0, 0, 0, 0, 0, 1, 0));
    const __m256i first = _mm256_blend_epi32(_mm256_unpacklo_epi32(ids, of), zero, 0xf0);
    const __m256i order = _mm256_set_epi32(7, 7, 2, 6, 5, 4, 3, 2);
    const __m256i rest = _mm256_permutevar8x32_epi32(of, order);
    const __m256i flipped =
        _mm256_xor_si256(rest, _mm256_set_epi32(0, 0, INT32_MIN, 0, 0, 0, 0, 0));
    const __m256i clipped = _mm256_blend_epi32(_mm256_max_epi32(flipped, zero), zero, 0x80);
    const __m256i second = _mm256_blend_epi32(flipped, clipped, 0xa1);
    const uint64_t last = (n & 1) << 32 | bits >> 31;
    _mm256_storeu_si256((__m256i *)to, first);
    _mm256_storeu_si256((__m256i *)(void *)((char *)to + 28), second);
    memcpy((char *)to + 60, &last, sizeof last);
}

#endif
