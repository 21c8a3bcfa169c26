/// @file state_hash.h
/// A quick hash of a world after a step, made of parts, which tell what differs.
///
/// It covers bodies and keys of contacts. Terrain and gravity, which change by calls only, are left
/// to graze_world_hash, and so are kept impulses, of which the next step's velocities tell.
#ifndef GRZ_STATE_HASH_H
#define GRZ_STATE_HASH_H

#include <graze/replay.h>

#include "world/world_state.h"

enum {
    GRZ_STATE_HASH_BODIES = 64, ///< Indices a block.
    GRZ_STATE_HASH_WORDS = sizeof(graze_replay_body) / 4
};

/// The bodies of 64 consecutive indices. All is 0 for those not in the world.
typedef struct grz_state_hash_block {
    uint64_t sum; ///< Of the bodies' hashes.
    /// The exclusive or of each word of grz_state_hash_read() over all bodies: if all bodies but
    /// one are known, it gives that one.
    uint32_t joined[GRZ_STATE_HASH_WORDS];
    uint16_t bodies[GRZ_STATE_HASH_BODIES]; ///< A short hash of each.
} grz_state_hash_block;

_Static_assert(sizeof(graze_replay_body) == 32 && sizeof(grz_state_hash_block) == 168,
               "no padding");

/// All zero: of no world yet.
typedef struct grz_state_hash {
    uint64_t sum;                           ///< Of everything.
    GRZ_ARRAY(grz_state_hash_block) blocks; ///< Those after the last body are left out.
} grz_state_hash;

/// Makes the state hash of the world, which takes 2.6 bytes per index. Returns false, with the
/// state hash unspecified, if memory runs out.
bool grz_state_hash_take(grz_state_hash *digest, const graze_world *world,
                         const graze_allocator *allocator);

/// Returns what steps change of the body with this index; all zero if there is none.
graze_replay_body grz_state_hash_read(const graze_world *world, grz_index index);

#endif
