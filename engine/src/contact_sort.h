/// @file contact_sort.h
/// Sorts contacts: all of them by rank, and short runs of them by any other order.
#ifndef GRZ_CONTACT_SORT_H
#define GRZ_CONTACT_SORT_H

#include "state.h"

/// Returns the earlier item negative, the later positive, equal ones 0.
typedef int grz_sorted_compare_fn(const graze_world *world, grz_sorted first, grz_sorted second);

/// Returns how many numbers of its own the sorting of order.count contacts counts in.
size_t grz_sort_word_count(const graze_world *world);

/// Fills the order with order.count items, hits and fresh contacts, by rank; those of one rank as
/// they come, hits by part before fresh contacts.
void grz_sort_by_rank(graze_world *world);

/// Sorts some items, equal ones as they come. `scratch` has room for half of them.
void grz_sort_run(const graze_world *world, grz_sorted *items, grz_sorted *scratch, uint32_t count,
                  grz_sorted_compare_fn *compare);

#endif
