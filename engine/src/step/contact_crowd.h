/// @file contact_crowd.h
/// Sorts the contacts of a crowd: where a body has many.
#ifndef GRZ_CONTACT_CROWD_H
#define GRZ_CONTACT_CROWD_H

#include "step/contact_digits.h"

/// Contacts of a world in which there are at least as many as bodies.
typedef struct grz_crowd {
    const uint32_t *keys; ///< Of the contacts, as they come; cut.first_a is 0.
    grz_key_cut cut;
    uint32_t first_place; ///< They are from here on, one after the other.
    uint32_t count;
    uint32_t bodies;         ///< All indices are below this, which is at most `count`.
    uint32_t *by_a;          ///< Scratch: room for `bodies` of these,
    grz_keyed_contact *list; ///< and for `count` of these.
} grz_crowd;

/// Writes their ranks and places in order; no two have the same rank.
void grz_sort_crowd(const grz_crowd *crowd, uint64_t *ranks, uint32_t *places);

#endif
