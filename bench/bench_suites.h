/// @file bench_suites.h
/// The benchmarks, one function a file: each registers its own with the shim.
///
/// Names are `module/operation/scene/size`, with `/threads:N` where that varies. A peer's name
/// replaces the module: names that differ only in the first part are the same work, and are
/// compared at the end.
#ifndef GRAZE_BENCH_SUITES_H
#define GRAZE_BENCH_SUITES_H

#include "bench_table.h"

#include <stdbool.h>

/// The selection of benchmarks.
typedef struct bench_plan {
    bool quick;       ///< Only the most important: within a minute.
    bool large;       ///< Also a million bodies.
    uint32_t threads; ///< For benchmarks on several threads; at least 1.
} bench_plan;

void bench_register_narrowphase(bench_plan plan);
void bench_register_grid(bench_plan plan);
void bench_register_segment_grid(bench_plan plan);
void bench_register_step(bench_plan plan);
void bench_register_heap(bench_plan plan);
void bench_register_filters(bench_plan plan);
void bench_register_query(bench_plan plan);
void bench_register_rays(bench_plan plan);
void bench_register_snapshot(bench_plan plan);
void bench_register_record(bench_plan plan);
void bench_register_apart(bench_plan plan);
void bench_register_stream(bench_plan plan);

/// Prints the bandwidth of memory, if measured.
void bench_print_stream(const bench_table *table);

/// Returns the bandwidth of memory by the better of two loops, in bytes a nanosecond; 0 if not
/// measured.
double bench_find_bandwidth(const bench_table *table);

/// Prints the bytes that each phase of the step reads and writes per body, and the bandwidth of
/// memory, for each large gas that was measured.
void bench_print_phases(const bench_table *table);

#endif
