/// @file bench_results.h
/// One run as a file, for others to read and to compare with.
///
/// Format     JSON: machine and software, bandwidth of memory, each benchmark with its median,
///            least and largest time, and the medians of its counters; for each kind of hard shots
///            (misses.h) how many went wrong, unless none were fired; and the results for goals. No
///            names of hosts or folders.
#ifndef GRAZE_BENCH_RESULTS_H
#define GRAZE_BENCH_RESULTS_H

#include "bench_table.h"
#include "machine.h"
#include "misses.h"

#include <stdbool.h>

/// Writes the file. Returns false, and prints why, if that fails.
bool bench_results_write(const bench_table *table, const miss_table *misses, const machine *made_on,
                         const char *path);

#endif
