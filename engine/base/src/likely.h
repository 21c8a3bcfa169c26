/// @file likely.h
/// Which way a branch mostly goes, and what is to be written in place, where a compiler guesses
/// wrong.
#ifndef GRZ_LIKELY_H
#define GRZ_LIKELY_H

/// Returns whether the condition holds, which it mostly does: the code for that case is laid out
/// without a jump.
#if defined(__GNUC__)
#define GRZ_LIKELY(condition) __builtin_expect(condition, 1)
#else
#define GRZ_LIKELY(condition) (condition)
#endif

/// Begins a function that is written in place however often it is called: where a call takes
/// longer, as all that is in vectors goes to memory.
#if defined(__GNUC__)
#define GRZ_IN_PLACE __attribute__((always_inline)) static inline
#else
#define GRZ_IN_PLACE static inline
#endif

#endif
