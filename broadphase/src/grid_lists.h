/// @file grid_lists.h
/// The items of each part of a build, listed, where they come in no order.
///
/// The lists lie one after the other, where the cells of places will be. A part's list begins where
/// its places begin and is as long: so the part may write the cells of its places over its own
/// list, once it has read it.
#ifndef GRZ_GRID_LISTS_H
#define GRZ_GRID_LISTS_H

#include "grid_sort.h"

/// Cuts the cells so that parts have about equally many items, and lists each part's in the order
/// they come in.
void grz_grid_list_items(graze_grid *grid, grz_grid_sort *sort);

#endif
