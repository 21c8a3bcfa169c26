// The soak: runs the families of families.h at full speed, and stops at the first failure.

#define _POSIX_C_SOURCE 200809L

#include "families.h"
#include "shrink.h"
#include "soak_clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FAMILIES = 32, MAX_THREADS = 256 };

static const double turn_seconds = 0.1;          ///< Of a family of weight 1, then comes the next.
static const double shrink_seconds = 60;         ///< Spent on making a failing case small.
static const double progress_seconds = 1;        ///< Between two lines of progress.
static const uint64_t thread_seeds = 1ull << 40; ///< Between the seeds of two threads.

typedef struct soak_options {
    double seconds;
    uint64_t trials; ///< Of each family; 0: until the time is over.
    uint64_t seed;
    uint32_t threads;
    bool trace;
    const char *family; ///< Null: all.
} soak_options;

typedef struct failure {
    const soak_family *family; ///< Null: none.
    uint64_t seed;
    char reason[SOAK_REASON];
    uint32_t *choices;
    uint32_t count;
} failure;

/// What the threads share.
typedef struct soak {
    const soak_options *options;
    const soak_family *families;
    uint32_t family_count;
    double started, deadline;
    pthread_mutex_t lock; ///< Of all below.
    bool stop;
    uint64_t trials[FAMILIES];
    failure first_failure;
} soak;

typedef struct worker {
    soak *shared;
    uint32_t number;
    pthread_t thread;
    uint32_t *choices;
} worker;

// --- One thread ---

static bool is_chosen(const soak *all, uint32_t family)
{
    const char *name = all->options->family;
    return !name || strcmp(name, all->families[family].name) == 0;
}

static void note_failure(soak *all, uint32_t family, uint64_t seed, const soak_case *test)
{
    pthread_mutex_lock(&all->lock);
    failure *first = &all->first_failure;
    if (!first->family) {
        first->family = &all->families[family];
        first->seed = seed;
        first->count = test->count;
        memcpy(first->choices, test->choices, test->count * sizeof *test->choices);
        memcpy(first->reason, test->reason, sizeof first->reason);
    }
    all->stop = true;
    pthread_mutex_unlock(&all->lock);
}

static bool run_case(worker *own, uint32_t family, uint64_t seed, uint64_t *trials)
{
    soak *all = own->shared;
    if (all->options->trace) {
        fprintf(stderr, "%s --seed %llu\n", all->families[family].name, (unsigned long long)seed);
    }
    soak_case test;
    soak_begin(&test, own->choices, seed);
    all->families[family].run(&test);
    *trials += test.trials;
    if (test.failed) {
        note_failure(all, family, seed, &test);
    }
    return !test.failed;
}

// Counts what was done. Returns whether all threads go on.
static bool count_trials(soak *all, uint32_t family, uint64_t trials)
{
    pthread_mutex_lock(&all->lock);
    all->trials[family] += trials;
    const bool goes_on = !all->stop;
    pthread_mutex_unlock(&all->lock);
    return goes_on;
}

static bool run_turn(worker *own, uint32_t family, uint64_t *seed)
{
    const double end = soak_clock() + turn_seconds * own->shared->families[family].weight;
    uint64_t trials = 0;
    bool holds = true;
    do {
        holds = run_case(own, family, (*seed)++, &trials);
    } while (holds && soak_clock() < end);
    return count_trials(own->shared, family, trials) && holds;
}

static void run_until_deadline(worker *own)
{
    const soak *all = own->shared;
    uint64_t seeds[FAMILIES];
    for (uint32_t i = 0; i < all->family_count; ++i) {
        seeds[i] = all->options->seed + own->number * thread_seeds;
    }
    for (uint32_t turn = own->number;; ++turn) {
        const uint32_t family = turn % all->family_count;
        if (soak_clock() >= all->deadline) {
            return;
        }
        if (is_chosen(all, family) && !run_turn(own, family, &seeds[family])) {
            return;
        }
    }
}

static void run_trials(worker *own)
{
    const soak *all = own->shared;
    for (uint32_t family = 0; family < all->family_count; ++family) {
        uint64_t seed = all->options->seed;
        uint64_t trials = 0;
        bool holds = true;
        while (is_chosen(all, family) && holds && trials < all->options->trials) {
            holds = run_case(own, family, seed++, &trials);
        }
        count_trials(own->shared, family, trials);
        if (!holds) {
            return;
        }
    }
}

static void *work(void *context)
{
    worker *own = context;
    if (own->shared->options->trials) {
        run_trials(own);
    } else {
        run_until_deadline(own);
    }
    return NULL;
}

// --- All threads ---

static uint32_t *make_choices(void)
{
    uint32_t *choices = malloc(SOAK_CHOICES * sizeof *choices);
    if (!choices) {
        fputs("graze_soak: out of memory\n", stderr);
        exit(2);
    }
    return choices;
}

static bool is_done(soak *all)
{
    pthread_mutex_lock(&all->lock);
    const bool done = all->stop || soak_clock() >= all->deadline;
    pthread_mutex_unlock(&all->lock);
    return done;
}

static uint64_t sum_trials(soak *all)
{
    uint64_t sum = 0;
    pthread_mutex_lock(&all->lock);
    for (uint32_t i = 0; i < all->family_count; ++i) {
        sum += all->trials[i];
    }
    pthread_mutex_unlock(&all->lock);
    return sum;
}

// On a terminal only.
static void show_progress(soak *all)
{
    const struct timespec pause = {0, 100000000};
    const bool is_terminal = isatty(STDERR_FILENO);
    double shown = 0;
    while (is_terminal && !is_done(all)) {
        nanosleep(&pause, NULL);
        const double now = soak_clock();
        if (now - shown >= progress_seconds) {
            fprintf(stderr, "\r\033[K%llu trials, %.0f s to go",
                    (unsigned long long)sum_trials(all), all->deadline - now);
            shown = now;
        }
    }
    if (is_terminal) {
        fputs("\r\033[K", stderr);
    }
}

static void run_workers(soak *all)
{
    static worker workers[MAX_THREADS];
    const uint32_t count = all->options->threads;
    for (uint32_t i = 0; i < count; ++i) {
        const worker fresh = {.shared = all, .number = i, .choices = make_choices()};
        workers[i] = fresh;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) {
            fputs("graze_soak: no more threads\n", stderr);
            exit(2);
        }
    }
    if (!all->options->trials) {
        show_progress(all);
    }
    for (uint32_t i = 0; i < count; ++i) {
        pthread_join(workers[i].thread, NULL);
        free(workers[i].choices);
    }
}

// --- What it says ---

static void print_grouped(char *text, size_t size, uint64_t number)
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t length = 0;
    for (int i = 0; i < count && length + 2 < size; ++i) {
        if (i > 0 && (count - i) % 3 == 0) {
            text[length++] = ' ';
        }
        text[length++] = digits[i];
    }
    text[length] = 0;
}

static void print_table(const soak *all)
{
    printf("%-10s %16s %9s  %s\n", "family", "trials", "failures", "a trial");
    for (uint32_t i = 0; i < all->family_count; ++i) {
        char trials[32];
        if (is_chosen(all, i)) {
            print_grouped(trials, sizeof trials, all->trials[i]);
            printf("%-10s %16s %9d  %s\n", all->families[i].name, trials,
                   all->first_failure.family == &all->families[i], all->families[i].trial);
        }
    }
    printf("seed %llu, threads %u, %.0f s\n", (unsigned long long)all->options->seed,
           all->options->threads, soak_clock() - all->started);
}

static void print_failure(failure *first)
{
    soak_case test;
    printf("\nFAILED: %s: %s\n", first->family->name, first->reason);
    printf("again:  ./dev soak --family %s --seed %llu --trials 1\n", first->family->name,
           (unsigned long long)first->seed);
    fflush(stdout);
    const uint32_t count =
        soak_shrink(first->family->run, first->choices, first->count, shrink_seconds);
    printf("The smallest failing case that was found (%u of %u choices):\n", count, first->count);
    soak_begin_again(&test, first->choices, count, stdout);
    first->family->run(&test);
    printf("  %s\n", test.reason);
}

// --- The command line ---

static const char help[] =
    "graze_soak [--minutes M] [--threads T] [--seed S] [--family NAME] [--trace]\n"
    "graze_soak --trials N [--seed S] [--family NAME] [--trace]\n"
    "\n"
    "Runs families of hard cases and checks each against what must come out. Stops at the first\n"
    "failure, prints the smallest such case that it finds, and exits with 1.\n"
    "\n"
    "--minutes M    how long, default 1, on T threads, default as many as there are processors\n"
    "--trials N     instead: on one thread, until each family has done N trials\n"
    "--seed S       the first case's seed; default: from the clock, or 1 with --trials\n"
    "--family NAME  that family alone\n"
    "--trace        say each case before it runs\n"
    "\n"
    "Families:\n";

static void print_help(FILE *out)
{
    uint32_t count;
    const soak_family *families = soak_families(&count);
    fputs(help, out);
    for (uint32_t i = 0; i < count; ++i) {
        fprintf(out, "  %-10s %s\n", families[i].name, families[i].trial);
    }
}

static bool is_family(const char *name)
{
    uint32_t count;
    const soak_family *families = soak_families(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(name, families[i].name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0 && *number >= least && *number <= most;
}

static bool read_minutes(const char *text, double *seconds)
{
    char *end = NULL;
    *seconds = strtod(text, &end) * 60;
    return end != text && *end == 0 && *seconds > 0 && *seconds < 1e9;
}

static bool read_value(soak_options *options, const char *name, const char *text)
{
    uint64_t threads = options->threads;
    bool fits = false;
    if (strcmp(name, "--minutes") == 0) {
        fits = read_minutes(text, &options->seconds);
    } else if (strcmp(name, "--trials") == 0) {
        fits = read_number(text, 1, UINT64_MAX, &options->trials);
    } else if (strcmp(name, "--seed") == 0) {
        fits = read_number(text, 0, UINT64_MAX, &options->seed);
    } else if (strcmp(name, "--threads") == 0) {
        fits = read_number(text, 1, MAX_THREADS, &threads);
    } else if (strcmp(name, "--family") == 0) {
        options->family = text;
        fits = is_family(text);
    }
    options->threads = (uint32_t)threads;
    return fits;
}

static soak_options default_options(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const soak_options options = {
        .seconds = 60,
        .seed = UINT64_MAX,
        .threads = processors < 1             ? 1
                   : processors > MAX_THREADS ? MAX_THREADS
                                              : (uint32_t)processors,
    };
    return options;
}

static bool read_options(soak_options *options, int count, char **words)
{
    *options = default_options();
    for (int i = 1; i < count; ++i) {
        if (strcmp(words[i], "--trace") == 0) {
            options->trace = true;
        } else if (i + 1 < count && read_value(options, words[i], words[i + 1])) {
            ++i;
        } else {
            fprintf(stderr, "graze_soak: what is \"%s%s%s\"?\n", words[i], i + 1 < count ? " " : "",
                    i + 1 < count ? words[i + 1] : "");
            return false;
        }
    }
    if (options->seed == UINT64_MAX) {
        options->seed = options->trials ? 1 : (uint64_t)time(NULL);
    }
    options->threads = options->trials ? 1 : options->threads;
    return true;
}

int main(int count, char **words)
{
    soak_options options;
    if (count > 1 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (!read_options(&options, count, words)) {
        print_help(stderr);
        return 2;
    }
    static soak all;
    all.options = &options;
    all.families = soak_families(&all.family_count);
    all.started = soak_clock();
    all.deadline = all.started + options.seconds;
    all.first_failure.choices = make_choices();
    pthread_mutex_init(&all.lock, NULL);
    run_workers(&all);
    print_table(&all);
    const bool failed = all.first_failure.family != NULL;
    if (failed) {
        print_failure(&all.first_failure);
    }
    free(all.first_failure.choices);
    pthread_mutex_destroy(&all.lock);
    return failed;
}
