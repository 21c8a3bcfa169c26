/// @file grid_windows_wide.h
/// Pairs of boxes and the items of a class in the window of cells around each. Included by
/// grid_wide.h alone.

enum {
    LISTED = 1024, // Places, for which there is room to be listed.
    AHEAD = 32     // How many places on boxes are asked for: the next windows lie to the right.
};

static inline void ask_for_boxes(const grz_grid_boxes *boxes, uint32_t place)
{
    GRZ_PREFETCH(boxes->min_x + place);
    GRZ_PREFETCH(boxes->min_y + place);
    GRZ_PREFETCH(boxes->max_x + place);
    GRZ_PREFETCH(boxes->max_y + place);
}

/// Stores the pairs of an item and some places; may write GRZ_WIDTH more.
static inline void pair_places(uint32_t item, const uint32_t *places, uint32_t count,
                               graze_pair *pairs)
{
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        (void)store_pairs(&pairs[k].a, get_low_bits(GRZ_WIDTH), item, load_ints(places + k));
    }
}

/// Stores the pairs of the sink's item, whose box is given, and the boxes in some cells, if all are
/// sure to have room.
static inline bool scan_runs(const graze_grid *grid, graze_aabb box, const uint32_t *starts,
                             grz_cell_runs runs, uint32_t stride, grz_grid_sink *sink)
{
    const grz_grid_boxes boxes = grid->boxes;
    const uint32_t room = sink->capacity - sink->count;
    const uint32_t most = room < LISTED ? room : LISTED;
    uint32_t places[LISTED + GRZ_WIDTH];
    uint32_t found = 0, tested = 0;
    for (uint32_t row = 0; row < runs.count; ++row) {
        const uint32_t first = starts[row * stride], last = starts[row * stride + runs.width];
        if (most - found < last - first + GRZ_WIDTH) {
            return false;
        }
        ask_for_boxes(&boxes, last + AHEAD);
        found += list_overlaps(&boxes, box, first, last, places + found);
        tested += last - first;
    }
    pair_places(sink->item, places, found, sink->pairs + sink->count);
    sink->count += found;
    sink->tested += tested;
    return true;
}

// HOT. bench: broadphase/pairs/gas-sizes-power, engine/step/bullet-hell,
// engine/query_ray_many/bullets-bodies
//
// Data    Per box its sides, two entries of `starts` a row of its window, and the boxes between
//         them.
// Branch  On the rows' lengths. Places are packed, and made pairs when all of an item are known.
// Order   By box, then by row, then by place.
static uint32_t scan_windows(const graze_grid *grid, const grz_grid_class *target,
                             const grz_grid_scanners *scanners, uint32_t item, uint32_t last,
                             grz_grid_sink *sink)
{
    const uint32_t *starts = grid->starts + target->first_cell;
    for (; item < last; ++item) {
        const graze_aabb box = get_wide_box(&scanners->boxes, item);
        const grz_cell_runs runs = grz_find_window(target, box);
        const uint64_t end = runs.index + (uint64_t)(runs.count - 1) * target->stride + runs.width;
        sink->item = item;
        if (runs.count &&
            (end > target->cells || (uint64_t)runs.count * runs.width > scanners->most_cells ||
             !scan_runs(grid, box, starts + runs.index, runs, target->stride, sink))) {
            break;
        }
    }
    return item;
}
