/// @file snapshot_reports_lanes.h
/// Part of snapshot_wide.h: checks of reports. Lanes hold the words of one record, as memory does.
#ifndef GRZ_SNAPSHOT_REPORTS_LANES_H
#define GRZ_SNAPSHOT_REPORTS_LANES_H

#include "snapshot/snapshot.h"

#include <string.h>

enum { RECORD_VECTORS = GRZ_WIDTH < GRZ_RECORD_WORDS ? GRZ_RECORD_WORDS / GRZ_WIDTH : 1 };

/// A record, and in wider lanes the bytes after it.
typedef struct record_lanes {
    ints part[RECORD_VECTORS];
} record_lanes;

_Static_assert(sizeof(graze_contact_end) == 4 * (GRZ_RECORD_WORDS - 1) &&
                   sizeof(grz_contact_record) == 4 * GRZ_RECORD_WORDS &&
                   (size_t)GRZ_RECORD_WORDS * 4 <= sizeof(record_lanes),
               "words of a record");

static inline record_lanes read_record(const unsigned char *bytes)
{
    record_lanes record;
    for (uint32_t v = 0; v < RECORD_VECTORS; ++v) {
        record.part[v] = read_ints(bytes + v * sizeof *record.part);
    }
    return record;
}

// The next of `count` records of `size` bytes, with 0 where lanes would read past the last.
static record_lanes read_last(const unsigned char *records, size_t count, size_t size)
{
    unsigned char last[sizeof(record_lanes)] = {0};
    memcpy(last, records, count * size);
    return read_record(last);
}

/// A bit for each word.
typedef struct record_masks {
    floats_mask part[RECORD_VECTORS];
} record_masks;

static inline uint32_t bits_of_words(const record_masks *masks)
{
    uint32_t bits = 0;
    for (uint32_t v = 0; v < RECORD_VECTORS; ++v) {
        bits |= mask_bits(masks->part[v]) << v * GRZ_WIDTH;
    }
    return bits;
}

static inline floats_mask are_at_most(ints numbers, ints most)
{
    return equal_ints(min_unsigned(numbers, most), numbers);
}

// Adds bits to those words that are not within limits.
static inline void find_outside(record_lanes *outside, const record_lanes *record,
                                const grz_word_limits *limits)
{
    for (uint32_t v = 0; v < RECORD_VECTORS; ++v) {
        const ints span = load_ints(limits->span + v * GRZ_WIDTH);
        const ints bits = and_ints(record->part[v], load_ints(limits->bits + v * GRZ_WIDTH));
        const ints above = sub_ints(bits, load_ints(limits->least + v * GRZ_WIDTH));
        const ints excess = sub_ints(above, min_unsigned(above, span));
        outside->part[v] = or_ints(outside->part[v], excess);
    }
}

// The bits of those words that are not 0.
static uint32_t find_words(const record_lanes *record)
{
    record_masks none;
    for (uint32_t v = 0; v < RECORD_VECTORS; ++v) {
        none.part[v] = equal_ints(record->part[v], fill_ints(0));
    }
    return ~bits_of_words(&none);
}

enum {
    WORDS_OF_KEY = (1 << (GRZ_RECORD_WORDS - 1)) - 1,
    WORDS_OF_CONTACT = (1 << GRZ_RECORD_WORDS) - 1
};

// Whether `first` is less in the first word that differs.
static inline bool come_in_order(const record_lanes *first, const record_lanes *second)
{
    record_masks same, rising;
    for (uint32_t v = 0; v < RECORD_VECTORS; ++v) {
        same.part[v] = equal_ints(first->part[v], second->part[v]);
        rising.part[v] = are_at_most(first->part[v], second->part[v]);
    }
    const uint32_t differ = ~bits_of_words(&same) & WORDS_OF_KEY;
    return (differ & (0 - differ) & bits_of_words(&rising)) != 0;
}

/// Findings on keys so far.
typedef struct key_check {
    record_lanes last;
    uint32_t last_a;      ///< Its first word.
    uint32_t wrong;       ///< Not 0: some key is.
    record_lanes outside; ///< Words that are not 0 were outside of limits in some key.
} key_check;

static inline void check_key(key_check *found, const unsigned char *bytes, const record_lanes *key,
                             const grz_word_limits *limits)
{
    const uint32_t a = grz_word_at(bytes, 0), b = grz_word_at(bytes, 2);
    const uint32_t pair = grz_word_at(bytes, 3) != 0;
    find_outside(&found->outside, key, &limits[pair]);
    found->wrong |= pair & (a >= b);
    if (a <= found->last_a && !come_in_order(&found->last, key)) {
        found->wrong = 1;
    }
    found->last = *key;
    found->last_a = a;
}

// HOT. bench: engine/snapshot_load
//
// Data    28 bytes of a key read.
// Branch  Whether a differs from the last one: mostly it does. No other, as results cannot be
//         predicted.
static uint32_t check_keys(const unsigned char *keys, size_t count, const grz_word_limits *limits)
{
    enum { SIZE = sizeof(graze_contact_end) };
    const unsigned char none[sizeof(record_lanes)] = {0};
    key_check found = {.last = read_record(none), .outside = read_record(none)};
    size_t left = count;
    for (; left * SIZE >= sizeof(record_lanes); --left, keys += SIZE) {
        const record_lanes key = read_record(keys);
        check_key(&found, keys, &key, limits);
    }
    for (; left; --left, keys += SIZE) {
        const record_lanes key = read_last(keys, left, SIZE);
        check_key(&found, keys, &key, limits);
    }
    return found.wrong | (find_words(&found.outside) & WORDS_OF_KEY);
}

/// Findings on contacts so far.
typedef struct contact_check {
    uint32_t wrong; ///< Not 0: some depth is.
    record_lanes outside;
} contact_check;

static inline void check_contact(contact_check *found, const unsigned char *bytes,
                                 const record_lanes *contact, const grz_word_limits *limits)
{
    const uint32_t depth = grz_word_at(bytes, offsetof(grz_contact_record, depth) / 4);
    find_outside(&found->outside, contact, limits);
    found->wrong |= depth > GRZ_PATTERN_MAGNITUDE + 1u; // -0 is no less than 0.
}

// HOT. bench: engine/snapshot_load
//
// Data    32 bytes of a contact read.
// Branch  None.
static uint32_t check_contacts(const unsigned char *contacts, size_t count,
                               const grz_word_limits *limits)
{
    enum { SIZE = sizeof(grz_contact_record) };
    const unsigned char none[sizeof(record_lanes)] = {0};
    contact_check found = {.outside = read_record(none)};
    size_t left = count;
    for (; left * SIZE >= sizeof(record_lanes); --left, contacts += SIZE) {
        const record_lanes contact = read_record(contacts);
        check_contact(&found, contacts, &contact, limits);
    }
    for (; left; --left, contacts += SIZE) {
        const record_lanes contact = read_last(contacts, left, SIZE);
        check_contact(&found, contacts, &contact, limits);
    }
    return found.wrong | (find_words(&found.outside) & WORDS_OF_CONTACT);
}

#endif
