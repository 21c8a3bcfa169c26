// The step of bodies that push each other, by every engine: nanoseconds a body.
//
// Heaps are measured after they have come to rest, together with how well the bodies rest. That is
// the cost for a game as long as the heap lies there: awake, or asleep if the name says so and the
// engine's bodies sleep. A gas whose circles bounce is measured together with the energy that is
// left: it began with 33 a body, or 833 if it is fast. Walkers are measured while they slide,
// bursts while they burst, and what is in a drum while it tumbles.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "settler.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    HEAP_BODIES = 1000,
    GAS_BODIES = 10000,
    LARGE_BODIES = 100000,
    WALKERS = 100,
    BOWL_BODIES = 50,
    BOUNCE_BODIES = 2000,
    DRUM_BODIES = 2025,
    SETTLE_STEPS = 400, ///< Before those that are measured,
    SLEEP_STEPS = 1000, ///< or this many where heaps are to have fallen asleep,
    HEAP_STEPS = 60,    ///< and these.
    GAS_STEPS = 20,     ///< Of both: some peers take long.
    WALK_STEPS = 60,    ///< Of both: all have come down.
    BURST_STEPS = 20,   ///< All are measured, the first one, too.
    LANDING_STEPS = 3,  ///< Likewise: after these most lie on others.
    REPETITIONS = 3,    ///< At most: settling takes long.
    TUMBLE_STEPS = 200, ///< Before those that are measured: all have fallen down.
    LAND_STEPS = 160,   ///< The same: all come down on the lowest.
    LARGE_STEPS = 10,   ///< Of the largest heap, after as many as one that tumbles.
    CASES = 128,        ///< At least as many as are ever registered.
    FORTY_ROWS = 820,   ///< Crates of pyramids.
    HUNDRED_ROWS = 5050
};

// How deep bodies may overlap after the last step, in units (most are 1 unit wide), or the
// benchmark fails.
#define MAX_OVERLAP 0.1  ///< Mean of touching pairs: with more it is no heap. Any engine.
#define OWN_OVERLAP 1e-4 ///< Any two of ours that bounce: by rounding alone.
#define OWN_SUNK    1e-3 ///< Any of ours that does not turn, and a wall.
#define RIGID_SUNK  1e-2 ///< The same of a rigid one: what turns is stopped in two steps.

static const settler *const settlers[] = {
    &settler_graze,
#ifdef GRAZE_BENCH_CHIPMUNK
    &settler_chipmunk_tree,
    &settler_chipmunk_hash,
#endif
#ifdef GRAZE_BENCH_BOX2D
    &settler_box2d,
#endif
};

typedef struct stage {
    const char *name;
    heap_make_fn *make;
    uint32_t bodies, warm_up, steps;
    bool sleeps;
    bool is_ours; ///< Alone: peers have no such sensors, or take too long.
} stage;

static const stage stages[] = {
    {"heap/1k", heap_make_circles, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"heap-rough/1k", heap_make_rough, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"heap-mixed/1k", heap_make_mixed, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"heap-rough-asleep/1k", heap_make_rough, HEAP_BODIES, SLEEP_STEPS, HEAP_STEPS, true, false},
    {"heap-mixed-asleep/1k", heap_make_mixed, HEAP_BODIES, SLEEP_STEPS, HEAP_STEPS, true, false},
    {"pyramid/1k", heap_make_pyramid, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"pyramid-asleep/1k", heap_make_pyramid, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, true, false},
    {"gas-bounce/10k", heap_make_bouncing, GAS_BODIES, GAS_STEPS, GAS_STEPS, false, false},
    {"gas-bounce-fast/10k", heap_make_bouncing_fast, GAS_BODIES, GAS_STEPS, GAS_STEPS, false,
     false},
    {"sensors/10k", heap_make_sensors, GAS_BODIES, GAS_STEPS, GAS_STEPS, false, true},
    {"burst/1k", heap_make_bursts, HEAP_BODIES, 0, BURST_STEPS, false, false},
    {"walkers/100", heap_make_walkers, WALKERS, WALK_STEPS, WALK_STEPS, false, false},
    {"walkers/1k", heap_make_walkers, HEAP_BODIES, WALK_STEPS, WALK_STEPS, false, false},
    {"walkers/10k", heap_make_walkers, GAS_BODIES, WALK_STEPS, WALK_STEPS, false, false},
    {"pyramid/40", rigid_make_pyramid, FORTY_ROWS, WALK_STEPS, HEAP_STEPS, false, false},
    {"pyramid/100", rigid_make_pyramid, HUNDRED_ROWS, WALK_STEPS, GAS_STEPS, false, false},
    {"pile-rigid/1k", rigid_make_discs, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"pile-rigid/10k", rigid_make_discs, GAS_BODIES, SETTLE_STEPS, GAS_STEPS, false, false},
    {"pile-rigid-lands/10k", rigid_make_discs, GAS_BODIES, LAND_STEPS, GAS_STEPS, false, false},
    {"pile-rigid/100k", rigid_make_discs, LARGE_BODIES, TUMBLE_STEPS, LARGE_STEPS, false, true},
    {"pile-rigid-asleep/1k", rigid_make_discs, HEAP_BODIES, SLEEP_STEPS, HEAP_STEPS, true, false},
    {"mixed-rigid/1k", rigid_make_mixed, HEAP_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"mixed-rigid/10k", rigid_make_mixed, GAS_BODIES, SETTLE_STEPS, GAS_STEPS, false, false},
    {"bowl/50", rigid_make_bowl, BOWL_BODIES, SETTLE_STEPS, HEAP_STEPS, false, false},
    {"bowl/10k", rigid_make_bowl, GAS_BODIES, SETTLE_STEPS, GAS_STEPS, false, true},
    {"tumbler/2k", rigid_make_tumbler, DRUM_BODIES, TUMBLE_STEPS, HEAP_STEPS, false, false},
    {"bounce-rigid/10k", rigid_make_bouncing, GAS_BODIES, GAS_STEPS, GAS_STEPS, false, false},
    {"bounce-rigid-fast/10k", rigid_make_bouncing_50, GAS_BODIES, GAS_STEPS, GAS_STEPS, false,
     false},
    {"bounce-rigid-200/2k", rigid_make_bouncing_200, BOUNCE_BODIES, GAS_STEPS, GAS_STEPS, false,
     false},
    {"bounce-rigid-1000/2k", rigid_make_bouncing_1000, BOUNCE_BODIES, GAS_STEPS, GAS_STEPS, false,
     false},
    {"landing-1000/2k", rigid_make_landing, BOUNCE_BODIES, 0, LANDING_STEPS, false, false},
};

typedef struct heap_case {
    const settler *measured;
    const stage *on;
} heap_case;

static void report(bench_state *state, const heap_case *which, const void *world,
                   const heap_scene *heap)
{
    scene_body *bodies = bench_allocate(heap->place.body_count, sizeof *bodies);
    which->measured->read(world, bodies);
    const heap_rest rest = heap_judge(heap, bodies);
    bench_set_counter(state, "contacts", rest.contacts);
    bench_set_counter(state, "overlap", rest.overlap);
    bench_set_counter(state, "deepest", rest.deepest);
    bench_set_counter(state, "sunk", rest.sunk);
    bench_set_counter(state, "energy", rest.energy);
    bench_set_counter(state, "height", rest.height);
    if (heap->sensor_count) {
        const double seen = (double)which->measured->count_seen(world);
        bench_set_counter(state, "seen", seen);
        if (seen < rest.seen) {
            bench_fail(state, "sensors do not see all that is inside");
        }
    }
    if (!heap->bounces && !heap->bursts && !(rest.overlap < MAX_OVERLAP)) {
        bench_fail(state, "bodies sink into each other");
    }
    if (heap->bounces && !heap->turns && which->measured == &settler_graze &&
        !(rest.deepest < OWN_OVERLAP)) {
        bench_fail(state, "bodies that bounce overlap");
    }
    const double most_sunk = heap->turns ? RIGID_SUNK : OWN_SUNK;
    if (which->measured == &settler_graze && !(rest.sunk < most_sunk)) {
        bench_fail(state, "bodies sink into walls");
    }
    free(bodies);
}

static void run_heap(bench_state *state, const void *argument)
{
    const heap_case *which = argument;
    heap_scene heap = which->on->make(which->on->bodies);
    heap.sleeps = which->on->sleeps;
    void *world = which->measured->create(&heap);
    for (uint32_t i = 0; i < which->on->warm_up; ++i) {
        which->measured->step(world);
    }
    while (bench_next(state)) {
        bench_start(state);
        which->measured->step(world);
        bench_stop(state);
    }
    bench_set_items(state, heap.place.body_count);
    report(state, which, world, &heap);
    which->measured->destroy(world);
    scene_free(&heap.place);
}

void bench_register_heap(bench_plan plan)
{
    static heap_case cases[CASES];
    uint32_t count = 0;
    if (plan.quick) {
        return;
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; ++i) {
        for (size_t k = 0; k < sizeof settlers / sizeof settlers[0]; ++k) {
            if (stages[i].is_ours && settlers[k] != &settler_graze) {
                continue;
            }
            const heap_case which = {settlers[k], &stages[i]};
            char name[80];
            snprintf(name, sizeof name, "%s/step/%s", which.measured->name, which.on->name);
            cases[count] = which;
            bench_register(name, run_heap, &cases[count++], stages[i].steps);
            bench_limit_repetitions(REPETITIONS);
        }
    }
}
