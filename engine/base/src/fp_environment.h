/// @file fp_environment.h
/// The floating-point environment: round to nearest, denormal numbers kept, whatever the caller has
/// set.
///
/// A game may have set another rounding mode or flush-to-zero (libraries built with -ffast-math do
/// so when they are loaded). Every call that computes state or results begins with grz_fp_enter()
/// and ends with grz_fp_leave(). Neither is ever inlined, and for all that the compiler knows both
/// touch all of memory, so that it moves no arithmetic across them, not even when the whole program
/// is optimised at once (-flto).
///
/// Threads    The setting belongs to the thread: each thread that works for a world enters and
///            leaves, too.
/// Cost       Two reads of a register if the caller's setting is already the right one.
#ifndef GRZ_FP_ENVIRONMENT_H
#define GRZ_FP_ENVIRONMENT_H

#include <float.h>
#include <stdint.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "Graze needs float and double as they are; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

// The project's own CMake files turn these off. (A contraction, such as that of -ffp-contract=fast,
// cannot be seen from here.)
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Graze needs exact arithmetic: compile it with -fno-fast-math -ffp-contract=off"
#endif
_Static_assert(sizeof 0.1 == sizeof(double), "Graze needs constants that are doubles");

/// A setting of the processor, in its own encoding.
typedef struct grz_fp_environment {
    uint64_t control;
} grz_fp_environment;

/// Sets round to nearest, denormals kept, no traps. Returns the setting before.
grz_fp_environment grz_fp_enter(void);

/// Sets what grz_fp_enter() returned.
void grz_fp_leave(grz_fp_environment before);

#endif
