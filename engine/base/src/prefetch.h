/// @file prefetch.h
/// Prefetches memory before it is needed.
#ifndef GRZ_PREFETCH_H
#define GRZ_PREFETCH_H

/// Starts to load the cache line at the address, for reading; does nothing where there is no way.
/// The empty statement is there for gcc, which takes a function that only prefetches for one that
/// does nothing, and leaves out calls to it.
#if defined(__GNUC__)
#define GRZ_PREFETCH(address)                                                                      \
    do {                                                                                           \
        __builtin_prefetch(address);                                                               \
        __asm__ volatile("");                                                                      \
    } while (0)
#else
#define GRZ_PREFETCH(address) ((void)(address))
#endif

/// The same, but only into the second cache: for more lines at a time than the first can wait for.
#if defined(__GNUC__)
#define GRZ_PREFETCH_FAR(address)                                                                  \
    do {                                                                                           \
        __builtin_prefetch(address, 0, 2);                                                         \
        __asm__ volatile("");                                                                      \
    } while (0)
#else
#define GRZ_PREFETCH_FAR(address) ((void)(address))
#endif

#endif
