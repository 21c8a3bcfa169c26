/// @file grid_cells.h
/// The cell of each item, and what is measured on the way there: the first half of a build, which
/// the counting sort (grid_sort.h) follows.
#ifndef GRZ_GRID_CELLS_H
#define GRZ_GRID_CELLS_H

#include "grid_sort.h"

/// What a build reads and where it keeps notes.
typedef struct grz_grid_build {
    const graze_grid_items *items;
    const graze_grid_meets *meets;
    grz_kind_counts kind_counts; ///< Of the items; if there are kinds.
    grz_grid_lists lists;
    uint32_t only_list; ///< The one that has all items, as far as is known; or GRZ_GRID_LISTS.
    bool counted;       ///< The kinds have been counted.
    bool same_meets;    ///< As in the last build.
    bool kept;          ///< The classes are those of the last build.
    grz_grid_sort sort;
    grz_grid_plan plan;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
} grz_grid_build;

/// Finds the cells of all items by the rules of these classes, in `build->sort.keys`, and measures
/// the items of each class; by several threads if there are enough items. Counts the kinds unless
/// that is done. The items need not be sound: the look says whether they are.
grz_grid_look grz_grid_find_cells(const graze_grid *grid, grz_grid_build *build,
                                  const grz_grid_class *classes, uint32_t class_count);

#endif
