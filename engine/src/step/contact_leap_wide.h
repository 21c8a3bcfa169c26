/// @file contact_leap_wide.h
/// Matching hits with the last step's keys, many at a time: see contact_leap.h and lanes.h.

#include "bits.h"
#include "min_max.h"
#include "step/contact_leap.h"
#include "step/contact_match.h"

enum { LEAP = GRZ_WIDTH / 2 }; ///< Ranks in all lanes.

/// The positions in a stretch.
typedef struct leaping {
    uint32_t next, key;
    uint32_t *ended;
} leaping;

static inline leaping leaping_of(const grz_matching *matching)
{
    const leaping leap = {matching->next, matching->key, matching->ended};
    return leap;
}

static inline void store_leaping(const leaping *leap, grz_matching *matching)
{
    matching->next = leap->next;
    matching->key = leap->key;
    matching->ended = leap->ended;
}

// Returns how many leaps there is room for: each moves a stretch on by at most LEAP + 1.
static inline uint32_t count_leaps(const grz_matching *matching, const leaping *leap)
{
    return min_u32(matching->end - leap->next, matching->key_end - leap->key) / (LEAP + 1);
}

static inline uint32_t count_leaps_of_two(const grz_matching *matching, const leaping *one,
                                          const leaping *other)
{
    return min_u32(count_leaps(&matching[0], one), count_leaps(&matching[1], other));
}

// Returns how many ranks, of at most LEAP, are of the same pairs.
static inline uint32_t count_same(const uint64_t *ranks, const uint64_t *others)
{
    const ints sensors = sub_ints(fill_ints(1), and_ints(number_lanes(), fill_ints(1)));
    const floats_mask same =
        equal_ints(or_ints(read_ints(ranks), sensors), or_ints(read_ints(others), sensors));
    const uint32_t differ = mask_bits(same) ^ ((1u << GRZ_WIDTH) - 1);
    return grz_lowest_bit(differ | 1u << GRZ_WIDTH) / 2;
}

// Advances to the first of the next ranks that differs. If there is one, then the contact begins or
// the key has ended: the one with the smaller rank.
static inline void leap_once(const grz_matching *matching, leaping *leap)
{
    const uint32_t same = count_same(matching->ranks + leap->next, matching->key_ranks + leap->key);
    const uint32_t next = leap->next + same, key = leap->key + same;
    const uint64_t rank = grz_pair_rank(matching->ranks[next]);
    const uint64_t other = grz_pair_rank(matching->key_ranks[key]);
    const uint32_t begins = rank < other, ends = other < rank;
    matching->places[next] |= begins * GRZ_BEGINS;
    *leap->ended = key;
    leap->next = next + begins;
    leap->key = key + ends;
    leap->ended += ends;
}

// HOT. bench: engine/step/clusters
//
// Most pairs that meet have met before: so lanes search for the first rank that differs in the two
// lists.
//
// Data    8 bytes of a rank and 8 of a key's read, in order; 4 of a place read and written if they
//         differ.
// Branch  None that is hard to predict, though it cannot be predicted where ranks differ, and
//         whether a contact begins or ends there. One test of room for many leaps.
// Order   Stretches are independent.
static void leap_all(grz_matching all[GRZ_LEAPING])
{
    const grz_matching matching[GRZ_LEAPING] = {all[0], all[1], all[2], all[3]};
    leaping a = leaping_of(&matching[0]), b = leaping_of(&matching[1]);
    leaping c = leaping_of(&matching[2]), d = leaping_of(&matching[3]);
    for (uint32_t leaps = 1; leaps > 0;) {
        leaps = min_u32(count_leaps_of_two(&matching[0], &a, &b),
                        count_leaps_of_two(&matching[2], &c, &d));
        for (uint32_t k = 0; k < leaps; ++k) {
            leap_once(matching, &a);
            leap_once(matching, &b);
            leap_once(matching, &c);
            leap_once(matching, &d);
        }
    }
    store_leaping(&a, &all[0]);
    store_leaping(&b, &all[1]);
    store_leaping(&c, &all[2]);
    store_leaping(&d, &all[3]);
}

const grz_leap_loops GRZ_WIDE(grz_leap_loops) = {leap_all};
