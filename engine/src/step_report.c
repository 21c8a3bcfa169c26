#include "bodies.h"
#include "list.h"
#include "message.h"
#include "parallel.h"
#include "prefetch.h"
#include "rest.h"
#include "retire.h"
#include "splice.h"
#include "step.h"

#include <string.h>

// From hits and fresh contacts to the lists
//
// Hits and fresh contacts stay where they are; what is sorted is their places, by rank: that is by
// a, then by b, a pass over all for each digit of a and a look at neighbours for b. Hits have each
// a rank to themselves. Fresh contacts that share one are ordered by segment, which is the order of
// keys: in that order all are matched with the last step's. Then those of one pair by time, which
// is the order of the list.
//
// No pass is over bodies: a world at rest has few contacts. And of those none is over what still
// bodies meet: see splice.h.

enum {
    INSERTION_LIMIT = 12, ///< Runs up to here are sorted by insertion.
    DIGIT_BITS = 11,      ///< At most.
    DIGITS = 1 << DIGIT_BITS,
    MOST_DIGITS = 3, ///< That 32 bits have.
    AHEAD = 32       ///< How far ahead hits are asked for.
};

typedef int compare_fn(const graze_world *world, grz_sorted first, grz_sorted second);

static inline int compare_numbers(uint32_t first, uint32_t second)
{
    return (first > second) - (first < second);
}

static inline int compare_ids(graze_body_id first, graze_body_id second)
{
    int order = compare_numbers(first.index, second.index);
    return order ? order : compare_numbers(first.generation, second.generation);
}

static inline int compare_segments(graze_segment_id first, graze_segment_id second)
{
    int order = compare_numbers(first.chain.index, second.chain.index);
    order = order ? order : compare_numbers(first.chain.generation, second.chain.generation);
    return order ? order : compare_numbers(first.index, second.index);
}

static inline int compare_times(const graze_contact *first, const graze_contact *second)
{
    return (first->time > second->time) - (first->time < second->time);
}

// The contact at a place past those of the hits.
static graze_contact *fresh_at(const graze_world *world, grz_sorted item)
{
    return &world->fresh.data[item.place - world->hit_room];
}

static int by_b(const graze_world *world, grz_sorted first, grz_sorted second)
{
    (void)world;
    return compare_numbers(first.b, second.b);
}

// The order of keys, for contacts of one rank.
static int by_key(const graze_world *world, grz_sorted first, grz_sorted second)
{
    const graze_contact *one = fresh_at(world, first);
    const graze_contact *other = fresh_at(world, second);
    int order = compare_segments(one->segment, other->segment);
    return order ? order : compare_times(one, other);
}

// The order of the list, for contacts of one rank.
static int by_time(const graze_world *world, grz_sorted first, grz_sorted second)
{
    const graze_contact *one = fresh_at(world, first);
    const graze_contact *other = fresh_at(world, second);
    int order = compare_times(one, other);
    return order ? order : compare_segments(one->segment, other->segment);
}

static inline int compare_keys(const graze_contact_end *first, const graze_contact_end *second)
{
    int order = compare_ids(first->a, second->a);
    order = order ? order : compare_ids(first->b, second->b);
    return order ? order : compare_segments(first->segment, second->segment);
}

int grz_key_compare(const graze_contact_end *first, const graze_contact_end *second)
{
    return compare_keys(first, second);
}

graze_contact_end grz_key_of(const graze_contact *contact)
{
    graze_contact_end key = {contact->a, contact->b, contact->segment};
    return key;
}

// Nobody needs the boxes any more: mostly they leave as much room as it takes, twice.
static bool reserve_sorting(graze_world *world)
{
    const size_t count = (size_t)world->hits.count + world->fresh.count;
    grz_block *memory = &world->box_memory;
    if (count > UINT32_MAX || count > SIZE_MAX / 4 / sizeof(grz_sorted)) {
        return false;
    }
    if (memory->size < 2 * count * sizeof(grz_sorted)) {
        memory = &world->own_order;
        if (!grz_block_reserve_scratch(memory, &world->counting, 2 * count * sizeof(grz_sorted))) {
            return false;
        }
    }
    world->order.data = memory->data;
    world->order.back = world->order.data ? world->order.data + count : NULL;
    return true;
}

static uint32_t count_bits(uint32_t number)
{
    uint32_t count = 0;
    for (; number; number >>= 1) {
        ++count;
    }
    return count;
}

// Makes an index whose every entry has about two keys.
bool grz_keys_index(graze_world *world)
{
    const uint32_t index_bits = count_bits(world->bodies.count);
    const uint32_t key_bits = count_bits(world->keys.count / 2);
    const uint32_t bits = key_bits < index_bits ? key_bits : index_bits;
    const uint32_t buckets = 1u << bits;
    if (!grz_array_reserve(&world->key_starts, &world->counting, (size_t)buckets + 1)) {
        return false;
    }
    uint32_t *starts = world->key_starts.data;
    uint32_t bucket = 0;
    world->key_shift = index_bits - bits;
    starts[0] = 0;
    for (uint32_t k = 0; k < world->keys.count; ++k) {
        while (bucket < world->keys.data[k].a.index >> world->key_shift) {
            starts[++bucket] = k;
        }
    }
    while (bucket < buckets) {
        starts[++bucket] = world->keys.count;
    }
    return true;
}

bool grz_pair_met_before(const graze_world *world, const graze_contact *contact)
{
    const graze_contact_end wanted = grz_key_of(contact);
    const uint32_t *start = world->key_starts.data + (contact->a.index >> world->key_shift);
    uint32_t low = start[0];
    uint32_t high = start[1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = grz_key_compare(&world->keys.data[middle], &wanted);
        if (order == 0) {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

static void swap_orders(grz_order *order)
{
    grz_sorted *data = order->data;
    order->data = order->back;
    order->back = data;
}

static grz_sorted sorted_of(uint64_t rank, uint32_t place)
{
    grz_sorted item = {(uint32_t)rank, (uint32_t)(rank >> 32), place};
    return item;
}

static inline uint64_t rank_of(grz_sorted item)
{
    return (uint64_t)item.a << 32 | item.b;
}

/// Some bits of a rank.
typedef struct digit {
    uint32_t shift, mask;
} digit;

/// How often each value of a digit comes; then, where the next that has it goes.
typedef struct tally {
    uint32_t of[DIGITS];
} tally;

static inline uint32_t read_digit(uint64_t rank, digit read)
{
    return (uint32_t)(rank >> read.shift) & read.mask;
}

static void clear_tally(tally *counts, digit by)
{
    memset(counts->of, 0, ((size_t)by.mask + 1) * sizeof *counts->of);
}

// Turns counts into where each begins.
static void add_up(tally *counts, digit by)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= by.mask; ++i) {
        uint32_t own = counts->of[i];
        counts->of[i] = sum;
        sum += own;
    }
}

// The places of fresh contacts come after those of hits.
static uint64_t fresh_rank(const graze_world *world, uint32_t k)
{
    const graze_contact *contact = &world->fresh.data[k];
    return grz_rank(contact->a.index, contact->b.index, false);
}

static void count_first_digit(const graze_world *world, digit by, tally *counts)
{
    clear_tally(counts, by);
    for (uint32_t i = 0; i < world->part_count; ++i) {
        const grz_pair_part *part = &world->parts[i];
        const uint64_t *ranks = world->hit_ranks.data + part->hit_first;
        const uint32_t count = (uint32_t)part->hit_count;
        for (uint32_t k = 0; k < count; ++k) {
            ++counts->of[read_digit(ranks[k], by)];
        }
    }
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        ++counts->of[read_digit(fresh_rank(world, k), by)];
    }
    add_up(counts, by);
}

// Puts all into the order of one digit, and counts the next one.
static void sort_by_first_digit(graze_world *world, digit by, digit then, tally *next,
                                tally *counts)
{
    grz_sorted *order = world->order.data;
    for (uint32_t i = 0; i < world->part_count; ++i) {
        const grz_pair_part *part = &world->parts[i];
        const uint64_t *ranks = world->hit_ranks.data + part->hit_first;
        const uint32_t count = (uint32_t)part->hit_count;
        for (uint32_t k = 0; k < count; ++k) {
            order[next->of[read_digit(ranks[k], by)]++] = sorted_of(ranks[k], part->hit_first + k);
            ++counts->of[read_digit(ranks[k], then)];
        }
    }
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        uint64_t rank = fresh_rank(world, k);
        order[next->of[read_digit(rank, by)]++] = sorted_of(rank, world->hit_room + k);
        ++counts->of[read_digit(rank, then)];
    }
}

static void sort_by_digit(graze_world *world, digit by, digit then, tally *next, tally *counts)
{
    const grz_sorted *from = world->order.data;
    grz_sorted *to = world->order.back;
    for (uint32_t k = 0; k < world->order.count; ++k) {
        const grz_sorted item = from[k];
        const uint64_t rank = rank_of(item);
        to[next->of[read_digit(rank, by)]++] = item;
        ++counts->of[read_digit(rank, then)];
    }
    swap_orders(&world->order);
}

// Cuts a number of up to so many bits, from `shift` on, into as few digits as it takes, all of
// about the same length. Returns how many.
static uint32_t cut_digits(uint32_t shift, uint32_t bits, digit *digits)
{
    const uint32_t count = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    const uint32_t width = count ? (bits + count - 1) / count : 0;
    for (uint32_t k = 0; k < count; ++k) {
        digit own = {shift + k * width, (1u << width) - 1};
        digits[k] = own;
    }
    return count;
}

// HOT. bench: engine/step/gas
//
// Data    8 bytes of a rank read twice; for each digit 12 bytes written, and read but for the
//         first.
// Branch  None: where a contact goes is counted before.
// Order   Equal digits as they come.
static void sort_by_digits(graze_world *world, const digit *digits, uint32_t count)
{
    tally tallies[2];
    count_first_digit(world, digits[0], &tallies[0]);
    for (uint32_t k = 0; k < count; ++k) {
        const digit then = digits[k + 1 < count ? k + 1 : k];
        tally *next = &tallies[k % 2];
        tally *counts = &tallies[1 - k % 2];
        clear_tally(counts, then);
        if (k == 0) {
            sort_by_first_digit(world, digits[k], then, next, counts);
        } else {
            sort_by_digit(world, digits[k], then, next, counts);
        }
        add_up(counts, then);
    }
}

// The places of hits, empty ones between the parts among them, come before those of the others.
static void count_places(graze_world *world)
{
    world->order.count = world->fresh.count;
    world->hit_room = 0;
    for (uint32_t k = 0; k < world->part_count; ++k) {
        const grz_pair_part *part = &world->parts[k];
        world->order.count += (uint32_t)part->hit_count;
        world->hit_room = part->hit_first + (uint32_t)part->hit_count;
    }
}

static bool is_sorted(const graze_world *world, const grz_sorted *items, uint32_t count,
                      compare_fn *compare)
{
    for (uint32_t k = 1; k < count; ++k) {
        if (compare(world, items[k - 1], items[k]) > 0) {
            return false;
        }
    }
    return true;
}

static void sort_by_insertion(const graze_world *world, grz_sorted *items, uint32_t count,
                              compare_fn *compare)
{
    for (uint32_t i = 1; i < count; ++i) {
        grz_sorted moved = items[i];
        uint32_t k = i;
        for (; k > 0 && compare(world, items[k - 1], moved) > 0; --k) {
            items[k] = items[k - 1];
        }
        items[k] = moved;
    }
}

static void sort_run(const graze_world *world, grz_sorted *items, grz_sorted *scratch,
                     uint32_t count, compare_fn *compare)
{
    if (is_sorted(world, items, count, compare)) {
        return;
    }
    if (count <= INSERTION_LIMIT) {
        sort_by_insertion(world, items, count, compare);
        return;
    }
    uint32_t half = count / 2;
    sort_run(world, items, scratch, half, compare);
    sort_run(world, items + half, scratch, count - half, compare);
    for (uint32_t k = 0; k < half; ++k) {
        scratch[k] = items[k];
    }
    uint32_t left = 0;
    uint32_t right = half;
    for (uint32_t k = 0; left < half; ++k) {
        bool take_right = right < count && compare(world, items[right], scratch[left]) < 0;
        items[k] = take_right ? items[right++] : scratch[left++];
    }
}

// Sorts the run of one a that holds place k by b, and returns where it ends.
static uint32_t sort_run_around(graze_world *world, uint32_t k)
{
    grz_sorted *order = world->order.data;
    uint32_t first = k;
    uint32_t end = k + 1;
    while (first > 0 && order[first - 1].a == order[k].a) {
        --first;
    }
    while (end < world->order.count && order[end].a == order[k].a) {
        ++end;
    }
    sort_run(world, order + first, world->order.back, end - first, by_b);
    return end;
}

// Moves an item down to where it belongs among those before it, which are in order. Returns false
// when that is far, and it has come but part of the way.
static bool insert_nearby(grz_sorted *order, uint32_t k)
{
    const grz_sorted item = order[k];
    const uint32_t least = k < INSERTION_LIMIT ? 0 : k - INSERTION_LIMIT;
    for (; k > least && rank_of(order[k - 1]) > rank_of(item); --k) {
        order[k] = order[k - 1];
    }
    order[k] = item;
    return k > least || k == 0;
}

// HOT. bench: engine/step/gas
//
// Branch  Few have the neighbour's a, and half of those come in order.
static void sort_runs_by_b(graze_world *world)
{
    grz_sorted *order = world->order.data;
    const uint32_t count = world->order.count;
    uint64_t before = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint64_t rank = rank_of(order[k]);
        if (rank < before && !insert_nearby(order, k)) {
            k = sort_run_around(world, k) - 1;
        }
        before = rank_of(order[k]);
    }
}

// In crowds each a has many: there all are sorted by b first, which is linear too. Elsewhere it
// would cost more than the few swaps it saves.
static void sort_by_rank(graze_world *world)
{
    const uint32_t last_index = world->bodies.count ? world->bodies.count - 1 : 0;
    const uint32_t index_bits = count_bits(last_index | 1);
    const bool crowded = world->order.count > world->bodies.count;
    digit digits[2 * MOST_DIGITS] = {{0, 0}};
    uint32_t count = crowded ? cut_digits(0, index_bits + 1, digits) : 0;
    count += cut_digits(32, index_bits, digits + count);
    sort_by_digits(world, digits, count);
    if (!crowded) {
        sort_runs_by_b(world);
    }
}

static bool is_same_rank(grz_sorted first, grz_sorted second)
{
    return (first.a == second.a) & (first.b == second.b);
}

static uint32_t find_end_of_rank(const graze_world *world, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < world->order.count &&
           is_same_rank(world->order.data[first], world->order.data[end])) {
        ++end;
    }
    return end;
}

// Puts contacts of one pair, and those of one mover on terrain, into the order of keys.
static void sort_equal_ranks(graze_world *world)
{
    world->has_runs = false;
    if (!world->fresh.count) {
        return;
    }
    for (uint32_t first = 0, end; first < world->order.count; first = end) {
        end = find_end_of_rank(world, first);
        if (end - first > 1) {
            world->has_runs = true;
            sort_run(world, world->order.data + first, world->order.back, end - first, by_key);
        }
    }
}

// Where the contact at a place of the order is reported.
static graze_contact *contact_for(const graze_world *world, uint32_t k)
{
    return &world->contacts.data[world->spliced ? world->rest.of_contacts.coming.data[k] : k];
}

// Those of one pair, and of one mover on terrain, stand in the list by time.
static void reorder_by_time(graze_world *world)
{
    grz_sorted *order = world->order.data;
    for (uint32_t first = 0, end; first < world->order.count; first = end) {
        end = find_end_of_rank(world, first);
        if (end - first > 1) {
            sort_run(world, order + first, world->order.back, end - first, by_time);
            for (uint32_t k = first; k < end; ++k) {
                *contact_for(world, k) = *fresh_at(world, order[k]);
            }
        }
    }
}

static bool has_same_segment(const graze_contact *first, const graze_contact *second)
{
    return compare_segments(first->segment, second->segment) == 0;
}

// Returns whether the second contact of two that share a rank says nothing new.
static bool repeats(const graze_contact *before, const graze_contact *contact)
{
    return has_same_segment(before, contact) &&
           (!(contact->flags & GRAZE_CONTACT_BLOCKED) || before->time == contact->time);
}

// Cells may list a wall more than once. Of one pair the first touch is kept, and those that turned
// the mover at another time; what the others did to it is said of these.
static void drop_repeats(graze_world *world)
{
    grz_sorted *order = world->order.data;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < world->order.count; ++k) {
        if (kept && is_same_rank(order[kept - 1], order[k]) &&
            repeats(fresh_at(world, order[kept - 1]), fresh_at(world, order[k]))) {
            fresh_at(world, order[kept - 1])->flags |= fresh_at(world, order[k])->flags;
        } else {
            order[kept++] = order[k];
        }
    }
    world->order.count = kept;
}

// Returns whether the fresh contact at this place of the order is of the same two as the one
// before it.
static bool goes_on(const graze_world *world, uint32_t k)
{
    const grz_sorted *order = world->order.data;
    return world->has_runs && k > 0 && is_same_rank(order[k - 1], order[k]) &&
           has_same_segment(fresh_at(world, order[k - 1]), fresh_at(world, order[k]));
}

// What stays between still bodies is in its place: what this step found comes among it.
static void plan_splices(graze_world *world)
{
    grz_rest *rest = &world->rest;
    grz_splicing contacts = grz_splice_begin(&rest->of_contacts, world->contacts.data,
                                             sizeof *world->contacts.data, world->contacts.count);
    grz_splicing keys = grz_splice_begin(&rest->of_keys, world->keys.data, sizeof *world->keys.data,
                                         world->keys.count);
    for (uint32_t k = 0; k < world->order.count; ++k) {
        const uint64_t rank = rank_of(world->order.data[k]) & ~(uint64_t)1;
        grz_splice_plan(&contacts, rank);
        if (!goes_on(world, k)) {
            grz_splice_plan(&keys, rank);
        }
    }
    world->contact_count = grz_splice_end(&contacts);
    world->key_count = grz_splice_end(&keys);
}

static bool plan_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    const uint32_t count = world->order.count;
    world->contact_count = count;
    world->key_count = count;
    if (!world->spliced) {
        return true;
    }
    grz_rest *rest = &world->rest;
    if (!grz_splice_reserve(&rest->of_contacts, allocator, count) ||
        !grz_splice_reserve(&rest->of_keys, allocator, count) ||
        !grz_array_reserve(&rest->passed, allocator, rest->of_keys.places.count) ||
        !grz_array_reserve(&rest->come, allocator, count)) {
        return false;
    }
    plan_splices(world);
    return true;
}

// These are long, and vary little from step to step: an eighth to spare each time they grow.
#define RESERVE_REPORTS(list, allocator, wanted)                                                   \
    ((wanted) <= (list)->capacity ||                                                               \
     grz_array_reserve_exact((list), (allocator), (size_t)(wanted) + (wanted) / 8))

static bool reserve_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    const uint32_t most_ends = world->spliced ? world->rest.of_keys.places.count : world->key_count;
    const uint32_t most_keys = world->spliced ? world->key_count : 1; // Never null.
    return RESERVE_REPORTS(&world->keys, allocator, most_keys) &&
           RESERVE_REPORTS(&world->ends, allocator, most_ends) &&
           grz_retire_reserve(world, (size_t)world->motions.count + world->spent.count +
                                         world->mortal_count) &&
           RESERVE_REPORTS(&world->contacts, allocator, world->contact_count);
}

graze_status grz_step_collate(graze_world *world)
{
    if (!grz_rest_void_contacts(world) || !reserve_sorting(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    count_places(world);
    sort_by_rank(world);
    sort_equal_ranks(world);
    if (world->has_runs) {
        drop_repeats(world);
    }
    world->spliced = !grz_rest_is_empty(world);
    if (!plan_lists(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    if (world->fixed_capacity && world->contact_count > world->contact_capacity) {
        return GRAZE_ERROR_LIMIT;
    }
    return reserve_lists(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

/// Where the matching of this step's contacts with the last step's keys stands. Its lists are at
/// hand here, for what is written through them may be anything to the compiler.
///
/// Keys that have ended stay in their own list, moved up to its front; the new keys are written
/// over the last step's ends. Then the two lists change places.
typedef struct matching {
    const graze_contact_end *old_keys, *old_end; ///< Those that have not been passed.
    graze_contact_end *next_key, *next_end;
    uint32_t begin_count;
} matching;

/// Some of the order, and those of the last step's keys that are matched with it.
typedef struct stretch {
    uint32_t old_first, old_end;
    uint32_t key_count, end_count, begin_count; ///< What came of it.
} stretch;

enum {
    STRETCHES = 64,            ///< At most.
    CONTACTS_A_STRETCH = 4096, ///< At least, but for the last.
};

/// What the stretches share.
typedef struct reporting {
    graze_world *world;
    stretch stretches[STRETCHES];
} reporting;

static matching begin_matching(const graze_world *world, const stretch *of, uint32_t first)
{
    matching at = {
        world->keys.data + of->old_first,
        world->keys.data + of->old_end,
        world->ends.data + first,
        world->keys.data + of->old_first,
        0,
    };
    return at;
}

static void end_matching(const graze_world *world, matching *at, stretch *of, uint32_t first)
{
    while (at->old_keys < at->old_end) {
        *at->next_end++ = *at->old_keys++;
    }
    of->key_count = (uint32_t)(at->next_key - (world->ends.data + first));
    of->end_count = (uint32_t)(at->next_end - (world->keys.data + of->old_first));
    of->begin_count = at->begin_count;
}

// Passes the last step's keys up to `key`: those before it have ended. Returns whether the last
// step had `key`, too.
static inline bool pass_keys(matching *at, const graze_contact_end *key)
{
    for (; at->old_keys < at->old_end; ++at->old_keys) {
        const int order = compare_keys(at->old_keys, key);
        if (order >= 0) {
            at->old_keys += order == 0;
            return order == 0;
        }
        *at->next_end++ = *at->old_keys;
    }
    return false;
}

static inline bool is_same_id(graze_body_id first, graze_body_id second)
{
    return ((first.index ^ second.index) | (first.generation ^ second.generation)) == 0;
}

// Notes the key of two bodies that met, and says whether they go on from the last step: if so, it
// is nearly always the key whose turn it is.
static inline graze_contact_phase match_pair(matching *at, graze_body_id a, graze_body_id b)
{
    const graze_contact_end key = {a, b, {{0, 0}, 0}};
    *at->next_key++ = key;
    if (at->old_keys < at->old_end && is_same_id(at->old_keys->a, a) &&
        is_same_id(at->old_keys->b, b)) {
        ++at->old_keys;
        return GRAZE_CONTACT_STAY;
    }
    const bool stays = pass_keys(at, &key);
    at->begin_count += !stays;
    return stays ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
}

static graze_contact_phase match_fresh(matching *at, const graze_contact *contact)
{
    const graze_contact_end key = grz_key_of(contact);
    *at->next_key++ = key;
    const bool stays = pass_keys(at, &key);
    at->begin_count += !stays;
    return stays ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
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

static void report_fresh(graze_world *world, matching *at, uint32_t k)
{
    graze_contact *fresh = fresh_at(world, world->order.data[k]);
    fresh->phase = goes_on(world, k) ? GRAZE_CONTACT_STAY : match_fresh(at, fresh);
    *contact_for(world, k) = *fresh;
}

// HOT. bench: engine/step/gas
//
// Both lists of keys are in order, so one pass over the two matches them.
//
// Data    12 bytes of the order and 32 of a hit read, these out of order: asked for while some tens
//         of others are reported. 60 of a contact written in order; 28 of a key read and written.
// Branch  Most contacts go on from the step before.
static void report_stretch(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    reporting *shared = context;
    graze_world *world = shared->world;
    matching at = begin_matching(world, &shared->stretches[number], first);
    const grz_sorted *order = world->order.data;
    const grz_hit *hits = world->hits.data;
    graze_contact *contacts = world->contacts.data;
    const uint32_t hit_room = world->hit_room;
    for (uint32_t k = first; k < end; ++k) {
        const uint32_t later = order[k + AHEAD < end ? k + AHEAD : k].place;
        const void *data = later < hit_room ? (const void *)&hits[later]
                                            : (const void *)&world->fresh.data[later - hit_room];
        GRZ_PREFETCH(data);
        GRZ_PREFETCH((const char *)data + sizeof *hits);
        if (order[k].place < hit_room) {
            report_hit(&at, order[k], &hits[order[k].place], &contacts[k]);
        } else {
            report_fresh(world, &at, k);
        }
    }
    end_matching(world, &at, &shared->stretches[number], first);
}

static graze_contact_end key_at(const graze_world *world, uint32_t k)
{
    const grz_sorted item = world->order.data[k];
    if (item.place >= world->hit_room) {
        return grz_key_of(fresh_at(world, item));
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
        const bool before = compare_keys(&world->keys.data[middle], key) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// One key a contact is what tells where the keys of a stretch go: runs are done in one.
static uint32_t choose_length(const graze_world *world)
{
    const uint32_t count = world->order.count;
    const uint32_t length = grz_count_blocks(count, STRETCHES);
    if (world->has_runs || !count) {
        return count ? count : 1;
    }
    return length > CONTACTS_A_STRETCH ? length : CONTACTS_A_STRETCH;
}

static uint32_t cut_stretches(reporting *shared, uint32_t length)
{
    const graze_world *world = shared->world;
    const uint32_t blocks = grz_count_blocks(world->order.count, length);
    uint32_t first = 0;
    for (uint32_t number = 0; number < blocks; ++number) {
        stretch *of = &shared->stretches[number];
        of->old_first = first;
        first = world->keys.count;
        if (number + 1 < blocks) {
            const graze_contact_end key = key_at(world, (number + 1) * length);
            first = find_old_key(world, &key);
        }
        of->old_end = first;
    }
    return blocks;
}

// Moves up the keys that have ended, and makes the two lists change places.
static void join_stretches(graze_world *world, const stretch *stretches, uint32_t count)
{
    uint32_t key_count = 0;
    uint32_t end_count = count ? 0 : world->keys.count;
    world->stats.begin_count = 0;
    for (uint32_t number = 0; number < count; ++number) {
        const stretch *of = &stretches[number];
        if (of->end_count && end_count < of->old_first) {
            memmove(world->keys.data + end_count, world->keys.data + of->old_first,
                    of->end_count * sizeof *world->keys.data);
        }
        end_count += of->end_count;
        key_count += of->key_count;
        world->stats.begin_count += of->begin_count;
    }
    const grz_contact_keys ended = world->keys;
    world->keys = world->ends;
    world->ends = ended;
    world->keys.count = key_count;
    world->ends.count = end_count;
    world->contacts.count = world->order.count;
}

static void match_with_last_step(graze_world *world)
{
    reporting shared;
    shared.world = world;
    const uint32_t length = choose_length(world);
    const uint32_t count = cut_stretches(&shared, length);
    grz_run_blocks(world, world->order.count, length, report_stretch, &shared);
    join_stretches(world, shared.stretches, count);
}

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
        const grz_sorted item = world->order.data[k];
        if (item.place < world->hit_room) {
            report_hit(at, item, &world->hits.data[item.place], contact_for(world, k));
        } else {
            report_fresh(world, at, k);
        }
    }
    while (at->old_keys < at->old_end) {
        *at->next_end++ = *at->old_keys++;
    }
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
    matching at = {rest->passed.data, rest->passed.data + rest->passed.count, rest->come.data,
                   world->ends.data, 0};
    grz_splice_move(&rest->of_contacts, world->contacts.data, sizeof *world->contacts.data);
    grz_splice_move(&rest->of_keys, world->keys.data, sizeof *world->keys.data);
    report_among_those_that_stay(world, &at);
    scatter_keys(world);
    world->contacts.count = world->contact_count;
    world->keys.count = world->key_count;
    world->ends.count = (uint32_t)(at.next_end - world->ends.data);
    world->stats.begin_count = at.begin_count;
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
