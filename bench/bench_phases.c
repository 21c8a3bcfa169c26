// The bytes that each phase of the step reads and writes, compared with the bandwidth of memory.
//
// Bytes are those of the engine's HOT comments for a world of circles: each column once for each
// loop over it, as if none stayed in a cache in between. So a phase may exceed the bandwidth of
// memory if caches hold a part; one that is far below it is bound by computing.

#include "bench_suites.h"

#include <graze/world.h>

#include <stdio.h>

/// Bytes that one loop reads and writes per body, per candidate pair and per contact. If a loop
/// changes, change its line.
typedef struct loop_bytes {
    graze_phase phase;
    double read, written, a_pair, a_contact;
} loop_bytes;

#define SORTED_EVERY 13.0 ///< Steps of the gas between two that move rows.

static const loop_bytes loops[] = {
    {GRAZE_PHASE_PREDICT, 28, 32, 0, 0},                              // predict_wide.h
    {GRAZE_PHASE_SORT, 16, 4, 0, 0},                                  // grid_build_wide.h
    {GRAZE_PHASE_SORT, 4, 4, 0, 0},                                   // grid_sort.c, place_chunk
    {GRAZE_PHASE_SORT, 24, 20, 0, 0},                                 // grid_sort.c, fetch_items
    {GRAZE_PHASE_SORT, 4, 4, 0, 0},                                   // step.c, review_block
    {GRAZE_PHASE_PAIRS, 20, 0, 8, 0},                                 // grid_neighbours_wide.h
    {GRAZE_PHASE_DECIDE, 28, 0, 8, 64},                               // decide_wide.h
    {GRAZE_PHASE_COMMIT, 60 / SORTED_EVERY, 36 / SORTED_EVERY, 0, 0}, // rows.c
    {GRAZE_PHASE_REPORT, 0, 0, 0, 64 + 8 + 8 + 12}, // contact_order.c, sort_by_rank
    {GRAZE_PHASE_REPORT, 0, 0, 0, 2 * (8 + 8)},     // contact_order.c, its two digits
    {GRAZE_PHASE_REPORT, 0, 0, 0, 2 * 8 + 2 * 4},   // contact_match.c, match_together
    {GRAZE_PHASE_REPORT, 0, 0, 0, 4 + 64 + 68},     // report.c, write_some
};

enum { LOOP_COUNT = sizeof loops / sizeof loops[0] };

static double count_bytes(graze_phase phase, double pairs, double contacts)
{
    double bytes = 0;
    for (int i = 0; i < LOOP_COUNT; ++i) {
        if (loops[i].phase == phase) {
            bytes += loops[i].read + loops[i].written + loops[i].a_pair * pairs +
                     loops[i].a_contact * contacts;
        }
    }
    return bytes;
}

static void print_line(const char *name, double time, double bytes, double bandwidth)
{
    printf("  %-10s %9.2f %9.1f", name, time, bytes);
    if (time > 0.05) {
        double speed = bytes / time;
        printf(" %9.1f %8.0f %%", speed, bandwidth > 0 ? speed * 100 / bandwidth : 0);
    }
    printf("\n");
}

static void print_gas(const bench_table *table, const char *work)
{
    double pairs = bench_table_counter(table, work, "pairs");
    double contacts = bench_table_counter(table, work, "contacts");
    double bandwidth = bench_find_bandwidth(table);
    double all = 0;
    printf("\n%-12s %9s %9s %9s %10s\n", work, "ns", "bytes", "GB/s", "of memory");
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        char counter[BENCH_COUNTER_CAPACITY];
        const char *name = graze_phase_name((graze_phase)i);
        double bytes = count_bytes((graze_phase)i, pairs, contacts);
        snprintf(counter, sizeof counter, "%s_ns", name);
        print_line(name, bench_table_counter(table, work, counter), bytes, bandwidth);
        all += bytes;
    }
    print_line("step", bench_table_own(table, work), all, bandwidth);
    if (bandwidth > 0) {
        printf("  These bytes alone would take %.1f ns\n", all / bandwidth);
    }
}

void bench_print_phases(const bench_table *table)
{
    static const char *const works[] = {"step/gas/100k", "step/gas/1M"};
    bool begun = false;
    for (uint32_t i = 0; i < sizeof works / sizeof works[0]; ++i) {
        if (bench_table_own(table, works[i]) > 0) {
            if (!begun) {
                printf("\nPhases of the step, a body: time, bytes read and written, and their "
                       "speed beside that of memory\n");
            }
            begun = true;
            print_gas(table, works[i]);
        }
    }
}
