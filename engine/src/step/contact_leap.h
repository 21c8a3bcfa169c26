/// @file contact_leap.h
/// Matching hits with the last step's keys: a loop over lanes, see lanes.h and contact_match.c.
#ifndef GRZ_CONTACT_LEAP_H
#define GRZ_CONTACT_LEAP_H

#include "lanes_choice.h"

#include <stdint.h>

enum {
    GRZ_LEAPING = 4 ///< Stretches of the order that are matched at a time.
};

/// The state of matching a stretch of the order.
typedef struct grz_matching {
    const uint64_t *ranks; ///< Of the order.
    uint32_t *places;      ///< Likewise.
    const uint64_t *key_ranks;
    uint32_t next, end;    ///< The contacts still to be matched,
    uint32_t key, key_end; ///< and the keys still to be passed.
    uint32_t *ended;       ///< Where to store the place of the next ended one.
    uint32_t key_count;
} grz_matching;

/// Matches stretches of the same lists as long as all have enough for the lanes. No two hits have
/// the same rank.
typedef void grz_leap_fn(grz_matching all[GRZ_LEAPING]);

/// The loops that exist for each set of lanes.
typedef struct grz_leap_loops {
    grz_leap_fn *leap;
} grz_leap_loops;

GRZ_DECLARE_WIDE(grz_leap_loops, grz_leap_loops);

#endif
