#include "bodies.h"
#include "rows.h"
#include "step.h"

#include <string.h>

static graze_grid_items items_of(const graze_world *world)
{
    size_t capacity = world->rows.capacity;
    const float *sides = world->box_memory.data;
    graze_grid_items items = {sides,
                              sides + capacity,
                              sides + 2 * capacity,
                              sides + 3 * capacity,
                              (const uint8_t *)(sides + 4 * capacity),
                              world->body_count};
    return items;
}

static void number_rows(graze_world *world)
{
    const uint32_t *index = world->rows.index;
    for (uint32_t row = 0; row < world->body_count; ++row) {
        world->row_of_index.data[index[row]] = row;
    }
    world->index_of_place.count = world->body_count;
    if (world->body_count) {
        memcpy(world->index_of_place.data, index, world->body_count * sizeof *index);
    }
}

// The rows follow their boxes, so that from here on a place in the grid is a row.
graze_status grz_step_sort(graze_world *world)
{
    if (!grz_array_reserve(&world->index_of_place, &world->counting, world->body_count)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    graze_grid_items items = items_of(world);
    graze_status status = graze_grid_build(world->grid, &items);
    if (status) {
        return status;
    }
    grz_rows_sort(&world->rows, graze_grid_order(world->grid), world->body_count,
                  world->rect_count > 0);
    number_rows(world);
    grz_bodies_settle(world);
    return GRAZE_OK;
}
