/// @file contact_run_sort.h
/// Sorts short runs of contacts by any order: merges halves, and inserts where there are few.
#ifndef GRZ_CONTACT_RUN_SORT_H
#define GRZ_CONTACT_RUN_SORT_H

#include "state.h"

/// Returns the earlier item negative, the later positive, equal ones 0.
typedef int grz_sorted_compare_fn(const graze_world *world, grz_sorted first, grz_sorted second);

/// Sorts some items, equal ones as they come. `scratch` has room for half of them.
void grz_sort_run(const graze_world *world, grz_sorted *items, grz_sorted *scratch, uint32_t count,
                  grz_sorted_compare_fn *compare);

#endif
