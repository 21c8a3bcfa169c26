#include "bodies.h"
#include "rest.h"
#include "rows.h"
#include "step.h"

#include <string.h>

enum {
    JUMP_STRIDE = 8,
    JUMP_LENGTH = 8,
    JUMP_SHARE = 2, ///< Rows are put in order when one in so many jumps.
    CROWD_SHARE = 2 ///< And before the pairs are found when there is one to so many rows.
};

static graze_grid_items items_of(const graze_world *world)
{
    size_t capacity = world->rows.capacity;
    const float *sides = world->box_memory.data;
    graze_grid_items items = {sides,
                              sides + capacity,
                              sides + 2 * capacity,
                              sides + 3 * capacity,
                              (const uint8_t *)(sides + 4 * capacity),
                              world->active_count};
    return items;
}

// How far the rows are from the grid's order: of every eighth place, is the row of the next one
// farther away than a cache line reaches? Bodies move little in a step, so rows stay near one
// another for many steps; to move them costs what reading them from afar costs in a few.
static uint32_t count_jumps(const uint32_t *order, uint32_t count)
{
    uint32_t jumps = 0;
    for (uint32_t place = 0; place + 1 < count; place += JUMP_STRIDE) {
        const uint32_t way = order[place + 1] - order[place] + JUMP_LENGTH;
        jumps += way > 2 * JUMP_LENGTH;
    }
    return jumps;
}

// Between steps rows come and go, but the grid goes on to name those of the sort.
static void note_indices(graze_world *world)
{
    world->index_at_sort.count = world->active_count;
    if (world->active_count) {
        memcpy(world->index_at_sort.data, world->rows.index,
               world->active_count * sizeof *world->rows.index);
    }
}

static bool are_far_from_order(const graze_world *world)
{
    return world->jump_count > world->active_count / JUMP_STRIDE / JUMP_SHARE;
}

static void number_rows(graze_world *world)
{
    const uint32_t *index = world->rows.index;
    for (uint32_t row = 0; row < world->active_count; ++row) {
        world->row_of_index.data[index[row]] = row;
    }
}

// Where there are many pairs, as there were in the last step, it pays to have rows in order before
// the pairs are found, though there is more to move then. But pairs with still bodies are found by
// the boxes of rows, which stay as they are. Nobody needs those otherwise.
static void order_rows_at_once(graze_world *world)
{
    const bool crowded = world->candidate_count > world->active_count / CROWD_SHARE;
    world->places_are_rows = crowded && are_far_from_order(world) && grz_rest_is_empty(world);
    if (world->places_are_rows) {
        grz_rows_sort_with_ends(world, &world->rows, graze_grid_order(world->grid),
                                world->box_memory.data);
        number_rows(world);
    }
}

graze_status grz_step_sort(graze_world *world)
{
    if (!grz_array_reserve_exact(&world->index_at_sort, &world->counting, world->rows.capacity)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    graze_grid_items items = items_of(world);
    graze_status status =
        graze_grid_build_parallel(world->grid, &items, world->parallel, world->parallel_user);
    if (status) {
        return status;
    }
    world->jump_count = count_jumps(graze_grid_order(world->grid), world->active_count);
    note_indices(world);
    order_rows_at_once(world);
    grz_bodies_settle(world);
    return GRAZE_OK;
}

void grz_step_order_rows(graze_world *world)
{
    if (!world->places_are_rows && are_far_from_order(world)) {
        grz_rows_sort(world, &world->rows, graze_grid_order(world->grid));
        number_rows(world);
    }
}
