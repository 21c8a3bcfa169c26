/// @file grid_windows_wide.h
/// Pairs of two classes, and of rays and a class: each box with the items of the class in the
/// window of cells around it. (Pairs within a class: grid_neighbours_wide.h.) Included by
/// grid_wide.h alone.

enum {
    AHEAD = 32, ///< How many places ahead boxes are prefetched: the next windows lie to the right.
    GROUP = 32, ///< Boxes whose windows are found together.
    ROWS_AT_ONCE = 4,
    MAX_ROWS = 2 * ROWS_AT_ONCE ///< Of a window whose rows are listed with those of others.
};

/// Compares one box, whatever its window is like, as scan_windows does.
static bool scan_window(const graze_grid *grid, const grz_grid_class *target,
                        const grz_grid_scanners *scanners, uint32_t item, grz_grid_sink *sink)
{
    const grz_grid_boxes boxes = grid->boxes;
    const graze_aabb box = grz_get_box(&scanners->boxes, item);
    const grz_cell_runs runs = grz_find_window(target, box);
    const uint32_t *starts = grid->starts + target->first_cell + runs.index;
    const grz_grid_sink before = *sink;
    bool done = !runs.count || grz_is_small_window(target, runs, scanners->most_cells);
    for (uint32_t row = 0; done && row < runs.count; ++row, starts += target->stride) {
        const grz_grid_range places = {starts[0], starts[runs.width]};
        prefetch_boxes(&boxes, places.last + AHEAD);
        done = scan_places(&boxes, box, item, places, sink);
    }
    *sink = done ? *sink : before;
    return done;
}

/// Some boxes, with the window of each, and the rows of these windows. All in one structure,
/// reached by one register: the loop over the rows has none to spare.
typedef struct window_group {
    const grz_grid_class *target;
    const grz_grid_scanners *scanners;
    uint32_t first, count; ///< Of the scanners' boxes.
    float min_x[GROUP], min_y[GROUP], max_x[GROUP], max_y[GROUP];
    /// The first cell of a window, and how many columns and rows it has. No box: no rows.
    uint32_t cell[GROUP], width[GROUP], rows[GROUP];
    uint32_t row_count;
    uint32_t window_of_row[GROUP * MAX_ROWS], cell_of_row[GROUP * MAX_ROWS];
} window_group;

/// Returns the cell coordinates of edges, moved by `reach` units and then by `margin` cells.
static inline ints find_edges(floats edge, const grz_grid_axis *axis, double reach, double margin)
{
    const doubles by = fill_doubles(reach), scale = fill_doubles(axis->inverse_side);
    const doubles beyond = fill_doubles(margin);
    const doubles low = mul_doubles(add_doubles(widen_low(edge), by), scale);
    const doubles high = mul_doubles(add_doubles(widen_high(edge), by), scale);
    return truncate_doubles(clamp_coordinates(add_doubles(low, beyond)),
                            clamp_coordinates(add_doubles(high, beyond)));
}

// As grz_find_window has it, lane by lane.
static inline void find_windows(window_group *group)
{
    const grz_grid_boxes from = group->scanners->boxes;
    const grz_grid_class *size_class = group->target;
    const ints one = fill_ints(1), none = fill_ints(0);
    for (uint32_t k = 0; k < group->count; k += GRZ_WIDTH) {
        const uint32_t i = group->first + k;
        const wide_box box =
            load_sides(from.min_x + i, from.min_y + i, from.max_x + i, from.max_y + i);
        const floats_mask is_box =
            mask_and(at_most_floats(box.min_x, box.max_x), at_most_floats(box.min_y, box.max_y));
        const ints left =
            find_edges(box.min_x, &size_class->x, -size_class->x.reach, -GRZ_GRID_MARGIN);
        const ints right =
            find_edges(box.max_x, &size_class->x, size_class->x.reach, GRZ_GRID_MARGIN);
        const ints low =
            find_edges(box.min_y, &size_class->y, -size_class->y.reach, -GRZ_GRID_MARGIN);
        const ints high =
            find_edges(box.max_y, &size_class->y, size_class->y.reach, GRZ_GRID_MARGIN);
        const ints index = add_ints(left, mul_ints(low, fill_ints(size_class->stride)));
        const ints rows = add_ints(sub_ints(high, low), one);
        store_floats(group->min_x + k, box.min_x);
        store_floats(group->min_y + k, box.min_y);
        store_floats(group->max_x + k, box.max_x);
        store_floats(group->max_y + k, box.max_y);
        store_ints(group->cell + k, and_ints(sub_ints(index, fill_ints(size_class->origin)),
                                             fill_ints(size_class->cells - 1)));
        store_ints(group->width + k, add_ints(sub_ints(right, left), one));
        store_ints(group->rows + k, select_ints(is_box, rows, none));
    }
}

/// Most windows have at most ROWS_AT_ONCE rows: these are always written.
static inline void list_window(window_group *group, uint32_t k)
{
    uint32_t row = 0;
    do {
        for (const uint32_t end = row + ROWS_AT_ONCE; row < end; ++row) {
            group->window_of_row[group->row_count + row] = k;
            group->cell_of_row[group->row_count + row] =
                group->cell[k] + row * group->target->stride;
        }
    } while (row < group->rows[k]);
    group->row_count += group->rows[k];
}

/// Whether a window has no seam, few rows that do not overlap, and not too many cells.
static inline bool is_small(const window_group *group, uint32_t k)
{
    const grz_grid_class *size_class = group->target;
    const uint64_t width = group->width[k], rows = group->rows[k];
    const uint64_t end = group->cell[k] + rows * size_class->stride + width;
    return (end <= (uint64_t)size_class->cells + size_class->stride) & (rows <= MAX_ROWS) &
           (width < size_class->stride) & (rows * width <= group->scanners->most_cells);
}

/// Lists the rows of the windows from `k` on that are small, and returns the first that is not.
static inline uint32_t list_windows(window_group *group, uint32_t k)
{
    group->row_count = 0;
    for (; k < group->count && is_small(group, k); ++k) {
        list_window(group, k);
    }
    return k;
}

static inline grz_grid_range find_row_places(const uint32_t *starts, const window_group *group,
                                             uint32_t row)
{
    const uint32_t cell = group->cell_of_row[row], k = group->window_of_row[row];
    const grz_grid_range places = {starts[cell], starts[cell + group->width[k]]};
    return places;
}

/// Compares the group's boxes with those in the rows listed. Returns how many rows were done: all,
/// unless room ran out.
static inline uint32_t scan_rows(const graze_grid *grid, const window_group *group,
                                 grz_grid_sink *sink)
{
    const uint32_t *starts = grid->starts + group->target->first_cell;
    const grz_grid_boxes boxes = grid->boxes;
    uint32_t row = 0;
    for (; row < group->row_count; ++row) {
        const uint32_t k = group->window_of_row[row];
        const graze_aabb box = {{group->min_x[k], group->min_y[k]},
                                {group->max_x[k], group->max_y[k]}};
        const grz_grid_range places = find_row_places(starts, group, row);
        prefetch_boxes(&boxes, places.last + AHEAD);
        if (!scan_places(&boxes, box, group->first + k, places, sink)) {
            break;
        }
    }
    return row;
}

/// Drops the pairs found in a window of which only the rows before `done` were compared: the last
/// pairs from `first` on.
static void drop_window(const graze_grid *grid, const window_group *group, uint32_t done,
                        uint32_t first, grz_grid_sink *sink)
{
    const uint32_t *starts = grid->starts + group->target->first_cell;
    const uint32_t k = group->window_of_row[done];
    for (uint32_t row = done; row > 0 && group->window_of_row[row - 1] == k; --row) {
        const grz_grid_range places = find_row_places(starts, group, row - 1);
        sink->tested -= places.last - places.first;
    }
    while (sink->count > first && sink->pairs[sink->count - 1].a == group->first + k) {
        --sink->count;
    }
}

/// Compares a group as scan_windows does.
static uint32_t scan_group(const graze_grid *grid, window_group *group, grz_grid_sink *sink)
{
    find_windows(group);
    for (uint32_t k = 0; k < group->count; ++k) {
        const uint32_t first = sink->count;
        k = list_windows(group, k);
        const uint32_t done = scan_rows(grid, group, sink);
        if (done < group->row_count) {
            drop_window(grid, group, done, first, sink);
            return group->first + group->window_of_row[done];
        }
        if (k < group->count &&
            !scan_window(grid, group->target, group->scanners, group->first + k, sink)) {
            return group->first + k;
        }
    }
    return group->first + group->count;
}

// HOT. bench: broadphase/pairs/gas-sizes-power, engine/step/bullet-hell,
// engine/query_ray_many/bullets-bodies
//
// Data    Per box its sides, two entries of `starts` a row of its window, and the boxes between
//         them.
// Branch  Windows have one to three rows, and rows no box or some, which cannot be predicted: so
//         all rows of a group of windows are listed without a branch on their number, and then
//         compared one after the other without a branch on the number of boxes, except in long
//         rows.
// Order   By box, then by row, then by place.
static uint32_t scan_windows(const graze_grid *grid, const grz_grid_class *target,
                             const grz_grid_scanners *scanners, uint32_t item, uint32_t last,
                             grz_grid_sink *sink)
{
    window_group group;
    group.target = target;
    group.scanners = scanners;
    while (item < last) {
        group.first = item;
        group.count = last - item < GROUP ? last - item : GROUP;
        item = scan_group(grid, &group, sink);
        if (item < group.first + group.count) {
            break;
        }
    }
    return item;
}
