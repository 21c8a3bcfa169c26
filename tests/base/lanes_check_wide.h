/// @file lanes_check_wide.h
/// The operations of lanes.h, each on a lanes_given. See lanes_check.h.
#ifndef GRAZE_TESTS_LANES_CHECK_WIDE_H
#define GRAZE_TESTS_LANES_CHECK_WIDE_H

#include "lanes_check.h"

#include <string.h>

#define RUN(name) static void run_##name(const lanes_given *given, lanes_made *made)

static floats floats_of(const lanes_given *given, uint32_t which)
{
    return load_floats(given->f[which]);
}

static doubles doubles_of(const lanes_given *given, uint32_t which)
{
    return load_doubles(given->d[which]);
}

static ints ints_of(const lanes_given *given, uint32_t which)
{
    return load_ints(given->i[which]);
}

// Masks of two kinds: of a[k] < b[k], and of c[k] <= d[k].
static floats_mask first_mask(const lanes_given *given)
{
    return less_floats(floats_of(given, 0), floats_of(given, 1));
}

static floats_mask second_mask(const lanes_given *given)
{
    return at_most_floats(floats_of(given, 2), floats_of(given, 3));
}

static doubles_mask first_mask_d(const lanes_given *given)
{
    return less_doubles(doubles_of(given, 0), doubles_of(given, 1));
}

static doubles_mask second_mask_d(const lanes_given *given)
{
    return at_most_doubles(doubles_of(given, 2), doubles_of(given, 3));
}

#define RUN_TWO(kind, letter, name)                                                                \
    RUN(name##_##kind)                                                                             \
    {                                                                                              \
        const kind a = kind##_of(given, 0), b = kind##_of(given, 1);                               \
        store_##kind(made->letter[0], name##_##kind(a, b));                                        \
    }

#define RUN_REALS(kind, letter)                                                                    \
    RUN(copy_##kind)                                                                               \
    {                                                                                              \
        store_##kind(made->letter[0], kind##_of(given, 0));                                        \
    }                                                                                              \
    RUN(fill_##kind)                                                                               \
    {                                                                                              \
        store_##kind(made->letter[0], fill_##kind(given->letter[0][0]));                           \
    }                                                                                              \
    RUN_TWO(kind, letter, add)                                                                     \
    RUN_TWO(kind, letter, sub)                                                                     \
    RUN_TWO(kind, letter, mul)                                                                     \
    RUN_TWO(kind, letter, div)                                                                     \
    RUN_TWO(kind, letter, min)                                                                     \
    RUN_TWO(kind, letter, max)

RUN_REALS(floats, f)
RUN_REALS(doubles, d)

RUN(sqrt_doubles)
{
    store_doubles(made->d[0], sqrt_doubles(doubles_of(given, 0)));
}

RUN(load_half)
{
    store_floats(made->f[0], load_half(given->f[0]));
}

RUN(less_floats)
{
    made->bits = mask_bits(first_mask(given));
}

RUN(at_most_floats)
{
    made->bits = mask_bits(second_mask(given));
}

RUN(select_floats)
{
    const floats a = floats_of(given, 2), b = floats_of(given, 3);
    store_floats(made->f[0], select_floats(first_mask(given), a, b));
}

RUN(less_doubles)
{
    made->bits = mask_bits_d(first_mask_d(given));
}

RUN(at_most_doubles)
{
    made->bits = mask_bits_d(second_mask_d(given));
}

RUN(select_doubles)
{
    const doubles a = doubles_of(given, 2), b = doubles_of(given, 3);
    store_doubles(made->d[0], select_doubles(first_mask_d(given), a, b));
}

RUN(copy_ints)
{
    store_ints(made->i, ints_of(given, 0));
}

RUN(fill_ints)
{
    store_ints(made->i, fill_ints(given->i[0][0]));
}

RUN(add_ints)
{
    store_ints(made->i, add_ints(ints_of(given, 0), ints_of(given, 1)));
}

RUN(sub_ints)
{
    store_ints(made->i, sub_ints(ints_of(given, 0), ints_of(given, 1)));
}

RUN(and_ints)
{
    store_ints(made->i, and_ints(ints_of(given, 0), ints_of(given, 1)));
}

RUN(or_ints)
{
    store_ints(made->i, or_ints(ints_of(given, 0), ints_of(given, 1)));
}

RUN(shift_left)
{
    store_ints(made->i, shift_left(ints_of(given, 0), given->shift));
}

RUN(shift_right)
{
    store_ints(made->i, shift_right(ints_of(given, 0), given->shift));
}

RUN(mul_ints)
{
    store_ints(made->i, mul_ints(ints_of(given, 0), ints_of(given, 1)));
}

RUN(read_ints)
{
    unsigned char bytes[sizeof given->i[0] + 1];
    memcpy(bytes + 1, given->i[0], sizeof given->i[0]);
    store_ints(made->i, read_ints(bytes + 1));
}

RUN(write_ints)
{
    unsigned char bytes[GRZ_WIDTH * sizeof(uint32_t) + 1];
    write_ints(bytes + 1, ints_of(given, 0));
    memcpy(made->i, bytes + 1, sizeof bytes - 1);
}

RUN(mask_and)
{
    made->bits = mask_bits(mask_and(first_mask(given), second_mask(given)));
}

RUN(mask_or)
{
    made->bits = mask_bits(mask_or(first_mask(given), second_mask(given)));
}

RUN(mask_and_d)
{
    made->bits = mask_bits_d(mask_and_d(first_mask_d(given), second_mask_d(given)));
}

RUN(mask_or_d)
{
    made->bits = mask_bits_d(mask_or_d(first_mask_d(given), second_mask_d(given)));
}

RUN(mask_but_not_d)
{
    made->bits = mask_bits_d(mask_but_not_d(first_mask_d(given), second_mask_d(given)));
}

RUN(widen_low)
{
    store_doubles(made->d[0], widen_low(floats_of(given, 0)));
}

RUN(widen_high)
{
    store_doubles(made->d[0], widen_high(floats_of(given, 0)));
}

RUN(narrow_doubles)
{
    store_floats(made->f[0], narrow_doubles(doubles_of(given, 0), doubles_of(given, 1)));
}

RUN(truncate_doubles)
{
    const doubles low = load_doubles(given->whole);
    const doubles high = load_doubles(given->whole + GRZ_WIDTH_D);
    store_ints(made->i, truncate_doubles(low, high));
}

// What truncates to the least int may lie below it.
RUN(floor_doubles)
{
    const doubles least = fill_doubles(-2147483648.0);
    const doubles low = max_doubles(load_doubles(given->whole), least);
    const doubles high = max_doubles(load_doubles(given->whole + GRZ_WIDTH_D), least);
    store_ints(made->i, floor_doubles(low, high));
}

RUN(equal_ints)
{
    const ints three = fill_ints(3);
    made->bits = mask_bits(
        equal_ints(and_ints(ints_of(given, 0), three), and_ints(ints_of(given, 1), three)));
}

RUN(less_ints)
{
    made->bits = mask_bits(less_ints(ints_of(given, 0), ints_of(given, 1)));
}

// Any bits that a mask of this many lanes can have.
static uint32_t some_bits(const lanes_given *given)
{
    return given->i[1][0] & ((UINT32_C(1) << GRZ_WIDTH) - 1);
}

RUN(pack_ints)
{
    uint32_t to[GRZ_WIDTH];
    pack_ints(to, some_bits(given), ints_of(given, 0));
    made->bits = count_bits(some_bits(given));
    for (uint32_t k = 0; k < made->bits; ++k) {
        made->i[k] = to[k];
    }
}

RUN(store_places)
{
    uint32_t to[2 * GRZ_WIDTH];
    made->bits = store_places(to, some_bits(given), given->i[1][1], given->i[1][2]);
    for (uint32_t k = 0; k < made->bits; ++k) {
        made->wholes[0][k] = to[2 * k];
        made->wholes[1][k] = to[2 * k + 1];
    }
}

RUN(load_points)
{
    floats x, y;
    load_points(given->points, &x, &y);
    store_floats(made->f[0], x);
    store_floats(made->f[1], y);
}

RUN(store_points)
{
    store_points(made->points, floats_of(given, 0), floats_of(given, 1));
}

RUN(load_boxes)
{
    graze_aabb from[GRZ_WIDTH];
    floats sides[4];
    memcpy(from, given->points, sizeof from);
    load_boxes(from, &sides[0], &sides[1], &sides[2], &sides[3]);
    for (uint32_t side = 0; side < 4; ++side) {
        store_floats(made->f[side], sides[side]);
    }
}

RUN(gather_boxes)
{
    graze_aabb from[LANES_POINTS / 2];
    uint32_t places[GRZ_WIDTH];
    floats sides[4];
    memcpy(from, given->points, sizeof from);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        places[k] = given->places[k] / 2 * 2;
    }
    gather_boxes((const float *)(const void *)from, 2, places, &sides[0], &sides[1], &sides[2],
                 &sides[3]);
    for (uint32_t side = 0; side < 4; ++side) {
        store_floats(made->f[side], sides[side]);
    }
}

RUN(store_boxes)
{
    store_boxes(made->boxes, floats_of(given, 0), floats_of(given, 1), floats_of(given, 2),
                floats_of(given, 3));
}

RUN(scatter_boxes)
{
    uint32_t places[GRZ_WIDTH];
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        places[k] = 2 * (GRZ_WIDTH - 1 - k);
    }
    scatter_boxes((float *)(void *)made->boxes, 2, places, floats_of(given, 0), floats_of(given, 1),
                  floats_of(given, 2), floats_of(given, 3));
}

RUN(split_points)
{
    floats even, odd;
    split_points(given->points, &even, &odd);
    store_floats(made->f[0], even);
    store_floats(made->f[1], odd);
}

RUN(gather_points)
{
    doubles x, y;
    gather_points(given->points, given->places, &x, &y);
    store_doubles(made->d[0], x);
    store_doubles(made->d[1], y);
}

RUN(gather_vectors)
{
    write_ints(made->points, gather_vectors(given->points, given->places));
}

RUN(negate_doubles)
{
    store_doubles(made->d[0], negate_doubles(doubles_of(given, 0)));
}

RUN(absolute_doubles)
{
    store_doubles(made->d[0], absolute_doubles(doubles_of(given, 0)));
}

RUN(load_rows)
{
    doubles columns[4];
    load_rows(given->f[0], LANES_STRIDE, columns);
    for (uint32_t column = 0; column < 4; ++column) {
        store_doubles(made->d[column], columns[column]);
    }
}

#define RUN_ROWS(stride)                                                                           \
    RUN(load_rows_of_##stride)                                                                     \
    {                                                                                              \
        doubles columns[4];                                                                        \
        load_rows(given->f[0], stride, columns);                                                   \
        for (uint32_t column = 0; column < 4; ++column) {                                          \
            store_doubles(made->d[column], columns[column]);                                       \
        }                                                                                          \
    }

RUN_ROWS(2)
RUN_ROWS(3)
RUN_ROWS(4)

RUN(store_rows)
{
    store_rows(made->rows, LANES_STRIDE, doubles_of(given, 0), doubles_of(given, 1),
               doubles_of(given, 2), doubles_of(given, 3));
}

RUN(store_sixes)
{
    store_sixes(made->sixes, first_mask_d(given), doubles_of(given, 0), doubles_of(given, 1),
                doubles_of(given, 2), doubles_of(given, 3), doubles_of(given, 0));
}

RUN(store_nines)
{
    store_nines(made->nines, first_mask_d(given), doubles_of(given, 0), doubles_of(given, 1),
                doubles_of(given, 2), doubles_of(given, 3), doubles_of(given, 0));
}

RUN(low_halves)
{
    store_floats(made->f[0], low_halves(floats_of(given, 0), floats_of(given, 1)));
}

RUN(high_halves)
{
    store_floats(made->f[0], high_halves(floats_of(given, 0), floats_of(given, 1)));
}

RUN(overlap_fours)
{
    made->bits = mask_bits(overlap_fours(floats_of(given, 0), floats_of(given, 1)));
}

RUN(store_octets)
{
    store_octets(made->octets[0], floats_of(given, 0), floats_of(given, 1), floats_of(given, 2),
                 floats_of(given, 3));
}

RUN(store_fours)
{
    const floats f[4] = {floats_of(given, 0), floats_of(given, 1), floats_of(given, 2),
                         floats_of(given, 3)};
    made->bits = store_fours(made->fours, less_floats(f[0], f[1]), at_most_floats(f[2], f[3]),
                             less_floats(f[1], f[2]), at_most_floats(f[3], f[3]));
}

RUN(gather_ints)
{
    store_ints(made->wholes[0], gather_ints(given->wholes, given->places, 1));
    store_ints(made->wholes[1], gather_ints(given->wholes, given->places, 2));
}

RUN(gather_halves)
{
    store_ints(made->i, gather_halves(given->wholes, given->more, given->places));
}

RUN(load_pairs)
{
    ints a, b;
    load_pairs(given->wholes, &a, &b);
    store_ints(made->wholes[0], a);
    store_ints(made->wholes[1], b);
}

RUN(load_threes)
{
    ints a, b, c;
    load_threes(given->wholes, &a, &b, &c);
    store_ints(made->i, a);
    store_ints(made->wholes[0], b);
    store_ints(made->wholes[1], c);
}

// Likewise, of half as many.
static uint32_t some_bits_d(const lanes_given *given)
{
    return given->i[1][0] & ((UINT32_C(1) << GRZ_WIDTH_D) - 1);
}

RUN(pack_octets)
{
    float to[GRZ_WIDTH_D][9];
    pack_octets(to, 9, some_bits_d(given), floats_of(given, 0), floats_of(given, 1),
                floats_of(given, 2), floats_of(given, 3));
    made->bits = count_bits(some_bits_d(given));
    for (uint32_t k = 0; k < made->bits; ++k) {
        memcpy(made->octets[2 * k], to[k], 2 * sizeof *made->octets);
    }
}

#define RUN_NAMED(name) run_##name,
const lanes_table GRZ_WIDE(lanes_check) = {GRZ_WIDTH, GRZ_WIDTH_D, {LANES_CHECKS(RUN_NAMED)}};
#undef RUN_NAMED

#endif
