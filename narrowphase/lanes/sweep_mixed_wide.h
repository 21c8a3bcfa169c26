/// @file sweep_mixed_wide.h
/// Discs that move past rects, a pair in each lane: mirrors graze_sweep_circle_rect(). Included by
/// wide loops alone.
#ifndef GRZ_SWEEP_MIXED_WIDE_H
#define GRZ_SWEEP_MIXED_WIDE_H

#include "discs_wide.h"
#include "rects_wide.h"

/// A disc and a rect. Motion is that of the disc relative to the rect.
typedef struct mixed_pairs {
    vectors start, delta;
    numbers radius;
    frames rect;
    numbers arc; ///< How far the rect goes by turning.
} mixed_pairs;

/// A pair in the axes of a quadrant: p is x or y, whichever side is reached last; q is the other.
typedef struct quadrants {
    vectors p, q;               ///< The axes.
    vectors start, delta, half; ///< Along p, and along q.
    numbers gap_p;
    vectors excess; ///< How far the centre is beyond the sides, along x and y; below 0: within.
    vectors beyond; ///< Likewise, 0 within.
    marks misses, far, rests, by_side;
} quadrants;

GRZ_IN_PLACE numbers negate_where(marks which, numbers a)
{
    return select_numbers(which, negate_numbers(a), a);
}

GRZ_IN_PLACE vectors swap_where(marks which, vectors v)
{
    return select_vectors(which, join(v.y, v.x), v);
}

GRZ_IN_PLACE vectors clamp_below(vectors v)
{
    return join(max_numbers(v.x, fill_numbers(0)), max_numbers(v.y, fill_numbers(0)));
}

// Whether a disc misses the rect, and whether it does however the rect turns.
GRZ_IN_PLACE void look_for_misses(quadrants *quadrant, vectors gap, vectors delta, numbers arc)
{
    const numbers zero = fill_numbers(0);
    const vectors way = clamp_below(negate_vectors(delta));
    quadrant->misses = or_marks(less_numbers(way.x, gap.x), less_numbers(way.y, gap.y));
    const vectors end = add_vectors(gap, delta);
    const marks far_x = and_marks(less_numbers(zero, gap.x), less_numbers(arc, end.x));
    const marks far_y = and_marks(less_numbers(zero, gap.y), less_numbers(arc, end.y));
    quadrant->far = or_marks(far_x, far_y);
}

// The part of graze_sweep_circle_rect before it knows which part of the rect is met.
GRZ_IN_PLACE quadrants look_at_rects(const mixed_pairs *mixed)
{
    quadrants quadrant;
    const numbers zero = fill_numbers(0);
    const vectors u = mixed->rect.axis, v = left_of_vectors(u);
    const vectors local = {dot_vectors(mixed->start, u), dot_vectors(mixed->start, v)};
    const marks left = less_numbers(local.x, zero), below = less_numbers(local.y, zero);
    const vectors x = select_vectors(left, negate_vectors(u), u);
    const vectors y = select_vectors(below, negate_vectors(v), v);
    const vectors start = {negate_where(left, local.x), negate_where(below, local.y)};
    const vectors delta = {dot_vectors(mixed->delta, x), dot_vectors(mixed->delta, y)};
    quadrant.excess = sub_vectors(start, mixed->rect.half);
    const vectors gap = sub_vectors(quadrant.excess, join(mixed->radius, mixed->radius));
    look_for_misses(&quadrant, gap, delta, mixed->arc);
    quadrant.beyond = clamp_below(quadrant.excess);
    quadrant.rests = at_most_numbers(dot_vectors(quadrant.beyond, quadrant.beyond),
                                     square_numbers(mixed->radius));
    const marks beside = less_numbers(zero, gap.x), above = less_numbers(zero, gap.y);
    const marks y_is_last =
        and_marks(above, less_numbers(mul_numbers(gap.y, delta.x), mul_numbers(gap.x, delta.y)));
    const marks by_y =
        but_not_marks(but_not_marks(above, but_not_marks(beside, y_is_last)), quadrant.rests);
    quadrant.by_side = but_not_marks(or_marks(beside, above), quadrant.rests);
    quadrant.p = select_vectors(by_y, y, x);
    quadrant.q = select_vectors(by_y, x, y);
    quadrant.start = swap_where(by_y, start);
    quadrant.delta = swap_where(by_y, delta);
    quadrant.half = swap_where(by_y, mixed->rect.half);
    quadrant.gap_p = select_numbers(by_y, gap.y, gap.x);
    return quadrant;
}

/// Which part of the rect is met: the side across p, or the corner at one of its ends.
typedef struct rect_parts {
    numbers speed;    ///< Towards the side.
    numbers corner_q; ///< The corner's place along the side.
    marks by_flat;
} rect_parts;

GRZ_IN_PLACE rect_parts find_parts(const quadrants *quadrant)
{
    rect_parts part;
    const numbers zero = fill_numbers(0), half_q = quadrant->half.y;
    part.speed = negate_numbers(quadrant->delta.x);
    const numbers drift = mul_numbers(quadrant->gap_p, quadrant->delta.y);
    const numbers over = sub_numbers(quadrant->start.y, half_q);
    const numbers under = add_numbers(quadrant->start.y, half_q);
    const marks up = less_numbers(zero, add_numbers(mul_numbers(over, part.speed), drift));
    const marks down =
        but_not_marks(less_numbers(add_numbers(mul_numbers(under, part.speed), drift), zero), up);
    part.by_flat = but_not_marks(quadrant->by_side, or_marks(up, down));
    part.corner_q = negate_where(and_marks(quadrant->by_side, down), half_q);
    return part;
}

/// Where a disc that overlaps at the start is pushed.
typedef struct ways_out {
    vectors way; ///< Outwards, along the quadrant's x and y.
    numbers depth;
} ways_out;

// A centre outside is pushed straight away from the rect, one inside through the nearest side.
// `root` is its distance, `factor` the inverse.
GRZ_IN_PLACE ways_out rest_mixed(const mixed_pairs *mixed, const quadrants *quadrant, numbers root,
                                 numbers factor)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const marks inside = and_marks(quadrant->rests, at_most_numbers(root, zero));
    const marks by_x = at_most_numbers(quadrant->excess.y, quadrant->excess.x);
    const numbers excess = select_numbers(by_x, quadrant->excess.x, quadrant->excess.y);
    const vectors side = {select_numbers(by_x, one, zero), select_numbers(by_x, zero, one)};
    const ways_out out = {select_vectors(inside, side, scale_vectors(quadrant->beyond, factor)),
                          sub_numbers(mixed->radius, select_numbers(inside, excess, root))};
    return out;
}

GRZ_IN_PLACE vectors from_quadrants(const quadrants *quadrant, vectors v)
{
    return add_vectors(scale_vectors(quadrant->p, v.x), scale_vectors(quadrant->q, v.y));
}

// The normal and the depth, in p and q, which are x and y for overlaps at the start.
GRZ_IN_PLACE void face_mixed(const mixed_pairs *mixed, const quadrants *quadrant,
                             const rect_parts *part, const passages *corner, numbers root,
                             sweeps *sweep)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const numbers factor = div_numbers(
        one, select_numbers(quadrant->rests, root, mul_numbers(mixed->radius, corner->path)));
    const ways_out out = rest_mixed(mixed, quadrant, root, factor);
    const vectors inward = scale_vectors(turn_inward(corner, quadrant->delta, root), factor);
    const vectors flat = {fill_numbers(-1), zero};
    const vectors normal = select_vectors(quadrant->rests, negate_vectors(out.way),
                                          select_vectors(part->by_flat, flat, inward));
    sweep->normal = unit_axes(from_quadrants(quadrant, normal));
    sweep->approach = dot_vectors(mixed->delta, sweep->normal);
    sweep->depth = select_numbers(quadrant->rests, out.depth, zero);
}

// The point, likewise; `time` is when the side is met.
GRZ_IN_PLACE void place_mixed(const quadrants *quadrant, const rect_parts *part, numbers time,
                              sweeps *sweep)
{
    const numbers half_q = quadrant->half.y;
    const numbers along_q = add_numbers(quadrant->start.y, mul_numbers(quadrant->delta.y, time));
    const numbers on_side = min_numbers(max_numbers(along_q, negate_numbers(half_q)), half_q);
    const vectors met = {quadrant->half.x, select_numbers(part->by_flat, on_side, part->corner_q)};
    const vectors nearest = sub_vectors(quadrant->start, quadrant->beyond);
    sweep->point = from_quadrants(quadrant, select_vectors(quadrant->rests, nearest, met));
}

// initial_overlap_with_rect if they touch at the start, else the flat part of enter_side, or
// enter_corner. The three share divisions and a root.
GRZ_IN_PLACE sweeps sweep_mixed(const mixed_pairs *mixed)
{
    sweeps sweep;
    const numbers zero = fill_numbers(0);
    const quadrants quadrant = look_at_rects(mixed);
    const marks rests = quadrant.rests;
    const rect_parts part = find_parts(&quadrant);
    const vectors from_corner = sub_vectors(quadrant.start, join(quadrant.half.x, part.corner_q));
    const passages corner = follow_points(from_corner, quadrant.delta, mixed->radius);

    const marks decided = or_marks(or_marks(quadrant.misses, rests), part.by_flat);
    sweep.rare = but_not_marks(corner.rare, decided);
    sweep.far = quadrant.far;

    const numbers beyond2 = dot_vectors(quadrant.beyond, quadrant.beyond);
    const numbers root = sqrt_numbers(select_numbers(rests, beyond2, corner.chord));
    const numbers gap2 = sub_numbers(corner.gap, corner.reach);
    const numbers time =
        div_numbers(select_numbers(part.by_flat, quadrant.gap_p, gap2),
                    select_numbers(part.by_flat, part.speed, add_numbers(root, corner.approach)));
    const numbers entry = select_numbers(part.by_flat, time, min_numbers(time, fill_numbers(1)));
    sweep.time = select_numbers(rests, zero, entry);
    const marks in_time = and_marks(corner.enters, at_most_numbers(zero, time));
    sweep.hit = but_not_marks(or_marks(or_marks(rests, part.by_flat), in_time), quadrant.misses);
    face_mixed(mixed, &quadrant, &part, &corner, root, &sweep);
    place_mixed(&quadrant, &part, time, &sweep);
    return sweep;
}

#endif
