/// @file likely.h
/// Which way a branch mostly goes, where a compiler guesses wrong.
#ifndef GRZ_LIKELY_H
#define GRZ_LIKELY_H

/// Returns whether the condition holds, which it mostly does: what follows then is laid out so that
/// nothing is jumped over.
#if defined(__GNUC__)
#define GRZ_LIKELY(condition) __builtin_expect(condition, 1)
#else
#define GRZ_LIKELY(condition) (condition)
#endif

#endif
