/// @file contact_order.h
/// The order of a step's contacts.
///
/// Hits and fresh contacts stay where they are; what is sorted is their places, by rank: that is by
/// a, then by b. Hits have each a rank to themselves. Fresh contacts that share one are ordered by
/// segment, which is the order of keys: in that order all are matched with the last step's. Then
/// those of one pair by time, which is the order of the list.
///
/// No pass is over bodies: a world at rest has few contacts. And of those none is over what still
/// bodies meet: see splice.h.
#ifndef GRZ_CONTACT_ORDER_H
#define GRZ_CONTACT_ORDER_H

#include "state.h"

/// Makes room for sorting this step's contacts. Returns false when there is no memory.
bool grz_order_reserve(graze_world *world);

/// Fills world->order, in the order of keys and without repeats; sets has_runs and hit_room.
void grz_order_contacts(graze_world *world);

/// Returns the place in the order after those that have the rank of the one at `first`.
uint32_t grz_order_find_end_of_rank(const graze_world *world, uint32_t first);

/// Puts contacts of one rank, places [first, end) of the order, into the order of the list.
void grz_order_sort_by_time(graze_world *world, uint32_t first, uint32_t end);

/// Returns whether the contact at this place of the order is of the same two as the one before it.
bool grz_order_goes_on(const graze_world *world, uint32_t k);

static inline uint64_t grz_rank_of_sorted(grz_sorted item)
{
    return (uint64_t)item.a << 32 | item.b;
}

/// Returns the fresh contact that an item of the order names, one past those of the hits.
static inline graze_contact *grz_fresh_of(const graze_world *world, grz_sorted item)
{
    return &world->fresh.data[item.place - world->hit_room];
}

#endif
