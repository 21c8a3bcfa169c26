// Scanning: the places that one box or one path is compared with; for pairs and for queries.

#include "fault.h"
#include "grid_moves.h"

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

// Likewise of the places in `width` cells, at most all, from `index` on.
static bool scan_cells(const graze_grid *grid, const grz_grid_class *size_class, uint32_t index,
                       uint32_t width, graze_aabb box, graze_grid_cursor *cursor,
                       grz_grid_sink *sink)
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
        if (!scan_cells(grid, size_class, index, runs.width, box, cursor, sink)) {
            cursor->row = row;
            return false;
        }
    }
    cursor->row = 0;
    return true;
}

// --- Paths ---

// Which places a path meets, row by row: of each row of cells only those columns that it may cross
// there.

// Of the places where a path crosses rows: more than the roundings made here can add up to, and
// those of grz_lies_beside. Relative to the sum of the magnitudes that go into them.
static const double crossing_share = 1e-13;

bool grz_lies_beside(const grz_grid_boxes *boxes, uint32_t place, const grz_grid_path *path)
{
    // Twice the box's middle and size are used: they need no halving.
    const double from_x = (double)path->from.x, from_y = (double)path->from.y;
    const double delta_x = (double)path->to.x - from_x, delta_y = (double)path->to.y - from_y;
    const double min_x = (double)boxes->min_x[place], max_x = (double)boxes->max_x[place];
    const double min_y = (double)boxes->min_y[place], max_y = (double)boxes->max_y[place];
    const double cross =
        delta_x * (min_y + max_y - 2 * from_y) - delta_y * (min_x + max_x - 2 * from_x);
    const double extent = absolute(delta_x) * (max_y - min_y + 2 * path->half_height) +
                          absolute(delta_y) * (max_x - min_x + 2 * path->half_width);
    const double magnitude =
        absolute(delta_x) * (absolute(min_y) + absolute(max_y) + 2 * absolute(from_y)) +
        absolute(delta_y) * (absolute(min_x) + absolute(max_x) + 2 * absolute(from_x));
    GRZ_FAULT(margin_of_long_moves, magnitude = 0);
    return absolute(cross) > extent + grz_rounding_share * magnitude;
}

/// A path through the cells of a class.
typedef struct path_walk {
    const graze_grid *grid;
    const grz_grid_class *size_class;
    const grz_grid_path *path;
    graze_aabb box;   ///< All that is found overlaps it.
    double slack;     ///< Of crossings, units of x.
    bool all_at_once; ///< It crosses more cells than there are: all items are looked at.
    grz_grid_span rows;
} path_walk;

// What is found overlaps the path's box, so its coordinates are bounded by those of the path. A
// path that is level is in all its columns in every row, and its crossings are not used.
static double find_slack(const grz_grid_class *size_class, const grz_grid_path *path)
{
    const double from_x = (double)path->from.x, from_y = (double)path->from.y;
    const double delta_x = (double)path->to.x - from_x, delta_y = (double)path->to.y - from_y;
    const double reach_x = 2 * size_class->x.reach + path->half_width;
    const double reach_y = 2 * size_class->y.reach + path->half_height;
    const double magnitude_x = absolute(from_x) + absolute(delta_x) + reach_x;
    const double magnitude_y = absolute(from_y) + absolute(delta_y) + reach_y;
    const double steepness = delta_y != 0 ? absolute(delta_x / delta_y) : 0;
    GRZ_FAULT(rounding_of_crossed_rows, return 0);
    return crossing_share * (magnitude_x + steepness * magnitude_y);
}

// Rounds to a float that is surely not above, or not below; denormals included.
static float round_down(double value)
{
    return narrow_reported(value - absolute(value) * 0x1p-23 - (double)FLT_MIN);
}

static float round_up(double value)
{
    return narrow_reported(value + absolute(value) * 0x1p-23 + (double)FLT_MIN);
}

// Narrows `box` to what the path covers while it is near a row: of the boxes that have their
// centres in it, and overlap the walk's, the path meets only those that overlap this one.
static grz_grid_span find_row_columns(const path_walk *walk, uint32_t row, graze_aabb *box)
{
    const grz_grid_class *size_class = walk->size_class;
    const grz_grid_path *path = walk->path;
    const double from_x = (double)path->from.x, delta_x = (double)path->to.x - from_x;
    const double from_y = (double)path->from.y, delta_y = (double)path->to.y - from_y;
    double enter = 0, leave = 1;
    if (delta_y != 0 && row > 0 && row < GRZ_GRID_COORDINATES - 1) {
        const double reach = size_class->y.reach + path->half_height;
        const double lower = row - GRZ_GRID_COORDINATES / 2 - GRZ_GRID_MARGIN;
        const double upper = row - GRZ_GRID_COORDINATES / 2 + 1 + GRZ_GRID_MARGIN;
        const double low = (lower * size_class->y.side - reach - from_y) / delta_y;
        const double high = (upper * size_class->y.side + reach - from_y) / delta_y;
        enter = max_double(min_double(low, high), 0);
        leave = min_double(max_double(low, high), 1);
    }
    const double x_enter = from_x + enter * delta_x, x_leave = from_x + leave * delta_x;
    const double reach = path->half_width + walk->slack;
    GRZ_FAULT(width_of_long_moves, reach = walk->slack);
    const double lower = max_double(min_double(x_enter, x_leave) - reach, (double)box->lower.x);
    const double upper = min_double(max_double(x_enter, x_leave) + reach, (double)box->upper.x);
    box->lower.x = max_float(box->lower.x, round_down(lower));
    box->upper.x = min_float(box->upper.x, round_up(upper));
    return grz_find_span(&size_class->x, lower, upper);
}

// Keeps, of the finds from `first` on, those that the path may meet. A path that goes round the
// torus comes to the same cells more than once: finds count in their own row only, unless all are
// looked at at once.
static void keep_met(const path_walk *walk, uint32_t row, uint32_t first, grz_grid_sink *sink)
{
    const grz_grid_boxes *boxes = &walk->grid->boxes;
    const double half_inverse_side = walk->size_class->y.inverse_side * 0.5;
    uint32_t kept = first;
    for (uint32_t i = first; i < sink->count; ++i) {
        const uint32_t place = sink->pairs ? sink->pairs[i].b : sink->places[i];
        const uint32_t own_row =
            grz_grid_center_coordinate(boxes->min_y[place], boxes->max_y[place], half_inverse_side);
        *(sink->pairs ? &sink->pairs[kept].b : &sink->places[kept]) = place;
        kept += (walk->all_at_once || row == own_row) && !grz_lies_beside(boxes, place, walk->path);
    }
    sink->count = kept;
}

static bool scan_row(const path_walk *walk, uint32_t row, graze_grid_cursor *cursor,
                     grz_grid_sink *sink)
{
    const grz_grid_class *size_class = walk->size_class;
    graze_aabb box = walk->box;
    grz_grid_span columns = {0, size_class->cells};
    uint32_t index = 0;
    if (!walk->all_at_once) {
        columns = find_row_columns(walk, row, &box);
        index = grz_grid_index(size_class, columns.first, row);
    }
    const uint32_t width = columns.count < size_class->cells ? columns.count : size_class->cells;
    bool done = false;
    while (!done && sink->count < sink->capacity) {
        const uint32_t first = sink->count;
        done = scan_cells(walk->grid, size_class, index, width, box, cursor, sink);
        keep_met(walk, row, first, sink);
    }
    return done;
}

static path_walk begin_walk(const graze_grid *grid, const grz_grid_class *size_class,
                            const grz_grid_path *path, graze_aabb box)
{
    path_walk walk = {.grid = grid, .size_class = size_class, .path = path, .box = box};
    const grz_grid_span columns =
        grz_find_span(&size_class->x, (double)box.lower.x, (double)box.upper.x);
    walk.rows = grz_find_span(&size_class->y, (double)box.lower.y, (double)box.upper.y);
    walk.slack = find_slack(size_class, path);
    walk.all_at_once = (uint64_t)walk.rows.count + columns.count > size_class->cells;
    return walk;
}

bool grz_scan_path(const graze_grid *grid, const grz_grid_class *size_class,
                   const grz_grid_path *path, graze_aabb box, graze_grid_cursor *cursor,
                   grz_grid_sink *sink)
{
    const path_walk walk = begin_walk(grid, size_class, path, box);
    const uint32_t count = walk.all_at_once ? 1 : walk.rows.count;
    for (uint32_t row = cursor->row; row < count; ++row) {
        if (!scan_row(&walk, walk.rows.first + row, cursor, sink)) {
            cursor->row = row;
            return false;
        }
    }
    cursor->row = 0;
    return true;
}
