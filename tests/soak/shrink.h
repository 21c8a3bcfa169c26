/// @file shrink.h
/// Makes a failing case small.
///
/// Source     The idea of shrinking what a case is drawn from instead of the case: D. R. MacIver,
///            A. F. Donaldson 2020, "Test-Case Reduction via Test-Case Generation".
#ifndef GRAZE_TESTS_SHRINK_H
#define GRAZE_TESTS_SHRINK_H

#include "soak_case.h"

/// Looks for the smallest sequence of choices that makes a case of this family fail: leaves out
/// runs of choices, then lowers single ones, as long as that succeeds.
///
/// choices    In: `count` choices that fail; out: those found. Room for SOAK_CHOICES.
/// Returns    How many there are now.
/// Cost       At most as many seconds as `seconds`.
uint32_t soak_shrink(soak_run_fn *run, uint32_t *choices, uint32_t count, double seconds);

#endif
