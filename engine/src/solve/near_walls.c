// The walls near bodies that the solver moves.

#include "bounds.h"
#include "collide/box.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "lanes.h"
#include "min_max.h"
#include "solve/solve.h"
#include "world/parallel.h"
#include "world/run_sort.h"

#include <string.h>

// A block lists its walls in a range of its own, with room for as many as there can be. Then the
// ranges are closed up.

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
    const grz_wall *a = &world->solve.walls.data[first].wall;
    const grz_wall *b = &world->solve.walls.data[second].wall;
    const int order = (a->chain > b->chain) - (a->chain < b->chain);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

// Cells list a wall more than once, in any order. Returns how many are left of those from `first`
// on. There is as much room again behind all walls, and twice as much in the order.
static uint32_t sort_walls(const graze_world *world, uint32_t first, uint32_t count)
{
    const grz_solve *solve = &world->solve;
    uint32_t *order = solve->order.data + 2 * (size_t)first;
    grz_near_wall *walls = solve->walls.data, *sorted = walls + solve->walls.count + first;
    for (uint32_t k = 0; k < count; ++k) {
        order[k] = first + k;
    }
    grz_sort_run(world, order, order + count, count, compare_walls);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const bool again = k > 0 && compare_walls(world, order[k - 1], order[k]) == 0;
        sorted[kept] = walls[order[k]];
        kept += !again;
    }
    memcpy(walls + first, sorted, kept * sizeof *walls);
    return kept;
}

/// Walls near some bodies, as they are found.
typedef struct wall_search {
    graze_world *world;
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

// For a box that reaches too far to be searched together with others.
static void walk_alone(wall_search *search, uint32_t k, graze_segment_sink *sink)
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
        sink(search, &finds);
    }
}

static void search_walls(wall_search *search, graze_segment_sink *sink)
{
    uint32_t *counts = search->world->solve.wall_counts.data;
    uint8_t searched[GRAZE_SEGMENT_FINDS];
    const graze_segment_search all =
        graze_segment_grid_find(&search->world->terrain.grid, search->lower, search->upper,
                                search->count, searched, sink, search);
    for (uint32_t k = 0; all != GRAZE_SEGMENT_SEARCH_BOX && k < search->count; ++k) {
        if (searched[k] != GRAZE_SEGMENT_SEARCH_BOX) {
            counts[search->slots[k]] = 0;
            walk_alone(search, k, sink);
        }
    }
    search->count = 0;
}

static void add_searcher(wall_search *search, grz_slot slot, graze_aabb box,
                         graze_segment_sink *sink)
{
    if (search->count == GRAZE_SEGMENT_FINDS) {
        search_walls(search, sink);
    }
    search->slots[search->count] = slot;
    search->lower[search->count] = box.lower;
    search->upper[search->count++] = box.upper;
}

static void count_found(void *context, const graze_segment_finds *finds)
{
    const wall_search *search = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const graze_aabb box = box_of_searcher(search, finds->move[i]);
        const graze_segment wall = segment_of(finds, i);
        search->world->solve.wall_counts.data[search->slots[finds->move[i]]] +=
            !grz_is_outside(wall.a, wall.b, &box);
    }
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

// As often as cells list them, whatever filters say.
static void count_walls(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const graze_aabb *boxes = world->found.box_memory.data;
    wall_search search;
    row_groups groups;
    (void)block;
    search.world = world;
    search.count = 0;
    grz_predict_boxes(world, first, end);
    find_near_groups(world, first, end, &groups);
    for (uint32_t k = 0; k < groups.count; ++k) {
        const uint32_t till = groups.near[k] ? groups.end[k] : 0;
        for (grz_row row = groups.first[k]; row < till; ++row) {
            if (is_searcher(&world->solve, row)) {
                add_searcher(&search, world->solve.slot_of_row.data[row], boxes[row], count_found);
            }
        }
    }
    if (search.count) {
        search_walls(&search, count_found);
    }
}

// What does not meet the box is left out, whether or not a cell lists it.
static void list_found(void *context, const graze_segment_finds *finds)
{
    const wall_search *search = context;
    grz_solve *solve = &search->world->solve;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const grz_slot slot = search->slots[finds->move[i]];
        const graze_aabb box = box_of_searcher(search, finds->move[i]);
        const graze_segment segment = segment_of(finds, i);
        const graze_segment_name *name = finds->names[i];
        if (!grz_is_outside(segment.a, segment.b, &box) &&
            grz_line_meets_box(segment.a, segment.b, &box) &&
            may_meet(search->world, solve->row_of_slot.data[slot], name->owner)) {
            const grz_near_wall near = {.wall = {segment, name->owner, name->item},
                                        .contact = GRZ_NONE};
            solve->walls
                .data[grz_first_of(&solve->wall_ends, slot) + solve->wall_counts.data[slot]++] =
                near;
        }
    }
}

static void find_walls(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const graze_aabb *boxes = world->found.box_memory.data;
    grz_solve *solve = &world->solve;
    wall_search search;
    (void)block;
    search.world = world;
    search.count = 0;
    for (grz_slot slot = first; slot < end; ++slot) {
        if (solve->wall_counts.data[slot]) {
            solve->wall_counts.data[slot] = 0;
            add_searcher(&search, slot, boxes[solve->row_of_slot.data[slot]], list_found);
        }
    }
    if (search.count) {
        search_walls(&search, list_found);
    }
    for (grz_slot slot = first; slot < end; ++slot) {
        uint32_t *count = &solve->wall_counts.data[slot];
        if (*count) {
            *count = sort_walls(world, grz_first_of(&solve->wall_ends, slot), *count);
        }
    }
}

static bool reserve_walls(graze_world *world, uint64_t count)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    return count <= UINT32_MAX / 2 &&
           grz_array_reserve(&solve->walls, allocator, 2 * (size_t)count) &&
           grz_array_reserve(&solve->order, allocator, 2 * (size_t)count);
}

static void close_up_walls(grz_solve *solve)
{
    grz_near_wall *walls = solve->walls.data;
    uint32_t first = 0, end = 0;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const uint32_t count = solve->wall_counts.data[slot];
        if (count && first != end) {
            memmove(walls + end, walls + first, count * sizeof *walls);
        }
        first = solve->wall_ends.data[slot];
        end += count;
        solve->wall_ends.data[slot] = end;
    }
    solve->walls.count = end;
}

// The game's own filter is asked on the game's own thread.
bool grz_solve_find_walls(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t count = solve->rigid_count;
    if (!grz_array_reserve(&solve->wall_ends, &world->config.counting, (size_t)count + 1) ||
        !grz_array_reserve(&solve->wall_counts, &world->config.counting, (size_t)count + 1)) {
        return false;
    }
    memset(solve->wall_counts.data, 0, count * sizeof *solve->wall_counts.data);
    if (world->terrain.segment_count) {
        grz_run_blocks(world, world->bodies.active_count, GRZ_BLOCK_SLOTS, count_walls, world);
    }
    uint64_t walls = 0;
    for (grz_slot slot = 0; slot < count; ++slot) {
        walls += solve->wall_counts.data[slot];
        solve->wall_ends.data[slot] = (uint32_t)walls;
    }
    if (!reserve_walls(world, walls)) {
        return false;
    }
    solve->walls.count = (uint32_t)walls;
    if (world->config.filter) {
        find_walls(world, 0, 0, count);
    } else if (walls) {
        grz_run_blocks(world, count, GRZ_BLOCK_SLOTS, find_walls, world);
    }
    close_up_walls(solve);
    return true;
}
