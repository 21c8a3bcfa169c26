#include "grid_scan.h"

#include "min_max.h"
#include "prefetch.h"
#include "vec2d.h"

// Queries come by stages, one for each class; in a stage the cursor's row, part and next say where
// in its window it stands, as in grid_pairs.c.

// A cursor on this stage is past all classes.
static const uint32_t stream_is_done = UINT32_MAX;

// Of sums and products of coordinates in double, relative to the sum of their magnitudes: more than
// the roundings made here can add up to.
static const double rounding_share = 4e-15;

// Nothing overlaps a box outside the bounds of all boxes. These bounds are finite: a box with
// infinite sides would find removed boxes. A NaN in `box` stays: min_float and max_float return the
// second of a NaN and a number.
static graze_aabb clip_to_bounds(const graze_grid *grid, graze_aabb box)
{
    const graze_aabb bounds = grid->bounds;
    const graze_aabb clipped = {
        {max_float(bounds.lower.x, box.lower.x), max_float(bounds.lower.y, box.lower.y)},
        {min_float(bounds.upper.x, box.upper.x), min_float(bounds.upper.y, box.upper.y)}};
    return clipped;
}

graze_grid_cursor graze_grid_begin_box(const graze_grid *grid, graze_aabb box)
{
    graze_grid_cursor cursor = {0};
    cursor.box = clip_to_bounds(grid, box);
    return cursor;
}

uint32_t graze_grid_next_box(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity)
{
    grz_grid_sink sink = {NULL, places, 0, 0, capacity, 0};
    while (cursor->stage < grid->class_count &&
           grz_scan_window(grid, &grid->classes[cursor->stage], cursor->box, cursor, &sink)) {
        ++cursor->stage;
    }
    cursor->tested += sink.tested;
    return sink.count;
}

// As much as a query of a few cells reads: to prefetch more would push other data out of the cache.
enum { ROWS_TO_PREFETCH = 4, PLACES_TO_PREFETCH = 64 };

static void prefetch_places(const grz_grid_boxes *boxes, grz_grid_range range)
{
    const uint32_t count = range.last - range.first;
    const uint32_t end = range.first + (count < PLACES_TO_PREFETCH ? count : PLACES_TO_PREFETCH);
    for (uint32_t place = range.first; place < end; place += 16) {
        GRZ_PREFETCH(&boxes->min_x[place]);
        GRZ_PREFETCH(&boxes->min_y[place]);
        GRZ_PREFETCH(&boxes->max_x[place]);
        GRZ_PREFETCH(&boxes->max_y[place]);
    }
}

// The first of the cells from `index` on, or the boxes in them.
static void prefetch_row(const graze_grid *grid, const grz_grid_class *size_class, uint32_t index,
                         uint32_t width, bool boxes)
{
    grz_grid_range ranges[2];
    if (boxes) {
        (void)grz_split_cells(grid, size_class, index, width, ranges);
        prefetch_places(&grid->boxes, ranges[0]);
    } else {
        GRZ_PREFETCH(&grid->starts[size_class->first_cell + (index & (size_class->cells - 1))]);
    }
}

static void prefetch_window(const graze_grid *grid, graze_aabb box, bool boxes)
{
    const graze_aabb clipped = clip_to_bounds(grid, box);
    for (uint32_t k = 0; k < grid->class_count; ++k) {
        const grz_grid_class *size_class = &grid->classes[k];
        const grz_cell_runs runs = grz_find_window(size_class, clipped);
        for (uint32_t row = 0; row < runs.count && row < ROWS_TO_PREFETCH; ++row) {
            prefetch_row(grid, size_class, runs.index + row * size_class->stride, runs.width,
                         boxes);
        }
    }
}

void graze_grid_prefetch_cells(const graze_grid *grid, graze_aabb box)
{
    prefetch_window(grid, box, false);
}

void graze_grid_prefetch_boxes(const graze_grid *grid, graze_aabb box)
{
    prefetch_window(grid, box, true);
}

graze_grid_cursor graze_grid_begin_ray(const graze_grid *grid, graze_vec2 from, graze_vec2 to)
{
    const graze_aabb box = {{min_float(from.x, to.x), min_float(from.y, to.y)},
                            {max_float(from.x, to.x), max_float(from.y, to.y)}};
    graze_grid_cursor cursor = {0};
    cursor.from = from;
    cursor.to = to;
    cursor.box = clip_to_bounds(grid, box);
    if (!is_finite(from) || !is_finite(to)) {
        cursor.stage = stream_is_done;
    }
    return cursor;
}

// Whether the whole box lies on one side of the segment's line, even if all roundings were against
// it. Twice the box's middle and size are used: they need no halving.
static bool lies_beside(const grz_grid_boxes *boxes, uint32_t place, graze_vec2 from, graze_vec2 to)
{
    const double from_x = (double)from.x, from_y = (double)from.y;
    const double delta_x = (double)to.x - from_x, delta_y = (double)to.y - from_y;
    const double min_x = (double)boxes->min_x[place], max_x = (double)boxes->max_x[place];
    const double min_y = (double)boxes->min_y[place], max_y = (double)boxes->max_y[place];
    const double cross =
        delta_x * (min_y + max_y - 2 * from_y) - delta_y * (min_x + max_x - 2 * from_x);
    const double extent = absolute(delta_x) * (max_y - min_y) + absolute(delta_y) * (max_x - min_x);
    const double magnitude =
        absolute(delta_x) * (absolute(min_y) + absolute(max_y) + 2 * absolute(from_y)) +
        absolute(delta_y) * (absolute(min_x) + absolute(max_x) + 2 * absolute(from_x));
    return absolute(cross) > extent + rounding_share * magnitude;
}

// Returns the columns in which centres of one row's boxes can be that the segment meets.
static grz_grid_span find_ray_columns(const grz_grid_class *size_class, uint32_t row,
                                      const graze_grid_cursor *cursor)
{
    const double from_x = (double)cursor->from.x, delta_x = (double)cursor->to.x - from_x;
    const double from_y = (double)cursor->from.y, delta_y = (double)cursor->to.y - from_y;
    double enter = 0, leave = 1;
    if (delta_y != 0 && row > 0 && row < GRZ_GRID_COORDINATES - 1) {
        const double lower = row - GRZ_GRID_COORDINATES / 2 - GRZ_GRID_MARGIN;
        const double upper = row - GRZ_GRID_COORDINATES / 2 + 1 + GRZ_GRID_MARGIN;
        const double low = (lower * size_class->y.side - size_class->y.reach - from_y) / delta_y;
        const double high = (upper * size_class->y.side + size_class->y.reach - from_y) / delta_y;
        const double first = low < high ? low : high, last = low < high ? high : low;
        enter = first > 0 ? first : 0;
        leave = last < 1 ? last : 1;
    }
    const double x_enter = from_x + enter * delta_x, x_leave = from_x + leave * delta_x;
    const double slack = rounding_share * (absolute(from_x) + absolute(delta_x));
    const double lower = (x_enter < x_leave ? x_enter : x_leave) - slack;
    const double upper = (x_enter < x_leave ? x_leave : x_enter) + slack;
    const double least = (double)cursor->box.lower.x, most = (double)cursor->box.upper.x;
    return grz_find_span(&size_class->x, lower > least ? lower : least,
                         upper < most ? upper : most);
}

// Keeps, of the finds from `first` on, those that the segment may meet. A segment that goes round
// the torus comes to the same cells more than once: finds count in their own row only, unless all
// cells are looked at `once`.
static void keep_met(const graze_grid *grid, const grz_grid_class *size_class, uint32_t row,
                     bool once, const graze_grid_cursor *cursor, uint32_t first,
                     grz_grid_sink *sink)
{
    const float *min_y = grid->boxes.min_y, *max_y = grid->boxes.max_y;
    uint32_t kept = first;
    for (uint32_t i = first; i < sink->count; ++i) {
        const uint32_t place = sink->places[i];
        const uint32_t own_row = grz_grid_center_coordinate(min_y[place], max_y[place],
                                                            size_class->y.inverse_side * 0.5);
        sink->places[kept] = place;
        kept +=
            (once || row == own_row) && !lies_beside(&grid->boxes, place, cursor->from, cursor->to);
    }
    sink->count = kept;
}

static bool scan_ray_row(const graze_grid *grid, const grz_grid_class *size_class, uint32_t row,
                         bool once, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_grid_span all = {0, size_class->cells};
    const grz_grid_span columns = once ? all : find_ray_columns(size_class, row, cursor);
    const uint32_t index = once ? 0 : grz_grid_index(size_class, columns.first, row);
    const uint32_t width = columns.count < size_class->cells ? columns.count : size_class->cells;
    bool done = false;
    while (!done && sink->count < sink->capacity) {
        const uint32_t first = sink->count;
        done = grz_scan_cells(grid, size_class, index, width, cursor->box, cursor, sink);
        keep_met(grid, size_class, row, once, cursor, first, sink);
    }
    return done;
}

// Goes row by row; a segment that crosses more cells than there are has every item looked at.
bool grz_scan_ray(const graze_grid *grid, const grz_grid_class *size_class,
                  graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const graze_aabb box = cursor->box;
    const grz_grid_span columns =
        grz_find_span(&size_class->x, (double)box.lower.x, (double)box.upper.x);
    const grz_grid_span rows =
        grz_find_span(&size_class->y, (double)box.lower.y, (double)box.upper.y);
    const bool once = (uint64_t)rows.count + columns.count > size_class->cells;
    const uint32_t count = once ? 1 : rows.count;
    for (uint32_t row = cursor->row; row < count; ++row) {
        if (!scan_ray_row(grid, size_class, rows.first + row, once, cursor, sink)) {
            cursor->row = row;
            return false;
        }
    }
    cursor->row = 0;
    return true;
}

uint32_t graze_grid_next_ray(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity)
{
    grz_grid_sink sink = {NULL, places, 0, 0, capacity, 0};
    while (cursor->stage < grid->class_count &&
           grz_scan_ray(grid, &grid->classes[cursor->stage], cursor, &sink)) {
        ++cursor->stage;
    }
    cursor->tested += sink.tested;
    return sink.count;
}
