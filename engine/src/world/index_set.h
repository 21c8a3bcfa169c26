/// @file index_set.h
/// A set of indices, as bits in two levels. Visiting the few indices in it costs next to nothing
/// for those not in it.
#ifndef GRZ_INDEX_SET_H
#define GRZ_INDEX_SET_H

#include "array.h"
#include "asserts.h"

/// All zero is an empty set without room.
typedef struct grz_index_set {
    GRZ_ARRAY(uint64_t) words;  ///< One bit per index.
    GRZ_ARRAY(uint64_t) groups; ///< One bit per word: set where the word is not 0.
} grz_index_set;

/// Makes room for indices below `count`; the contents stay. Returns false, with the set as it was,
/// if memory runs out.
bool grz_index_set_reserve(grz_index_set *set, const graze_allocator *allocator, uint32_t count);

void grz_index_set_free(grz_index_set *set, const graze_allocator *allocator);

/// Empties the set.
void grz_index_set_clear(grz_index_set *set);

/// Returns the first index in the set from `from` on; UINT32_MAX if there is none.
uint32_t grz_index_set_next(const grz_index_set *set, uint32_t from);

/// Adds an index, for which there is room. It may be in the set already.
static inline void grz_index_set_add(grz_index_set *set, uint32_t index)
{
    GRZ_ASSERT(index / 64 < set->words.count);
    set->words.data[index / 64] |= UINT64_C(1) << index % 64;
    set->groups.data[index / 4096] |= UINT64_C(1) << index / 64 % 64;
}

/// Removes an index, for which there is room. It need not be in the set.
static inline void grz_index_set_remove(grz_index_set *set, uint32_t index)
{
    const uint32_t word = index / 64;
    GRZ_ASSERT(word < set->words.count);
    set->words.data[word] &= ~(UINT64_C(1) << index % 64);
    if (set->words.data[word] == 0) {
        set->groups.data[word / 64] &= ~(UINT64_C(1) << word % 64);
    }
}

/// Adds those of the 64 indices of a word whose bits are set. None may be in the set.
static inline void grz_index_set_add_word(grz_index_set *set, uint32_t word, uint64_t bits)
{
    GRZ_ASSERT(word < set->words.count && set->words.data[word] == 0);
    set->words.data[word] = bits;
    set->groups.data[word / 64] |= (uint64_t)(bits != 0) << word % 64;
}

/// Returns whether an index, for which there is room, is in the set.
static inline bool grz_index_set_has(const grz_index_set *set, uint32_t index)
{
    GRZ_ASSERT(index / 64 < set->words.count);
    return set->words.data[index / 64] >> index % 64 & 1;
}

#endif
