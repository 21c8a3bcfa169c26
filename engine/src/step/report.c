// Collate: contacts sorted, and memory reserved, so that nothing after this can fail.

#include "collide/sleep.h"
#include "step/commit.h"
#include "step/contact_order.h"
#include "step/report_lists.h"
#include "step/step.h"
#include "stream.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/parallel.h"
#include "world/splice.h"

#include <string.h>

// Plans the places of this step's contacts and keys among those of still bodies, which stay.
static void plan_splices(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    grz_splicing contacts =
        grz_splice_begin(&sleep->of_contacts, world->reports.contacts.data,
                         sizeof *world->reports.contacts.data, world->reports.contacts.count);
    grz_splicing keys =
        grz_splice_begin(&sleep->of_keys, world->reports.keys.data,
                         sizeof *world->reports.keys.data, world->reports.keys.count);
    for (uint32_t k = 0; k < world->reports.order.count; ++k) {
        const uint64_t rank = world->reports.order.ranks[k];
        grz_splice_plan(&contacts, rank);
        if (!grz_order_goes_on(world, k)) {
            grz_splice_plan(&keys, rank);
        }
    }
    world->reports.contact_count = grz_splice_end(&contacts);
    world->reports.key_count = grz_splice_end(&keys);
}

static void gather_passed(graze_world *world)
{
    const grz_numbers *places = &world->sleep.of_keys.places;
    for (uint32_t k = 0; k < places->count; ++k) {
        world->sleep.passed.data[k] = world->reports.keys.data[places->data[k]];
    }
    world->sleep.passed.count = places->count;
}

// Makes a list of keys: if some stay and others come, contacts cannot serve as keys.
static bool set_keys_apart(graze_world *world)
{
    if (world->reports.keys_apart) {
        return true;
    }
    if (!grz_array_reserve(&world->reports.keys, &world->config.counting,
                           world->reports.keys.count)) {
        return false;
    }
    grz_keys_copy(world, world->reports.keys.data);
    world->reports.keys_apart = true;
    return true;
}

static bool plan_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const uint32_t count = world->reports.order.count;
    world->reports.contact_count = count;
    if (!world->reports.spliced) {
        return true;
    }
    grz_sleep *sleep = &world->sleep;
    if (!set_keys_apart(world) || !grz_splice_reserve(&sleep->of_contacts, allocator, count) ||
        !grz_splice_reserve(&sleep->of_keys, allocator, count) ||
        !grz_array_reserve(&sleep->passed, allocator, sleep->of_keys.places.count)) {
        return false;
    }
    plan_splices(world);
    gather_passed(world);
    return true;
}

static bool reserve_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const bool apart = world->reports.spliced || world->reports.keys_differ;
    return (!apart ||
            grz_array_reserve_tight(&world->reports.keys, allocator, world->reports.key_count)) &&
           grz_array_reserve(&world->reports.ends, allocator, world->reports.order.ended_count) &&
           grz_removal_reserve(
               world, (size_t)world->impacts.trajectories.count + world->bullets.spent.count +
                          world->found.totals.expiring + world->solve.rigid_count) &&
           grz_array_reserve_tight(&world->reports.contacts, allocator,
                                   world->reports.contact_count);
}

graze_status grz_step_collate(graze_world *world)
{
    if (!grz_sleep_void_contacts(world) || !grz_order_reserve(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_order_contacts(world);
    world->reports.spliced = !grz_all_are_active(world);
    if (!plan_lists(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_match_contacts(world);
    world->reports.key_count =
        world->reports.spliced ? world->reports.key_count : world->reports.order.key_count;
    if (world->config.fixed_capacity &&
        world->reports.contact_count > world->config.contact_capacity) {
        return GRAZE_ERROR_LIMIT;
    }
    return reserve_lists(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

// --- Report ---

// Contacts and ends, matched with the last step's, are only written here. Ends are read from the
// last step's keys before this step's overwrite them.

enum {
    AHEAD = 128,     ///< How far ahead contacts are prefetched; where these are many, from memory
    FAR_AHEAD = 256, ///< into the second cache, which can fetch more lines at a time,
    NEAR_AHEAD = 16, ///< and from there into the first.
    CONTACTS_A_BLOCK = 1024, ///< Of those that threads share; at least, if some share a key,
    MAX_BLOCKS = 64,         ///< in at most this many blocks.
    STREAMED_AT_ONCE = 16,
    PART_OF_A_PAGE = 2048
};

_Static_assert(STREAMED_AT_ONCE * sizeof(graze_contact) <= PART_OF_A_PAGE, "they lie in one page");

// HOT. bench: engine/step/gas
//
// Data    For each that has ended 4 bytes of its place and 28 of its key read, 28 written. Keys may
//         be anywhere, and are prefetched.
static void write_ends(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    const uint32_t *ended = world->reports.order.ended;
    const uint32_t last = world->reports.order.ended_count - 1;
    (void)block;
    for (uint32_t k = first; k < end; ++k) {
        grz_prefetch_key(grz_match_key(world, ended[k + AHEAD < last ? k + AHEAD : last]));
        memcpy(&world->reports.ends.data[k], grz_match_key(world, ended[k]),
               sizeof *world->reports.ends.data);
    }
}

// --- One contact ---

_Static_assert(offsetof(graze_contact, time) == offsetof(grz_contact, time) &&
                   offsetof(graze_contact, impulse) == offsetof(grz_contact, impulse) &&
                   offsetof(graze_contact, phase) == offsetof(grz_contact, flags) &&
                   sizeof(grz_contact) == 64,
               "a contact is what was found, and its phase before the flags");

static inline void write_one(const graze_world *world, uint32_t k, graze_contact *contact)
{
    const uint32_t place = world->reports.order.places[k];
    const grz_contact *found = grz_found_at(world, place);
    memcpy(contact, found, sizeof *found);
    contact->phase = place & GRZ_BEGINS ? GRAZE_CONTACT_BEGIN : GRAZE_CONTACT_STAY;
    contact->flags = found->flags;
}

// --- All of them ---

// HOT. bench: engine/step/clusters, engine/step/bullet-hell
//
// Data    4 bytes of the order and 64 of a contact read, the latter out of order: prefetched far
//         ahead, also of the next block. 68 written in order.
// Branch  None.
static inline void write_some(const graze_world *world, uint32_t first, uint32_t end, bool many,
                              graze_contact *contacts)
{
    const uint32_t ahead = many ? FAR_AHEAD : AHEAD, rest = world->reports.order.count - first;
    const uint32_t *places = world->reports.order.places;
    const uint32_t prefetch_end = first + (rest > ahead ? rest - ahead : 0);
    uint32_t k = first;
    for (; k < end && k < prefetch_end; ++k) {
        grz_prefetch(grz_found_at(world, places[k + ahead]), many);
        if (many) {
            GRZ_PREFETCH(grz_found_at(world, places[k + NEAR_AHEAD]));
        }
        write_one(world, k, contacts++);
    }
    for (; k < end; ++k) {
        write_one(world, k, contacts++);
    }
}

// HOT. bench: engine/step/gas/1M
//
// Data    That of write_some, and 68 bytes of a contact again in the nearest cache: there in one
//         page, because a store across two of them takes some processors as long as eight contacts.
static void stream_contacts(const graze_world *world, uint32_t first, uint32_t end)
{
    _Alignas(PART_OF_A_PAGE) graze_contact some[STREAMED_AT_ONCE];
    for (; first < end; first += STREAMED_AT_ONCE) {
        const uint32_t count = end - first < STREAMED_AT_ONCE ? end - first : STREAMED_AT_ONCE;
        write_some(world, first, first + count, true, some);
        grz_stream(&world->reports.contacts.data[first], some, count * sizeof *some);
    }
    grz_stream_end();
}

static void write_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    (void)block;
    if (world->reports.order.count < GRZ_STREAMED_ITEMS) {
        write_some(world, first, end, false, world->reports.contacts.data + first);
    } else {
        stream_contacts(world, first, end);
    }
}

// The place in the list of the contact at a place of the order.
static graze_contact *contact_for(const graze_world *world, uint32_t k)
{
    return &world->reports.contacts
                .data[world->reports.spliced ? world->sleep.of_contacts.coming.data[k] : k];
}

/// Blocks of contacts of which some share a key.
typedef struct key_job {
    const graze_world *world;
    uint32_t firsts[MAX_BLOCKS]; ///< By block: its number of keys; later its first key.
} key_job;

static void count_keys(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    key_job *job = context;
    uint32_t count = end - first;
    for (uint32_t k = first; k < end; ++k) {
        count -= grz_order_goes_on(job->world, k);
    }
    job->firsts[block] = count;
}

static void add_up_keys(key_job *job, uint32_t blocks)
{
    uint32_t sum = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t own = job->firsts[block];
        job->firsts[block] = sum;
        sum += own;
    }
}

// The first contact of a pair writes the key. Further ones do not: the key belongs to the block of
// the first one, perhaps on another thread.
static void write_keyed(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const key_job *job = context;
    const graze_world *world = job->world;
    const uint32_t *places = world->sleep.of_keys.coming.data;
    uint32_t key = job->firsts[block];
    for (uint32_t k = first; k < end; ++k) {
        write_one(world, k, contact_for(world, k));
        if (!grz_order_goes_on(world,
                               k)) { // From what is found: what was just written would stall.
            memcpy(&world->reports.keys.data[world->reports.spliced ? places[key] : key],
                   grz_found_at(world, world->reports.order.places[k]),
                   sizeof *world->reports.keys.data);
            ++key;
        }
    }
}

// Contacts of which others stay, or some share a key.
static void write_each(graze_world *world)
{
    const uint32_t count = world->reports.order.count, least = grz_count_blocks(count, MAX_BLOCKS);
    const uint32_t size = least > CONTACTS_A_BLOCK ? least : CONTACTS_A_BLOCK;
    key_job job = {.world = world};
    if (!world->config.parallel) {
        write_keyed(&job, 0, 0, count);
        return;
    }
    grz_run_blocks(world, count, size, count_keys, &job);
    add_up_keys(&job, grz_count_blocks(count, size));
    grz_run_blocks(world, count, size, write_keyed, &job);
}

// Contacts of one pair, and of one mover with terrain, are listed by time.
static void reorder_by_time(graze_world *world)
{
    for (uint32_t first = grz_order_find_run(world, 0), end; first < world->reports.order.count;
         first = grz_order_find_run(world, end)) {
        end = grz_order_find_end_of_rank(world, first);
        grz_order_sort_by_time(world, first, end);
        for (uint32_t k = first; k < end; ++k) {
            write_one(world, k, contact_for(world, k));
        }
    }
}

// HOT. bench: engine/step/rest
//
// Contacts of still bodies stay, no longer new, and only those of others are written.
//
// Data    That of write_some for the contacts of others; for the rest see splice.c.
static void make_room_among_those_that_stay(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    for (uint32_t k = 0; sleep->begun && k < world->reports.contacts.count; ++k) {
        world->reports.contacts.data[k].phase = GRAZE_CONTACT_STAY;
    }
    sleep->begun = false;
    grz_splice_move(&sleep->of_contacts, world->reports.contacts.data,
                    sizeof *world->reports.contacts.data);
    grz_splice_move(&sleep->of_keys, world->reports.keys.data, sizeof *world->reports.keys.data);
}

static void report_contacts(graze_world *world)
{
    const grz_ranks own = world->reports.ranks;
    if (world->reports.spliced) {
        make_room_among_those_that_stay(world);
    }
    if (world->reports.spliced || world->reports.keys_differ) {
        write_each(world);
    } else {
        grz_run_blocks(world, world->reports.order.count, CONTACTS_A_BLOCK, write_block, world);
    }
    if (world->reports.keys_differ) {
        reorder_by_time(world);
    }
    if (world->reports.spliced) {
        grz_splice_swap(&world->sleep.of_contacts);
        grz_splice_swap(&world->sleep.of_keys);
    }
    world->reports.contacts.count = world->reports.contact_count;
    world->reports.keys.count = world->reports.key_count;
    world->reports.keys_apart = world->reports.spliced || world->reports.keys_differ;
    world->reports.ranks = world->reports.last_ranks;
    world->reports.last_ranks = own;
}

void grz_step_report(graze_world *world)
{
    grz_run_blocks(world, world->reports.order.ended_count, CONTACTS_A_BLOCK, write_ends, world);
    world->reports.ends.count = world->reports.order.ended_count;
    report_contacts(world);
    grz_report_lists_void(world);
    world->reports.renewed_from = GRZ_NONE;
    world->reports.stats.pair_count = world->found.candidate_count;
    world->reports.stats.grid = world->found.choice;
    world->reports.stats.contact_count = world->reports.contacts.count;
    world->reports.stats.begin_count = world->reports.order.begin_count;
    world->reports.stats.end_count = world->reports.ends.count;
    world->reports.stats.hit_count = world->impacts.hit_count;
    world->reports.stats.overflow_count = world->found.totals.overflow;
    ++world->reports.stats.step_count;
}

graze_contact_list graze_world_contacts(const graze_world *world)
{
    const graze_contact_list list = {world->reports.contacts.data, world->reports.contacts.count};
    return list;
}

graze_contact_end_list graze_world_contact_ends(const graze_world *world)
{
    const graze_contact_end_list list = {world->reports.ends.data, world->reports.ends.count};
    return list;
}
