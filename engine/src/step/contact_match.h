/// @file contact_match.h
/// Which contacts continue from the last step, and which of the last step's have ended.
#ifndef GRZ_CONTACT_MATCH_H
#define GRZ_CONTACT_MATCH_H

#include "prefetch.h"
#include "step/contact_order.h"

/// Matches the order with the last step's keys: sets GRZ_BEGINS, and the fields of the order about
/// keys.
void grz_match_contacts(graze_world *world);

/// Returns one of the keys that the order is matched with: all of the last step's, or, if lists are
/// spliced, those that do not stay.
static inline graze_contact_end grz_match_key(const graze_world *world, uint32_t k)
{
    return world->reports.spliced ? world->sleep.passed.data[k] : grz_key_at(world, k);
}

/// Prefetches one of these keys, which may lie across two cache lines.
static inline void grz_prefetch_match_key(const graze_world *world, uint32_t k)
{
    if (!world->reports.spliced && !world->reports.keys_apart) {
        GRZ_PREFETCH(&world->reports.contacts.data[k].a);
        GRZ_PREFETCH(&world->reports.contacts.data[k].segment.index);
    }
}

#endif
