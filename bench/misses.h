/// @file misses.h
/// How many hard shots (shots.h) ours and the peers let through, as a table.
#ifndef GRAZE_BENCH_MISSES_H
#define GRAZE_BENCH_MISSES_H

#include <stdbool.h>

/// Fires all shots at all engines and prints a line for each kind of shot; `quick`: fewer of them.
/// The same shots in every run. Returns whether ours let none through.
bool misses_run(bool quick);

#endif
