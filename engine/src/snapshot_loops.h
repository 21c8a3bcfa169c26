/// @file snapshot_loops.h
/// The loops over whole columns of a snapshot, and over which indices are in use.
///
/// Numbers are checked by their patterns of bits, without a branch, so what the caller's rounding
/// mode does to denormals does not matter. Bytes may have any alignment. A check returns 0 when all
/// is right; what exactly is wrong is found by asking for one body at a time.
#ifndef GRZ_SNAPSHOT_LOOPS_H
#define GRZ_SNAPSHOT_LOOPS_H

#include "lanes_choice.h"
#include "state.h"

#include <stddef.h>

enum {
    GRZ_INDICES_LISTED = 64 + 16 ///< The last lanes may overshoot.
};

/// What the loops do: see lanes.h. The sections are those of snapshot.h.
typedef struct grz_snapshot_loops {
    /// Adds blocks of GRZ_CHECKSUM_BLOCK bytes to the GRZ_CHECKSUM_LANES words of a checksum.
    void (*add_blocks)(uint32_t *lanes, const unsigned char *bytes, size_t count);
    /// Lists those of 64 words whose bits are set, and returns how many there are. Room for
    /// GRZ_INDICES_LISTED is needed, whatever they are.
    uint32_t (*list_words)(uint64_t bits, const uint32_t *words, uint32_t *listed);
    /// Lists the indices from `first` on that have rows, of those whose bits are set, and their
    /// rows; likewise. Adds to `count` how many there are, and returns their bits. Rows behind the
    /// last are read as far as a block is padded.
    uint64_t (*list_rows)(const uint32_t *row_of_index, uint32_t first, uint64_t bits,
                          uint32_t *indices, uint32_t *rows, uint32_t *count);
    /// Fills in the traits that bodies have with these forms, but for what spins.
    void (*fill_traits)(const uint32_t *forms, const grz_matter *matters, const grz_life *lives,
                        size_t count, uint32_t *traits);
    /// Every word is a finite float and not -0.
    uint32_t (*check_numbers)(const unsigned char *words, size_t count);
    /// No generation is 0, and every form is one. Adds the bits of all forms to `forms`.
    uint32_t (*check_bodies)(const unsigned char *bodies, size_t count, uint32_t *forms);
    /// A rect has two half extents above 0; anything else one radius, twice, and a ray's is 0.
    uint32_t (*check_halves)(const unsigned char *halves, const uint32_t *forms, size_t count);
    /// Masses are finite and not negative, restitution and friction in [0, 1].
    uint32_t (*check_matters)(const unsigned char *matters, size_t count);
    /// Lifetimes are finite and not negative.
    uint32_t (*check_lives)(const unsigned char *lives, size_t count);
    /// Returns how many have a hit_limit and have spent it.
    uint32_t (*count_spent)(const unsigned char *lives, size_t count);
    /// Angles are in [-pi, pi], and only rects turn.
    uint32_t (*check_turns)(const unsigned char *angles, const unsigned char *spins,
                            const uint32_t *forms, size_t count);
} grz_snapshot_loops;

GRZ_DECLARE_WIDE(grz_snapshot_loops, grz_snapshot_loops);

/// Returns the loops for a set of lanes.
const grz_snapshot_loops *grz_snapshot_loops_for(grz_lane_set lanes);

#endif
