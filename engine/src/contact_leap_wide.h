/// @file contact_leap_wide.h
/// Matching hits with the last step's keys, many at a time: see contact_leap.h and lanes.h.

#include "bits.h"
#include "contact_leap.h"
#include "contact_match.h"

enum { LEAP = GRZ_WIDTH / 2 }; // Ranks in all lanes.

/// What moves on in a stretch.
typedef struct leaping {
    uint32_t next, key;
    uint32_t *ended;
} leaping;

static inline leaping leaping_of(const grz_matching *at)
{
    const leaping of = {at->next, at->key, at->ended};
    return of;
}

static inline void store_leaping(const leaping *of, grz_matching *at)
{
    at->next = of->next;
    at->key = of->key;
    at->ended = of->ended;
}

static inline bool may_leap(const grz_matching *at, const leaping *of)
{
    return (at->end - of->next > LEAP) & (at->key_end - of->key > LEAP);
}

// Returns how many ranks are of the same pairs, those of LEAP at most.
static inline uint32_t count_same(const uint64_t *ranks, const uint64_t *others)
{
    const ints sensors = sub_ints(fill_ints(1), and_ints(number_lanes(), fill_ints(1)));
    const floats_mask same =
        equal_ints(or_ints(read_ints(ranks), sensors), or_ints(read_ints(others), sensors));
    const uint32_t differ = mask_bits(same) ^ ((1u << GRZ_WIDTH) - 1);
    return grz_lowest_bit(differ | 1u << GRZ_WIDTH) / 2;
}

// Goes to the first of the next ranks that differ. If there is one, either it begins or the key has
// ended, whichever is the smaller.
static inline void leap_once(const grz_matching *at, leaping *of)
{
    const uint32_t same = count_same(at->ranks + of->next, at->key_ranks + of->key);
    const uint32_t next = of->next + same, key = of->key + same;
    const uint64_t rank = grz_pair_rank(at->ranks[next]);
    const uint64_t other = grz_pair_rank(at->key_ranks[key]);
    const uint32_t begins = rank < other, ends = other < rank;
    at->places[next] |= begins * GRZ_BEGINS;
    *of->ended = key;
    of->next = next + begins;
    of->key = key + ends;
    of->ended += ends;
}

// HOT. bench: engine/step/clusters
//
// Most pairs that meet have met before: so lanes look for the first rank that is not the same in
// both lists.
//
// Data    8 bytes of a rank and 8 of a key's read, in order; 4 of a place read and written where
//         they differ.
// Branch  None that is hard to guess: where they differ, and whether a contact begins there or
//         ends, is as hard to guess as how the bodies move.
// Order   The two stretches know nothing of each other.
static void leap_both(grz_matching *one, grz_matching *other)
{
    const grz_matching first = *one, second = *other;
    leaping of_first = leaping_of(one), of_second = leaping_of(other);
    while (may_leap(&first, &of_first) && may_leap(&second, &of_second)) {
        leap_once(&first, &of_first);
        leap_once(&second, &of_second);
    }
    store_leaping(&of_first, one);
    store_leaping(&of_second, other);
}

const grz_leap_loops GRZ_WIDE(grz_leap_loops) = {leap_both};
