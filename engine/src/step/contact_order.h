/// @file contact_order.h
/// The order of a step's contacts.
///
/// Contacts stay where they were found. Three passes sort their places:
///
///   1. by rank, which is by a, then by b;
///   2. contacts that share a rank, by segment: this is the order of keys, in which contacts are
///      matched with the last step's;
///   3. the contacts of one pair, by time: this is the order of the list that a game reads.
///
/// No pass goes over all bodies, nor over the contacts of still bodies (splice.h): a world at rest
/// costs next to nothing.
///
/// Contacts of pairs are stored whole as pairs are found: to decide them as the list is written
/// would move fewer bytes, but gather their rows twice, the second time out of order (bench:
/// engine/step/clusters). Where lists are larger than the caches, contacts are read out of order,
/// too (bench: engine/step/clusters-dense).
#ifndef GRZ_CONTACT_ORDER_H
#define GRZ_CONTACT_ORDER_H

#include "prefetch.h"
#include "world/contact_keys.h"

/// Makes room for sorting this step's contacts. Returns false if memory runs out.
bool grz_order_reserve(graze_world *world);

/// Fills world->reports.order, in the order of keys and without repeats; sets has_runs and
/// keys_differ.
void grz_order_contacts(graze_world *world);

/// Returns the first place in the order, from this one on, whose contact has the rank of the next
/// one; the end of the order if there is none.
uint32_t grz_order_find_run(const graze_world *world, uint32_t first);

/// Returns the place in the order after those that have the rank of the one at `first`.
uint32_t grz_order_find_end_of_rank(const graze_world *world, uint32_t first);

/// Puts contacts of one rank, places [first, end) of the order, into the order of the list.
void grz_order_sort_by_time(graze_world *world, uint32_t first, uint32_t end);

/// A bit of a place in the order: the pair did not meet in the last step.
#define GRZ_BEGINS UINT32_C(0x80000000)

/// Returns a place without that bit.
static inline uint32_t grz_place_of(uint32_t place)
{
    return place & ~GRZ_BEGINS;
}

/// Returns the contact at a place.
static inline grz_contact *grz_found_at(const graze_world *world, uint32_t place)
{
    return &world->found.contacts.data[grz_place_of(place)];
}

/// Returns whether all contacts but those of the parts are those by which plain rays are spent
/// (rays.c). None of these rays met anything in the last step, and each has one contact: so all of
/// them begin, and no two share a rank.
static inline bool grz_do_others_begin(const graze_world *world)
{
    return world->found.contacts.count - world->found.others_first == world->bullets.spent.count;
}

/// Returns whether the contact at this place of the order is of the same two as the one before it.
static inline bool grz_order_goes_on(const graze_world *world, uint32_t k)
{
    const uint64_t *ranks = world->reports.order.ranks;
    const uint32_t *places = world->reports.order.places;
    return world->reports.has_runs && k > 0 && ranks[k - 1] == ranks[k] &&
           grz_is_same_segment(grz_found_at(world, places[k - 1])->segment,
                               grz_found_at(world, places[k])->segment);
}

// --- Which contacts continue from the last step, and which have ended: contact_match.c ---

/// Matches the order with the last step's keys: sets GRZ_BEGINS, and the fields of the order about
/// keys.
void grz_match_contacts(graze_world *world);

/// Returns the address of one of the keys that the order is matched with: all of the last step's,
/// or, if lists are spliced, those that do not stay.
static inline const void *grz_match_key(const graze_world *world, uint32_t k)
{
    if (world->reports.spliced) {
        return &world->sleep.passed.data[k];
    }
    return world->reports.keys_apart ? (const void *)&world->reports.keys.data[k]
                                     : (const void *)&world->reports.contacts.data[k];
}

/// Prefetches a key, which may lie across two cache lines.
static inline void grz_prefetch_key(const void *key)
{
    const graze_contact_end *whole = key;
    GRZ_PREFETCH(&whole->a);
    GRZ_PREFETCH(&whole->segment.index);
}

#endif
