/// @file grid_neighbours_wide.h
/// Pairs within a class: each item with those after it in its own cell and in the one to its right,
/// and with those of three cells in the next row. (Pairs of two classes: grid_windows_wide.h.)
/// Included by grid_wide.h alone.

/// The boxes that an item is compared with, and their numbers.
typedef struct near_places {
    uint32_t first, first_count, second, second_count;
} near_places;

static inline near_places find_near(const uint32_t *starts, uint32_t stride, uint32_t item,
                                    uint32_t cell)
{
    const uint32_t *below = starts + cell + stride;
    const near_places near = {item + 1, starts[cell + 2] - (item + 1), below[-1],
                              below[2] - below[-1]};
    return near;
}

#if GRZ_LANES != GRZ_LANES_SCALAR
enum {
    PLAIN_BOXES = 16,                     ///< A plain item is compared with at most this many,
    FIRST_BOXES = 8,                      ///< of them this many in its own cell and the next.
    SMALL_ROOM = PLAIN_BOXES + GRZ_WIDTH, ///< What the pairs of a plain or twofold item take.
    ITEMS_AHEAD = 2048, ///< How far ahead boxes are prefetched, more than a row of cells,
    ITEMS_A_LINE = 16   ///< once a cache line.
};

static inline bool is_plain(near_places near)
{
    return (near.first_count <= FIRST_BOXES) &
           (near.first_count + near.second_count <= PLAIN_BOXES);
}

/// Whether a vector holds the near boxes of each range of an item that is not plain. With fewer
/// than 16 lanes there is no such item.
static inline bool is_twofold(near_places near)
{
    return (near.first_count <= GRZ_WIDTH) & (near.second_count <= GRZ_WIDTH);
}

/// The near boxes of a plain item, in a row: the first and then the second. Returns the lanes from
/// `lane` on of one column of theirs; `first` says which of these are of the first. These are never
/// more than half of 16 lanes: a load of 16 lanes nearly always crosses a cache line, and then
/// takes as long as two; a load of 8 does so in less than half of all cases.
static inline floats load_near(const float *column, near_places near, uint32_t lane,
                               floats_mask first)
{
    const floats second = load_floats(column + (near.second - near.first_count) + lane);
    if (lane >= FIRST_BOXES) {
        return second;
    }
    const float *of_first = column + near.first + lane;
    return select_floats(
        first, FIRST_BOXES < GRZ_WIDTH ? load_half(of_first) : load_floats(of_first), second);
}

static inline floats_mask find_first_lanes(near_places near, uint32_t lane)
{
    return first_lanes(near.first_count > lane ? near.first_count - lane : 0);
}

static inline floats_mask match_near(const grz_grid_boxes *boxes, near_places near, uint32_t lane,
                                     wide_box box)
{
    const floats_mask first = find_first_lanes(near, lane);
    const floats min_x = load_near(boxes->min_x, near, lane, first);
    const floats min_y = load_near(boxes->min_y, near, lane, first);
    const floats max_x = load_near(boxes->max_x, near, lane, first);
    const floats max_y = load_near(boxes->max_y, near, lane, first);
    const floats_mask beside =
        mask_and(at_most_floats(min_x, box.max_x), at_most_floats(box.min_x, max_x));
    const floats_mask level =
        mask_and(at_most_floats(min_y, box.max_y), at_most_floats(box.min_y, max_y));
    return mask_and(beside, level);
}

#if GRZ_WIDTH > 4
/// Stores the pairs of a plain item, and returns how many.
static inline uint32_t scan_plain(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                                  graze_pair *pairs)
{
    const wide_box box = fill_box(grz_get_box(boxes, item));
    const uint32_t all = get_low_bits(near.first_count + near.second_count);
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < PLAIN_BOXES; lane += GRZ_WIDTH) {
        const ints bases = select_ints(find_first_lanes(near, lane), fill_ints(near.first + lane),
                                       fill_ints(near.second - near.first_count + lane));
        const uint32_t match = mask_bits(match_near(boxes, near, lane, box)) & all >> lane;
        count += store_pairs(&pairs[count].a, match, item, add_ints(bases, number_lanes()));
    }
    return count;
}
#else
// Stores the pair of the lowest bit and returns the other bits. Without bits it stores a pair that
// the caller drops.
static inline uint32_t store_lowest(graze_pair *pair, uint32_t item, uint32_t match,
                                    near_places near)
{
    const uint32_t bit = grz_lowest_bit(match | 1u << 31);
    pair->a = item;
    pair->b = bit + (bit < near.first_count ? near.first : near.second - near.first_count);
    return match & (match - 1);
}

// Stores the pairs of the bits, and returns how many; a few more may be stored.
static inline uint32_t store_rest(graze_pair *pairs, uint32_t item, uint32_t match,
                                  near_places near)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < PLAIN_BOXES; lane += GRZ_WIDTH) {
        const ints bases = select_ints(find_first_lanes(near, lane), fill_ints(near.first + lane),
                                       fill_ints(near.second - near.first_count + lane));
        count += store_pairs(&pairs[count].a, match >> lane & get_low_bits(GRZ_WIDTH), item,
                             add_ints(bases, number_lanes()));
    }
    return count;
}

/// Stores the pairs of a plain item, and returns how many. Two are stored without a branch, as most
/// items have no more. In a crowd the number cannot be predicted: so there is no branch for each of
/// the rest.
static inline uint32_t scan_plain(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                                  graze_pair *pairs)
{
    const wide_box box = fill_box(grz_get_box(boxes, item));
    uint32_t match = 0;
    for (uint32_t lane = 0; lane < PLAIN_BOXES; lane += GRZ_WIDTH) {
        match |= mask_bits(match_near(boxes, near, lane, box)) << lane;
    }
    match &= get_low_bits(near.first_count + near.second_count);
    uint32_t count = match != 0;
    match = store_lowest(&pairs[0], item, match, near);
    const uint32_t more = match != 0;
    match = store_lowest(&pairs[count], item, match, near);
    count += more;
    return match ? count + store_rest(pairs + count, item, match, near) : count;
}
#endif

// Stores the pairs of an item and up to GRZ_WIDTH boxes, and returns how many.
static inline uint32_t scan_vector(const grz_grid_boxes *boxes, wide_box box, uint32_t item,
                                   uint32_t first, uint32_t count, graze_pair *pairs)
{
    const uint32_t match = match_boxes(boxes, first, box) & get_low_bits(count);
    return store_places(&pairs->a, match, item, first);
}

/// Stores the pairs of a twofold item, and returns how many.
static inline uint32_t scan_twofold(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                                    graze_pair *pairs)
{
    const wide_box box = fill_box(grz_get_box(boxes, item));
    const uint32_t count = scan_vector(boxes, box, item, near.first, near.first_count, pairs);
    return count + scan_vector(boxes, box, item, near.second, near.second_count, pairs + count);
}
#endif

/// Stores the pairs of an item that is neither plain nor twofold, if there is surely room for all.
static bool scan_crowded(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                         grz_grid_sink *sink)
{
    const grz_grid_range first = {near.first, near.first + near.first_count};
    const grz_grid_range second = {near.second, near.second + near.second_count};
    const graze_aabb box = grz_get_box(boxes, item);
    const grz_grid_sink before = *sink;
    if (scan_places(boxes, box, item, first, sink) && scan_places(boxes, box, item, second, sink)) {
        return true;
    }
    *sink = before;
    return false;
}

/// Returns the first of the items up to `last` whose neighbours wrap around, or `last`: places are
/// in the order of cells.
static inline uint32_t find_seam(const grz_grid_neighbourhood *neighbourhood, uint32_t last)
{
    const uint32_t seam = neighbourhood->starts[neighbourhood->seam + 1];
    return seam < last ? seam : last;
}

#if GRZ_LANES == GRZ_LANES_SCALAR
static uint32_t scan_items(const grz_grid_neighbourhood *neighbourhood, uint32_t item,
                           uint32_t last, grz_grid_sink *sink)
{
    for (const uint32_t end = find_seam(neighbourhood, last); item < end; ++item) {
        const near_places near = find_near(neighbourhood->starts, neighbourhood->stride, item,
                                           neighbourhood->item_cells[item]);
        if (!scan_crowded(&neighbourhood->boxes, item, near, sink)) {
            break;
        }
    }
    return item;
}
#else
static inline void prefetch_items(const grz_grid_neighbourhood *neighbourhood, uint32_t item)
{
    GRZ_PREFETCH(neighbourhood->item_cells + item);
    prefetch_boxes(&neighbourhood->boxes, item);
}

// HOT. bench: broadphase/pairs/gas
//
// Data    Per item its cell, three entries of `starts`, and its near boxes, 16 bytes each. Those of
//         the next row are prefetched: in big worlds they would come too late.
// Branch  Both ranges of a plain item are compared as a whole, whatever their lengths: a loop over
//         either cost more in mispredicted branches than all comparisons. Finds are packed (16
//         lanes), or two are stored without a branch, and more of them several at a time. In crowds
//         (bench: engine/step/clusters) plain and twofold items come mixed, so both are compared in
//         one loop, laid out for the plain ones.
// Order   By item, then by place.
// Lanes   A near box each: those of the first range and then those of the second.

/// Compares items as long as they are plain or twofold and there is room; returns the first that it
/// did not.
static uint32_t scan_small_items(const grz_grid_neighbourhood *neighbourhood, uint32_t item,
                                 uint32_t end, grz_grid_sink *sink)
{
    const grz_grid_boxes boxes = neighbourhood->boxes;
    const uint32_t *item_cells = neighbourhood->item_cells, *starts = neighbourhood->starts;
    const uint32_t stride = neighbourhood->stride;
    graze_pair *pairs = sink->pairs + sink->count;
    const graze_pair *last_room = sink->pairs + sink->capacity - SMALL_ROOM;
    uint64_t tested = 0;
    for (; item < end && pairs <= last_room; ++item) {
        if (item % ITEMS_A_LINE == 0) {
            prefetch_items(neighbourhood, item + ITEMS_AHEAD < end ? item + ITEMS_AHEAD : end);
        }
        const near_places near = find_near(starts, stride, item, item_cells[item]);
        if (GRZ_LIKELY(is_plain(near))) {
            pairs += scan_plain(&boxes, item, near, pairs);
        } else if (is_twofold(near)) {
            pairs += scan_twofold(&boxes, item, near, pairs);
        } else {
            break;
        }
        tested += near.first_count + near.second_count;
    }
    sink->count = (uint32_t)(pairs - sink->pairs);
    sink->tested += tested;
    return item;
}

static uint32_t scan_items(const grz_grid_neighbourhood *neighbourhood, uint32_t item,
                           uint32_t last, grz_grid_sink *sink)
{
    const uint32_t end = find_seam(neighbourhood, last);
    for (; item < end && sink->capacity - sink->count >= SMALL_ROOM; ++item) {
        item = scan_small_items(neighbourhood, item, end, sink);
        if (item == end) {
            break;
        }
        const near_places near = find_near(neighbourhood->starts, neighbourhood->stride, item,
                                           neighbourhood->item_cells[item]);
        if (is_plain(near) || is_twofold(near) ||
            !scan_crowded(&neighbourhood->boxes, item, near, sink)) {
            break;
        }
    }
    return item;
}
#endif
