/// @file sine_cosine.h
/// The coefficients of sine and cosine: one place for the scalar code and for the lanes, which must
/// give the same bits.
///
/// Source     Taylor polynomials after reduction to [-pi/4, pi/4] (W. J. Cody, W. Waite 1980,
///            "Software Manual for the Elementary Functions": pi/2 in two parts).
#ifndef GRZ_SINE_COSINE_H
#define GRZ_SINE_COSINE_H

enum { GRZ_SINE_TERMS = 6 }; ///< Of each polynomial after the first one.

/// sin x = x + x^3 (s0 + x^2 (s1 + ...)). On [-pi/4, pi/4] the first term left out is below 2e-14
/// of the sum.
static const double grz_sine_terms[GRZ_SINE_TERMS] = {
    -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0};

/// cos x = 1 + x^2 (c0 + x^2 (c1 + ...)), likewise.
static const double grz_cosine_terms[GRZ_SINE_TERMS] = {
    -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600.0};

/// 2/pi, and pi/2 in two parts: the first has 36 bits, so that a product with up to 17 bits is
/// exact.
static const double grz_quarters_of_radian = 0x1.45f306dc9c883p-1;
static const double grz_half_pi_head = 0x1.921fb54440000p+0;
static const double grz_half_pi_tail = 0x1.68c234c4c6629p-39;

/// Adding and subtracting it, 1.5 * 2^52, rounds to an integer.
static const double grz_shifter = 0x1.8p52;

#endif
