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
// A contact is one word: the bits in use of its rank, and its place below them. A radix sort of
// these words goes from the lowest digit to the highest, but leaves out the lowest bits of b.
// Contacts that differ in no other bits are few, and side by side: they are put in order by
// insertion, as words become ranks and places again. At most 2^LEFT_BITS different ones are, or
// FEW_CONTACTS, so that all of it is linear.
//
// In worlds of millions of bodies a rank leaves no room for a place. There words are sorted twice:
// by b, then by a.

// A test has 0: so its worlds are sorted as the largest ones are.
#ifndef GRZ_RANK_AND_PLACE_BITS
#define GRZ_RANK_AND_PLACE_BITS 64
#endif

enum {
    INDEX_BITS = 30, ///< Of a body, at most.
    WORD_BITS = 64,
    PLACE_BITS = 32,         ///< Of a word, where ranks leave no room.
    LEFT_BITS = 6,           ///< Of b, at most, that are left to insertion.
    FEW_CONTACTS = 256,      ///< All of b is, if there are no more.
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
    uint32_t left;               ///< So many low bits of a word are not sorted by.
    uint32_t digits, digit_bits; ///< Of those above them.
    uint32_t slices, slice_size; ///< Of the contacts: one slice, unless threads share them.
    uint32_t *counts;            ///< By slice and value of a digit: how many; later the next place.
    uint32_t *next_counts;       ///< The same of the next digit,
    bool count_next;             ///< if it is counted as this one moves.
    const uint64_t *from;        ///< Words turned right, so that the digit has the lowest bits.
    uint64_t *to;
} sorting;

// Digits are as narrow as their number allows: the fewer values, the fewer lines of the cache are
// written to in turn.
static void plan_digits(sorting *plan, uint32_t bits, uint32_t left)
{
    const uint32_t most =
        max_u32(grz_count_bits_of(plan->world->reports.order.count / 4), MIN_DIGIT_BITS);
    const uint32_t wanted = min_u32(most, MAX_DIGIT_BITS), sorted = bits - min_u32(bits, left);
    plan->digits = grz_count_blocks(sorted, wanted);
    plan->digit_bits = plan->digits ? grz_count_blocks(sorted, plan->digits) : 0;
    plan->left = bits - min_u32(bits, plan->digits * plan->digit_bits);
}

static sorting plan_sorting(graze_world *world)
{
    const uint32_t count = world->reports.order.count, places = world->found.contacts.count;
    const uint32_t slices =
        world->config.parallel ? min_u32(count / CONTACTS_A_SLICE, MAX_SLICES) : 1;
    sorting plan = {.world = world, .index_bits = grz_count_bits_of(world->bodies.cold.count)};
    const uint32_t pair_bits = 2 * plan.index_bits;
    plan.slice_size = max_u32(grz_count_blocks(count, max_u32(slices, 1)), 1);
    plan.slices = grz_count_blocks(count, plan.slice_size);
    plan.place_bits = grz_count_bits_of(places);
    plan.fits = pair_bits + plan.place_bits <= GRZ_RANK_AND_PLACE_BITS;
    if (plan.fits) {
        plan_digits(&plan, pair_bits, count > FEW_CONTACTS ? LEFT_BITS : plan.index_bits);
        plan.left += plan.place_bits;
    } else {
        plan_digits(&plan, plan.index_bits, 0);
        plan.left += PLACE_BITS;
    }
    return plan;
}

// --- Room ---

static void count_contacts(graze_world *world)
{
    world->reports.order.count = world->found.contacts.count - world->found.others_first;
    for (uint32_t k = 0; k < world->found.part_count; ++k) {
        world->reports.order.count += (uint32_t)world->found.parts[k].lists[GRZ_OF_CONTACTS].count;
    }
}

static size_t count_counters(graze_world *world)
{
    const sorting plan = plan_sorting(world);
    return (size_t)plan.slices << plan.digit_bits << 1;
}

// The bodies' boxes are no longer needed, and their memory is usually large enough.
static bool reserve_words(graze_world *world)
{
    grz_order *order = &world->reports.order;
    const bool have_ranks = !world->reports.keys_apart && grz_all_are_active(world);
    const size_t keys = world->reports.keys.count, old_ranks = have_ranks ? 0 : keys;
    const size_t ended = keys + 1, places = order->count;
    const size_t words = ended + places + count_counters(world);
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
    const uint64_t bits = rank >> 32 << plan->index_bits | (uint32_t)rank;
    return plan->fits ? bits << plan->place_bits | place
                      : (uint64_t)(uint32_t)rank << PLACE_BITS | place;
}

static inline uint64_t turn_right(uint64_t word, uint32_t bits)
{
    return word >> bits % WORD_BITS | word << (WORD_BITS - bits) % WORD_BITS;
}

// These loops work on copies of the plan: a compiler must assume that their stores change it, and
// would load it again for each contact.

static inline void put_word(const sorting *plan, uint64_t word, uint64_t *to, uint32_t *counts)
{
    *to = turn_right(word, plan->left);
    if (plan->slices == 1) {
        ++counts[*to & ((UINT64_C(1) << plan->digit_bits) - 1)];
    }
}

static inline uint32_t *clear_counts(const sorting *plan, uint32_t *counts, uint32_t slice)
{
    uint32_t *own = counts + ((size_t)slice << plan->digit_bits);
    memset(own, 0, sizeof *own << plan->digit_bits);
    return own;
}

// Lists the contacts of a part or, after the last one, all others.
static void gather_list(void *context, uint32_t list, uint32_t first, uint32_t end)
{
    const sorting local = *(const sorting *)context;
    const graze_world *world = local.world;
    const grz_pair_part *parts = world->found.parts;
    uint64_t *to = local.to;
    (void)first;
    (void)end;
    for (uint32_t k = 0; k < list; ++k) {
        to += parts[k].lists[GRZ_OF_CONTACTS].count;
    }
    const bool is_part = list < world->found.part_count;
    const grz_part_list *own = &parts[is_part ? list : 0].lists[GRZ_OF_CONTACTS];
    uint32_t place = is_part ? own->first : world->found.others_first;
    const uint32_t after = is_part ? place + (uint32_t)own->count : world->found.contacts.count;
    for (; place < after; ++place) {
        put_word(&local, word_of(&local, rank_at_place(world, place), place), to++, local.counts);
    }
}

// Lists all contacts. Where there is only one slice it counts the first digit, too: then lists
// share the counts, and no threads may share the lists.
static void gather(sorting *plan)
{
    const uint32_t lists = plan->world->found.part_count + 1;
    clear_counts(plan, plan->counts, 0);
    if (plan->slices > 1) {
        grz_run_blocks(plan->world, lists, 1, gather_list, plan);
        return;
    }
    for (uint32_t list = 0; list < lists; ++list) {
        gather_list(plan, list, list, list + 1);
    }
}

static void count_slice(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const uint64_t *from = plan->from, mask = (UINT64_C(1) << plan->digit_bits) - 1;
    uint32_t *counts = clear_counts(plan, plan->counts, slice);
    for (uint32_t k = first; k < end; ++k) {
        ++counts[from[k] & mask];
    }
}

// Converts counts into first places, in the order of values, and of slices for each value.
static void add_up_counts(const sorting *plan)
{
    const size_t values = (size_t)1 << plan->digit_bits, all = plan->slices * values;
    const size_t stride = plan->slices > 1 ? values : 1;
    uint32_t *counts = plan->counts;
    uint32_t sum = 0;
    for (size_t first = 0; first < stride; ++first) {
        for (size_t k = first; k < all; k += stride) {
            const uint32_t own = counts[k];
            counts[k] = sum;
            sum += own;
        }
    }
}

// Counts the next digit, too, if there is only one slice, and thus no need for counts by slice.
static void move_slice(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const uint64_t *from = plan->from, mask = (UINT64_C(1) << plan->digit_bits) - 1;
    const uint32_t bits = plan->digit_bits;
    uint64_t *to = plan->to;
    uint32_t *next = plan->counts + ((size_t)slice << bits), *counts = plan->next_counts;
    if (!plan->count_next) {
        for (size_t k = first; k < end; ++k) {
            const uint32_t at = next[from[k] & mask]++;
            GRZ_PREFETCH(to + at + AHEAD);
            to[at] = turn_right(from[k], bits);
        }
        return;
    }
    clear_counts(plan, counts, 0);
    for (size_t k = first; k < end; ++k) {
        const uint64_t word = turn_right(from[k], bits);
        const uint32_t at = next[from[k] & mask]++;
        GRZ_PREFETCH(to + at + AHEAD);
        to[at] = word;
        ++counts[word & mask];
    }
}

static void swap_lists(sorting *plan)
{
    uint32_t *counts = plan->counts;
    const grz_order *order = &plan->world->reports.order;
    plan->counts = plan->next_counts;
    plan->next_counts = counts;
    plan->from = plan->to;
    plan->to = plan->from == order->words ? order->ranks : order->words;
}

static void sort_words(sorting *plan)
{
    graze_world *world = plan->world;
    const uint32_t count = world->reports.order.count;
    for (uint32_t digit = 0; digit < plan->digits; ++digit) {
        if (plan->slices > 1) {
            grz_run_blocks(world, count, plan->slice_size, count_slice, plan);
        }
        add_up_counts(plan);
        plan->count_next = plan->slices == 1 && digit + 1 < plan->digits;
        grz_run_blocks(world, count, plan->slice_size, move_slice, plan);
        swap_lists(plan);
    }
}

// Puts a contact before those of higher ranks, all of which are of its slice: what another thread
// has not written yet may be anything.
static GRZ_APART void insert(uint64_t *ranks, uint32_t *places, uint32_t k, uint64_t rank,
                             uint32_t place)
{
    for (; k > 0 && ranks[k - 1] > rank; --k) {
        ranks[k] = ranks[k - 1];
        places[k] = places[k - 1];
    }
    ranks[k] = rank;
    places[k] = place;
}

// Returns by how much a word is turned back that has been sorted.
static inline uint32_t turn_back(const sorting *plan)
{
    return WORD_BITS - (plan->left + plan->digits * plan->digit_bits) % WORD_BITS;
}

// Returns the first place, from this one on, before which a slice may end: not between contacts
// that differ in no bits but those that are left.
static GRZ_APART uint32_t find_cut(const sorting *plan, uint32_t k)
{
    const uint32_t count = plan->world->reports.order.count, back = turn_back(plan);
    const uint64_t *words = plan->from;
    while (k > 0 && k < count && turn_right(words[k] ^ words[k - 1], back) >> plan->left == 0) {
        ++k;
    }
    return k;
}

static void take_apart(void *context, uint32_t slice, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const uint64_t *from = plan->from, place_mask = (UINT64_C(1) << plan->place_bits) - 1;
    const uint64_t b_mask = (UINT64_C(1) << plan->index_bits) - 1;
    const uint32_t back = turn_back(plan), b_shift = plan->place_bits;
    const uint32_t a_shift = b_shift + plan->index_bits;
    uint64_t *ranks = plan->world->reports.order.ranks, last = 0;
    uint32_t *places = plan->world->reports.order.places;
    const size_t begin = find_cut(plan, first), cut = find_cut(plan, end);
    (void)slice;
    for (size_t k = begin; k < cut; ++k) {
        const uint64_t word = turn_right(from[k], back);
        const uint64_t rank = word >> a_shift << 32 | (word >> b_shift & b_mask);
        const uint32_t place = (uint32_t)(word & place_mask);
        if (rank < last) {
            insert(ranks + begin, places + begin, (uint32_t)(k - begin), rank, place);
        } else {
            ranks[k] = last = rank;
            places[k] = place;
        }
    }
}

// By a, after b.
static void sort_again(sorting *plan)
{
    graze_world *world = plan->world;
    const uint32_t count = world->reports.order.count;
    uint64_t *words = world->reports.order.words;
    clear_counts(plan, plan->counts, 0);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t place = (uint32_t)turn_right(words[k], turn_back(plan));
        const uint64_t a = grz_a_of_rank(rank_at_place(world, place));
        put_word(plan, a << PLACE_BITS | place, words + k, plan->counts);
    }
    sort_words(plan);
    for (uint32_t k = 0; k < count; ++k) {
        world->reports.order.places[k] = (uint32_t)turn_right(plan->from[k], turn_back(plan));
        world->reports.order.ranks[k] = rank_at_place(world, world->reports.order.places[k]);
    }
}

// HOT. bench: engine/step/gas, engine/step/clusters-dense
//
// Linear, whatever bodies contacts are of, and stable: of one rank in the order of places.
//
// Data    16 bytes of a contact read and 8 of a word written; 8 read and 8 written by digit; 8 read
//         and 12 written.
// Branch  None, but where contacts differ only in bits that are left.
// Order   It follows from the ranks alone, however many slices there are.
static void sort_by_rank(graze_world *world)
{
    sorting plan = plan_sorting(world);
    const grz_order *order = &world->reports.order;
    uint64_t *from = plan.digits % 2 == 0 ? order->words : order->ranks; // It ends in words.
    plan.counts = order->counters;
    plan.next_counts = plan.counts + ((size_t)plan.slices << plan.digit_bits);
    plan.to = from;
    gather(&plan);
    plan.from = from;
    plan.to = from == order->words ? order->ranks : order->words;
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
    return grz_have_same_segment(before, contact) &&
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
