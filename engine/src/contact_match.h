/// @file contact_match.h
/// Which contacts continue from the last step, and which of the last step's have ended.
#ifndef GRZ_CONTACT_MATCH_H
#define GRZ_CONTACT_MATCH_H

#include "contact_order.h"
#include "prefetch.h"

/// A bit of a hit's place in the order: the pair did not meet in the last step.
#define GRZ_BEGINS UINT32_C(0x80000000)

/// Matches the order with the last step's keys: sets GRZ_BEGINS of hits, the phase of fresh
/// contacts, and what the order says of keys.
void grz_match_contacts(graze_world *world);

/// Returns one of those that the order is matched with: the last step's keys, or where lists are
/// spliced those of them that do not stay.
static inline graze_contact_end grz_match_key(const graze_world *world, uint32_t k)
{
    return world->spliced ? world->rest.passed.data[k] : grz_key_at(world, k);
}

/// Asks the memory for one of them that is to be read soon.
static inline void grz_ask_for_match_key(const graze_world *world, uint32_t k)
{
    if (!world->spliced && !world->keys_apart) {
        GRZ_PREFETCH(&world->contacts.data[k]);
    }
}

/// Where a hit is among the hits, given its place in the order.
static inline uint32_t grz_place_of_hit(uint32_t place)
{
    return place & ~GRZ_BEGINS;
}

static inline bool grz_is_hit(const graze_world *world, uint32_t place)
{
    return grz_place_of_hit(place) < world->hit_room;
}

/// Asks the memory for a contact that is to be read soon.
static inline void grz_ask_for_contact(const graze_world *world, uint32_t place)
{
    if (grz_is_hit(world, place)) {
        GRZ_PREFETCH(&world->hits.data[grz_place_of_hit(place)]);
    } else {
        GRZ_PREFETCH(grz_fresh_at(world, place));
    }
}

#endif
