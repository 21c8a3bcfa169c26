/// @file decide_mixed_wide.h
/// Pairs of a round body and a rect, many at a time. Included by decide_wide.h alone.

/// A pair of a disc and a rect in each lane. Motion is that of the disc relative to the rect.
typedef struct mixed_lanes {
    doubles start_x, start_y, delta_x, delta_y;
    doubles radius, half_x, half_y, cosine, sine;
    doubles arc; ///< How far the rect goes by turning.
} mixed_lanes;

/// The results, relative to the rect: the point is relative to its centre.
typedef struct mixed_touch_lanes {
    doubles time, x, y, normal_x, normal_y, depth;
    doubles_mask hit, left_over;
    doubles_mask far; ///< However the rect turns, they stay apart.
} mixed_touch_lanes;

static inline doubles_mask not_doubles(doubles_mask mask)
{
    return mask_but_not_d(at_most_doubles(fill_doubles(0), fill_doubles(0)), mask);
}

/// A vector in the axes of a quadrant: p is x or y, whichever side is reached last; q is the other.
typedef struct quadrant_lanes {
    doubles p_x, p_y, q_x, q_y; ///< The axes, in world coordinates.
    doubles start_p, start_q, delta_p, delta_q, half_p, half_q, gap_p;
    doubles excess_x, excess_y; ///< How far the centre is beyond the sides; below 0: within.
    doubles beyond_x, beyond_y; ///< Likewise, 0 within.
    doubles_mask misses, far, rests, by_side;
} quadrant_lanes;

// The part of graze_sweep_circle_rect before it knows which part of the rect is met.
static inline quadrant_lanes look_at_rects(const mixed_lanes *mixed)
{
    quadrant_lanes quadrant;
    const doubles zero = fill_doubles(0);
    const doubles v_x = negate_doubles(mixed->sine);
    const doubles local_x = dot_doubles(mixed->start_x, mixed->start_y, mixed->cosine, mixed->sine);
    const doubles local_y = dot_doubles(mixed->start_x, mixed->start_y, v_x, mixed->cosine);
    const doubles_mask left = less_doubles(local_x, zero), below = less_doubles(local_y, zero);
    const doubles x_x = select_doubles(left, negate_doubles(mixed->cosine), mixed->cosine);
    const doubles x_y = select_doubles(left, negate_doubles(mixed->sine), mixed->sine);
    const doubles y_x = select_doubles(below, negate_doubles(v_x), v_x);
    const doubles y_y = select_doubles(below, negate_doubles(mixed->cosine), mixed->cosine);
    const doubles start_x = select_doubles(left, negate_doubles(local_x), local_x);
    const doubles start_y = select_doubles(below, negate_doubles(local_y), local_y);
    const doubles delta_x = dot_doubles(mixed->delta_x, mixed->delta_y, x_x, x_y);
    const doubles delta_y = dot_doubles(mixed->delta_x, mixed->delta_y, y_x, y_y);
    quadrant.excess_x = sub_doubles(start_x, mixed->half_x);
    quadrant.excess_y = sub_doubles(start_y, mixed->half_y);
    const doubles gap_x = sub_doubles(quadrant.excess_x, mixed->radius);
    const doubles gap_y = sub_doubles(quadrant.excess_y, mixed->radius);
    quadrant.misses = mask_or_d(less_doubles(max_doubles(negate_doubles(delta_x), zero), gap_x),
                                less_doubles(max_doubles(negate_doubles(delta_y), zero), gap_y));
    const doubles_mask far_x = less_doubles(mixed->arc, add_doubles(gap_x, delta_x));
    const doubles_mask far_y = less_doubles(mixed->arc, add_doubles(gap_y, delta_y));
    quadrant.far = mask_or_d(mask_and_d(less_doubles(zero, gap_x), far_x),
                             mask_and_d(less_doubles(zero, gap_y), far_y));
    quadrant.beyond_x = max_doubles(quadrant.excess_x, zero);
    quadrant.beyond_y = max_doubles(quadrant.excess_y, zero);
    quadrant.rests = at_most_doubles(
        dot_doubles(quadrant.beyond_x, quadrant.beyond_y, quadrant.beyond_x, quadrant.beyond_y),
        mul_doubles(mixed->radius, mixed->radius));
    const doubles_mask beside = less_doubles(zero, gap_x), above = less_doubles(zero, gap_y);
    const doubles_mask y_is_last =
        mask_and_d(above, less_doubles(mul_doubles(gap_y, delta_x), mul_doubles(gap_x, delta_y)));
    const doubles_mask by_y =
        mask_but_not_d(mask_but_not_d(above, mask_but_not_d(beside, y_is_last)), quadrant.rests);
    quadrant.by_side = mask_but_not_d(mask_or_d(beside, above), quadrant.rests);
    quadrant.p_x = select_doubles(by_y, y_x, x_x);
    quadrant.p_y = select_doubles(by_y, y_y, x_y);
    quadrant.q_x = select_doubles(by_y, x_x, y_x);
    quadrant.q_y = select_doubles(by_y, x_y, y_y);
    quadrant.start_p = select_doubles(by_y, start_y, start_x);
    quadrant.start_q = select_doubles(by_y, start_x, start_y);
    quadrant.delta_p = select_doubles(by_y, delta_y, delta_x);
    quadrant.delta_q = select_doubles(by_y, delta_x, delta_y);
    quadrant.half_p = select_doubles(by_y, mixed->half_y, mixed->half_x);
    quadrant.half_q = select_doubles(by_y, mixed->half_x, mixed->half_y);
    quadrant.gap_p = select_doubles(by_y, gap_y, gap_x);
    return quadrant;
}

/// Which part of the rect is met: the side across p, or the corner at one of its ends.
typedef struct part_lanes {
    doubles speed;    ///< Towards the side.
    doubles corner_q; ///< The corner's place along the side.
    doubles_mask by_flat;
} part_lanes;

static inline part_lanes find_parts(const quadrant_lanes *quadrant)
{
    part_lanes part;
    const doubles zero = fill_doubles(0);
    part.speed = negate_doubles(quadrant->delta_p);
    const doubles drift = mul_doubles(quadrant->gap_p, quadrant->delta_q);
    const doubles over = sub_doubles(quadrant->start_q, quadrant->half_q);
    const doubles under = add_doubles(quadrant->start_q, quadrant->half_q);
    const doubles_mask up = less_doubles(zero, add_doubles(mul_doubles(over, part.speed), drift));
    const doubles_mask down =
        mask_but_not_d(less_doubles(add_doubles(mul_doubles(under, part.speed), drift), zero), up);
    part.by_flat = mask_but_not_d(quadrant->by_side, mask_or_d(up, down));
    const doubles_mask far_corner = mask_and_d(quadrant->by_side, down);
    part.corner_q = select_doubles(far_corner, negate_doubles(quadrant->half_q), quadrant->half_q);
    return part;
}

/// How the centre passes the disc about a corner: the sums of enter_disc.
typedef struct corner_lanes {
    doubles distance2, reach2, approach, path, side, chord;
    doubles_mask passes; ///< Its line does not cross the disc.
    doubles_mask enters; ///< It may: it comes closer, and within reach before the step ends.
} corner_lanes;

static inline corner_lanes pass_corners(const mixed_lanes *mixed, const quadrant_lanes *quadrant,
                                        doubles corner_q)
{
    corner_lanes to;
    const doubles zero = fill_doubles(0);
    const doubles start_p = sub_doubles(quadrant->start_p, quadrant->half_p);
    const doubles start_q = sub_doubles(quadrant->start_q, corner_q);
    to.distance2 = dot_doubles(start_p, start_q, start_p, start_q);
    to.reach2 = mul_doubles(mixed->radius, mixed->radius);
    to.approach =
        negate_doubles(dot_doubles(start_p, start_q, quadrant->delta_p, quadrant->delta_q));
    to.path =
        dot_doubles(quadrant->delta_p, quadrant->delta_q, quadrant->delta_p, quadrant->delta_q);
    to.side = sub_doubles(mul_doubles(start_p, quadrant->delta_q),
                          mul_doubles(start_q, quadrant->delta_p));
    to.chord = sub_doubles(mul_doubles(to.reach2, to.path), mul_doubles(to.side, to.side));
    const doubles end_p = add_doubles(start_p, quadrant->delta_p);
    const doubles end_q = add_doubles(start_q, quadrant->delta_q);
    to.passes = less_doubles(to.chord, zero);
    const doubles_mask ends_before =
        mask_and_d(mask_or_d(at_most_doubles(to.path, to.approach), to.passes),
                   less_doubles(to.reach2, dot_doubles(end_p, end_q, end_p, end_q)));
    to.enters = mask_but_not_d(less_doubles(zero, to.approach), ends_before);
    return to;
}

/// Where a disc that overlaps at the start is pushed.
typedef struct rest_lanes {
    doubles way_x, way_y; ///< Outwards, in the quadrant's x and y.
    doubles depth;
} rest_lanes;

// A centre outside is pushed straight away from the rect, one inside through the nearest side.
// `root` is its distance, `factor` the inverse.
static inline rest_lanes rest_mixed(const mixed_lanes *mixed, const quadrant_lanes *quadrant,
                                    doubles root, doubles factor)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles_mask inside = mask_and_d(quadrant->rests, at_most_doubles(root, zero));
    const doubles_mask out_by_x = at_most_doubles(quadrant->excess_y, quadrant->excess_x);
    const doubles excess = select_doubles(out_by_x, quadrant->excess_x, quadrant->excess_y);
    const rest_lanes rest = {
        .way_x = select_doubles(inside, select_doubles(out_by_x, one, zero),
                                mul_doubles(quadrant->beyond_x, factor)),
        .way_y = select_doubles(inside, select_doubles(out_by_x, zero, one),
                                mul_doubles(quadrant->beyond_y, factor)),
        .depth = sub_doubles(mixed->radius, select_doubles(inside, excess, root)),
    };
    return rest;
}

// The normal and the depth, in p and q, which are x and y for overlaps at the start.
static inline void face_mixed(const mixed_lanes *mixed, const quadrant_lanes *quadrant,
                              const part_lanes *part, const corner_lanes *corner, doubles root,
                              mixed_touch_lanes *touch)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles factor = div_doubles(
        one, select_doubles(quadrant->rests, root, mul_doubles(mixed->radius, corner->path)));
    const rest_lanes rest = rest_mixed(mixed, quadrant, root, factor);
    const doubles inward_p = sub_doubles(mul_doubles(quadrant->delta_p, root),
                                         mul_doubles(quadrant->delta_q, corner->side));
    const doubles inward_q = add_doubles(mul_doubles(quadrant->delta_q, root),
                                         mul_doubles(quadrant->delta_p, corner->side));
    const doubles normal_p = select_doubles(
        quadrant->rests, negate_doubles(rest.way_x),
        select_doubles(part->by_flat, fill_doubles(-1), mul_doubles(inward_p, factor)));
    const doubles normal_q =
        select_doubles(quadrant->rests, negate_doubles(rest.way_y),
                       select_doubles(part->by_flat, zero, mul_doubles(inward_q, factor)));
    const doubles axis_x = dot_doubles(quadrant->p_x, quadrant->q_x, normal_p, normal_q);
    const doubles axis_y = dot_doubles(quadrant->p_y, quadrant->q_y, normal_p, normal_q);
    const doubles length2 = dot_doubles(axis_x, axis_y, axis_x, axis_y);
    const doubles to_unit = sub_doubles(fill_doubles(1.5), mul_doubles(fill_doubles(0.5), length2));
    touch->normal_x = mul_doubles(axis_x, to_unit);
    touch->normal_y = mul_doubles(axis_y, to_unit);
    touch->depth = select_doubles(quadrant->rests, rest.depth, zero);
}

// The point, likewise; `time` is when the side is met.
static inline void place_mixed(const quadrant_lanes *quadrant, const part_lanes *part, doubles time,
                               mixed_touch_lanes *touch)
{
    const doubles along_q = add_doubles(quadrant->start_q, mul_doubles(quadrant->delta_q, time));
    const doubles on_side =
        min_doubles(max_doubles(along_q, negate_doubles(quadrant->half_q)), quadrant->half_q);
    const doubles point_p = select_doubles(
        quadrant->rests, sub_doubles(quadrant->start_p, quadrant->beyond_x), quadrant->half_p);
    const doubles point_q =
        select_doubles(quadrant->rests, sub_doubles(quadrant->start_q, quadrant->beyond_y),
                       select_doubles(part->by_flat, on_side, part->corner_q));
    touch->x = dot_doubles(quadrant->p_x, quadrant->q_x, point_p, point_q);
    touch->y = dot_doubles(quadrant->p_y, quadrant->q_y, point_p, point_q);
}

// Mirrors graze_sweep_circle_rect: initial_overlap_with_rect if they touch at the start, else the
// flat part of enter_side, or enter_corner. The three share divisions and a root.
static inline mixed_touch_lanes sweep_mixed(const mixed_lanes *mixed)
{
    mixed_touch_lanes touch;
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const quadrant_lanes quadrant = look_at_rects(mixed);
    const part_lanes part = find_parts(&quadrant);
    const corner_lanes corner = pass_corners(mixed, &quadrant, part.corner_q);

    const doubles_mask apart =
        not_doubles(mask_or_d(mask_or_d(quadrant.misses, quadrant.rests), part.by_flat));
    const doubles_mask enters = mask_and_d(apart, corner.enters);
    const doubles_mask point_like = at_most_doubles(mixed->radius, zero);
    touch.left_over = mask_and_d(enters, mask_or_d(corner.passes, point_like));

    const doubles beyond2 =
        dot_doubles(quadrant.beyond_x, quadrant.beyond_y, quadrant.beyond_x, quadrant.beyond_y);
    const doubles root = sqrt_doubles(select_doubles(quadrant.rests, beyond2, corner.chord));
    const doubles gap2 = sub_doubles(corner.distance2, corner.reach2);
    const doubles time =
        div_doubles(select_doubles(part.by_flat, quadrant.gap_p, gap2),
                    select_doubles(part.by_flat, part.speed, add_doubles(root, corner.approach)));
    touch.time = select_doubles(quadrant.rests, zero,
                                select_doubles(part.by_flat, time, min_doubles(time, one)));
    const doubles_mask in_time =
        mask_and_d(mask_but_not_d(enters, touch.left_over), at_most_doubles(zero, time));
    touch.far = quadrant.far;
    touch.hit = mask_but_not_d(mask_or_d(mask_or_d(quadrant.rests, part.by_flat), in_time),
                               quadrant.misses);
    face_mixed(mixed, &quadrant, &part, &corner, root, &touch);
    place_mixed(&quadrant, &part, time, &touch);
    return touch;
}

/// Pairs relative to the rect, and the data to convert back.
typedef struct mixed_pairs {
    uint32_t disc[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< Rows.
    uint32_t rect[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    double sign[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< -1 if the rect is a, else 1.
} mixed_pairs;

// Simple enough for compilers to vectorize.
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

// Sweeps discs against rects, and converts to absolute coordinates.
static inline touch_lanes touch_mixed(const grz_rows *rows, const motion_lanes *motion,
                                      const mixed_pairs *pairs, uint32_t first,
                                      turning_lanes *turning)
{
    mixed_lanes seen;
    doubles unused;
    const doubles sign = load_doubles(pairs->sign + first);
    seen.start_x = mul_doubles(motion->start_x, sign);
    seen.start_y = mul_doubles(motion->start_y, sign);
    seen.delta_x = mul_doubles(motion->delta_x, sign);
    seen.delta_y = mul_doubles(motion->delta_y, sign);
    gather_points(rows->half, pairs->disc + first, &seen.radius, &unused);
    gather_points(rows->half, pairs->rect + first, &seen.half_x, &seen.half_y);
    gather_points(grz_as_points(rows->rotation), pairs->rect + first, &seen.cosine, &seen.sine);
    seen.arc = arcs_of(rows, pairs->rect + first, seen.half_x, seen.half_y);
    const mixed_touch_lanes found = sweep_mixed(&seen);
    const doubles_mask rect_is_a = less_doubles(sign, fill_doubles(0));
    const doubles a_x = add_doubles(motion->start_x, mul_doubles(motion->delta_x, found.time));
    const doubles a_y = add_doubles(motion->start_y, mul_doubles(motion->delta_y, found.time));
    const doubles from_b_x = select_doubles(rect_is_a, add_doubles(found.x, a_x), found.x);
    const doubles from_b_y = select_doubles(rect_is_a, add_doubles(found.y, a_y), found.y);
    const doubles b_x = add_doubles(motion->b_x, mul_doubles(motion->b_delta_x, found.time));
    const doubles b_y = add_doubles(motion->b_y, mul_doubles(motion->b_delta_y, found.time));
    touch_lanes touch = {
        .time = found.time,
        .x = add_doubles(b_x, from_b_x),
        .y = add_doubles(b_y, from_b_y),
        .normal_x = mul_doubles(found.normal_x, sign),
        .normal_y = mul_doubles(found.normal_y, sign),
        .depth = found.depth,
        .hit = found.hit,
        .left_over = found.left_over,
    };
    touch.approach = approach_of(motion, &touch);
    turning->arc = seen.arc;
    turning->size = min_doubles(seen.half_x, seen.half_y);
    turning->far = found.far;
    return touch;
}

// HOT. bench: engine/step/gas-mixed
//
// Data    Position, end, half extents and generation of two rows, 56 bytes, and the rect's
//         rotation; 40 written a hit.
// Branch  None except for pairs left over, and those that may touch as they turn: few of both.
static void decide_mixed(const grz_rows *rows, grz_ranked_pairs *pairs, grz_hit_sink *sink,
                         grz_ranked_pairs *left_over)
{
    mixed_pairs parted;
    pad_pairs(pairs);
    part_mixed(pairs, &parted);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        const motion_lanes motion = load_motions(rows, pairs->a + first, pairs->b + first);
        turning_lanes turning;
        const touch_lanes touch = touch_mixed(rows, &motion, &parted, first, &turning);
        const uint32_t left = mask_bits_d(touch.left_over) & valid;
        const uint32_t turned = find_turning(&turning, &touch) & valid & ~left;
        const uint32_t hits = mask_bits_d(touch.hit) & valid & ~turned;
        put_hits(rows, pairs_from(pairs, first), &touch, hits, sink);
        decide_turning(rows, pairs, first, turned, sink);
        leave_over(pairs, first, left, left_over);
    }
}
