/// @file stream.h
/// Stores that bypass the caches.
///
/// A store to a line that is in no cache fetches the line first, only to overwrite it: a third of
/// the traffic of a copy. It also drives out what may still be needed. If a pass writes far more
/// than the caches hold, and the data would leave them before it is read, bypassing them is better.
/// If it writes less, it is worse: the data would be read from memory instead of a cache.
///
/// Order      The thread that stores sees its stores as usual. Other threads do after
///            grz_stream_end(), called before they are told.
#ifndef GRZ_STREAM_H
#define GRZ_STREAM_H

#include "lanes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if GRZ_LANES_BASE == GRZ_LANES_SSE2
#include <emmintrin.h>
#endif

enum {
    /// From this many bodies or contacts on, passes stream their output: a step then touches more
    /// than the caches of most machines hold.
    GRZ_STREAMED_ITEMS = 1 << 18
};

/// Copies `size` bytes, bypassing the caches if the machine can. Pass whole cache lines in one
/// call: if pieces of several columns are written in turn, some processors flush lines before they
/// are full, at ten times the cost (bench: broadphase/build/gas/1M).
static inline void grz_stream(void *to, const void *from, size_t size)
{
#if GRZ_LANES_BASE == GRZ_LANES_SSE2
    const size_t piece = sizeof(__m128i), beside = (0 - (uintptr_t)to) % piece;
    const size_t head = beside < size ? beside : size, tail = (size - head) % piece;
    char *next = (char *)to + head;
    const char *source = (const char *)from + head;
    memcpy(to, from, head);
    for (const char *end = source + (size - head - tail); source < end; source += piece) {
        const __m128i four = _mm_loadu_si128((const __m128i *)(const void *)source);
        _mm_stream_si128((__m128i *)(void *)next, four);
        next += piece;
    }
    memcpy(next, source, tail);
#else
    memcpy(to, from, size);
#endif
}

/// Makes streamed stores of this thread visible to others before all its later stores.
static inline void grz_stream_end(void)
{
#if GRZ_LANES_BASE == GRZ_LANES_SSE2
    _mm_sfence();
#endif
}

#endif
