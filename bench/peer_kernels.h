/// @file peer_kernels.h
/// Single kernels of the peers, on the same pairs as ours.
///
/// A kernel gets pairs as columns of our shapes, makes its own shapes of them, one after the other
/// in memory, and is measured on these: the cost of a pair in its own step.
#ifndef GRAZE_BENCH_PEER_KERNELS_H
#define GRAZE_BENCH_PEER_KERNELS_H

#include <stdint.h>

typedef struct peer_kernel {
    const char *module; ///< The first part of the benchmark's name.
    const char *name;   ///< Of ours, which does the same work on the same types.
    /// Makes the peer's shapes: never null. `first` and `second` have `count` elements each, of the
    /// types that our kernel takes.
    void *(*prepare)(const void *first, const void *second, uint32_t count);
    /// Measured: returns how many of the pairs are hits.
    uint32_t (*run)(void *prepared);
    void (*release)(void *prepared);
} peer_kernel;

enum { PEER_KERNEL_COUNT = 6 };

extern const peer_kernel chipmunk_kernels[PEER_KERNEL_COUNT]; ///< Only where Chipmunk was found.
extern const peer_kernel box2d_kernels[PEER_KERNEL_COUNT];    ///< Only where Box2D was found.

#endif
