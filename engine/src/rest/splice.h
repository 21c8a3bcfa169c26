/// @file splice.h
/// Replaces some elements of an ordered list, when most of it stays as it is.
///
/// The lists are the reports of the last step, in the order of ranks. What stays are the elements
/// of still bodies alone (rest.h); all others are replaced by this step's. A new element is written
/// over an old one where possible; what stays is moved, in whole stretches, only where more or
/// fewer elements come than go before it.
///
/// First everything is planned, which changes no list and can fail; then it is done, which cannot.
#ifndef GRZ_SPLICE_H
#define GRZ_SPLICE_H

#include "state.h"

/// A plan under way.
typedef struct grz_splicing {
    grz_splice *splice;
    const unsigned char *list;
    size_t size;    ///< Of an element, which begins with the ids of a and b.
    uint32_t count; ///< Of the list.
    uint32_t from;  ///< What comes next goes before this place or a later one.
    uint32_t first; ///< Where the stretch begins that is not planned yet.
    uint32_t gone;  ///< How many of the places are behind.
    uint32_t near;  ///< How many of the places are of lower ranks than what comes.
} grz_splicing;

/// Makes room for a plan by which `coming` elements come. Returns false when there is no memory.
bool grz_splice_reserve(grz_splice *splice, const graze_allocator *allocator, uint32_t coming);

/// Begins a plan for a list of `count` elements of `size` bytes.
grz_splicing grz_splice_begin(grz_splice *splice, const void *list, size_t size, uint32_t count);

/// Plans where the next element comes: ranks (contact_rank.h; none of a sensor) do not fall, and
/// nothing that stays has the same.
void grz_splice_plan(grz_splicing *plan, uint64_t rank);

/// Plans the rest; what comes has its places in `coming` now. Returns how long the list gets.
uint32_t grz_splice_end(grz_splicing *plan);

/// Moves what stays, in a list that has room. The places that come are left to be filled.
void grz_splice_move(const grz_splice *splice, void *list, size_t size);

/// Makes what has come what will be replaced the next time.
void grz_splice_swap(grz_splice *splice);

/// Gives all memory back.
void grz_splice_free(grz_splice *splice, const graze_allocator *allocator);

#endif
