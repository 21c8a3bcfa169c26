/// @file index_set.h
/// A set of indices, as bits in two levels. Going through the few indices that are in it costs next
/// to nothing for those that are not.
#ifndef GRZ_INDEX_SET_H
#define GRZ_INDEX_SET_H

#include "array.h"

/// All zero is a set that has no room.
typedef struct grz_index_set {
    GRZ_ARRAY(uint64_t) words;  ///< One bit per index.
    GRZ_ARRAY(uint64_t) groups; ///< One bit per word: set where the word is not 0.
} grz_index_set;

/// Makes room for indices below `count`; what is in the set stays. Returns false, the set as it
/// was, when there is no memory.
bool grz_index_set_reserve(grz_index_set *set, const graze_allocator *allocator, uint32_t count);

void grz_index_set_free(grz_index_set *set, const graze_allocator *allocator);

/// Takes all out of the set.
void grz_index_set_clear(grz_index_set *set);

/// Returns the least index in the set that is not below `from`; UINT32_MAX when there is none.
uint32_t grz_index_set_next(const grz_index_set *set, uint32_t from);

/// Puts an index, that there is room for, into the set. It may be there.
static inline void grz_index_set_add(grz_index_set *set, uint32_t index)
{
    set->words.data[index / 64] |= UINT64_C(1) << index % 64;
    set->groups.data[index / 4096] |= UINT64_C(1) << index / 64 % 64;
}

/// Takes an index, that there is room for, out of the set. It need not be there.
static inline void grz_index_set_remove(grz_index_set *set, uint32_t index)
{
    const uint32_t word = index / 64;
    set->words.data[word] &= ~(UINT64_C(1) << index % 64);
    if (set->words.data[word] == 0) {
        set->groups.data[word / 64] &= ~(UINT64_C(1) << word % 64);
    }
}

/// Puts the 64 indices of a word into the set whose bits are set. None of them may be there.
static inline void grz_index_set_add_word(grz_index_set *set, uint32_t word, uint64_t bits)
{
    set->words.data[word] = bits;
    set->groups.data[word / 64] |= (uint64_t)(bits != 0) << word % 64;
}

/// Returns whether an index, that there is room for, is in the set.
static inline bool grz_index_set_has(const grz_index_set *set, uint32_t index)
{
    return set->words.data[index / 64] >> index % 64 & 1;
}

#endif
