/// @file contact_digits.h
/// Sorts the contacts of a region by their keys, digit by digit.
#ifndef GRZ_CONTACT_DIGITS_H
#define GRZ_CONTACT_DIGITS_H

#include "step/contact_region.h"

/// A contact of a region.
typedef struct grz_keyed_contact {
    uint32_t key, place;
} grz_keyed_contact;

/// Sorts a list by keys of 31 bits, stably, and stores ranks and places. The list is overwritten.
void grz_sort_by_digits(const grz_key_cut *cut, grz_keyed_contact *list, uint32_t count,
                        uint64_t *ranks, uint32_t *places);

/// Converts the counts of runs into the places where they begin. Returns the largest count.
static inline uint32_t grz_counts_add_up(uint32_t *counts, uint32_t runs)
{
    uint32_t most = 0, sum = 0;
    for (uint32_t run = 0; run < runs; ++run) {
        const uint32_t own = counts[run];
        counts[run] = sum;
        sum += own;
        most = most < own ? own : most;
    }
    return most;
}

#endif
