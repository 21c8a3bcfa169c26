/// @file busy_world.h
/// Worlds with everything in them that change all the time, and a comparison of two of them.
///
/// What happens in a frame depends only on the random numbers and the world, so that equal numbers
/// do the same to equal worlds.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_BUSY_WORLD_H
#define GRAZE_TESTS_BUSY_WORLD_H

#include "random.h"
#include "world_kit.h"

/// Returns a def of gravity (0, -4) and defaults.
graze_world_def busy_def(void);

/// Fills a world: bodies of all kinds, responses, filters, limits and lifetimes; chains of all
/// kinds.
void busy_fill(graze_world *world, random_state *random);

/// Creates, destroys, moves and changes some of it, also terrain, and steps.
void busy_frame(graze_world *world, random_state *random);

/// Returns a world of busy_def() with nothing in it.
graze_world *busy_empty_world(void);

/// Returns such a world, filled, after this number of frames of random numbers from this seed.
graze_world *busy_world_after(uint64_t seed, uint32_t frames);

/// Returns a snapshot of busy_world_after(seed, frames), to be freed.
unsigned char *busy_snapshot(uint64_t seed, uint32_t frames, size_t *size);

/// Fails the test, with the number `where`, unless every reading call gives the same for both
/// worlds, to the last bit: state, lists, counts, queries; columns in any order.
void busy_assert_same(const graze_world *first, const graze_world *second, uint64_t where);

#endif
