/// @file lanes_choice.h
/// The choice of SIMD lanes for a world: the widest that both the build and the machine have, or
/// those that GRAZE_LANES in the environment names.
#ifndef GRZ_LANES_CHOICE_H
#define GRZ_LANES_CHOICE_H

#include "lanes.h"

#include <stdbool.h>

/// The sets of functions that a build has, in order of width. `base` is that of the build's own
/// instruction set, SSE2, NEON or simd128; without these there is only the scalar set.
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

/// The tables called `name`, by grz_lane_set, as an initialiser of an array of pointers.
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

/// Declares the tables, of this type.
#define GRZ_DECLARE_WIDE(type, name)                                                               \
    extern const type name##_scalar, name##_base, name##_avx2, name##_avx512

/// Returns the set that the environment variable GRAZE_LANES names (scalar, sse2, avx2, avx512,
/// neon, simd128) if this build and machine have it, otherwise the widest that they have.
grz_lane_set grz_lanes_choose(void);

/// Returns the value of GRAZE_LANES if this build and machine have no such set; null if they do, or
/// if it is not set. The string is the environment's.
const char *grz_lanes_refused(void);

/// Returns whether the machine can run a set.
bool grz_lanes_has(grz_lane_set set);

/// Returns the name of a set, as in GRAZE_LANES.
const char *grz_lanes_name(grz_lane_set set);

#endif
