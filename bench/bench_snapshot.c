// Going back in time: saving, loading and sorting a world, nanoseconds a body, beside a plain copy
// of the same bytes.
//
// The snapshots are those of successive steps, in a ring that is filled and emptied as a game does
// that rolls back: so neither side finds everything in the nearest cache. A copy goes from one
// place to all of the ring, or from all of it to one place: there is one world, too.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "scenes.h"

#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEED = 1,
    MOVERS = 10000,
    BULLETS = 10000,
    SEGMENTS = 10000,
    RING = 8,
    WARM_UP_STEPS = 5,
    ROUNDS = 20
};

/// A world, snapshots of its last steps, and another world to load them into.
typedef struct time_machine {
    scene place;
    void *run;
    graze_world *present, *past;
    unsigned char *ring[RING];
    unsigned char *copies[RING]; ///< Where to write to.
    size_t sizes[RING];
    uint64_t hashes[RING];
    unsigned char *state; ///< The one place that is copied from and to.
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

static void sort_past(time_machine *machine)
{
    (void)graze_world_sort(machine->past);
}

static void do_nothing(time_machine *machine)
{
    (void)machine;
}

/// What is measured, after something that is not.
typedef struct snapshot_case {
    const char *name;
    work_fn *before, *work;
    uint32_t worlds; ///< That one call of `work` handles.
} snapshot_case;

static const snapshot_case cases[] = {
    {"engine/snapshot_save", do_nothing, save_ring, RING},
    {"memcpy/snapshot_save", do_nothing, copy_to_ring, RING},
    {"engine/snapshot_load", do_nothing, load_ring, RING},
    {"memcpy/snapshot_load", do_nothing, copy_from_ring, RING},
    {"engine/sort_loaded", load_ring, sort_past, 1},
};

enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

static void run_case(bench_state *state, const void *argument)
{
    const snapshot_case *which = argument;
    time_machine machine = make_machine();
    check_ring(state, &machine);
    which->work(&machine);
    while (bench_next(state)) {
        which->before(&machine);
        bench_start(state);
        which->work(&machine);
        bench_stop(state);
    }
    bench_set_items(state, (double)which->worlds * (MOVERS + BULLETS));
    bench_set_counter(state, "bytes", (double)machine.sizes[RING - 1] / (MOVERS + BULLETS));
    free_machine(&machine);
}

void bench_register_snapshot(bench_plan plan)
{
    for (uint32_t i = 0; i < CASE_COUNT; ++i) {
        char name[80];
        snprintf(name, sizeof name, "%s/bullet-hell/10k", cases[i].name);
        bench_register(name, run_case, &cases[i], plan.quick ? ROUNDS / 2 : ROUNDS);
    }
}
