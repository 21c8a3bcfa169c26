#include "grid_scan.h"

// Pairs come by stages: one for each class and each of its targets. Where a stage stands:
//
// item    the place that is being compared;
// row     of the window in the target class;
// part    of the ranges that the row, or the half neighbourhood, consists of;
// next    place in that range to go on from; 0 at its beginning.
//
// A stream ends before last_item of last_stage: see grid_parts.c.

static inline graze_aabb get_box(const grz_grid_boxes *boxes, uint32_t place)
{
    const graze_aabb box = {{boxes->min_x[place], boxes->min_y[place]},
                            {boxes->max_x[place], boxes->max_y[place]}};
    return box;
}

// Half the neighbourhood of a cell: the cell and the one to its right, then the three of the next
// row; the other half finds the same pairs from the other side.
static inline uint32_t gather_half_neighbourhood(const graze_grid *grid, const grz_grid_class *of,
                                                 uint32_t cell, grz_grid_range ranges[4])
{
    const uint32_t row = cell >> of->column_bits;
    const uint32_t column = cell & (of->columns - 1);
    const uint32_t count = grz_split_row(grid, of, row, column, 2, ranges);
    return count + grz_split_row(grid, of, row + 1, column - 1, 3, ranges + count);
}

// Compares an item with the rest of its half neighbourhood. Returns false, the cursor where it
// stands, when the sink is full.
static bool scan_ranges(const graze_grid *grid, const grz_grid_class *of, uint32_t item,
                        graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const graze_aabb box = get_box(&grid->boxes, item);
    grz_grid_range ranges[4];
    const uint32_t count =
        gather_half_neighbourhood(grid, of, grid->cells[item] - of->first_cell, ranges);
    ranges[0].first = item + 1;
    sink->item = item;
    return grz_scan_ranges(grid, box, ranges, count, cursor, sink);
}

enum {
    FIRST_LANES = GRZ_SCAN_LANES,      // Of an item's own cell and the one to its right,
    SECOND_LANES = 2 * GRZ_SCAN_LANES, // of the next row: as many as a plain item has at most.
    PLAIN_ROOM = FIRST_LANES + SECOND_LANES + 1 // In the sink: one more may be stored, not kept.
};

// Stores the pair of the lowest bit and returns the other bits. Of no bits it stores a pair that is
// not to be kept.
static inline uint32_t store_lowest(graze_pair *pair, uint32_t item, uint32_t match, uint32_t first,
                                    uint32_t second)
{
    const uint32_t bit = grz_lowest_bit(match | 1u << 31);
    pair->a = item;
    pair->b = bit < FIRST_LANES ? first + bit : second + (bit - FIRST_LANES);
    return match & (match - 1);
}

// HOT. bench: broadphase/pairs/gas
//
// Data    Per item its cell, four entries of `starts`, and 24 boxes, 16 bytes each.
// Branch  Both ranges are compared in whole, without regard to their lengths, and two finds stored
//         without asking how many there are: a loop over either cost more in wrong guesses than all
//         comparisons. Items not plain (at a row's end, in a crowd) are rare.
// Order   By item, then by place.

// Compares items as long as they are plain and there is room; returns the first that it did not.
static uint32_t scan_plain_items(const graze_grid *grid, const grz_grid_class *of, uint32_t item,
                                 uint32_t last, grz_grid_sink *sink)
{
    const grz_grid_boxes boxes = grid->boxes;
    const uint32_t *starts = grid->starts;
    const uint32_t cells = of->columns * of->rows;
    const uint32_t last_row = of->first_cell + cells - of->columns;
    const uint32_t capacity = sink->capacity;
    graze_pair *pairs = sink->pairs;
    uint32_t count = sink->count;
    uint64_t tested = sink->tested;
    for (; item < last && capacity - count >= PLAIN_ROOM; ++item) {
        const uint32_t cell = grid->cells[item];
        const uint32_t column = (cell - of->first_cell) & (of->columns - 1);
        const uint32_t below = cell + of->columns - (cell >= last_row ? cells : 0);
        if (column - 1 >= of->columns - 2) {
            break;
        }
        const uint32_t first = item + 1, first_count = starts[cell + 2] - first;
        const uint32_t second = starts[below - 1], second_count = starts[below + 2] - second;
        if ((first_count > FIRST_LANES) | (second_count > SECOND_LANES)) {
            break;
        }
        const graze_aabb box = get_box(&boxes, item);
        uint32_t match = grz_match_boxes(&boxes, second, box);
        match |= grz_match_boxes(&boxes, second + GRZ_SCAN_LANES, box) << GRZ_SCAN_LANES;
        match = (match & grz_low_bits(second_count)) << FIRST_LANES;
        match |= grz_match_boxes(&boxes, first, box) & grz_low_bits(first_count);
        const uint32_t rest = store_lowest(&pairs[count], item, match, first, second);
        count += match != 0;
        match = store_lowest(&pairs[count], item, rest, first, second);
        count += rest != 0;
        while (match) {
            match = store_lowest(&pairs[count++], item, match, first, second);
        }
        tested += first_count + second_count;
    }
    sink->count = count;
    sink->tested = tested;
    return item;
}

// Returns the places of the class that the cursor's stage has still to compare.
static grz_grid_range find_left(const graze_grid *grid, const grz_grid_class *of,
                                const graze_grid_cursor *cursor)
{
    grz_grid_range left = grz_find_places(grid, of);
    left.first = left.first > cursor->item ? left.first : cursor->item;
    if (cursor->stage == cursor->last_stage) {
        left.last = cursor->last_item;
    }
    return left;
}

static bool scan_class(const graze_grid *grid, const grz_grid_class *of, graze_grid_cursor *cursor,
                       grz_grid_sink *sink)
{
    const grz_grid_range left = find_left(grid, of, cursor);
    const uint32_t last = left.last;
    for (uint32_t item = left.first; item < last; ++item) {
        if (cursor->part == 0 && cursor->next == 0) {
            item = scan_plain_items(grid, of, item, last, sink);
        }
        if (item < last && !scan_ranges(grid, of, item, cursor, sink)) {
            cursor->item = item;
            return false;
        }
    }
    cursor->item = 0;
    return true;
}

static bool scan_across(const graze_grid *grid, const grz_grid_class *scanner,
                        const grz_grid_class *target, graze_grid_cursor *cursor,
                        grz_grid_sink *sink)
{
    const grz_grid_range left = find_left(grid, scanner, cursor);
    for (uint32_t item = left.first; item < left.last; ++item) {
        sink->item = item;
        if (!grz_scan_window(grid, target, get_box(&grid->boxes, item), cursor, sink)) {
            cursor->item = item;
            return false;
        }
    }
    cursor->item = 0;
    return true;
}

uint32_t graze_grid_next_pairs(const graze_grid *grid, graze_grid_cursor *cursor, graze_pair *pairs,
                               uint32_t capacity)
{
    grz_grid_sink sink = {pairs, NULL, 0, 0, capacity, 0};
    const uint32_t stages = grid->class_count * grid->class_count;
    for (; cursor->stage < stages && cursor->stage <= cursor->last_stage; ++cursor->stage) {
        const uint32_t i = cursor->stage / grid->class_count;
        const uint32_t k = cursor->stage % grid->class_count;
        const grz_grid_class *scanner = &grid->classes[i], *target = &grid->classes[k];
        if (!(scanner->targets >> k & 1)) {
            continue;
        }
        if (!(i == k ? scan_class(grid, scanner, cursor, &sink)
                     : scan_across(grid, scanner, target, cursor, &sink))) {
            break;
        }
    }
    cursor->tested += sink.tested;
    return sink.count;
}
