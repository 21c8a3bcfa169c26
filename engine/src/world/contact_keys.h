/// @file contact_keys.h
/// Keys of contacts: the two things that met. Keys match the contacts of a step with those of the
/// step before.
///
/// Keys are ordered by a, then by b, then by segment; those with terrain, whose b is none, come
/// first of an a.
#ifndef GRZ_CONTACT_KEYS_H
#define GRZ_CONTACT_KEYS_H

#include "world/world_state.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(graze_contact_end) == offsetof(graze_contact, time) &&
                   offsetof(graze_contact_end, b) == offsetof(graze_contact, b) &&
                   offsetof(graze_contact_end, segment) == offsetof(graze_contact, segment) &&
                   sizeof(graze_contact_end) == offsetof(grz_contact, time) &&
                   offsetof(graze_contact_end, b) == offsetof(grz_contact, b) &&
                   offsetof(graze_contact_end, segment) == offsetof(grz_contact, segment),
               "a contact begins with its key");

/// Returns the rank of a contact. Ranks order contacts by a, then by b, those with terrain first.
static inline uint64_t grz_rank(uint32_t a_index, uint32_t b_index)
{
    return (uint64_t)a_index << 32 | b_index;
}

static inline uint32_t grz_a_of_rank(uint64_t rank)
{
    return (uint32_t)(rank >> 32);
}

static inline uint32_t grz_b_of_rank(uint64_t rank)
{
    return (uint32_t)rank;
}

/// Returns the key of a contact, found or reported: a grz_contact or a graze_contact.
static inline graze_contact_end grz_key_of(const void *contact)
{
    graze_contact_end key;
    memcpy(&key, contact, sizeof key);
    return key;
}

/// Returns one of the last step's keys.
static inline graze_contact_end grz_key_at(const graze_world *world, uint32_t k)
{
    return world->reports.keys_apart ? world->reports.keys.data[k]
                                     : grz_key_of(&world->reports.contacts.data[k]);
}

/// Returns the rank of one of the last step's keys.
static inline uint64_t grz_rank_at(const graze_world *world, uint32_t k)
{
    return world->reports.keys_apart
               ? grz_rank(world->reports.keys.data[k].a.index, world->reports.keys.data[k].b.index)
               : world->reports.last_ranks.data[k];
}

/// Copies the last step's keys to any address.
void grz_keys_copy(const graze_world *world, void *to);

static inline uint64_t grz_number_of_id(grz_index index, uint32_t generation)
{
    return (uint64_t)index << 32 | generation;
}

/// The comparisons return a number below 0 if the first is the smaller, 0 if both are equal, and
/// else a number above 0: of ids by index, then generation; of segments by chain, then index.
static inline int grz_compare_ids(graze_body_id first, graze_body_id second)
{
    const uint64_t a = grz_number_of_id(first.index, first.generation);
    const uint64_t b = grz_number_of_id(second.index, second.generation);
    return (a > b) - (a < b);
}

static inline int grz_compare_segments(graze_segment_id first, graze_segment_id second)
{
    const uint64_t a = grz_number_of_id(first.chain.index, first.chain.generation);
    const uint64_t b = grz_number_of_id(second.chain.index, second.chain.generation);
    return a != b ? (a > b) - (a < b) : (first.index > second.index) - (first.index < second.index);
}

/// Returns whether two segments are one: most that are compared are.
static inline bool grz_is_same_segment(graze_segment_id first, graze_segment_id second)
{
    return ((first.chain.index ^ second.chain.index) |
            (first.chain.generation ^ second.chain.generation) | (first.index ^ second.index)) == 0;
}

static inline bool grz_is_same_id(graze_body_id first, graze_body_id second)
{
    return ((first.index ^ second.index) | (first.generation ^ second.generation)) == 0;
}

/// Returns whether two keys are equal, without the branches of grz_compare_keys. Number by number:
/// two that were just stored could not be read as one.
static inline bool grz_is_same_key(const graze_contact_end *first, const graze_contact_end *second)
{
    return grz_is_same_id(first->a, second->a) && grz_is_same_id(first->b, second->b) &&
           grz_is_same_segment(first->segment, second->segment);
}

/// Returns whether a contact that was found has a key. No copy of it is compared: what was just
/// stored could not be read at once.
static inline bool grz_has_key(const grz_contact *contact, const graze_contact_end *key)
{
    return grz_is_same_id(contact->a, key->a) && grz_is_same_id(contact->b, key->b) &&
           grz_is_same_segment(contact->segment, key->segment);
}

/// Compares two keys by a, b, segment: negative if the first is earlier, 0 if equal, else positive.
static inline int grz_compare_keys(const graze_contact_end *first, const graze_contact_end *second)
{
    if (grz_is_same_key(first, second)) { // Most that are compared are.
        return 0;
    }
    int order = grz_compare_ids(first->a, second->a);
    order = order ? order : grz_compare_ids(first->b, second->b);
    return order ? order : grz_compare_segments(first->segment, second->segment);
}

/// Records for each body whether it met anything in the last step. Returns false if memory runs
/// out.
bool grz_note_met_before(graze_world *world);

/// Returns whether the body with this index met anything in the last step. May return true for
/// index 0, which is terrain's in a rank.
static inline bool grz_has_met_before(const graze_world *world, grz_index index)
{
    return world->found.met_before.data[index / 32] >> index % 32 & 1;
}

/// Builds the index that grz_pair_met_before reads, unless this step has built it already. Returns
/// false if memory runs out.
bool grz_keys_index(graze_world *world);

/// Returns whether the pair with this key met in the last step. Runs on any thread.
bool grz_pair_met_before(const graze_world *world, const graze_contact_end *key);

/// Returns the first of the last step's keys of this body and terrain, if there is one. Runs on any
/// thread.
uint32_t grz_keys_of_terrain(const graze_world *world, graze_body_id body);

/// Returns whether a key is of this body and terrain, and which segment.
bool grz_key_is_of_terrain(const graze_world *world, graze_body_id body, uint32_t key,
                           graze_segment_id *segment);

#endif
