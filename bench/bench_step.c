// The whole step, on every scene, by every engine: nanoseconds a body, or a bullet if there are
// any.
//
// Each repetition creates the world, runs it for a few steps, checks one (step_check.h), and
// measures the following ones.
//
// Ours is also measured on several threads (`.../threads:N`), by the wall's clock, beside one
// thread (`.../threads:1`) by the same clock.

#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "engines.h"
#include "scenes.h"
#include "step_check.h"
#include "worker_pool.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SEED = 1,
    KEEP_SEED = 2, ///< Not the scene's, or bullets would begin on ends of its terrain.
    WARM_UP_STEPS = 5,
    SLOW_WARM_UP_STEPS = 8, ///< Of peers that take seconds: all has settled.
    SLOW_STEPS = 4,
    OWN_STEPS = 40, ///< At least, of ours if steady: some work comes every tenth step.
    BULLETS = 100000,
    GAS_BODIES = 10000,
    CASES = 128 ///< At least as many as are ever registered.
};

/// The uses of a stage.
enum {
    QUICK = 1,
    LARGE = 2,
    PEERS = 4,
    THREADS = 8, ///< Ours also on several threads.
    STEADY = 16  ///< Does not change with time: so ours is measured with all its occasional work.
};

/// A scene in one size. `size` is the number that varies: movers, or segments of terrain.
typedef struct stage {
    const char *name, *size_name;
    scene_make_fn *make;
    uint32_t size;
    uint32_t bullets;
    uint32_t steps; ///< Measured a repetition, by all engines: clusters disperse, bullets thin out.
    uint32_t uses;  ///< A sum of the above.
} stage;

static scene make_bullets_terrain(uint64_t seed, uint32_t size)
{
    return scene_make_bullets_terrain(seed, size, BULLETS);
}

static scene make_bullets_bodies(uint64_t seed, uint32_t size)
{
    return scene_make_bullets_bodies(seed, size, BULLETS);
}

static scene make_bullet_hell(uint64_t seed, uint32_t size)
{
    return scene_make_bullet_hell(seed, GAS_BODIES, BULLETS, size);
}

static const stage stages[] = {
    {"gas", "1k", scene_make_gas, 1000, 0, 500, PEERS | STEADY},
    {"gas", "10k", scene_make_gas, 10000, 0, 100, QUICK | PEERS | STEADY},
    {"gas", "100k", scene_make_gas, 100000, 0, 10, PEERS | THREADS | STEADY},
    {"gas", "1M", scene_make_gas, 1000000, 0, 10, LARGE | PEERS | STEADY},
    {"gas-slow", "10k", scene_make_gas_slow, 10000, 0, 100, PEERS | STEADY},
    {"gas-mixed", "1k", scene_make_gas_mixed, 1000, 0, 500, PEERS | STEADY},
    {"gas-mixed", "10k", scene_make_gas_mixed, 10000, 0, 50, QUICK | PEERS | STEADY},
    {"gas-mixed", "100k", scene_make_gas_mixed, 100000, 0, 10, PEERS | STEADY},
    {"gas-sizes", "10k", scene_make_gas_log_sizes, 10000, 0, 50, PEERS | STEADY},
    {"gas-giants", "10k", scene_make_gas_giants, 10000, 0, 20, PEERS | STEADY},
    {"gas-power", "10k", scene_make_gas_power_sizes, 10000, 0, 50, PEERS | STEADY},
    {"heavy-tail", "10k", scene_make_heavy_tail, 10000, 0, 50, PEERS | STEADY},
    {"clusters", "10k", scene_make_clusters, 10000, 0, 20, PEERS},
    {"clusters-dense", "10k", scene_make_dense_clusters, 10000, 0, 5, PEERS},
    {"debris", "10k", scene_make_debris, 10000, 0, 20, PEERS},
    {"gas-fast", "10k", scene_make_gas_fast, 10000, 0, 20, STEADY},
    {"rest", "10k", scene_make_rest, 10000, 0, 100, PEERS | STEADY},
    {"rest", "100k", scene_make_rest, 100000, 0, 10, PEERS | STEADY},
    {"bullets-terrain", "1k", make_bullets_terrain, 1000, BULLETS, 10, PEERS},
    {"bullets-terrain", "10k", make_bullets_terrain, 10000, BULLETS, 10, QUICK | PEERS},
    {"bullets-terrain", "100k", make_bullets_terrain, 100000, BULLETS, 5, PEERS},
    {"bullets-bodies", "10k", make_bullets_bodies, GAS_BODIES, BULLETS, 5, QUICK | PEERS},
    {"bullet-hell", "10k", make_bullet_hell, 10000, BULLETS, 10, QUICK | THREADS | STEADY},
};

enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

/// The unit of times: bullets, or bodies if there are none.
static double count_items(const stage *on)
{
    return on->bullets ? on->bullets : on->size;
}

typedef struct step_case {
    const engine *measured;
    const stage *on;
    uint32_t threads; ///< 0: a name without /threads:N.
} step_case;

static void run_step(const engine *measured, void *world, random_state *random)
{
    measured->step(world);
    measured->keep(world, random);
}

static bool is_ours(const step_case *which)
{
    return which->measured == &engine_graze;
}

/// A peer that takes seconds a step.
static bool is_slow(const step_case *which)
{
    return (which->on->uses & LARGE) && !is_ours(which);
}

static bool prepare(bench_state *state, const step_case *which, void *world, const scene *place,
                    random_state *random)
{
    int steps = is_slow(which) ? SLOW_WARM_UP_STEPS : WARM_UP_STEPS;
    for (int i = 0; i < steps; ++i) {
        run_step(which->measured, world, random);
    }
    char message[100];
    bool right = check_step(which->measured, world, place, message, sizeof message);
    if (!right) {
        bench_fail(state, message);
    }
    which->measured->keep(world, random);
    return right;
}

/// Sums over all measured steps, and for ours the wall time of phases.
typedef struct step_sums {
    engine_counts counts;
    double seconds[GRAZE_PHASE_COUNT];
    double steps;
} step_sums;

static void add_step(step_sums *sums, const step_case *which, void *world)
{
    engine_counts counts = which->measured->count(world);
    sums->counts.pairs += counts.pairs;
    sums->counts.contacts += counts.contacts;
    sums->counts.hits += counts.hits;
    sums->counts.bytes = counts.bytes;
    ++sums->steps;
    if (is_ours(which)) {
        graze_world_stats stats = graze_world_get_stats(engine_graze_world(world));
        for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
            sums->seconds[i] += stats.phase_seconds[i];
        }
    }
}

static void set_if_known(bench_state *state, const char *name, double value)
{
    if (value > 0) {
        bench_set_counter(state, name, value);
    }
}

/// The clock of the benchmarks does not count other programs, that of the phases does: so the
/// step's time is divided in the proportion of the phases.
static void set_phases(bench_state *state, const step_sums *sums, double all)
{
    double seconds = 0;
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        seconds += sums->seconds[i];
    }
    double scale = seconds > 0 ? bench_read_seconds(state) / seconds : 0;
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s_ns", graze_phase_name((graze_phase)i));
        set_if_known(state, name, sums->seconds[i] * scale * 1e9 / all);
    }
}

static void set_counters(bench_state *state, const step_sums *sums, double items)
{
    double all = items * sums->steps;
    bench_set_counter(state, "contacts", (double)sums->counts.contacts / all);
    set_if_known(state, "hits", (double)sums->counts.hits / all);
    set_if_known(state, "pairs", (double)sums->counts.pairs / all);
    set_if_known(state, "bytes", (double)sums->counts.bytes / items);
    set_phases(state, sums, all);
}

static void measure(bench_state *state, const step_case *which, void *world, random_state *random)
{
    step_sums sums = {.steps = 0};
    while (bench_next(state)) {
        bench_start(state);
        which->measured->step(world);
        bench_stop(state);
        add_step(&sums, which, world);
        which->measured->keep(world, random);
    }
    bench_set_items(state, count_items(which->on));
    set_counters(state, &sums, count_items(which->on));
}

static void run_world(bench_state *state, const step_case *which)
{
    random_state random = random_seed(KEEP_SEED);
    scene place = which->on->make(SEED, which->on->size);
    void *world = which->measured->create(&place);
    if (prepare(state, which, world, &place, &random)) {
        measure(state, which, world, &random);
    }
    which->measured->destroy(world);
    scene_free(&place);
}

static void run_case(bench_state *state, const void *argument)
{
    const step_case *which = argument;
    if (which->threads > 0) {
        bench_use_wall_clock(state);
    }
    worker_pool *pool = which->threads > 1 ? worker_pool_create(which->threads) : NULL;
    if (which->threads > 1 && !pool) {
        fprintf(stderr, "graze_bench: %u threads cannot be made\n", (unsigned)which->threads);
        exit(1);
    }
    engine_graze_use_workers(pool, pool ? which->threads : 1);
    run_world(state, which);
    engine_graze_use_workers(NULL, 1);
    if (pool) {
        worker_pool_destroy(pool);
    }
}

static bool is_wanted(const step_case *which, bench_plan plan)
{
    uint32_t uses = which->on->uses;
    return (is_ours(which) || (uses & PEERS)) && (plan.large || !(uses & LARGE)) &&
           (!plan.quick || (uses & QUICK));
}

static uint32_t choose_step_count(const step_case *which)
{
    uint32_t steps = which->on->steps;
    if (is_slow(which)) {
        return SLOW_STEPS;
    }
    return is_ours(which) && (which->on->uses & STEADY) && steps < OWN_STEPS ? OWN_STEPS : steps;
}

static void register_case(const step_case *which)
{
    static step_case cases[CASES];
    static uint32_t count;
    char name[80];
    char suffix[24] = "";
    if (which->threads > 0) {
        snprintf(suffix, sizeof suffix, "/threads:%u", which->threads);
    }
    snprintf(name, sizeof name, "%s/step/%s/%s%s", which->measured->name, which->on->name,
             which->on->size_name, suffix);
    cases[count] = *which;
    bench_register(name, run_case, &cases[count++], choose_step_count(which));
    if (is_slow(which)) {
        bench_limit_repetitions(1);
    }
}

static void register_threads(const stage *on, uint32_t threads)
{
    step_case one = {&engine_graze, on, 1};
    step_case several = {&engine_graze, on, threads};
    register_case(&one);
    if (threads > 1) {
        register_case(&several);
    }
}

void bench_register_step(bench_plan plan)
{
    for (uint32_t i = 0; i < STAGE_COUNT; ++i) {
        for (const engine *const *each = engines; *each; ++each) {
            step_case wanted = {*each, &stages[i], 0};
            if (is_wanted(&wanted, plan)) {
                register_case(&wanted);
            }
        }
        if ((stages[i].uses & THREADS) && !plan.quick) {
            register_threads(&stages[i], plan.threads);
        }
    }
}
