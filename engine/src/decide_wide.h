/// @file decide_wide.h
/// The loops of the Decide phase over many pairs at a time: see lanes.h.

#include "decide.h"
#include "rows.h"

#include <float.h>
#include <string.h>

/// As many pairs of discs as there are lanes, in relative motion.
typedef struct disc_lanes {
    doubles start_x, start_y, delta_x, delta_y;
    doubles b_x, b_y, b_delta_x, b_delta_y;
    doubles reach, radius_b;
} disc_lanes;

static inline disc_lanes load_discs(const grz_rows *rows, const uint32_t *a, const uint32_t *b)
{
    disc_lanes of;
    doubles a_x, a_y, finish_x, finish_y, b_end_x, b_end_y, radius_a, unused;
    gather_points(rows->position, a, &a_x, &a_y);
    gather_points(rows->position, b, &of.b_x, &of.b_y);
    gather_points(rows->end, a, &finish_x, &finish_y);
    gather_points(rows->end, b, &b_end_x, &b_end_y);
    gather_points(rows->half, a, &radius_a, &unused);
    gather_points(rows->half, b, &of.radius_b, &unused);
    of.start_x = sub_doubles(a_x, of.b_x);
    of.start_y = sub_doubles(a_y, of.b_y);
    of.delta_x = sub_doubles(sub_doubles(finish_x, b_end_x), of.start_x);
    of.delta_y = sub_doubles(sub_doubles(finish_y, b_end_y), of.start_y);
    of.b_delta_x = sub_doubles(b_end_x, of.b_x);
    of.b_delta_y = sub_doubles(b_end_y, of.b_y);
    of.reach = add_doubles(radius_a, of.radius_b);
    return of;
}

static inline doubles dot_doubles(doubles a_x, doubles a_y, doubles b_x, doubles b_y)
{
    return add_doubles(mul_doubles(a_x, b_x), mul_doubles(a_y, b_y));
}

/// What becomes of them.
typedef struct touch_lanes {
    doubles time, x, y, normal_x, normal_y, depth;
    doubles_mask hit, left_over;
} touch_lanes;

// Step by step what graze_sweep_circles does, with rest_on_circle for those that touch at the start
// and enter_disc for those that do not: they share the root and a quotient. What one lane computes
// for the other case comes to nothing, infinities and NaN included. All that goes in is finite, as
// Predict sees to, so that no sum of it can overflow a double.
static inline touch_lanes sweep_discs(const disc_lanes *of)
{
    touch_lanes to;
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles distance2 = dot_doubles(of->start_x, of->start_y, of->start_x, of->start_y);
    const doubles reach2 = mul_doubles(of->reach, of->reach);
    const doubles_mask rests = at_most_doubles(distance2, reach2);

    // Does it come near, and then near enough?
    const doubles leaving = dot_doubles(of->start_x, of->start_y, of->delta_x, of->delta_y);
    const doubles approach = negate_doubles(leaving);
    const doubles path = dot_doubles(of->delta_x, of->delta_y, of->delta_x, of->delta_y);
    const doubles side =
        sub_doubles(mul_doubles(of->start_x, of->delta_y), mul_doubles(of->start_y, of->delta_x));
    const doubles chord = sub_doubles(mul_doubles(reach2, path), mul_doubles(side, side));
    const doubles end_x = add_doubles(of->start_x, of->delta_x);
    const doubles end_y = add_doubles(of->start_y, of->delta_y);
    const doubles end2 = dot_doubles(end_x, end_y, end_x, end_y);
    const doubles_mask passes = less_doubles(chord, zero);
    const doubles_mask ends_before = mask_or_d(at_most_doubles(path, approach), passes);
    const doubles_mask nears = mask_but_not_d(less_doubles(zero, approach), rests);
    const doubles_mask enters =
        mask_but_not_d(nears, mask_and_d(ends_before, less_doubles(reach2, end2)));
    const doubles_mask point_like = at_most_doubles(of->reach, zero);
    to.left_over = mask_and_d(enters, mask_or_d(passes, point_like));

    const doubles root = root_doubles(select_doubles(rests, distance2, chord));
    const doubles time = div_doubles(sub_doubles(distance2, reach2), add_doubles(root, approach));
    to.time = select_doubles(rests, zero, lesser_doubles(time, one));
    to.depth = select_doubles(rests, sub_doubles(of->reach, root), zero);
    to.hit = mask_or_d(
        rests, mask_and_d(mask_but_not_d(enters, to.left_over), at_most_doubles(zero, time)));

    // The normal: along the start, or put together from root and side.
    const doubles inward_x =
        sub_doubles(mul_doubles(of->delta_x, root), mul_doubles(of->delta_y, side));
    const doubles inward_y =
        add_doubles(mul_doubles(of->delta_y, root), mul_doubles(of->delta_x, side));
    const doubles factor = div_doubles(select_doubles(rests, fill_doubles(-1), one),
                                       select_doubles(rests, root, mul_doubles(of->reach, path)));
    const doubles_mask same_centre = mask_and_d(rests, at_most_doubles(root, zero));
    const doubles along_x = select_doubles(rests, of->start_x, inward_x);
    const doubles along_y = select_doubles(rests, of->start_y, inward_y);
    to.normal_x = select_doubles(same_centre, one, mul_doubles(along_x, factor));
    to.normal_y = select_doubles(same_centre, zero, mul_doubles(along_y, factor));

    // The point: on b, or a's centre when b holds it.
    const doubles_mask inside = mask_and_d(rests, at_most_doubles(root, of->radius_b));
    const doubles inward = negate_doubles(of->radius_b);
    const doubles on_b_x = select_doubles(inside, of->start_x, mul_doubles(to.normal_x, inward));
    const doubles on_b_y = select_doubles(inside, of->start_y, mul_doubles(to.normal_y, inward));
    const doubles b_x = add_doubles(of->b_x, mul_doubles(of->b_delta_x, to.time));
    const doubles b_y = add_doubles(of->b_y, mul_doubles(of->b_delta_y, to.time));
    to.x = add_doubles(b_x, on_b_x);
    to.y = add_doubles(b_y, on_b_y);
    return to;
}

// What is reported is finite: beyond the range of float it is the end of the range.
static inline doubles limit_doubles(doubles a)
{
    return lesser_doubles(greater_doubles(a, fill_doubles(-(double)FLT_MAX)),
                          fill_doubles((double)FLT_MAX));
}

static inline floats round_doubles(doubles low, doubles high)
{
    return add_floats(narrow_doubles(low, high), fill_floats(0));
}

// Lays the touches out as hits, but for the generations.
static inline void lay_out_hits(float *octets, const touch_lanes *touch)
{
    const floats time = round_doubles(touch->time, limit_doubles(touch->depth));
    const floats point = round_doubles(limit_doubles(touch->x), limit_doubles(touch->y));
    const floats normal = round_doubles(touch->normal_x, touch->normal_y);
    store_octets(octets, time, time, point, normal);
}

// Stores every lane, but keeps only the hits by going on from there: no branch asks which.
static inline void put_hits(const grz_rows *rows, const grz_ranked_pairs *pairs, uint32_t first,
                            const float *octets, uint32_t kept, grz_hit_sink *sink)
{
    const uint32_t *generations = rows->generation;
    uint32_t count = sink->count;
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        memcpy(&sink->hits[count], octets + 8 * lane, sizeof *sink->hits);
        sink->hits[count].generation_a = generations[pairs->a[first + lane]];
        sink->hits[count].generation_b = generations[pairs->b[first + lane]];
        sink->ranks[count] = pairs->ranks[first + lane];
        count += kept >> lane & 1;
    }
    sink->count = count;
}

// The last lanes may be more than there are pairs: they take any row.
static inline void pad_pairs(grz_ranked_pairs *pairs)
{
    for (uint32_t pad = 0; pad < GRZ_WIDTH_D; ++pad) {
        pairs->a[pairs->count + pad] = 0;
        pairs->b[pairs->count + pad] = 0;
        pairs->traits[pairs->count + pad] = 0;
    }
}

static inline uint32_t valid_lanes(uint32_t rest)
{
    return rest < GRZ_WIDTH_D ? (1u << rest) - 1 : (1u << GRZ_WIDTH_D) - 1;
}

static inline uint32_t list_bits(uint32_t bits, uint32_t first, uint32_t *places)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; bits >> lane; ++lane) {
        if (bits >> lane & 1) {
            places[count++] = first + lane;
        }
    }
    return count;
}

/// As many pairs of a disc and a rect as there are lanes. Their motion is that of the disc as seen
/// from the rect.
typedef struct mixed_lanes {
    doubles start_x, start_y, delta_x, delta_y;
    doubles radius, half_x, half_y, cosine, sine;
} mixed_lanes;

/// What becomes of them, as seen from the rect: the point counts from its centre.
typedef struct mixed_touch_lanes {
    doubles time, x, y, normal_x, normal_y, depth;
    doubles_mask hit, left_over;
} mixed_touch_lanes;

static inline doubles_mask not_doubles(doubles_mask mask)
{
    return mask_but_not_d(at_most_doubles(fill_doubles(0), fill_doubles(0)), mask);
}

/// A vector in the axes of a quadrant: p is x or y, whichever side is reached last; q is the other.
typedef struct quadrant_lanes {
    doubles p_x, p_y, q_x, q_y; ///< The axes, in world coordinates.
    doubles start_p, start_q, delta_p, delta_q, half_p, half_q, gap_p;
    doubles excess_x, excess_y;
    doubles_mask misses, rests, by_side;
} quadrant_lanes;

// What graze_sweep_circle_rect does before it knows which part of the rect is met.
static inline quadrant_lanes look_at_rects(const mixed_lanes *of)
{
    quadrant_lanes to;
    const doubles zero = fill_doubles(0);
    const doubles v_x = negate_doubles(of->sine);
    const doubles local_x = dot_doubles(of->start_x, of->start_y, of->cosine, of->sine);
    const doubles local_y = dot_doubles(of->start_x, of->start_y, v_x, of->cosine);
    const doubles_mask left = less_doubles(local_x, zero), below = less_doubles(local_y, zero);
    const doubles x_x = select_doubles(left, negate_doubles(of->cosine), of->cosine);
    const doubles x_y = select_doubles(left, negate_doubles(of->sine), of->sine);
    const doubles y_x = select_doubles(below, negate_doubles(v_x), v_x);
    const doubles y_y = select_doubles(below, negate_doubles(of->cosine), of->cosine);
    const doubles start_x = select_doubles(left, negate_doubles(local_x), local_x);
    const doubles start_y = select_doubles(below, negate_doubles(local_y), local_y);
    const doubles delta_x = dot_doubles(of->delta_x, of->delta_y, x_x, x_y);
    const doubles delta_y = dot_doubles(of->delta_x, of->delta_y, y_x, y_y);
    to.excess_x = sub_doubles(start_x, of->half_x);
    to.excess_y = sub_doubles(start_y, of->half_y);
    const doubles gap_x = sub_doubles(to.excess_x, of->radius);
    const doubles gap_y = sub_doubles(to.excess_y, of->radius);
    to.misses = mask_or_d(less_doubles(greater_doubles(negate_doubles(delta_x), zero), gap_x),
                          less_doubles(greater_doubles(negate_doubles(delta_y), zero), gap_y));
    const doubles beyond_x = greater_doubles(to.excess_x, zero);
    const doubles beyond_y = greater_doubles(to.excess_y, zero);
    to.rests = at_most_doubles(dot_doubles(beyond_x, beyond_y, beyond_x, beyond_y),
                               mul_doubles(of->radius, of->radius));
    const doubles_mask beside = less_doubles(zero, gap_x), above = less_doubles(zero, gap_y);
    const doubles_mask y_is_last =
        mask_and_d(above, less_doubles(mul_doubles(gap_y, delta_x), mul_doubles(gap_x, delta_y)));
    const doubles_mask by_y =
        mask_but_not_d(mask_but_not_d(above, mask_but_not_d(beside, y_is_last)), to.rests);
    to.by_side = mask_but_not_d(mask_or_d(beside, above), to.rests);
    to.p_x = select_doubles(by_y, y_x, x_x);
    to.p_y = select_doubles(by_y, y_y, x_y);
    to.q_x = select_doubles(by_y, x_x, y_x);
    to.q_y = select_doubles(by_y, x_y, y_y);
    to.start_p = select_doubles(by_y, start_y, start_x);
    to.start_q = select_doubles(by_y, start_x, start_y);
    to.delta_p = select_doubles(by_y, delta_y, delta_x);
    to.delta_q = select_doubles(by_y, delta_x, delta_y);
    to.half_p = select_doubles(by_y, of->half_y, of->half_x);
    to.half_q = select_doubles(by_y, of->half_x, of->half_y);
    to.gap_p = select_doubles(by_y, gap_y, gap_x);
    return to;
}

// Step by step what graze_sweep_circle_rect does: rest_on_rect where they touch at the start, else
// the flat part of enter_side, or enter_corner, which share quotients and a root.
static inline mixed_touch_lanes sweep_mixed(const mixed_lanes *of)
{
    mixed_touch_lanes to;
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const quadrant_lanes at = look_at_rects(of);

    // Which part of the rect is it?
    const doubles speed = negate_doubles(at.delta_p);
    const doubles drift = mul_doubles(at.gap_p, at.delta_q);
    const doubles over = sub_doubles(at.start_q, at.half_q);
    const doubles under = add_doubles(at.start_q, at.half_q);
    const doubles_mask up = less_doubles(zero, add_doubles(mul_doubles(over, speed), drift));
    const doubles_mask down =
        mask_but_not_d(less_doubles(add_doubles(mul_doubles(under, speed), drift), zero), up);
    const doubles_mask flat = mask_but_not_d(at.by_side, mask_or_d(up, down));
    const doubles_mask far_corner = mask_and_d(at.by_side, down);
    const doubles corner_q = select_doubles(far_corner, negate_doubles(at.half_q), at.half_q);

    // The corner's disc: see enter_disc.
    const doubles start_p = sub_doubles(at.start_p, at.half_p);
    const doubles start_q = sub_doubles(at.start_q, corner_q);
    const doubles distance2 = dot_doubles(start_p, start_q, start_p, start_q);
    const doubles reach2 = mul_doubles(of->radius, of->radius);
    const doubles approach = negate_doubles(dot_doubles(start_p, start_q, at.delta_p, at.delta_q));
    const doubles path = dot_doubles(at.delta_p, at.delta_q, at.delta_p, at.delta_q);
    const doubles side =
        sub_doubles(mul_doubles(start_p, at.delta_q), mul_doubles(start_q, at.delta_p));
    const doubles chord = sub_doubles(mul_doubles(reach2, path), mul_doubles(side, side));
    const doubles end_p = add_doubles(start_p, at.delta_p);
    const doubles end_q = add_doubles(start_q, at.delta_q);
    const doubles_mask passes = less_doubles(chord, zero);
    const doubles_mask ends_before =
        mask_and_d(mask_or_d(at_most_doubles(path, approach), passes),
                   less_doubles(reach2, dot_doubles(end_p, end_q, end_p, end_q)));
    const doubles_mask apart = not_doubles(mask_or_d(mask_or_d(at.misses, at.rests), flat));
    const doubles_mask enters =
        mask_but_not_d(mask_and_d(apart, less_doubles(zero, approach)), ends_before);
    const doubles_mask point_like = at_most_doubles(of->radius, zero);
    to.left_over = mask_and_d(enters, mask_or_d(passes, point_like));

    const doubles beyond_x = greater_doubles(at.excess_x, zero);
    const doubles beyond_y = greater_doubles(at.excess_y, zero);
    const doubles beyond2 = dot_doubles(beyond_x, beyond_y, beyond_x, beyond_y);
    const doubles root = root_doubles(select_doubles(at.rests, beyond2, chord));
    const doubles time = div_doubles(select_doubles(flat, at.gap_p, sub_doubles(distance2, reach2)),
                                     select_doubles(flat, speed, add_doubles(root, approach)));
    const doubles corner_time = lesser_doubles(time, one);
    to.time = select_doubles(at.rests, zero, select_doubles(flat, time, corner_time));
    const doubles_mask in_time =
        mask_and_d(mask_but_not_d(enters, to.left_over), at_most_doubles(zero, time));
    to.hit = mask_but_not_d(mask_or_d(mask_or_d(at.rests, flat), in_time), at.misses);

    // The normal in p and q, which are x and y where they rest.
    const doubles factor =
        div_doubles(one, select_doubles(at.rests, root, mul_doubles(of->radius, path)));
    const doubles_mask inside = mask_and_d(at.rests, at_most_doubles(root, zero));
    const doubles_mask out_by_x = at_most_doubles(at.excess_y, at.excess_x);
    const doubles way_x =
        select_doubles(inside, select_doubles(out_by_x, one, zero), mul_doubles(beyond_x, factor));
    const doubles way_y =
        select_doubles(inside, select_doubles(out_by_x, zero, one), mul_doubles(beyond_y, factor));
    const doubles inward_p =
        sub_doubles(mul_doubles(at.delta_p, root), mul_doubles(at.delta_q, side));
    const doubles inward_q =
        add_doubles(mul_doubles(at.delta_q, root), mul_doubles(at.delta_p, side));
    const doubles normal_p =
        select_doubles(at.rests, negate_doubles(way_x),
                       select_doubles(flat, fill_doubles(-1), mul_doubles(inward_p, factor)));
    const doubles normal_q = select_doubles(
        at.rests, negate_doubles(way_y), select_doubles(flat, zero, mul_doubles(inward_q, factor)));
    const doubles axis_x = dot_doubles(at.p_x, at.q_x, normal_p, normal_q);
    const doubles axis_y = dot_doubles(at.p_y, at.q_y, normal_p, normal_q);
    const doubles length2 = dot_doubles(axis_x, axis_y, axis_x, axis_y);
    const doubles to_unit = sub_doubles(fill_doubles(1.5), mul_doubles(fill_doubles(0.5), length2));
    to.normal_x = mul_doubles(axis_x, to_unit);
    to.normal_y = mul_doubles(axis_y, to_unit);
    const doubles excess = select_doubles(out_by_x, at.excess_x, at.excess_y);
    const doubles way_out = select_doubles(inside, excess, root);
    to.depth = select_doubles(at.rests, sub_doubles(of->radius, way_out), zero);

    // The point, likewise.
    const doubles along_q = add_doubles(at.start_q, mul_doubles(at.delta_q, time));
    const doubles on_side =
        lesser_doubles(greater_doubles(along_q, negate_doubles(at.half_q)), at.half_q);
    const doubles point_p = select_doubles(at.rests, sub_doubles(at.start_p, beyond_x), at.half_p);
    const doubles point_q = select_doubles(at.rests, sub_doubles(at.start_q, beyond_y),
                                           select_doubles(flat, on_side, corner_q));
    to.x = dot_doubles(at.p_x, at.q_x, point_p, point_q);
    to.y = dot_doubles(at.p_y, at.q_y, point_p, point_q);
    return to;
}

/// Pairs as seen from the rect, and what is needed to go back.
typedef struct mixed_pairs {
    uint32_t disc[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< Rows.
    uint32_t rect[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    double sign[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< -1 where the rect is a, else 1.
} mixed_pairs;

// Simple enough for the compiler to find its own lanes.
static inline void part_mixed(const grz_ranked_pairs *pairs, mixed_pairs *to)
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

/// A motion of a's centre as seen from b's, and b's own.
typedef struct motion_lanes {
    doubles start_x, start_y, delta_x, delta_y;
    doubles b_x, b_y, b_delta_x, b_delta_y;
} motion_lanes;

static inline motion_lanes load_motions(const grz_rows *rows, const uint32_t *a, const uint32_t *b)
{
    motion_lanes of;
    doubles a_x, a_y, finish_x, finish_y, b_end_x, b_end_y;
    gather_points(rows->position, a, &a_x, &a_y);
    gather_points(rows->position, b, &of.b_x, &of.b_y);
    gather_points(rows->end, a, &finish_x, &finish_y);
    gather_points(rows->end, b, &b_end_x, &b_end_y);
    of.start_x = sub_doubles(a_x, of.b_x);
    of.start_y = sub_doubles(a_y, of.b_y);
    of.delta_x = sub_doubles(sub_doubles(finish_x, b_end_x), of.start_x);
    of.delta_y = sub_doubles(sub_doubles(finish_y, b_end_y), of.start_y);
    of.b_delta_x = sub_doubles(b_end_x, of.b_x);
    of.b_delta_y = sub_doubles(b_end_y, of.b_y);
    return of;
}

// Two at rest where they are at the end of the step.
static inline motion_lanes load_finishes(const grz_rows *rows, const uint32_t *a, const uint32_t *b)
{
    motion_lanes of;
    doubles a_x, a_y;
    gather_points(rows->end, a, &a_x, &a_y);
    gather_points(rows->end, b, &of.b_x, &of.b_y);
    of.start_x = sub_doubles(a_x, of.b_x);
    of.start_y = sub_doubles(a_y, of.b_y);
    of.delta_x = fill_doubles(0);
    of.delta_y = fill_doubles(0);
    of.b_delta_x = fill_doubles(0);
    of.b_delta_y = fill_doubles(0);
    return of;
}

// Sweeps discs against rects, and goes back from the rect's view to absolute coordinates.
static inline touch_lanes touch_mixed(const grz_rows *rows, const graze_rotation *rotations,
                                      const motion_lanes *of, const mixed_pairs *pairs,
                                      uint32_t first)
{
    mixed_lanes seen;
    doubles unused;
    const doubles sign = load_doubles(pairs->sign + first);
    seen.start_x = mul_doubles(of->start_x, sign);
    seen.start_y = mul_doubles(of->start_y, sign);
    seen.delta_x = mul_doubles(of->delta_x, sign);
    seen.delta_y = mul_doubles(of->delta_y, sign);
    gather_points(rows->half, pairs->disc + first, &seen.radius, &unused);
    gather_points(rows->half, pairs->rect + first, &seen.half_x, &seen.half_y);
    gather_points(grz_as_points(rotations), pairs->rect + first, &seen.cosine, &seen.sine);
    const mixed_touch_lanes found = sweep_mixed(&seen);
    const doubles_mask rect_is_a = less_doubles(sign, fill_doubles(0));
    const doubles a_x = add_doubles(of->start_x, mul_doubles(of->delta_x, found.time));
    const doubles a_y = add_doubles(of->start_y, mul_doubles(of->delta_y, found.time));
    const doubles from_b_x = select_doubles(rect_is_a, add_doubles(found.x, a_x), found.x);
    const doubles from_b_y = select_doubles(rect_is_a, add_doubles(found.y, a_y), found.y);
    const doubles b_x = add_doubles(of->b_x, mul_doubles(of->b_delta_x, found.time));
    const doubles b_y = add_doubles(of->b_y, mul_doubles(of->b_delta_y, found.time));
    const touch_lanes to = {
        .time = found.time,
        .x = add_doubles(b_x, from_b_x),
        .y = add_doubles(b_y, from_b_y),
        .normal_x = mul_doubles(found.normal_x, sign),
        .normal_y = mul_doubles(found.normal_y, sign),
        .depth = found.depth,
        .hit = found.hit,
        .left_over = found.left_over,
    };
    return to;
}

// HOT. bench: engine/step/gas
//
// Data    Position, end, half extents and generation of two rows, 56 bytes; 40 written a hit.
// Branch  None but for what is left over, which is next to nothing.
// Order   That of the pairs, which nothing depends on.
static uint32_t GRZ_WIDE(decide_round)(const grz_rows *rows, grz_ranked_pairs *pairs,
                                       grz_hit_sink *sink, uint32_t *left_over)
{
    uint32_t left_count = 0;
    pad_pairs(pairs);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t rest = pairs->count - first;
        const uint32_t valid = valid_lanes(rest);
        const disc_lanes discs = load_discs(rows, pairs->a + first, pairs->b + first);
        const touch_lanes touch = sweep_discs(&discs);
        float octets[8 * GRZ_WIDTH_D];
        lay_out_hits(octets, &touch);
        put_hits(rows, pairs, first, octets, mask_bits_d(touch.hit) & valid, sink);
        const uint32_t left = mask_bits_d(touch.left_over) & valid;
        if (left) {
            left_count += list_bits(left, first, left_over + left_count);
        }
    }
    return left_count;
}

// Stores every lane, but keeps only the touches, like put_hits.
static inline void put_touches(const disc_lanes *discs, const touch_lanes *touch,
                               const uint64_t *ranks, uint32_t kept, grz_touch_sink *sink)
{
    const doubles approach =
        dot_doubles(discs->delta_x, discs->delta_y, touch->normal_x, touch->normal_y);
    const uint32_t comes_in = mask_bits_d(less_doubles(fill_doubles(0), approach));
    float octets[8 * GRZ_WIDTH_D];
    double times[GRZ_WIDTH_D];
    lay_out_hits(octets, touch);
    store_doubles(times, touch->time);
    uint32_t count = sink->count;
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        grz_ray_touch *to = &sink->touches[count];
        memcpy(to, octets + 8 * lane, 8 * sizeof *octets);
        to->ray = (uint32_t)(ranks[lane] >> 32);
        to->other = (uint32_t)ranks[lane];
        to->comes_in = comes_in >> lane & 1;
        to->time = times[lane];
        count += kept >> lane & 1;
    }
    sink->count = count;
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    Position, end and half extents of two rows, 48 bytes; 40 written a touch.
// Branch  As for round pairs.
// Order   That of the pairs, which nothing depends on.
static uint32_t GRZ_WIDE(decide_rays)(const grz_rows *rows, grz_ranked_pairs *pairs,
                                      grz_touch_sink *sink, uint32_t *left_over)
{
    uint32_t left_count = 0;
    pad_pairs(pairs);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t valid = valid_lanes(pairs->count - first);
        const disc_lanes discs = load_discs(rows, pairs->a + first, pairs->b + first);
        const touch_lanes touch = sweep_discs(&discs);
        put_touches(&discs, &touch, pairs->ranks + first, mask_bits_d(touch.hit) & valid, sink);
        const uint32_t left = mask_bits_d(touch.left_over) & valid;
        if (left) {
            left_count += list_bits(left, first, left_over + left_count);
        }
    }
    return left_count;
}

/// The axes and half extents of rects.
typedef struct frame_lanes {
    doubles u_x, u_y, v_x, v_y, half_x, half_y;
} frame_lanes;

static inline frame_lanes load_frames(const grz_rows *rows, const graze_rotation *rotations,
                                      const uint32_t *row)
{
    frame_lanes of;
    gather_points(grz_as_points(rotations), row, &of.u_x, &of.u_y);
    of.v_x = negate_doubles(of.u_y);
    of.v_y = of.u_x;
    gather_points(rows->half, row, &of.half_x, &of.half_y);
    return of;
}

static inline doubles cross_doubles(doubles a_x, doubles a_y, doubles b_x, doubles b_y)
{
    return sub_doubles(mul_doubles(a_x, b_y), mul_doubles(a_y, b_x));
}

/// An axis that may part two rects, or along which they touch.
typedef struct axis_lanes {
    doubles x, y;
    doubles half_width; ///< Of the owner's side across it.
    doubles toward;     ///< 1 where b lies ahead on it, -1 where behind.
    doubles of_b;       ///< 1 where it is b's, 0 where it is a's.
} axis_lanes;

static inline void select_axis(axis_lanes *to, doubles_mask mask, const axis_lanes *from)
{
    to->x = select_doubles(mask, from->x, to->x);
    to->y = select_doubles(mask, from->y, to->y);
    to->half_width = select_doubles(mask, from->half_width, to->half_width);
    to->toward = select_doubles(mask, from->toward, to->toward);
    to->of_b = select_doubles(mask, from->of_b, to->of_b);
}

/// What all axes so far say: see window and way_out in shadow.h.
typedef struct window_lanes {
    doubles enter, enter_per, leave, leave_per;
    axis_lanes entered; ///< The axis entered last,
    doubles apart;      ///< where this is 1: else they overlapped on all at the start.
    axis_lanes out;     ///< The shallowest way out,
    doubles depth;      ///< so deep.
    doubles_mask misses;
} window_lanes;

// Takes an axis into account, as narrow_window and offer_way_out do.
static inline void narrow_windows(window_lanes *open, axis_lanes axis, doubles reach,
                                  const motion_lanes *of)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles center = negate_doubles(dot_doubles(of->start_x, of->start_y, axis.x, axis.y));
    const doubles speed = dot_doubles(of->delta_x, of->delta_y, axis.x, axis.y);
    const doubles back = sub_doubles(reach, center), ahead = add_doubles(center, reach);
    const doubles_mask shallower = less_doubles(lesser_doubles(back, ahead), open->depth);
    axis.toward = select_doubles(at_most_doubles(back, ahead), one, fill_doubles(-1));
    select_axis(&open->out, shallower, &axis);
    open->depth = select_doubles(shallower, lesser_doubles(back, ahead), open->depth);

    const doubles_mask is_ahead = less_doubles(reach, center);
    const doubles gap = select_doubles(is_ahead, sub_doubles(center, reach),
                                       sub_doubles(negate_doubles(reach), center));
    const doubles closing = select_doubles(is_ahead, speed, negate_doubles(speed));
    const doubles_mask parted = less_doubles(zero, gap);
    open->misses = mask_or_d(open->misses, mask_and_d(parted, less_doubles(closing, gap)));
    const doubles_mask later = mask_and_d(
        parted, less_doubles(mul_doubles(open->enter, closing), mul_doubles(gap, open->enter_per)));
    axis.toward = select_doubles(is_ahead, one, fill_doubles(-1));
    select_axis(&open->entered, later, &axis);
    open->enter = select_doubles(later, gap, open->enter);
    open->enter_per = select_doubles(later, closing, open->enter_per);
    open->apart = select_doubles(later, one, open->apart);

    const doubles pace = absolute_doubles(speed);
    const doubles exit = select_doubles(less_doubles(zero, speed), ahead, back);
    const doubles_mask earlier =
        less_doubles(mul_doubles(exit, open->leave_per), mul_doubles(open->leave, pace));
    open->leave = select_doubles(earlier, exit, open->leave);
    open->leave_per = select_doubles(earlier, pace, open->leave_per);
}

// How far two rects reach along the axes of both, as pair_of does.
static inline void find_reaches(const frame_lanes *a, const frame_lanes *b, doubles reach[4])
{
    const doubles cosine = absolute_doubles(dot_doubles(a->u_x, a->u_y, b->u_x, b->u_y));
    const doubles sine = absolute_doubles(dot_doubles(a->u_x, a->u_y, b->v_x, b->v_y));
    reach[0] = add_doubles(a->half_x, dot_doubles(b->half_x, b->half_y, cosine, sine));
    reach[1] = add_doubles(a->half_y, dot_doubles(b->half_x, b->half_y, sine, cosine));
    reach[2] = add_doubles(b->half_x, dot_doubles(a->half_x, a->half_y, cosine, sine));
    reach[3] = add_doubles(b->half_y, dot_doubles(a->half_x, a->half_y, sine, cosine));
}

static inline window_lanes cast_rects(const frame_lanes *a, const frame_lanes *b,
                                      const motion_lanes *of)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const axis_lanes none = {zero, zero, zero, zero, zero};
    const axis_lanes axes[4] = {{a->u_x, a->u_y, a->half_y, zero, zero},
                                {a->v_x, a->v_y, a->half_x, zero, zero},
                                {b->u_x, b->u_y, b->half_y, zero, one},
                                {b->v_x, b->v_y, b->half_x, zero, one}};
    window_lanes open = {
        zero, one, one, one, none, zero, none, fill_doubles(DBL_MAX), less_doubles(zero, zero)};
    doubles reach[4];
    find_reaches(a, b, reach);
    for (uint32_t axis = 0; axis < 4; ++axis) {
        narrow_windows(&open, axes[axis], reach[axis], of);
    }
    return open;
}

static inline frame_lanes select_frames(doubles_mask mask, const frame_lanes *a,
                                        const frame_lanes *b)
{
    const frame_lanes to = {
        select_doubles(mask, a->u_x, b->u_x),       select_doubles(mask, a->u_y, b->u_y),
        select_doubles(mask, a->v_x, b->v_x),       select_doubles(mask, a->v_y, b->v_y),
        select_doubles(mask, a->half_x, b->half_x), select_doubles(mask, a->half_y, b->half_y),
    };
    return to;
}

/// Points middle + half * t for -1 <= t <= 1.
typedef struct edge_lanes {
    doubles middle_x, middle_y, half_x, half_y;
} edge_lanes;

// As side_facing does, and sides_of.
static inline edge_lanes find_facing(const frame_lanes *rect, doubles center_x, doubles center_y,
                                     doubles normal_x, doubles normal_y)
{
    edge_lanes to;
    const doubles zero = fill_doubles(0);
    const doubles along_u = dot_doubles(rect->u_x, rect->u_y, normal_x, normal_y);
    const doubles along_v = dot_doubles(rect->v_x, rect->v_y, normal_x, normal_y);
    const doubles_mask by_u = at_most_doubles(absolute_doubles(along_v), absolute_doubles(along_u));
    const doubles along_axis = select_doubles(by_u, along_u, along_v);
    const doubles extent = select_doubles(by_u, rect->half_x, rect->half_y);
    const doubles out =
        select_doubles(less_doubles(along_axis, zero), extent, negate_doubles(extent));
    const doubles width = select_doubles(by_u, rect->half_y, rect->half_x);
    const doubles out_x = select_doubles(by_u, rect->u_x, rect->v_x);
    const doubles out_y = select_doubles(by_u, rect->u_y, rect->v_y);
    const doubles side_x = mul_doubles(select_doubles(by_u, rect->v_x, rect->u_x), width);
    const doubles side_y = mul_doubles(select_doubles(by_u, rect->v_y, rect->u_y), width);
    const doubles_mask to_the_right =
        less_doubles(cross_doubles(normal_x, normal_y, side_x, side_y), zero);
    to.middle_x = add_doubles(center_x, mul_doubles(out_x, out));
    to.middle_y = add_doubles(center_y, mul_doubles(out_y, out));
    to.half_x = select_doubles(to_the_right, negate_doubles(side_x), side_x);
    to.half_y = select_doubles(to_the_right, negate_doubles(side_y), side_y);
    return to;
}

static inline doubles clamp_to_edge(doubles a)
{
    return lesser_doubles(greater_doubles(a, fill_doubles(-1)), fill_doubles(1));
}

// Which point of the edge stands for the touch: as clip_edge and touching_point do.
static inline doubles find_touching(const edge_lanes *facing, doubles normal_x, doubles normal_y,
                                    doubles half_width)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles middle = cross_doubles(normal_x, normal_y, facing->middle_x, facing->middle_y);
    const doubles half = cross_doubles(normal_x, normal_y, facing->half_x, facing->half_y);
    const doubles inverse = div_doubles(one, half);
    const doubles_mask clips = less_doubles(zero, half);
    const doubles lower = mul_doubles(sub_doubles(negate_doubles(half_width), middle), inverse);
    const doubles upper = mul_doubles(sub_doubles(half_width, middle), inverse);
    const doubles from = select_doubles(clips, clamp_to_edge(lower), fill_doubles(-1));
    const doubles to = select_doubles(clips, clamp_to_edge(upper), one);
    const doubles slope = dot_doubles(normal_x, normal_y, facing->half_x, facing->half_y);
    const doubles length2 =
        dot_doubles(facing->half_x, facing->half_y, facing->half_x, facing->half_y);
    const doubles_mask parallel =
        at_most_doubles(mul_doubles(slope, slope), mul_doubles(fill_doubles(1e-12), length2));
    const doubles between = mul_doubles(add_doubles(from, to), fill_doubles(0.5));
    const doubles deeper = select_doubles(less_doubles(slope, zero), to, from);
    return select_doubles(parallel, between, deeper);
}

// Step by step what graze_sweep_rects does, in absolute coordinates: rest_rects where they overlap
// at the start. All that goes in is finite.
static inline touch_lanes touch_rects(const frame_lanes *a, const frame_lanes *b,
                                      const motion_lanes *of)
{
    touch_lanes to;
    const doubles zero = fill_doubles(0);
    const window_lanes open = cast_rects(a, b, of);
    const doubles_mask apart = less_doubles(zero, open.apart);
    const doubles_mask opens = at_most_doubles(mul_doubles(open.enter, open.leave_per),
                                               mul_doubles(open.leave, open.enter_per));
    to.hit = mask_but_not_d(opens, open.misses);
    to.left_over = less_doubles(zero, zero);
    to.time = select_doubles(apart, div_doubles(open.enter, open.enter_per), zero);
    to.depth = select_doubles(apart, zero, open.depth);
    axis_lanes axis = open.out;
    select_axis(&axis, apart, &open.entered);

    // The normal, and the face that it belongs to.
    const doubles length2 = dot_doubles(axis.x, axis.y, axis.x, axis.y);
    const doubles to_unit = sub_doubles(fill_doubles(1.5), mul_doubles(fill_doubles(0.5), length2));
    to.normal_x = mul_doubles(mul_doubles(axis.x, to_unit), axis.toward);
    to.normal_y = mul_doubles(mul_doubles(axis.y, to_unit), axis.toward);
    const doubles_mask of_b = less_doubles(zero, axis.of_b);
    const doubles face_x = select_doubles(of_b, negate_doubles(to.normal_x), to.normal_x);
    const doubles face_y = select_doubles(of_b, negate_doubles(to.normal_y), to.normal_y);

    // The edge that touches the face, as seen from its owner.
    const doubles a_x = add_doubles(of->start_x, mul_doubles(of->delta_x, to.time));
    const doubles a_y = add_doubles(of->start_y, mul_doubles(of->delta_y, to.time));
    const frame_lanes other = select_frames(of_b, a, b);
    const edge_lanes facing =
        find_facing(&other, select_doubles(of_b, a_x, negate_doubles(a_x)),
                    select_doubles(of_b, a_y, negate_doubles(a_y)), face_x, face_y);
    const doubles t = find_touching(&facing, face_x, face_y, axis.half_width);
    const doubles edge_x = add_doubles(facing.middle_x, mul_doubles(facing.half_x, t));
    const doubles edge_y = add_doubles(facing.middle_y, mul_doubles(facing.half_y, t));
    const doubles b_x = add_doubles(of->b_x, mul_doubles(of->b_delta_x, to.time));
    const doubles b_y = add_doubles(of->b_y, mul_doubles(of->b_delta_y, to.time));
    to.x = add_doubles(b_x, add_doubles(select_doubles(of_b, zero, a_x), edge_x));
    to.y = add_doubles(b_y, add_doubles(select_doubles(of_b, zero, a_y), edge_y));
    return to;
}

/// Places among some pairs.
typedef struct place_list {
    uint32_t places[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    uint32_t count;
} place_list;

// Lists which of the lanes from `first` on met nothing in the step, but have turned since.
static inline void list_turning(const grz_ranked_pairs *pairs, uint32_t first, uint32_t missed,
                                place_list *turning)
{
    uint32_t count = turning->count;
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        const uint32_t spins = pairs->traits[first + lane] / GRZ_TRAIT_SPINS;
        turning->places[count] = first + lane;
        count += missed >> lane & spins & 1;
    }
    turning->count = count;
}

static inline void copy_pairs(const grz_ranked_pairs *from, const place_list *list,
                              grz_ranked_pairs *to)
{
    to->count = list->count;
    for (uint32_t i = 0; i < list->count; ++i) {
        const uint32_t place = list->places[i];
        to->a[i] = from->a[place];
        to->b[i] = from->b[place];
        to->ranks[i] = from->ranks[place];
        to->traits[i] = from->traits[place];
    }
    pad_pairs(to);
}

static inline void list_lanes(uint32_t first, uint32_t lanes, place_list *to)
{
    uint32_t count = to->count;
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        to->places[count] = first + lane;
        count += lanes >> lane & 1;
    }
    to->count = count;
}

// Which of the lanes from `first` on touch at the end, by the sums of sweep_mixed for what rests.
static inline uint32_t find_mixed_at_end(const grz_rows *rows, const mixed_pairs *pairs,
                                         uint32_t first)
{
    const uint32_t *disc = pairs->disc + first, *rect = pairs->rect + first;
    const doubles zero = fill_doubles(0);
    doubles x, y, rect_x, rect_y, cosine, sine, radius, half_x, half_y, unused;
    gather_points(rows->end, disc, &x, &y);
    gather_points(rows->end, rect, &rect_x, &rect_y);
    gather_points(grz_as_points(rows->end_rotation), rect, &cosine, &sine);
    gather_points(rows->half, disc, &radius, &unused);
    gather_points(rows->half, rect, &half_x, &half_y);
    x = sub_doubles(x, rect_x);
    y = sub_doubles(y, rect_y);
    const doubles local_x = absolute_doubles(dot_doubles(x, y, cosine, sine));
    const doubles local_y = absolute_doubles(dot_doubles(x, y, negate_doubles(sine), cosine));
    const doubles excess_x = sub_doubles(local_x, half_x), excess_y = sub_doubles(local_y, half_y);
    const doubles beyond_x = greater_doubles(excess_x, zero);
    const doubles beyond_y = greater_doubles(excess_y, zero);
    return mask_bits_d(at_most_doubles(dot_doubles(beyond_x, beyond_y, beyond_x, beyond_y),
                                       mul_doubles(radius, radius)));
}

// What touches only as it is turned at the end: all of touch_turned. Little does, so that first it
// is only looked at whether.
static inline void decide_turned(const grz_rows *rows, const grz_ranked_pairs *all,
                                 const place_list *turning, grz_hit_sink *sink)
{
    grz_ranked_pairs some, few;
    const grz_ranked_pairs *pairs = &few;
    mixed_pairs parted;
    place_list touching;
    touching.count = 0;
    copy_pairs(all, turning, &some);
    part_mixed(&some, &parted);
    for (uint32_t first = 0; first < some.count; first += GRZ_WIDTH_D) {
        list_lanes(first, find_mixed_at_end(rows, &parted, first) & valid_lanes(some.count - first),
                   &touching);
    }
    copy_pairs(&some, &touching, &few);
    part_mixed(pairs, &parted);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const motion_lanes finish = load_finishes(rows, pairs->a + first, pairs->b + first);
        touch_lanes touch = touch_mixed(rows, rows->end_rotation, &finish, &parted, first);
        touch.time = fill_doubles(1);
        touch.depth = fill_doubles(0);
        float octets[8 * GRZ_WIDTH_D];
        lay_out_hits(octets, &touch);
        put_hits(rows, pairs, first, octets,
                 mask_bits_d(touch.hit) & valid_lanes(pairs->count - first), sink);
    }
}

// HOT. bench: engine/step/gas-mixed
//
// Data    Position, end, half extents and generation of two rows, 56 bytes, and the rect's
//         rotation; 40 written a hit.
// Branch  None but for what is left over, which is next to nothing. What misses and spins is
//         listed, and looked at once more as it is turned at the end.
static uint32_t GRZ_WIDE(decide_mixed)(const grz_rows *rows, grz_ranked_pairs *pairs,
                                       grz_hit_sink *sink, uint32_t *left_over)
{
    place_list turning;
    mixed_pairs parted;
    uint32_t left_count = 0;
    turning.count = 0;
    pad_pairs(pairs);
    part_mixed(pairs, &parted);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t valid = valid_lanes(pairs->count - first);
        const motion_lanes motion = load_motions(rows, pairs->a + first, pairs->b + first);
        const touch_lanes touch = touch_mixed(rows, rows->rotation, &motion, &parted, first);
        const uint32_t hits = mask_bits_d(touch.hit) & valid;
        const uint32_t left = mask_bits_d(touch.left_over) & valid;
        float octets[8 * GRZ_WIDTH_D];
        lay_out_hits(octets, &touch);
        put_hits(rows, pairs, first, octets, hits, sink);
        list_turning(pairs, first, valid & ~hits & ~left, &turning);
        if (left) {
            left_count += list_bits(left, first, left_over + left_count);
        }
    }
    decide_turned(rows, pairs, &turning, sink);
    return left_count;
}

// Where a vector's part along an axis is at most so long.
static inline doubles_mask stay_within(doubles x, doubles y, doubles axis_x, doubles axis_y,
                                       doubles reach)
{
    return at_most_doubles(absolute_doubles(dot_doubles(x, y, axis_x, axis_y)), reach);
}

// Which of the lanes from `first` on touch at the end, by the sums of narrow_windows.
static inline uint32_t find_rects_at_end(const grz_rows *rows, const uint32_t *row_a,
                                         const uint32_t *row_b)
{
    const frame_lanes a = load_frames(rows, rows->end_rotation, row_a);
    const frame_lanes b = load_frames(rows, rows->end_rotation, row_b);
    doubles x, y, b_x, b_y, reach[4];
    gather_points(rows->end, row_a, &x, &y);
    gather_points(rows->end, row_b, &b_x, &b_y);
    find_reaches(&a, &b, reach);
    x = sub_doubles(x, b_x);
    y = sub_doubles(y, b_y);
    const doubles_mask by_a = mask_and_d(stay_within(x, y, a.u_x, a.u_y, reach[0]),
                                         stay_within(x, y, a.v_x, a.v_y, reach[1]));
    const doubles_mask by_b = mask_and_d(stay_within(x, y, b.u_x, b.u_y, reach[2]),
                                         stay_within(x, y, b.v_x, b.v_y, reach[3]));
    return mask_bits_d(mask_and_d(by_a, by_b));
}

// The same as decide_turned, for two rects.
static inline void decide_turned_rects(const grz_rows *rows, const grz_ranked_pairs *all,
                                       const place_list *turning, grz_hit_sink *sink)
{
    grz_ranked_pairs some, few;
    const grz_ranked_pairs *pairs = &few;
    place_list touching;
    touching.count = 0;
    copy_pairs(all, turning, &some);
    for (uint32_t first = 0; first < some.count; first += GRZ_WIDTH_D) {
        list_lanes(first,
                   find_rects_at_end(rows, some.a + first, some.b + first) &
                       valid_lanes(some.count - first),
                   &touching);
    }
    copy_pairs(&some, &touching, &few);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t *a = pairs->a + first, *b = pairs->b + first;
        const frame_lanes frame_a = load_frames(rows, rows->end_rotation, a);
        const frame_lanes frame_b = load_frames(rows, rows->end_rotation, b);
        const motion_lanes finish = load_finishes(rows, a, b);
        touch_lanes touch = touch_rects(&frame_a, &frame_b, &finish);
        touch.time = fill_doubles(1);
        touch.depth = fill_doubles(0);
        float octets[8 * GRZ_WIDTH_D];
        lay_out_hits(octets, &touch);
        put_hits(rows, pairs, first, octets,
                 mask_bits_d(touch.hit) & valid_lanes(pairs->count - first), sink);
    }
}

// HOT. bench: engine/step/gas-mixed
//
// Data    Position, end, half extents, rotation and generation of two rows, 72 bytes; 40 written a
//         hit.
// Branch  None: all four axes are looked at, and a point is found for all.
static uint32_t GRZ_WIDE(decide_angular)(const grz_rows *rows, grz_ranked_pairs *pairs,
                                         grz_hit_sink *sink, uint32_t *left_over)
{
    place_list turning;
    (void)left_over;
    turning.count = 0;
    pad_pairs(pairs);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t *a = pairs->a + first, *b = pairs->b + first;
        const uint32_t valid = valid_lanes(pairs->count - first);
        const frame_lanes frame_a = load_frames(rows, rows->rotation, a);
        const frame_lanes frame_b = load_frames(rows, rows->rotation, b);
        const motion_lanes motion = load_motions(rows, a, b);
        const touch_lanes touch = touch_rects(&frame_a, &frame_b, &motion);
        const uint32_t hits = mask_bits_d(touch.hit) & valid;
        float octets[8 * GRZ_WIDTH_D];
        lay_out_hits(octets, &touch);
        put_hits(rows, pairs, first, octets, hits, sink);
        list_turning(pairs, first, valid & ~hits, &turning);
    }
    decide_turned_rects(rows, pairs, &turning, sink);
    return 0;
}

const grz_decide_loops GRZ_WIDE(grz_decide_loops) = {
    {GRZ_WIDE(decide_round), GRZ_WIDE(decide_mixed), GRZ_WIDE(decide_angular)},
    GRZ_WIDE(decide_rays)};
