/// @file world_calls.h
/// Random calls to a world under watch: what the target fuzz_world does between steps.
#ifndef GRAZE_TESTS_WORLD_CALLS_H
#define GRAZE_TESTS_WORLD_CALLS_H

#include "fuzz_bytes.h"
#include "world_watch.h"

/// One run of an input.
typedef struct world_run {
    fuzz_bytes bytes;
    fuzz_ground ground;
    world_watch *watch;
    graze_world_def def; ///< That the world was made from.
    graze_status status; ///< Of the last call that changes the world.
    uint32_t calls;
} world_run;

/// Makes one call, drawn from the bytes, that is not a step, and notes what it changed.
void world_call(world_run *run);

/// Saves the world, loads it into itself or another that takes its place, or loads what is damaged.
void world_save_and_load(world_run *run);

/// Asks the world something, drawn from the bytes, and checks the answer.
void world_ask(world_run *run);

/// Draws a filter: in half the cases the default.
graze_filter world_draw_filter(fuzz_bytes *bytes);

#endif
