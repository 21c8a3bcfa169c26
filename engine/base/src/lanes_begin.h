/// @file lanes_begin.h
/// Opens the part of a file that is compiled for GRZ_LANES. Include it once, right after lanes.h;
/// lanes_end.h closes the part. See lanes.h.

#include "lanes.h"
#include "likely.h"

#include <string.h>

#ifndef GRZ_LANES
#error "GRZ_LANES must say which lanes this file is for"
#endif

// Intrinsics say themselves what they need; so they come first.
#if GRZ_LANES == GRZ_LANES_SSE2
#include <emmintrin.h>
#elif GRZ_LANES == GRZ_LANES_AVX2 || GRZ_LANES == GRZ_LANES_AVX512
#include <immintrin.h>
#endif

// The file's functions may use these instructions, and are called only where the machine has them.
#if GRZ_LANES == GRZ_LANES_AVX2 && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif GRZ_LANES == GRZ_LANES_AVX2
#pragma GCC push_options
#pragma GCC target("avx2")
#elif GRZ_LANES == GRZ_LANES_AVX512 && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl"))),   \
                             apply_to = function)
#elif GRZ_LANES == GRZ_LANES_AVX512
#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#define GRZ_LANES_X86 (GRZ_LANES >= GRZ_LANES_SSE2 && GRZ_LANES <= GRZ_LANES_AVX512)

// GRZ_WIDE is how functions and tables are named, GRZ_PLACES what LANE makes of the number of each
// lane, in a list.
#define GRZ_FOUR_PLACES(LANE, k) LANE(k), LANE((k) + 1), LANE((k) + 2), LANE((k) + 3)
#if GRZ_LANES == GRZ_LANES_AVX512
#define GRZ_WIDE(name)     name##_avx512
#define GRZ_WIDTH          16
#define GRZ_PLACES_D(LANE) GRZ_FOUR_PLACES(LANE, 0), GRZ_FOUR_PLACES(LANE, 4)
#define GRZ_PLACES(LANE)   GRZ_PLACES_D(LANE), GRZ_FOUR_PLACES(LANE, 8), GRZ_FOUR_PLACES(LANE, 12)
#elif GRZ_LANES == GRZ_LANES_AVX2
#define GRZ_WIDE(name)     name##_avx2
#define GRZ_WIDTH          8
#define GRZ_PLACES_D(LANE) GRZ_FOUR_PLACES(LANE, 0)
#define GRZ_PLACES(LANE)   GRZ_PLACES_D(LANE), GRZ_FOUR_PLACES(LANE, 4)
#else
#if GRZ_LANES == GRZ_LANES_SCALAR
#define GRZ_WIDE(name) name##_scalar
#else
#define GRZ_WIDE(name) name##_base
#endif
#define GRZ_WIDTH          4
#define GRZ_PLACES_D(LANE) LANE(0), LANE(1)
#define GRZ_PLACES(LANE)   GRZ_FOUR_PLACES(LANE, 0)
#endif
#define GRZ_PLACES_floats  GRZ_PLACES
#define GRZ_PLACES_doubles GRZ_PLACES_D
#define GRZ_PLACES_ints    GRZ_PLACES
#define GRZ_WIDTH_D        (GRZ_WIDTH / 2)

// An operation on one vector or mask, a, or on two of one type, a and b: its result type, its name,
// the type of its arguments, and the expression. GRZ_SELECT has a mask beside a and b.
#define GRZ_UNARY(result, name, type, expression)                                                  \
    static inline result name(type a)                                                              \
    {                                                                                              \
        return expression;                                                                         \
    }
#define GRZ_BINARY(result, name, type, expression)                                                 \
    static inline result name(type a, type b)                                                      \
    {                                                                                              \
        return expression;                                                                         \
    }
#define GRZ_SELECT(type, mask_type, expression)                                                    \
    static inline type select_##type(mask_type mask, type a, type b)                               \
    {                                                                                              \
        return expression;                                                                         \
    }

#if GRZ_LANES == GRZ_LANES_SCALAR
#include "lanes_scalar.h"
#else
#include "lanes_vectors.h"
#endif
#if GRZ_LANES_X86
#include "lanes_x86.h"
#elif GRZ_LANES == GRZ_LANES_NEON
#include "lanes_neon.h"
#elif GRZ_LANES == GRZ_LANES_SIMD128
#include "lanes_simd128.h"
#endif
#include "lanes_operations.h"

#undef GRZ_UNARY
#undef GRZ_BINARY
#undef GRZ_SELECT

_Static_assert(GRZ_WIDTH <= GRZ_LANES_MAX, "no vector is wider");
