/// @file median.h
/// The median of measured numbers.
#ifndef GRAZE_BENCH_MEDIAN_H
#define GRAZE_BENCH_MEDIAN_H

#include <stdint.h>

/// Puts numbers in ascending order.
void median_sort(double *numbers, uint32_t count);

/// Returns the median of numbers that are in ascending order; 0 if there are none.
double median_of(const double *numbers, uint32_t count);

#endif
