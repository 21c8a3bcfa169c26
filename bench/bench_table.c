#include "bench_table.h"

#include "bench_memory.h"

#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 3 };

/// The peers' columns; a peer with several variants is shown by its fastest one.
typedef struct peer_column {
    const char *title;
    const char *variants[VARIANTS]; ///< First parts of names; null: none.
} peer_column;

static const peer_column columns[] = {
    {"Chipmunk", {"chipmunk-tree", "chipmunk-hash", "chipmunk"}},
    {"Box2D", {"box2d"}},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

/// Our modules that peers are compared with.
static const char *const ours[] = {"engine/", "narrowphase/"};

enum { OURS_COUNT = sizeof ours / sizeof ours[0] };

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
    row->samples = bench_allocate(table->repetitions, sizeof *row->samples);
    return row;
}

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static void sort_samples(bench_row *row)
{
    qsort(row->samples, row->sample_count, sizeof *row->samples, compare_numbers);
}

/// Of sorted samples; 0 when there are none.
static double find_median(const bench_row *row)
{
    if (row->sample_count == 0) {
        return 0;
    }
    uint32_t middle = row->sample_count / 2;
    return row->sample_count % 2 ? row->samples[middle]
                                 : (row->samples[middle - 1] + row->samples[middle]) / 2;
}

static void write_counters(bench_row *row, const bench_result *result)
{
    size_t used = 0;
    row->counters[0] = '\0';
    for (uint32_t i = 0; i < result->counter_count && used < sizeof row->counters; ++i) {
        const bench_counter *counter = &result->counters[i];
        int written = snprintf(row->counters + used, sizeof row->counters - used, "  %s %.3g",
                               counter->name, counter->value);
        used += written > 0 ? (size_t)written : 0;
    }
}

static void print_row(const bench_row *row)
{
    if (row->error[0] != '\0') {
        printf("%-52s WRONG: %s\n", row->name, row->error);
        return;
    }
    double spread = row->samples[row->sample_count - 1] - row->samples[0];
    printf("%-52s %9.2f ns  +-%2.0f%% %s\n", row->name, find_median(row),
           spread * 50 / find_median(row), row->counters);
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
    row->samples[row->sample_count++] = result->nanoseconds;
    write_counters(row, result);
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t left = ((const bench_row *)a)->number;
    uint32_t right = ((const bench_row *)b)->number;
    return (left > right) - (left < right);
}

void bench_table_print_rows(bench_table *table)
{
    if (table->row_count > 0) {
        qsort(table->rows, table->row_count, sizeof *table->rows, compare_rows);
    }
    for (uint32_t i = 0; i < table->row_count; ++i) {
        sort_samples(&table->rows[i]);
        print_row(&table->rows[i]);
    }
}

double bench_table_median(const bench_table *table, const char *name)
{
    const bench_row *row = find_row(table, name);
    return row ? find_median(row) : 0;
}

/// The median of `module` on the work that `name` (`module/work`) names; 0 when it was not
/// measured.
static double find_median_of(const bench_table *table, const char *module, const char *name)
{
    char wanted[BENCH_NAME_CAPACITY];
    snprintf(wanted, sizeof wanted, "%s%s", module, strchr(name, '/'));
    return bench_table_median(table, wanted);
}

static double find_best_of(const bench_table *table, const peer_column *column, const char *name)
{
    double best = 0;
    for (int i = 0; i < VARIANTS; ++i) {
        const char *variant = column->variants[i];
        double median = variant ? find_median_of(table, variant, name) : 0;
        best = median > 0 && (best <= 0 || median < best) ? median : best;
    }
    return best;
}

static bool is_ours(const bench_row *row)
{
    for (uint32_t i = 0; i < OURS_COUNT; ++i) {
        if (strncmp(row->name, ours[i], strlen(ours[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_peer(const bench_table *table, const bench_row *row)
{
    for (uint32_t i = 0; i < COLUMN_COUNT; ++i) {
        if (find_best_of(table, &columns[i], row->name) > 0) {
            return true;
        }
    }
    return false;
}

static void print_heading(void)
{
    printf("\nMedians of this run, ns an item; x: how many times as long as Graze\n\n%-40s %10s",
           "", "Graze");
    for (uint32_t i = 0; i < COLUMN_COUNT; ++i) {
        printf(" %17s", columns[i].title);
    }
    printf("\n");
}

static void print_comparison(const bench_table *table, const bench_row *row)
{
    double own = find_median(row);
    printf("%-40s %10.1f", strchr(row->name, '/') + 1, own);
    for (uint32_t i = 0; i < COLUMN_COUNT; ++i) {
        double peer = find_best_of(table, &columns[i], row->name);
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
        if (is_ours(&table->rows[i]) && has_peer(table, &table->rows[i])) {
            if (!begun) {
                print_heading();
            }
            begun = true;
            print_comparison(table, &table->rows[i]);
        }
    }
}

void bench_table_free(bench_table *table)
{
    for (uint32_t i = 0; i < table->row_count; ++i) {
        free(table->rows[i].samples);
    }
    free(table->rows);
}
