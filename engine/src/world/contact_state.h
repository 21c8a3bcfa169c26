/// @file contact_state.h
/// The world's data on contacts: while they are found, ordered and matched, and when they are
/// reported.
#ifndef GRZ_CONTACT_STATE_H
#define GRZ_CONTACT_STATE_H

#include <graze/contact.h>

#include "world/body_state.h"

static const graze_segment_id grz_no_segment = {{0, 0}, 0}; ///< Of a contact of two bodies.

/// A contact from when it is found until it is reported: a graze_contact without its phase, in one
/// line of the cache.
typedef struct grz_contact {
    graze_body_id a, b;
    graze_segment_id segment;
    float time;
    graze_vec2 point, normal;
    float depth, approach, impulse;
    uint32_t flags;
} grz_contact;

/// Of its flags: one of the two was gone before. It is no contact.
#define GRZ_CONTACT_VOID UINT32_C(0x80000000)

typedef GRZ_ARRAY(grz_contact) grz_contacts;
typedef GRZ_ARRAY(graze_contact) grz_reported_contacts;
typedef GRZ_ARRAY(graze_contact_end) grz_contact_keys;
typedef GRZ_ARRAY(uint64_t) grz_ranks;

/// The contacts of a step being sorted, and matched with the last step's keys.
typedef struct grz_order {
    uint64_t *ranks;     ///< Of each: see grz_rank. In world->reports.ranks.
    uint32_t *places;    ///< Among world->found.contacts; and GRZ_BEGINS.
    uint64_t *old_ranks; ///< Of the keys, if these have none of their own.
    uint32_t *ended;     ///< The places of the keys that have ended, in order.
    uint64_t *words;     ///< Scratch of sorting: as many as there are contacts.
    uint32_t *counters;  ///< Likewise.
    uint32_t count, ended_count;
    uint32_t key_count, begin_count; ///< Pairs that met, and those of them that are new.
} grz_order;

/// What parts of the pairs find.
enum { GRZ_OF_CONTACTS, GRZ_OF_CANDIDATES, GRZ_OF_TOUCHES, GRZ_PART_LISTS };

/// What is known of one part of the pairs.
typedef struct grz_pair_part {
    uint64_t candidate_count; ///< Pairs that the grid found and that their filters let meet.
    uint64_t tested_count;    ///< Pairs of boxes compared in the grid.
    double pair_seconds;      ///< Spent on finding pairs.
    double decide_seconds;    ///< Spent on deciding them.
} grz_pair_part;

/// Elements of a list that move together: places [first, end) to `to` and the places after it.
typedef struct grz_stretch {
    uint32_t first, end, to;
} grz_stretch;

/// A plan that turns a list into the next one, part of which stays: see splice.h.
typedef struct grz_splice {
    grz_numbers places;               ///< Of the elements that the next step replaces, in order.
    grz_numbers coming;               ///< Places of this step's elements in the new list.
    GRZ_ARRAY(grz_stretch) stretches; ///< Of elements that stay, those that move.
} grz_splice;

#endif
