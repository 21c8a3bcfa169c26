/// @file lanes_check.h
/// Every operation of lanes.h in every set, beside plain C.
///
/// Each operation is a line of LANES_CHECKS, and has two functions of that name: one in
/// lanes_check_wide.h, compiled for each set, by the operation; one in lanes_check.c by the
/// expression that lanes.h gives for it. Both read a lanes_given and write a lanes_made.
#ifndef GRAZE_TESTS_LANES_CHECK_H
#define GRAZE_TESTS_LANES_CHECK_H

#include <graze/aabb.h>

#include "lanes_choice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LANES_MAX = 16, ///< Floats, in any set.
    LANES_POINTS = 64,
    LANES_STRIDE = 5 ///< Floats from row to row.
};

/// What an operation works on. Nothing is aligned to more than its elements are.
typedef struct lanes_given {
    double d[4][LANES_MAX + 1];
    double whole[LANES_MAX + 1]; ///< Can be truncated to an int.
    float pad, f[4][LANES_MAX + 1];
    uint32_t i[2][LANES_MAX + 1];
    uint32_t shift;
    graze_vec2 points[LANES_POINTS];
    uint32_t places[2 * LANES_MAX + 1]; ///< Of points.
    uint32_t wholes[LANES_POINTS], more[LANES_POINTS];
} lanes_given;

/// What it makes; what it does not make stays as it was.
typedef struct lanes_made {
    double d[4][LANES_MAX + 1];
    float pad, f[4][LANES_MAX + 1];
    uint32_t i[LANES_MAX + 1];
    uint32_t bits;
    graze_vec2 points[LANES_MAX + 1];
    graze_aabb boxes[LANES_MAX + 1];
    float rows[LANES_STRIDE * LANES_MAX];
    float sixes[6 * LANES_MAX + 1], nines[9 * LANES_MAX + 1];
    float octets[LANES_MAX + 1][4]; ///< Eight floats for each two.
    bool fours[LANES_MAX + 1];
    uint32_t wholes[2][LANES_MAX + 1];
} lanes_made;

#define LANES_CHECKS(DO)                                                                           \
    DO(copy_floats)                                                                                \
    DO(load_half)                                                                                  \
    DO(fill_floats)                                                                                \
    DO(add_floats)                                                                                 \
    DO(sub_floats)                                                                                 \
    DO(mul_floats)                                                                                 \
    DO(div_floats)                                                                                 \
    DO(min_floats)                                                                                 \
    DO(max_floats)                                                                                 \
    DO(less_floats)                                                                                \
    DO(at_most_floats)                                                                             \
    DO(select_floats)                                                                              \
    DO(copy_doubles)                                                                               \
    DO(fill_doubles)                                                                               \
    DO(add_doubles)                                                                                \
    DO(sub_doubles)                                                                                \
    DO(mul_doubles)                                                                                \
    DO(div_doubles)                                                                                \
    DO(sqrt_doubles)                                                                               \
    DO(min_doubles)                                                                                \
    DO(max_doubles)                                                                                \
    DO(less_doubles)                                                                               \
    DO(at_most_doubles)                                                                            \
    DO(select_doubles)                                                                             \
    DO(copy_ints)                                                                                  \
    DO(fill_ints)                                                                                  \
    DO(add_ints)                                                                                   \
    DO(sub_ints)                                                                                   \
    DO(and_ints)                                                                                   \
    DO(or_ints)                                                                                    \
    DO(shift_left)                                                                                 \
    DO(shift_right)                                                                                \
    DO(mul_ints)                                                                                   \
    DO(read_ints)                                                                                  \
    DO(write_ints)                                                                                 \
    DO(mask_and)                                                                                   \
    DO(mask_or)                                                                                    \
    DO(mask_and_d)                                                                                 \
    DO(mask_or_d)                                                                                  \
    DO(mask_but_not_d)                                                                             \
    DO(widen_low)                                                                                  \
    DO(widen_high)                                                                                 \
    DO(narrow_doubles)                                                                             \
    DO(truncate_doubles)                                                                           \
    DO(floor_doubles)                                                                              \
    DO(equal_ints)                                                                                 \
    DO(less_ints)                                                                                  \
    DO(pack_ints)                                                                                  \
    DO(store_places)                                                                               \
    DO(load_points)                                                                                \
    DO(store_points)                                                                               \
    DO(load_boxes)                                                                                 \
    DO(gather_boxes)                                                                               \
    DO(store_boxes)                                                                                \
    DO(scatter_boxes)                                                                              \
    DO(split_points)                                                                               \
    DO(gather_points)                                                                              \
    DO(gather_vectors)                                                                             \
    DO(negate_doubles)                                                                             \
    DO(absolute_doubles)                                                                           \
    DO(load_rows)                                                                                  \
    DO(load_rows_of_2)                                                                             \
    DO(load_rows_of_3)                                                                             \
    DO(load_rows_of_4)                                                                             \
    DO(store_rows)                                                                                 \
    DO(store_sixes)                                                                                \
    DO(store_nines)                                                                                \
    DO(low_halves)                                                                                 \
    DO(high_halves)                                                                                \
    DO(overlap_fours)                                                                              \
    DO(store_octets)                                                                               \
    DO(store_fours)                                                                                \
    DO(gather_ints)                                                                                \
    DO(gather_halves)                                                                              \
    DO(load_pairs)                                                                                 \
    DO(load_threes)                                                                                \
    DO(pack_octets)

/// Works one operation out.
typedef void lanes_run(const lanes_given *given, lanes_made *made);

#define LANES_COUNT_ONE(name) +1
enum { LANES_CHECK_COUNT = 0 LANES_CHECKS(LANES_COUNT_ONE) };
#undef LANES_COUNT_ONE

/// The operations of one set.
typedef struct lanes_table {
    uint32_t width, width_d;
    lanes_run *run[LANES_CHECK_COUNT];
} lanes_table;

GRZ_DECLARE_WIDE(lanes_table, lanes_check);

/// Tries all operations of a set, which the machine must have, on `rounds` draws of random and of
/// hard numbers. Returns null, or the name of the first one that made something else than plain C
/// does; `round` then says in which draw.
const char *lanes_check_set(grz_lane_set set, uint32_t rounds, uint32_t *round);

#endif
