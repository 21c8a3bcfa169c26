#include "step/contact_sort.h"

#include "bits.h"
#include "min_max.h"
#include "prefetch.h"
#include "step/contact_crowd.h"
#include "step/contact_digits.h"
#include "step/contact_region.h"
#include "world/contact_keys.h"
#include "world/contact_rank.h"
#include "world/parallel.h"

#include <string.h>

// How ranks are sorted
//
// A first pass parts the contacts into regions by the highest bits of a; threads may share the
// regions out. In small worlds it is not needed: all hits are one region, as they were found.
// Within a region contacts are counted by a, and those of the same a put side by side, as a run;
// then lanes put each run into order: see contact_region_wide.h. Where the runs of a small world
// are long, contacts are counted by b, too, instead: see contact_crowd.h. A region is small enough
// for the nearest caches: waiting for memory would cost more than all that is done with it.
//
// The order is the same whatever the regions are: it follows from the ranks alone, but for fresh
// contacts that share one, which are sorted later.

enum {
    SCALAR_RUN_LIMIT = 12,  ///< Runs up to here are sorted by insertion, without lanes.
    REGION_BITS = 12,       ///< A region has this many a's, as a power of two,
    ALONE_BITS = 14,        ///< or this many where it is the only one.
    RUN_LIMIT_OF_LONG = 8,  ///< Runs are long when they have on average an eighth of run_limit.
    SHARED_CONTACTS = 4096, ///< Fewer are not worth a thread's while.
    NUMBERS_A_LINE = 16,    ///< Of a cache.
    OTHER_LISTS = 2,        ///< Besides those of the parts: the hits of rays, and fresh contacts.
    AHEAD = 8 ///< How far ahead a region is prefetched: no processor follows hundreds of them.
};

/// How the step's contacts are sorted.
typedef struct sorting {
    graze_world *world;
    const grz_region_loops *loops;
    bool shared;           ///< Threads share the work.
    uint32_t bodies;       ///< All indices are below this.
    uint32_t b_bits;       ///< The bits in use of a rank's lower half.
    uint32_t run_shift;    ///< a's index, shifted right by this, is its run;
    uint32_t region_shift; ///< shifted by this, its region.
    uint32_t regions;
    uint32_t lists;         ///< Of contacts, that the first pass takes; 0: there is no such pass.
    uint32_t *region_first; ///< By region: its first place; then the end of the last one.
    uint32_t *counts;       ///< By list and region: how many; later the next place.
    uint32_t *starts;       ///< Of runs, where there is one region only.
    uint32_t *keys;         ///< Scratch of the regions: one for all or, with threads, one for each.
} sorting;

// Without lanes: insertion sort.
static void order_each(const grz_region *region, uint64_t *ranks, uint32_t *places)
{
    for (uint32_t k = 0; k < region->count; ++k) {
        const uint64_t own = grz_rank_of_key(&region->cut, region->keys[k]);
        uint32_t to = k;
        for (; to > 0 && ranks[to - 1] > own; --to) {
            ranks[to] = ranks[to - 1];
            places[to] = places[to - 1];
        }
        ranks[to] = own;
        places[to] = region->places[k];
    }
}

static void cut_each(const grz_key_cut *cut, const uint64_t *ranks, uint32_t count, uint32_t *keys)
{
    for (uint32_t k = 0; k < count; ++k) {
        keys[k] = grz_key_of_rank(cut, ranks[k]);
    }
}

const grz_region_loops grz_region_loops_scalar = {SCALAR_RUN_LIMIT, cut_each, order_each};

static const grz_region_loops *loops_for(grz_lane_set lanes)
{
    static const grz_region_loops *const loops[] = GRZ_WIDE_TABLES(grz_region_loops);
    return loops[lanes];
}

// There are about as many runs as contacts, or as bodies if these are fewer.
static uint32_t choose_run_shift(const graze_world *world, uint32_t index_bits)
{
    const uint32_t count_bits = grz_count_bits_of(world->reports.order.count);
    return index_bits > count_bits ? index_bits - count_bits : 0;
}

// Keys have 31 bits, of which b takes one more than an index: in worlds of millions of bodies that
// leaves fewer to a region.
static sorting plan_sorting(const graze_world *world)
{
    const uint32_t bodies = world->bodies.cold.count ? world->bodies.cold.count : 1;
    const uint32_t index_bits = grz_count_bits_of(bodies - 1);
    const bool alone =
        world->found.part_count == 1 && world->found.fresh.count == 0 && index_bits <= ALONE_BITS;
    sorting plan = {
        .loops = loops_for(world->config.lanes), .bodies = bodies, .b_bits = index_bits + 1};
    plan.shared = world->config.parallel && world->reports.order.count >= SHARED_CONTACTS;
    plan.region_shift = alone ? ALONE_BITS : min_u32(REGION_BITS, 31 - plan.b_bits);
    plan.regions = ((bodies - 1) >> plan.region_shift) + 1;
    plan.run_shift = choose_run_shift(world, index_bits);
    plan.lists = alone ? 0 : world->found.part_count + OTHER_LISTS;
    return plan;
}

static uint32_t count_runs_of(const sorting *plan, uint32_t region)
{
    const uint32_t left = plan->bodies - (region << plan->region_shift);
    return ((min_u32(1u << plan->region_shift, left) - 1) >> plan->run_shift) + 1;
}

static size_t count_starts(const sorting *plan)
{
    return plan->lists ? 0 : count_runs_of(plan, 0);
}

size_t grz_sort_word_count(const graze_world *world)
{
    const sorting plan = plan_sorting(world);
    const size_t padded = plan.shared ? plan.regions : 1;
    return (size_t)plan.regions * (plan.lists + 1) + 1 + count_starts(&plan) +
           3 * (size_t)world->reports.order.count + padded * 2 * GRZ_REGION_PADDING;
}

static void run_blocks(sorting *plan, uint32_t count, grz_block_fn *run)
{
    const grz_runner alone = {NULL, NULL};
    if (plan->shared) {
        grz_run_blocks(plan->world, count, 1, run, plan);
    } else {
        grz_runner_run(alone, count, 1, run, plan);
    }
}

// --- The first pass ---

// The places of fresh contacts come after those of hits.
static uint64_t fresh_rank(const graze_world *world, uint32_t k)
{
    const graze_contact *contact = &world->found.fresh.data[k];
    return grz_rank(contact->a.index, contact->b.index, false);
}

/// Some of the hits, side by side.
typedef struct hit_list {
    uint32_t first, count;
} hit_list;

// Returns those of a part, or, after the last, those of rays.
static hit_list hits_of(const graze_world *world, uint32_t list)
{
    const hit_list of_rays = {world->found.ray_hits_first, world->found.ray_hit_count};
    if (list == world->found.part_count) {
        return of_rays;
    }
    const grz_part_list *hits = &world->found.parts[list].hits;
    const hit_list of_part = {hits->first, (uint32_t)hits->count};
    return of_part;
}

static void count_list(void *context, uint32_t list, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const graze_world *world = plan->world;
    const uint32_t shift = plan->region_shift;
    uint32_t *counts = plan->counts + (size_t)list * plan->regions;
    (void)first;
    (void)end;
    memset(counts, 0, plan->regions * sizeof *counts);
    if (list > world->found.part_count) {
        for (uint32_t k = 0; k < world->found.fresh.count; ++k) {
            ++counts[grz_a_of_rank(fresh_rank(world, k)) >> shift];
        }
        return;
    }
    const hit_list hits = hits_of(world, list);
    const uint64_t *ranks = world->found.hit_ranks.data + hits.first;
    for (uint32_t k = 0; k < hits.count; ++k) {
        ++counts[grz_a_of_rank(ranks[k]) >> shift];
    }
}

static void scatter_list(void *context, uint32_t list, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const graze_world *world = plan->world;
    const uint32_t shift = plan->region_shift;
    uint32_t *next = plan->counts + (size_t)list * plan->regions;
    uint64_t *to_ranks = world->reports.order.ranks;
    uint32_t *to_places = world->reports.order.places;
    (void)first;
    (void)end;
    if (list > world->found.part_count) {
        for (uint32_t k = 0; k < world->found.fresh.count; ++k) {
            const uint64_t rank = fresh_rank(world, k);
            const uint32_t to = next[grz_a_of_rank(rank) >> shift]++;
            to_ranks[to] = rank;
            to_places[to] = world->found.hit_room + k;
        }
        return;
    }
    const hit_list hits = hits_of(world, list);
    const uint64_t *ranks = world->found.hit_ranks.data + hits.first;
    const uint32_t room = world->reports.order.count;
    for (uint32_t k = 0; k < hits.count; ++k) {
        const uint32_t to = next[grz_a_of_rank(ranks[k]) >> shift]++;
        const uint32_t ahead = to + AHEAD < room ? to + AHEAD : to;
        GRZ_PREFETCH(to_ranks + ahead);
        GRZ_PREFETCH(to_places + ahead);
        to_ranks[to] = ranks[k];
        to_places[to] = hits.first + k;
    }
}

// Converts counts into first places: within a region lists follow in their order.
static void add_up_lists(sorting *plan)
{
    uint32_t sum = 0;
    for (uint32_t region = 0; region < plan->regions; ++region) {
        plan->region_first[region] = sum;
        for (uint32_t list = 0; list < plan->lists; ++list) {
            uint32_t *count = plan->counts + (size_t)list * plan->regions + region;
            const uint32_t own = *count;
            *count = sum;
            sum += own;
        }
    }
}

// HOT. bench: engine/step/gas
//
// Data    8 bytes of a rank read twice, 12 written.
// Branch  None: the places of contacts have been counted.
// Order   Stable: in a region hits by part, those of rays, then fresh contacts.
static void part_regions(sorting *plan)
{
    run_blocks(plan, plan->lists, count_list);
    add_up_lists(plan);
    run_blocks(plan, plan->lists, scatter_list);
}

// --- A region ---

/// Contacts of a region, as they come.
typedef struct crowd {
    const uint64_t *ranks;
    const uint32_t *places; ///< Null: they are from first_place on, one after the other.
    const uint32_t *keys;   ///< Of the ranks.
    uint32_t first_place, count;
    grz_key_cut cut;
    uint32_t run_bits; ///< Of a key: what is left is its run.
    uint32_t runs;
} crowd;

static inline uint32_t place_of(const crowd *crowded, uint32_t k)
{
    return crowded->places ? crowded->places[k] : crowded->first_place + k;
}

// The next two work on a copy of `crowded`: a compiler must assume that their stores change what it
// points to, and would load it again for each contact.

// Notes which of its run each contact is: to count again where it goes, each would wait for the one
// before it in the same run. Prefetches keys and places, which put_by_run writes out of order: it
// would wait for each line, and takes a third as long where they are more than the caches hold
// (bench: engine/step/clusters-dense).
static void count_runs(const crowd *crowded, const uint32_t *keys, const uint32_t *places,
                       uint32_t *counts, uint32_t *slots)
{
    const crowd local = *crowded;
    memset(counts, 0, local.runs * sizeof *counts);
    for (uint32_t first = 0; first < local.count; first += NUMBERS_A_LINE) {
        const uint32_t end = first + min_u32(local.count - first, NUMBERS_A_LINE);
        GRZ_PREFETCH(keys + first);
        GRZ_PREFETCH(places + first);
        for (uint32_t k = first; k < end; ++k) {
            slots[k] = counts[local.keys[k] >> local.run_bits]++;
        }
    }
}

static void put_by_run(const crowd *crowded, const uint32_t *starts, const uint32_t *slots,
                       uint32_t *keys, uint32_t *places)
{
    const crowd local = *crowded;
    for (uint32_t k = 0; k < local.count; ++k) {
        const uint32_t to = starts[local.keys[k] >> local.run_bits] + slots[k];
        keys[to] = local.keys[k];
        places[to] = place_of(&local, k);
    }
}

static void pad_keys(uint32_t *keys, uint32_t count, uint32_t padding)
{
    for (uint32_t k = 0; k < padding; ++k) {
        (keys - padding)[k] = 0;
        (keys + count)[k] = INT32_MAX;
    }
}

// HOT. bench: engine/step/clusters-dense
//
// Where threads share the work. Linear whatever the runs are. Lanes are quicker where runs are
// short: by AVX-512 where those of one length have up to 64, by AVX2 55, by SSE2 20.
//
// Data    4 or 8 bytes of a contact read, 8 written, before the digits take them.
// Branch  None.
static void order_by_digits(const crowd *crowded, grz_keyed_contact *list, uint64_t *ranks,
                            uint32_t *places)
{
    for (uint32_t k = 0; k < crowded->count; ++k) {
        list[k].key = crowded->keys[k];
        list[k].place = place_of(crowded, k);
    }
    grz_sort_by_digits(&crowded->cut, list, crowded->count, ranks, places);
}

// Whether the world is small and its runs are long: from some 12 in a run on with AVX-512, 8 with
// AVX2. Such a crowd is ordered by counting twice, because lanes compare each contact with those
// around it (bench: engine/step/clusters-dense).
static bool is_crowded(const sorting *plan, const crowd *crowded)
{
    const uint32_t long_run = plan->loops->run_limit / RUN_LIMIT_OF_LONG;
    return plan->lists == 0 && plan->run_shift == 0 && crowded->count / long_run >= crowded->runs;
}

static void order_crowd(const crowd *crowded, uint32_t *starts, grz_keyed_contact *list,
                        uint64_t *ranks, uint32_t *places)
{
    const grz_crowd all = {
        crowded->keys, crowded->cut, crowded->first_place, crowded->count, crowded->runs,
        starts,        list};
    grz_sort_crowd(&all, ranks, places);
}

static crowd crowd_of(const sorting *plan, uint32_t number)
{
    const graze_world *world = plan->world;
    const uint32_t begin = plan->region_first[number];
    const uint32_t first_a = number << plan->region_shift;
    const crowd own = {
        .ranks = plan->lists ? world->reports.order.ranks + begin : world->found.hit_ranks.data,
        .places = plan->lists ? world->reports.order.places + begin : NULL,
        .first_place = world->found.parts[0].hits.first,
        .count = plan->region_first[number + 1] - begin,
        .cut = {first_a, plan->b_bits},
        .run_bits = plan->b_bits + min_u32(plan->run_shift, plan->region_shift),
        .runs = count_runs_of(plan, number),
    };
    return own;
}

// HOT. bench: engine/step/gas
//
// Data    8 bytes of a rank and maybe 4 of a place read, 4 of a key written and read twice, 4 of
//         what count_runs notes written and read, 8 written by run, and read and 12 written by the
//         lanes.
// Branch  None but in long runs.
static void sort_region(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    const sorting *plan = context;
    const graze_world *world = plan->world;
    crowd own = crowd_of(plan, number);
    const uint32_t begin = plan->region_first[number];
    if (own.count == 0) {
        return;
    }
    const size_t padding = ((plan->shared ? 2 * (size_t)number : 0) + 1) * GRZ_REGION_PADDING;
    uint32_t local[1 << REGION_BITS];
    uint32_t *starts = plan->lists ? local : plan->starts;
    uint32_t *keys = plan->keys + (plan->shared ? 3 * (size_t)begin : 0) + padding;
    uint32_t *places = keys + own.count + GRZ_REGION_PADDING;
    uint32_t *unsorted = places + own.count;
    uint64_t *to_ranks = world->reports.order.ranks + begin;
    uint32_t *to_places = world->reports.order.places + begin;
    (void)first;
    (void)end;
    plan->loops->cut(&own.cut, own.ranks, own.count, unsorted);
    own.keys = unsorted;
    if (is_crowded(plan, &own)) {
        order_crowd(&own, starts, (grz_keyed_contact *)(void *)keys, to_ranks, to_places);
        return;
    }
    uint32_t *slots = (uint32_t *)(void *)to_ranks; // Nobody reads ranks there any more.
    count_runs(&own, keys, places, starts, slots);
    const uint32_t most = grz_counts_add_up(starts, own.runs);
    if (most > plan->loops->run_limit) {
        order_by_digits(&own, (grz_keyed_contact *)(void *)keys, to_ranks, to_places);
        return;
    }
    put_by_run(&own, starts, slots, keys, places);
    pad_keys(keys, own.count, most + GRZ_REGION_SPARE);
    const uint32_t run_mask = (1u << own.run_bits) - 1;
    const grz_region region = {own.cut, own.count, most, run_mask, keys, places};
    plan->loops->order(&region, to_ranks, to_places);
}

// --- What is in order ---

// HOT. bench: engine/step/pile-rigid
//
// What the solver reports mostly is in order: see outcome.c. Where nothing else has met, it need
// not be sorted. Returns whether that is so.
//
// Data    8 bytes of a contact read, 12 written, in order.
static bool keep_order(const graze_world *world)
{
    const uint32_t count = world->found.fresh.count, room = world->found.hit_room;
    uint64_t *ranks = world->reports.order.ranks, last = 0;
    uint32_t *places = world->reports.order.places;
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

// --- All of it ---

void grz_sort_by_rank(graze_world *world)
{
    sorting plan = plan_sorting(world);
    plan.world = world;
    if (!plan.shared && world->found.fresh.count == world->reports.order.count &&
        keep_order(world)) {
        return;
    }
    plan.region_first = world->reports.order.words;
    plan.counts = plan.region_first + plan.regions + 1;
    plan.starts = plan.counts + (size_t)plan.lists * plan.regions;
    plan.keys = plan.starts + count_starts(&plan);
    plan.region_first[0] = 0;
    if (plan.lists) {
        part_regions(&plan);
    }
    plan.region_first[plan.regions] = world->reports.order.count;
    run_blocks(&plan, plan.regions, sort_region);
}
