// graze_bench: runs the benchmarks and compares ours with the peers.

#include "bench_chart.h"
#include "bench_goals.h"
#include "bench_results.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "bench_table.h"
#include "machine.h"
#include "misses.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPETITIONS = 5, QUICK_REPETITIONS = 3, THREADS = 2 };

typedef struct command {
    bench_plan plan;
    const char *filter, *json, *chart, *results, *revision;
    uint32_t repetitions; ///< 0: not said.
    bool list, misses, help, bad;
} command;

static const char help[] =
    "graze_bench: how fast Graze is, and what it lets through, beside the peers that were found\n"
    "when it was built\n"
    "\n"
    "Usage: graze_bench [OPTIONS]\n"
    "\n"
    "  --quick            the few that matter most, in less than a minute\n"
    "  --large            also a million bodies\n"
    "  --threads=N        what is measured on several threads, on that many (default 2)\n"
    "  --filter=REGEX     only benchmarks whose name matches, such as step/gas/10k\n"
    "  --repetitions=N    of each, in random order; medians are shown (default 5, quick 3)\n"
    "  --list             only the names of the benchmarks that match the filter\n"
    "  --misses           only the shots that engines are known to let through\n"
    "  --chart FILE       also draw the step against sizes, and bullets, as SVG\n"
    "  --results FILE     also write machine, medians and goals as JSON\n"
    "  --revision TEXT    what the results call the sources that were built\n"
    "  --json FILE        also write Google Benchmark's JSON\n"
    "  --help             this text\n"
    "\n"
    "Names are module/operation/scene/size; a peer stands in the module's place. Times are\n"
    "nanoseconds an item: a body, a bullet where there are bullets, a segment, a pair of shapes;\n"
    "of processor time, but where a name ends in threads:N, of the wall's.\n"
    "Counters are per item too: candidate pairs, contacts, hits, bytes; a step's phases in ns.\n"
    "Every benchmark checks its answer; when one is wrong, or when Graze lets a shot through, the\n"
    "exit status is 1. With --filter no shots are fired.\n";

/// Returns the text after `option` and `=`, or the next argument; null if this is another option.
static const char *take_value(const char *option, char **arguments, int *index)
{
    size_t length = strlen(option);
    const char *argument = arguments[*index];
    if (strncmp(argument, option, length) != 0) {
        return NULL;
    }
    if (argument[length] == '=') {
        return argument + length + 1;
    }
    return argument[length] == '\0' && arguments[*index + 1] ? arguments[++*index] : NULL;
}

static void read_flag(command *read, const char *argument)
{
    if (strcmp(argument, "--quick") == 0) {
        read->plan.quick = true;
    } else if (strcmp(argument, "--large") == 0) {
        read->plan.large = true;
    } else if (strcmp(argument, "--list") == 0) {
        read->list = true;
    } else if (strcmp(argument, "--misses") == 0) {
        read->misses = true;
    } else if (strcmp(argument, "--help") == 0) {
        read->help = true;
    } else {
        fprintf(stderr, "graze_bench: '%s' is no option, or lacks its value; see --help\n",
                argument);
        read->bad = true;
    }
}

static uint32_t read_count(const char *option, const char *text, bool *bad)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);
    if (*end != '\0' || count < 1 || count > 1000) {
        fprintf(stderr, "graze_bench: %s=%s: not a number from 1 to 1000\n", option, text);
        *bad = true;
    }
    return (uint32_t)count;
}

static const char *read_filter(const char *text, bool *bad)
{
    *bad = !bench_is_filter(text);
    return text;
}

static command read_command(char **arguments)
{
    command read = {.plan = {.threads = THREADS}};
    for (int i = 1; arguments[i] && !read.bad; ++i) {
        const char *value;
        if ((value = take_value("--filter", arguments, &i))) {
            read.filter = read_filter(value, &read.bad);
        } else if ((value = take_value("--json", arguments, &i))) {
            read.json = value;
        } else if ((value = take_value("--chart", arguments, &i))) {
            read.chart = value;
        } else if ((value = take_value("--results", arguments, &i))) {
            read.results = value;
        } else if ((value = take_value("--revision", arguments, &i))) {
            read.revision = value;
        } else if ((value = take_value("--threads", arguments, &i))) {
            read.plan.threads = read_count("--threads", value, &read.bad);
        } else if ((value = take_value("--repetitions", arguments, &i))) {
            read.repetitions = read_count("--repetitions", value, &read.bad);
        } else {
            read_flag(&read, arguments[i]);
        }
    }
    return read;
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K");
    }
}

static void show_progress(const char *name, uint32_t number, uint32_t total, void *user)
{
    (void)user;
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K[%u/%u] %s", number, total, name);
    }
}

static void take_result(const bench_result *result, void *user)
{
    clear_progress();
    bench_table_add(user, result);
}

static void register_benchmarks(bench_plan plan)
{
    bench_register_step(plan);
    bench_register_heap(plan);
    bench_register_filters(plan);
    bench_register_query(plan);
    bench_register_rays(plan);
    bench_register_snapshot(plan);
    bench_register_record(plan);
    bench_register_grid(plan);
    bench_register_segment_grid(plan);
    bench_register_narrowphase(plan);
    bench_register_apart(plan);
    bench_register_stream(plan);
}

static void warn_of_debug_build(void)
{
#ifndef NDEBUG
    printf(
        "Built without optimization or with assertions: answers are checked, times mean little\n");
#endif
}

/// The result of a run, after all measurements.
static void print_report(const bench_table *table)
{
    bench_table_print_peers(table);
    bench_table_print_threads(table);
    bench_print_stream(table);
    bench_print_phases(table);
    bench_goals_print(table);
}

static bool write_files(const command *wanted, const bench_table *table, const miss_table *misses,
                        const machine *made_on)
{
    return (!wanted->chart || bench_chart_write(table, made_on, wanted->chart)) &&
           (!wanted->results || bench_results_write(table, misses, made_on, wanted->results));
}

static bool run_benchmarks(const command *wanted)
{
    uint32_t usual = wanted->plan.quick ? QUICK_REPETITIONS : REPETITIONS;
    bench_table table = {.repetitions = wanted->repetitions ? wanted->repetitions : usual};
    machine made_on = machine_describe(wanted->revision);
    bench_options options = {
        .filter = wanted->filter,
        .json = wanted->json,
        .repetitions = table.repetitions,
        .begun = show_progress,
        .ended = take_result,
        .user = &table,
    };
    machine_print(&made_on);
    bool right = bench_run(&options);
    clear_progress();
    bench_table_sort(&table);
    bench_table_print_rows(&table);
    miss_table misses = {.row_count = 0};
    right = (wanted->filter || misses_run(wanted->plan.quick, &misses)) && right;
    print_report(&table);
    right = write_files(wanted, &table, &misses, &made_on) && right;
    bench_table_free(&table);
    return right;
}

/// Returns whether all results were right.
static bool run(const command *wanted)
{
    register_benchmarks(wanted->plan);
    if (wanted->list) {
        return bench_list(wanted->filter);
    }
    warn_of_debug_build();
    miss_table misses;
    if (!output_check(wanted->chart) || !output_check(wanted->results)) {
        return false;
    }
    return wanted->misses ? misses_run(wanted->plan.quick, &misses) : run_benchmarks(wanted);
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    command wanted = read_command(arguments);
    if (wanted.help || wanted.bad) {
        fputs(wanted.help ? help : "", stdout);
        return wanted.bad ? 2 : 0;
    }
    return run(&wanted) ? 0 : 1;
}
