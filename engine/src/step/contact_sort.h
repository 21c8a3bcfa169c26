/// @file contact_sort.h
/// Sorts the contacts of a step by rank.
#ifndef GRZ_CONTACT_SORT_H
#define GRZ_CONTACT_SORT_H

#include "world/world_state.h"

/// Returns how many numbers the sorting of order.count contacts needs as counters.
size_t grz_sort_word_count(const graze_world *world);

/// Fills the order with order.count items, hits and fresh contacts, by rank, stably: in one rank
/// hits by part before fresh contacts.
void grz_sort_by_rank(graze_world *world);

#endif
