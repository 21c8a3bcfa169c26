// The only file that calls Google Benchmark, which has no C interface.

#include "bench_shim.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <regex>
#include <string>
#include <vector>

namespace
{

double read_clock(clockid_t clock)
{
    timespec now = {};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

struct bench_state {
    benchmark::State &inner;
    double started = 0.0;
    double iteration_seconds = 0.0;
    double total_seconds = 0.0;
    double items = 1.0;
    clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
    bool iterating = false;
    bool failed = false;
};

namespace
{

const char time_counter[] = "ns";

struct registered {
    std::string name;
    bench_function *function;
    const void *argument;
    uint32_t iterations;
    uint32_t most_repetitions;
};

struct running {
    const bench_options *options = nullptr;
    std::vector<registered> benchmarks;
    uint32_t begun = 0;
    uint32_t total = 0;
    uint32_t ended = 0;
    bool failed = false;
} run;

void run_benchmark(benchmark::State &inner, const registered &what)
{
    if (run.options->begun) {
        run.options->begun(what.name.c_str(), ++run.begun, run.total, run.options->user);
    }
    bench_state state{inner};
    what.function(&state, what.argument);
    if (state.failed) {
        run.failed = true;
        return;
    }
    double handled = static_cast<double>(inner.iterations()) * state.items;
    inner.counters[time_counter] = state.total_seconds * 1e9 / handled;
}

uint32_t find_number(const std::string &name)
{
    uint32_t number = 0;
    while (number < run.benchmarks.size() && run.benchmarks[number].name != name) {
        ++number;
    }
    return number;
}

// Why a run was skipped, null if it was not. Google Benchmark had other names before version 1.8:
// where these exist, the compiler prefers the int.
template <typename Run> auto find_error(const Run &one, int) -> decltype(one.error_message.c_str())
{
    return one.error_occurred ? one.error_message.c_str() : nullptr;
}

template <typename Run> auto find_error(const Run &one, long) -> decltype(one.skip_message.c_str())
{
    return one.skipped ? one.skip_message.c_str() : nullptr;
}

/// Passes every repetition to the C side, which does the statistics; aggregates are only in the
/// JSON.
class forwarder : public benchmark::BenchmarkReporter
{
  public:
    bool ReportContext(const Context &) override
    {
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &one : runs) {
            if (one.run_type == Run::RT_Iteration) {
                forward(one);
            }
        }
    }

  private:
    static void forward(const Run &one)
    {
        std::vector<bench_counter> counters;
        double nanoseconds = 0.0;
        for (const auto &counter : one.counters) {
            if (counter.first == time_counter) {
                nanoseconds = counter.second.value;
            } else {
                counters.push_back({counter.first.c_str(), counter.second.value});
            }
        }
        bench_result result = {};
        result.name = one.run_name.function_name.c_str();
        result.number = find_number(one.run_name.function_name);
        result.error = find_error(one, 0);
        result.nanoseconds = nanoseconds;
        result.counters = counters.data();
        result.counter_count = static_cast<uint32_t>(counters.size());
        ++run.ended;
        run.options->ended(&result, run.options->user);
    }
};

std::vector<std::string> make_arguments(const bench_options &options)
{
    std::vector<std::string> arguments = {
        "graze_bench",
        "--benchmark_enable_random_interleaving=true",
    };
    if (options.json) {
        arguments.push_back(std::string("--benchmark_out=") + options.json);
        arguments.push_back("--benchmark_out_format=json");
    }
    return arguments;
}

void initialize(const bench_options &options)
{
    std::vector<std::string> arguments = make_arguments(options);
    std::vector<char *> pointers;
    for (std::string &argument : arguments) {
        pointers.push_back(&argument[0]);
    }
    int count = static_cast<int>(pointers.size());
    pointers.push_back(nullptr);
    benchmark::Initialize(&count, pointers.data());
}

/// Filters by the plain names: Google Benchmark would match names with its own suffixes.
std::vector<const registered *> find_matches(const char *text)
{
    std::regex filter(text ? text : "", std::regex::extended);
    std::vector<const registered *> matches;
    for (const registered &what : run.benchmarks) {
        if (std::regex_search(what.name, filter)) {
            matches.push_back(&what);
        }
    }
    if (matches.empty()) {
        std::fprintf(stderr, "graze_bench: no benchmark has a name that the filter matches\n");
    }
    return matches;
}

void select_benchmarks(const bench_options &options)
{
    for (const registered *what : find_matches(options.filter)) {
        auto call = [what](benchmark::State &inner) { run_benchmark(inner, *what); };
        uint32_t repetitions = std::min(options.repetitions, what->most_repetitions);
        benchmark::RegisterBenchmark(what->name.c_str(), call)
            ->UseManualTime()
            ->Iterations(what->iterations)
            ->Repetitions(static_cast<int>(repetitions));
        run.total += repetitions;
    }
}

} // namespace

void bench_register(const char *name, bench_function *function, const void *argument,
                    uint32_t iterations)
{
    run.benchmarks.push_back({name, function, argument, iterations, UINT32_MAX});
}

void bench_limit_repetitions(uint32_t most)
{
    run.benchmarks.back().most_repetitions = most;
}

bool bench_is_filter(const char *text)
{
    try {
        std::regex filter(text, std::regex::extended);
        return true;
    } catch (const std::regex_error &error) {
        std::fprintf(stderr, "graze_bench: the filter '%s': %s\n", text, error.what());
        return false;
    }
}

bool bench_list(const char *filter)
{
    const std::vector<const registered *> matches = find_matches(filter);
    for (const registered *what : matches) {
        std::printf("%s\n", what->name.c_str());
    }
    return !matches.empty();
}

bool bench_run(const bench_options *options)
{
    run.options = options;
    select_benchmarks(*options);
    if (run.total == 0) {
        return false;
    }
    initialize(*options);
    forwarder reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    return run.ended > 0 && !run.failed;
}

bool bench_next(bench_state *state)
{
    if (state->failed) {
        return false;
    }
    if (state->iterating) {
        state->inner.SetIterationTime(state->iteration_seconds);
    }
    state->total_seconds += state->iteration_seconds;
    state->iteration_seconds = 0.0;
    state->iterating = true;
    return state->inner.KeepRunning();
}

void bench_use_wall_clock(bench_state *state)
{
    state->clock = CLOCK_MONOTONIC;
}

void bench_start(bench_state *state)
{
    state->started = read_clock(state->clock);
}

void bench_stop(bench_state *state)
{
    state->iteration_seconds += read_clock(state->clock) - state->started;
}

double bench_read_clock(const bench_state *state)
{
    return read_clock(state->clock);
}

double bench_read_seconds(const bench_state *state)
{
    return state->total_seconds;
}

void bench_set_items(bench_state *state, double items)
{
    state->items = items;
}

void bench_set_counter(bench_state *state, const char *name, double value)
{
    state->inner.counters[name] = value;
}

void bench_fail(bench_state *state, const char *message)
{
    state->failed = true;
    state->inner.SkipWithError(message);
}
