// The cost of recording: whole steps of a recorded world, compared with those of one that is not
// recorded, nanoseconds a body. The writer counts bytes and stores none.

#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "scenes.h"

#include <graze/graze.h>

enum {
    SEED = 1,
    BODIES = 10000,
    WARM_UP_STEPS = 20, ///< A change of the motion, at least.
    STEPS = 60
};

static scene make_gas(void)
{
    return scene_make_gas(SEED, BODIES);
}

static scene make_bullet_hell(void)
{
    return scene_make_bullet_hell(SEED, BODIES, BODIES, BODIES);
}

typedef struct record_case {
    const char *name;
    scene (*make)(void);
    bool is_recorded;
} record_case;

static const record_case cases[] = {
    {"engine/step_recorded/gas/10k", make_gas, true},
    {"plain/step_recorded/gas/10k", make_gas, false},
    {"engine/step_recorded/bullet-hell/10k", make_bullet_hell, true},
    {"plain/step_recorded/bullet-hell/10k", make_bullet_hell, false},
};

enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

static bool count_bytes(const void *bytes, size_t size, void *user)
{
    uint64_t *total = user;
    (void)bytes;
    *total += size;
    return true;
}

static void warm_up(void *run, random_state *random)
{
    for (uint32_t step = 0; step < WARM_UP_STEPS; ++step) {
        engine_graze.step(run);
        engine_graze.keep(run, random);
    }
}

static void run_case(bench_state *state, const void *argument)
{
    const record_case *which = argument;
    const scene place = which->make();
    random_state random = random_seed(SEED);
    void *run = engine_graze.create(&place);
    graze_world *world = engine_graze_world(run);
    uint64_t start, bytes = 0, steps = 0;
    graze_record_def def = graze_record_def_default();
    def.write = count_bytes;
    def.write_user = &bytes;
    if (which->is_recorded && graze_record_start(world, &def)) {
        bench_fail(state, "no recording was started");
    }
    warm_up(run, &random);
    start = bytes;
    while (bench_next(state)) {
        bench_start(state);
        engine_graze.step(run);
        bench_stop(state);
        engine_graze.keep(run, &random);
        ++steps;
    }
    const double bodies = (double)graze_world_get_stats(world).body_count;
    bench_set_items(state, bodies);
    if (which->is_recorded) {
        bench_set_counter(state, "bytes", (double)(bytes - start) / (bodies * (double)steps));
    }
    if (graze_record_is_on(world) != which->is_recorded) {
        bench_fail(state, "the recording has stopped");
    }
    engine_graze.destroy(run);
}

void bench_register_record(bench_plan plan)
{
    for (uint32_t i = 0; i < CASE_COUNT; ++i) {
        bench_register(cases[i].name, run_case, &cases[i], plan.quick ? STEPS / 2 : STEPS);
    }
}
