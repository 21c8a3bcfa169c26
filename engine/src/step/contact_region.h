/// @file contact_region.h
/// Sorts the contacts of a region, a range of a's indices: a loop over lanes, see lanes.h.
#ifndef GRZ_CONTACT_REGION_H
#define GRZ_CONTACT_REGION_H

#include "lanes_choice.h"

#include <stdint.h>

enum {
    GRZ_RUN_LIMIT = 96,    ///< Maximum contacts of a run that lanes sort.
    GRZ_REGION_STRIDE = 8, ///< Keys that they compare between tests of the end.
    GRZ_REGION_SPARE = GRZ_LANES_MAX + GRZ_REGION_STRIDE,
    GRZ_REGION_PADDING = GRZ_RUN_LIMIT + GRZ_REGION_SPARE,
    GRZ_INDEX_BITS = 30 ///< Of a body, at most: so its rank's lower half fits a key.
};

/// The format of keys: 31 bits, in the order of ranks.
typedef struct grz_key_cut {
    uint32_t first_a; ///< The upper bits are a's index, less this one;
    uint32_t b_bits;  ///< this many lower ones are a rank's lower half.
} grz_key_cut;

/// Returns the key of a rank, whose a must be among those that the cut allows for.
static inline uint32_t grz_key_of_rank(const grz_key_cut *cut, uint64_t rank)
{
    return ((uint32_t)(rank >> 32) - cut->first_a) << cut->b_bits | (uint32_t)rank;
}

/// Returns the rank that a key was cut from.
static inline uint64_t grz_rank_of_key(const grz_key_cut *cut, uint32_t key)
{
    const uint32_t a = cut->first_a + (key >> cut->b_bits);
    return (uint64_t)a << 32 | (key & ((1u << cut->b_bits) - 1));
}

/// Contacts in the order of runs, unsorted within a run.
typedef struct grz_region {
    grz_key_cut cut;
    uint32_t count;
    uint32_t most;          ///< No run has more.
    uint32_t run_mask;      ///< The bits of a key in which those of a run differ.
    const uint32_t *keys;   ///< `most` + GRZ_REGION_SPARE more are 0 before them, 2^31 - 1 after.
    const uint32_t *places; ///< By key.
} grz_region;

/// Writes the keys of some ranks.
typedef void grz_cut_keys_fn(const grz_key_cut *cut, const uint64_t *ranks, uint32_t count,
                             uint32_t *keys);

/// Writes their ranks and places in order, stably.
typedef void grz_order_region_fn(const grz_region *region, uint64_t *ranks, uint32_t *places);

/// The loops that exist for each set of lanes.
typedef struct grz_region_loops {
    uint32_t run_limit; ///< Longer runs take too long.
    grz_cut_keys_fn *cut;
    grz_order_region_fn *order;
} grz_region_loops;

GRZ_DECLARE_WIDE(grz_region_loops, grz_region_loops);

#endif
