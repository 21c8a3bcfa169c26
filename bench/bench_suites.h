/// @file bench_suites.h
/// The benchmarks, one function a file: each registers its own with the shim.
///
/// Names are `module/operation/scene/size`, with `/threads:N` where that varies. A peer stands
/// where the module does: all names that differ in the first part only are the same work and are
/// set side by side at the end.
#ifndef GRAZE_BENCH_SUITES_H
#define GRAZE_BENCH_SUITES_H

#include "bench_table.h"

#include <stdbool.h>

/// Which benchmarks are wanted.
typedef struct bench_plan {
    bool quick;       ///< The few that matter most: within a minute.
    bool large;       ///< Also a million bodies.
    uint32_t threads; ///< What is measured on several threads, on that many; at least 1.
} bench_plan;

void bench_register_narrowphase(bench_plan plan);
void bench_register_grid(bench_plan plan);
void bench_register_segment_grid(bench_plan plan);
void bench_register_step(bench_plan plan);
void bench_register_heap(bench_plan plan);
void bench_register_query(bench_plan plan);
void bench_register_rays(bench_plan plan);
void bench_register_snapshot(bench_plan plan);
void bench_register_record(bench_plan plan);
void bench_register_apart(bench_plan plan);
void bench_register_stream(bench_plan plan);

/// Prints what memory gives, when that was measured.
void bench_print_stream(const bench_table *table);

/// Returns what memory gives by the better of two loops, in bytes a nanosecond; 0 when that was not
/// measured.
double bench_find_bandwidth(const bench_table *table);

/// Prints what each phase of the step reads and writes a body, beside what memory gives, for each
/// of the large gases that was measured.
void bench_print_phases(const bench_table *table);

#endif
