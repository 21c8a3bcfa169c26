// Fuzz target: a world driven by random calls, under watch (world_watch.h).
//
// The first bytes are the ground, and what is special about the world; then come calls, questions
// and steps. Every input is played twice, in worlds that differ in what must not matter.

#include "fuzz_bytes.h"
#include "world_calls.h"
#include "world_watch.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_CALLS = 256, MAX_STEPS = 64 };

/// Bits of the second byte.
enum {
    WITH_GRAVITY = 1,
    WITH_VETO = 2,
    WITH_FIXED_CAPACITY = 4,
    WITH_FAILURES = 8 ///< Of allocations.
};

// Runs tasks from the last to the first.
static void run_backwards(void (*task)(void *context, uint32_t index), void *context,
                          uint32_t count, void *user)
{
    (void)user;
    while (count > 0) {
        task(context, --count);
    }
}

static graze_world_def make_def(world_watch *watch, uint32_t manner, bool second)
{
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&watch->memory);
    def.log = watch_log;
    def.log_user = watch;
    watch->vetoes = manner & WITH_VETO;
    def.filter = watch->vetoes ? watch_filter : NULL;
    def.gravity.y = manner & WITH_GRAVITY ? -8 : 0;
    if (second) {
        def.body_capacity = 100;
        def.segment_capacity = 300;
        def.contact_capacity = 500;
        def.parallel = run_backwards;
        def.worker_count = 3;
    }
    if (manner & WITH_FIXED_CAPACITY) {
        def.fixed_capacity = true;
        def.body_capacity = 16;
        def.segment_capacity = 24;
        def.contact_capacity = 20;
    }
    return def;
}

static float draw_time(fuzz_bytes *bytes)
{
    static const float times[] = {1, 1, 1, 0.5f, 0.015625f, 1.0f / 60, 1e-3f, 100};
    return times[fuzz_below(bytes, 8)];
}

static void step(world_run *run)
{
    world_watch *watch = run->watch;
    const float dt = draw_time(&run->bytes);
    const uint64_t hash = graze_world_hash(watch->world);
    watch_before_step(watch);
    run->status = graze_world_step(watch->world, dt);
    if (run->status == GRAZE_OK) {
        watch_after_step(watch);
    } else {
        FUZZ_CHECK(graze_world_hash(watch->world) == hash, "a failed step changes the world");
    }
}

static void do_something(world_run *run)
{
    const uint32_t choice = fuzz_below(&run->bytes, 8);
    run->status = GRAZE_OK;
    if (choice < 4) {
        world_call(run);
    } else if (choice < 5) {
        world_ask(run);
    } else if (run->watch->steps < MAX_STEPS) {
        step(run);
    }
}

// The next few allocations but one succeed.
static void do_something_without_memory(world_run *run)
{
    world_watch *watch = run->watch;
    const uint64_t hash = graze_world_hash(watch->world);
    failing_allocator_arm(&watch->memory, 1 + fuzz_below(&run->bytes, 8));
    do_something(run);
    const bool failed = failing_allocator_disarm(&watch->memory);
    FUZZ_CHECK(failed == (run->status == GRAZE_ERROR_OUT_OF_MEMORY), "memory failed %d, status %d",
               failed, (int)run->status);
    FUZZ_CHECK(!failed || graze_world_hash(watch->world) == hash, "a failure changes the world");
}

static void play(world_run *run, uint32_t manner)
{
    while (run->bytes.size > 0 && run->calls++ < MAX_CALLS) {
        if (manner & WITH_FAILURES && fuzz_below(&run->bytes, 2)) {
            do_something_without_memory(run);
        } else {
            do_something(run);
            FUZZ_CHECK(run->status != GRAZE_ERROR_OUT_OF_MEMORY, "out of memory");
        }
        watch_always(run->watch);
    }
}

// Returns the hash of all that came out.
static uint64_t run_input(fuzz_bytes bytes, bool second, uint32_t *manner)
{
    world_watch *watch = calloc(1, sizeof *watch);
    if (!watch) {
        exit(2);
    }
    world_run run = {.bytes = bytes, .watch = watch};
    run.ground = fuzz_ground_draw(&run.bytes);
    *manner = fuzz_byte(&run.bytes);
    run.def = make_def(watch, *manner, second);
    watch->world = graze_world_create(&run.def);
    FUZZ_CHECK(watch->world, "no world");
    play(&run, *manner);
    const uint64_t result = watch->digest ^ graze_world_hash(watch->world);
    graze_world_destroy(watch->world);
    FUZZ_CHECK(watch->memory.live_bytes == 0, "%zu bytes are leaked", watch->memory.live_bytes);
    free(watch);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_bytes bytes = {data, size};
    uint32_t manner = 0;
    const uint64_t first = run_input(bytes, false, &manner);
    if (!(manner & WITH_FAILURES)) {
        FUZZ_CHECK(run_input(bytes, true, &manner) == first,
                   "capacities and threads change what comes out");
    }
    return 0;
}
