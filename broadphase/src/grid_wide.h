/// @file grid_wide.h
/// The loops of the grid over many boxes at a time: see lanes.h and grid_loops.h.
///
/// Bits       Cells are computed in double as in grz_grid_center_coordinate, lane by lane; boxes
///            are compared, which is exact. So all sets find the same, and in the same order.

#include "bits.h"
#include "grid_scan.h"
#include "likely.h"
#include "min_max.h"
#include "prefetch.h"

#include <float.h>
#include <math.h>

/// The four sides of a box, each in all lanes.
typedef struct wide_box {
    floats min_x, min_y, max_x, max_y;
} wide_box;

static inline wide_box fill_box(graze_aabb box)
{
    const wide_box wide = {fill_floats(box.lower.x), fill_floats(box.lower.y),
                           fill_floats(box.upper.x), fill_floats(box.upper.y)};
    return wide;
}

static inline wide_box load_sides(const float *min_x, const float *min_y, const float *max_x,
                                  const float *max_y)
{
    const wide_box wide = {load_floats(min_x), load_floats(min_y), load_floats(max_x),
                           load_floats(max_y)};
    return wide;
}

static inline void prefetch_boxes(const grz_grid_boxes *boxes, uint32_t place)
{
    GRZ_PREFETCH(boxes->min_x + place);
    GRZ_PREFETCH(boxes->min_y + place);
    GRZ_PREFETCH(boxes->max_x + place);
    GRZ_PREFETCH(boxes->max_y + place);
}

/// Returns which of the next boxes from `first` on overlap `box`. At most GRZ_GRID_PADDING of them
/// may lie past the last place: those overlap nothing.
static inline uint32_t match_boxes(const grz_grid_boxes *boxes, uint32_t first, wide_box box)
{
    const floats_mask left = at_most_floats(load_floats(boxes->min_x + first), box.max_x);
    const floats_mask right = at_most_floats(box.min_x, load_floats(boxes->max_x + first));
    const floats_mask below = at_most_floats(load_floats(boxes->min_y + first), box.max_y);
    const floats_mask above = at_most_floats(box.min_y, load_floats(boxes->max_y + first));
    return mask_bits(mask_and(mask_and(left, right), mask_and(below, above)));
}

/// Returns a mask of the lowest `count` bits, of at most 31.
static inline uint32_t get_low_bits(uint32_t count)
{
    return (1u << count) - 1;
}

// --- A box against a range of places ---

/// Stores the pair of the sink's item and each bit's place, and not a byte more. There is room.
static inline void store_found_pairs(grz_grid_sink *sink, uint32_t bits, uint32_t first)
{
    for (; bits; bits &= bits - 1) {
        const graze_pair pair = {sink->item, first + grz_lowest_bit(bits)};
        sink->pairs[sink->count++] = pair;
    }
}

/// The same, the places alone.
static inline void store_found_places(grz_grid_sink *sink, uint32_t bits, uint32_t first)
{
    uint32_t *places = sink->places + sink->count;
    for (; bits; bits &= bits - 1) {
        *places++ = first + grz_lowest_bit(bits);
    }
    sink->count = (uint32_t)(places - sink->places);
}

/// Stores the finds of the bits, from `first` on; if `room` allows it, all lanes at once.
static inline void store_finds(grz_grid_sink *sink, uint32_t bits, uint32_t first, uint32_t room)
{
    if (!sink->pairs) {
        store_found_places(sink, bits, first);
    } else if (room < GRZ_WIDTH) {
        store_found_pairs(sink, bits, first);
    } else {
        sink->count += store_places(&sink->pairs[sink->count].a, bits, sink->item, first);
    }
}

static uint32_t scan_range(const grz_grid_boxes *boxes, graze_aabb box, grz_grid_range range,
                           grz_grid_sink *sink)
{
    const wide_box wide = fill_box(box);
    uint32_t first = range.first;
    while (first < range.last && sink->count < sink->capacity) {
        const uint32_t room = sink->capacity - sink->count, left = range.last - first;
        const uint32_t length = min_u32(left, GRZ_WIDTH);
        const uint32_t lanes = length < room ? length : room;
        const uint32_t bits = match_boxes(boxes, first, wide) & get_low_bits(lanes);
        if (bits) {
            store_finds(sink, bits, first, room);
        }
        sink->tested += lanes;
        first += lanes;
    }
    return first;
}

// HOT. bench: broadphase/pairs/clusters-dense
//
// Data    16 bytes read a box, 8 written a pair.
// Branch  None on finds: they are packed.

/// Stores the pairs of an item and the boxes at some places, and returns where they end; may write
/// GRZ_WIDTH more.
#if GRZ_LANES == GRZ_LANES_SCALAR
// One after the other: lanes of plain numbers, and their masks, cost twice as much.
static inline graze_pair *store_overlaps(const grz_grid_boxes *boxes, graze_aabb box, uint32_t item,
                                         grz_grid_range places, graze_pair *pairs)
{
    for (uint32_t place = places.first; place < places.last; ++place) {
        pairs->a = item;
        pairs->b = place;
        pairs += (uint32_t)(boxes->min_x[place] <= box.upper.x) &
                 (uint32_t)(box.lower.x <= boxes->max_x[place]) &
                 (uint32_t)(boxes->min_y[place] <= box.upper.y) &
                 (uint32_t)(box.lower.y <= boxes->max_y[place]);
    }
    return pairs;
}
#else
static inline graze_pair *store_overlaps(const grz_grid_boxes *boxes, graze_aabb box, uint32_t item,
                                         grz_grid_range places, graze_pair *pairs)
{
    const wide_box wide = fill_box(box);
    do { // Also of none: whether there is any cannot be predicted.
        const uint32_t left = places.last - places.first;
        const uint32_t lanes = get_low_bits(min_u32(left, GRZ_WIDTH));
        const uint32_t match = match_boxes(boxes, places.first, wide) & lanes;
        pairs += store_places(&pairs->a, match, item, places.first);
        places.first += GRZ_WIDTH;
    } while (places.first < places.last);
    return pairs;
}
#endif

/// Stores the pairs of an item and the boxes at some places, if there is surely room for all.
static inline bool scan_places(const grz_grid_boxes *boxes, graze_aabb box, uint32_t item,
                               grz_grid_range places, grz_grid_sink *sink)
{
    const uint32_t count = places.last - places.first;
    if (sink->capacity - sink->count < count + GRZ_WIDTH) {
        return false;
    }
    const graze_pair *end = store_overlaps(boxes, box, item, places, sink->pairs + sink->count);
    sink->count = (uint32_t)(end - sink->pairs);
    sink->tested += count;
    return true;
}

#include "grid_build_wide.h"
#include "grid_neighbours_wide.h"
#include "grid_windows_wide.h"

const grz_grid_loops GRZ_WIDE(grz_grid_loops) = {
    find_cells, fetch_boxes, find_key_span, scan_items, scan_windows, scan_range, find_bounds};
