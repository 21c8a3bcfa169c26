#include "bench_table.h"

#include "bench_memory.h"
#include "median.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 3 };

/// The peers' columns; a peer with several variants is shown by its fastest one.
typedef struct peer_column {
    const char *title;
    const char *variants[VARIANTS]; ///< First parts of names; null: none.
} peer_column;

static const peer_column columns[BENCH_PEER_COUNT] = {
    {"Chipmunk", {"chipmunk-tree", "chipmunk-hash", "chipmunk"}},
    {"Box2D", {"box2d"}},
};

/// Our modules that peers are compared with.
static const char *const ours[] = {"engine", "narrowphase"};

enum { OURS_COUNT = sizeof ours / sizeof ours[0] };

// --- collecting ---

static bench_row *find_row(const bench_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->row_count; ++i) {
        if (strcmp(table->rows[i].name, name) == 0) {
            return &table->rows[i];
        }
    }
    return NULL;
}

static bench_row *append_row(bench_table *table, const char *name)
{
    bench_row *rows = bench_allocate(table->row_count + 1, sizeof *rows);
    if (table->row_count > 0) {
        memcpy(rows, table->rows, table->row_count * sizeof *rows);
    }
    free(table->rows);
    table->rows = rows;
    bench_row *row = &rows[table->row_count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

/// Returns series_count if there is none of that name.
static uint32_t find_series(const bench_row *row, const char *name)
{
    uint32_t i = 0;
    while (i < row->series_count && strcmp(row->series[i].name, name) != 0) {
        ++i;
    }
    return i;
}

static void append_series(const bench_table *table, bench_row *row, const char *name)
{
    if (row->series_count == BENCH_SERIES_CAPACITY) {
        fprintf(stderr, "graze_bench: %s has too many counters\n", row->name);
        exit(1);
    }
    bench_series *series = &row->series[row->series_count++];
    snprintf(series->name, sizeof series->name, "%s", name);
    series->samples = bench_allocate(table->repetitions, sizeof *series->samples);
}

static void add_sample(const bench_table *table, bench_row *row, const char *name, double value)
{
    uint32_t number = find_series(row, name);
    if (number == row->series_count) {
        append_series(table, row, name);
    }
    bench_series *series = &row->series[number];
    series->samples[series->sample_count++] = value;
}

void bench_table_add(bench_table *table, const bench_result *result)
{
    bench_row *row = find_row(table, result->name);
    row = row ? row : append_row(table, result->name);
    row->number = result->number;
    if (result->error) {
        snprintf(row->error, sizeof row->error, "%s", result->error);
        return;
    }
    add_sample(table, row, "ns", result->nanoseconds);
    for (uint32_t i = 0; i < result->counter_count; ++i) {
        add_sample(table, row, result->counters[i].name, result->counters[i].value);
    }
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t left = ((const bench_row *)a)->number;
    uint32_t right = ((const bench_row *)b)->number;
    return (left > right) - (left < right);
}

void bench_table_sort(bench_table *table)
{
    if (table->row_count > 0) {
        qsort(table->rows, table->row_count, sizeof *table->rows, compare_rows);
    }
    for (uint32_t i = 0; i < table->row_count; ++i) {
        bench_row *row = &table->rows[i];
        for (uint32_t j = 0; j < row->series_count; ++j) {
            median_sort(row->series[j].samples, row->series[j].sample_count);
        }
    }
}

// --- reading ---

double bench_series_median(const bench_series *series)
{
    return median_of(series->samples, series->sample_count);
}

/// Of the time, or of a counter.
static double find_median(const bench_row *row, const char *name)
{
    if (!row) {
        return 0;
    }
    uint32_t number = find_series(row, name);
    return number < row->series_count ? bench_series_median(&row->series[number]) : 0;
}

static const bench_row *find_row_of(const bench_table *table, const char *module, const char *work)
{
    char name[BENCH_NAME_CAPACITY];
    snprintf(name, sizeof name, "%s/%s", module, work);
    return find_row(table, name);
}

double bench_table_median(const bench_table *table, const char *name)
{
    return find_median(find_row(table, name), "ns");
}

double bench_table_counter(const bench_table *table, const char *work, const char *counter)
{
    double found = 0;
    for (uint32_t i = 0; i < OURS_COUNT && found <= 0; ++i) {
        found = find_median(find_row_of(table, ours[i], work), counter);
    }
    return found;
}

double bench_table_own(const bench_table *table, const char *work)
{
    return bench_table_counter(table, work, "ns");
}

double bench_table_peer(const bench_table *table, bench_peer peer, const char *work)
{
    double best = 0;
    for (int i = 0; i < VARIANTS; ++i) {
        const char *variant = columns[peer].variants[i];
        double median = variant ? find_median(find_row_of(table, variant, work), "ns") : 0;
        best = median > 0 && (best <= 0 || median < best) ? median : best;
    }
    return best;
}

// --- printing ---

static void print_row(const bench_row *row)
{
    if (row->error[0] != '\0') {
        printf("%-52s WRONG: %s\n", row->name, row->error);
        return;
    }
    const bench_series *time = &row->series[0];
    double spread = time->samples[time->sample_count - 1] - time->samples[0];
    double median = bench_series_median(time);
    printf("%-52s %9.2f ns  +-%2.0f%%", row->name, median, spread * 50 / median);
    for (uint32_t i = 1; i < row->series_count; ++i) {
        printf("  %s %.3g", row->series[i].name, bench_series_median(&row->series[i]));
    }
    printf("\n");
}

void bench_table_print_rows(const bench_table *table)
{
    for (uint32_t i = 0; i < table->row_count; ++i) {
        print_row(&table->rows[i]);
    }
}

/// Returns the work of a row, null if it is not ours.
static const char *find_own_work(const bench_row *row)
{
    for (uint32_t i = 0; i < OURS_COUNT; ++i) {
        size_t length = strlen(ours[i]);
        if (strncmp(row->name, ours[i], length) == 0 && row->name[length] == '/') {
            return row->name + length + 1;
        }
    }
    return NULL;
}

static bool has_peer(const bench_table *table, const char *work)
{
    return bench_table_peer(table, BENCH_CHIPMUNK, work) > 0 ||
           bench_table_peer(table, BENCH_BOX2D, work) > 0;
}

static void print_heading(void)
{
    printf("\nMedians of this run, ns an item; x: how many times as long as Graze\n\n%-40s %10s",
           "", "Graze");
    for (uint32_t i = 0; i < BENCH_PEER_COUNT; ++i) {
        printf(" %17s", columns[i].title);
    }
    printf("\n");
}

static void print_comparison(const bench_table *table, const char *work)
{
    double own = bench_table_own(table, work);
    printf("%-40s %10.1f", work, own);
    for (uint32_t i = 0; i < BENCH_PEER_COUNT; ++i) {
        double peer = bench_table_peer(table, (bench_peer)i, work);
        if (peer > 0 && own > 0) {
            printf(" %9.1f %6.1fx", peer, peer / own);
        } else {
            printf(" %17s", "-");
        }
    }
    printf("\n");
}

void bench_table_print_peers(const bench_table *table)
{
    bool begun = false;
    for (uint32_t i = 0; i < table->row_count; ++i) {
        const char *work = find_own_work(&table->rows[i]);
        if (work && has_peer(table, work)) {
            if (!begun) {
                print_heading();
            }
            begun = true;
            print_comparison(table, work);
        }
    }
}

/// Returns the time of the same work on one thread.
static double find_on_one_thread(const bench_table *table, const char *work, const char *suffix)
{
    char name[BENCH_NAME_CAPACITY];
    snprintf(name, sizeof name, "%.*s/threads:1", (int)(suffix - work), work);
    return bench_table_own(table, name);
}

void bench_table_print_threads(const bench_table *table)
{
    bool begun = false;
    for (uint32_t i = 0; i < table->row_count; ++i) {
        const char *work = find_own_work(&table->rows[i]);
        const char *suffix = work ? strstr(work, "/threads:") : NULL;
        if (!suffix || strcmp(suffix, "/threads:1") == 0) {
            continue;
        }
        double alone = find_on_one_thread(table, work, suffix);
        double together = bench_table_own(table, work);
        if (alone > 0 && together > 0) {
            printf("%s%-40s %10.1f %17.1f %9.2fx\n",
                   begun ? "" : "\nThreads, ns an item by the wall's clock: one, all, speed-up\n\n",
                   work, alone, together, alone / together);
            begun = true;
        }
    }
}

void bench_table_free(bench_table *table)
{
    for (uint32_t i = 0; i < table->row_count; ++i) {
        for (uint32_t j = 0; j < table->rows[i].series_count; ++j) {
            free(table->rows[i].series[j].samples);
        }
    }
    free(table->rows);
}
