/// @file kernels.h
/// The measured kernels: their shapes, and which pairs of these are hits.
#ifndef GRAZE_BENCH_KERNELS_H
#define GRAZE_BENCH_KERNELS_H

#include "operands.h"

#include <stdint.h>

enum { KERNEL_PAIRS = 16384 }; ///< More than a branch predictor learns by heart.

/// Pairs whose gap is nearer to 0 are not used: Box2D's rects have skins.
#define KERNEL_DOUBT 0.025

/// Tests KERNEL_PAIRS pairs; returns how many of them are hits.
typedef uint32_t run_pairs(const void *first, const void *second);

typedef struct kernel {
    const char *name;
    const operand *first, *second;
    run_pairs *run;
    /// At most 0 for a hit; null: the gap between the outlines.
    double (*gap)(const void *a, const void *b);
} kernel;

extern const kernel kernels[];
extern const uint32_t kernel_count;

/// Returns the gap of a pair: at most 0 for a hit.
double kernel_gap(const kernel *which, const void *a, const void *b);

/// Returns the kernel of that name, which must exist.
const kernel *kernel_named(const char *name);

#endif
