/// @file prefetch.h
/// Prefetches memory before it is needed.
#ifndef GRZ_PREFETCH_H
#define GRZ_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>

// The empty asm statement is for gcc, which takes a function that only prefetches for one without
// effect, and removes calls to it.
#if defined(__GNUC__)
#define GRZ_PREFETCH_AT(address, locality)                                                         \
    do {                                                                                           \
        __builtin_prefetch(address, 0, locality);                                                  \
        __asm__ volatile("");                                                                      \
    } while (0)
#else
#define GRZ_PREFETCH_AT(address, locality) ((void)(address))
#endif

/// Prefetches the cache line at the address, for reading; does nothing if the machine has no way.
#define GRZ_PREFETCH(address) GRZ_PREFETCH_AT(address, 3)

/// The same, but only into the second cache: for more lines at a time than the first can fetch
/// (bench: engine/step/bullets-bodies).
#define GRZ_PREFETCH_FAR(address) GRZ_PREFETCH_AT(address, 2)

/// GRZ_PREFETCH_FAR or GRZ_PREFETCH. `far` is a constant.
static inline void grz_prefetch(const void *address, bool far)
{
    if (far) {
        GRZ_PREFETCH_FAR(address);
    } else {
        GRZ_PREFETCH(address);
    }
}

/// GRZ_PREFETCH for `size` bytes from the address on.
static inline void grz_prefetch_lines(const void *address, size_t size)
{
    enum { LINE = 64 };
    for (size_t at = 0; at < size; at += LINE) {
        GRZ_PREFETCH((const char *)address + at);
    }
}

#endif
