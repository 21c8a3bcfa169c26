#include "step/decide.h"

#include "collide/box.h"
#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/terrain_sweep.h"
#include "min_max.h"
#include "prefetch.h"
#include "step/step.h"
#include "stream.h"
#include "vec2d.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

enum {
    AHEAD = 64,                ///< How many pairs ahead rows are prefetched.
    NEAR_ROUND_ROWS = 1 << 16, ///< This many rows fit a core's own cache,
    NEAR_ROWS = 1 << 15        ///< or this many if not all are round: more of each is read.
};

static void put_contact(const grz_rows *rows, const grz_ordered_pairs *pairs, uint32_t place,
                        const grz_touch *touch, grz_contact_sink *sink)
{
    const grz_contact contact = {
        .a = grz_row_id(rows, pairs->a[place]),
        .b = grz_row_id(rows, pairs->b[place]),
        .time = narrow_reported(touch->time),
        .point = narrow_reported2(touch->point),
        .normal = narrow_reported2(touch->normal),
        .depth = narrow_reported(touch->depth),
        .approach = grz_reported_approach(touch->approach, sink->steps_per_second),
    };
    sink->contacts[sink->count++] = contact;
}

void grz_decide_turning(const grz_rows *rows, const grz_ordered_pairs *pairs, uint32_t place,
                        grz_contact_sink *sink)
{
    grz_touch touch;
    if (grz_touch_turning(rows, pairs->a[place], pairs->b[place], &touch)) {
        put_contact(rows, pairs, place, &touch, sink);
    }
}

static void decide_one(const grz_rows *rows, const grz_ordered_pairs *pairs, uint32_t place,
                       grz_contact_sink *sink)
{
    grz_touch touch;
    if (grz_touch_straight(rows, pairs->a[place], pairs->b[place], &touch)) {
        put_contact(rows, pairs, place, &touch, sink);
    }
}

// Without lanes: a single pair may return early.
static void decide_each(const grz_rows *rows, grz_ordered_pairs *pairs, grz_contact_sink *sink,
                        grz_ordered_pairs *left_over)
{
    (void)left_over;
    for (uint32_t place = 0; place < pairs->count; ++place) {
        decide_one(rows, pairs, place, sink);
    }
}

static void touch_one(const grz_rows *rows, const grz_ordered_pairs *pairs, uint32_t place,
                      grz_touch_sink *sink)
{
    grz_touch touch;
    if (grz_touch_straight(rows, pairs->a[place], pairs->b[place], &touch)) {
        const grz_ray_touch found = {
            .ray = (uint32_t)(pairs->rays[place] >> 32),
            .other = (uint32_t)pairs->rays[place],
            .approach = grz_reported_approach(touch.approach, sink->steps_per_second),
            .comes_in = touch.approach > 0,
            .depth = narrow_reported(touch.depth),
            .point = narrow_reported2(touch.point),
            .normal = narrow_reported2(touch.normal),
            .time = touch.time,
        };
        sink->touches[sink->count++] = found;
    }
}

static void touch_each(const grz_rows *rows, grz_ordered_pairs *pairs, grz_touch_sink *sink,
                       grz_ordered_pairs *left_over)
{
    (void)left_over;
    grz_order_rays(rows, pairs);
    for (uint32_t place = 0; place < pairs->count; ++place) {
        touch_one(rows, pairs, place, sink);
    }
}

static void order_each(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                       bool with_traits, grz_ordered_pairs *ordered)
{
    (void)with_traits;
    ordered->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        grz_order_pair(rows, pairs[i], ordered);
    }
}

const grz_decide_loops grz_decide_loops_scalar = {
    order_each, {decide_each, decide_each, decide_each}, touch_each};

static const grz_decide_loops *loops_for(grz_lane_set lanes)
{
    static const grz_decide_loops *const loops[] = GRZ_WIDE_TABLES(grz_decide_loops);
    return loops[lanes];
}

// Traits of still bodies are not read.
static bool may_have_sensors(const graze_world *world)
{
    return (world->found.totals.traits & GRZ_TRAIT_SENSOR) ||
           world->bodies.active_count < world->bodies.count;
}

// Contacts with sensors from a place on.
static void mark_sensors(const graze_world *world, uint32_t first, const grz_contact_sink *sink)
{
    const uint32_t *traits = world->bodies.rows.traits;
    const grz_row *row_of = world->bodies.row_of_index.data;
    for (uint32_t k = first; k < sink->count; ++k) {
        grz_contact *contact = &sink->contacts[k];
        const uint32_t of = traits[row_of[contact->a.index]] | traits[row_of[contact->b.index]];
        contact->flags = of & GRZ_TRAIT_SENSOR ? GRAZE_CONTACT_SENSOR : 0;
    }
}

static void decide_kind(const graze_world *world, uint32_t kind, const graze_pair *pairs,
                        uint32_t count, grz_contact_sink *sink)
{
    const grz_decide_loops *loops = loops_for(world->config.lanes);
    const uint32_t first = sink->count;
    grz_ordered_pairs ordered, left_over;
    left_over.count = 0;
    loops->order(&world->bodies.rows, pairs, count, kind != GRZ_ROUND_PAIRS, &ordered);
    loops->of_kind[kind](&world->bodies.rows, &ordered, sink, &left_over);
    for (uint32_t i = 0; i < left_over.count; ++i) {
        decide_one(&world->bodies.rows, &left_over, i, sink);
    }
    if (may_have_sensors(world)) {
        mark_sensors(world, first, sink);
    }
}

/// Pairs by kind.
typedef struct sorted_pairs {
    graze_pair fixed[GRZ_OPEN_PAIRS][GRZ_DECIDED_AT_ONCE];
    uint32_t fixed_count[GRZ_OPEN_PAIRS];
    grz_ordered_pairs rays;
    grz_candidate_sink open;
} sorted_pairs;

// Whether the first is a plain ray, and the second round and kinematic.
static inline bool is_ray_on_fixed(const grz_rows *rows, const uint32_t *met_before, uint32_t ray,
                                   uint32_t other)
{
    const uint32_t of_ray = GRZ_TRAIT_KIND | GRZ_TRAIT_TURNS | GRZ_TRAIT_LAST;
    const uint32_t plain = GRAZE_SHAPE_RAY | GRZ_TRAIT_LAST;
    const uint32_t unfit = GRZ_TRAIT_OPEN | GRAZE_SHAPE_RECT;
    const grz_index index = rows->index[ray];
    return (((rows->traits[ray] & of_ray) ^ plain) | (rows->traits[other] & unfit)) == 0 &&
           !(met_before[index / 32] >> index % 32 & 1);
}

static inline void put_open_pair(const grz_rows *rows, graze_pair pair, grz_candidate_sink *sink)
{
    const uint32_t apart = (pair.a ^ pair.b) & grz_turned_bits(rows, pair.a, pair.b);
    const grz_candidate candidate = {pair.a ^ apart, pair.b ^ apart, GRZ_NONE};
    sink->candidates[sink->count++] = candidate;
}

static inline void put_pair(grz_ordered_pairs *ordered, uint32_t place, uint32_t a, uint32_t b)
{
    ordered->a[place] = a;
    ordered->b[place] = b;
}

// Adds a pair of a dynamic body. Without `met_before` no ray is plain.
static inline void sort_open_pair(const grz_rows *rows, const uint32_t *met_before, graze_pair pair,
                                  uint32_t *ray_count, sorted_pairs *sorted)
{
    if (met_before && is_ray_on_fixed(rows, met_before, pair.b, pair.a)) {
        put_pair(&sorted->rays, (*ray_count)++, pair.b, pair.a);
    } else if (met_before && is_ray_on_fixed(rows, met_before, pair.a, pair.b)) {
        put_pair(&sorted->rays, (*ray_count)++, pair.a, pair.b);
    } else {
        put_open_pair(rows, pair, &sorted->open);
    }
}

// In large worlds rows are not cached, and those of dynamic bodies, which come and go, may be
// anywhere. There rows are prefetched some tens of pairs before these are sorted, so that they are
// cached when lanes read them; half extents once they are sorted, because those of rays and open
// pairs are not read. These are more lines than the first cache can fetch at a time. In small
// worlds that would make Decide a twelfth slower (bench: engine/step/gas-mixed/10k).
static inline void prefetch_row(const grz_rows *rows, grz_row row)
{
    GRZ_PREFETCH_FAR(rows->traits + row);
    GRZ_PREFETCH_FAR(rows->index + row);
    GRZ_PREFETCH_FAR(rows->position + row);
    GRZ_PREFETCH_FAR(rows->end + row);
    if (rows->rotation) {
        GRZ_PREFETCH_FAR(rows->rotation + row);
    }
}

static inline bool are_rows_far(const graze_world *world)
{
    return world->bodies.count > NEAR_ROWS;
}

static void decide_rays(const graze_world *world, grz_ordered_pairs *pairs, grz_touch_sink *sink)
{
    grz_ordered_pairs left_over;
    left_over.count = 0;
    for (uint32_t i = 0; are_rows_far(world) && i < pairs->count; ++i) {
        GRZ_PREFETCH(world->bodies.rows.half + pairs->b[i]);
    }
    loops_for(world->config.lanes)->of_rays(&world->bodies.rows, pairs, sink, &left_over);
    for (uint32_t i = 0; i < left_over.count; ++i) {
        touch_one(&world->bodies.rows, &left_over, i, sink);
    }
}

// Many consecutive pairs have the same a. This pair is not the first: there is one before it.
static inline void prefetch_pair(const grz_rows *rows, const graze_pair *pair)
{
    prefetch_row(rows, pair->b);
    if (pair[0].a != pair[-1].a) {
        prefetch_row(rows, pair->a);
    }
}

// Without shortcuts no ray counts as plain. met_before is filled only if there are dynamic bodies.
static bool may_have_plain_rays(const graze_world *world)
{
    return world->bodies.ray_count && world->found.totals.free && !world->config.no_shortcuts;
}

// Prefetches for the first few of the `left` pairs from here on.
static void sort_pairs_by_kind(const graze_world *world, const graze_pair *pairs, uint32_t count,
                               uint32_t left, sorted_pairs *sorted)
{
    const grz_rows rows = world->bodies.rows;
    const uint32_t *met_before = may_have_plain_rays(world) ? world->found.met_before.data : NULL;
    uint32_t ray_count = 0;
    const bool far = are_rows_far(world);
    const uint32_t far_count = far && left > AHEAD ? left - AHEAD : 0;
    memset(sorted->fixed_count, 0, sizeof sorted->fixed_count);
    for (uint32_t i = 0; i < count; ++i) {
        if (i < far_count) {
            prefetch_pair(&rows, &pairs[i + AHEAD]);
        }
        const uint32_t a = rows.traits[pairs[i].a], b = rows.traits[pairs[i].b];
        if ((a | b) & GRZ_TRAIT_OPEN) {
            sort_open_pair(&rows, met_before, pairs[i], &ray_count, sorted);
            continue;
        }
        const uint32_t rects = (a & GRAZE_SHAPE_RECT) + (b & GRAZE_SHAPE_RECT);
        sorted->fixed[rects][sorted->fixed_count[rects]++] = pairs[i];
        if (far) {
            GRZ_PREFETCH(rows.half + pairs[i].a);
            GRZ_PREFETCH(rows.half + pairs[i].b);
        }
    }
    sorted->rays.count = ray_count;
}

static inline void prefetch_way(const grz_rows *rows, grz_row row, bool far)
{
    grz_prefetch(rows->position + row, far);
    grz_prefetch(rows->end + row, far);
    grz_prefetch(rows->half + row, far);
}

// Only the ids of b: those of a mostly lie in the same cache lines.
static inline void prefetch_ways(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                                 bool far)
{
    for (uint32_t i = 0; i < count; ++i) {
        grz_prefetch(rows->index + pairs[i].b, far);
        grz_prefetch(rows->generation + pairs[i].b, far);
        prefetch_way(rows, pairs[i].b, far);
        prefetch_way(rows, pairs[i].a, far);
    }
}

// If all bodies are round, pairs need no sorting, and only worlds too large for the caches gain by
// prefetching. The rows of some hundred pairs do not fit into the first cache: what comes from
// memory goes into the second, which can fetch more lines at a time (bench: engine/step/gas/1M).
static void prefetch_round_rows(const graze_world *world, const graze_pair *pairs, uint32_t count)
{
    if (world->bodies.active_count >= GRZ_STREAMED_ITEMS) {
        prefetch_ways(&world->bodies.rows, pairs, count, true);
    } else if (world->bodies.active_count > NEAR_ROUND_ROWS) {
        prefetch_ways(&world->bodies.rows, pairs, count, false);
    }
}

// Whether no pair needs sorting by its kind.
static bool are_all_alike(const graze_world *world)
{
    return !world->bodies.rect_count && !world->found.totals.free && !world->found.totals.rigid;
}

// Where all are, all pairs are open.
static bool are_all_open(const graze_world *world)
{
    return world->found.totals.free + world->found.totals.rigid == world->bodies.active_count;
}

void grz_decide_begin(const graze_world *world, const graze_pair *pairs, uint32_t count)
{
    const bool wanted = are_rows_far(world) && !are_all_alike(world);
    for (uint32_t i = 0; wanted && i < count && i < AHEAD; ++i) {
        prefetch_row(&world->bodies.rows, pairs[i].a);
        prefetch_row(&world->bodies.rows, pairs[i].b);
    }
}

// HOT. bench: engine/step/gas-mixed
//
// Data    The pairs in sequence; their rows lie close to each other, because the grid sorted them.
// Branch  Sorted by kind some hundred at a time: so the kernel is known, and only touch or miss is
//         unpredictable. Pairs of dynamic bodies come in runs, because the grid keeps them apart.
//         If all are round, or all dynamic, they are not sorted.
void grz_decide_pairs(const graze_world *world, const graze_pair *pairs, uint32_t count,
                      uint32_t left, grz_pair_sinks *sinks)
{
    if (are_all_alike(world)) {
        prefetch_round_rows(world, pairs, count);
        decide_kind(world, GRZ_ROUND_PAIRS, pairs, count, &sinks->contacts);
        return;
    }
    if (are_all_open(world) && !may_have_plain_rays(world)) {
        grz_candidate_sink open = sinks->candidates;
        for (uint32_t i = 0; i < count; ++i) {
            put_open_pair(&world->bodies.rows, pairs[i], &open);
        }
        sinks->candidates = open;
        return;
    }
    sorted_pairs sorted;
    sorted.open = sinks->candidates;
    sort_pairs_by_kind(world, pairs, count, left, &sorted);
    for (uint32_t kind = 0; kind < GRZ_OPEN_PAIRS; ++kind) {
        if (sorted.fixed_count[kind]) {
            decide_kind(world, kind, sorted.fixed[kind], sorted.fixed_count[kind],
                        &sinks->contacts);
        }
    }
    if (sorted.rays.count) {
        decide_rays(world, &sorted.rays, &sinks->touches);
    }
    sinks->candidates = sorted.open;
}

// --- Where kinematic bodies meet terrain ---

// Pairs of bodies are decided as they are found (pairs.c). Only walls are left.
//
// Most movers are far from all walls: groups are looked up together, and only those near a wall are
// read further.

enum {
    MOVERS_AT_ONCE = 64,
    BLOCK_ROWS = 1024 ///< Few: bodies that are no dynamic rays may all lie side by side.
};

/// The room for a block's contacts.
typedef struct wall_sink {
    grz_contact *contacts;
    uint32_t count, capacity; ///< Keeps counting without room.
} wall_sink;

/// Some kinematic movers.
typedef struct mover_group {
    const graze_world *world;
    wall_sink *sink;
    uint32_t count;
    uint32_t rows[MOVERS_AT_ONCE];
    graze_vec2 from[MOVERS_AT_ONCE], to[MOVERS_AT_ONCE]; ///< A ray's move, else corners of the box.
    uint8_t searched[MOVERS_AT_ONCE];                    ///< graze_segment_search.
    bool known[MOVERS_AT_ONCE];                          ///< The two below are filled.
    grz_mover movers[MOVERS_AT_ONCE];
    grz_move moves[MOVERS_AT_ONCE];
} mover_group;

static void put_wall(const graze_world *world, wall_sink *sink, grz_row row,
                     graze_segment_id segment, const grz_touch *touch)
{
    if (sink->count < sink->capacity) {
        sink->contacts[sink->count] = grz_contact_on_course(world, row, segment, touch);
    }
    ++sink->count;
}

static uint32_t load_movers(mover_group *group, grz_row row, uint32_t end)
{
    const grz_rows *rows = &group->world->bodies.rows;
    group->count = 0;
    for (; row < end && group->count < MOVERS_AT_ONCE; ++row) {
        if (rows->traits[row] & GRZ_TRAIT_OPEN) {
            continue;
        }
        const uint32_t place = group->count++;
        group->rows[place] = row;
        group->known[place] = false;
        group->from[place] = rows->position[row];
        group->to[place] = rows->end[row];
        if (grz_kind_of(rows->traits[row]) != GRAZE_SHAPE_RAY) {
            graze_aabb box =
                grz_swept_box(rows->position[row], rows->end[row], grz_extent_of(rows, row));
            group->from[place] = box.lower;
            group->to[place] = box.upper;
        }
    }
    return row;
}

static const grz_move *know_move(mover_group *group, uint32_t place)
{
    const grz_rows *rows = &group->world->bodies.rows;
    const grz_row row = group->rows[place];
    if (!group->known[place]) {
        group->known[place] = true;
        grz_mover_fill(group->world, row, NULL, &group->movers[place]);
        group->moves[place] =
            grz_move_of(group->world, &group->movers[place], rows->position[row], rows->end[row]);
    }
    return &group->moves[place];
}

// The corner-to-corner move of a box is through the box: only a search of the whole box is enough.
static bool is_searched(const mover_group *group, uint32_t place)
{
    const uint32_t traits = group->world->bodies.rows.traits[group->rows[place]];
    const bool ray = grz_kind_of(traits) == GRAZE_SHAPE_RAY;
    return group->searched[place] == GRAZE_SEGMENT_SEARCH_BOX ||
           (ray && group->searched[place] == GRAZE_SEGMENT_SEARCH_MOVE);
}

static void take_finds(void *context, const graze_segment_finds *finds)
{
    mover_group *group = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t place = finds->move[i];
        const grz_wall wall = {
            {{finds->ax[i], finds->ay[i]}, {finds->bx[i], finds->by[i]}},
            finds->names[i]->owner,
            finds->names[i]->item,
        };
        grz_touch touch;
        if (grz_touch_wall(know_move(group, place), &wall, &touch)) {
            put_wall(group->world, group->sink, group->rows[place],
                     grz_wall_id(group->world, &wall), &touch);
        }
    }
}

// It finds the same contacts again, to the bit; like all that cells list twice, they are dropped.
static void walk_along_walls(mover_group *group, uint32_t place)
{
    const grz_move *move = know_move(group, place);
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, group->world, move->mover, move->from, move->to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        put_wall(group->world, group->sink, group->rows[place], segment, &touch);
    }
}

static void search_rows(const graze_world *world, uint32_t first, uint32_t end, wall_sink *sink)
{
    mover_group group;
    group.world = world;
    group.sink = sink;
    for (grz_row row = first; row < end;) {
        row = load_movers(&group, row, end);
        const graze_segment_search all =
            graze_segment_grid_find(&world->terrain.grid, group.from, group.to, group.count,
                                    group.searched, take_finds, &group);
        for (uint32_t i = 0; all != GRAZE_SEGMENT_SEARCH_BOX && i < group.count; ++i) {
            if (!is_searched(&group, i)) {
                walk_along_walls(&group, i);
            }
        }
    }
}

// HOT. bench: engine/step/bullet-hell
//
// Data    Position, end, half and traits of a row, 28 bytes; one byte of the cells around it. For
//         movers near a wall the rest of the row, and each near wall.
// Branch  Per group, except movers near a wall.
static void search_block(graze_world *world, uint32_t block, grz_range *own)
{
    wall_sink sink = {(grz_contact *)own->items + own->first, 0, own->room};
    const uint32_t row = block * BLOCK_ROWS, rest = world->bodies.active_count - row;
    search_rows(world, row, row + min_u32(rest, BLOCK_ROWS), &sink);
    own->count = sink.count;
}

// The game's own filter is asked on the game's own thread. Returns false if memory runs out.
static bool find_walls(graze_world *world)
{
    const uint32_t blocks = grz_count_blocks(world->bodies.active_count, BLOCK_ROWS);
    const grz_finding finding = {
        .list_count = 1,
        .lists = {GRZ_FILLED(&world->found.contacts)},
        .apart = {GRZ_FILLED(&world->found.contacts_apart)},
        .find = search_block,
        .in_turn = world->config.filter != NULL,
    };
    return !world->terrain.segment_count || are_all_open(world) ||
           grz_find_in_blocks(world, &finding, blocks, &world->found.wall_ranges);
}

graze_status grz_step_decide(graze_world *world)
{
    world->reports.keys_indexed = false;
    return find_walls(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
