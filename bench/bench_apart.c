// The gain by threads on this machine for worlds that share nothing: as many gases as threads, each
// stepped by one thread, compared with one gas on one thread. Cores that share caches, memory,
// power or execution units gain less than their number; the step of one world on several threads
// can hardly gain more than that (engine/step/gas/100k/threads:N).

#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "scenes.h"
#include "worker_pool.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEED = 1, KEEP_SEED = 2, BODIES = 100000, WARM_UP_STEPS = 5, STEPS = 40, MAX_WORLDS = 64 };

/// The gas of a thread.
typedef struct worlds_apart {
    uint32_t count;
    scene place;
    void *worlds[MAX_WORLDS];
    random_state random[MAX_WORLDS];
} worlds_apart;

static void step_one(void *context, uint32_t index)
{
    const worlds_apart *all = context;
    engine_graze.step(all->worlds[index]);
}

static void make_worlds(worlds_apart *all, uint32_t count)
{
    engine_graze_use_workers(NULL, 1);
    all->count = count;
    all->place = scene_make_gas(SEED, BODIES);
    for (uint32_t i = 0; i < count; ++i) {
        all->worlds[i] = engine_graze.create(&all->place);
        all->random[i] = random_seed(KEEP_SEED);
    }
}

static void keep_worlds(worlds_apart *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        engine_graze.keep(all->worlds[i], &all->random[i]);
    }
}

static void destroy_worlds(worlds_apart *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        engine_graze.destroy(all->worlds[i]);
    }
    scene_free(&all->place);
}

static void measure(bench_state *state, worlds_apart *all, worker_pool *pool)
{
    for (uint32_t i = 0; i < WARM_UP_STEPS; ++i) {
        worker_pool_run(step_one, all, all->count, pool);
        keep_worlds(all);
    }
    while (bench_next(state)) {
        bench_start(state);
        worker_pool_run(step_one, all, all->count, pool);
        bench_stop(state);
        keep_worlds(all);
    }
    bench_set_items(state, (double)BODIES * all->count);
}

static void run_worlds(bench_state *state, const void *argument)
{
    const uint32_t *threads = argument;
    bench_use_wall_clock(state);
    worker_pool *pool = worker_pool_create(*threads);
    if (!pool) {
        fprintf(stderr, "graze_bench: %u threads cannot be made\n", (unsigned)*threads);
        exit(1);
    }
    worlds_apart all;
    make_worlds(&all, *threads);
    measure(state, &all, pool);
    destroy_worlds(&all);
    worker_pool_destroy(pool);
}

void bench_register_apart(bench_plan plan)
{
    static const uint32_t one = 1;
    static uint32_t several;
    several = plan.threads < MAX_WORLDS ? plan.threads : MAX_WORLDS;
    if (plan.quick || several == 1) {
        return;
    }
    char name[80];
    snprintf(name, sizeof name, "engine/worlds_apart/gas/100k/threads:%u", (unsigned)several);
    bench_register("engine/worlds_apart/gas/100k/threads:1", run_worlds, &one, STEPS);
    bench_register(name, run_worlds, &several, STEPS);
}
