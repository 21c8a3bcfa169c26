// The stream of pairs: compares each item with its neighbourhood. Its stages and parts are in
// grid_stages.c.

#include "grid_moves.h"

#include "bounds.h"
#include "fault.h"

// Pairs come by stages: one for each class and each of its targets. Where a stage stands:
//
// item    the place that is being compared;
// row     of the window in the target class;
// part    of the ranges that the row, or the half neighbourhood, consists of;
// next    place in that range to go on from; 0 at its beginning.
//
// A stream ends before last_item of last_stage: see grid_stages.c.

enum {
    SPARE_ROOM = 64, ///< Pairs: few items find as many.
    FEW_AT_ONCE = 64 ///< Items that a scan of a class that lies apart lists at most.
};

// Half the neighbourhood of a cell: the cell and the one to its right, then the three of the next
// row; the other half finds the same pairs from the other side.
static inline uint32_t gather_half_neighbourhood(const graze_grid *grid,
                                                 const grz_grid_class *size_class, uint32_t index,
                                                 grz_grid_range ranges[4])
{
    const uint32_t count = grz_split_cells(grid, size_class, index, 2, ranges);
    return count +
           grz_split_cells(grid, size_class, index + size_class->stride - 1, 3, ranges + count);
}

// Whether the next item may find more pairs than there is room for. Then the caller gets the pairs
// found so far: filling the last places pair by pair took longer (bench: broadphase/pairs/gas).
static inline bool is_nearly_full(const grz_grid_sink *sink)
{
    return sink->count && sink->capacity - sink->count < SPARE_ROOM;
}

// Compares an item with the rest of its half neighbourhood. Returns false, the cursor where it
// stands, when the sink is full.
static bool scan_ranges(const graze_grid *grid, const grz_grid_class *size_class, uint32_t item,
                        graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const graze_aabb box = grz_get_box(&grid->boxes, item);
    grz_grid_range ranges[4];
    const uint32_t count = gather_half_neighbourhood(
        grid, size_class, grid->cells[item] - size_class->first_cell, ranges);
    ranges[0].first = item + 1;
    sink->item = item;
    return grz_scan_ranges(grid, box, ranges, count, cursor, sink);
}

// Returns the places of the class that the cursor's stage has still to compare.
static grz_grid_range find_left(const graze_grid *grid, const grz_grid_class *size_class,
                                const graze_grid_cursor *cursor)
{
    grz_grid_range left = grz_find_places(grid, size_class);
    left.first = left.first > cursor->item ? left.first : cursor->item;
    if (cursor->stage == cursor->last_stage) {
        left.last = cursor->last_item;
    }
    return left;
}

static bool scan_class(const graze_grid *grid, const grz_grid_class *size_class,
                       graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_grid_neighbourhood near = {grid->boxes, grid->cells, grid->starts, size_class->stride,
                                         size_class->first_cell + size_class->cells -
                                             size_class->stride - 2};
    const grz_grid_range left = find_left(grid, size_class, cursor);
    const uint32_t last = left.last;
    for (uint32_t item = left.first; item < last; ++item) {
        if (cursor->part == 0 && cursor->next == 0) {
            item = grid->loops->scan_items(&near, item, last, sink);
        }
        if (item < last &&
            (is_nearly_full(sink) || !scan_ranges(grid, size_class, item, cursor, sink))) {
            cursor->item = item;
            return false;
        }
    }
    cursor->item = 0;
    return true;
}

// Compares one item with all of a class that it may overlap.
static bool scan_item(const graze_grid *grid, const grz_grid_class *target, bool may_be_long,
                      uint32_t item, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    sink->item = item;
    if (may_be_long) {
        const grz_grid_path path = grz_find_path(grid, cursor->moves, item);
        if (grz_is_long_to_class(&path, target)) {
            const graze_aabb box = clip_box(grz_get_box(&grid->boxes, item), target->bounds);
            return grz_scan_path(grid, target, &path, box, cursor, sink);
        }
    }
    return grz_scan_window(grid, target, grz_get_box(&grid->boxes, item), cursor, sink);
}

// Whether a window is of those that scan_windows() takes, given enough room: then it is scanned in
// the same order without.
static bool is_for_loops(const graze_grid *grid, const grz_grid_class *target, uint32_t item)
{
    const grz_cell_runs runs = grz_find_window(target, grz_get_box(&grid->boxes, item));
    return !runs.count || grz_is_small_window(target, runs, GRZ_GRID_WINDOW_CELLS);
}

static bool are_long(const graze_grid *grid, const grz_grid_class *scanner,
                     const grz_grid_class *target, const graze_grid_cursor *cursor)
{
    return cursor->moves && scanner->long_to >> (target - grid->classes) & 1;
}

static bool scan_across(const graze_grid *grid, const grz_grid_class *scanner,
                        const grz_grid_class *target, graze_grid_cursor *cursor,
                        grz_grid_sink *sink)
{
    const bool may_be_long = are_long(grid, scanner, target, cursor);
    const grz_grid_scanners items = {grid->boxes,
                                     may_be_long ? (uint32_t)GRZ_GRID_WINDOW_CELLS : UINT32_MAX};
    const grz_grid_range left = find_left(grid, scanner, cursor);
    for (uint32_t item = left.first; item < left.last; ++item) {
        if (cursor->row == 0 && cursor->part == 0 && cursor->next == 0) {
            item = grid->loops->scan_windows(grid, target, &items, item, left.last, sink);
        }
        const bool is_open = item < left.last;
        const bool follows = is_open && may_be_long && !is_for_loops(grid, target, item);
        if (is_open &&
            (is_nearly_full(sink) || !scan_item(grid, target, follows, item, cursor, sink))) {
            cursor->item = item;
            return false;
        }
    }
    cursor->item = 0;
    return true;
}

// The same of a class that lies apart from the target: only few of its items reach into the
// target's bounds. Finding these does not count as comparing boxes, because it is repeated whenever
// a stream continues.
static bool scan_few(const graze_grid *grid, const grz_grid_class *scanner,
                     const grz_grid_class *target, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const bool may_be_long = are_long(grid, scanner, target, cursor);
    grz_grid_range left = find_left(grid, scanner, cursor);
    while (left.first < left.last) {
        uint32_t few[FEW_AT_ONCE];
        grz_grid_sink near = {NULL, few, 0, 0, FEW_AT_ONCE, 0};
        left.first = grid->loops->scan_range(&grid->boxes, target->bounds, left, &near);
        for (uint32_t i = 0; i < near.count; ++i) {
            if (is_nearly_full(sink) ||
                !scan_item(grid, target, may_be_long, few[i], cursor, sink)) {
                cursor->item = few[i];
                return false;
            }
        }
    }
    cursor->item = 0;
    return true;
}

static bool scan_classes(const graze_grid *grid, uint32_t i, uint32_t k, graze_grid_cursor *cursor,
                         grz_grid_sink *sink)
{
    const grz_grid_class *scanner = &grid->classes[i], *target = &grid->classes[k];
    if (i == k) {
        return scan_class(grid, scanner, cursor, sink);
    }
    return target->apart >> i & 1 ? scan_few(grid, scanner, target, cursor, sink)
                                  : scan_across(grid, scanner, target, cursor, sink);
}

// Drops, of the sink's pairs from `first` on, those whose kinds do not pair.
static void drop_unmet(const graze_grid *grid, uint32_t first, grz_grid_sink *sink)
{
    GRZ_FAULT(kinds_of_pairs, first = sink->count);
    const uint8_t *kinds = grid->kinds;
    uint32_t kept = first;
    for (uint32_t i = first; i < sink->count; ++i) {
        const graze_pair pair = sink->pairs[i];
        sink->pairs[kept] = pair;
        kept += grz_set_has_kind(grid->meets->rows[kinds[pair.a]], kinds[pair.b]);
    }
    sink->count = kept;
}

static bool scan_stage(const graze_grid *grid, graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const uint32_t i = cursor->stage / grid->class_count, k = cursor->stage % grid->class_count;
    const uint32_t first = sink->count;
    if (!(grid->classes[i].targets >> k & 1)) {
        return true;
    }
    const bool done = scan_classes(grid, i, k, cursor, sink);
    if (grz_find_meeting(grid, i, k) == GRZ_KINDS_MIXED) {
        drop_unmet(grid, first, sink);
    }
    if (cursor->moves) {
        grz_drop_passing(grid, cursor->moves, i, k, first, sink);
    }
    return done;
}

static bool is_at_end(const graze_grid *grid, const graze_grid_cursor *cursor)
{
    return cursor->stage >= grid->class_count * grid->class_count ||
           cursor->stage > cursor->last_stage;
}

// What fills the room may all be dropped: then the stream goes on.
uint32_t graze_grid_next_pairs(const graze_grid *grid, graze_grid_cursor *cursor, graze_pair *pairs,
                               uint32_t capacity)
{
    grz_grid_sink sink = {pairs, NULL, 0, 0, capacity, 0};
    bool has_room = true;
    while (!is_at_end(grid, cursor) && (has_room || sink.count == 0)) {
        has_room = scan_stage(grid, cursor, &sink);
        cursor->stage += has_room;
    }
    cursor->tested += sink.tested;
    return sink.count;
}
