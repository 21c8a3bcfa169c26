#include "contact_sort.h"

#include "contact_keys.h"
#include "contact_order.h"
#include "parallel.h"
#include "step.h"

#include <string.h>

// How ranks are sorted
//
// By digits, the lowest first, a pass over all for each digit of a; b takes a look at neighbours,
// or where each a has many, digits of its own. The first pass reads the ranks of the hits, part by
// part, those after it go back and forth between two lists.
//
// Where threads share the work, the first pass is by the highest bits of a instead: it tells
// regions apart, which are sorted by what is left each by itself. Ranks say all about the order but
// for fresh contacts that share one, which are sorted after it: so it is the same either way.

enum {
    INSERTION_LIMIT = 12, ///< Runs up to here are sorted by insertion.
    DIGIT_BITS = 11,      ///< At most.
    DIGITS = 1 << DIGIT_BITS,
    MOST_DIGITS = 3, ///< That 32 bits have.
    REGION_BITS = 5, ///< At most.
    REGIONS = 1 << REGION_BITS,
    CONTACTS_A_REGION = 2048, ///< At least, on an average.
    LISTS = GRZ_PARTS + 1     ///< Of what is sorted: the parts' hits, and the fresh contacts.
};

// --- Digits ---

/// Some bits of a rank.
typedef struct digit {
    uint32_t shift, mask;
} digit;

static inline uint32_t read_digit(uint64_t rank, digit read)
{
    return (uint32_t)(rank >> read.shift) & read.mask;
}

// Cuts a number of up to so many bits, from `shift` on, into as few digits as it takes, all of
// about the same length. Returns how many.
static uint32_t cut_digits(uint32_t shift, uint32_t bits, digit *digits)
{
    const uint32_t count = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    const uint32_t width = count ? (bits + count - 1) / count : 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t left = bits - k * width;
        digit own = {shift + k * width, (1u << (left < width ? left : width)) - 1};
        digits[k] = own;
    }
    return count;
}

/// How the step's contacts are sorted.
typedef struct sorting {
    graze_world *world;
    uint32_t rows;    ///< Of counts: one for all lists, or one for each.
    uint32_t regions; ///< That the first digit tells apart, or one.
    uint32_t digit_count;
    bool crowded;                  ///< Each a has many contacts.
    digit first;                   ///< The digit that all are sorted by first.
    digit digits[2 * MOST_DIGITS]; ///< Those after it.
    uint32_t region_first[REGIONS + 1];
    /// How often each value of the first digit comes; then, where the next that has it goes. A row
    /// of a list has REGIONS of them, that of all DIGITS.
    uint32_t counts[LISTS * REGIONS];
} sorting;

_Static_assert(LISTS *REGIONS >= DIGITS, "a row for all fits in");

// In crowds each a has many: there all are sorted by b first, which is linear too. Elsewhere it
// would cost more than the few swaps it saves.
static void plan_digits(sorting *plan, uint32_t region_bits)
{
    const uint32_t bodies = plan->world->bodies.count;
    const uint32_t index_bits = grz_count_bits_of(bodies > 1 ? bodies - 1 : 1);
    digit digits[1 + 2 * MOST_DIGITS];
    uint32_t count = 0;
    plan->crowded = plan->world->order.count > bodies;
    if (region_bits) {
        count = cut_digits(32 + index_bits - region_bits, region_bits, digits);
    }
    if (plan->crowded) {
        count += cut_digits(0, index_bits + 1, digits + count);
    }
    count += cut_digits(32, index_bits - region_bits, digits + count);
    plan->first = digits[0];
    plan->digit_count = count - 1;
    memcpy(plan->digits, digits + 1, plan->digit_count * sizeof *digits);
}

static uint32_t choose_region_bits(const graze_world *world)
{
    const uint32_t bodies = world->bodies.count;
    const uint32_t index_bits = grz_count_bits_of(bodies > 1 ? bodies - 1 : 1);
    uint32_t bits = world->parallel ? grz_count_bits_of(world->order.count / CONTACTS_A_REGION) : 0;
    bits = bits < REGION_BITS ? bits : REGION_BITS;
    return bits < index_bits ? bits : index_bits;
}

static void begin_sorting(graze_world *world, sorting *plan)
{
    const uint32_t region_bits = choose_region_bits(world);
    plan->world = world;
    plan->rows = region_bits ? world->part_count + 1 : 1;
    plan->regions = 1u << region_bits;
    plan_digits(plan, region_bits);
    memset(plan->counts, 0,
           (plan->rows > 1 ? plan->rows * REGIONS : DIGITS) * sizeof *plan->counts);
}

// --- The first pass ---

static uint32_t *row_of(sorting *plan, uint32_t list)
{
    return plan->counts + (plan->rows > 1 ? list * REGIONS : 0);
}

// The places of fresh contacts come after those of hits.
static uint64_t fresh_rank(const graze_world *world, uint32_t k)
{
    const graze_contact *contact = &world->fresh.data[k];
    return grz_rank(contact->a.index, contact->b.index, false);
}

static void count_list(void *context, uint32_t list, uint32_t first, uint32_t end)
{
    sorting *plan = context;
    const graze_world *world = plan->world;
    const digit by = plan->first;
    uint32_t *counts = row_of(plan, list);
    (void)first;
    (void)end;
    if (list == world->part_count) {
        for (uint32_t k = 0; k < world->fresh.count; ++k) {
            ++counts[read_digit(fresh_rank(world, k), by)];
        }
        return;
    }
    const grz_pair_part *part = &world->parts[list];
    const uint64_t *ranks = world->hit_ranks.data + part->hit_first;
    for (uint32_t k = 0; k < (uint32_t)part->hit_count; ++k) {
        ++counts[read_digit(ranks[k], by)];
    }
}

static grz_sorted sorted_of(uint64_t rank, uint32_t place)
{
    grz_sorted item = {(uint32_t)rank, (uint32_t)(rank >> 32), place};
    return item;
}

static void scatter_list(void *context, uint32_t list, uint32_t first, uint32_t end)
{
    sorting *plan = context;
    const graze_world *world = plan->world;
    const digit by = plan->first;
    uint32_t *next = row_of(plan, list);
    grz_sorted *order = world->order.data;
    (void)first;
    (void)end;
    if (list == world->part_count) {
        for (uint32_t k = 0; k < world->fresh.count; ++k) {
            const uint64_t rank = fresh_rank(world, k);
            order[next[read_digit(rank, by)]++] = sorted_of(rank, world->hit_room + k);
        }
        return;
    }
    const grz_pair_part *part = &world->parts[list];
    const uint64_t *ranks = world->hit_ranks.data + part->hit_first;
    for (uint32_t k = 0; k < (uint32_t)part->hit_count; ++k) {
        order[next[read_digit(ranks[k], by)]++] = sorted_of(ranks[k], part->hit_first + k);
    }
}

static void run_lists(sorting *plan, grz_block_fn *run)
{
    const uint32_t lists = plan->world->part_count + 1;
    if (plan->rows > 1) {
        grz_run_blocks(plan->world, lists, 1, run, plan);
        return;
    }
    for (uint32_t list = 0; list < lists; ++list) {
        run(plan, list, list, list + 1);
    }
}

// Turns counts into where each begins: of one value those of the lists in their order.
static void add_up_lists(sorting *plan)
{
    uint32_t sum = 0;
    for (uint32_t value = 0; value <= plan->first.mask; ++value) {
        if (plan->regions > 1) {
            plan->region_first[value] = sum;
        }
        for (uint32_t row = 0; row < plan->rows; ++row) {
            uint32_t *count = row_of(plan, row) + value;
            const uint32_t own = *count;
            *count = sum;
            sum += own;
        }
    }
    if (plan->regions == 1) {
        plan->region_first[0] = 0;
    }
    plan->region_first[plan->regions] = sum;
}

// HOT. bench: engine/step/gas
//
// Data    8 bytes of a rank read twice, 12 written.
// Branch  None: where a contact goes is counted before.
// Order   Equal digits as they come: hits by part, then fresh contacts.
static void sort_by_first_digit(sorting *plan)
{
    run_lists(plan, count_list);
    add_up_lists(plan);
    run_lists(plan, scatter_list);
}

// --- The others ---

/// Some of the order, and what it is sorted with.
typedef struct region {
    grz_sorted *items, *back;
    uint32_t count;
} region;

static void swap_lists(region *of)
{
    grz_sorted *items = of->items;
    of->items = of->back;
    of->back = items;
}

/// How often each value of a digit comes; then, where the next that has it goes.
typedef struct tally {
    uint32_t of[DIGITS];
} tally;

static void clear_tally(tally *counts, digit by)
{
    memset(counts->of, 0, ((size_t)by.mask + 1) * sizeof *counts->of);
}

static void count_digit(const region *of, digit by, tally *counts)
{
    clear_tally(counts, by);
    for (uint32_t k = 0; k < of->count; ++k) {
        ++counts->of[read_digit(grz_rank_of_sorted(of->items[k]), by)];
    }
}

static void add_up(tally *counts, digit by)
{
    uint32_t sum = 0;
    for (uint32_t value = 0; value <= by.mask; ++value) {
        const uint32_t own = counts->of[value];
        counts->of[value] = sum;
        sum += own;
    }
}

// Puts all into the order of one digit, and counts another one.
static void sort_and_count(region *of, digit by, tally *next, digit then, tally *counts)
{
    const grz_sorted *from = of->items;
    grz_sorted *to = of->back;
    clear_tally(counts, then);
    for (uint32_t k = 0; k < of->count; ++k) {
        const grz_sorted item = from[k];
        const uint64_t rank = grz_rank_of_sorted(item);
        to[next->of[read_digit(rank, by)]++] = item;
        ++counts->of[read_digit(rank, then)];
    }
    swap_lists(of);
}

static void sort_by_last_digit(region *of, digit by, tally *next)
{
    const grz_sorted *from = of->items;
    grz_sorted *to = of->back;
    for (uint32_t k = 0; k < of->count; ++k) {
        const grz_sorted item = from[k];
        to[next->of[read_digit(grz_rank_of_sorted(item), by)]++] = item;
    }
    swap_lists(of);
}

// HOT. bench: engine/step/gas
//
// Data    12 bytes read once; and for each digit read and written.
// Branch  None.
// Order   Equal digits as they come.
static void sort_by_digits(region *of, const digit *digits, uint32_t count)
{
    tally tallies[2];
    if (count == 0) {
        return;
    }
    count_digit(of, digits[0], &tallies[0]);
    for (uint32_t k = 0; k + 1 < count; ++k) {
        add_up(&tallies[k % 2], digits[k]);
        sort_and_count(of, digits[k], &tallies[k % 2], digits[k + 1], &tallies[1 - k % 2]);
    }
    add_up(&tallies[(count - 1) % 2], digits[count - 1]);
    sort_by_last_digit(of, digits[count - 1], &tallies[(count - 1) % 2]);
}

// --- Runs ---

static int by_b(const graze_world *world, grz_sorted first, grz_sorted second)
{
    (void)world;
    return grz_compare_numbers(first.b, second.b);
}

static bool is_sorted(const graze_world *world, const grz_sorted *items, uint32_t count,
                      grz_sorted_compare_fn *compare)
{
    for (uint32_t k = 1; k < count; ++k) {
        if (compare(world, items[k - 1], items[k]) > 0) {
            return false;
        }
    }
    return true;
}

static void sort_by_insertion(const graze_world *world, grz_sorted *items, uint32_t count,
                              grz_sorted_compare_fn *compare)
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

void grz_sort_run(const graze_world *world, grz_sorted *items, grz_sorted *scratch, uint32_t count,
                  grz_sorted_compare_fn *compare)
{
    if (is_sorted(world, items, count, compare)) {
        return;
    }
    if (count <= INSERTION_LIMIT) {
        sort_by_insertion(world, items, count, compare);
        return;
    }
    uint32_t half = count / 2;
    grz_sort_run(world, items, scratch, half, compare);
    grz_sort_run(world, items + half, scratch, count - half, compare);
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
static uint32_t sort_run_around(const graze_world *world, const region *of, uint32_t k)
{
    grz_sorted *items = of->items;
    uint32_t first = k;
    uint32_t end = k + 1;
    while (first > 0 && items[first - 1].a == items[k].a) {
        --first;
    }
    while (end < of->count && items[end].a == items[k].a) {
        ++end;
    }
    grz_sort_run(world, items + first, of->back, end - first, by_b);
    return end;
}

// Moves an item down to where it belongs among those before it, which are in order. Returns false
// when that is far, and it has come but part of the way.
static bool insert_nearby(grz_sorted *items, uint32_t k)
{
    const grz_sorted item = items[k];
    const uint32_t least = k < INSERTION_LIMIT ? 0 : k - INSERTION_LIMIT;
    for (; k > least && grz_rank_of_sorted(items[k - 1]) > grz_rank_of_sorted(item); --k) {
        items[k] = items[k - 1];
    }
    items[k] = item;
    return k > least || k == 0;
}

// HOT. bench: engine/step/gas
//
// Data    12 bytes read.
// Branch  Few have the neighbour's a, and half of those come in order.
static void sort_runs_by_b(const graze_world *world, const region *of)
{
    uint64_t before = 0;
    for (uint32_t k = 0; k < of->count; ++k) {
        const uint64_t rank = grz_rank_of_sorted(of->items[k]);
        if (rank < before && !insert_nearby(of->items, k)) {
            k = sort_run_around(world, of, k) - 1;
        }
        before = grz_rank_of_sorted(of->items[k]);
    }
}

// --- All of it ---

static void sort_region(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const grz_order *order = &plan->world->order;
    const uint32_t begin = plan->region_first[number];
    region own = {order->data + begin, order->back + begin, plan->region_first[number + 1] - begin};
    (void)first;
    (void)end;
    sort_by_digits(&own, plan->digits, plan->digit_count);
    if (!plan->crowded) {
        sort_runs_by_b(plan->world, &own);
    }
}

void grz_sort_by_rank(graze_world *world)
{
    sorting plan;
    begin_sorting(world, &plan);
    sort_by_first_digit(&plan);
    grz_run_blocks(world, plan.regions, 1, sort_region, &plan);
    if (plan.digit_count % 2) {
        grz_sorted *data = world->order.data;
        world->order.data = world->order.back;
        world->order.back = data;
    }
}
