// The walls near bodies that the solver moves.

#include "bounds.h"
#include "collide/box.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "fault.h"
#include "min_max.h"
#include "solve/solve.h"
#include "world/adjacency.h"
#include "world/parallel.h"

#include <string.h>

// Terrain stands, and bodies go little in a step. So what meets a larger box around a body is kept
// for the steps in which its own box stays within that. What does not meet the larger box does not
// meet its own: so to choose from the first gives the same as a search.

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

static int compare_walls(const grz_wall *a, const grz_wall *b)
{
    const int order = (a->chain > b->chain) - (a->chain < b->chain);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

// --- Around bodies ---

static const graze_aabb unknown = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};

static bool is_known(const grz_around *around)
{
    return around->box.lower.x <= around->box.upper.x;
}

// Cells list walls in any order, and some of them more than once.
static void keep_wall(const grz_solve *solve, grz_index index, const grz_wall *wall)
{
    grz_around *around = &solve->around.data[index];
    grz_wall *walls = solve->walls_around.data[index].walls;
    uint32_t place = around->count;
    if (place == GRZ_NONE || grz_is_outside(wall->segment.a, wall->segment.b, &around->box)) {
        return;
    }
    while (place > 0 && compare_walls(&walls[place - 1], wall) > 0) {
        --place;
    }
    if (place > 0 && compare_walls(&walls[place - 1], wall) == 0) {
        return;
    }
    if (around->count == GRZ_WALLS_AROUND) {
        around->count = GRZ_NONE;
        return;
    }
    memmove(&walls[place + 1], &walls[place], (around->count - place) * sizeof *wall);
    walls[place] = *wall;
    ++around->count;
}

/// Bodies of which it is not known what is around them.
typedef struct around_search {
    const graze_world *world;
    uint32_t count;
    grz_index index[GRAZE_SEGMENT_FINDS];
    bool is_wide[GRAZE_SEGMENT_FINDS]; ///< What is around it is to be known from afar.
    graze_vec2 lower[GRAZE_SEGMENT_FINDS], upper[GRAZE_SEGMENT_FINDS];
} around_search;

static void keep_found(void *context, const graze_segment_finds *finds)
{
    const around_search *search = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const grz_wall wall = {{{finds->ax[i], finds->ay[i]}, {finds->bx[i], finds->by[i]}},
                               finds->names[i]->owner,
                               finds->names[i]->item};
        keep_wall(&search->world->solve, search->index[finds->move[i]], &wall);
    }
}

// For a box that reaches too far to be searched together with others.
static void walk_alone(const graze_world *world, grz_index index)
{
    const graze_aabb box = world->solve.around.data[index].box;
    graze_segment_walk walk = graze_segment_grid_walk_box(&world->terrain.grid, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t i = 0; i < span.count; ++i) {
            const grz_wall wall = grz_wall_of_span(&span, i);
            keep_wall(&world->solve, index, &wall);
        }
    }
}

// The next step looks for fewer.
static void forget_many(grz_around *around, bool is_wide)
{
    if (is_wide && around->count == GRZ_NONE) {
        around->box = unknown;
    }
}

static void search_around(around_search *search)
{
    uint8_t searched[GRAZE_SEGMENT_FINDS];
    const graze_segment_search all =
        graze_segment_grid_find(&search->world->terrain.grid, search->lower, search->upper,
                                search->count, searched, keep_found, search);
    for (uint32_t k = 0; all != GRAZE_SEGMENT_SEARCH_BOX && k < search->count; ++k) {
        if (searched[k] != GRAZE_SEGMENT_SEARCH_BOX) {
            walk_alone(search->world, search->index[k]);
        }
    }
    for (uint32_t k = 0; k < search->count; ++k) {
        forget_many(&search->world->solve.around.data[search->index[k]], search->is_wide[k]);
    }
    search->count = 0;
}

// A box is larger by the smaller half extent on each side; that of a body that has had no wall
// around it by much more than it moves: it is not looked for in each step of a fall.
static void add_searcher(around_search *search, grz_row row, const graze_aabb *box)
{
    const grz_index index = search->world->bodies.rows.index[row];
    grz_around *around = &search->world->solve.around.data[index];
    const bool is_free = is_known(around) && around->count == 0;
    const float by = is_free
                         ? 4 * max_float(box->upper.x - box->lower.x, box->upper.y - box->lower.y)
                         : (float)grz_size_of(search->world, row);
    if (search->count == GRAZE_SEGMENT_FINDS) {
        search_around(search);
    }
    around->box.lower.x = max_float(box->lower.x - by, -FLT_MAX);
    around->box.lower.y = max_float(box->lower.y - by, -FLT_MAX);
    around->box.upper.x = min_float(box->upper.x + by, FLT_MAX);
    around->box.upper.y = min_float(box->upper.y + by, FLT_MAX);
    around->count = 0;
    search->is_wide[search->count] = is_free;
    search->index[search->count] = index;
    search->lower[search->count] = around->box.lower;
    search->upper[search->count++] = around->box.upper;
}

// What was around a body that is gone is around its place, too.
static bool begin_around(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t bodies = world->bodies.cold.count, edits = world->terrain.grid.edits;
    if (!grz_array_reserve(&solve->around, &world->config.counting, bodies) ||
        !grz_array_reserve(&solve->walls_around, &world->config.counting, bodies)) {
        return false;
    }
    GRZ_FAULT(walls_that_were, solve->around_edits = edits);
    solve->around.count = solve->around_edits == edits ? solve->around.count : 0;
    solve->around_edits = edits;
    while (solve->around.count < bodies) {
        solve->around.data[solve->around.count++].box = unknown;
    }
    return true;
}

// --- Near bodies ---

/// Walls near bodies, by slot. Those for which there is no room are only counted.
typedef struct wall_list {
    const graze_world *world;
    grz_near_wall *walls;
    uint32_t count, room;
} wall_list;

static bool is_near(const graze_world *world, grz_row row, const graze_aabb *box,
                    const grz_wall *wall)
{
    const graze_segment segment = wall->segment;
    return !grz_is_outside(segment.a, segment.b, box) &&
           grz_line_meets_box(segment.a, segment.b, box) && may_meet(world, row, wall->chain);
}

static void list_known(wall_list *list, grz_row row, const graze_aabb *box,
                       const grz_walls_around *around, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        if (is_near(list->world, row, box, &around->walls[k]) && list->count++ < list->room) {
            list->walls[list->count - 1].wall = around->walls[k];
            list->walls[list->count - 1].contact = GRZ_NONE;
        }
    }
}

// Puts a wall among those of a body, from place `first` on, in their order and once.
static void insert_wall(wall_list *list, uint32_t first, const grz_wall *wall)
{
    uint32_t place = list->count;
    if (list->count >= list->room) {
        ++list->count;
        return;
    }
    while (place > first && compare_walls(&list->walls[place - 1].wall, wall) > 0) {
        --place;
    }
    if (place > first && compare_walls(&list->walls[place - 1].wall, wall) == 0) {
        return;
    }
    memmove(&list->walls[place + 1], &list->walls[place],
            (list->count++ - place) * sizeof *list->walls);
    list->walls[place].wall = *wall;
    list->walls[place].contact = GRZ_NONE;
}

static void list_unknown(wall_list *list, grz_row row, const graze_aabb *box)
{
    const uint32_t first = list->count;
    graze_segment_walk walk = graze_segment_grid_walk_box(&list->world->terrain.grid, *box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t i = 0; i < span.count; ++i) {
            const grz_wall wall = grz_wall_of_span(&span, i);
            if (is_near(list->world, row, box, &wall)) {
                insert_wall(list, first, &wall);
            }
        }
    }
}

static uint32_t end_of_block(const grz_solve *solve, uint32_t block)
{
    return min_u32((block + 1) * GRZ_BLOCK_SLOTS, solve->rigid_count);
}

static void find_of_block(graze_world *world, uint32_t block, grz_range *own)
{
    grz_solve *solve = &world->solve;
    const graze_aabb *boxes = world->found.box_memory.data;
    const grz_slot begin = block * GRZ_BLOCK_SLOTS, end = end_of_block(solve, block);
    wall_list list = {world, (grz_near_wall *)own->items + own->first, 0, own->room};
    around_search search;
    search.world = world;
    search.count = 0;
    for (grz_slot slot = begin; slot < end; ++slot) {
        const grz_row row = solve->row_of_slot.data[slot];
        const grz_around *around = &solve->around.data[world->bodies.rows.index[row]];
        const bool known = grz_holds_box(&around->box, &boxes[row]);
        GRZ_FAULT(walls_of_elsewhere, known = is_known(around));
        if (!known || world->config.no_shortcuts) {
            add_searcher(&search, row, &boxes[row]);
        }
    }
    if (search.count) {
        search_around(&search);
    }
    for (grz_slot slot = begin; slot < end; ++slot) {
        const grz_row row = solve->row_of_slot.data[slot];
        const grz_index index = world->bodies.rows.index[row];
        const uint32_t count = solve->around.data[index].count;
        if (count == GRZ_NONE) {
            list_unknown(&list, row, &boxes[row]);
        } else {
            list_known(&list, row, &boxes[row], &solve->walls_around.data[index], count);
        }
        solve->wall_ends.data[slot] = own->first + list.count;
    }
    own->count = list.count;
}

static void move_walls_of_block(graze_world *world, uint32_t block, uint32_t by)
{
    grz_solve *solve = &world->solve;
    for (grz_slot slot = block * GRZ_BLOCK_SLOTS; slot < end_of_block(solve, block); ++slot) {
        solve->wall_ends.data[slot] += by;
    }
}

// The game's own filter is asked on the game's own thread.
static bool find_all(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const grz_finding finding = {
        .list_count = 1,
        .lists = {GRZ_FILLED(&solve->walls)},
        .apart = {GRZ_FILLED(&solve->walls_apart)},
        .find = find_of_block,
        .move = move_walls_of_block,
        .in_turn = world->config.filter != NULL,
    };
    solve->walls.count = 0;
    return grz_find_in_blocks(world, &finding,
                              grz_count_blocks(solve->rigid_count, GRZ_BLOCK_SLOTS),
                              &solve->wall_ranges);
}

static void predict_boxes(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    (void)block;
    grz_predict_boxes(context, first, end);
}

bool grz_solve_find_walls(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!grz_array_reserve(&solve->wall_ends, &world->config.counting,
                           (size_t)solve->rigid_count + 1)) {
        return false;
    }
    if (!world->terrain.segment_count) {
        memset(solve->wall_ends.data, 0, solve->rigid_count * sizeof *solve->wall_ends.data);
        solve->walls.count = 0;
        return true;
    }
    if (solve->joined.count || grz_is_sliced(world)) { // Predict has other boxes.
        grz_run_blocks(world, world->bodies.active_count, GRZ_BLOCK_SLOTS, predict_boxes, world);
    }
    return begin_around(world) && find_all(world);
}
