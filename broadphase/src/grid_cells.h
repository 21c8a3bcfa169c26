/// @file grid_cells.h
/// The cell of each item, and what is measured on the way there: the first half of a build, which
/// the counting sort (grid_sort.h) follows.
#ifndef GRZ_GRID_CELLS_H
#define GRZ_GRID_CELLS_H

#include "grid_sort.h"

/// What a build reads and where it keeps notes.
typedef struct grz_grid_build {
    const graze_grid_items *items;
    uint32_t quiet_count;
    bool kept; ///< The classes are those of the last build.
    grz_grid_sort sort;
    grz_grid_plan plan;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
} grz_grid_build;

/// Finds the cells of all items by the rules of these classes, in `build->sort.keys`, and measures
/// the items of each class; by several threads if there are enough items. The items need not be
/// sound: the measures say whether they are.
grz_grid_look grz_grid_find_cells(const graze_grid *grid, grz_grid_build *build,
                                  const grz_grid_class *classes, uint32_t class_count);

#endif
