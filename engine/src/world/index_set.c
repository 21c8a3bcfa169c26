#include "world/index_set.h"

#include "bits.h"

bool grz_index_set_reserve(grz_index_set *set, const graze_allocator *allocator, uint32_t count)
{
    const size_t words = (size_t)count / 64 + 1, groups = words / 64 + 1;
    if (!grz_array_reserve(&set->words, allocator, words) ||
        !grz_array_reserve(&set->groups, allocator, groups)) {
        return false;
    }
    for (; set->words.count < set->words.capacity; ++set->words.count) {
        set->words.data[set->words.count] = 0;
    }
    for (; set->groups.count < set->groups.capacity; ++set->groups.count) {
        set->groups.data[set->groups.count] = 0;
    }
    return true;
}

void grz_index_set_free(grz_index_set *set, const graze_allocator *allocator)
{
    grz_array_free(&set->words, allocator);
    grz_array_free(&set->groups, allocator);
}

void grz_index_set_clear(grz_index_set *set)
{
    for (uint32_t group = 0; group < set->groups.count; ++group) {
        for (uint64_t bits = set->groups.data[group]; bits; bits &= bits - 1) {
            set->words.data[group * 64 + grz_lowest_bit(bits)] = 0;
        }
        set->groups.data[group] = 0;
    }
}

// Returns the first word from `from` on that is not 0; one past the last if all are.
static uint32_t find_word(const grz_index_set *set, uint32_t from)
{
    uint64_t mask = UINT64_MAX << from % 64;
    for (uint32_t group = from / 64; group < set->groups.count; ++group) {
        const uint64_t bits = set->groups.data[group] & mask;
        if (bits) {
            return group * 64 + grz_lowest_bit(bits);
        }
        mask = UINT64_MAX;
    }
    return set->words.count;
}

uint32_t grz_index_set_next(const grz_index_set *set, uint32_t from)
{
    const uint32_t own = from / 64;
    if (own < set->words.count) {
        const uint64_t bits = set->words.data[own] & UINT64_MAX << from % 64;
        if (bits) {
            return own * 64 + grz_lowest_bit(bits);
        }
    }
    const uint32_t word = find_word(set, own + 1);
    return word < set->words.count ? word * 64 + grz_lowest_bit(set->words.data[word]) : UINT32_MAX;
}
