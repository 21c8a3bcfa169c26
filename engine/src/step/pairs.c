// Pairs: candidates from the grid, filtered and passed on to be decided (decide.c).

#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "likely.h"
#include "min_max.h"
#include "solve/slices.h"
#include "step/decide.h"
#include "step/step.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

#include <string.h>

// Each thread takes a part of the pairs. A part that finds more than there is room for keeps
// counting, and overwrites what it has: see grz_find_in_blocks. Contacts and touches stay where
// parts have put them.

enum {
    PAIRS_AT_ONCE = 1024,
    PARTS = 64, ///< At most.
    ROWS_A_PART = GRZ_BLOCK_ROWS,
    EQUAL_SHARES = 4, ///< Parts come in multiples of it: two or four threads get equally many.
    SPARE_ROOM = GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING ///< Enough for the next pairs.
};

// Keeps the pairs for which a condition holds, and returns how many there are.
GRZ_IN_PLACE uint32_t keep_pairs(const graze_world *world, graze_pair *pairs, uint32_t count,
                                 bool (*holds)(const graze_world *world, grz_row a, grz_row b))
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_pair pair = pairs[i];
        pairs[kept] = pair;
        kept += holds(world, pair.a, pair.b);
    }
    return kept;
}

// Drops the pairs whose filters do not let them meet, and returns how many are left.
static uint32_t filter_by_masks(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    return world->bodies.filter_count ? keep_pairs(world, pairs, count, grz_bodies_meet) : count;
}

static inline bool do_kinds_meet(const graze_world *world, grz_row a, grz_row b)
{
    const uint32_t *traits = world->bodies.rows.traits;
    grz_filter_answer answer =
        grz_filter_kinds_judge(&world->grid.kinds, traits[a] >> GRZ_TRAIT_FILTER_SHIFT,
                               traits[b] >> GRZ_TRAIT_FILTER_SHIFT);
    GRZ_FAULT(groups_of_pairs, if (answer == GRZ_FILTERS_ASK) answer = GRZ_FILTERS_MEET);
    return answer == GRZ_FILTERS_MEET ||
           (answer == GRZ_FILTERS_ASK && grz_bodies_meet(world, a, b));
}

// The same where the grid has compared the kinds of its pairs.
static uint32_t filter_by_kinds(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const grz_filter_kinds *kinds = &world->grid.kinds;
    const bool compared = !kinds->grouped && !kinds->full;
    return world->bodies.filter_count && !compared ? keep_pairs(world, pairs, count, do_kinds_meet)
                                                   : count;
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
static inline bool are_circles_apart(const graze_world *world, grz_row row_a, grz_row row_b)
{
    const graze_aabb *boxes = world->found.box_memory.data, *a = &boxes[row_a], *b = &boxes[row_b];
    const graze_vec2 *position = world->bodies.rows.position;
    const float wide = (a->upper.x - a->lower.x) + (b->upper.x - b->lower.x);
    const float x = position[row_a].x - position[row_b].x;
    const float y = position[row_a].y - position[row_b].y;
    const float margin = 1 + (float)grz_contact_margin, share = margin * margin / 4;
    GRZ_FAULT(discs_in_small_circles, share /= 2);
    return x * x + y * y > wide * wide * share;
}

static inline bool do_circles_meet(const graze_world *world, grz_row a, grz_row b)
{
    const uint32_t *traits = world->bodies.rows.traits;
    return !(is_disc_in_reach(traits[a]) && is_disc_in_reach(traits[b]) &&
             are_circles_apart(world, a, b));
}

// Drops the pairs of discs that cannot meet, and returns how many are left: none of the two leaves
// its circle. Still ones are none of these: they would have woken.
static uint32_t filter_by_circles(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const bool may =
        has_discs_in_reach(world) && !world->config.no_shortcuts && !world->found.carries;
    return may ? keep_pairs(world, pairs, count, do_circles_meet) : count;
}

/// A part that is being run: what it has found, and for each list what it had to overwrite.
typedef struct pair_run {
    grz_range *ranges;
    grz_pair_sinks sinks;
    uint64_t overwritten[GRZ_PART_LISTS];
} pair_run;

static pair_run begin_run(const graze_world *world, grz_range *ranges)
{
    const double rate = grz_steps_per_second(world);
    grz_contact *contacts = ranges[GRZ_OF_CONTACTS].items;
    grz_candidate *candidates = ranges[GRZ_OF_CANDIDATES].items;
    grz_ray_touch *touches = ranges[GRZ_OF_TOUCHES].items;
    const pair_run run = {
        .ranges = ranges,
        .sinks = {{contacts + ranges[GRZ_OF_CONTACTS].first, 0, rate},
                  {candidates + ranges[GRZ_OF_CANDIDATES].first, 0},
                  {touches + ranges[GRZ_OF_TOUCHES].first, 0, rate}},
    };
    return run;
}

static void make_room(pair_run *run, uint32_t list, uint32_t *count)
{
    if (run->ranges[list].room - *count < SPARE_ROOM) {
        run->overwritten[list] += *count;
        *count = 0;
    }
}

static void note_count(pair_run *run, uint32_t list, uint32_t count)
{
    const uint64_t lost = run->overwritten[list], wanted = lost + count + (lost ? SPARE_ROOM : 0);
    run->ranges[list].count = wanted < GRZ_NONE ? (uint32_t)wanted : GRZ_NONE;
}

static void decide_found(const graze_world *world, const graze_pair *pairs, uint32_t count,
                         pair_run *run)
{
    grz_decide_begin(world, pairs, count);
    for (uint32_t first = 0; first < count; first += GRZ_DECIDED_AT_ONCE) {
        const uint32_t rest = count - first;
        const uint32_t some = min_u32(rest, GRZ_DECIDED_AT_ONCE);
        make_room(run, GRZ_OF_CONTACTS, &run->sinks.contacts.count);
        make_room(run, GRZ_OF_CANDIDATES, &run->sinks.candidates.count);
        make_room(run, GRZ_OF_TOUCHES, &run->sinks.touches.count);
        grz_decide_pairs(world, pairs + first, some, rest, &run->sinks);
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
    *kept = world->config.filter ? keep_pairs(world, pairs, *kept, grz_game_lets_meet) : *kept;
    return found;
}

// HOT. bench: engine/step/gas
//
// Data    8 KB of pairs, which stay in the first cache until they are decided.
static void run_part(graze_world *world, uint32_t number, grz_range *ranges)
{
    grz_pair_part part = {0, 0, 0, 0};
    pair_run run = begin_run(world, ranges);
    const graze_grid_moves moves = {
        .from = world->bodies.rows.position,
        .to = world->bodies.rows.end,
        .index = graze_grid_order(world->grid.cells),
    };
    const uint32_t parts = world->found.parts.count;
    pair_stream stream = {
        .sorted = graze_grid_begin_pairs_part(world->grid.cells, number, parts),
        .has_rest = number + 1 == parts,
    };
    graze_grid_set_moves(&stream.sorted, &moves);
    graze_pair pairs[PAIRS_AT_ONCE];
    double start = grz_now_in_seconds();
    uint32_t met, kept;
    while (find_pairs(world, &stream, pairs, &met, &kept)) {
        const double between = grz_now_in_seconds();
        part.candidate_count += met;
        part.pair_seconds += between - start;
        decide_found(world, pairs, kept, &run);
        start = grz_now_in_seconds();
        part.decide_seconds += start - between;
    }
    note_count(&run, GRZ_OF_CONTACTS, run.sinks.contacts.count);
    note_count(&run, GRZ_OF_CANDIDATES, run.sinks.candidates.count);
    note_count(&run, GRZ_OF_TOUCHES, run.sinks.touches.count);
    part.tested_count = stream.sorted.tested;
    world->found.parts.data[number] = part;
}

// The game's own filter is asked on the game's own thread.
static uint32_t count_parts(const graze_world *world)
{
    const uint32_t rows = world->bodies.active_count;
    const uint32_t wanted = EQUAL_SHARES * grz_count_blocks(rows, EQUAL_SHARES * ROWS_A_PART);
    const bool alone = !world->config.parallel || world->config.filter || rows <= ROWS_A_PART;
    return alone ? 1 : min_u32(wanted, PARTS);
}

static bool run_parts(graze_world *world)
{
    grz_found *found = &world->found;
    const grz_finding finding = {
        .list_count = GRZ_PART_LISTS,
        .lists = {GRZ_FILLED(&found->contacts), GRZ_FILLED(&found->candidates),
                  GRZ_FILLED(&found->ray_touches)},
        .apart = {[GRZ_OF_CANDIDATES] = GRZ_FILLED(&found->candidates_apart)},
        .spare = SPARE_ROOM,
        .find = run_part,
    };
    const uint32_t parts = count_parts(world);
    if (!grz_array_reserve(&found->parts, &world->config.counting, parts)) {
        return false;
    }
    found->parts.count = parts;
    found->contacts.count = found->candidates.count = found->ray_touches.count = 0;
    return grz_find_in_blocks(world, &finding, parts, &found->part_ranges);
}

static void note_grid(graze_world *world, uint64_t tested_count)
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
        .tested_count = tested_count,
    };
    world->found.choice = choice;
}

static void add_up_parts(graze_world *world)
{
    grz_pair_part sum = {0, 0, 0, 0};
    for (uint32_t k = 0; k < world->found.parts.count; ++k) {
        const grz_pair_part *part = &world->found.parts.data[k];
        sum.candidate_count += part->candidate_count;
        sum.tested_count += part->tested_count;
        sum.pair_seconds += part->pair_seconds;
        sum.decide_seconds += part->decide_seconds;
    }
    const double both = sum.pair_seconds + sum.decide_seconds;
    world->found.others_first = world->found.contacts.count;
    world->found.candidate_count = world->sleep.pair_count + sum.candidate_count;
    world->found.decide_share = both > 0 ? sum.decide_seconds / both : 0;
    note_grid(world, sum.tested_count);
}

static graze_status find_candidates(graze_world *world)
{
    if ((world->found.totals.free && !grz_note_met_before(world)) || !run_parts(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    add_up_parts(world);
    return GRAZE_OK;
}

graze_status grz_step_pairs(graze_world *world)
{
    enum { ROUNDS = 2 }; // What is carried may meet more, which it carries.
    bool more = world->found.carries;
    graze_status status = find_candidates(world);
    for (uint32_t round = 0; !status && more && round < ROUNDS; ++round) {
        status = grz_carry_find(world, &more) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
        if (!status && more) {
            status = grz_step_predict_boxes(world);
            status = status ? status : grz_step_sort(world);
            status = status ? status : find_candidates(world);
        }
    }
    return status || grz_slices_begin(world) ? status : GRAZE_ERROR_OUT_OF_MEMORY;
}
