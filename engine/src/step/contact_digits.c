#include "step/contact_digits.h"

#include <string.h>

enum {
    DIGIT_BITS = 11, ///< Three of them make a key.
    DIGITS = 1 << DIGIT_BITS
};

/// By value of a digit: how many have it; later the place of the next one.
typedef struct tally {
    uint32_t by_digit[DIGITS];
} tally;

static inline uint32_t digit_of(uint32_t key, uint32_t digit)
{
    return key >> digit * DIGIT_BITS & (DIGITS - 1);
}

static void tally_digit(const grz_keyed_contact *list, uint32_t count, uint32_t digit,
                        tally *counts)
{
    memset(counts, 0, sizeof *counts);
    for (uint32_t k = 0; k < count; ++k) {
        ++counts->by_digit[digit_of(list[k].key, digit)];
    }
    (void)grz_counts_add_up(counts->by_digit, DIGITS);
}

static void sort_by_digit(const grz_keyed_contact *from, uint32_t count, uint32_t digit,
                          grz_keyed_contact *to)
{
    tally next;
    tally_digit(from, count, digit, &next);
    for (uint32_t k = 0; k < count; ++k) {
        to[next.by_digit[digit_of(from[k].key, digit)]++] = from[k];
    }
}

static void sort_by_last_digit(const grz_key_cut *cut, const grz_keyed_contact *from,
                               uint32_t count, uint32_t digit, uint64_t *ranks, uint32_t *places)
{
    tally next;
    tally_digit(from, count, digit, &next);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t to = next.by_digit[digit_of(from[k].key, digit)]++;
        ranks[to] = grz_rank_of_key(cut, from[k].key);
        places[to] = from[k].place;
    }
}

// HOT. bench: engine/step/clusters-dense
//
// Where threads share the work. A radix sort from the lowest digit on: linear, whatever the runs
// are.
//
// Data    8 bytes read twice for each digit, and written.
// Branch  None.
void grz_sort_by_digits(const grz_key_cut *cut, grz_keyed_contact *list, uint32_t count,
                        uint64_t *ranks, uint32_t *places)
{
    grz_keyed_contact *back = (grz_keyed_contact *)(void *)ranks;
    sort_by_digit(list, count, 0, back);
    sort_by_digit(back, count, 1, list);
    sort_by_last_digit(cut, list, count, 2, ranks, places);
}
