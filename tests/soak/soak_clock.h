/// @file soak_clock.h
/// Seconds since some moment, never going back.
#ifndef GRAZE_TESTS_SOAK_CLOCK_H
#define GRAZE_TESTS_SOAK_CLOCK_H

double soak_clock(void);

#endif
