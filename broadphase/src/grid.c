// The life of a grid, and its getters.

#include "grid_state.h"

#include "min_max.h"

#include <math.h>
#include <string.h>

graze_status graze_grid_create(const graze_allocator *allocator, graze_grid **grid)
{
    graze_allocator chosen = {NULL, NULL, NULL};
    if (allocator) {
        chosen = *allocator;
    }
    *grid = NULL;
    if (!grz_allocator_is_valid(&chosen)) {
        return GRAZE_ERROR_ARGUMENT;
    }
    chosen = grz_allocator_or_default(chosen);
    graze_grid *made = chosen.allocate(sizeof *made, GRZ_ALIGNMENT, chosen.user);
    if (!made) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->shortest_passing = (double)INFINITY;
    made->meets = &grz_grid_all_meet;
    made->allocator = chosen;
    grz_grid_use_lanes(made, grz_lanes_choose());
    *grid = made;
    return GRAZE_OK;
}

void graze_grid_destroy(graze_grid *grid)
{
    if (!grid) {
        return;
    }
    const graze_allocator allocator = grid->allocator;
    grz_block_free(&grid->min_x_block, &allocator);
    grz_block_free(&grid->min_y_block, &allocator);
    grz_block_free(&grid->max_x_block, &allocator);
    grz_block_free(&grid->max_y_block, &allocator);
    grz_block_free(&grid->order_block, &allocator);
    grz_block_free(&grid->cells_block, &allocator);
    grz_block_free(&grid->starts_block, &allocator);
    grz_block_free(&grid->kinds_block, &allocator);
    grz_block_free(&grid->meets_block, &allocator);
    grz_block_free(&grid->keys_block, &allocator);
    grz_block_free(&grid->spans_block, &allocator);
    allocator.release(grid, sizeof *grid, allocator.user);
}

uint32_t graze_grid_count(const graze_grid *grid)
{
    return grid->count;
}

const uint32_t *graze_grid_order(const graze_grid *grid)
{
    return grid->count ? grid->order : NULL;
}

uint32_t *graze_grid_notes(graze_grid *grid)
{
    return grid->keys_block.data;
}

const uint32_t *graze_grid_read_notes(const graze_grid *grid)
{
    return grid->keys_block.data;
}

void graze_grid_remove(graze_grid *grid, uint32_t place)
{
    grid->boxes.min_x[place] = INFINITY;
    grid->boxes.min_y[place] = INFINITY;
    grid->boxes.max_x[place] = -INFINITY;
    grid->boxes.max_y[place] = -INFINITY;
}

static uint64_t count_bytes(const graze_grid *grid)
{
    return (uint64_t)sizeof *grid + grid->min_x_block.size + grid->min_y_block.size +
           grid->max_x_block.size + grid->max_y_block.size + grid->order_block.size +
           grid->cells_block.size + grid->starts_block.size + grid->kinds_block.size +
           grid->meets_block.size + grid->keys_block.size + grid->spans_block.size;
}

static void add_class(graze_grid_stats *stats, const grz_grid_class *added, double share)
{
    const double width = added->x.side, height = added->y.side;
    const double shorter = min_double(width, height), longer = max_double(width, height);
    const bool first = stats->class_count == 0;
    stats->smallest_cell = first ? shorter : min_double(shorter, stats->smallest_cell);
    stats->largest_cell = max_double(longer, stats->largest_cell);
    stats->first_crowding += share * added->first_crowding;
    stats->crowding += share * added->crowding;
    stats->kept_count += added->kept;
    stats->refined_count += added->refined;
    ++stats->class_count;
}

graze_grid_stats graze_grid_get_stats(const graze_grid *grid)
{
    graze_grid_stats stats = {.cell_count = grid->cell_count, .memory_bytes = count_bytes(grid)};
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        add_class(&stats, &grid->classes[i], (double)grid->classes[i].count / grid->count);
    }
    return stats;
}

void grz_grid_fix_side(graze_grid *grid, double side)
{
    grid->fixed_side = side;
}

void grz_grid_use_lanes(graze_grid *grid, grz_lane_set set)
{
    static const grz_grid_loops *const tables[] = GRZ_WIDE_TABLES(grz_grid_loops);
    grid->loops = tables[set];
}
