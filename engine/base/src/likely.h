/// @file likely.h
/// Hints to the compiler: which way a branch mostly goes, which functions to inline always or
/// never, and which loops to unroll.
#ifndef GRZ_LIKELY_H
#define GRZ_LIKELY_H

/// The condition, which nearly always holds: compilers lay out that case without a jump.
#if defined(__GNUC__)
#define GRZ_LIKELY(condition) __builtin_expect(condition, 1)
#else
#define GRZ_LIKELY(condition) (condition)
#endif

/// Begins a function that is inlined however often it is called: around a call, vectors that are in
/// registers would have to be saved in memory.
#if defined(__GNUC__)
#define GRZ_IN_PLACE __attribute__((always_inline)) static inline
#else
#define GRZ_IN_PLACE static inline
#endif

/// Before a loop of a few rounds, whose number is a constant: none of it is left, even where
/// compilers would rather have short code (-O2). What it keeps in arrays can be in registers then:
/// to read a vector from memory where its parts have just been written makes processors wait.
#if defined(__clang__)
#define GRZ_UNROLLED _Pragma("unroll")
#elif defined(__GNUC__)
#define GRZ_UNROLLED _Pragma("GCC unroll 16")
#else
#define GRZ_UNROLLED
#endif

/// Begins a function that is never inlined, not even when all of a program is compiled at once.
#if defined(__GNUC__)
#define GRZ_APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define GRZ_APART __declspec(noinline)
#else
#define GRZ_APART
#endif

#endif
