#include "step/contact_order.h"

#include "bits.h"
#include "collide/contact_make.h"
#include "likely.h"
#include "min_max.h"
#include "prefetch.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/parallel.h"
#include "world/run_sort.h"

#include <string.h>

// How ranks are sorted
//
// A contact is one word: the bits in use of its rank, and its place below them. A radix sort moves
// these words, from the lowest digit of the ranks to the highest. Slices of the contacts move on
// threads, each to places of its own.
//
// In worlds of millions of bodies a rank leaves no room for a place. There words are sorted twice:
// by b, then by a.

// A test has 0: so its worlds are sorted as the largest ones are.
#ifndef GRZ_RANK_AND_PLACE_BITS
#define GRZ_RANK_AND_PLACE_BITS 64
#endif

enum {
    INDEX_BITS = 30,         ///< Of a body, at most.
    PLACE_BITS = 32,         ///< Of a word, where ranks leave no room.
    MIN_DIGIT_BITS = 5,      ///< A digit has a quarter as many values as there are contacts,
    MAX_DIGIT_BITS = 12,     ///< but no more than the nearest cache can count.
    CONTACTS_A_SLICE = 4096, ///< At least, of those that threads share
    MAX_SLICES = 64,         ///< in at most this many slices.
    AHEAD = 8                ///< Words that are prefetched where those of a digit go.
};

/// How the step's contacts are sorted by rank.
typedef struct sorting {
    graze_world *world;
    uint32_t index_bits, place_bits;
    bool fits;                   ///< A rank and a place fit a word.
    uint32_t digits, digit_bits; ///< Of a word, above the place.
    uint32_t slices, slice_size; ///< Of the contacts: one slice, unless threads share them.
    uint32_t *counts;            ///< By slice and value of a digit: how many; later the next place.
    uint32_t shift;              ///< The digit's lowest bit.
    const uint64_t *from;
    uint64_t *to;
} sorting;

// Digits are as narrow as their number allows: the fewer values, the fewer lines of the cache are
// written to in turn.
static sorting plan_sorting(graze_world *world)
{
    const uint32_t count = world->reports.order.count;
    const uint32_t most = max_u32(grz_count_bits_of(count / 4), MIN_DIGIT_BITS);
    const uint32_t slices =
        world->config.parallel ? min_u32(count / CONTACTS_A_SLICE, MAX_SLICES) : 1;
    sorting plan = {.world = world,
                    .index_bits = grz_count_bits_of(world->bodies.cold.count),
                    .place_bits = grz_count_bits_of(world->found.contacts.count),
                    .counts = world->reports.order.counters};
    plan.fits = 2 * plan.index_bits + plan.place_bits <= GRZ_RANK_AND_PLACE_BITS;
    plan.place_bits = plan.fits ? plan.place_bits : PLACE_BITS;
    const uint32_t bits = plan.fits ? 2 * plan.index_bits : plan.index_bits;
    plan.digits = grz_count_blocks(bits, min_u32(most, MAX_DIGIT_BITS));
    plan.digit_bits = grz_count_blocks(bits, max_u32(plan.digits, 1));
    plan.slice_size = max_u32(grz_count_blocks(count, max_u32(slices, 1)), 1);
    plan.slices = grz_count_blocks(count, plan.slice_size);
    return plan;
}

// --- Room ---

static void count_contacts(graze_world *world)
{
    world->reports.order.count = world->found.contacts.count - world->found.others_first;
    for (uint32_t part = 0; part < world->found.parts.count; ++part) {
        world->reports.order.count += grz_range_of_part(world, part, GRZ_OF_CONTACTS)->count;
    }
}

// The bodies' boxes are no longer needed, and their memory is usually large enough.
static bool reserve_words(graze_world *world)
{
    grz_order *order = &world->reports.order;
    const bool have_ranks = !world->reports.keys_apart && grz_all_are_active(world);
    const size_t keys = world->reports.keys.count, old_ranks = have_ranks ? 0 : keys;
    const size_t ended = keys + 1, places = order->count;
    const sorting plan = plan_sorting(world);
    const size_t words = ended + places + ((size_t)plan.slices << plan.digit_bits);
    const size_t size =
        (old_ranks + places) * sizeof *order->old_ranks + words * sizeof *order->counters;
    grz_block *memory = &world->found.box_memory;
    if (memory->size < size) {
        memory = &world->reports.own_order;
        if (!grz_block_reserve_scratch(memory, &world->config.counting, size)) {
            return false;
        }
    }
    order->old_ranks = memory->data;
    order->words = order->old_ranks + old_ranks;
    order->ended = (uint32_t *)(order->words + places);
    order->places = order->ended + ended;
    order->counters = order->places + places;
    return true;
}

// A place has 31 bits, beside GRZ_BEGINS. And no list takes more than 128 bytes a contact, so that
// no size overflows where size_t has 32 bits.
bool grz_order_reserve(graze_world *world)
{
    const size_t places = world->found.contacts.count;
    if (places > INT32_MAX || places > SIZE_MAX / 128 ||
        world->bodies.cold.count > 1u << INDEX_BITS) {
        return false;
    }
    count_contacts(world);
    if (!grz_array_reserve_tight(&world->reports.ranks, &world->config.counting,
                                 world->reports.order.count)) {
        return false;
    }
    world->reports.order.ranks = world->reports.ranks.data;
    return reserve_words(world);
}

// --- By rank ---

static inline uint64_t rank_at_place(const graze_world *world, uint32_t place)
{
    const grz_contact *contact = &world->found.contacts.data[place];
    return grz_rank(contact->a.index, contact->b.index);
}

// HOT. bench: engine/step/pile-rigid
//
// What the solver reports mostly is in order: see outcome.c. Where nothing else has met, it need
// not be sorted. Returns whether that is so.
//
// Data    16 bytes of a contact read, 12 written, in order.
static bool keep_order(const graze_world *world)
{
    const uint32_t first = world->found.others_first, count = world->found.contacts.count - first;
    uint64_t *ranks = world->reports.order.ranks, last = 0;
    uint32_t *places = world->reports.order.places;
    if (count < world->reports.order.count) {
        return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        const uint64_t rank = rank_at_place(world, first + k);
        if (rank < last) {
            return false;
        }
        ranks[k] = last = rank;
        places[k] = first + k;
    }
    return true;
}

static inline uint64_t word_of(const sorting *plan, uint64_t rank, uint32_t place)
{
    const uint64_t a = plan->fits ? grz_a_of_rank(rank) : 0;
    return (a << plan->index_bits | grz_b_of_rank(rank)) << plan->place_bits | place;
}

// These loops work on copies of the plan: a compiler must assume that their stores change it, and
// would load it again for each contact.

// Lists the contacts of some parts and, after the last one, all others.
static void gather_lists(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const sorting local = *(const sorting *)context;
    const graze_world *world = local.world;
    uint64_t *to = local.to;
    (void)block;
    for (uint32_t part = 0; part < first; ++part) {
        to += grz_range_of_part(world, part, GRZ_OF_CONTACTS)->count;
    }
    for (uint32_t list = first; list < end; ++list) {
        const bool is_part = list < world->found.parts.count;
        const grz_range *own = grz_range_of_part(world, is_part ? list : 0, GRZ_OF_CONTACTS);
        uint32_t place = is_part ? own->closed : world->found.others_first;
        const uint32_t after = is_part ? place + own->count : world->found.contacts.count;
        for (; place < after; ++place) {
            *to++ = word_of(&local, rank_at_place(world, place), place);
        }
    }
}

static inline uint32_t *counts_of(const sorting *plan, uint32_t slice)
{
    return plan->counts + ((size_t)slice << plan->digit_bits);
}

static void count_slice(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting plan = *(const sorting *)context;
    const uint64_t mask = (UINT64_C(1) << plan.digit_bits) - 1;
    uint32_t *counts = counts_of(&plan, slice);
    memset(counts, 0, sizeof *counts << plan.digit_bits);
    GRZ_UNROLLED
    for (uint32_t k = first; k < end; ++k) {
        ++counts[plan.from[k] >> plan.shift & mask];
    }
}

// Converts counts into first places, in the order of values, and of slices for each value.
static void add_up_counts(const sorting *plan)
{
    const size_t values = (size_t)1 << plan->digit_bits, all = plan->slices * values;
    uint32_t sum = 0;
    for (size_t value = 0; value < values; ++value) {
        for (size_t k = value; k < all; k += values) {
            const uint32_t own = plan->counts[k];
            plan->counts[k] = sum;
            sum += own;
        }
    }
}

static void move_slice(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting plan = *(const sorting *)context;
    const uint64_t mask = (UINT64_C(1) << plan.digit_bits) - 1;
    uint32_t *next = counts_of(&plan, slice);
    GRZ_UNROLLED
    for (uint32_t k = first; k < end; ++k) {
        const uint64_t word = plan.from[k];
        const uint32_t at = next[word >> plan.shift & mask]++;
        GRZ_PREFETCH(plan.to + at + AHEAD);
        plan.to[at] = word;
    }
}

static void swap_lists(sorting *plan)
{
    const grz_order *order = &plan->world->reports.order;
    plan->from = plan->to;
    plan->to = plan->from == order->words ? order->ranks : order->words;
}

static void sort_words(sorting *plan)
{
    const uint32_t count = plan->world->reports.order.count;
    plan->shift = plan->place_bits;
    for (uint32_t digit = 0; digit < plan->digits; ++digit, plan->shift += plan->digit_bits) {
        grz_run_blocks(plan->world, count, plan->slice_size, count_slice, plan);
        add_up_counts(plan);
        grz_run_blocks(plan->world, count, plan->slice_size, move_slice, plan);
        swap_lists(plan);
    }
}

static void take_apart(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting plan = *(const sorting *)context;
    const uint32_t a_shift = plan.place_bits + plan.index_bits;
    const uint32_t b_mask = (1u << plan.index_bits) - 1, place_mask = (1u << plan.place_bits) - 1;
    uint64_t *ranks = plan.world->reports.order.ranks;
    uint32_t *places = plan.world->reports.order.places;
    (void)slice;
    for (uint32_t k = first; k < end; ++k) {
        const uint64_t word = plan.from[k];
        ranks[k] =
            grz_rank((uint32_t)(word >> a_shift), (uint32_t)(word >> plan.place_bits) & b_mask);
        places[k] = (uint32_t)word & place_mask;
    }
}

// By a, after b.
static void sort_again(sorting *plan)
{
    graze_world *world = plan->world;
    grz_order *order = &world->reports.order;
    uint64_t *words = order->words;
    for (uint32_t k = 0; k < order->count; ++k) {
        const uint32_t place = (uint32_t)words[k];
        words[k] = (uint64_t)grz_a_of_rank(rank_at_place(world, place)) << PLACE_BITS | place;
    }
    sort_words(plan);
    for (uint32_t k = 0; k < order->count; ++k) {
        order->places[k] = (uint32_t)plan->from[k];
        order->ranks[k] = rank_at_place(world, order->places[k]);
    }
}

// HOT. bench: engine/step/gas, engine/step/clusters-dense
//
// Linear, whatever bodies contacts are of, and stable: of one rank in the order of places.
//
// Data    16 bytes of a contact read and 8 of a word written; by digit 16 read and 8 written; 8
//         read and 12 written.
// Branch  None.
// Order   It follows from the ranks alone, however many slices there are.
static void sort_by_rank(graze_world *world)
{
    sorting plan = plan_sorting(world);
    const grz_order *order = &world->reports.order;
    const uint32_t lists = world->found.parts.count + 1;
    plan.to = plan.digits % 2 == 0 ? order->words : order->ranks; // It ends in words.
    grz_run_blocks(world, lists, plan.slices > 1 ? 1 : lists, gather_lists, &plan);
    swap_lists(&plan);
    sort_words(&plan);
    if (plan.fits) {
        grz_run_blocks(world, order->count, plan.slice_size, take_apart, &plan);
    } else {
        sort_again(&plan);
    }
}

// --- Contacts of one rank ---

static inline int compare_times(const grz_contact *first, const grz_contact *second)
{
    return (first->time > second->time) - (first->time < second->time);
}

// The order of keys, for contacts of one rank.
static int by_key(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_contact *one = grz_found_at(world, first);
    const grz_contact *other = grz_found_at(world, second);
    const int order = grz_compare_segments(one->segment, other->segment);
    return order ? order : compare_times(one, other);
}

// The order of the list, for contacts of one rank.
static int by_time(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_contact *one = grz_found_at(world, first);
    const grz_contact *other = grz_found_at(world, second);
    const int order = compare_times(one, other);
    return order ? order : grz_compare_segments(one->segment, other->segment);
}

uint32_t grz_order_find_run(const graze_world *world, uint32_t first)
{
    const uint64_t *ranks = world->reports.order.ranks;
    const uint32_t count = world->reports.order.count;
    while (first + 1 < count && ranks[first] != ranks[first + 1]) {
        ++first;
    }
    return first + 1 < count ? first : count;
}

uint32_t grz_order_find_end_of_rank(const graze_world *world, uint32_t first)
{
    const uint64_t *ranks = world->reports.order.ranks;
    uint32_t end = first + 1;
    while (end < world->reports.order.count && ranks[first] == ranks[end]) {
        ++end;
    }
    return end;
}

// Words are no longer needed then.
static uint32_t *run_scratch(const graze_world *world)
{
    return (uint32_t *)(void *)world->reports.order.words;
}

void grz_order_sort_by_time(graze_world *world, uint32_t first, uint32_t end)
{
    grz_sort_run(world, world->reports.order.places + first, run_scratch(world), end - first,
                 by_time);
}

// Returns whether the second of two contacts that share a rank repeats the first.
static bool repeats(const grz_contact *before, const grz_contact *contact)
{
    return grz_is_same_segment(before->segment, contact->segment) &&
           (!(contact->flags & GRAZE_CONTACT_BLOCKED) || before->time == contact->time);
}

// Puts contacts of one pair, and those of one mover on terrain, into the order of keys. Returns
// whether some are repeated.
static bool sort_equal_ranks(graze_world *world)
{
    bool repeated = false;
    world->reports.has_runs = world->reports.keys_differ = false;
    if (grz_do_others_begin(world)) {
        return false;
    }
    uint32_t *places = world->reports.order.places;
    for (uint32_t first = grz_order_find_run(world, 0), end; first < world->reports.order.count;
         first = grz_order_find_run(world, end)) {
        end = grz_order_find_end_of_rank(world, first);
        world->reports.has_runs = true;
        grz_sort_run(world, places + first, run_scratch(world), end - first, by_key);
        for (uint32_t k = first + 1; k < end; ++k) {
            const uint32_t before = places[k - 1], place = places[k];
            repeated = repeated || repeats(grz_found_at(world, before), grz_found_at(world, place));
            world->reports.keys_differ = world->reports.keys_differ ||
                                         grz_order_goes_on(world, k) ||
                                         by_time(world, before, place) > 0;
        }
    }
    return repeated;
}

// Drops repeated contacts: cells may list a wall more than once. Of one pair it keeps the first
// contact, and each that deflected the mover at another time; these get the flags and impulses of
// the dropped ones.
static void drop_repeats(graze_world *world)
{
    uint64_t *ranks = world->reports.order.ranks;
    uint32_t *places = world->reports.order.places;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < world->reports.order.count; ++k) {
        if (kept && ranks[kept - 1] == ranks[k] &&
            repeats(grz_found_at(world, places[kept - 1]), grz_found_at(world, places[k]))) {
            grz_contact *before = grz_found_at(world, places[kept - 1]);
            before->flags |= grz_found_at(world, places[k])->flags;
            before->impulse = narrow_reported((double)before->impulse +
                                              (double)grz_found_at(world, places[k])->impulse);
        } else {
            ranks[kept] = ranks[k];
            places[kept++] = places[k];
        }
    }
    world->reports.order.count = kept;
}

void grz_order_contacts(graze_world *world)
{
    if (world->reports.order.count && !keep_order(world)) {
        sort_by_rank(world);
    }
    if (sort_equal_ranks(world)) {
        drop_repeats(world);
    }
}
