/// @file bench_shim.h
/// Google Benchmark for C.
///
/// A benchmark is a C function that asks bench_next() for another iteration until there is none,
/// and that starts and stops the clock itself, so that the upkeep of a scene is not measured:
///
///     static void run(bench_state *state, const void *argument)
///     {
///         ... make what is to be measured ...
///         while (bench_next(state)) {
///             bench_start(state);
///             ... measured ...
///             bench_stop(state);
///         }
///         bench_set_items(state, count);
///     }
///
/// Clock      The calling thread's processor time, without that of other programs; for work on
///            several threads wall time: bench_use_wall_clock().
/// Errors     bench_fail() marks a wrong result: the run continues with the other benchmarks, and
///            bench_run() returns false.
/// Threads    Benchmarks run one after the other, on the thread that calls bench_run().
#ifndef GRAZE_BENCH_SHIM_H
#define GRAZE_BENCH_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A benchmark that is running; valid during the call of its function only.
typedef struct bench_state bench_state;

/// A benchmark. `argument` is that of its registration.
typedef void bench_function(bench_state *state, const void *argument);

/// A number besides the time, such as that of contacts.
typedef struct bench_counter {
    const char *name;
    double value;
} bench_counter;

/// The result of a repetition of a benchmark. All pointers are valid during the call only.
typedef struct bench_result {
    const char *name;              ///< As registered.
    uint32_t number;               ///< Counts calls of bench_register() from 0.
    const char *error;             ///< Null, or the error.
    double nanoseconds;            ///< Time on the clock, an item.
    const bench_counter *counters; ///< counter_count, by name.
    uint32_t counter_count;
} bench_result;

/// How to run, and callbacks.
typedef struct bench_options {
    const char *filter;   ///< What bench_is_filter() accepts: part of a name matches; null: all.
    const char *json;     ///< A file for Google Benchmark's JSON; null: none.
    uint32_t repetitions; ///< Of each benchmark, at least 1; in random order between each other.
    /// Called when a repetition begins, with its number from 1 and how many there will be; may be
    /// null.
    void (*begun)(const char *name, uint32_t number, uint32_t total, void *user);
    /// Called for every repetition, those of one benchmark one after the other; not null.
    void (*ended)(const bench_result *result, void *user);
    void *user;
} bench_options;

/// Adds a benchmark named `module/operation/scene/size` (copied) with a fixed number of iterations
/// a repetition, at least 1. `argument` must live until the end of bench_run().
void bench_register(const char *name, bench_function *function, const void *argument,
                    uint32_t iterations);

/// Limits the repetitions of the benchmark registered last to `most` (at least 1).
void bench_limit_repetitions(uint32_t most);

/// Returns whether `text` is an extended regular expression; if not, says so on stderr.
bool bench_is_filter(const char *text);

/// Prints the names of the registered benchmarks that match `filter`, as that of bench_options.
/// Returns true if there was at least one; otherwise says so on stderr.
bool bench_list(const char *filter);

/// Runs the registered benchmarks that match. Returns true if there was at least one and none
/// failed.
bool bench_run(const bench_options *options);

/// Returns whether there is another iteration to do. After bench_fail(): false.
bool bench_next(bench_state *state);

/// Measures wall time instead of the calling thread's. Call it before the first iteration.
void bench_use_wall_clock(bench_state *state);

/// Starts and stops the clock, inside an iteration, as often as needed. Both together cost up to a
/// microsecond, so an iteration should take a hundred times that.
void bench_start(bench_state *state);
void bench_stop(bench_state *state);

/// Returns the clock's time, in seconds, for times to compare with that of an iteration.
double bench_read_clock(const bench_state *state);

/// Returns the measured time of all completed iterations.
double bench_read_seconds(const bench_state *state);

/// Sets how many items one iteration processes: times are per item. Default 1.
void bench_set_items(bench_state *state, double items);

/// Sets a number to show beside the time.
void bench_set_counter(bench_state *state, const char *name, double value);

/// Marks the benchmark as wrong, with a message (copied). Call it at most once, before or between
/// iterations, and return soon after.
void bench_fail(bench_state *state, const char *message);

#ifdef __cplusplus
}
#endif

#endif
