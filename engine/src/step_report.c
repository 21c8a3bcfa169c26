#include "contact_keys.h"
#include "contact_order.h"
#include "parallel.h"
#include "prefetch.h"
#include "splice.h"
#include "step.h"

#include <string.h>

// The contacts come in the order of keys, and so do the last step's keys: one pass over the two
// matches them.
//
// The order is cut into stretches, each with the keys that it is matched with: so threads can share
// them out, and one thread goes along two at a time. To find the next key takes the last one, which
// leaves a processor with nothing to do meanwhile but the other stretch's.

enum {
    AHEAD = 24,                ///< How far ahead hits are asked for.
    STRETCHES = 128,           ///< At most.
    CONTACTS_A_STRETCH = 2048, ///< At least, where there are more than two.
    STRETCHES_AT_ONCE = 2
};

/// Where the matching of this step's contacts with the last step's keys stands.
///
/// Keys that have ended stay in their own list, moved up to its front; the new keys are written
/// over the last step's ends. Then the two lists change places.
typedef struct matching {
    const graze_contact_end *old_keys, *old_end; ///< Those that have not been passed.
    graze_contact_end *next_key, *next_end;
} matching;

/// Some of the order, and those of the last step's keys that are matched with it.
typedef struct stretch {
    uint32_t first, end;
    uint32_t old_first, old_end;
    uint32_t key_count, end_count; ///< What came of it.
} stretch;

/// What the stretches share.
typedef struct reporting {
    graze_world *world;
    stretch stretches[STRETCHES];
} reporting;

// --- One contact ---

// Where the contact at a place of the order is reported.
static graze_contact *contact_for(const graze_world *world, uint32_t k)
{
    return &world->contacts.data[world->spliced ? world->rest.of_contacts.coming.data[k] : k];
}

// Passes the last step's keys up to `key`: those before it have ended. Returns whether the last
// step had `key`, too.
static inline bool pass_keys(matching *at, const graze_contact_end *key)
{
    for (; at->old_keys < at->old_end; ++at->old_keys) {
        const int order = grz_compare_keys(at->old_keys, key);
        if (order >= 0) {
            at->old_keys += order == 0;
            return order == 0;
        }
        *at->next_end++ = *at->old_keys;
    }
    return false;
}

static void pass_rest(matching *at)
{
    while (at->old_keys < at->old_end) {
        *at->next_end++ = *at->old_keys++;
    }
}

static inline bool is_same_id(graze_body_id first, graze_body_id second)
{
    return ((first.index ^ second.index) | (first.generation ^ second.generation)) == 0;
}

static inline uint64_t rank_of_pair(graze_body_id a, graze_body_id b)
{
    return (uint64_t)a.index << 32 | b.index;
}

// Notes the key of two bodies that met, and says whether they go on from the last step. Whether the
// key whose turn it is has ended, and whether the next one is theirs, is as hard to guess as how
// the bodies move: no branch asks. That two in a row have ended is rare.
static inline graze_contact_phase match_pair(matching *at, graze_body_id a, graze_body_id b)
{
    const graze_contact_end key = {a, b, {{0, 0}, 0}};
    const graze_contact_end *old = at->old_keys;
    *at->next_key++ = key;
    if (at->old_end - old > 1) {
        const uint64_t rank = rank_of_pair(a, b);
        const bool ended = rank_of_pair(old[0].a, old[0].b) < rank;
        const bool two_ended = rank_of_pair(old[1].a, old[1].b) < rank;
        if (!(ended & two_ended)) {
            *at->next_end = old[0];
            at->next_end += ended;
            old += ended;
            const bool stays = is_same_id(old->a, a) & is_same_id(old->b, b);
            at->old_keys = stays ? old + 1 : old;
            return stays ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
        }
    }
    return pass_keys(at, &key) ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
}

static graze_contact_phase match_fresh(matching *at, const graze_contact *contact)
{
    const graze_contact_end key = grz_key_of(contact);
    *at->next_key++ = key;
    return pass_keys(at, &key) ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
}

static inline void report_hit(matching *at, grz_sorted item, const grz_hit *hit,
                              graze_contact *contact)
{
    const graze_body_id a = {item.a, hit->generation_a};
    const graze_body_id b = {item.b >> 1, hit->generation_b};
    const graze_segment_id none = {{0, 0}, 0};
    contact->a = a;
    contact->b = b;
    contact->segment = none;
    contact->time = hit->time;
    contact->point = hit->point;
    contact->normal = hit->normal;
    contact->depth = hit->depth;
    contact->flags = item.b & 1 ? GRAZE_CONTACT_SENSOR : 0;
    contact->phase = match_pair(at, a, b);
}

static void report_fresh(const graze_world *world, matching *at, uint32_t k, graze_contact *contact)
{
    graze_contact *fresh = grz_fresh_of(world, world->order.data[k]);
    fresh->phase = grz_order_goes_on(world, k) ? GRAZE_CONTACT_STAY : match_fresh(at, fresh);
    *contact = *fresh;
}

static inline void report_one(const graze_world *world, matching *at, uint32_t k,
                              graze_contact *contact)
{
    const grz_sorted item = world->order.data[k];
    if (item.place < world->hit_room) {
        report_hit(at, item, &world->hits.data[item.place], contact);
    } else {
        report_fresh(world, at, k, contact);
    }
}

// --- Stretches ---

static matching begin_matching(const graze_world *world, const stretch *of)
{
    const matching at = {
        .old_keys = world->keys.data + of->old_first,
        .old_end = world->keys.data + of->old_end,
        .next_key = world->ends.data + of->first,
        .next_end = world->keys.data + of->old_first,
    };
    return at;
}

static void end_matching(const graze_world *world, matching *at, stretch *of)
{
    pass_rest(at);
    of->key_count = (uint32_t)(at->next_key - (world->ends.data + of->first));
    of->end_count = (uint32_t)(at->next_end - (world->keys.data + of->old_first));
}

static inline void ask_for_hit(const graze_world *world, uint32_t k, uint32_t end)
{
    GRZ_PREFETCH(&world->hits.data[world->order.data[k + AHEAD < end ? k + AHEAD : k].place]);
}

// HOT. bench: engine/step/gas
//
// Data    12 bytes of the order and 32 of a hit read, these out of order: asked for while some tens
//         of others are reported. 60 of a contact written in order; 28 of a key read and written.
// Branch  Most contacts of two bodies have none that is hard to guess: see match_pair.
// Order   The two stretches know nothing of each other.
static void report_hits_of_two(const graze_world *world, stretch *one, stretch *other)
{
    const uint32_t count = other->end - other->first;
    const grz_sorted *order = world->order.data;
    const grz_hit *hits = world->hits.data;
    graze_contact *contacts = world->contacts.data;
    matching at = begin_matching(world, one);
    matching also = begin_matching(world, other);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t k = one->first + i;
        const uint32_t m = other->first + i;
        ask_for_hit(world, k, one->end);
        ask_for_hit(world, m, other->end);
        report_hit(&at, order[k], &hits[order[k].place], &contacts[k]);
        report_hit(&also, order[m], &hits[order[m].place], &contacts[m]);
    }
    for (uint32_t k = one->first + count; k < one->end; ++k) {
        report_hit(&at, order[k], &hits[order[k].place], &contacts[k]);
    }
    end_matching(world, &at, one);
    end_matching(world, &also, other);
}

// HOT. bench: engine/step/bullet-hell
//
// Data    As above; of what is no hit 60 bytes read twice and written once.
static void report_stretch(const graze_world *world, stretch *of)
{
    matching at = begin_matching(world, of);
    for (uint32_t k = of->first; k < of->end; ++k) {
        const uint32_t later = world->order.data[k + AHEAD < of->end ? k + AHEAD : k].place;
        GRZ_PREFETCH(later < world->hit_room
                         ? (const void *)&world->hits.data[later]
                         : (const void *)&world->fresh.data[later - world->hit_room]);
        report_one(world, &at, k, &world->contacts.data[k]);
    }
    end_matching(world, &at, of);
}

static void report_stretches(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    reporting *shared = context;
    const graze_world *world = shared->world;
    (void)number;
    if (end - first == STRETCHES_AT_ONCE && world->fresh.count == 0) {
        report_hits_of_two(world, &shared->stretches[first], &shared->stretches[first + 1]);
        return;
    }
    for (uint32_t k = first; k < end; ++k) {
        report_stretch(world, &shared->stretches[k]);
    }
}

static graze_contact_end key_at(const graze_world *world, uint32_t k)
{
    const grz_sorted item = world->order.data[k];
    if (item.place >= world->hit_room) {
        return grz_key_of(grz_fresh_of(world, item));
    }
    const grz_hit *hit = &world->hits.data[item.place];
    const graze_contact_end key = {
        {item.a, hit->generation_a}, {item.b >> 1, hit->generation_b}, {{0, 0}, 0}};
    return key;
}

// Returns the first of the last step's keys that is not before this one.
static uint32_t find_old_key(const graze_world *world, const graze_contact_end *key)
{
    uint32_t low = 0;
    for (uint32_t high = world->keys.count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        const bool before = grz_compare_keys(&world->keys.data[middle], key) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// Stretches are of one length, but that the last may be shorter. One key a contact is what tells
// where the keys of a stretch go: runs are done in one.
static uint32_t choose_length(const graze_world *world)
{
    const uint32_t count = world->order.count;
    const uint32_t pairs = count / (STRETCHES_AT_ONCE * CONTACTS_A_STRETCH);
    const uint32_t most = STRETCHES / STRETCHES_AT_ONCE;
    const uint32_t wanted = pairs == 0 ? 1 : pairs < most ? pairs : most;
    return world->has_runs ? count : grz_count_blocks(count, wanted * STRETCHES_AT_ONCE);
}

// Returns how many there are.
static uint32_t cut_stretches(reporting *shared)
{
    const graze_world *world = shared->world;
    const uint32_t count = world->order.count;
    const uint32_t length = choose_length(world);
    const uint32_t stretches = count ? grz_count_blocks(count, length) : 0;
    uint32_t old = 0;
    for (uint32_t number = 0; number < stretches; ++number) {
        stretch *of = &shared->stretches[number];
        const bool last = number + 1 == stretches;
        of->first = number * length;
        of->end = last ? count : of->first + length;
        of->old_first = old;
        of->old_end = world->keys.count;
        if (!last) {
            const graze_contact_end key = key_at(world, of->end);
            of->old_end = find_old_key(world, &key);
        }
        old = of->old_end;
    }
    return stretches;
}

// Moves up the keys that have ended, and makes the two lists change places.
static void join_stretches(graze_world *world, const stretch *stretches, uint32_t count)
{
    const uint32_t old_count = world->keys.count;
    uint32_t key_count = 0;
    uint32_t end_count = count ? 0 : old_count;
    for (uint32_t number = 0; number < count; ++number) {
        const stretch *of = &stretches[number];
        if (of->end_count && end_count < of->old_first) {
            memmove(world->keys.data + end_count, world->keys.data + of->old_first,
                    of->end_count * sizeof *world->keys.data);
        }
        end_count += of->end_count;
        key_count += of->key_count;
    }
    const grz_contact_keys ended = world->keys;
    world->keys = world->ends;
    world->ends = ended;
    world->keys.count = key_count;
    world->ends.count = end_count;
    world->contacts.count = world->order.count;
    world->stats.begin_count = key_count - (old_count - end_count);
}

static void match_with_last_step(graze_world *world)
{
    reporting shared;
    shared.world = world;
    const uint32_t count = cut_stretches(&shared);
    grz_run_blocks(world, count, STRETCHES_AT_ONCE, report_stretches, &shared);
    join_stretches(world, shared.stretches, count);
}

// --- Among what stays ---

// Those that stay are no longer new.
static void age_contacts(graze_world *world)
{
    for (uint32_t k = 0; world->rest.begun && k < world->contacts.count; ++k) {
        world->contacts.data[k].phase = GRAZE_CONTACT_STAY;
    }
    world->rest.begun = false;
}

static void gather_passed(graze_world *world)
{
    const grz_numbers *places = &world->rest.of_keys.places;
    for (uint32_t k = 0; k < places->count; ++k) {
        world->rest.passed.data[k] = world->keys.data[places->data[k]];
    }
    world->rest.passed.count = places->count;
}

static void report_among_those_that_stay(graze_world *world, matching *at)
{
    for (uint32_t k = 0; k < world->order.count; ++k) {
        report_one(world, at, k, contact_for(world, k));
    }
    pass_rest(at);
}

static void scatter_keys(graze_world *world)
{
    const grz_numbers *places = &world->rest.of_keys.coming;
    for (uint32_t k = 0; k < places->count; ++k) {
        world->keys.data[places->data[k]] = world->rest.come.data[k];
    }
}

// HOT. bench: engine/step/rest
//
// What still bodies meet stays, and only what others meet is matched.
//
// Data    That of report_stretch for what others meet; of the rest see splice.c.
static void splice_with_last_step(graze_world *world)
{
    grz_rest *rest = &world->rest;
    age_contacts(world);
    gather_passed(world);
    matching at = {
        .old_keys = rest->passed.data,
        .old_end = rest->passed.data + rest->passed.count,
        .next_key = rest->come.data,
        .next_end = world->ends.data,
    };
    grz_splice_move(&rest->of_contacts, world->contacts.data, sizeof *world->contacts.data);
    grz_splice_move(&rest->of_keys, world->keys.data, sizeof *world->keys.data);
    report_among_those_that_stay(world, &at);
    scatter_keys(world);
    world->contacts.count = world->contact_count;
    world->keys.count = world->key_count;
    world->ends.count = (uint32_t)(at.next_end - world->ends.data);
    world->stats.begin_count =
        (uint32_t)(at.next_key - rest->come.data) - (rest->passed.count - world->ends.count);
}

// Those of one pair, and of one mover on terrain, stand in the list by time.
static void reorder_by_time(graze_world *world)
{
    for (uint32_t first = 0, end; first < world->order.count; first = end) {
        end = grz_order_find_end_of_rank(world, first);
        if (end - first > 1) {
            grz_order_sort_by_time(world, first, end);
            for (uint32_t k = first; k < end; ++k) {
                *contact_for(world, k) = *grz_fresh_of(world, world->order.data[k]);
            }
        }
    }
}

void grz_step_report(graze_world *world)
{
    if (world->spliced) {
        splice_with_last_step(world);
    } else {
        match_with_last_step(world);
    }
    if (world->has_runs) {
        reorder_by_time(world);
    }
    if (world->spliced) {
        grz_splice_swap(&world->rest.of_contacts);
        grz_splice_swap(&world->rest.of_keys);
    }
    world->stats.pair_count = world->candidate_count;
    world->stats.grid = world->choice;
    world->stats.contact_count = world->contacts.count;
    world->stats.end_count = world->ends.count;
    world->stats.hit_count = world->hit_count;
    world->stats.overflow_count = world->overflow_count;
    ++world->stats.step_count;
}

graze_contact_list graze_world_contacts(const graze_world *world)
{
    graze_contact_list list = {world->contacts.data, world->contacts.count};
    return list;
}

graze_contact_end_list graze_world_contact_ends(const graze_world *world)
{
    graze_contact_end_list list = {world->ends.data, world->ends.count};
    return list;
}
