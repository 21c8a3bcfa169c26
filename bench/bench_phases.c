// What each phase of the step reads and writes, beside what memory gives: how far from the floor.
//
// Bytes are those that the HOT comments of the engine state for a world of circles: each column
// once for each loop that goes over it, as if none stayed in a cache in between. So a phase may show
// more than memory gives where caches hold a part; one that shows much less is bound by computing.

#include "bench_suites.h"

#include <graze/world.h>

#include <stdio.h>

/// Bytes a body, and for each candidate pair and each contact. Where a phase changes, so does its
/// line; the file is where the comment stands.
typedef struct phase_bytes {
    graze_phase phase;
    double read, written, a_pair, a_contact;
} phase_bytes;

static const phase_bytes table_of_bytes[GRAZE_PHASE_COUNT] = {
    {GRAZE_PHASE_PREDICT, 28, 33, 0, 0},          // step_predict.c
    {GRAZE_PHASE_SORT, 16 + 20 + 84, 4 + 24 + 52, // grid_build.c; rows.c, with the order each time
     0, 0},
    {GRAZE_PHASE_PAIRS, 16 + 4, 0, 8, 0},   // grid_pairs.c
    {GRAZE_PHASE_DECIDE, 28, 0, 8, 60},     // step_decide.c, meet.c: rows of a pair lie close
    {GRAZE_PHASE_RESPOND, 0, 0, 0, 0},      // step_respond.c: a gas has no response
    {GRAZE_PHASE_COMMIT, 16, 16, 0, 0},     // step_commit.c: copies of two columns
    {GRAZE_PHASE_REPORT, 4, 4, 0, 8 + 176}, // step_report.c: contacts and keys, read and written
};

static double count_bytes(const phase_bytes *of, double pairs, double contacts)
{
    return of->read + of->written + of->a_pair * pairs + of->a_contact * contacts;
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
        const char *name = graze_phase_name(table_of_bytes[i].phase);
        double bytes = count_bytes(&table_of_bytes[i], pairs, contacts);
        snprintf(counter, sizeof counter, "%s_ns", name);
        print_line(name, bench_table_counter(table, work, counter), bytes, bandwidth);
        all += bytes;
    }
    print_line("step", bench_table_own(table, work), all, bandwidth);
    if (bandwidth > 0) {
        printf("  Memory alone would take %.1f ns for these bytes\n", all / bandwidth);
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
