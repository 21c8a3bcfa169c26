/// @file contact_match.h
/// Which contacts continue from the last step, and which of the last step's have ended.
#ifndef GRZ_CONTACT_MATCH_H
#define GRZ_CONTACT_MATCH_H

#include "contact_order.h"
#include "prefetch.h"

/// A bit of a hit's place in the order: the pair goes on.
#define GRZ_STAYS UINT32_C(0x80000000)

/// Matches the order with the last step's keys: sets GRZ_STAYS of hits, the phase of fresh
/// contacts, and what the order says of keys.
void grz_match_contacts(graze_world *world);

/// Returns what the order is matched with: the last step's keys, or where lists are spliced those
/// of them that do not stay.
const grz_contact_keys *grz_match_keys(const graze_world *world);

/// Where a hit is among the hits.
static inline uint32_t grz_place_of_hit(grz_sorted item)
{
    return item.place & ~GRZ_STAYS;
}

static inline bool grz_is_hit(const graze_world *world, grz_sorted item)
{
    return grz_place_of_hit(item) < world->hit_room;
}

/// Asks the memory for a contact that is to be read soon.
static inline void grz_ask_for_contact(const graze_world *world, grz_sorted item)
{
    if (grz_is_hit(world, item)) {
        GRZ_PREFETCH(&world->hits.data[grz_place_of_hit(item)]);
    } else {
        GRZ_PREFETCH(grz_fresh_of(world, item));
    }
}

#endif
