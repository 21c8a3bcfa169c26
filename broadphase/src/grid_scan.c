// Scanning: the ranges of places that one box is compared with; for pairs and for queries.

#include "grid_scan.h"

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

bool grz_scan_cells(const graze_grid *grid, const grz_grid_class *size_class, uint32_t index,
                    uint32_t width, graze_aabb box, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    grz_grid_range ranges[2];
    const uint32_t count = grz_split_cells(grid, size_class, index, width, ranges);
    return grz_scan_ranges(grid, box, ranges, count, cursor, sink);
}

bool grz_scan_window(const graze_grid *grid, const grz_grid_class *size_class, graze_aabb box,
                     graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_cell_runs runs = grz_find_window(size_class, box);
    for (uint32_t row = cursor->row; row < runs.count; ++row) {
        const uint32_t index = runs.index + row * size_class->stride;
        if (!grz_scan_cells(grid, size_class, index, runs.width, box, cursor, sink)) {
            cursor->row = row;
            return false;
        }
    }
    cursor->row = 0;
    return true;
}
