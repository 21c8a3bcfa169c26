/// @file outline_grid.h
/// Loops around solid cells, from a bitmap: what maps of millions of cells need.
#ifndef GRZ_OUTLINE_GRID_H
#define GRZ_OUTLINE_GRID_H

#include "outline.h"

/// Solid cells side by side: (x, y) to (x + count - 1, y).
typedef struct grz_run {
    int32_t x, y;
    uint32_t count; ///< At least 1.
} grz_run;

/// Appends a cell to a list of runs. Cells that come row by row become long runs.
void grz_runs_add(grz_memory *memory, grz_run **runs, grz_cell cell);

/// Finds all loops around the cells of `runs`, a list in any order, repetitions allowed: the same
/// loops, in the same order, as grz_outline_trace().
///
/// Cost       Linear in the box around the cells, in bits; where it is mostly empty, as in an
///            infinite map whose parts lie far apart, that of grz_outline_trace().
void grz_outline_trace_runs(grz_memory *memory, const grz_run *runs, grz_outline_fn *found,
                            void *user);

#endif
