#include "grid_scan.h"

grz_grid_span grz_find_span(const grz_grid_class *of, double lower, double upper, uint32_t most)
{
    grz_grid_span span = {0, 0};
    if (!(lower <= upper)) {
        return span;
    }
    lower = (lower - of->reach) * of->inverse_side - GRZ_GRID_MARGIN;
    upper = (upper + of->reach) * of->inverse_side + GRZ_GRID_MARGIN;
    span.first = grz_grid_coordinate(lower);
    span.count = grz_grid_coordinate(upper) - span.first + 1;
    span.count = span.count < most ? span.count : most;
    return span;
}

bool grz_scan_ranges(const graze_grid *grid, graze_aabb box, const grz_grid_range *ranges,
                     uint32_t count, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    uint32_t next = cursor->next;
    for (uint32_t part = cursor->part; part < count; ++part) {
        grz_grid_range range = ranges[part];
        range.first = next > range.first ? next : range.first;
        next = grz_scan_range(&grid->boxes, box, range, sink);
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

bool grz_scan_row(const graze_grid *grid, const grz_grid_class *of, uint32_t row,
                  grz_grid_span columns, graze_aabb box, graze_grid_cursor *cursor,
                  grz_grid_sink *sink)
{
    grz_grid_range ranges[2];
    const uint32_t count = grz_split_row(grid, of, row, columns.first, columns.count, ranges);
    return grz_scan_ranges(grid, box, ranges, count, cursor, sink);
}

bool grz_scan_window(const graze_grid *grid, const grz_grid_class *of, graze_aabb box,
                     graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_grid_span columns =
        grz_find_span(of, (double)box.lower.x, (double)box.upper.x, of->columns);
    const grz_grid_span rows =
        grz_find_span(of, (double)box.lower.y, (double)box.upper.y, of->rows);
    const uint32_t count = columns.count ? rows.count : 0;
    for (uint32_t row = cursor->row; row < count; ++row) {
        if (!grz_scan_row(grid, of, rows.first + row, columns, box, cursor, sink)) {
            cursor->row = row;
            return false;
        }
    }
    cursor->row = 0;
    return true;
}
