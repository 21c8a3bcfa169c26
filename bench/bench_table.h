/// @file bench_table.h
/// Collects results; prints a line for each benchmark, and compares ours with the peers.
///
/// Work       A benchmark's name without its first part, which names the engine: `step/gas/10k` is
///            the work of engine/step/gas/10k and chipmunk-tree/step/gas/10k.
/// Times      Nanoseconds an item; 0 stands for "not measured".
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include "bench_shim.h"

#include <stdint.h>

enum {
    BENCH_NAME_CAPACITY = 96,
    BENCH_COUNTER_CAPACITY = 24, ///< Of a counter's name.
    BENCH_SERIES_CAPACITY = 20,  ///< Of a benchmark: time and counters.
    BENCH_ERROR_CAPACITY = 128
};

/// One number, of all repetitions.
typedef struct bench_series {
    char name[BENCH_COUNTER_CAPACITY];
    double *samples; ///< sample_count, ascending once bench_table_sort() was called.
    uint32_t sample_count;
} bench_series;

/// All repetitions of one benchmark.
typedef struct bench_row {
    char name[BENCH_NAME_CAPACITY];
    char error[BENCH_ERROR_CAPACITY];           ///< The last error; empty: none.
    bench_series series[BENCH_SERIES_CAPACITY]; ///< series_count: the time, then counters.
    uint32_t series_count;
    uint32_t number; ///< Rows are listed by it.
} bench_row;

/// All benchmarks. All zero is an empty one.
typedef struct bench_table {
    bench_row *rows;
    uint32_t row_count;
    uint32_t repetitions; ///< Of each benchmark, at most.
} bench_table;

typedef enum bench_peer { BENCH_CHIPMUNK, BENCH_BOX2D, BENCH_PEER_COUNT } bench_peer;

/// Adds a repetition.
void bench_table_add(bench_table *table, const bench_result *result);

/// Puts rows and samples in order: once, after the last repetition and before all that follows.
void bench_table_sort(bench_table *table);

/// Prints all rows: median, spread and counters, or the error.
void bench_table_print_rows(const bench_table *table);

/// Prints the work that ours and at least one peer did: medians, and how many times longer the peer
/// took.
void bench_table_print_peers(const bench_table *table);

/// Prints the work done on several threads and on one, and how many times faster it was.
void bench_table_print_threads(const bench_table *table);

/// Returns the median of the benchmark of that name.
double bench_table_median(const bench_table *table, const char *name);

/// Returns the median of our benchmark that does this work.
double bench_table_own(const bench_table *table, const char *work);

/// Returns the median of a peer's, the better one if measured with several indexes.
double bench_table_peer(const bench_table *table, bench_peer peer, const char *work);

/// Returns the median of a counter of our benchmark that does this work.
double bench_table_counter(const bench_table *table, const char *work, const char *counter);

/// Returns the median of samples that are in order.
double bench_series_median(const bench_series *series);

void bench_table_free(bench_table *table);

#endif
