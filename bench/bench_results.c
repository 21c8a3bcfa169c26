#include "bench_results.h"

#include "bench_goals.h"
#include "bench_suites.h"
#include "engines.h"
#include "output.h"

#include <stdio.h>

/// Texts are ASCII; only these two characters need an escape.
static void write_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', to);
        }
        fputc(*text, to);
    }
    fputc('"', to);
}

static void write_member(FILE *to, const char *key, const char *text)
{
    fprintf(to, "    \"%s\": ", key);
    write_text(to, text);
    fputs(",\n", to);
}

static void write_machine(FILE *to, const machine *made_on)
{
    fputs("  \"machine\": {\n", to);
    write_member(to, "processor", made_on->processor);
    write_member(to, "stepping", made_on->stepping);
    write_member(to, "system", made_on->system);
    write_member(to, "compiler", made_on->compiler);
    write_member(to, "flags", made_on->flags);
    write_member(to, "revision", made_on->revision);
    write_member(to, "lanes", made_on->lanes);
    write_member(to, "date", made_on->date);
    fprintf(to, "    \"processors\": %u,\n    \"cache_kib\": [%u, %u, %u]\n  },\n",
            made_on->processors, made_on->cache_kib[0], made_on->cache_kib[1],
            made_on->cache_kib[2]);
}

static void write_engines(FILE *to)
{
    fputs("  \"engines\": {", to);
    for (const engine *const *each = engines; *each; ++each) {
        fprintf(to, "%s\"%s\": ", each == engines ? "" : ", ", (*each)->name);
        write_text(to, (*each)->version());
    }
    fputs("},\n", to);
}

static void write_times(FILE *to, const bench_row *row)
{
    const bench_series *time = &row->series[0];
    fprintf(to, ", \"ns\": %.4g, \"least\": %.4g, \"most\": %.4g, \"repetitions\": %u",
            bench_series_median(time), time->samples[0], time->samples[time->sample_count - 1],
            time->sample_count);
    for (uint32_t i = 1; i < row->series_count; ++i) {
        fprintf(to, ", \"%s\": %.4g", row->series[i].name, bench_series_median(&row->series[i]));
    }
}

static void write_rows(FILE *to, const bench_table *table)
{
    fputs("  \"benchmarks\": [\n", to);
    for (uint32_t i = 0; i < table->row_count; ++i) {
        const bench_row *row = &table->rows[i];
        fputs("    {\"name\": ", to);
        write_text(to, row->name);
        if (row->error[0] != '\0') {
            fputs(", \"error\": ", to);
            write_text(to, row->error);
        } else {
            write_times(to, row);
        }
        fprintf(to, "}%s\n", i + 1 < table->row_count ? "," : "");
    }
    fputs("  ],\n", to);
}

static void write_miss_row(FILE *to, const miss_table *misses, const miss_row *row)
{
    fputs("    {\"shots\": ", to);
    write_text(to, row->heading);
    fputs(", \"aimed\": ", to);
    write_text(to, row->name);
    fprintf(to, ", \"fired\": %u", row->fired);
    for (uint32_t i = 0; i < misses->engine_count; ++i) {
        if (row->tried[i]) {
            fprintf(to, ", \"%s\": %u", misses->engines[i], row->wrong[i]);
        }
    }
    fputs("}", to);
}

static void write_misses(FILE *to, const miss_table *misses)
{
    fputs("  \"misses\": [\n", to);
    for (uint32_t i = 0; i < misses->row_count; ++i) {
        write_miss_row(to, misses, &misses->rows[i]);
        fputs(i + 1 < misses->row_count ? ",\n" : "\n", to);
    }
    fputs("  ],\n", to);
}

static void write_goal(FILE *to, const goal_result *result)
{
    const char *verdict = !result->known    ? "not measured"
                          : result->reached ? "reached"
                          : result->met     ? "met"
                                            : "not met";
    fputs("    {\"goal\": ", to);
    write_text(to, result->title);
    fprintf(to, ", \"is\": \"%s\", \"must\": \"%s\", \"reach\": \"%s\", \"verdict\": \"%s\"}",
            result->known ? result->value : "", result->must, result->reach, verdict);
}

static void write_goals(FILE *to, const bench_table *table)
{
    fputs("  \"goals\": [\n", to);
    for (uint32_t i = 0; i < bench_goal_count(); ++i) {
        goal_result result = bench_goal_judge(table, i);
        write_goal(to, &result);
        fputs(i + 1 < bench_goal_count() ? ",\n" : "\n", to);
    }
    fputs("  ]\n", to);
}

bool bench_results_write(const bench_table *table, const miss_table *misses, const machine *made_on,
                         const char *path)
{
    FILE *to = output_open(path);
    if (!to) {
        return false;
    }
    fputs("{\n", to);
    write_machine(to, made_on);
    write_engines(to);
    fprintf(to, "  \"memory_gb_per_second\": %.1f,\n", bench_find_bandwidth(table));
    write_rows(to, table);
    write_misses(to, misses);
    write_goals(to, table);
    fputs("}\n", to);
    return output_close(to, path);
}
