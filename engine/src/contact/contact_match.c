#include "contact/contact_match.h"

#include "contact/contact_keys.h"
#include "min_max.h"
#include "parallel.h"

#include <string.h>

// Both the order and the last step's keys are by rank: a merge of the two matches them. The order
// is cut into stretches, each with the keys that it is matched with: threads share them.

enum {
    STRETCHES = 128,           ///< At most,
    CONTACTS_A_STRETCH = 4096, ///< each of this many or more.
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

/// How far a stretch has been matched.
typedef struct merge {
    uint32_t next, end;    ///< The contacts still to be matched,
    uint32_t key, key_end; ///< and the keys still to be passed.
    uint32_t *ended;       ///< Where to store the place of the next ended one.
    uint64_t last;         ///< The rank of the contact before; at first, one that none has.
} merge;

// If an index has a new body, or a body meets several walls, equal ranks may be of different keys:
// these are compared.
static graze_contact_end key_of_place(const graze_world *world, uint64_t rank, uint32_t place)
{
    if (!grz_is_hit(world, place)) {
        return grz_key_of(grz_fresh_at(world, place));
    }
    const grz_hit *hit = &world->hits.data[place];
    const graze_contact_end key = {{grz_a_of_rank(rank), hit->generation_a},
                                   {grz_b_of_rank(rank), hit->generation_b},
                                   {{0, 0}, 0}};
    return key;
}

// Prefetches the ids that may have to be compared soon. Which contacts are hits cannot be
// predicted: for others some hit is prefetched.
static inline void prefetch_ids(const graze_world *world, const merge *state)
{
    if (state->key_end - state->key > AHEAD) {
        grz_prefetch_match_key(world, state->key + AHEAD);
    }
    if (state->end - state->next > AHEAD) {
        const uint32_t place = world->order.places[state->next + AHEAD];
        GRZ_PREFETCH(&world->hits.data[place < world->hit_room ? place : 0]);
    }
}

// Passes the keys of the next contact's rank up to its own. Returns whether it is there.
static bool pass_same_rank(const sharing *shared, merge *state)
{
    const graze_world *world = shared->world;
    const uint64_t rank = grz_pair_rank(world->order.ranks[state->next]);
    const graze_contact_end key = key_of_place(world, rank, world->order.places[state->next]);
    prefetch_ids(world, state);
    for (; state->key < state->key_end && grz_pair_rank(shared->key_ranks[state->key]) == rank;
         ++state->key) {
        const graze_contact_end other = grz_match_key(world, state->key);
        const int order = grz_compare_keys(&other, &key);
        if (order >= 0) {
            state->key += order == 0;
            return order == 0;
        }
        *state->ended++ = state->key;
    }
    return false;
}

// HOT. bench: engine/step/clusters
//
// Matches contacts by their ranks alone, up to one whose rank is that of the contact before it, or
// of a key, where equal ranks may be of different keys: where an index has got a new body, and with
// terrain, which stands for b with 0 in a rank.
//
// Data    8 bytes of a rank and 8 of a key's read, in order; 4 of a place written if it begins.
// Branch  On which contacts begin, and which keys have ended.
static void match_by_rank(const sharing *shared, merge *state)
{
    const uint64_t *ranks = shared->world->order.ranks, *key_ranks = shared->key_ranks;
    const uint32_t renewed_from = shared->world->renewed_from;
    const size_t end = state->end, key_end = state->key_end;
    uint32_t *places = shared->world->order.places, *ended = state->ended;
    uint64_t last = state->last;
    size_t next = state->next, key = state->key;
    for (; next < end; ++next) {
        const uint64_t rank = grz_pair_rank(ranks[next]);
        for (; key < key_end && grz_pair_rank(key_ranks[key]) < rank; ++key) {
            *ended++ = (uint32_t)key;
        }
        if (rank == last) {
            break;
        }
        if (key == key_end || grz_pair_rank(key_ranks[key]) != rank) {
            places[next] |= GRZ_BEGINS;
        } else if (grz_b_of_rank(rank) > 0 && grz_b_of_rank(rank) < renewed_from) {
            ++key;
        } else {
            break;
        }
        last = rank;
    }
    const merge now = {(uint32_t)next, state->end, (uint32_t)key, state->key_end, ended, last};
    *state = now;
}

// HOT. bench: engine/step/bullet-hell
//
// The first contact of a stretch begins a new pair, since no pair is cut in two. So it is not
// compared with the one before it, which may belong to another thread.
//
// Data    That of match_by_rank; where ids have to be compared, 28 bytes of a key and up to 28 of
//         the contact, which may be anywhere.
static void match_stretch(const sharing *shared, stretch *own)
{
    const graze_world *world = shared->world;
    uint32_t *ended = world->order.ended + own->old_first;
    merge state = {own->first, own->end, own->old_first, own->old_end, ended, UINT64_MAX};
    own->key_count = own->end - own->first;
    for (match_by_rank(shared, &state); state.next < state.end; match_by_rank(shared, &state)) {
        const uint64_t rank = grz_pair_rank(world->order.ranks[state.next]);
        if (rank == state.last && grz_order_goes_on(world, state.next)) {
            --own->key_count;
        } else if (!pass_same_rank(shared, &state)) {
            world->order.places[state.next] |= GRZ_BEGINS;
        }
        state.last = rank;
        ++state.next;
    }
    while (state.key < state.key_end) {
        *state.ended++ = state.key++;
    }
    own->ended_count = (uint32_t)(state.ended - ended);
}

static void match_stretches(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    sharing *shared = context;
    (void)number;
    for (uint32_t k = first; k < end; ++k) {
        match_stretch(shared, &shared->stretches[k]);
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
    const uint32_t least = grz_count_blocks(world->order.count, STRETCHES);
    return max_u32(least, CONTACTS_A_STRETCH);
}

// Returns where a stretch that should end at `end` does end: not between contacts of one rank,
// because find_key finds the keys of a stretch by its first rank.
static uint32_t find_end(const graze_world *world, uint32_t first, uint32_t end)
{
    end = end > first ? end : first;
    return world->has_runs && end > first ? grz_order_find_end_of_rank(world, end - 1) : end;
}

// Returns how many there are.
static uint32_t cut_stretches(sharing *shared)
{
    const grz_order *order = &shared->world->order;
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
    grz_order *order = &shared->world->order;
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
    grz_order *order = &shared->world->order;
    for (uint32_t k = 0; k < shared->key_count; ++k) {
        order->ended[k] = k;
    }
    order->ended_count = shared->key_count;
    order->key_count = 0;
}

// Returns the ranks of the keys that the order is matched with.
static const uint64_t *rank_keys(const graze_world *world, uint32_t count)
{
    if (!world->spliced && !world->keys_apart) {
        return world->last_ranks.data;
    }
    const graze_contact_end *keys = world->spliced ? world->rest.passed.data : world->keys.data;
    uint64_t *ranks = world->order.old_ranks;
    for (uint32_t k = 0; k < count; ++k) {
        ranks[k] = grz_rank(keys[k].a.index, keys[k].b.index, false);
    }
    return ranks;
}

void grz_match_contacts(graze_world *world)
{
    sharing shared;
    shared.world = world;
    shared.key_count = world->spliced ? world->rest.passed.count : world->keys.count;
    shared.key_ranks = rank_keys(world, shared.key_count);
    const uint32_t count = cut_stretches(&shared);
    if (count) {
        grz_run_blocks(world, count, 1, match_stretches, &shared);
        join_stretches(&shared, count);
    } else {
        end_all(&shared);
    }
    world->order.begin_count =
        world->order.key_count - (shared.key_count - world->order.ended_count);
}
