/// @file grid_lists.h
/// The items of each part of a build, listed, where they come in no order.
///
/// The lists lie one after the other, in the room where the cells of places will be. Each is as
/// long as its part has places, and begins where these do: so a part writes the cells of its places
/// over its own list, once it has done with that.
#ifndef GRZ_GRID_LISTS_H
#define GRZ_GRID_LISTS_H

#include "grid_sort.h"

/// Cuts the cells so that parts have about equally many items, and lists each part's in the order
/// they come in.
void grz_grid_list_items(graze_grid *grid, grz_grid_sort *sort);

#endif
