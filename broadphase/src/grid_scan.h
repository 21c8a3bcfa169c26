/// @file grid_scan.h
/// Which ranges of places a box is compared with, and where a cursor stands in them.
#ifndef GRZ_GRID_SCAN_H
#define GRZ_GRID_SCAN_H

#include "grid_state.h"

static inline graze_aabb grz_get_box(const grz_grid_boxes *boxes, uint32_t place)
{
    const graze_aabb box = {{boxes->min_x[place], boxes->min_y[place]},
                            {boxes->max_x[place], boxes->max_y[place]}};
    return box;
}

/// Returns the places of all the class's items.
static inline grz_grid_range grz_find_places(const graze_grid *grid,
                                             const grz_grid_class *size_class)
{
    const uint32_t *starts = grid->starts + size_class->first_cell;
    const grz_grid_range places = {starts[0], starts[size_class->cells]};
    return places;
}

/// Stores the places in `width` cells (at most all) from `index` on, as one range, or two if they
/// go round the seam; returns how many.
static inline uint32_t grz_split_cells(const graze_grid *grid, const grz_grid_class *size_class,
                                       uint32_t index, uint32_t width, grz_grid_range ranges[2])
{
    const uint32_t *starts = grid->starts + size_class->first_cell;
    const uint32_t first = index & (size_class->cells - 1);
    const uint32_t last = first + width;
    ranges[0].first = starts[first];
    if (last <= size_class->cells) {
        ranges[0].last = starts[last];
        return 1;
    }
    ranges[0].last = starts[size_class->cells];
    ranges[1].first = starts[0];
    ranges[1].last = starts[last - size_class->cells];
    return 2;
}

/// Cell coordinates first to first + count - 1, on one axis.
typedef struct grz_grid_span {
    uint32_t first, count;
} grz_grid_span;

/// Returns the coordinates, on one axis, of cells in which the centres of boxes that reach
/// lower..upper can be. A span with lower > upper has none.
static inline grz_grid_span grz_find_span(const grz_grid_axis *axis, double lower, double upper)
{
    grz_grid_span span = {0, 0};
    if (!(lower <= upper)) {
        return span;
    }
    lower = (lower - axis->reach) * axis->inverse_side - GRZ_GRID_MARGIN;
    upper = (upper + axis->reach) * axis->inverse_side + GRZ_GRID_MARGIN;
    span.first = grz_grid_coordinate(lower);
    span.count = grz_grid_coordinate(upper) - span.first + 1;
    return span;
}

/// Runs of `width` cells, the first from `index` on, each a stride after the one before: no cell
/// comes twice.
typedef struct grz_cell_runs {
    uint32_t index, width, count;
} grz_cell_runs;

/// Returns the cells of the class in which the centres of boxes that overlap `box` can be. Rows as
/// wide as the stride continue each other and make one run; a run that goes round the seam to its
/// own start is all cells.
static inline grz_cell_runs grz_find_window(const grz_grid_class *size_class, graze_aabb box)
{
    const grz_grid_span columns =
        grz_find_span(&size_class->x, (double)box.lower.x, (double)box.upper.x);
    const grz_grid_span rows =
        grz_find_span(&size_class->y, (double)box.lower.y, (double)box.upper.y);
    const uint64_t extent = (uint64_t)(rows.count - 1) * size_class->stride + columns.count;
    grz_cell_runs runs = {grz_grid_index(size_class, columns.first, rows.first), columns.count,
                          rows.count};
    if (!columns.count || !rows.count) {
        runs.count = 0;
    } else if (extent >= size_class->cells) {
        runs.width = size_class->cells;
        runs.count = 1;
    } else if (columns.count >= size_class->stride) {
        runs.width = (uint32_t)extent;
        runs.count = 1;
    }
    return runs;
}

/// Returns whether a window that is not empty goes nowhere round the seam, and has at most so many
/// cells.
static inline bool grz_is_small_window(const grz_grid_class *size_class, grz_cell_runs runs,
                                       uint32_t most_cells)
{
    const uint64_t end = runs.index + (uint64_t)(runs.count - 1) * size_class->stride + runs.width;
    return end <= size_class->cells && (uint64_t)runs.count * runs.width <= most_cells;
}

/// Compares a box with the items of some ranges, from the cursor on, and moves the cursor. Returns
/// false when the sink is full.
bool grz_scan_ranges(const graze_grid *grid, graze_aabb box, const grz_grid_range *ranges,
                     uint32_t count, graze_grid_cursor *cursor, grz_grid_sink *sink);

/// Compares all places of the class that `box` may overlap with it, from where the cursor's row,
/// part and next stand. Returns false when the sink is full, with the cursor there; else these are
/// 0.
bool grz_scan_window(const graze_grid *grid, const grz_grid_class *size_class, graze_aabb box,
                     graze_grid_cursor *cursor, grz_grid_sink *sink);

#endif
