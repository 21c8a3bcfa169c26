/// @file lanes_four.h
/// Operations that the sets of four lanes build from their others, mostly one lane after the other,
/// because they have no instruction for them. Included by these sets alone, last.
#ifndef GRZ_LANES_FOUR_H
#define GRZ_LANES_FOUR_H

static inline uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)(UINT64_C(0x4332322132212110) >> bits * 4) & 7;
}

// Stores lane by lane, each lane overwriting one that is left out: without a branch.
static inline void pack_floats(float *to, uint32_t bits, floats a)
{
    float lane[GRZ_WIDTH];
    store_floats(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
}

static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    uint32_t lane[GRZ_WIDTH];
    store_ints(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
}

static inline void pack_longs(uint64_t *to, uint32_t bits, const uint64_t *from)
{
    const uint64_t first = from[0], second = from[1];
    to[0] = first;
    to[bits & 1] = second;
}

static inline ints number_set_lanes(uint32_t bits)
{
    static const uint32_t ranks[1 << GRZ_WIDTH][GRZ_WIDTH] = {
        {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 0, 0, 1}, {0, 1, 1, 2},
        {0, 0, 1, 2}, {0, 1, 2, 3}, {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2},
        {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3}};
    return load_ints(ranks[bits]);
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    uint32_t seconds[GRZ_WIDTH], count = 0;
    store_ints(seconds, b);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[2 * count] = a;
        to[2 * count + 1] = seconds[k];
        count += bits >> k & 1;
    }
    return count;
}

static inline uint32_t store_few_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    return store_pairs(to, bits, a, b);
}

// In each pair of a row, the number to add to the first place: 0 for a.
static inline uint32_t store_places(uint32_t *to, uint32_t bits, uint32_t a, uint32_t first)
{
    static const uint32_t lanes[1 << GRZ_WIDTH][2 * GRZ_WIDTH] = {
        {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 1, 0, 0, 0, 0}, {0, 2, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 2, 0, 0, 0, 0},
        {0, 1, 0, 2, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 2, 0, 0}, {0, 3, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 3, 0, 0, 0, 0}, {0, 1, 0, 3, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 3, 0, 0},
        {0, 2, 0, 3, 0, 0, 0, 0}, {0, 0, 0, 2, 0, 3, 0, 0}, {0, 1, 0, 2, 0, 3, 0, 0},
        {0, 0, 0, 1, 0, 2, 0, 3}};
    static const uint32_t evens[GRZ_WIDTH] = {UINT32_MAX, 0, UINT32_MAX, 0};
    static const uint32_t odds[GRZ_WIDTH] = {0, UINT32_MAX, 0, UINT32_MAX};
    const ints pairs = or_ints(and_ints(fill_ints(a), load_ints(evens)),
                               and_ints(fill_ints(first), load_ints(odds)));
    write_ints(to, add_ints(pairs, load_ints(lanes[bits])));
    write_ints(to + GRZ_WIDTH, add_ints(pairs, load_ints(lanes[bits] + GRZ_WIDTH)));
    return count_bits(bits);
}

static inline void store_sixes(void *to, doubles_mask mask, doubles a, doubles b, doubles c,
                               doubles d, doubles e)
{
    const doubles zero = fill_doubles(0), first = select_doubles(mask, a, zero);
    float seconds[GRZ_WIDTH], *next = (float *)to;
    store_floats(seconds, narrow_doubles(first, first));
    store_rows(next + 2, 6, select_doubles(mask, b, zero), select_doubles(mask, c, zero),
               select_doubles(mask, d, zero), select_doubles(mask, e, zero));
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k, next += 6) {
        const uint32_t flag = mask_bits_d(mask) >> k & 1;
        memcpy(next, &flag, sizeof flag);
        next[1] = seconds[k];
    }
}

static inline void write_word(char *to, uint32_t word)
{
    memcpy(to, &word, sizeof word);
}

static inline uint32_t clip_word(uint32_t word)
{
    return word >> 31 ? 0 : word;
}

// Word by word: composed on the stack and read back as a whole, they would stall.
static inline void write_seventeen(void *to, const void *eight, uint64_t n, uint32_t bits)
{
    char *next = (char *)to;
    const char *from = (const char *)eight;
    uint32_t third;
    memcpy(&third, from + 8, 4);
    write_word(next, (uint32_t)(n >> 32));
    memcpy(next + 4, from, 4);
    write_word(next + 8, (uint32_t)n >> 1);
    memcpy(next + 12, from + 4, 4);
    memset(next + 16, 0, 12);
    write_word(next + 28, clip_word(third));
    memcpy(next + 32, from + 12, 16);
    write_word(next + 48, clip_word(third ^ UINT32_C(1) << 31));
    memcpy(next + 52, from + 28, 4);
    memset(next + 56, 0, 4);
    write_word(next + 60, bits >> 31);
    write_word(next + 64, n & 1);
}

#include "lanes_nines.h"

// Of these sets only SSE2 has an intrinsic for it, and machines with large caches have wider lanes.
static inline void stream_floats(float *to, floats a)
{
    store_floats(to, a);
}

static inline void stream_points(graze_vec2 *to, floats x, floats y)
{
    store_points(to, x, y);
}

static inline void stream_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                                floats upper_y)
{
    store_boxes(to, lower_x, lower_y, upper_x, upper_y);
}

static inline void scatter_boxes(graze_aabb *to, const uint32_t *index, floats lower_x,
                                 floats lower_y, floats upper_x, floats upper_y)
{
    graze_aabb boxes[GRZ_WIDTH];
    store_boxes(boxes, lower_x, lower_y, upper_x, upper_y);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[index[k]] = boxes[k];
    }
}

static inline void split_points(const graze_vec2 *from, floats *even, floats *odd)
{
    const floats first = load_floats(&from[0].x), second = load_floats(&from[2].x);
    *even = low_halves(first, second);
    *odd = high_halves(first, second);
}

static inline floats load_half(const float *from)
{
    const float four[GRZ_WIDTH] = {from[0], from[1], 0, 0};
    return load_floats(four);
}

static inline floats_mask overlap_fours(floats a, floats b)
{
    return at_most_floats(low_halves(a, b), high_halves(b, a));
}

#endif
