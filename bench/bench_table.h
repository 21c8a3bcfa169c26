/// @file bench_table.h
/// Collects results; prints a line for each benchmark, and ours beside the peers.
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include "bench_shim.h"

#include <stdint.h>
#include <stdio.h>

enum { BENCH_NAME_CAPACITY = 96, BENCH_COUNTERS_CAPACITY = 256, BENCH_ERROR_CAPACITY = 128 };

/// All repetitions of one benchmark.
typedef struct bench_row {
    char name[BENCH_NAME_CAPACITY];
    char counters[BENCH_COUNTERS_CAPACITY]; ///< As text, of the last repetition.
    char error[BENCH_ERROR_CAPACITY];       ///< What was wrong, the last time; empty: nothing.
    double *samples;                        ///< sample_count, nanoseconds an item.
    uint32_t sample_count;
    uint32_t number; ///< Rows are listed by it.
} bench_row;

/// All benchmarks. All zero is an empty one.
typedef struct bench_table {
    bench_row *rows;
    uint32_t row_count;
    uint32_t repetitions; ///< Of each benchmark.
} bench_table;

/// Adds a repetition.
void bench_table_add(bench_table *table, const bench_result *result);

/// Prints all rows: median, spread and counters, or what was wrong. Repetitions come in random
/// order, so that this can only be done at the end. Sorts the rows.
void bench_table_print_rows(bench_table *table);

/// Prints what ours and at least one peer did: medians, and how many times longer the peer took.
void bench_table_print_peers(const bench_table *table);

/// Returns the median of the benchmark of that name, ns an item; 0 when it was not measured.
double bench_table_median(const bench_table *table, const char *name);

void bench_table_free(bench_table *table);

#endif
