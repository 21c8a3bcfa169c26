/// @file splice.h
/// Replaces some elements of an ordered list, most of which stays as it is.
///
/// The lists are the reports of the last step, in the order of ranks. Elements of still bodies
/// alone (rest.h) stay; all others are replaced by this step's. A new element overwrites an old one
/// where possible; elements that stay are moved, in whole stretches, only if more or fewer come
/// than go before them.
///
/// First comes a plan, which changes no list and can fail; then it is carried out, which cannot.
#ifndef GRZ_SPLICE_H
#define GRZ_SPLICE_H

#include "state.h"

/// A plan under way.
typedef struct grz_splicing {
    grz_splice *splice;
    const unsigned char *list;
    size_t size;    ///< Of an element, which begins with the ids of a and b.
    uint32_t count; ///< Of the list.
    uint32_t from;  ///< The next new element goes before this place or a later one.
    uint32_t first; ///< Start of the stretch that is not planned yet.
    uint32_t gone;  ///< How many of the places are done.
    uint32_t near;  ///< How many of the places have lower ranks than the next.
} grz_splicing;

/// Makes room for a plan that adds `coming` elements. Returns false when there is no memory.
bool grz_splice_reserve(grz_splice *splice, const graze_allocator *allocator, uint32_t coming);

/// Begins a plan for a list of `count` elements of `size` bytes.
grz_splicing grz_splice_begin(grz_splice *splice, const void *list, size_t size, uint32_t count);

/// Plans the place of the next element: ranks (contact_rank.h; none of a sensor) do not fall, and
/// no element that stays has the same rank.
void grz_splice_plan(grz_splicing *plan, uint64_t rank);

/// Plans the rest, and stores the places of new elements in `coming`. Returns the list's new
/// length.
uint32_t grz_splice_end(grz_splicing *plan);

/// Moves what stays, in a list that has room. The places of new elements remain to be filled.
void grz_splice_move(const grz_splice *splice, void *list, size_t size);

/// Makes the new elements those that the next plan replaces.
void grz_splice_swap(grz_splice *splice);

/// Gives all memory back.
void grz_splice_free(grz_splice *splice, const graze_allocator *allocator);

#endif
