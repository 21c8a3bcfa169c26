/// @file lanes_begin.h
/// Opens the part of a file that is compiled for GRZ_LANES. Include it once, right after lanes.h;
/// lanes_end.h closes the part. See lanes.h.

#include "lanes.h"

#ifndef GRZ_LANES
#error "GRZ_LANES must say which lanes this file is for"
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

// An operation on one vector or mask, a, or on two of one type, a and b: its result type, its name,
// the type of its arguments, and the expression.
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

#if GRZ_LANES == GRZ_LANES_SCALAR
#define GRZ_WIDE(name) name##_scalar
#include "lanes_scalar.h"
#elif GRZ_LANES == GRZ_LANES_SSE2
#define GRZ_WIDE(name) name##_base
#include "lanes_sse2.h"
#elif GRZ_LANES == GRZ_LANES_AVX2
#define GRZ_WIDE(name) name##_avx2
#include "lanes_avx2.h"
#elif GRZ_LANES == GRZ_LANES_AVX512
#define GRZ_WIDE(name) name##_avx512
#include "lanes_avx512.h"
#elif GRZ_LANES == GRZ_LANES_NEON
#define GRZ_WIDE(name) name##_base
#include "lanes_neon.h"
#elif GRZ_LANES == GRZ_LANES_SIMD128
#define GRZ_WIDE(name) name##_base
#include "lanes_simd128.h"
#endif

#undef GRZ_UNARY
#undef GRZ_BINARY

_Static_assert(GRZ_WIDTH <= GRZ_LANES_MAX, "no vector is wider");
