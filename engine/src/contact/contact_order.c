#include "contact/contact_order.h"

#include "bits.h"
#include "body/bodies.h"
#include "contact/contact_keys.h"
#include "contact/contact_make.h"
#include "min_max.h"
#include "parallel.h"
#include "run_sort.h"

#include <string.h>

enum {
    INDEX_BITS = 30,         ///< Of a body, at most: a sort key has two of them, and a flag.
    MIN_DIGIT_BITS = 4,      ///< A digit has about as many values as there are contacts,
    MAX_DIGIT_BITS = 12,     ///< but no more than the nearest cache can count.
    CONTACTS_A_SLICE = 4096, ///< At least, of those that threads share
    MAX_SLICES = 64          ///< in at most this many slices.
};

/// How the step's contacts are sorted by rank: by all its bits in use, put side by side as a sort
/// key, from the lowest digit to the highest.
typedef struct sorting {
    graze_world *world;
    uint32_t low_bits; ///< Of a sort key: b and the flag. a is above them.
    uint32_t digits, digit_bits, shift;
    uint32_t slices, slice_size;
    uint32_t *counts;          ///< By slice and value of a digit: how many; later the next place.
    const uint64_t *from_keys; ///< A pass moves keys and places
    const uint32_t *from_places;
    uint64_t *to_keys; ///< to here.
    uint32_t *to_places;
} sorting;

static sorting plan_sorting(graze_world *world)
{
    const uint32_t count = world->order.count;
    const uint32_t index_bits = grz_count_bits_of(world->bodies.count), bits = 2 * index_bits + 1;
    const uint32_t wanted = max_u32(grz_count_bits_of(count), MIN_DIGIT_BITS);
    const uint32_t slices = world->parallel ? min_u32(count / CONTACTS_A_SLICE, MAX_SLICES) : 1;
    sorting plan = {.world = world, .low_bits = index_bits + 1};
    plan.digits = grz_count_blocks(bits, min_u32(wanted, MAX_DIGIT_BITS));
    plan.digit_bits = grz_count_blocks(bits, plan.digits);
    plan.slice_size = max_u32(grz_count_blocks(count, max_u32(slices, 1)), 1);
    plan.slices = grz_count_blocks(count, plan.slice_size);
    return plan;
}

// --- Room ---

// Places below hit_room are those of hits, with gaps between the parts; fresh contacts follow.
static void count_places(graze_world *world)
{
    world->order.count = world->ray_hit_count + world->fresh.count;
    for (uint32_t k = 0; k < world->part_count; ++k) {
        world->order.count += (uint32_t)world->parts[k].hits.count;
    }
    world->ray_hits_first = grz_fixed_hits_end(world);
    world->hit_room = world->ray_hits_first + world->ray_hit_count;
}

static size_t count_counters(graze_world *world)
{
    const sorting plan = plan_sorting(world);
    return (size_t)plan.slices << plan.digit_bits;
}

// The bodies' boxes are no longer needed, and their memory is usually large enough.
static bool reserve_words(graze_world *world)
{
    grz_order *order = &world->order;
    const bool have_ranks = !world->keys_apart && grz_all_are_active(world);
    const size_t keys = world->keys.count, old_ranks = have_ranks ? 0 : keys;
    const size_t ended = keys + 1, places = order->count;
    const size_t words = ended + 2 * places + count_counters(world);
    const size_t size =
        (old_ranks + places) * sizeof *order->old_ranks + words * sizeof *order->words;
    grz_block *memory = &world->box_memory;
    if (memory->size < size) {
        memory = &world->own_order;
        if (!grz_block_reserve_scratch(memory, &world->counting, size)) {
            return false;
        }
    }
    order->old_ranks = memory->data;
    order->sort_keys = order->old_ranks + old_ranks;
    order->ended = (uint32_t *)(order->sort_keys + places);
    order->places = order->ended + ended;
    order->words = order->places + places;
    return true;
}

// An eighth is spare, as in the lists of reports, which are as long.
static bool reserve_ranks(graze_world *world)
{
    grz_order *order = &world->order;
    const size_t count = order->count;
    if (count > world->ranks.capacity &&
        !grz_array_reserve_exact(&world->ranks, &world->counting, count + count / 8)) {
        return false;
    }
    order->ranks = world->ranks.data;
    return true;
}

// A place has 31 bits, beside GRZ_BEGINS. And no list takes more than 128 bytes a contact, so that
// no size overflows where size_t has 32 bits.
bool grz_order_reserve(graze_world *world)
{
    const size_t places = (size_t)world->hits.capacity + world->fresh.count;
    if (places > INT32_MAX || places > SIZE_MAX / 128 || world->bodies.count > 1u << INDEX_BITS) {
        return false;
    }
    count_places(world);
    return reserve_ranks(world) && reserve_words(world);
}

// What a body was can be read until the next step, also if it is gone.
float grz_impulse_of_ray_hit(const graze_world *world, const graze_contact *contact)
{
    const bool a_is_ray = world->bodies.data[contact->a.index].kind == GRAZE_SHAPE_RAY;
    const uint32_t ray = a_is_ray ? contact->a.index : contact->b.index;
    return grz_impulse_of_stop(grz_material_of(world, ray).mass, contact->approach);
}

// --- By rank ---

// The places of fresh contacts come after those of hits.
static inline uint64_t fresh_rank(const graze_world *world, uint32_t k)
{
    const graze_contact *contact = &world->fresh.data[k];
    return grz_rank(contact->a.index, contact->b.index, false);
}

// HOT. bench: engine/step/pile-rigid
//
// What the solver reports mostly is in order: see outcome.c. Where nothing else has met, it need
// not be sorted. Returns whether that is so.
//
// Data    8 bytes of a contact read, 12 written, in order.
static bool keep_order(const graze_world *world)
{
    const uint32_t count = world->fresh.count, room = world->hit_room;
    uint64_t *ranks = world->order.ranks, last = 0;
    uint32_t *places = world->order.places;
    if (count < world->order.count) {
        return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        const uint64_t rank = fresh_rank(world, k);
        if (rank < last) {
            return false;
        }
        ranks[k] = last = rank;
        places[k] = room + k;
    }
    return true;
}

static inline uint64_t sort_key_of(uint64_t rank, uint32_t low_bits)
{
    return rank >> 32 << low_bits | (uint32_t)rank;
}

// Appends hits that lie side by side, from this place on.
static void gather_hits(sorting *plan, uint32_t place, uint32_t count)
{
    const uint64_t *ranks = plan->world->hit_ranks.data + place;
    uint64_t *keys = plan->to_keys;
    uint32_t *places = plan->to_places;
    const uint32_t low_bits = plan->low_bits;
    for (uint32_t k = 0; k < count; ++k) {
        keys[k] = sort_key_of(ranks[k], low_bits);
        places[k] = place + k;
    }
    plan->to_keys += count;
    plan->to_places += count;
}

// Lists all contacts: hits by part, those of rays, then fresh ones.
static void gather(sorting *plan)
{
    const graze_world *world = plan->world;
    for (uint32_t k = 0; k < world->part_count; ++k) {
        gather_hits(plan, world->parts[k].hits.first, (uint32_t)world->parts[k].hits.count);
    }
    gather_hits(plan, world->ray_hits_first, world->ray_hit_count);
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        plan->to_keys[k] = sort_key_of(fresh_rank(world, k), plan->low_bits);
        plan->to_places[k] = world->hit_room + k;
    }
}

static inline size_t digit_of(const sorting *plan, uint64_t key)
{
    return (size_t)(key >> plan->shift) & (((size_t)1 << plan->digit_bits) - 1);
}

// This and move_slice work on a copy of the plan: a compiler must assume that their stores change
// it, and would load it again for each contact.
static void count_slice(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting plan = *(const sorting *)context;
    uint32_t *counts = plan.counts + ((size_t)slice << plan.digit_bits);
    memset(counts, 0, sizeof *counts << plan.digit_bits);
    for (uint32_t k = first; k < end; ++k) {
        ++counts[digit_of(&plan, plan.from_keys[k])];
    }
}

// Converts counts into first places: slices follow in their order.
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
    uint32_t *next = plan.counts + ((size_t)slice << plan.digit_bits);
    for (size_t k = first; k < end; ++k) {
        const uint64_t key = plan.from_keys[k];
        const uint32_t to = next[digit_of(&plan, key)]++;
        plan.to_keys[to] = key;
        plan.to_places[to] = plan.from_places[k];
    }
}

// Sets which lists the next pass goes from and to, so that the last one ends in the order.
static void choose_lists(sorting *plan, uint32_t passes_left)
{
    const grz_order *order = &plan->world->order;
    const bool to_order = passes_left % 2 != 0;
    plan->from_keys = to_order ? order->sort_keys : order->ranks;
    plan->from_places = to_order ? order->words : order->places;
    plan->to_keys = to_order ? order->ranks : order->sort_keys;
    plan->to_places = to_order ? order->places : order->words;
}

// Puts the digits' keys back into the form of ranks.
static void restore_ranks(uint64_t *ranks, uint32_t count, uint32_t low_bits)
{
    const uint64_t low = (UINT64_C(1) << low_bits) - 1;
    for (uint32_t k = 0; k < count; ++k) {
        ranks[k] = ranks[k] >> low_bits << 32 | (ranks[k] & low);
    }
}

// HOT. bench: engine/step/gas, engine/step/clusters-dense
//
// A radix sort: linear, whatever bodies contacts are of. It is stable: of one rank hits by part,
// those of rays, then fresh contacts.
//
// Data    8 bytes of a rank read and 12 of a contact written; 20 read and 12 written by digit; 8
//         read and written.
// Branch  None.
// Order   It follows from the ranks alone, however many slices there are.
static void sort_by_rank(graze_world *world)
{
    sorting plan = plan_sorting(world);
    const uint32_t count = world->order.count;
    plan.counts = world->order.words + count;
    choose_lists(&plan, plan.digits + 1);
    gather(&plan);
    for (uint32_t digit = 0; digit < plan.digits; ++digit) {
        choose_lists(&plan, plan.digits - digit);
        plan.shift = digit * plan.digit_bits;
        grz_run_blocks(world, count, plan.slice_size, count_slice, &plan);
        add_up_counts(&plan);
        grz_run_blocks(world, count, plan.slice_size, move_slice, &plan);
    }
    restore_ranks(world->order.ranks, count, plan.low_bits);
}

// --- Contacts of one rank ---

static inline int compare_times(const graze_contact *first, const graze_contact *second)
{
    return (first->time > second->time) - (first->time < second->time);
}

// The order of keys, for contacts of one rank.
static int by_key(const graze_world *world, uint32_t first, uint32_t second)
{
    const graze_contact *one = grz_fresh_at(world, first);
    const graze_contact *other = grz_fresh_at(world, second);
    const int order = grz_compare_segments(one->segment, other->segment);
    return order ? order : compare_times(one, other);
}

// The order of the list, for contacts of one rank.
static int by_time(const graze_world *world, uint32_t first, uint32_t second)
{
    const graze_contact *one = grz_fresh_at(world, first);
    const graze_contact *other = grz_fresh_at(world, second);
    const int order = compare_times(one, other);
    return order ? order : grz_compare_segments(one->segment, other->segment);
}

uint32_t grz_order_find_run(const graze_world *world, uint32_t first)
{
    const uint64_t *ranks = world->order.ranks;
    const uint32_t count = world->order.count;
    while (first + 1 < count && ranks[first] != ranks[first + 1]) {
        ++first;
    }
    return first + 1 < count ? first : count;
}

uint32_t grz_order_find_end_of_rank(const graze_world *world, uint32_t first)
{
    const uint64_t *ranks = world->order.ranks;
    uint32_t end = first + 1;
    while (end < world->order.count && ranks[first] == ranks[end]) {
        ++end;
    }
    return end;
}

void grz_order_sort_by_time(graze_world *world, uint32_t first, uint32_t end)
{
    grz_sort_run(world, world->order.places + first, world->order.words, end - first, by_time);
}

// Returns whether the second of two contacts that share a rank repeats the first.
static bool repeats(const graze_contact *before, const graze_contact *contact)
{
    return grz_have_same_segment(before, contact) &&
           (!(contact->flags & GRAZE_CONTACT_BLOCKED) || before->time == contact->time);
}

// Puts contacts of one pair, and those of one mover on terrain, into the order of keys. Returns
// whether some are repeated.
static bool sort_equal_ranks(graze_world *world)
{
    bool repeated = false;
    world->has_runs = false;
    if (grz_do_fresh_begin(world)) {
        return false;
    }
    uint32_t *places = world->order.places;
    for (uint32_t first = grz_order_find_run(world, 0), end; first < world->order.count;
         first = grz_order_find_run(world, end)) {
        end = grz_order_find_end_of_rank(world, first);
        world->has_runs = true;
        grz_sort_run(world, places + first, world->order.words, end - first, by_key);
        for (uint32_t k = first + 1; k < end; ++k) {
            repeated = repeated ||
                       repeats(grz_fresh_at(world, places[k - 1]), grz_fresh_at(world, places[k]));
        }
    }
    return repeated;
}

// Drops repeated contacts: cells may list a wall more than once. Of one pair it keeps the first
// contact, and each that deflected the mover at another time; these get the flags and impulses of
// the dropped ones.
static void drop_repeats(graze_world *world)
{
    uint64_t *ranks = world->order.ranks;
    uint32_t *places = world->order.places;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < world->order.count; ++k) {
        if (kept && ranks[kept - 1] == ranks[k] &&
            repeats(grz_fresh_at(world, places[kept - 1]), grz_fresh_at(world, places[k]))) {
            graze_contact *before = grz_fresh_at(world, places[kept - 1]);
            before->flags |= grz_fresh_at(world, places[k])->flags;
            before->impulse = narrow_reported((double)before->impulse +
                                              (double)grz_fresh_at(world, places[k])->impulse);
        } else {
            ranks[kept] = ranks[k];
            places[kept++] = places[k];
        }
    }
    world->order.count = kept;
}

void grz_order_contacts(graze_world *world)
{
    if (world->order.count && !keep_order(world)) {
        sort_by_rank(world);
    }
    if (sort_equal_ranks(world)) {
        drop_repeats(world);
    }
}
