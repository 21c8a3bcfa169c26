#include "step/contact_match.h"

#include "min_max.h"
#include "step/contact_leap.h"
#include "world/contact_keys.h"
#include "world/contact_rank.h"
#include "world/parallel.h"

#include <string.h>

// Both the order and the last step's keys are by rank: one pass over the two matches them.
//
// The order is cut into stretches, each with the keys that it is matched with. So threads can share
// the work, and one thread can match four stretches at a time: each key is found from the one
// before, by a chain of dependent instructions, and a processor runs four such chains in parallel.

enum {
    STRETCHES = 128,          ///< At most.
    CONTACTS_A_STRETCH = 512, ///< At least, where there are more than GRZ_LEAPING.
    PASSED_AT_ONCE = 4,
    LISTED_AT_ONCE = 64,
    AHEAD = 32 ///< How far ahead keys are prefetched, if more than ranks may be read.
};

/// A part of the order, and the last step's keys to match it with.
typedef struct stretch {
    uint32_t first, end;
    uint32_t old_first, old_end;
    uint32_t key_count, ended_count; ///< The results.
} stretch;

/// Shared by the stretches.
typedef struct sharing {
    graze_world *world;
    const uint64_t *key_ranks;
    uint32_t key_count;
    stretch stretches[STRETCHES];
} sharing;

static inline uint64_t rank_of_key(const grz_matching *matching, uint32_t k)
{
    return grz_pair_rank(matching->key_ranks[k]);
}

// Passes the keys up to `rank`: those with a lower rank have ended. Returns whether a key, and
// there is at most one, has this rank.
static inline bool pass_rank(grz_matching *matching, uint64_t rank)
{
    for (; matching->key < matching->key_end; ++matching->key) {
        const uint64_t other = rank_of_key(matching, matching->key);
        if (other >= rank) {
            matching->key += other == rank;
            return other == rank;
        }
        *matching->ended++ = matching->key;
    }
    return false;
}

// The same without a branch on whether the key has ended, which cannot be predicted. Two ended keys
// in a row are rare, and left to pass_rank.
static inline bool pass_rank_unguessed(grz_matching *matching, uint64_t rank)
{
    if (matching->key + 1 < matching->key_end) {
        const uint64_t other = rank_of_key(matching, matching->key);
        const uint64_t after = rank_of_key(matching, matching->key + 1);
        if (after >= rank) {
            const uint32_t ended = other < rank;
            const uint32_t stays = (uint32_t)(other == rank) | (uint32_t)(after == rank);
            *matching->ended = matching->key;
            matching->ended += ended;
            matching->key += ended + stays;
            return stays;
        }
    }
    return pass_rank(matching, rank);
}

// Passes keys before a rank, all but a few, without a branch for each. Where few contacts last,
// such as those of bullets, the number of keys that have ended in between cannot be predicted.
static inline void pass_ended(grz_matching *matching, uint64_t rank)
{
    uint32_t count = PASSED_AT_ONCE;
    while (count == PASSED_AT_ONCE && matching->key_end - matching->key >= PASSED_AT_ONCE) {
        count = 0;
        for (uint32_t k = 0; k < PASSED_AT_ONCE; ++k) {
            matching->ended[k] = matching->key + k;
            count += rank_of_key(matching, matching->key + k) < rank;
        }
        matching->ended += count;
        matching->key += count;
    }
}

// If an index has a new body, or a body meets several walls, equal ranks may be of different keys:
// these are compared.
static graze_contact_end key_of_place(const graze_world *world, uint64_t rank, uint32_t place)
{
    if (!grz_is_hit(world, place)) {
        return grz_key_of(grz_fresh_at(world, place));
    }
    const grz_hit *hit = &world->found.hits.data[place];
    const graze_contact_end key = {{grz_a_of_rank(rank), hit->generation_a},
                                   {grz_b_of_rank(rank), hit->generation_b},
                                   {{0, 0}, 0}};
    return key;
}

// Prefetches the ids that may have to be compared soon. Which contacts are hits cannot be
// predicted: for others some hit is prefetched.
static inline void prefetch_ids(const graze_world *world, const grz_matching *matching)
{
    if (matching->key_end - matching->key > AHEAD) {
        grz_prefetch_match_key(world, matching->key + AHEAD);
    }
    if (matching->end - matching->next > AHEAD) {
        const uint32_t place = matching->places[matching->next + AHEAD];
        GRZ_PREFETCH(&world->found.hits.data[place < world->found.hit_room ? place : 0]);
    }
}

// Where neither index has got a new body, equal ranks are of one pair.
static inline bool are_old_bodies(const graze_world *world, uint64_t rank)
{
    return grz_b_of_rank(rank) < world->reports.renewed_from;
}

// Passes the keys up to that of the next contact, and returns whether one is the same. The keys
// themselves are seldom needed, but then at once.
static bool pass_key(const graze_world *world, grz_matching *matching)
{
    const uint64_t rank = grz_pair_rank(matching->ranks[matching->next]);
    prefetch_ids(world, matching);
    pass_ended(matching, rank);
    for (; matching->key < matching->key_end && rank_of_key(matching, matching->key) <= rank;
         ++matching->key) {
        if (rank_of_key(matching, matching->key) == rank) {
            const graze_contact_end other = grz_match_key(world, matching->key);
            const graze_contact_end key =
                key_of_place(world, rank, matching->places[matching->next]);
            const int order = grz_compare_keys(&other, &key);
            if (order >= 0) {
                matching->key += order == 0;
                return order == 0;
            }
        }
        *matching->ended++ = matching->key;
    }
    return false;
}

static void pass_rest(grz_matching *matching)
{
    while (matching->key < matching->key_end) {
        *matching->ended++ = matching->key++;
    }
}

// --- One contact ---

static inline void mark(uint32_t *place, bool stays)
{
    *place |= stays ? 0 : GRZ_BEGINS;
}

static inline void match_next_hit(grz_matching *matching)
{
    const bool stays =
        pass_rank_unguessed(matching, grz_pair_rank(matching->ranks[matching->next]));
    mark(&matching->places[matching->next++], stays);
}

// The same where most often the rank decides: between two bodies, neither of them new. Terrain
// stands for b with 0 in a rank.
static inline bool pass_fresh(const graze_world *world, grz_matching *matching)
{
    const uint64_t rank = grz_pair_rank(matching->ranks[matching->next]);
    const bool is_pair = grz_b_of_rank(rank) > 0;
    return is_pair && are_old_bodies(world, rank) ? pass_rank(matching, rank)
                                                  : pass_key(world, matching);
}

// The first contact of a stretch begins a new pair, since no pair is cut in two. So it is not
// compared with the one before it, which may belong to another thread.
static inline void match_next(const graze_world *world, grz_matching *matching, uint32_t first)
{
    const bool goes_on = matching->next > first && grz_order_goes_on(world, matching->next);
    const bool stays = goes_on || pass_fresh(world, matching);
    matching->key_count += !goes_on;
    mark(&matching->places[matching->next++], stays);
}

// --- Stretches ---

static grz_matching begin_matching(const sharing *shared, const stretch *own)
{
    const grz_matching matching = {
        .ranks = shared->world->reports.order.ranks,
        .places = shared->world->reports.order.places,
        .key_ranks = shared->key_ranks,
        .next = own->first,
        .end = own->end,
        .key = own->old_first,
        .key_end = own->old_end,
        .ended = shared->world->reports.order.ended + own->old_first,
    };
    return matching;
}

static void end_matching(const sharing *shared, grz_matching *matching, stretch *own)
{
    pass_rest(matching);
    own->key_count = matching->key_count;
    own->ended_count =
        (uint32_t)(matching->ended - (shared->world->reports.order.ended + own->old_first));
}

// HOT. bench: engine/step/clusters
//
// Without lanes all of the stretch; else the last ones, too few for the lanes.
//
// Data    8 bytes of a rank and 8 of a key's read, in order; 4 of a place read and written.
// Branch  None that is hard to predict: see pass_rank_unguessed.
// Order   The two stretches are independent.
static inline void match_both(grz_matching *one, grz_matching *other)
{
    while (one->next < one->end && other->next < other->end) {
        match_next_hit(one);
        match_next_hit(other);
    }
}

static void match_each(grz_matching all[GRZ_LEAPING])
{
    for (uint32_t k = 0; k < GRZ_LEAPING; k += 2) {
        match_both(&all[k], &all[k + 1]);
    }
}

const grz_leap_loops grz_leap_loops_scalar = {match_each};

static const grz_leap_loops *loops_for(grz_lane_set lanes)
{
    static const grz_leap_loops *const loops[] = GRZ_WIDE_TABLES(grz_leap_loops);
    return loops[lanes];
}

static void match_rest(const sharing *shared, grz_matching *matching, stretch *own)
{
    while (matching->next < matching->end) {
        match_next_hit(matching);
    }
    matching->key_count = own->end - own->first;
    end_matching(shared, matching, own);
}

static void match_hits(const sharing *shared, stretch *own)
{
    grz_matching matching[GRZ_LEAPING];
    for (uint32_t k = 0; k < GRZ_LEAPING; ++k) {
        matching[k] = begin_matching(shared, &own[k]);
    }
    loops_for(shared->world->config.lanes)->leap(matching);
    match_each(matching);
    for (uint32_t k = 0; k < GRZ_LEAPING; ++k) {
        match_rest(shared, &matching[k], &own[k]);
    }
}

static inline bool is_hit_of_old_bodies(const graze_world *world, const grz_matching *matching)
{
    return grz_is_hit(world, matching->places[matching->next]) &&
           are_old_bodies(world, matching->ranks[matching->next]);
}

// As pass_key, for a hit. Many other keys may come before its own.
static inline bool pass_hit(const graze_world *world, grz_matching *matching)
{
    const uint64_t rank = grz_pair_rank(matching->ranks[matching->next]);
    if (!are_old_bodies(world, rank)) {
        return pass_key(world, matching);
    }
    pass_ended(matching, rank);
    return pass_rank(matching, rank);
}

// Marks those by which rays are spent among some contacts as new, and lists the others, because
// they cannot be predicted. Returns how many it lists.
static inline uint32_t list_hits(const graze_world *world, uint32_t first, uint32_t end,
                                 uint32_t hits[LISTED_AT_ONCE])
{
    uint32_t *places = world->reports.order.places;
    uint32_t count = 0;
    for (uint32_t k = first; k < end; ++k) {
        const bool spends = grz_is_ray_hit(world, places[k]);
        hits[count] = k;
        count += !spends;
        mark(&places[k], !spends);
    }
    return count;
}

// HOT. bench: engine/step/bullets-bodies
//
// If all fresh contacts begin, only the hits of kinematic bodies are looked up.
//
// Data    4 bytes of a place read and written, and 8 of a key's rank read, in order; of a hit also
//         8 of its rank. If two ranks are equal and a body is new, as in match_stretch.
// Branch  On how many keys have ended between two hits.
static void match_stretch_by_hits(const sharing *shared, stretch *own)
{
    const graze_world *world = shared->world;
    grz_matching matching = begin_matching(shared, own);
    uint32_t hits[LISTED_AT_ONCE];
    matching.key_count = own->end - own->first;
    for (uint32_t first = own->first; first < own->end; first += LISTED_AT_ONCE) {
        const uint32_t rest = own->end - first;
        const uint32_t some = min_u32(rest, LISTED_AT_ONCE);
        const uint32_t count = list_hits(world, first, first + some, hits);
        for (uint32_t k = 0; k < count; ++k) {
            matching.next = hits[k];
            mark(&matching.places[matching.next], pass_hit(world, &matching));
        }
    }
    end_matching(shared, &matching, own);
}

// Passes contacts, and their keys, as long as each is that of a pair of old bodies that stays.
static inline void pass_those_that_stay(const graze_world *world, grz_matching *matching)
{
    const uint64_t *ranks = matching->ranks + matching->next;
    const uint64_t *key_ranks = matching->key_ranks + matching->key;
    const uint32_t most =
        min_u32(matching->end - matching->next, matching->key_end - matching->key);
    uint32_t count = 0;
    while (count < most && grz_pair_rank(ranks[count]) == grz_pair_rank(key_ranks[count]) &&
           grz_b_of_rank(ranks[count]) > 0 && are_old_bodies(world, ranks[count])) {
        ++count;
    }
    matching->next += count;
    matching->key += count;
    matching->key_count += count;
}

// HOT. bench: engine/step/bullet-hell
//
// Data    12 bytes of the order read, 4 of them written; 8 of a key's rank read, all in order. If
//         two ranks are equal 28 of the key and up to 28 of the contact, which may be anywhere.
// Branch  On which contacts begin.
static void match_stretch(const sharing *shared, stretch *own)
{
    const graze_world *world = shared->world;
    grz_matching matching = begin_matching(shared, own);
    for (;;) {
        pass_those_that_stay(world, &matching);
        if (matching.next == matching.end) {
            break;
        }
        if (is_hit_of_old_bodies(world, &matching)) {
            ++matching.key_count;
            match_next_hit(&matching);
        } else {
            match_next(world, &matching, own->first);
        }
    }
    end_matching(shared, &matching, own);
}

static void match_stretches(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    sharing *shared = context;
    const graze_world *world = shared->world;
    (void)number;
    const bool only_hits = world->found.fresh.count == 0 && world->found.ray_hit_count == 0;
    if (end - first == GRZ_LEAPING && only_hits && world->reports.renewed_from == GRZ_NONE) {
        match_hits(shared, &shared->stretches[first]);
        return;
    }
    const bool by_hits = grz_do_fresh_begin(world);
    for (uint32_t k = first; k < end; ++k) {
        (by_hits ? match_stretch_by_hits : match_stretch)(shared, &shared->stretches[k]);
    }
}

// Returns the first of the keys that is not before this rank.
static uint32_t find_key(const sharing *shared, uint64_t rank)
{
    uint32_t low = 0;
    for (uint32_t high = shared->key_count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        const bool before = grz_pair_rank(shared->key_ranks[middle]) < rank;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// All stretches have one length, except that the last may be shorter.
static uint32_t choose_length(const graze_world *world)
{
    const uint32_t count = world->reports.order.count;
    const uint32_t pairs = count / (GRZ_LEAPING * CONTACTS_A_STRETCH);
    const uint32_t most = STRETCHES / GRZ_LEAPING;
    const uint32_t wanted = pairs == 0 ? 1 : pairs < most ? pairs : most;
    return grz_count_blocks(count, wanted * GRZ_LEAPING);
}

// Returns where a stretch that should end at `end` does end: not between contacts of one rank,
// because find_key finds the keys of a stretch by its first rank.
static uint32_t find_end(const graze_world *world, uint32_t first, uint32_t end)
{
    end = end > first ? end : first;
    return world->reports.has_runs && end > first ? grz_order_find_end_of_rank(world, end - 1)
                                                  : end;
}

// Returns how many there are.
static uint32_t cut_stretches(sharing *shared)
{
    const grz_order *order = &shared->world->reports.order;
    const uint32_t length = choose_length(shared->world);
    const uint32_t stretches = order->count ? grz_count_blocks(order->count, length) : 0;
    uint32_t first = 0, old = 0;
    for (uint32_t number = 0; number < stretches; ++number) {
        stretch *own = &shared->stretches[number];
        const uint32_t end = (number + 1) * length;
        own->first = first;
        own->end = end < order->count ? find_end(shared->world, first, end) : order->count;
        own->old_first = old;
        own->old_end = own->end < order->count
                           ? find_key(shared, grz_pair_rank(order->ranks[own->end]))
                           : shared->key_count;
        first = own->end;
        old = own->old_end;
    }
    return stretches;
}

// Each stretch lists its ended keys from the place of its own first key on: closes the gaps.
static void join_stretches(sharing *shared, uint32_t count)
{
    grz_order *order = &shared->world->reports.order;
    order->ended_count = 0;
    order->key_count = 0;
    for (uint32_t number = 0; number < count; ++number) {
        const stretch *own = &shared->stretches[number];
        memmove(order->ended + order->ended_count, order->ended + own->old_first,
                own->ended_count * sizeof *order->ended);
        order->ended_count += own->ended_count;
        order->key_count += own->key_count;
    }
}

static void end_all(sharing *shared)
{
    grz_order *order = &shared->world->reports.order;
    for (uint32_t k = 0; k < shared->key_count; ++k) {
        order->ended[k] = k;
    }
    order->ended_count = shared->key_count;
    order->key_count = 0;
}

// Returns the ranks of the keys that the order is matched with.
static const uint64_t *rank_keys(const graze_world *world, uint32_t count)
{
    if (!world->reports.spliced && !world->reports.keys_apart) {
        return world->reports.last_ranks.data;
    }
    const graze_contact_end *keys =
        world->reports.spliced ? world->sleep.passed.data : world->reports.keys.data;
    uint64_t *ranks = world->reports.order.old_ranks;
    for (uint32_t k = 0; k < count; ++k) {
        ranks[k] = grz_rank(keys[k].a.index, keys[k].b.index, false);
    }
    return ranks;
}

void grz_match_contacts(graze_world *world)
{
    sharing shared;
    shared.world = world;
    shared.key_count =
        world->reports.spliced ? world->sleep.passed.count : world->reports.keys.count;
    shared.key_ranks = rank_keys(world, shared.key_count);
    const uint32_t count = cut_stretches(&shared);
    if (count) {
        grz_run_blocks(world, count, GRZ_LEAPING, match_stretches, &shared);
        join_stretches(&shared, count);
    } else {
        end_all(&shared);
    }
    world->reports.order.begin_count =
        world->reports.order.key_count - (shared.key_count - world->reports.order.ended_count);
}
