/// @file grid_scan.h
/// The innermost loops that read a grid: ranges of places compared with one box.
///
/// Invariant  A scan of n places finds at most n: within the sink's room it need not look at it.
#ifndef GRZ_GRID_SCAN_H
#define GRZ_GRID_SCAN_H

#include "grid_state.h"

/// Where finds go: to `pairs`, each with the item, or when that is null to `places`.
typedef struct grz_grid_sink {
    graze_pair *pairs;
    uint32_t *places;
    uint32_t item;
    uint32_t count, capacity;
    uint64_t tested;
} grz_grid_sink;

/// Places first to last - 1.
typedef struct grz_grid_range {
    uint32_t first, last;
} grz_grid_range;

/// Returns the places of all the class's items.
static inline grz_grid_range grz_find_places(const graze_grid *grid, const grz_grid_class *of)
{
    const uint32_t *starts = grid->starts + of->first_cell;
    const grz_grid_range places = {starts[0], starts[of->columns * of->rows]};
    return places;
}

enum { GRZ_SCAN_LANES = 8 }; ///< Boxes compared at a time, from any place on.

// Vector code comes of a loop that is neither unrolled nor peeled before it is vectorised.
#if defined(__clang__)
#define GRZ_VECTORIZE _Pragma("clang loop vectorize_width(4) unroll(disable)")
#elif defined(__GNUC__)
#define GRZ_VECTORIZE _Pragma("GCC unroll 1")
#else
#define GRZ_VECTORIZE
#endif

// HOT. bench: broadphase/pairs/gas
//
// Data    Four streams of box sides: 16 bytes read a box.
// Branch  None: all four sides are compared, most boxes fail and none can be predicted.
// Order   Bit k of the result is the box at first + k.

/// Returns which of GRZ_SCAN_LANES boxes from `first` on overlap `box`. At most GRZ_GRID_PADDING of
/// them may lie past the last place: those overlap nothing.
static inline uint32_t grz_match_boxes(const grz_grid_boxes *boxes, uint32_t first, graze_aabb box)
{
    static const uint32_t bits[GRZ_SCAN_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
    const float *min_x = boxes->min_x + first, *min_y = boxes->min_y + first;
    const float *max_x = boxes->max_x + first, *max_y = boxes->max_y + first;
    uint32_t match = 0;
    GRZ_VECTORIZE
    for (uint32_t lane = 0; lane < GRZ_SCAN_LANES; ++lane) {
        const uint32_t overlaps =
            (uint32_t)((min_x[lane] <= box.upper.x) & (max_x[lane] >= box.lower.x) &
                       (min_y[lane] <= box.upper.y) & (max_y[lane] >= box.lower.y));
        match |= (0 - overlaps) & bits[lane];
    }
    return match;
}

/// Returns a mask of the lowest `count` bits, of at most 31.
static inline uint32_t grz_low_bits(uint32_t count)
{
    return (1u << count) - 1;
}

/// Returns the index of the lowest bit set, of at least one.
static inline uint32_t grz_lowest_bit(uint32_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(bits);
#else
    uint32_t index = 0;
    for (; !(bits & 1); bits >>= 1) {
        ++index;
    }
    return index;
#endif
}

/// The same as grz_match_boxes, for those of the range's boxes that are left.
static inline uint32_t grz_match_range(const grz_grid_boxes *boxes, grz_grid_range left,
                                       graze_aabb box)
{
    const uint32_t length = left.last - left.first;
    const uint32_t lanes = length < GRZ_SCAN_LANES ? length : GRZ_SCAN_LANES;
    return grz_match_boxes(boxes, left.first, box) & grz_low_bits(lanes);
}

/// Stores the item and each place of the range whose box overlaps, and returns how many; by place.
static inline uint32_t grz_scan_pairs(const grz_grid_boxes *boxes, graze_aabb box, uint32_t item,
                                      grz_grid_range range, graze_pair *pairs)
{
    uint32_t found = 0;
    for (; range.first < range.last; range.first += GRZ_SCAN_LANES) {
        uint32_t match = grz_match_range(boxes, range, box);
        for (; match; match &= match - 1) {
            pairs[found].a = item;
            pairs[found].b = range.first + grz_lowest_bit(match);
            ++found;
        }
    }
    return found;
}

/// The same, without an item.
static inline uint32_t grz_scan_places(const grz_grid_boxes *boxes, graze_aabb box,
                                       grz_grid_range range, uint32_t *places)
{
    uint32_t found = 0;
    for (; range.first < range.last; range.first += GRZ_SCAN_LANES) {
        uint32_t match = grz_match_range(boxes, range, box);
        for (; match; match &= match - 1) {
            places[found++] = range.first + grz_lowest_bit(match);
        }
    }
    return found;
}

/// Compares the range's boxes with `box` while there is room, and returns the place it came to:
/// range.last when it is done.
static inline uint32_t grz_scan_range(const grz_grid_boxes *boxes, graze_aabb box,
                                      grz_grid_range range, grz_grid_sink *sink)
{
    while (range.first < range.last && sink->count < sink->capacity) {
        const uint32_t room = sink->capacity - sink->count;
        const uint32_t length = range.last - range.first;
        const grz_grid_range piece = {range.first, range.first + (length < room ? length : room)};
        sink->count +=
            sink->pairs ? grz_scan_pairs(boxes, box, sink->item, piece, sink->pairs + sink->count)
                        : grz_scan_places(boxes, box, piece, sink->places + sink->count);
        sink->tested += piece.last - piece.first;
        range.first = piece.last;
    }
    return range.first;
}

/// Stores the one or two ranges that `width` cells (at most a whole row) from `column` on are,
/// round the row's end, and returns how many.
static inline uint32_t grz_split_row(const graze_grid *grid, const grz_grid_class *of, uint32_t row,
                                     uint32_t column, uint32_t width, grz_grid_range ranges[2])
{
    const uint32_t *starts =
        grid->starts + of->first_cell + ((row & (of->rows - 1)) << of->column_bits);
    const uint32_t first = column & (of->columns - 1);
    const uint32_t last = first + width;
    if (last <= of->columns) {
        ranges[0].first = starts[first];
        ranges[0].last = starts[last];
        return 1;
    }
    ranges[0].first = starts[first];
    ranges[0].last = starts[of->columns];
    ranges[1].first = starts[0];
    ranges[1].last = starts[last - of->columns];
    return 2;
}

/// Cell coordinates first to first + count - 1, on one axis.
typedef struct grz_grid_span {
    uint32_t first, count;
} grz_grid_span;

/// Returns the cells of the class in which the centres of boxes that reach lower..upper can be, at
/// most `most`: those are all there are. A span with lower > upper has none.
grz_grid_span grz_find_span(const grz_grid_class *of, double lower, double upper, uint32_t most);

/// Compares a box with the items of some ranges, from where the cursor stands. Returns false, the
/// cursor where it stands then, when the sink is full.
bool grz_scan_ranges(const graze_grid *grid, graze_aabb box, const grz_grid_range *ranges,
                     uint32_t count, graze_grid_cursor *cursor, grz_grid_sink *sink);

/// Compares the places in a span of a row's cells with `box`, from where the cursor's part and next
/// stand. Returns false when the sink is full, and the cursor says where; else these are 0.
bool grz_scan_row(const graze_grid *grid, const grz_grid_class *of, uint32_t row,
                  grz_grid_span columns, graze_aabb box, graze_grid_cursor *cursor,
                  grz_grid_sink *sink);

/// Compares all places of the class that `box` may overlap with it; likewise with the cursor's row.
bool grz_scan_window(const graze_grid *grid, const grz_grid_class *of, graze_aabb box,
                     graze_grid_cursor *cursor, grz_grid_sink *sink);

#endif
