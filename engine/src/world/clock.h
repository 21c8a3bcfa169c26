/// @file clock.h
/// The clock by which the phases of a step are timed: for the stats alone.
#ifndef GRZ_CLOCK_H
#define GRZ_CLOCK_H

/// Returns the time in seconds, for differences only.
double grz_now_in_seconds(void);

#endif
