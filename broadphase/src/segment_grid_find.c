#include "segment_grid_find.h"

#include "min_max.h"
#include "prefetch.h"

#include <string.h>

enum {
    FIRST_VISITS = 2 * GRZ_PASSAGES, ///< Each passage leads to one or two, rarely to more.
    VISITS_MAX = 2 * FIRST_VISITS
};

/// The passages of a group in one level.
typedef struct level_passages {
    const grz_move_group *group;
    const grz_segment_level *level;
    grz_passages passages;
} level_passages;

/// What one call works with.
typedef struct segment_search {
    const grz_segment_table *table;
    const grz_segment_loops *loops;
    uint8_t *searched; ///< By move: graze_segment_search.
    uint8_t worst;     ///< The largest of these.
    grz_find_sink sink;
    grz_move_group groups[2];
    level_passages listed;
    /// The visits of the level before, whose cells have been prefetched.
    const grz_move_group *visitors;
    uint32_t visit_count;
    grz_visit visits[VISITS_MAX];
    graze_segment_finds finds;
} segment_search;

static const graze_vec2 *pad(graze_vec2 *rest, const graze_vec2 *points, uint32_t count)
{
    memset(rest, 0, GRZ_MOVES_AT_ONCE * sizeof *rest);
    memcpy(rest, points, count * sizeof *rest);
    return rest;
}

static void load_group(const segment_search *search, grz_move_group *group, const graze_vec2 *from,
                       const graze_vec2 *to)
{
    const bool is_full = group->count == GRZ_MOVES_AT_ONCE;
    group->from = from + group->first;
    group->to = to + group->first;
    group->from = is_full ? group->from : pad(group->rest[0], group->from, group->count);
    group->to = is_full ? group->to : pad(group->rest[1], group->to, group->count);
    search->loops->measure(group);
}

// Lists the passages of a move through more than 2 x 2 cells. If its box reaches no cell that may
// hold anything (most moves, in a level of few segments), it has none. If it is too long, or there
// is no room, it is not listed.
static graze_segment_search list_far(level_passages *listed, uint32_t move)
{
    const grz_move_group *group = listed->group;
    const grz_segment_level *level = listed->level;
    graze_segment_walk walk = grz_segment_walk_level(level, group->from[move], group->to[move]);
    if (walk.columns_left == 0) {
        return GRAZE_SEGMENT_SEARCH_BOX;
    }
    grz_passages *passages = &listed->passages;
    if (walk.columns_left > GRZ_FAR_COLUMNS || grz_segment_walk_cells_most(&walk) > GRZ_FAR_CELLS ||
        passages->count + GRZ_FAR_CELLS > GRZ_PASSAGES) {
        return GRAZE_SEGMENT_SEARCH_NONE;
    }
    for (uint32_t cell; grz_segment_walk_next_cell(&walk, &cell);) {
        passages->move[passages->count] = move;
        passages->cell[passages->count] = cell;
        passages->count += level->heads[cell] != 0;
    }
    return GRAZE_SEGMENT_SEARCH_MOVE;
}

static void list_all_far(segment_search *search, level_passages *listed)
{
    for (uint32_t i = 0; i < listed->group->count; ++i) {
        if (listed->group->is_far[i / 32] >> i % 32 & 1) {
            uint8_t *searched = &search->searched[listed->group->first + i];
            const uint8_t now = (uint8_t)list_far(listed, i);
            *searched = *searched > now ? *searched : now;
            search->worst = search->worst > now ? search->worst : now;
        }
    }
}

static void make_visits(segment_search *search)
{
    if (search->visit_count > 0) {
        search->loops->visit(search->table, search->visitors, search->visits, search->visit_count,
                             &search->sink);
    }
}

enum { ALL_OF_QUAD = (1 << GRZ_QUAD) - 1 };

// Few lists have more than two quads. If there is no room for visits to all of them, those noted so
// far are made at once.
static void plan_rest(segment_search *search, const grz_segment_level *level, uint32_t move,
                      uint32_t cell)
{
    const uint32_t first = grz_head_quad(level->heads[cell]), count = grz_cell_count(level, cell);
    for (uint32_t i = 2 * GRZ_QUAD; i < count; i += GRZ_QUAD) {
        const uint32_t left = count - i;
        const uint32_t segments = left < GRZ_QUAD ? (1u << left) - 1 : ALL_OF_QUAD;
        const grz_visit visit = {first + i / GRZ_QUAD, (uint16_t)move, (uint16_t)segments};
        if (search->visit_count >= FIRST_VISITS) {
            make_visits(search);
            search->visit_count = 0;
        }
        search->visits[search->visit_count++] = visit;
        GRZ_PREFETCH(&grz_pool_quads(&search->table->pool)[visit.quad]);
    }
}

// The segments of a list that are in its first two quads, by the count in its head.
static const uint8_t in_two_quads[GRZ_COUNT_MANY + 1] = {
    0,    0x01, 0x03, 0x07, 0x0f, 0x1f, 0x3f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

_Static_assert(2 * GRZ_QUAD == 8, "two quads have a byte of bits");

// Looks up where the cells' lists are, and prefetches them. Whether a list has a second quad cannot
// be predicted: it is written in any case, and kept if it exists.
static void plan_visits(segment_search *search, const level_passages *listed)
{
    const grz_segment_quad *quads = grz_pool_quads(&search->table->pool);
    const uint32_t *heads = listed->level->heads;
    search->visitors = listed->group;
    search->visit_count = 0;
    for (uint32_t i = 0; i < listed->passages.count; ++i) {
        const uint32_t move = listed->passages.move[i];
        const uint32_t cell = listed->passages.cell[i];
        const uint32_t quad = grz_head_quad(heads[cell]), count = grz_head_count(heads[cell]);
        const uint32_t segments = in_two_quads[count];
        const uint32_t has_second = count > GRZ_QUAD;
        grz_visit *to = &search->visits[search->visit_count];
        const grz_visit first = {quad, (uint16_t)move, segments & ALL_OF_QUAD};
        const grz_visit second = {quad + 1, (uint16_t)move, (uint16_t)(segments >> GRZ_QUAD)};
        to[0] = first;
        to[1] = second;
        search->visit_count += 1 + has_second;
        GRZ_PREFETCH(&quads[quad]);
        GRZ_PREFETCH(&quads[quad + has_second]);
        if (count > 2 * GRZ_QUAD) {
            plan_rest(search, listed->level, move, cell);
        }
    }
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    A byte of each cell and, if that says so, 4 more, then what lies in it. Each is
//         prefetched one level ahead: waiting for them one by one would take most of the time.
static void search_level(segment_search *search, grz_move_group *group,
                         const grz_segment_level *level)
{
    level_passages *listed = &search->listed;
    listed->group = group;
    listed->level = level;
    search->loops->locate(group, level);
    search->loops->list(group, level, &listed->passages);
    if (group->is_far[0] | group->is_far[1]) {
        list_all_far(search, listed);
    }
    for (uint32_t i = 0; i < listed->passages.count; ++i) {
        GRZ_PREFETCH(&listed->level->heads[listed->passages.cell[i]]);
    }
    make_visits(search);
    plan_visits(search, listed);
}

graze_segment_search graze_segment_grid_find(const graze_segment_grid *grid, const graze_vec2 *from,
                                             const graze_vec2 *to, uint32_t count,
                                             uint8_t *searched, graze_segment_sink *sink,
                                             void *context)
{
    static const grz_segment_loops *const tables[] = GRZ_WIDE_TABLES(grz_segment_loops);
    const grz_segment_table *table = grid->table;
    memset(searched, GRAZE_SEGMENT_SEARCH_BOX, count);
    if (!table) {
        return GRAZE_SEGMENT_SEARCH_BOX;
    }
    segment_search search;
    search.table = table;
    search.loops = tables[table->lanes];
    search.searched = searched;
    const grz_find_sink finds_to = {&search.finds, sink, context};
    search.sink = finds_to;
    search.worst = GRAZE_SEGMENT_SEARCH_BOX;
    search.visit_count = 0;
    search.finds.count = 0;
    for (uint32_t first = 0; first < count; first += GRZ_MOVES_AT_ONCE) {
        const uint32_t rest = count - first;
        grz_move_group *group = &search.groups[first / GRZ_MOVES_AT_ONCE & 1];
        group->first = first;
        group->count = min_u32(rest, GRZ_MOVES_AT_ONCE);
        load_group(&search, group, from, to);
        for (uint32_t k = 0; k < table->level_count; ++k) {
            if (table->levels[k].count > 0) {
                search_level(&search, group, &table->levels[k]);
            }
        }
    }
    make_visits(&search);
    if (search.finds.count > 0) {
        sink(context, &search.finds);
    }
    return search.worst;
}
