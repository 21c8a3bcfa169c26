/// @file digest.h
/// A quick hash of a world after a step, made of parts, which tell what differs.
///
/// It covers bodies and keys of contacts. Terrain and gravity, which change by calls only, are left
/// to graze_world_hash, and so are kept impulses, of which the next step's velocities tell.
#ifndef GRZ_DIGEST_H
#define GRZ_DIGEST_H

#include <graze/replay.h>

#include "world/world_state.h"

enum {
    GRZ_DIGEST_BODIES = 64, ///< Indices a block.
    GRZ_DIGEST_WORDS = 4
};

/// The bodies of 64 consecutive indices. All is 0 for those not in the world.
typedef struct grz_digest_block {
    uint64_t sum; ///< Of the bodies' hashes.
    /// The exclusive or of each word of grz_digest_words() over all bodies: if all bodies but one
    /// are known, it gives that one.
    uint64_t joined[GRZ_DIGEST_WORDS];
    uint16_t bodies[GRZ_DIGEST_BODIES]; ///< A short hash of each.
} grz_digest_block;

_Static_assert(sizeof(grz_digest_block) == 168, "a block has no padding");

/// All zero: of no world yet.
typedef struct grz_digest {
    uint64_t sum;                       ///< Of everything.
    GRZ_ARRAY(grz_digest_block) blocks; ///< Those after the last body are left out.
} grz_digest;

/// The bits of a body that steps change: see grz_digest_unpack().
typedef struct grz_digest_words {
    uint64_t word[GRZ_DIGEST_WORDS];
} grz_digest_words;

/// Makes the digest of the world, which takes 2.6 bytes per index. Returns false, with the digest
/// unspecified, if memory runs out.
bool grz_digest_take(grz_digest *digest, const graze_world *world,
                     const graze_allocator *allocator);

/// Returns these words of the body with this index; all zero if there is none.
grz_digest_words grz_digest_read(const graze_world *world, uint32_t index);

/// Converts the words to values.
graze_replay_body grz_digest_unpack(const grz_digest_words *words);

void grz_digest_free(grz_digest *digest, const graze_allocator *allocator);

#endif
