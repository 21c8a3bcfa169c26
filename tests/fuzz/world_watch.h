/// @file world_watch.h
/// A world, what is known of it from outside, and what must hold after every step.
///
/// What is checked   Lists: sound values, known ids, in order. Every BEGIN has one END. A body that
///                   may not pass through walls is on the same side of every closed chain as
///                   before, and one that stops has crossed no wall. Statistics. Memory: what the
///                   world says it holds is what it was given.
/// Errors            Whatever does not hold ends the program (FUZZ_CHECK).
#ifndef GRAZE_TESTS_WORLD_WATCH_H
#define GRAZE_TESTS_WORLD_WATCH_H

#include "failing_allocator.h"

#include <graze/graze.h>

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_BODIES = 48, WATCH_CHAINS = 12, WATCH_POINTS = 10, WATCH_CONTACTS = 1 << 13 };

typedef struct watch_body {
    graze_body_id id; ///< Kept when it is gone.
    bool there;       ///< In the world, as far as is known.
    bool sensor;
    graze_vec2 before; ///< Where it was before the step.
    uint32_t insides;  ///< Bit i: it was inside chain i, which it may not leave.
} watch_body;

typedef struct watch_chain {
    graze_chain_id id; ///< Kept when it is gone.
    bool there;
    graze_chain_def def; ///< `points` is null: they are here.
    graze_vec2 points[WATCH_POINTS];
} watch_chain;

/// A list of pairs, sorted, each once.
typedef struct watch_keys {
    graze_contact_end data[WATCH_CONTACTS];
    uint32_t count;
} watch_keys;

typedef struct world_watch {
    graze_world *world;
    failing_allocator memory;
    bool vetoes;                      ///< The world has watch_filter().
    watch_body bodies[WATCH_BODIES];  ///< By number.
    watch_chain chains[WATCH_CHAINS]; ///< Likewise.
    watch_keys met;                   ///< In the last step.
    watch_keys now;
    uint32_t log_count; ///< Lines that the world has logged.
    uint64_t steps;
    uint64_t digest; ///< Of all that was reported so far.
} world_watch;

/// A graze_log_fn and a graze_filter_fn; `user` is the watch. The filter vetoes two things whose
/// user_data add up to a multiple of 5.
void watch_log(graze_status status, const char *message, void *user);
bool watch_filter(const graze_world *world, graze_body_id a, graze_body_id b,
                  graze_segment_id segment, void *user);

/// Returns how many bodies are known to be there.
uint32_t watch_count_bodies(const world_watch *watch);

/// Notes where the bodies are. To be called before each step.
void watch_before_step(world_watch *watch);

/// Checks what a step that succeeded has done.
void watch_after_step(world_watch *watch);

/// Checks what must hold at any time.
void watch_always(const world_watch *watch);

#endif
