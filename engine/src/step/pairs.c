// Pairs: candidates from the grid, filtered and passed on to be decided (decide.c).

#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "min_max.h"
#include "solve/slices.h"
#include "step/carry.h"
#include "step/decide.h"
#include "step/step.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

#include <string.h>

// Where contacts go
//
// Each thread takes a part of the pairs, and each part has a stretch of the lists: as much as it or
// a neighbouring part filled in the last step, and some more. A part that finds more keeps
// counting, and overwrites what it has; then all parts are repeated, with room for what they
// counted. If there is one part only, its lists grow instead: so the game's filter is asked once.
//
// The stretches of contacts and touches need not be full. Those of candidate pairs are closed up:
// their order is that of the grid's pairs, however many parts there are.

enum {
    PAIRS_AT_ONCE = 1024,
    ROWS_A_PART = GRZ_BLOCK_ROWS,
    EQUAL_SHARES = 4, ///< Parts come in multiples of it: two or four threads get equally many.
    CHANCE = 64,      ///< A small count may grow by this much by chance alone.
    SPARE_ROOM = GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING ///< Enough for the next pairs.
};

// Drops the pairs whose filters do not let them meet, and returns how many are left.
static uint32_t filter_by_masks(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    if (!world->bodies.filter_count) {
        return count;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_pair pair = pairs[i];
        pairs[kept] = pair;
        kept += grz_bodies_meet(world, pair.a, pair.b);
    }
    return kept;
}

// The same where the grid has compared the kinds of its pairs.
static uint32_t filter_by_kinds(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const grz_filter_kinds *kinds = &world->grid.kinds;
    const uint32_t *traits = world->bodies.rows.traits;
    if (!world->bodies.filter_count || (!kinds->grouped && !kinds->full)) {
        return count;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_pair pair = pairs[i];
        const grz_filter_answer answer =
            grz_filter_kinds_judge(kinds, traits[pair.a] >> GRZ_TRAIT_FILTER_SHIFT,
                                   traits[pair.b] >> GRZ_TRAIT_FILTER_SHIFT);
        GRZ_FAULT(groups_of_pairs, if (answer == GRZ_FILTERS_ASK) answer = GRZ_FILTERS_MEET);
        pairs[kept] = pair;
        kept += answer == GRZ_FILTERS_MEET ||
                (answer == GRZ_FILTERS_ASK && grz_bodies_meet(world, pair.a, pair.b));
    }
    return kept;
}

// Drops the pairs that the game's own filter does not let meet, and returns how many are left.
static uint32_t ask_game(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_pair pair = pairs[i];
        pairs[kept] = pair;
        kept += grz_game_lets_meet(world, pair.a, pair.b);
    }
    return kept;
}

enum { MAY_TURN = GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID };

// Whether a body of these traits is a disc whose box allows for a reach in all directions.
static inline bool is_disc_in_reach(uint32_t traits)
{
    return (traits & MAY_TURN) && !(traits & GRZ_TRAIT_KIND);
}

static bool has_discs_in_reach(const graze_world *world)
{
    return (world->found.totals.traits & MAY_TURN) &&
           world->bodies.rect_count + world->bodies.ray_count < world->bodies.count;
}

// Whether circles as wide as two boxes are apart, by the margin of contacts, which not all boxes
// have, and so by more than rounding.
static inline bool are_circles_apart(const graze_world *world, graze_pair pair)
{
    const graze_aabb *boxes = world->found.box_memory.data, *a = &boxes[pair.a],
                     *b = &boxes[pair.b];
    const graze_vec2 *position = world->bodies.rows.position;
    const float wide = (a->upper.x - a->lower.x) + (b->upper.x - b->lower.x);
    const float x = position[pair.a].x - position[pair.b].x;
    const float y = position[pair.a].y - position[pair.b].y;
    const float margin = 1 + (float)grz_contact_margin, share = margin * margin / 4;
    GRZ_FAULT(discs_in_small_circles, share /= 2);
    return x * x + y * y > wide * wide * share;
}

// Drops the pairs of discs that cannot meet, and returns how many are left: none of the two leaves
// its circle. Still ones are none of these: they would have woken.
static uint32_t filter_by_circles(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const uint32_t *traits = world->bodies.rows.traits;
    if (!has_discs_in_reach(world) || world->config.no_shortcuts || world->found.carries) {
        return count;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_pair pair = pairs[i];
        pairs[kept] = pair;
        kept += !(is_disc_in_reach(traits[pair.a]) && is_disc_in_reach(traits[pair.b]) &&
                  are_circles_apart(world, pair));
    }
    return kept;
}

static void point_sinks(const graze_world *world, const grz_pair_part *part, grz_pair_sinks *sinks)
{
    const grz_part_list *lists = part->lists;
    sinks->contacts.contacts = world->found.contacts.data + lists[GRZ_OF_CONTACTS].first;
    sinks->candidates.candidates = world->found.candidates.data + lists[GRZ_OF_CANDIDATES].first;
    sinks->touches.touches = world->found.ray_touches.data + lists[GRZ_OF_TOUCHES].first;
}

static bool has_room(const grz_pair_part *part, const grz_pair_sinks *sinks)
{
    const grz_part_list *lists = part->lists;
    return lists[GRZ_OF_CONTACTS].room - sinks->contacts.count >= SPARE_ROOM &&
           lists[GRZ_OF_CANDIDATES].room - sinks->candidates.count >= SPARE_ROOM &&
           lists[GRZ_OF_TOUCHES].room - sinks->touches.count >= SPARE_ROOM;
}

static bool reserve_lists(graze_world *world, const uint64_t sizes[GRZ_PART_LISTS])
{
    const graze_allocator *allocator = &world->config.counting;
    const uint64_t contacts = sizes[GRZ_OF_CONTACTS], candidates = sizes[GRZ_OF_CANDIDATES];
    const uint64_t touches = sizes[GRZ_OF_TOUCHES];
    return contacts <= UINT32_MAX && candidates <= UINT32_MAX && touches <= UINT32_MAX &&
           grz_array_reserve_tight(&world->found.contacts, allocator, (size_t)contacts) &&
           grz_array_reserve(&world->found.candidates, allocator, (size_t)candidates) &&
           grz_array_reserve(&world->found.ray_touches, allocator, (size_t)touches);
}

// A single part has all the room.
static void take_all_room(const graze_world *world, grz_pair_part *part)
{
    part->lists[GRZ_OF_CONTACTS].room = world->found.contacts.capacity;
    part->lists[GRZ_OF_CANDIDATES].room = world->found.candidates.capacity;
    part->lists[GRZ_OF_TOUCHES].room = world->found.ray_touches.capacity;
}

static bool grow(graze_world *world, grz_pair_part *part, grz_pair_sinks *sinks)
{
    const uint64_t sizes[] = {(uint64_t)sinks->contacts.count + SPARE_ROOM,
                              (uint64_t)sinks->candidates.count + SPARE_ROOM,
                              (uint64_t)sinks->touches.count + SPARE_ROOM};
    const bool grown = reserve_lists(world, sizes);
    take_all_room(world, part);
    point_sinks(world, part, sinks);
    return grown;
}

// Counts what has been found, and empties the sinks.
static void take_counts(grz_pair_part *part, grz_pair_sinks *sinks)
{
    part->lists[GRZ_OF_CONTACTS].count += sinks->contacts.count;
    part->lists[GRZ_OF_CANDIDATES].count += sinks->candidates.count;
    part->lists[GRZ_OF_TOUCHES].count += sinks->touches.count;
    sinks->contacts.count = sinks->candidates.count = sinks->touches.count = 0;
}

static void find_room(graze_world *world, grz_pair_part *part, grz_pair_sinks *sinks)
{
    if (!has_room(part, sinks) && !(world->found.part_count == 1 && grow(world, part, sinks))) {
        part->overflowed = true;
        take_counts(part, sinks);
    }
}

static void decide_found(graze_world *world, const graze_pair *pairs, uint32_t count,
                         grz_pair_part *part, grz_pair_sinks *sinks)
{
    grz_decide_begin(world, pairs, count);
    for (uint32_t first = 0; first < count; first += GRZ_DECIDED_AT_ONCE) {
        const uint32_t rest = count - first;
        const uint32_t some = min_u32(rest, GRZ_DECIDED_AT_ONCE);
        find_room(world, part, sinks);
        grz_decide_pairs(world, pairs + first, some, rest, sinks);
    }
}

static void clear_counts(grz_pair_part *part)
{
    const grz_pair_part before = *part;
    *part = (grz_pair_part){.overflowed = false};
    for (uint32_t list = 0; list < GRZ_PART_LISTS; ++list) {
        part->lists[list].first = before.lists[list].first;
        part->lists[list].room = before.lists[list].room;
    }
}

/// The position in the stream of a part's pairs.
typedef struct pair_stream {
    graze_grid_cursor sorted;
    grz_sleep_cursor rest;
    bool has_rest; ///< The last part also has pairs of an active and a still body.
} pair_stream;

// Returns how many boxes were found to overlap, 0 at the end; sets `*met` to for how many of them
// filters do not prevent it, and `*kept` to how many of these may meet.
static uint32_t find_pairs(const graze_world *world, pair_stream *stream, graze_pair *pairs,
                           uint32_t *met, uint32_t *kept)
{
    uint32_t found =
        graze_grid_next_pairs(world->grid.cells, &stream->sorted, pairs, PAIRS_AT_ONCE);
    if (found) {
        grz_rows_of_places(world, pairs, found);
        *met = grz_is_sliced(world) ? filter_by_masks(world, pairs, found)
                                    : filter_by_kinds(world, pairs, found);
        *kept = filter_by_circles(world, pairs, *met);
    } else {
        found =
            stream->has_rest ? grz_sleep_next_pairs(world, &stream->rest, pairs, PAIRS_AT_ONCE) : 0;
        *met = *kept = filter_by_masks(world, pairs, found);
    }
    *kept = world->config.filter ? ask_game(world, pairs, *kept) : *kept;
    return found;
}

// HOT. bench: engine/step/gas
//
// Data    8 KB of pairs, which stay in the first cache until they are decided.
static void run_part(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_pair_part part = world->found.parts[number];
    const double rate = grz_steps_per_second(world);
    grz_pair_sinks sinks = {{NULL, 0, rate}, {NULL, 0}, {NULL, 0, rate}};
    const graze_grid_moves moves = {
        .from = world->bodies.rows.position,
        .to = world->bodies.rows.end,
        .index = world->grid.places_are_rows ? NULL : graze_grid_order(world->grid.cells),
    };
    pair_stream stream = {
        .sorted = graze_grid_begin_pairs_part(world->grid.cells, number, world->found.part_count),
        .has_rest = number + 1 == world->found.part_count,
    };
    (void)first;
    (void)end;
    graze_grid_set_moves(&stream.sorted, &moves);
    clear_counts(&part);
    point_sinks(world, &part, &sinks);
    graze_pair pairs[PAIRS_AT_ONCE];
    double start = grz_now_in_seconds();
    uint32_t met, kept;
    while (find_pairs(world, &stream, pairs, &met, &kept)) {
        const double between = grz_now_in_seconds();
        part.candidate_count += met;
        part.pair_seconds += between - start;
        decide_found(world, pairs, kept, &part, &sinks);
        start = grz_now_in_seconds();
        part.decide_seconds += start - between;
    }
    take_counts(&part, &sinks);
    part.tested_count = stream.sorted.tested;
    world->found.parts[number] = part;
}

// The game's own filter is asked on the game's own thread.
static uint32_t count_parts(const graze_world *world)
{
    const uint32_t rows = world->bodies.active_count;
    const uint32_t wanted = EQUAL_SHARES * grz_count_blocks(rows, EQUAL_SHARES * ROWS_A_PART);
    const bool alone = !world->config.parallel || world->config.filter || rows <= ROWS_A_PART;
    return alone ? 1 : wanted < GRZ_PARTS ? wanted : GRZ_PARTS;
}

// Keeps the counts of the last step if there are as many parts: each is expected to find as much
// again.
static void cut_parts(graze_world *world)
{
    const uint32_t part_count = count_parts(world);
    if (part_count == world->found.part_count) {
        return;
    }
    memset(world->found.parts, 0, sizeof world->found.parts);
    world->found.part_count = part_count;
}

// The count of one of several parts varies more from step to step than their sum: so each gets room
// for a quarter more, and for what chance may add to a small count.
static uint64_t wanted_room(const graze_world *world, uint64_t count)
{
    return count + (world->found.part_count > 1 ? count / 4 + CHANCE : 0) + SPARE_ROOM;
}

// What parts find of a list on average.
static uint64_t mean_of_parts(const graze_world *world, uint32_t list)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < world->found.part_count; ++k) {
        sum += world->found.parts[k].lists[list].count;
    }
    return sum / world->found.part_count;
}

// The maximum of the counts of a part and its neighbours, and of the mean. Bodies of one kind are
// in neighbouring parts, and the first of these changes from step to step: so a part may find as
// much as the next. Once the grid has found its cells, parts are more alike than they were.
static uint64_t most_around(const graze_world *world, uint32_t list, uint32_t k, uint64_t mean)
{
    uint64_t most = mean;
    for (uint32_t i = k > 0 ? k - 1 : k; i < world->found.part_count && i <= k + 1; ++i) {
        const uint64_t count = world->found.parts[i].lists[list].count;
        most = count > most ? count : most;
    }
    return most;
}

// Gives each part a stretch of each list.
static bool share_room(graze_world *world)
{
    uint64_t ends[GRZ_PART_LISTS] = {0};
    for (uint32_t list = 0; list < GRZ_PART_LISTS; ++list) {
        const uint64_t mean = mean_of_parts(world, list);
        for (uint32_t k = 0; k < world->found.part_count; ++k) {
            grz_part_list *own = &world->found.parts[k].lists[list];
            own->first = (uint32_t)ends[list];
            ends[list] += wanted_room(world, most_around(world, list, k, mean));
            own->room = (uint32_t)ends[list] - own->first;
        }
    }
    return reserve_lists(world, ends);
}

static bool has_overflowed(const graze_world *world)
{
    bool overflowed = false;
    for (uint32_t k = 0; k < world->found.part_count; ++k) {
        overflowed = overflowed || world->found.parts[k].overflowed;
    }
    return overflowed;
}

// Returns false if memory runs out; the counts are then dropped, so that the next step need not ask
// for as much.
static bool run_parts(graze_world *world)
{
    bool stored = false;
    cut_parts(world);
    while (!stored && share_room(world)) {
        if (world->found.part_count == 1) {
            take_all_room(world, &world->found.parts[0]);
        }
        grz_run_blocks(world, world->found.part_count, 1, run_part, world);
        stored = !has_overflowed(world);
        if (!stored && world->found.part_count == 1) {
            break;
        }
    }
    world->found.part_count = stored ? world->found.part_count : 0;
    return stored;
}

static void move_candidates(graze_world *world, const grz_part_list *own)
{
    if (world->found.candidates.count != own->first) {
        memmove(world->found.candidates.data + world->found.candidates.count,
                world->found.candidates.data + own->first,
                (size_t)own->count * sizeof *world->found.candidates.data);
    }
    world->found.candidates.count += (uint32_t)own->count;
}

static uint64_t count_tested(const graze_world *world)
{
    uint64_t tested = 0;
    for (uint32_t k = 0; k < world->found.part_count; ++k) {
        tested += world->found.parts[k].tested_count;
    }
    return tested;
}

static void note_grid(graze_world *world)
{
    const graze_grid_stats made = graze_grid_get_stats(world->grid.cells);
    const graze_grid_choice choice = {
        .body_count = graze_grid_count(world->grid.cells),
        .class_count = made.class_count,
        .kept_count = made.kept_count,
        .refined_count = made.refined_count,
        .cell_count = made.cell_count,
        .smallest_cell = made.smallest_cell,
        .largest_cell = made.largest_cell,
        .first_crowding = made.first_crowding,
        .crowding = made.crowding,
        .tested_count = count_tested(world),
    };
    world->found.choice = choice;
}

static uint32_t end_of(const grz_part_list *list)
{
    return list->first + (uint32_t)list->count;
}

static void join_parts(graze_world *world)
{
    double pair_seconds = 0;
    double decide_seconds = 0;
    world->found.candidate_count = world->sleep.pair_count;
    world->found.candidates.count = 0;
    world->found.ray_touches.count = 0;
    world->found.others_first = 0;
    for (uint32_t k = 0; k < world->found.part_count; ++k) {
        const grz_pair_part *part = &world->found.parts[k];
        world->found.candidate_count += part->candidate_count;
        world->found.others_first = end_of(&part->lists[GRZ_OF_CONTACTS]);
        move_candidates(world, &part->lists[GRZ_OF_CANDIDATES]);
        if (part->lists[GRZ_OF_TOUCHES].count) {
            world->found.ray_touches.count = end_of(&part->lists[GRZ_OF_TOUCHES]);
        }
        pair_seconds += part->pair_seconds;
        decide_seconds += part->decide_seconds;
    }
    world->found.contacts.count = world->found.others_first;
    const double both = pair_seconds + decide_seconds;
    world->found.decide_share = both > 0 ? decide_seconds / both : 0;
}

static bool find_candidates(graze_world *world)
{
    const bool done = (!world->found.totals.free || grz_note_met_before(world)) && run_parts(world);
    if (done) {
        join_parts(world);
    }
    return done;
}

static graze_status find_candidates_anew(graze_world *world)
{
    graze_status status = grz_step_predict_boxes(world);
    status = status ? status : grz_step_sort(world);
    return status || find_candidates(world) ? status : GRAZE_ERROR_OUT_OF_MEMORY;
}

graze_status grz_step_pairs(graze_world *world)
{
    enum { ROUNDS = 2 }; // What is carried may meet more, which it carries.
    bool more = world->found.carries;
    graze_status status = find_candidates(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
    for (uint32_t round = 0; !status && more && round < ROUNDS; ++round) {
        status = grz_carry_find(world, &more) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
        status = !status && more ? find_candidates_anew(world) : status;
    }
    if (status) {
        return status;
    }
    note_grid(world);
    return grz_slices_begin(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
