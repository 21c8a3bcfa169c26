/// @file choice.h
/// Decisions kept as masks instead of branches. Where pairs come in random order a branch is
/// mispredicted every other time, which costs more than the few operations that it saves.
///
/// A choice is all ones or all zeros. Comparisons with a NaN are false.
#ifndef GRZ_CHOICE_H
#define GRZ_CHOICE_H

#include "vec2d.h"

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#define GRZ_CHOICE_SSE2 1
#else
#define GRZ_CHOICE_SSE2 0
#endif

#if GRZ_CHOICE_SSE2
#include <emmintrin.h>

typedef __m128d choice;

static inline choice is_less(double a, double b)
{
    return _mm_cmplt_sd(_mm_set_sd(a), _mm_set_sd(b));
}

static inline choice is_at_most(double a, double b)
{
    return _mm_cmple_sd(_mm_set_sd(a), _mm_set_sd(b));
}

static inline choice both(choice a, choice b)
{
    return _mm_and_pd(a, b);
}

static inline choice either(choice a, choice b)
{
    return _mm_or_pd(a, b);
}

static inline choice but_not(choice a, choice b)
{
    return _mm_andnot_pd(b, a);
}

static inline bool is_so(choice a)
{
    return (_mm_movemask_pd(a) & 1) != 0;
}

/// Returns a number, or 0 where it is not chosen.
static inline double keep(choice chosen, double number)
{
    return _mm_cvtsd_f64(_mm_and_pd(chosen, _mm_set_sd(number)));
}

static inline double choose(choice first, double a, double b)
{
    const __m128d lanes_a = _mm_and_pd(first, _mm_set_sd(a));
    const __m128d lanes_b = _mm_andnot_pd(first, _mm_set_sd(b));
    return _mm_cvtsd_f64(_mm_or_pd(lanes_a, lanes_b));
}

/// As lesser() and greater(), which may be compiled to a branch.
static inline double smaller(double a, double b)
{
    return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b)));
}

static inline double larger(double a, double b)
{
    return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b)));
}

#else

typedef bool choice;

static inline choice is_less(double a, double b)
{
    return a < b;
}

static inline choice is_at_most(double a, double b)
{
    return a <= b;
}

static inline choice both(choice a, choice b)
{
    return a & b;
}

static inline choice either(choice a, choice b)
{
    return a | b;
}

static inline choice but_not(choice a, choice b)
{
    return a & !b;
}

static inline bool is_so(choice a)
{
    return a;
}

/// Returns a number, or 0 where it is not chosen.
static inline double keep(choice chosen, double number)
{
    return chosen ? number : 0;
}

static inline double choose(choice first, double a, double b)
{
    return first ? a : b;
}

/// As lesser() and greater(), which may be compiled to a branch.
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

#endif

static inline graze_vec2d keep_vector(choice chosen, graze_vec2d v)
{
    return vec2d(keep(chosen, v.x), keep(chosen, v.y));
}

static inline graze_vec2d choose_vector(choice first, graze_vec2d a, graze_vec2d b)
{
    return vec2d(choose(first, a.x, b.x), choose(first, a.y, b.y));
}

#endif
