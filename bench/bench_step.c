// The whole step, on every scene, by every engine: nanoseconds a body; where there are bullets, a
// bullet.
//
// Each repetition makes the world anew, lets it run for a few steps, checks one (step_check.h), and
// measures the following ones.

#include "bench_shim.h"
#include "bench_suites.h"
#include "engine.h"
#include "engine_graze.h"
#include "scenes.h"
#include "step_check.h"

#ifdef GRAZE_BENCH_CHIPMUNK
#include "peer_chipmunk.h"
#endif
#ifdef GRAZE_BENCH_BOX2D
#include "peer_box2d.h"
#endif

#include <stdio.h>

enum {
    SEED = 1,
    WARM_UP_STEPS = 5,
    BULLETS = 100000,
    GAS_BODIES = 10000,
    CASES = 128 ///< At least as many as are ever registered.
};

static const engine *const engines[] = {
    &engine_graze,
#ifdef GRAZE_BENCH_CHIPMUNK
    &engine_chipmunk_tree,
    &engine_chipmunk_hash,
#endif
#ifdef GRAZE_BENCH_BOX2D
    &engine_box2d,
#endif
};

enum { ENGINE_COUNT = sizeof engines / sizeof engines[0] };

/// A scene in one size. `size` is the number that varies: movers, or segments of terrain.
typedef struct stage {
    const char *name, *size_name;
    scene (*make)(uint32_t size);
    uint32_t size;
    uint32_t bullets;
    uint32_t steps; ///< Measured a repetition, by all engines: clusters disperse, bullets thin out.
    bool quick, large, peers;
} stage;

static scene make_gas(uint32_t size)
{
    return scene_make_gas(SEED, size);
}

static scene make_gas_slow(uint32_t size)
{
    return scene_make_gas_slow(SEED, size);
}

static scene make_gas_mixed(uint32_t size)
{
    return scene_make_gas_mixed(SEED, size);
}

static scene make_gas_sizes(uint32_t size)
{
    return scene_make_gas_log_sizes(SEED, size);
}

static scene make_gas_giants(uint32_t size)
{
    return scene_make_gas_giants(SEED, size);
}

static scene make_gas_power(uint32_t size)
{
    return scene_make_gas_power_sizes(SEED, size);
}

static scene make_clusters(uint32_t size)
{
    return scene_make_clusters(SEED, size);
}

static scene make_dense_clusters(uint32_t size)
{
    return scene_make_dense_clusters(SEED, size);
}

static scene make_heavy_tail(uint32_t size)
{
    return scene_make_heavy_tail(SEED, size);
}

static scene make_rest(uint32_t size)
{
    return scene_make_rest(SEED, size);
}

static scene make_bullets_terrain(uint32_t size)
{
    return scene_make_bullets_terrain(SEED, size, BULLETS);
}

static scene make_bullets_bodies(uint32_t size)
{
    return scene_make_bullets_bodies(SEED, size, BULLETS);
}

static scene make_bullet_hell(uint32_t size)
{
    return scene_make_bullet_hell(SEED, GAS_BODIES, BULLETS, size);
}

static const stage stages[] = {
    {"gas", "1k", make_gas, 1000, 0, 500, false, false, true},
    {"gas", "10k", make_gas, 10000, 0, 100, true, false, true},
    {"gas", "100k", make_gas, 100000, 0, 10, false, false, true},
    {"gas", "1M", make_gas, 1000000, 0, 10, false, true, false},
    {"gas-slow", "10k", make_gas_slow, 10000, 0, 100, false, false, true},
    {"gas-mixed", "1k", make_gas_mixed, 1000, 0, 500, false, false, true},
    {"gas-mixed", "10k", make_gas_mixed, 10000, 0, 50, true, false, true},
    {"gas-mixed", "100k", make_gas_mixed, 100000, 0, 10, false, false, true},
    {"gas-sizes", "10k", make_gas_sizes, 10000, 0, 50, false, false, true},
    {"gas-giants", "10k", make_gas_giants, 10000, 0, 20, false, false, true},
    {"gas-power", "10k", make_gas_power, 10000, 0, 50, false, false, true},
    {"heavy-tail", "10k", make_heavy_tail, 10000, 0, 50, false, false, true},
    {"clusters", "10k", make_clusters, 10000, 0, 20, false, false, true},
    {"clusters-dense", "10k", make_dense_clusters, 10000, 0, 5, false, false, true},
    {"rest", "10k", make_rest, 10000, 0, 100, false, false, true},
    {"bullets-terrain", "1k", make_bullets_terrain, 1000, BULLETS, 10, false, false, true},
    {"bullets-terrain", "10k", make_bullets_terrain, 10000, BULLETS, 10, true, false, true},
    {"bullets-terrain", "100k", make_bullets_terrain, 100000, BULLETS, 5, false, false, true},
    {"bullets-bodies", "10k", make_bullets_bodies, GAS_BODIES, BULLETS, 5, true, false, true},
    {"bullet-hell", "10k", make_bullet_hell, 10000, BULLETS, 10, true, false, false},
};

enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

/// What times are given for: bullets, or where there are none bodies.
static double count_items(const stage *on)
{
    return on->bullets ? on->bullets : on->size;
}

typedef struct step_case {
    const engine *measured;
    const stage *on;
} step_case;

static void run_step(const engine *measured, void *world, random_state *random)
{
    measured->step(world);
    measured->keep(world, random);
}

static bool prepare(bench_state *state, const step_case *which, void *world, const scene *place,
                    random_state *random)
{
    for (int i = 0; i < WARM_UP_STEPS; ++i) {
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

/// What all measured steps found and, of ours, how long their phases took.
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
    if (which->measured == &engine_graze) {
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

static void set_counters(bench_state *state, const step_sums *sums, double items)
{
    double all = items * sums->steps;
    bench_set_counter(state, "contacts", (double)sums->counts.contacts / all);
    set_if_known(state, "hits", (double)sums->counts.hits / all);
    set_if_known(state, "pairs", (double)sums->counts.pairs / all);
    set_if_known(state, "bytes", (double)sums->counts.bytes / items);
    for (int i = 0; i < GRAZE_PHASE_COUNT; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s_ns", graze_phase_name((graze_phase)i));
        set_if_known(state, name, sums->seconds[i] * 1e9 / all);
    }
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

static void run_case(bench_state *state, const void *argument)
{
    const step_case *which = argument;
    random_state random = random_seed(SEED);
    scene place = which->on->make(which->on->size);
    void *world = which->measured->create(&place);
    if (prepare(state, which, world, &place, &random)) {
        measure(state, which, world, &random);
    }
    which->measured->destroy(world);
    scene_free(&place);
}

static bool is_wanted(const step_case *which, bench_plan plan)
{
    bool ours = which->measured == &engine_graze;
    return (ours || which->on->peers) && (plan.large || !which->on->large) &&
           (!plan.quick || which->on->quick);
}

void bench_register_step(bench_plan plan)
{
    static step_case cases[CASES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < STAGE_COUNT; ++i) {
        for (uint32_t j = 0; j < ENGINE_COUNT; ++j) {
            step_case wanted = {engines[j], &stages[i]};
            if (is_wanted(&wanted, plan)) {
                char name[80];
                snprintf(name, sizeof name, "%s/step/%s/%s", engines[j]->name, stages[i].name,
                         stages[i].size_name);
                cases[count] = wanted;
                bench_register(name, run_case, &cases[count++], stages[i].steps);
            }
        }
    }
}
