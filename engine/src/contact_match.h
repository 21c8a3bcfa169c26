/// @file contact_match.h
/// Which contacts go on from the last step, and what of the last step has ended.
#ifndef GRZ_CONTACT_MATCH_H
#define GRZ_CONTACT_MATCH_H

#include "state.h"

/// A bit of a hit's place in the order: the pair goes on.
#define GRZ_STAYS UINT32_C(0x80000000)

/// Matches the order with the last step's keys: sets GRZ_STAYS of hits, the phase of fresh
/// contacts, and what the order says of keys.
void grz_match_contacts(graze_world *world);

/// Returns what the order is matched with: the last step's keys, or where lists are spliced those
/// of them that do not stay.
const grz_contact_keys *grz_match_keys(const graze_world *world);

#endif
