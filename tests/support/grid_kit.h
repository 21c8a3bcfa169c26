/// @file grid_kit.h
/// Grids of sets of boxes, and all their pairs, for the tests of grids.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_GRID_KIT_H
#define GRAZE_TESTS_GRID_KIT_H

#include <graze/grid.h>

#include "box_set.h"

enum {
    GRID_KIT_PAIRS = 1 << 20 ///< More than any stream in the tests has.
};

/// Returns a new grid of the set, with cells of this side; 0: the grid chooses.
graze_grid *grid_kit_build(const box_set *boxes, double side);

/// Likewise, of items.
graze_grid *grid_kit_build_items(const graze_grid_items *items, double side);

/// Writes the rest of a stream, `capacity` pairs at a time, to `into` (GRID_KIT_PAIRS). Returns how
/// many pairs.
uint32_t grid_kit_collect_from(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t capacity,
                               graze_pair *into);

/// Writes all pairs, likewise.
uint32_t grid_kit_collect(const graze_grid *grid, uint32_t capacity, graze_pair *into);

#endif
