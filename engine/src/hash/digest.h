/// @file digest.h
/// A quick hash of a world after a step, made of parts, so that it can be said what differs.
///
/// It covers bodies and what met: all that a step may change. Terrain and gravity change by calls
/// only, and are left to graze_world_hash.
#ifndef GRZ_DIGEST_H
#define GRZ_DIGEST_H

#include <graze/replay.h>

#include "state.h"

enum {
    GRZ_DIGEST_BODIES = 64, ///< Indices a block.
    GRZ_DIGEST_WORDS = 4
};

/// The bodies of 64 consecutive indices. Of those not in the world all is 0.
typedef struct grz_digest_block {
    uint64_t sum; ///< Of the bodies' hashes.
    /// Each word of grz_digest_words(), of all bodies, joined by exclusive or: where all but one of
    /// the bodies are known, this gives that one.
    uint64_t joined[GRZ_DIGEST_WORDS];
    uint16_t bodies[GRZ_DIGEST_BODIES]; ///< A short hash of each.
} grz_digest_block;

_Static_assert(sizeof(grz_digest_block) == 168, "a block has no padding");

/// All zero: of no world yet.
typedef struct grz_digest {
    uint64_t sum;                       ///< Of everything.
    GRZ_ARRAY(grz_digest_block) blocks; ///< Those after the last body are left out.
} grz_digest;

/// What moves of a body, as bits: grz_digest_unpack() says which.
typedef struct grz_digest_words {
    uint64_t word[GRZ_DIGEST_WORDS];
} grz_digest_words;

/// Makes the digest of the world as it is. Returns false, the digest unspecified, when there is no
/// memory: it takes 2.6 bytes per index.
bool grz_digest_take(grz_digest *digest, const graze_world *world,
                     const graze_allocator *allocator);

/// Returns what moves of the body that has this index; all zero when none has.
grz_digest_words grz_digest_read(const graze_world *world, uint32_t index);

/// Returns what the bits say.
graze_replay_body grz_digest_unpack(const grz_digest_words *words);

void grz_digest_free(grz_digest *digest, const graze_allocator *allocator);

#endif
