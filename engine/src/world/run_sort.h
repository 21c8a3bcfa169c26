/// @file run_sort.h
/// Sorts short runs of list elements, such as contacts, by any order: merge sort, with
/// insertion for few elements.
#ifndef GRZ_RUN_SORT_H
#define GRZ_RUN_SORT_H

#include "world/world_state.h"

/// Returns a negative number if the first comes earlier, a positive one if the second does, else 0.
typedef int grz_places_compare_fn(const graze_world *world, uint32_t first, uint32_t second);

/// Sorts elements by their places in lists, stably. `scratch` has room for half of them.
void grz_sort_run(const graze_world *world, uint32_t *places, uint32_t *scratch, uint32_t count,
                  grz_places_compare_fn *compare);

#endif
