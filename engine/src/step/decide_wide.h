/// @file decide_wide.h
/// The loops of the Decide phase over many pairs at a time: see lanes.h.
#ifndef GRZ_DECIDE_WIDE_H
#define GRZ_DECIDE_WIDE_H

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

// --- Pairs into lanes, touches into lists ---

/// The motion of a's centre relative to b's, and b's own.
typedef struct motion_lanes {
    relative_motions a;
    vectors b, b_delta;
} motion_lanes;

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
    floats depth_and_approach, point, normal;
} rounded_touches;

static inline rounded_touches round_touches(const sweeps *touch, double steps_per_second)
{
    const doubles approach = report_approach(touch->approach, steps_per_second);
    const rounded_touches to = {limit_floats(round_doubles(touch->depth, approach)),
                                limit_floats(round_doubles(touch->point.x, touch->point.y)),
                                round_doubles(touch->normal.x, touch->normal.y)};
    return to;
}

/// Some pairs from a place on.
typedef struct next_pairs {
    const uint32_t *a, *b; ///< Rows.
    const uint64_t *rays;  ///< Of plain rays alone.
} next_pairs;

static inline next_pairs pairs_from(const grz_ordered_pairs *pairs, uint32_t first)
{
    const next_pairs next = {pairs->a + first, pairs->b + first, pairs->rays + first};
    return next;
}

enum { CONTACT_WORDS = sizeof(grz_contact) / sizeof(float) };

_Static_assert(CONTACT_WORDS == 16 && offsetof(grz_contact, segment) == 4 * 4 &&
                   offsetof(grz_contact, time) == 7 * 4 && offsetof(grz_contact, point) == 8 * 4 &&
                   offsetof(grz_contact, depth) == 12 * 4 &&
                   offsetof(grz_contact, approach) == 13 * 4,
               "a contact is two records of eight words");

static inline floats load_ids(const grz_rows *rows, const uint32_t *row)
{
    return floats_of_bits(gather_halves(rows->index, rows->generation, row));
}

// Adds the lanes whose bits are set; the sink has room for all.
GRZ_IN_PLACE void put_contacts(const grz_rows *rows, next_pairs pairs, const sweeps *touch,
                               uint32_t bits, grz_contact_sink *sink)
{
    const rounded_touches rounded = round_touches(touch, sink->steps_per_second);
    const doubles zero = fill_doubles(0);
    grz_contact *to = &sink->contacts[sink->count];
    pack_octets(to, CONTACT_WORDS, bits, load_ids(rows, pairs.a), load_ids(rows, pairs.b),
                fill_floats(0), round_doubles(zero, touch->time));
    pack_octets(&to->point, CONTACT_WORDS, bits, rounded.point, rounded.normal,
                rounded.depth_and_approach, fill_floats(0));
    sink->count += count_bits(bits);
}

// Bits of lanes that have pairs, of which `rest` are left.
static inline uint32_t valid_lanes(uint32_t rest, uint32_t lanes)
{
    return (1u << min_u32(rest, lanes)) - 1;
}

// There may be fewer pairs than lanes: the others take any row.
static inline void pad_pairs(grz_ordered_pairs *pairs)
{
    const ints none = fill_ints(0);
    store_ints(pairs->a + pairs->count, none);
    store_ints(pairs->b + pairs->count, none);
    store_ints(pairs->traits + pairs->count, none);
}

// Appends those of the next GRZ_WIDTH pairs whose bits are set to the first `count`, without their
// traits, and returns the new count. Both lists may be the same: only pairs already read are
// overwritten.
static inline uint32_t keep_pairs(const grz_ordered_pairs *from, uint32_t first, uint32_t bits,
                                  grz_ordered_pairs *ordered, uint32_t count)
{
    pack_ints(ordered->a + count, bits, load_ints(from->a + first));
    pack_ints(ordered->b + count, bits, load_ints(from->b + first));
    return count + count_bits(bits);
}

// Adds the lanes from `first` on whose bits are set: hardly any.
static inline void leave_over(const grz_ordered_pairs *pairs, uint32_t first, uint32_t bits,
                              grz_ordered_pairs *left_over)
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

static inline void decide_turning(const grz_rows *rows, const grz_ordered_pairs *pairs,
                                  uint32_t first, uint32_t bits, grz_contact_sink *sink)
{
    for (; bits; bits &= bits - 1) {
        grz_decide_turning(rows, pairs, first + grz_lowest_bit(bits), sink);
    }
}

// --- Which is a ---
//
// Chooses which body of a pair is a, many at a time.

// As grz_order_pair does.
static inline void order_lanes(const grz_rows *rows, const graze_pair *pairs, bool with_traits,
                               grz_ordered_pairs *ordered)
{
    ints row_a, row_b;
    load_pairs(&pairs->a, &row_a, &row_b);
    const ints index_a = gather_ints(rows->index, &pairs->a, 2);
    const ints index_b = gather_ints(rows->index, &pairs->b, 2);
    const floats_mask turned = less_ints(index_b, index_a);
    if (with_traits) {
        const ints of_a = gather_ints(rows->traits, &pairs->a, 2);
        const ints of_b = gather_ints(rows->traits, &pairs->b, 2);
        const ints either = or_ints(of_a, of_b);
        const ints spins = and_ints(either, fill_ints(GRZ_TRAIT_SPINS));
        store_ints(ordered->traits + ordered->count,
                   or_ints(select_ints(turned, of_b, of_a), spins));
    }
    store_ints(ordered->a + ordered->count, select_ints(turned, row_b, row_a));
    store_ints(ordered->b + ordered->count, select_ints(turned, row_a, row_b));
    ordered->count += GRZ_WIDTH;
}

// HOT. bench: engine/step/gas
//
// Data    The pair and two indices read, 16 bytes, and if there are rects two rows' traits, 8; 8 or
//         12 written.
// Branch  None: which index is the smaller cannot be predicted.
static void order_pairs(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                        bool with_traits, grz_ordered_pairs *ordered)
{
    uint32_t k = 0;
    ordered->count = 0;
    for (; count - k >= GRZ_WIDTH; k += GRZ_WIDTH) {
        order_lanes(rows, pairs + k, with_traits, ordered);
    }
    for (; k < count; ++k) {
        grz_order_pair(rows, pairs[k], ordered);
    }
}

// --- Pairs of round bodies: circles and rays ---

// The sum of two radii, and b's part of it.
typedef struct reach_lanes {
    numbers reach, radius_b;
} reach_lanes;

static inline reach_lanes load_reaches(const grz_rows *rows, const uint32_t *a, const uint32_t *b)
{
    const numbers radius_b = gather_radii(rows, b);
    const reach_lanes reaches = {add_numbers(gather_radii(rows, a), radius_b), radius_b};
    return reaches;
}

// The same of a ray, whose radius is 0 and not read, and a disc.
static inline reach_lanes load_radii(const grz_rows *rows, const uint32_t *disc)
{
    const numbers radius = gather_radii(rows, disc);
    const reach_lanes reaches = {radius, radius};
    return reaches;
}

// The same of a plain ray and a disc, in either order: the ray's radius is 0, and not read.
static inline reach_lanes load_ray_reaches(const grz_rows *rows, next_pairs pairs)
{
    reach_lanes reaches;
    uint32_t discs[GRZ_WIDTH_D];
    double is_b[GRZ_WIDTH_D];
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        discs[lane] = (uint32_t)pairs.rays[lane];
        is_b[lane] = discs[lane] == pairs.b[lane];
    }
    reaches.reach = gather_radii(rows, discs);
    reaches.radius_b = mul_doubles(reaches.reach, load_doubles(is_b));
    return reaches;
}

// Discs at the start of the step: the data for those that touch there.
typedef struct start_lanes {
    vectors a, b; ///< a's centre relative to b's, and b's.
    numbers reach, radius_b;
    numbers distance, factor; ///< Of the centres, and -1 by that: see measure_starts.
} start_lanes;

static inline void measure_starts(start_lanes *start)
{
    start->distance = sqrt_numbers(dot_vectors(start->a, start->a));
    start->factor = div_numbers(fill_numbers(-1), start->distance);
}

static inline marks find_resting(const start_lanes *start)
{
    return at_most_numbers(dot_vectors(start->a, start->a), square_numbers(start->reach));
}

// Mirrors initial_overlap_with_disc in sweep_disc.h, for those that touch at the start. Does not
// fill in the approach.
static inline sweeps rest_discs(const start_lanes *start)
{
    const vectors normal = part_discs(start->a, start->distance, start->factor);
    const marks is_outside = less_numbers(start->radius_b, start->distance);
    const vectors rim = scale_vectors(normal, negate_numbers(start->radius_b));
    const sweeps touch = {
        .time = fill_numbers(0),
        .depth = sub_numbers(start->reach, start->distance),
        .normal = normal,
        .point = add_vectors(start->b, select_vectors(is_outside, rim, start->a)),
    };
    return touch;
}

static inline passages follow_motions(const motion_lanes *motion, numbers reach)
{
    return follow_points(motion->a.start, motion->a.delta, reach);
}

// Those that do not touch at the start.
static inline sweeps meet_discs(const motion_lanes *motion, const reach_lanes *reaches)
{
    const passages way = follow_motions(motion, reaches->reach);
    sweeps touch = enter_discs(&way, motion->a.delta, reaches->reach, reaches->radius_b);
    touch.point = place_touches(motion, &touch);
    return touch;
}

// Those that touch at the start, too: few blocks of rays have any.
static inline sweeps sweep_motions(const motion_lanes *motion, const reach_lanes *reaches)
{
    const passages way = follow_motions(motion, reaches->reach);
    if (mark_bits(way.touches) == 0) {
        return meet_discs(motion, reaches);
    }
    sweeps touch =
        cast_discs(&way, motion->a.start, motion->a.delta, reaches->reach, reaches->radius_b);
    touch.point = place_touches(motion, &touch);
    return touch;
}

// Starts of some pairs, by place: for each vector of lanes.
typedef struct start_columns {
    start_lanes of[(GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING) / GRZ_WIDTH_D];
    uint32_t resting[(GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING) / GRZ_WIDTH_D]; ///< Bits of lanes.
} start_columns;

static inline start_lanes gather_starts(const grz_rows *rows, next_pairs pairs)
{
    start_lanes start;
    start.b = load_vectors(rows->position, pairs.b);
    start.a = sub_vectors(load_vectors(rows->position, pairs.a), start.b);
    start.radius_b = gather_radii(rows, pairs.b);
    start.reach = add_numbers(gather_radii(rows, pairs.a), start.radius_b);
    measure_starts(&start);
    return start;
}

// Lanes past the last pair take any row.
static inline void find_starts(const grz_rows *rows, const grz_ordered_pairs *pairs,
                               start_columns *columns)
{
    uint32_t first = 0;
    for (; first < pairs->count; first += GRZ_WIDTH_D) {
        const start_lanes starts = gather_starts(rows, pairs_from(pairs, first));
        columns->resting[first / GRZ_WIDTH_D] = mark_bits(find_resting(&starts));
        columns->of[first / GRZ_WIDTH_D] = starts;
    }
    columns->resting[first / GRZ_WIDTH_D] = 0;
}

// How fast two that touch at the start come together: their motions are as load_motions has them.
static inline numbers approach_from(const grz_rows *rows, next_pairs pairs,
                                    const start_lanes *start, vectors normal)
{
    const vectors a = load_vectors(rows->end, pairs.a), b = load_vectors(rows->end, pairs.b);
    return dot_vectors(sub_vectors(sub_vectors(a, b), start->a), normal);
}

static inline void put_resting(const grz_rows *rows, const grz_ordered_pairs *pairs,
                               const start_columns *starts, grz_contact_sink *sink)
{
    grz_contact_sink to = *sink;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const start_lanes start = starts->of[first / GRZ_WIDTH_D];
        sweeps touch = rest_discs(&start);
        touch.approach = approach_from(rows, next, &start, touch.normal);
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        const uint32_t resting = starts->resting[first / GRZ_WIDTH_D];
        put_contacts(rows, next, &touch, resting & valid, &to);
    }
    *sink = to;
}

static inline void keep_moving(grz_ordered_pairs *pairs, const start_columns *starts)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH) {
        const uint32_t *resting = &starts->resting[first / GRZ_WIDTH_D];
        const uint32_t moving = ~(resting[0] | resting[1] << GRZ_WIDTH_D);
        const uint32_t bits = moving & valid_lanes(pairs->count - first, GRZ_WIDTH);
        count = keep_pairs(pairs, first, bits, pairs, count);
    }
    pairs->count = count;
    pad_pairs(pairs);
}

// Bits of lanes: none has both.
typedef struct course_bits {
    uint32_t candidate, left_over;
} course_bits;

static inline course_bits look_at_half(const grz_rows *rows, next_pairs pairs, bool rays)
{
    const motion_lanes motion = load_motions(rows, pairs.a, pairs.b);
    const reach_lanes reaches =
        rays ? load_radii(rows, pairs.b) : load_reaches(rows, pairs.a, pairs.b);
    const passages way = follow_motions(&motion, reaches.reach);
    const course_bits bits = {
        .candidate = mark_bits(or_marks(way.touches, way.enters)),
        .left_over = mark_bits(but_not_marks(way.rare, way.touches)),
    };
    return bits;
}

// For the GRZ_WIDTH pairs from `first` on; with `rays` all are of plain rays, a, and discs, b.
static inline course_bits look_at_courses(const grz_rows *rows, const grz_ordered_pairs *pairs,
                                          uint32_t first, bool rays)
{
    const course_bits low = look_at_half(rows, pairs_from(pairs, first), rays);
    const course_bits high = look_at_half(rows, pairs_from(pairs, first + GRZ_WIDTH_D), rays);
    const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH);
    const course_bits all = {
        .candidate = (low.candidate | high.candidate << GRZ_WIDTH_D) & valid,
        .left_over = (low.left_over | high.left_over << GRZ_WIDTH_D) & valid,
    };
    return all;
}

static inline void keep_entering(const grz_rows *rows, grz_ordered_pairs *pairs,
                                 grz_ordered_pairs *left_over)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH) {
        const course_bits bits = look_at_courses(rows, pairs, first, false);
        leave_over(pairs, first, bits.left_over, left_over);
        count = keep_pairs(pairs, first, bits.candidate, pairs, count);
    }
    pairs->count = count;
    pad_pairs(pairs);
}

static inline void put_entering(const grz_rows *rows, const grz_ordered_pairs *pairs,
                                grz_contact_sink *sink)
{
    grz_contact_sink to = *sink;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const motion_lanes motion = load_motions(rows, next.a, next.b);
        const reach_lanes reaches = load_reaches(rows, next.a, next.b);
        const sweeps touch = meet_discs(&motion, &reaches);
        const uint32_t hits = mark_bits(touch.hit);
        put_contacts(rows, next, &touch, hits & valid_lanes(pairs->count - first, GRZ_WIDTH_D),
                     &to);
    }
    *sink = to;
}

// HOT. bench: engine/step/gas
//
// Data    Position and half extents of two rows, 32 bytes, and their ends, 16; for those that do
//         not touch at the start all of that once more, 48, and again for those that enter; for all
//         that may touch the ids, 16; 64 written a contact.
// Branch  None but for what is left over, which is next to nothing. Of the pairs of a gas two
//         thirds touch at the start, and most others miss: so at first it is only computed which
//         do which. What takes long, a root and a quotient, is begun in one loop and used in the
//         next, so that nothing waits for it. One loop that begins them for the next lanes, and
//         keeps all in registers, takes AVX2 and SSE2 a tenth longer, and AVX-512 no less time.
// Order   Of some hundred pairs first those that touch at the start: nothing depends on it.
static void decide_round(const grz_rows *rows, grz_ordered_pairs *pairs, grz_contact_sink *sink,
                         grz_ordered_pairs *left_over)
{
    start_columns starts;
    pad_pairs(pairs);
    find_starts(rows, pairs, &starts);
    put_resting(rows, pairs, &starts, sink);
    keep_moving(pairs, &starts);
    keep_entering(rows, pairs, left_over);
    put_entering(rows, pairs, sink);
}

// --- Pairs of a round body and a rect ---

// Pairs relative to the rect, and the data to convert back.
typedef struct parted_pairs {
    uint32_t disc[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< Rows.
    uint32_t rect[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    double sign[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< -1 if the rect is a, else 1.
} parted_pairs;

// Simple enough for compilers to vectorize.
static inline void part_mixed(const grz_ordered_pairs *pairs, parted_pairs *to)
{
    const uint32_t padded = pairs->count + GRZ_WIDTH_D;
    for (uint32_t i = 0; i < padded; ++i) {
        const uint32_t a_is_rect = 0 - (pairs->traits[i] & GRAZE_SHAPE_RECT);
        const uint32_t apart = (pairs->a[i] ^ pairs->b[i]) & a_is_rect;
        to->disc[i] = pairs->a[i] ^ apart;
        to->rect[i] = pairs->b[i] ^ apart;
        to->sign[i] = (double)(int32_t)(a_is_rect | 1);
    }
}

// Sweeps discs against rects, and converts to absolute coordinates.
static inline sweeps touch_mixed(const grz_rows *rows, const motion_lanes *motion,
                                 const parted_pairs *pairs, uint32_t first, turning_lanes *turning)
{
    mixed_pairs seen;
    const uint32_t *rects_from = pairs->rect + first;
    const numbers sign = load_doubles(pairs->sign + first);
    seen.start = scale_vectors(motion->a.start, sign);
    seen.delta = scale_vectors(motion->a.delta, sign);
    seen.radius = gather_radii(rows, pairs->disc + first);
    seen.rect = load_frames(rows, rects_from);
    seen.arc = arcs_of(rows, rects_from, seen.rect.half);
    turning->arc = seen.arc;
    turning->size = min_numbers(seen.rect.half.x, seen.rect.half.y);

    sweeps touch = sweep_mixed(&seen);
    const marks rect_is_a = less_numbers(sign, fill_numbers(0));
    const vectors a_at = place_at(motion->a.start, motion->a.delta, touch.time);
    const vectors from_b = add_vectors(touch.point, a_at);
    touch.point = select_vectors(rect_is_a, from_b, touch.point);
    touch.point = place_touches(motion, &touch);
    touch.normal = scale_vectors(touch.normal, sign);
    return touch;
}

// HOT. bench: engine/step/gas-mixed
//
// Data    Position, end, half extents and id of two rows, 64 bytes, and the rect's
//         rotation; 64 written a contact.
// Branch  None except for pairs left over, and those that may touch as they turn: few of both.
static void decide_mixed(const grz_rows *rows, grz_ordered_pairs *pairs, grz_contact_sink *sink,
                         grz_ordered_pairs *left_over)
{
    parted_pairs parted;
    pad_pairs(pairs);
    part_mixed(pairs, &parted);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        const motion_lanes motion = load_motions(rows, pairs->a + first, pairs->b + first);
        turning_lanes turning;
        const sweeps touch = touch_mixed(rows, &motion, &parted, first, &turning);
        const uint32_t left = mask_bits_d(touch.rare) & valid;
        const uint32_t turned = find_turning(&turning, &touch) & valid & ~left;
        const uint32_t hits = mask_bits_d(touch.hit) & valid & ~turned;
        put_contacts(rows, pairs_from(pairs, first), &touch, hits, sink);
        decide_turning(rows, pairs, first, turned, sink);
        leave_over(pairs, first, left, left_over);
    }
}

// --- Pairs of a plain ray and a round body ---

// Keeps pairs that may touch, which does not depend on which of the two is a.
static inline void keep_rays(const grz_rows *rows, grz_ordered_pairs *pairs,
                             grz_ordered_pairs *left_over)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH) {
        const course_bits bits = look_at_courses(rows, pairs, first, true);
        if (bits.left_over) {
            left_over->count =
                keep_pairs(pairs, first, bits.left_over, left_over, left_over->count);
        }
        count = keep_pairs(pairs, first, bits.candidate, pairs, count);
    }
    pairs->count = count;
    grz_order_rays(rows, pairs);
    pad_pairs(pairs);
    memset(pairs->rays + pairs->count, 0, GRZ_WIDTH * sizeof *pairs->rays);
    grz_order_rays(rows, left_over);
}

// Stores every lane, but advances only past those that touch: no branch.
static inline void put_touches(const sweeps *touch, const uint64_t *rays, uint32_t kept,
                               grz_touch_sink *sink)
{
    const rounded_touches rounded = round_touches(touch, sink->steps_per_second);
    const uint32_t comes_in = mask_bits_d(less_doubles(fill_doubles(0), touch->approach));
    float octets[8 * GRZ_WIDTH_D];
    double times[GRZ_WIDTH_D];
    store_octets(octets, rounded.depth_and_approach, rounded.depth_and_approach, rounded.point,
                 rounded.normal);
    store_doubles(times, touch->time);
    uint32_t count = sink->count;
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        grz_ray_touch *to = &sink->touches[count];
        memcpy(to, octets + 8 * lane, 8 * sizeof *octets);
        to->ray = (uint32_t)(rays[lane] >> 32);
        to->other = (uint32_t)rays[lane];
        to->comes_in = comes_in >> lane & 1;
        to->time = times[lane];
        count += kept >> lane & 1;
    }
    sink->count = count;
}

static inline void put_rays(const grz_rows *rows, const grz_ordered_pairs *pairs,
                            grz_touch_sink *sink)
{
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const motion_lanes motion = load_motions(rows, next.a, next.b);
        const reach_lanes reaches = load_ray_reaches(rows, next);
        const sweeps touch = sweep_motions(&motion, &reaches);
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        put_touches(&touch, next.rays, mask_bits_d(touch.hit) & valid, sink);
    }
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    Position and end of two rows and half extents of one, 40 bytes; for pairs that may touch
//         the same again, with two indices; 48 written a touch.
// Branch  None except for pairs left over, which are very few. Most miss: first only those that do
//         not are found.
// Order   That of the pairs; nothing depends on it.
static void decide_rays(const grz_rows *rows, grz_ordered_pairs *pairs, grz_touch_sink *sink,
                        grz_ordered_pairs *left_over)
{
    pad_pairs(pairs);
    keep_rays(rows, pairs, left_over);
    put_rays(rows, pairs, sink);
}

// --- Pairs of rects ---

// Finds the touches of rects, and what is needed of those that turn.
static inline sweeps touch_rects(const grz_rows *rows, const uint32_t *a, const uint32_t *b,
                                 turning_lanes *turning)
{
    const motion_lanes motion = load_motions(rows, a, b);
    const frames frame_a = load_frames(rows, a), frame_b = load_frames(rows, b);
    turning->arc = add_numbers(arcs_of(rows, a, frame_a.half), arcs_of(rows, b, frame_b.half));
    turning->size = min_numbers(min_numbers(frame_a.half.x, frame_a.half.y),
                                min_numbers(frame_b.half.x, frame_b.half.y));
    sweeps touch = sweep_rects(frame_a, frame_b, &motion.a, turning->arc);
    touch.point = place_touches(&motion, &touch);
    return touch;
}

// HOT. bench: engine/step/gas-mixed
//
// Data    Position, end, half extents, rotation and id of two rows, 80 bytes; 64 written a
//         contact.
// Branch  None: all four axes are tested, and a point is computed for all; except for those that
//         may touch as they turn, which are very few.
static void decide_angular(const grz_rows *rows, grz_ordered_pairs *pairs, grz_contact_sink *sink,
                           grz_ordered_pairs *left_over)
{
    (void)left_over;
    pad_pairs(pairs);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t *a = pairs->a + first, *b = pairs->b + first;
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        turning_lanes turning;
        const sweeps touch = touch_rects(rows, a, b, &turning);
        const uint32_t turned = find_turning(&turning, &touch) & valid;
        const uint32_t hits = mask_bits_d(touch.hit) & valid & ~turned;
        put_contacts(rows, pairs_from(pairs, first), &touch, hits, sink);
        decide_turning(rows, pairs, first, turned, sink);
    }
}

const grz_decide_loops GRZ_WIDE(grz_decide_loops) = {
    order_pairs, {decide_round, decide_mixed, decide_angular}, decide_rays};

#endif
