/// @file outline.h
/// From solid cells of a tile layer to the loops around them: one wall where a hundred tiles touch.
#ifndef GRZ_OUTLINE_H
#define GRZ_OUTLINE_H

#include "tiled_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A cell, or a corner of cells, by column and row. Cell (x, y) lies between the corners (x, y) and
/// (x + 1, y + 1).
typedef struct grz_cell {
    int32_t x, y;
} grz_cell;

/// Gets one loop: `count` corners, no three of them in line.
///
/// From corner to corner, the solid lies on the right with y up, and so on the left on a screen,
/// where y points down. That holds for a loop around a hole, too, which runs the other way round.
/// Cells that touch only at a corner get loops of their own.
typedef void grz_outline_fn(const grz_cell *corners, size_t count, bool is_hole, void *user);

/// Finds all loops around `cells`, a list in any order, repetitions allowed; it gets sorted.
///
/// Cost       n log n.
void grz_outline_trace(grz_memory *memory, grz_cell *cells, grz_outline_fn *found, void *user);

#endif
