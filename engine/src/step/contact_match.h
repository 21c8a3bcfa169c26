/// @file contact_match.h
/// Which contacts continue from the last step, and which of the last step's have ended.
#ifndef GRZ_CONTACT_MATCH_H
#define GRZ_CONTACT_MATCH_H

#include "prefetch.h"
#include "step/contact_order.h"

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
