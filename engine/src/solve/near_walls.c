// The walls near bodies that the solver moves.

#include "bounds.h"
#include "collide/box.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "lanes.h"
#include "min_max.h"
#include "solve/solve.h"
#include "world/adjacency.h"
#include "world/parallel.h"
#include "world/run_sort.h"

#include <string.h>

// Blocks of rows find walls in the order in which cells list them. Then those of each slot are put
// in order, and each is kept once.

static bool may_meet(const graze_world *world, grz_row row, uint32_t chain)
{
    const grz_chain *near = &world->terrain.chains[chain];
    const graze_body_id none = {0, 0};
    const graze_segment_id segment = {{chain, near->generation}, 0};
    return grz_filters_meet(*grz_filter_of(world, world->bodies.rows.index[row]), near->filter) &&
           (!world->config.filter ||
            world->config.filter(world, grz_row_id(&world->bodies.rows, row), none, segment,
                                 world->config.filter_user));
}

static int compare_walls(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_wall *a = &world->solve.found_walls.data[first].wall;
    const grz_wall *b = &world->solve.found_walls.data[second].wall;
    const int order = (a->chain > b->chain) - (a->chain < b->chain);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

/// Walls near some bodies, as they are found. Those for which there is no room are only counted.
typedef struct wall_search {
    graze_world *world;
    grz_slot_wall *found;
    uint32_t found_count, room;
    uint32_t count; ///< Of the bodies.
    uint32_t slots[GRAZE_SEGMENT_FINDS];
    graze_vec2 lower[GRAZE_SEGMENT_FINDS], upper[GRAZE_SEGMENT_FINDS];
} wall_search;

static graze_segment segment_of(const graze_segment_finds *finds, uint32_t i)
{
    const graze_segment segment = {{finds->ax[i], finds->ay[i]}, {finds->bx[i], finds->by[i]}};
    return segment;
}

static graze_aabb box_of_searcher(const wall_search *search, uint32_t k)
{
    const graze_aabb box = {search->lower[k], search->upper[k]};
    return box;
}

// What does not meet the box is left out, whether or not a cell lists it.
static void list_found(void *context, const graze_segment_finds *finds)
{
    wall_search *search = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const grz_slot slot = search->slots[finds->move[i]];
        const graze_aabb box = box_of_searcher(search, finds->move[i]);
        const graze_segment segment = segment_of(finds, i);
        const graze_segment_name *name = finds->names[i];
        if (!grz_is_outside(segment.a, segment.b, &box) &&
            grz_line_meets_box(segment.a, segment.b, &box) &&
            may_meet(search->world, search->world->solve.row_of_slot.data[slot], name->owner) &&
            search->found_count++ < search->room) {
            const grz_slot_wall found = {{segment, name->owner, name->item}, slot};
            search->found[search->found_count - 1] = found;
        }
    }
}

// For a box that reaches too far to be searched together with others.
static void walk_alone(wall_search *search, uint32_t k)
{
    const graze_aabb box = box_of_searcher(search, k);
    graze_segment_walk walk = graze_segment_grid_walk_box(&search->world->terrain.grid, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        graze_segment_finds finds;
        finds.count = span.count;
        for (uint32_t i = 0; i < span.count; ++i) {
            finds.move[i] = k;
            finds.ax[i] = span.ax[i];
            finds.ay[i] = span.ay[i];
            finds.bx[i] = span.bx[i];
            finds.by[i] = span.by[i];
            finds.names[i] = &span.names[i];
        }
        list_found(search, &finds);
    }
}

static void search_walls(wall_search *search)
{
    uint8_t searched[GRAZE_SEGMENT_FINDS];
    const graze_segment_search all =
        graze_segment_grid_find(&search->world->terrain.grid, search->lower, search->upper,
                                search->count, searched, list_found, search);
    for (uint32_t k = 0; all != GRAZE_SEGMENT_SEARCH_BOX && k < search->count; ++k) {
        if (searched[k] != GRAZE_SEGMENT_SEARCH_BOX) {
            walk_alone(search, k);
        }
    }
    search->count = 0;
}

static void add_searcher(wall_search *search, grz_slot slot, graze_aabb box)
{
    if (search->count == GRAZE_SEGMENT_FINDS) {
        search_walls(search);
    }
    search->slots[search->count] = slot;
    search->lower[search->count] = box.lower;
    search->upper[search->count++] = box.upper;
}

enum {
    ROWS_TOGETHER = GRZ_LANES_MAX, ///< Rows of a group: mostly neighbours.
    GROUPS = GRZ_BLOCK_SLOTS / ROWS_TOGETHER
};

/// The groups of a block of rows that have anything rigid, and boxes around all of that.
typedef struct row_groups {
    uint32_t count;
    uint32_t first[GROUPS], end[GROUPS]; ///< Rows.
    graze_vec2 lower[GROUPS], upper[GROUPS];
    bool near[GROUPS]; ///< A wall is near the box.
} row_groups;

static bool is_searcher(const grz_solve *solve, grz_row row)
{
    return solve->slot_of_row.data[row] < solve->rigid_count;
}

static void add_group(const graze_world *world, uint32_t first, uint32_t end, row_groups *groups)
{
    const graze_aabb *boxes = world->found.box_memory.data;
    graze_aabb all = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    for (grz_row row = first; row < end; ++row) {
        if (is_searcher(&world->solve, row)) {
            extend_by_box(&all, boxes[row]);
        }
    }
    groups->first[groups->count] = first;
    groups->end[groups->count] = end;
    groups->near[groups->count] = false;
    groups->lower[groups->count] = all.lower;
    groups->upper[groups->count] = all.upper;
    groups->count += all.lower.x <= all.upper.x;
}

static void note_near(void *context, const graze_segment_finds *finds)
{
    row_groups *groups = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t group = finds->move[i];
        const graze_aabb box = {groups->lower[group], groups->upper[group]};
        const graze_segment wall = segment_of(finds, i);
        groups->near[group] |= !grz_is_outside(wall.a, wall.b, &box);
    }
}

static void find_near_groups(const graze_world *world, uint32_t first, uint32_t end,
                             row_groups *groups)
{
    uint8_t searched[GROUPS];
    groups->count = 0;
    for (grz_row row = first; row < end; row += ROWS_TOGETHER) {
        add_group(world, row, row + min_u32(end - row, ROWS_TOGETHER), groups);
    }
    graze_segment_grid_find(&world->terrain.grid, groups->lower, groups->upper, groups->count,
                            searched, note_near, groups);
    for (uint32_t k = 0; k < groups->count; ++k) {
        groups->near[k] |= searched[k] != GRAZE_SEGMENT_SEARCH_BOX;
    }
}

// Whether all boxes are as Predict has them: the same bodies are rigid.
static bool are_boxes_known(const graze_world *world)
{
    return !world->solve.joined.count && !grz_is_sliced(world) && !world->config.no_shortcuts;
}

// As often as cells list them.
static uint32_t find_of_block(graze_world *world, uint32_t block, void *items, uint32_t first,
                              uint32_t room)
{
    const graze_aabb *boxes = world->found.box_memory.data;
    const grz_row begin = block * GRZ_BLOCK_SLOTS,
                  end = begin + min_u32(world->bodies.active_count - begin, GRZ_BLOCK_SLOTS);
    wall_search search;
    row_groups groups;
    search.world = world;
    search.found = (grz_slot_wall *)items + first;
    search.room = room;
    search.found_count = search.count = 0;
    if (!are_boxes_known(world)) {
        grz_predict_boxes(world, begin, end);
    }
    find_near_groups(world, begin, end, &groups);
    for (uint32_t k = 0; k < groups.count; ++k) {
        const uint32_t till = groups.near[k] ? groups.end[k] : 0;
        for (grz_row row = groups.first[k]; row < till; ++row) {
            if (is_searcher(&world->solve, row)) {
                add_searcher(&search, world->solve.slot_of_row.data[row], boxes[row]);
            }
        }
    }
    if (search.count) {
        search_walls(&search);
    }
    return search.found_count;
}

static uint32_t room_of_block(const graze_world *world, uint32_t block)
{
    return grz_room_as_before(&world->solve.wall_ranges, block);
}

// The game's own filter is asked on the game's own thread.
static bool find_all(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const grz_finding finding = {room_of_block, find_of_block, NULL, world->config.filter != NULL};
    const uint32_t rows = world->terrain.segment_count ? world->bodies.active_count : 0;
    solve->found_walls.count = 0;
    const bool done = grz_find_in_blocks(world, &finding, grz_count_blocks(rows, GRZ_BLOCK_SLOTS),
                                         &solve->wall_ranges, GRZ_FILLED(&solve->found_walls),
                                         GRZ_FILLED(&solve->walls_apart));
    solve->found_walls.data = solve->found_walls.memory.data;
    solve->walls_apart.data = solve->walls_apart.memory.data;
    return done;
}

// A counting sort by slot.
static void order_by_slot(grz_solve *solve)
{
    const grz_slot_wall *found = solve->found_walls.data;
    const uint32_t count = solve->found_walls.count;
    uint32_t *ends = solve->wall_ends.data;
    memset(ends, 0, ((size_t)solve->rigid_count + 1) * sizeof *ends);
    for (uint32_t k = 0; k < count; ++k) {
        ++ends[found[k].slot + 1];
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        ends[slot + 1] += ends[slot];
    }
    for (uint32_t k = 0; k < count; ++k) {
        solve->order.data[ends[found[k].slot]++] = k;
    }
}

// Returns how many are left. There is as much room again behind the order.
static uint32_t sort_walls_once(const graze_world *world, uint32_t *order, uint32_t count)
{
    uint32_t kept = 0;
    grz_sort_run(world, order, order + world->solve.found_walls.count, count, compare_walls);
    for (uint32_t k = 0; k < count; ++k) {
        const bool again = k > 0 && compare_walls(world, order[k - 1], order[k]) == 0;
        order[kept] = order[k];
        kept += !again;
    }
    return kept;
}

static void sort_walls(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    const grz_solve *solve = &world->solve;
    uint32_t from = grz_first_of(&solve->wall_ends, first);
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        const uint32_t count = solve->wall_ends.data[slot] - from;
        solve->wall_counts.data[slot] =
            count > 1 ? sort_walls_once(world, solve->order.data + from, count) : count;
        from += count;
    }
}

static void keep_walls(grz_solve *solve)
{
    uint32_t first = 0, end = 0;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        for (uint32_t k = first; k < first + solve->wall_counts.data[slot]; ++k) {
            grz_near_wall *near = &solve->walls.data[end++];
            near->wall = solve->found_walls.data[solve->order.data[k]].wall;
            near->contact = GRZ_NONE;
        }
        first = solve->wall_ends.data[slot];
        solve->wall_ends.data[slot] = end;
    }
    solve->walls.count = end;
}

bool grz_solve_find_walls(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const size_t slots = (size_t)solve->rigid_count + 1;
    if (!grz_array_reserve(&solve->wall_ends, allocator, slots) ||
        !grz_array_reserve(&solve->wall_counts, allocator, slots) || !find_all(world) ||
        !grz_array_reserve(&solve->walls, allocator, solve->found_walls.count) ||
        !grz_array_reserve(&solve->order, allocator, 2 * (size_t)solve->found_walls.count)) {
        return false;
    }
    order_by_slot(solve);
    grz_run_blocks(world, solve->rigid_count, GRZ_BLOCK_SLOTS, sort_walls, world);
    keep_walls(solve);
    return true;
}
