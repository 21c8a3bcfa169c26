#include "grid_scan.h"

grz_grid_span grz_find_span(const grz_grid_axis *axis, double lower, double upper)
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

bool grz_scan_ranges(const graze_grid *grid, graze_aabb box, const grz_grid_range *ranges,
                     uint32_t count, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    uint32_t next = cursor->next;
    for (uint32_t part = cursor->part; part < count; ++part) {
        grz_grid_range range = ranges[part];
        range.first = next > range.first ? next : range.first;
        next = grid->loops->scan_range(&grid->boxes, box, range, sink);
        if (next < range.last) {
            cursor->part = part;
            cursor->next = next;
            return false;
        }
        next = 0;
    }
    cursor->part = 0;
    cursor->next = 0;
    return true;
}

bool grz_scan_cells(const graze_grid *grid, const grz_grid_class *of, uint32_t index,
                    uint32_t width, graze_aabb box, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    grz_grid_range ranges[2];
    const uint32_t count = grz_split_cells(grid, of, index, width, ranges);
    return grz_scan_ranges(grid, box, ranges, count, cursor, sink);
}

/// Runs of cells, each so many cells after the one before, all distinct.
typedef struct cell_runs {
    uint32_t index, width, count;
} cell_runs;

// Rows as wide as the stride go on into one another, and are one run; what goes round the seam to
// its own beginning is all cells.
static cell_runs find_window(const grz_grid_class *of, graze_aabb box)
{
    const grz_grid_span columns = grz_find_span(&of->x, (double)box.lower.x, (double)box.upper.x);
    const grz_grid_span rows = grz_find_span(&of->y, (double)box.lower.y, (double)box.upper.y);
    const uint64_t extent = (uint64_t)(rows.count - 1) * of->stride + columns.count;
    cell_runs runs = {grz_grid_index(of, columns.first, rows.first), columns.count, rows.count};
    if (!columns.count || !rows.count) {
        runs.count = 0;
    } else if (extent >= of->cells) {
        runs.width = of->cells;
        runs.count = 1;
    } else if (columns.count >= of->stride) {
        runs.width = (uint32_t)extent;
        runs.count = 1;
    }
    return runs;
}

bool grz_scan_window(const graze_grid *grid, const grz_grid_class *of, graze_aabb box,
                     graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const cell_runs runs = find_window(of, box);
    for (uint32_t row = cursor->row; row < runs.count; ++row) {
        const uint32_t index = runs.index + row * of->stride;
        if (!grz_scan_cells(grid, of, index, runs.width, box, cursor, sink)) {
            cursor->row = row;
            return false;
        }
    }
    cursor->row = 0;
    return true;
}
