/// @file lanes_choice.h
/// Which lanes a world works with: the widest that build and machine have, or a narrower one that
/// GRAZE_LANES in the environment asks for.
#ifndef GRZ_LANES_CHOICE_H
#define GRZ_LANES_CHOICE_H

#include "lanes.h"

#include <stdbool.h>

/// The sets of functions that a build has: `base` is its own instruction set's, SSE2, NEON or
/// simd128 (where it has none of these, there is but the scalar one). In order of width.
typedef enum grz_lane_set {
    GRZ_SET_SCALAR,
#if GRZ_LANES_BASE != GRZ_LANES_SCALAR
    GRZ_SET_BASE,
#endif
#if GRZ_LANES_MANY
    GRZ_SET_AVX2,
    GRZ_SET_AVX512,
#endif
    GRZ_SET_COUNT
} grz_lane_set;

/// The four tables called `name`, by grz_lane_set, as an initialiser of an array of pointers.
#if GRZ_LANES_MANY
#define GRZ_WIDE_TABLES(name)                                                                      \
    {                                                                                              \
        &name##_scalar, &name##_base, &name##_avx2, &name##_avx512                                 \
    }
#elif GRZ_LANES_BASE != GRZ_LANES_SCALAR
#define GRZ_WIDE_TABLES(name)                                                                      \
    {                                                                                              \
        &name##_scalar, &name##_base                                                               \
    }
#else
#define GRZ_WIDE_TABLES(name)                                                                      \
    {                                                                                              \
        &name##_scalar                                                                             \
    }
#endif

/// Declares them. `type` is the table's.
#define GRZ_DECLARE_WIDE(type, name)                                                               \
    extern const type name##_scalar, name##_base, name##_avx2, name##_avx512

/// Returns the widest set that the machine can run, at most what the environment variable
/// GRAZE_LANES names: scalar, sse2, avx2, avx512, neon, simd128.
grz_lane_set grz_lanes_choose(void);

/// Returns what GRAZE_LANES is set to when that names no set that this build and machine have;
/// null when it is not set, or does. What it points to is the environment's.
const char *grz_lanes_refused(void);

/// Returns whether the machine can run a set.
bool grz_lanes_has(grz_lane_set set);

/// Returns the name of a set, as GRAZE_LANES would have it.
const char *grz_lanes_name(grz_lane_set set);

#endif
