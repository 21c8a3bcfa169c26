// Rollback: saving, loading and sorting a world, nanoseconds a body, compared with a plain copy of
// the same bytes.
//
// The snapshots are those of successive steps, in a ring that is filled and emptied as by a game
// that rolls back: so neither side finds everything in the nearest cache. A copy goes from one
// place to the whole ring, or from the ring to one place, because there is one world, too, which
// has bodies when it is loaded.
//
// Both sides work alternately on the same ring: each finds the caches as the other left them, and
// other users of a shared cache, which can double a copy's time for seconds, slow down both. So the
// result is the quotient of the two times of a round, and its median over all rounds.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "median.h"
#include "scenes.h"

#include <graze/graze.h>

#include <stdlib.h>
#include <string.h>

enum {
    SEED = 1,
    MOVERS = 10000,
    BULLETS = 10000,
    SEGMENTS = 10000,
    RING = 8,
    WARM_UP_STEPS = 5,
    ROUNDS = 60
};

/// A world, snapshots of its last steps, and another world to load them into.
typedef struct time_machine {
    scene place;
    void *run;
    graze_world *present, *past;
    unsigned char *ring[RING];
    unsigned char *copies[RING]; ///< Destinations.
    size_t sizes[RING];
    uint64_t hashes[RING];
    unsigned char *state; ///< The single source and destination.
    size_t capacity;      ///< Of it and of each copy: the largest size.
} time_machine;

static size_t larger(size_t first, size_t second)
{
    return first > second ? first : second;
}

static void take_snapshot(time_machine *machine, uint32_t slot)
{
    const size_t size = graze_world_snapshot_size(machine->present);
    machine->sizes[slot] = size;
    machine->capacity = larger(machine->capacity, size);
    machine->ring[slot] = bench_allocate(1, size);
    machine->hashes[slot] = graze_world_hash(machine->present);
    (void)graze_world_save(machine->present, machine->ring[slot], size);
}

static time_machine make_machine(void)
{
    const graze_world_def def = graze_world_def_default();
    random_state random = random_seed(SEED);
    time_machine machine = {.place = scene_make_bullet_hell(SEED, MOVERS, BULLETS, SEGMENTS)};
    machine.run = engine_graze.create(&machine.place);
    machine.present = engine_graze_world(machine.run);
    machine.past = graze_world_create(&def);
    for (uint32_t step = 0; step < WARM_UP_STEPS + RING; ++step) {
        engine_graze.step(machine.run);
        engine_graze.keep(machine.run, &random);
        if (step >= WARM_UP_STEPS) {
            take_snapshot(&machine, step - WARM_UP_STEPS);
        }
    }
    for (uint32_t slot = 0; slot < RING; ++slot) {
        machine.copies[slot] = bench_allocate(1, machine.capacity);
    }
    machine.state = bench_allocate(1, machine.capacity);
    memcpy(machine.state, machine.ring[0], machine.sizes[0]);
    return machine;
}

static void free_machine(time_machine *machine)
{
    for (uint32_t slot = 0; slot < RING; ++slot) {
        free(machine->ring[slot]);
        free(machine->copies[slot]);
    }
    free(machine->state);
    graze_world_destroy(machine->past);
    engine_graze.destroy(machine->run);
    scene_free(&machine->place);
}

static void load(time_machine *machine, uint32_t slot)
{
    (void)graze_world_load(machine->past, machine->ring[slot], machine->sizes[slot]);
}

static void check_ring(bench_state *state, time_machine *machine)
{
    for (uint32_t slot = 0; slot < RING; ++slot) {
        load(machine, slot);
        if (graze_world_hash(machine->past) != machine->hashes[slot]) {
            bench_fail(state, "a loaded world has another hash than the saved one");
            return;
        }
    }
}

typedef void work_fn(time_machine *machine);

static void save_ring(time_machine *machine)
{
    for (uint32_t slot = 0; slot < RING; ++slot) {
        (void)graze_world_save(machine->present, machine->copies[slot], machine->capacity);
    }
}

static void copy_to_ring(time_machine *machine)
{
    for (uint32_t slot = 0; slot < RING; ++slot) {
        memcpy(machine->copies[slot], machine->state, machine->sizes[slot]);
    }
}

static void copy_from_ring(time_machine *machine)
{
    for (uint32_t slot = 0; slot < RING; ++slot) {
        memcpy(machine->state, machine->ring[slot], machine->sizes[slot]);
    }
}

static void load_ring(time_machine *machine)
{
    for (uint32_t slot = 0; slot < RING; ++slot) {
        load(machine, slot);
    }
}

/// An operation on the whole ring, by the engine and by memcpy.
typedef struct ring_case {
    const char *name;
    work_fn *work, *copy;
} ring_case;

static const ring_case ring_cases[] = {
    {"engine/snapshot_save/bullet-hell/10k", save_ring, copy_to_ring},
    {"engine/snapshot_load/bullet-hell/10k", load_ring, copy_from_ring},
};

enum { RING_CASES = sizeof ring_cases / sizeof ring_cases[0] };

/// The results of rounds.
typedef struct copy_rounds {
    uint32_t count;
    double copied; ///< Seconds, in all of them.
    double quotients[ROUNDS];
} copy_rounds;

static double time_work(const bench_state *state, work_fn *work, time_machine *machine)
{
    const double begun = bench_read_clock(state);
    work(machine);
    return bench_read_clock(state) - begun;
}

static void run_round(bench_state *state, const ring_case *which, time_machine *machine,
                      copy_rounds *rounds)
{
    bench_start(state);
    const double own = time_work(state, which->work, machine);
    bench_stop(state);
    const double copy = time_work(state, which->copy, machine);
    rounds->copied += copy;
    rounds->quotients[rounds->count++] = own / copy;
}

static void run_ring(bench_state *state, const void *argument)
{
    const ring_case *which = argument;
    const double items = (double)RING * (MOVERS + BULLETS);
    time_machine machine = make_machine();
    copy_rounds rounds = {.count = 0};
    check_ring(state, &machine);
    which->work(&machine);
    which->copy(&machine);
    while (bench_next(state)) {
        run_round(state, which, &machine, &rounds);
    }
    median_sort(rounds.quotients, rounds.count);
    bench_set_items(state, items);
    bench_set_counter(state, "bytes", (double)machine.sizes[RING - 1] / (MOVERS + BULLETS));
    bench_set_counter(state, "memcpy_ns", rounds.copied * 1e9 / (rounds.count * items));
    bench_set_counter(state, "memcpys", median_of(rounds.quotients, rounds.count));
    free_machine(&machine);
}

static void run_sort(bench_state *state, const void *argument)
{
    time_machine machine = make_machine();
    (void)argument;
    check_ring(state, &machine);
    while (bench_next(state)) {
        load_ring(&machine);
        bench_start(state);
        (void)graze_world_sort(machine.past);
        bench_stop(state);
    }
    bench_set_items(state, MOVERS + BULLETS);
    free_machine(&machine);
}

void bench_register_snapshot(bench_plan plan)
{
    const uint32_t rounds = plan.quick ? ROUNDS / 2 : ROUNDS;
    for (uint32_t i = 0; i < RING_CASES; ++i) {
        bench_register(ring_cases[i].name, run_ring, &ring_cases[i], rounds);
    }
    bench_register("engine/sort_loaded/bullet-hell/10k", run_sort, NULL, rounds);
}
