/// @file decide_rects_wide.h
/// Pairs of rects, many at a time. Included by decide_wide.h alone.

/// The axes and half extents of rects.
typedef struct frame_lanes {
    doubles u_x, u_y, v_x, v_y, half_x, half_y;
} frame_lanes;

static inline frame_lanes load_frames(const grz_rows *rows, const uint32_t *row)
{
    frame_lanes of;
    gather_points(grz_as_points(rows->rotation), row, &of.u_x, &of.u_y);
    of.v_x = negate_doubles(of.u_y);
    of.v_y = of.u_x;
    gather_points(rows->half, row, &of.half_x, &of.half_y);
    return of;
}

/// An axis that may separate two rects, or along which they touch.
typedef struct axis_lanes {
    doubles x, y;
    doubles half_width; ///< Of the owner's side across it.
    doubles toward;     ///< 1 if b lies ahead on it, -1 if behind.
    doubles of_b;       ///< 1 if it is b's, 0 if it is a's.
} axis_lanes;

static inline void select_axis(axis_lanes *to, doubles_mask mask, const axis_lanes *from)
{
    to->x = select_doubles(mask, from->x, to->x);
    to->y = select_doubles(mask, from->y, to->y);
    to->half_width = select_doubles(mask, from->half_width, to->half_width);
    to->toward = select_doubles(mask, from->toward, to->toward);
    to->of_b = select_doubles(mask, from->of_b, to->of_b);
}

/// The result of all axes so far: see window and penetration in separating_axis.h.
typedef struct window_lanes {
    doubles enter, enter_per, leave, leave_per;
    axis_lanes entered; ///< The axis entered last,
    doubles apart;      ///< if this is 1; else they overlap on all at the start.
    axis_lanes out;     ///< The shallowest way out,
    doubles depth;      ///< so deep.
    doubles_mask misses;
    doubles arc;      ///< How far both go by turning:
    doubles_mask far; ///< they stay apart nonetheless.
} window_lanes;

// Takes an axis into account, as narrow_window and consider_penetration do.
static inline void narrow_windows(window_lanes *open, axis_lanes axis, doubles reach,
                                  const motion_lanes *motion)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles center =
        negate_doubles(dot_doubles(motion->start_x, motion->start_y, axis.x, axis.y));
    const doubles speed = dot_doubles(motion->delta_x, motion->delta_y, axis.x, axis.y);
    const doubles back = sub_doubles(reach, center), ahead = add_doubles(center, reach);
    const doubles_mask shallower = less_doubles(min_doubles(back, ahead), open->depth);
    axis.toward = select_doubles(at_most_doubles(back, ahead), one, fill_doubles(-1));
    select_axis(&open->out, shallower, &axis);
    open->depth = select_doubles(shallower, min_doubles(back, ahead), open->depth);

    const doubles_mask is_ahead = less_doubles(reach, center);
    const doubles gap = select_doubles(is_ahead, sub_doubles(center, reach),
                                       sub_doubles(negate_doubles(reach), center));
    const doubles closing = select_doubles(is_ahead, speed, negate_doubles(speed));
    const doubles_mask parted = less_doubles(zero, gap);
    open->misses = mask_or_d(open->misses, mask_and_d(parted, less_doubles(closing, gap)));
    open->far = mask_or_d(open->far,
                          mask_and_d(parted, less_doubles(open->arc, sub_doubles(gap, closing))));
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

static inline window_lanes project_rects(const frame_lanes *a, const frame_lanes *b,
                                         const motion_lanes *motion, doubles arc)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const axis_lanes none = {zero, zero, zero, zero, zero};
    const axis_lanes axes[4] = {{a->u_x, a->u_y, a->half_y, zero, zero},
                                {a->v_x, a->v_y, a->half_x, zero, zero},
                                {b->u_x, b->u_y, b->half_y, zero, one},
                                {b->v_x, b->v_y, b->half_x, zero, one}};
    const doubles_mask unset = less_doubles(zero, zero);
    window_lanes open = {zero,  one, one,  one, none, zero, none, fill_doubles(DBL_MAX),
                         unset, arc, unset};
    doubles reach[4];
    find_reaches(a, b, reach);
    for (uint32_t axis = 0; axis < 4; ++axis) {
        narrow_windows(&open, axes[axis], reach[axis], motion);
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

// As find_incident_edge does, and pair_features.
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
    return min_doubles(max_doubles(a, fill_doubles(-1)), fill_doubles(1));
}

// The point of the edge that represents the touch: as clip_incident_edge and touching_point do.
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

// Mirrors graze_sweep_rects, in absolute coordinates: initial_overlap_of_rects if they overlap at
// the start. All input is finite.
static inline touch_lanes touch_rects(const frame_lanes *a, const frame_lanes *b,
                                      const motion_lanes *motion, turning_lanes *turning)
{
    touch_lanes touch;
    const doubles zero = fill_doubles(0);
    const window_lanes open = project_rects(a, b, motion, turning->arc);
    const doubles_mask apart = less_doubles(zero, open.apart);
    const doubles_mask opens = at_most_doubles(mul_doubles(open.enter, open.leave_per),
                                               mul_doubles(open.leave, open.enter_per));
    touch.hit = mask_but_not_d(opens, open.misses);
    turning->far = open.far;
    turning->size =
        min_doubles(min_doubles(a->half_x, a->half_y), min_doubles(b->half_x, b->half_y));
    touch.left_over = less_doubles(zero, zero);
    touch.time = select_doubles(apart, div_doubles(open.enter, open.enter_per), zero);
    touch.depth = select_doubles(apart, zero, open.depth);
    axis_lanes axis = open.out;
    select_axis(&axis, apart, &open.entered);

    // The normal, and the face that it belongs to.
    const doubles length2 = dot_doubles(axis.x, axis.y, axis.x, axis.y);
    const doubles to_unit = sub_doubles(fill_doubles(1.5), mul_doubles(fill_doubles(0.5), length2));
    touch.normal_x = mul_doubles(mul_doubles(axis.x, to_unit), axis.toward);
    touch.normal_y = mul_doubles(mul_doubles(axis.y, to_unit), axis.toward);
    const doubles_mask of_b = less_doubles(zero, axis.of_b);
    const doubles face_x = select_doubles(of_b, negate_doubles(touch.normal_x), touch.normal_x);
    const doubles face_y = select_doubles(of_b, negate_doubles(touch.normal_y), touch.normal_y);

    // The edge that touches the face, relative to its owner.
    const doubles a_x = add_doubles(motion->start_x, mul_doubles(motion->delta_x, touch.time));
    const doubles a_y = add_doubles(motion->start_y, mul_doubles(motion->delta_y, touch.time));
    const frame_lanes other = select_frames(of_b, a, b);
    const edge_lanes facing =
        find_facing(&other, select_doubles(of_b, a_x, negate_doubles(a_x)),
                    select_doubles(of_b, a_y, negate_doubles(a_y)), face_x, face_y);
    const doubles t = find_touching(&facing, face_x, face_y, axis.half_width);
    const doubles edge_x = add_doubles(facing.middle_x, mul_doubles(facing.half_x, t));
    const doubles edge_y = add_doubles(facing.middle_y, mul_doubles(facing.half_y, t));
    const doubles b_x = add_doubles(motion->b_x, mul_doubles(motion->b_delta_x, touch.time));
    const doubles b_y = add_doubles(motion->b_y, mul_doubles(motion->b_delta_y, touch.time));
    touch.x = add_doubles(b_x, add_doubles(select_doubles(of_b, zero, a_x), edge_x));
    touch.y = add_doubles(b_y, add_doubles(select_doubles(of_b, zero, a_y), edge_y));
    touch.approach = approach_of(motion, &touch);
    return touch;
}

// HOT. bench: engine/step/gas-mixed
//
// Data    Position, end, half extents, rotation and generation of two rows, 72 bytes; 40 written a
//         hit.
// Branch  None: all four axes are tested, and a point is computed for all; except for those that
//         may touch as they turn, which are very few.
static void decide_angular(const grz_rows *rows, grz_ranked_pairs *pairs, grz_hit_sink *sink,
                           grz_ranked_pairs *left_over)
{
    (void)left_over;
    pad_pairs(pairs);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t *a = pairs->a + first, *b = pairs->b + first;
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        const frame_lanes frame_a = load_frames(rows, a);
        const frame_lanes frame_b = load_frames(rows, b);
        const motion_lanes motion = load_motions(rows, a, b);
        turning_lanes turning;
        turning.arc = add_doubles(arcs_of(rows, a, frame_a.half_x, frame_a.half_y),
                                  arcs_of(rows, b, frame_b.half_x, frame_b.half_y));
        const touch_lanes touch = touch_rects(&frame_a, &frame_b, &motion, &turning);
        const uint32_t turned = find_turning(&turning, &touch) & valid;
        const uint32_t hits = mask_bits_d(touch.hit) & valid & ~turned;
        put_hits(rows, pairs_from(pairs, first), &touch, hits, sink);
        decide_turning(rows, pairs, first, turned, sink);
    }
}
