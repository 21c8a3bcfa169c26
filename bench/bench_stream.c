// The bandwidth of memory on this machine, by one thread: the ceiling for everything larger than
// the caches.
//
// Source    J. D. McCalpin 1995, "Memory Bandwidth and Machine Balance in Current High Performance
//           Computers" (STREAM: copy and triad; bytes named by the loop are counted, lines that a
//           store reads first are not).

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COUNT = 1 << 24, ///< Doubles an array: 128 MiB, more than caches hold.
    ROUNDS = 3
};

typedef struct stream {
    const char *name;
    double bytes; ///< An element.
    void (*run)(double *restrict a, const double *restrict b, const double *restrict c);
} stream;

static void copy(double *restrict a, const double *restrict b, const double *restrict c)
{
    (void)c;
    for (uint32_t i = 0; i < COUNT; ++i) {
        a[i] = b[i];
    }
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        a[i] = b[i] + 3.0 * c[i];
    }
}

static const stream streams[] = {
    {"machine/copy/doubles/16M", 16.0, copy},
    {"machine/triad/doubles/16M", 24.0, triad},
};

enum { STREAM_COUNT = sizeof streams / sizeof streams[0] };

static double *make_array(double value)
{
    double *array = bench_allocate(COUNT, sizeof *array);
    for (uint32_t i = 0; i < COUNT; ++i) {
        array[i] = value;
    }
    return array;
}

static void run_stream(bench_state *state, const void *argument)
{
    const stream *which = argument;
    double *a = make_array(0.0);
    double *b = make_array(1.0);
    double *c = make_array(2.0);
    while (bench_next(state)) {
        bench_start(state);
        which->run(a, b, c);
        bench_stop(state);
    }
    double expected = which->run == copy ? 1.0 : 7.0;
    if (a[0] != expected || a[COUNT - 1] != expected) {
        bench_fail(state, "not what was to be written");
    }
    bench_set_items(state, COUNT);
    free(a);
    free(b);
    free(c);
}

void bench_register_stream(bench_plan plan)
{
    (void)plan;
    for (uint32_t i = 0; i < STREAM_COUNT; ++i) {
        bench_register(streams[i].name, run_stream, &streams[i], ROUNDS);
    }
}

double bench_find_bandwidth(const bench_table *table)
{
    double most = 0;
    for (uint32_t i = 0; i < STREAM_COUNT; ++i) {
        double median = bench_table_median(table, streams[i].name);
        double speed = median > 0 ? streams[i].bytes / median : 0;
        most = speed > most ? speed : most;
    }
    return most;
}

void bench_print_stream(const bench_table *table)
{
    double copied = bench_table_median(table, streams[0].name);
    double added = bench_table_median(table, streams[1].name);
    if (copied > 0 && added > 0) {
        printf("\nMemory, one thread: copy %.1f GB/s, triad %.1f GB/s\n", streams[0].bytes / copied,
               streams[1].bytes / added);
    }
}
