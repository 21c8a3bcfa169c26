/// @file splice.h
/// Replaces some elements of a sorted list, most of which stay as they are.
///
/// The lists are the contacts and the keys of the last step, in the order of ranks. Elements that
/// are about still bodies alone (sleep.h) stay; all others are replaced by those of this step. A
/// new element overwrites an old one where possible. Elements that stay are moved only if the
/// numbers of new and of old elements before them differ, and then in whole stretches.
///
/// First a plan is made, which changes no list and may fail; then it is carried out, which cannot
/// fail.
#ifndef GRZ_SPLICE_H
#define GRZ_SPLICE_H

#include "world/world_state.h"

/// A plan that is being made. The places are those of the old elements that are replaced.
typedef struct grz_splicing {
    grz_splice *splice;
    const unsigned char *list;
    size_t size;    ///< Of an element: a contact or a key.
    uint32_t count; ///< Of the list.
    uint32_t from;  ///< The next new element goes to this place or a later one.
    uint32_t first; ///< Start of the stretch that is not planned yet.
    uint32_t gone;  ///< How many of the places are behind.
    uint32_t near;  ///< How many of the places have lower ranks than the last new element.
} grz_splicing;

/// Makes room for a plan with `coming` new elements. Returns false when there is no memory.
bool grz_splice_reserve(grz_splice *splice, const graze_allocator *allocator, uint32_t coming);

/// Begins a plan for a list of `count` elements of `size` bytes.
grz_splicing grz_splice_begin(grz_splice *splice, const void *list, size_t size, uint32_t count);

/// Plans the place of the next new element. Ranks (contact_keys.h; without the bit of sensors) must
/// not decrease from call to call, and no element that stays may have the same rank.
void grz_splice_plan(grz_splicing *plan, uint64_t rank);

/// Ends the plan: the places of the new elements are then in splice->coming. Returns the list's new
/// length.
uint32_t grz_splice_end(grz_splicing *plan);

/// Moves the elements that stay, in a list that has room. The caller then fills the places of the
/// new ones.
void grz_splice_move(const grz_splice *splice, void *list, size_t size);

/// Makes the places of the new elements those that the next plan replaces.
void grz_splice_swap(grz_splice *splice);

#endif
