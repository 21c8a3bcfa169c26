/// @file decide_lanes.h
/// Shared by the loops of Decide: loading pairs into lanes, and storing touches in lists. Included
/// by decide_wide.h alone.

#include <graze/sweep_turn.h>

#define GRZ_BLOCK_VECTORS 1

#include "bits.h"
#include "discs_wide.h"
#include "likely.h"
#include "min_max.h"
#include "step/decide.h"
#include "sweep_mixed_wide.h"
#include "sweep_rects_wide.h"
#include "world/rows.h"

#include <float.h>
#include <string.h>

/// The motion of a's centre relative to b's, and b's own.
typedef struct motion_lanes {
    relative_motions a;
    vectors b, b_delta;
} motion_lanes;

static inline vectors load_vectors(const graze_vec2 *points, const uint32_t *places)
{
    vectors v;
    gather_points(points, places, &v.x, &v.y);
    return v;
}

static inline numbers gather_radii(const grz_rows *rows, const uint32_t *row)
{
    return load_vectors(rows->half, row).x;
}

static inline motion_lanes load_motions(const grz_rows *rows, const uint32_t *a, const uint32_t *b)
{
    motion_lanes motion;
    const vectors from = load_vectors(rows->position, a);
    motion.b = load_vectors(rows->position, b);
    const vectors to = load_vectors(rows->end, a), b_to = load_vectors(rows->end, b);
    motion.a.start = sub_vectors(from, motion.b);
    motion.a.delta = sub_vectors(sub_vectors(to, b_to), motion.a.start);
    motion.b_delta = sub_vectors(b_to, motion.b);
    return motion;
}

// Where the sweep's point is in the world.
static inline vectors place_touches(const motion_lanes *motion, const sweeps *touch)
{
    return add_vectors(place_at(motion->b, motion->b_delta, touch->time), touch->point);
}

// Rounded, and zeros without a sign.
static inline floats round_doubles(doubles low, doubles high)
{
    return add_floats(narrow_doubles(low, high), fill_floats(0));
}

// Reported values are clamped to the range of float.
static inline floats limit_floats(floats a)
{
    return min_floats(max_floats(a, fill_floats(-FLT_MAX)), fill_floats(FLT_MAX));
}

// As grz_reported_approach has it, before it is rounded.
static inline doubles report_approach(doubles approach, double steps_per_second)
{
    return max_doubles(mul_doubles(approach, fill_doubles(steps_per_second)), fill_doubles(0));
}

/// Touches as reported, two numbers each.
typedef struct rounded_touches {
    floats approach_and_depth, point, normal;
} rounded_touches;

static inline rounded_touches round_touches(const sweeps *touch, double steps_per_second)
{
    const doubles approach = report_approach(touch->approach, steps_per_second);
    const rounded_touches to = {limit_floats(round_doubles(approach, touch->depth)),
                                limit_floats(round_doubles(touch->point.x, touch->point.y)),
                                round_doubles(touch->normal.x, touch->normal.y)};
    return to;
}

/// Some pairs from a place on.
typedef struct next_pairs {
    const uint32_t *a, *b; ///< Rows.
    const uint64_t *ranks;
} next_pairs;

static inline next_pairs pairs_from(const grz_ranked_pairs *pairs, uint32_t first)
{
    const next_pairs next = {pairs->a + first, pairs->b + first, pairs->ranks + first};
    return next;
}

// Adds the lanes whose bits are set; the sink has room for all.
GRZ_IN_PLACE void put_hits(const grz_rows *rows, next_pairs pairs, const sweeps *touch,
                           uint32_t bits, grz_hit_sink *sink)
{
    const ints generations = gather_halves(rows->generation, pairs.a, pairs.b);
    const doubles time_or_depth = sub_doubles(touch->time, touch->depth);
    const doubles approach = report_approach(touch->approach, sink->steps_per_second);
    const floats time_and_x = limit_floats(round_doubles(time_or_depth, touch->point.x));
    const floats y_and_normal_x = limit_floats(round_doubles(touch->point.y, touch->normal.x));
    const floats normal_y_and_approach = limit_floats(round_doubles(touch->normal.y, approach));
    pack_octets(&sink->hits[sink->count], bits, generations, time_and_x, y_and_normal_x,
                normal_y_and_approach);
    pack_longs(&sink->ranks[sink->count], bits, pairs.ranks);
    sink->count += count_bits(bits);
}

// Bits of lanes that have pairs, of which `rest` are left.
static inline uint32_t valid_lanes(uint32_t rest, uint32_t lanes)
{
    return (1u << min_u32(rest, lanes)) - 1;
}

// There may be fewer pairs than lanes: the others take any row.
static inline void pad_pairs(grz_ranked_pairs *pairs)
{
    const ints none = fill_ints(0);
    store_ints(pairs->a + pairs->count, none);
    store_ints(pairs->b + pairs->count, none);
    store_ints(pairs->traits + pairs->count, none);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        pairs->ranks[pairs->count + k] = 0;
    }
}

// Appends those of the next GRZ_WIDTH pairs whose bits are set to the first `count`, without their
// ranks and traits, and returns the new count. Both lists may be the same: only pairs already read
// are overwritten.
static inline uint32_t keep_rows(const grz_ranked_pairs *from, uint32_t first, uint32_t bits,
                                 grz_ranked_pairs *ranked, uint32_t count)
{
    pack_ints(ranked->a + count, bits, load_ints(from->a + first));
    pack_ints(ranked->b + count, bits, load_ints(from->b + first));
    return count + count_bits(bits);
}

// The same with their ranks.
static inline uint32_t keep_pairs(const grz_ranked_pairs *from, uint32_t first, uint32_t bits,
                                  grz_ranked_pairs *ranked, uint32_t count)
{
    const uint32_t low = bits & ((1u << GRZ_WIDTH_D) - 1), high = bits >> GRZ_WIDTH_D;
    const uint32_t low_count = count_bits(low);
    pack_longs(ranked->ranks + count, low, from->ranks + first);
    pack_longs(ranked->ranks + count + low_count, high, from->ranks + first + GRZ_WIDTH_D);
    return keep_rows(from, first, bits, ranked, count);
}

// Adds the lanes from `first` on whose bits are set: hardly any.
static inline void leave_over(const grz_ranked_pairs *pairs, uint32_t first, uint32_t bits,
                              grz_ranked_pairs *left_over)
{
    if (bits) {
        left_over->count = keep_pairs(pairs, first, bits, left_over, left_over->count);
    }
}

static inline frames load_frames(const grz_rows *rows, const uint32_t *row)
{
    const frames of = {load_vectors(rows->half, row),
                       load_vectors(grz_as_points(rows->rotation), row)};
    return of;
}

// --- Bodies that turn: see sweep_part in pair_sweep.c ---

// How far bodies of these half extents go by turning, at most: as turner_of in sweep_turn.c.
static inline numbers arcs_of(const grz_rows *rows, const uint32_t *row, vectors half)
{
    double turns[GRZ_WIDTH_D];
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        turns[lane] = (double)rows->turn[row[lane]];
    }
    const doubles reach =
        mul_doubles(sqrt_doubles(dot_vectors(half, half)), fill_doubles(GRAZE_TURN_MARGIN));
    return mul_doubles(absolute_doubles(load_doubles(turns)), reach);
}

/// What is known of lanes whose bodies may turn.
typedef struct turning_lanes {
    numbers arc;  ///< How far both go by turning; 0: neither turns.
    numbers size; ///< The smallest half extent of a rect.
} turning_lanes;

// Which of the lanes are to be decided as they turn: those that nearly miss, and those that touch
// after a long turn.
static inline uint32_t find_turning(const turning_lanes *turning, const sweeps *touch)
{
    const doubles zero = fill_doubles(0);
    const doubles_mask matters =
        less_doubles(turning->size, mul_doubles(turning->arc, touch->time));
    const doubles_mask stays = mask_but_not_d(touch->hit, matters);
    return mask_bits_d(
        mask_but_not_d(less_doubles(zero, turning->arc), mask_or_d(stays, touch->far)));
}

static inline void decide_turning(const grz_rows *rows, const grz_ranked_pairs *pairs,
                                  uint32_t first, uint32_t bits, grz_hit_sink *sink)
{
    for (; bits; bits &= bits - 1) {
        grz_decide_turning(rows, pairs, first + grz_lowest_bit(bits), sink);
    }
}
