#include "step/contact_order.h"

#include "likely.h"
#include "min_max.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

#include <string.h>

// Both the order and the last step's keys are by rank: a merge of the two matches them. The order
// is cut into stretches, each with the keys that it is matched with: threads share them.

enum {
    STRETCHES = 128,          ///< At most,
    CONTACTS_A_STRETCH = 512, ///< each of about this many or more.
    AT_ONCE = 4,              ///< Stretches that one thread matches together.
    AHEAD = 32 ///< How far ahead keys are prefetched, if more than ranks may be read.
};

/// A part of the order, and the last step's keys to match it with.
typedef struct stretch {
    uint32_t first, end;
    uint32_t old_first, old_end;
    uint32_t key_count, ended_count; ///< The results.
} stretch;

/// What is matched.
typedef struct match_lists {
    const uint64_t *ranks; ///< Of the order.
    uint32_t *places;      ///< Likewise.
    const uint64_t *key_ranks;
    uint32_t old_bodies; ///< Equal ranks are of one key where b is not 0, and at most this.
} match_lists;

/// Shared by the stretches.
typedef struct sharing {
    graze_world *world;
    match_lists lists;
    uint32_t key_count;
    stretch stretches[STRETCHES];
} sharing;

/// How far a stretch has been matched.
typedef struct merge {
    uint32_t next, end;    ///< The contacts still to be matched,
    uint32_t key, key_end; ///< and the keys still to be passed.
    uint32_t *ended;       ///< Where to store the place of the next ended one.
} merge;

// Prefetches the ids that may have to be compared soon, of contacts before `end`: others change the
// places of those after it.
static inline void prefetch_ids(const sharing *shared, uint32_t next, uint32_t end, uint32_t key)
{
    const graze_world *world = shared->world;
    if (shared->key_count - key > AHEAD) {
        grz_prefetch_key(grz_match_key(world, key + AHEAD));
    }
    if (end - next > AHEAD) {
        GRZ_PREFETCH(grz_found_at(world, world->reports.order.places[next + AHEAD]));
    }
}

// If an index has a new body, or a body meets several walls, equal ranks may be of different keys:
// these are compared as by grz_compare_keys.
static GRZ_APART int compare_ids(const sharing *shared, uint32_t next, uint32_t end, uint32_t key)
{
    const graze_world *world = shared->world;
    const uint32_t place = world->reports.order.places[next];
    const graze_contact_end own = grz_key_of(grz_found_at(world, place));
    const graze_contact_end other = grz_key_of(grz_match_key(world, key));
    prefetch_ids(shared, next, end, key);
    return grz_compare_keys(&own, &other);
}

static inline bool has_key(const sharing *shared, uint32_t next, uint32_t end, uint32_t key)
{
    const graze_world *world = shared->world;
    const graze_contact_end wanted = grz_key_of(grz_match_key(world, key));
    prefetch_ids(shared, next, end, key);
    return grz_has_key(grz_found_at(world, world->reports.order.places[next]), &wanted);
}

// Passes the next contact, the next key, or both, if the contact has that key.
GRZ_IN_PLACE void match_next(const sharing *shared, const match_lists *of, bool by_ids,
                             merge *state)
{
    const uint64_t rank = of->ranks[state->next], other = of->key_ranks[state->key];
    uint32_t begins = rank < other, ends = other < rank;
    if (by_ids && rank == other && grz_b_of_rank(rank) - 1 >= of->old_bodies) {
        const int order = compare_ids(shared, state->next, state->end, state->key);
        begins = order < 0;
        ends = order > 0;
    }
    of->places[state->next] |= begins * GRZ_BEGINS;
    *state->ended = state->key;
    state->ended += ends;
    state->next += 1 - ends;
    state->key += 1 - begins;
}

// Returns how many of these steps a stretch has left at least.
static uint32_t count_steps(const merge *state)
{
    return min_u32(state->end - state->next, state->key_end - state->key);
}

GRZ_IN_PLACE void match_four(const sharing *shared, bool by_ids, merge states[AT_ONCE])
{
    const match_lists of = shared->lists;
    merge a = states[0], b = states[1], c = states[2], d = states[3];
    for (uint32_t steps = 1; steps > 0;) {
        steps = min_u32(min_u32(count_steps(&a), count_steps(&b)),
                        min_u32(count_steps(&c), count_steps(&d)));
        for (uint32_t k = 0; k < steps; ++k) {
            match_next(shared, &of, by_ids, &a);
            match_next(shared, &of, by_ids, &b);
            match_next(shared, &of, by_ids, &c);
            match_next(shared, &of, by_ids, &d);
        }
    }
    states[0] = a;
    states[1] = b;
    states[2] = c;
    states[3] = d;
}

// HOT. bench: engine/step/gas, engine/step/bullets-bodies
//
// Where no two contacts share a rank. The next contact and key are found from those before, by a
// chain of dependent instructions: a processor follows four such chains in parallel.
//
// Data    8 bytes of a rank and 8 of a key's read, 4 of a place read and written, in order.
// Branch  On whether keys have to be compared, which is rare, and left out of the loop where none
//         have. Not on which contacts begin, and which keys have ended.
// Order   Stretches are independent.
static void match_together(const sharing *shared, merge states[AT_ONCE])
{
    if (!grz_do_others_begin(shared->world) || shared->world->reports.renewed_from != GRZ_NONE) {
        match_four(shared, true, states);
    } else {
        match_four(shared, false, states);
    }
}

// The first contact of a stretch begins a new pair, since no pair is cut in two. So it is not
// compared with the one before it, which may belong to another thread.
static inline bool goes_on(const sharing *shared, const merge *state, const stretch *own)
{
    return state->next > own->first && grz_order_goes_on(shared->world, state->next);
}

// Passes what a heap that lies has in each step: contacts, each with its key. Then none goes on.
static inline void pass_same(const sharing *shared, merge *state)
{
    const match_lists *of = &shared->lists;
    while (state->next < state->end && state->key < state->key_end &&
           of->ranks[state->next] == of->key_ranks[state->key] &&
           (grz_b_of_rank(of->ranks[state->next]) - 1 < of->old_bodies ||
            has_key(shared, state->next, state->end, state->key))) {
        ++state->next;
        ++state->key;
    }
}

// HOT. bench: engine/step/bullet-hell, engine/step/pile-rigid
//
// Data    That of match_together; where keys have to be compared, 28 bytes of a key and up to 28 of
//         the contact, which may be anywhere.
static void match_rest(const sharing *shared, merge *state, stretch *own)
{
    own->key_count = own->end - own->first;
    for (pass_same(shared, state); state->next < state->end; pass_same(shared, state)) {
        if (goes_on(shared, state, own)) {
            --own->key_count;
            ++state->next;
        } else if (state->key < state->key_end) {
            match_next(shared, &shared->lists, true, state);
        } else {
            shared->lists.places[state->next++] |= GRZ_BEGINS;
        }
    }
    while (state->key < state->key_end) {
        *state->ended++ = state->key++;
    }
    own->ended_count =
        (uint32_t)(state->ended - (shared->world->reports.order.ended + own->old_first));
}

static void match_stretches(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    sharing *shared = context;
    merge states[AT_ONCE];
    (void)number;
    for (uint32_t k = first; k < end; ++k) {
        const stretch *own = &shared->stretches[k];
        states[k - first] = (merge){own->first, own->end, own->old_first, own->old_end,
                                    shared->world->reports.order.ended + own->old_first};
        pass_same(shared, &states[k - first]);
    }
    if (!shared->world->reports.has_runs && end - first == AT_ONCE) {
        match_together(shared, states);
    }
    for (uint32_t k = first; k < end; ++k) {
        match_rest(shared, &states[k - first], &shared->stretches[k]);
    }
}

// Returns the first of the keys that is not before this rank.
static uint32_t find_key(const sharing *shared, uint64_t rank)
{
    uint32_t low = 0, high = shared->key_count;
    GRZ_BISECT(low, high, shared->lists.key_ranks[middle] < rank);
    return low;
}

// All stretches have one length, except that the last may be shorter.
static uint32_t choose_length(const graze_world *world)
{
    const uint32_t count = world->reports.order.count;
    const uint32_t most = STRETCHES / AT_ONCE, groups = count / (AT_ONCE * CONTACTS_A_STRETCH);
    return max_u32(grz_count_blocks(count, max_u32(min_u32(groups, most), 1) * AT_ONCE), 1);
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
    const uint32_t stretches = max_u32(grz_count_blocks(order->count, length), 1);
    uint32_t first = 0, old = 0;
    for (uint32_t number = 0; number < stretches; ++number) {
        stretch *own = &shared->stretches[number];
        const uint32_t end = (number + 1) * length;
        own->first = first;
        own->end = end < order->count ? find_end(shared->world, first, end) : order->count;
        own->old_first = old;
        own->old_end =
            own->end < order->count ? find_key(shared, order->ranks[own->end]) : shared->key_count;
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
        ranks[k] = grz_rank(keys[k].a.index, keys[k].b.index);
    }
    return ranks;
}

void grz_match_contacts(graze_world *world)
{
    sharing shared;
    shared.world = world;
    shared.key_count =
        world->reports.spliced ? world->sleep.passed.count : world->reports.keys.count;
    shared.lists.ranks = world->reports.order.ranks;
    shared.lists.places = world->reports.order.places;
    shared.lists.key_ranks = rank_keys(world, shared.key_count);
    shared.lists.old_bodies = max_u32(world->reports.renewed_from, 1) - 1;
    const uint32_t count = cut_stretches(&shared);
    grz_run_blocks(world, count, AT_ONCE, match_stretches, &shared);
    join_stretches(&shared, count);
    world->reports.order.begin_count =
        world->reports.order.key_count - (shared.key_count - world->reports.order.ended_count);
}
