/// @file decide_round_wide.h
/// Pairs of round bodies, many at a time: circles and rays. Included by decide_wide.h alone.

/// The sum of two radii, and b's part of it.
typedef struct reach_lanes {
    doubles reach, radius_b;
} reach_lanes;

static inline reach_lanes load_reaches(const grz_rows *rows, const uint32_t *a, const uint32_t *b)
{
    reach_lanes reaches;
    doubles radius_a, unused;
    gather_points(rows->half, a, &radius_a, &unused);
    gather_points(rows->half, b, &reaches.radius_b, &unused);
    reaches.reach = add_doubles(radius_a, reaches.radius_b);
    return reaches;
}

// The same of a ray, whose radius is 0 and not read, and a disc.
static inline reach_lanes load_radii(const grz_rows *rows, const uint32_t *disc)
{
    reach_lanes reaches;
    doubles unused;
    gather_points(rows->half, disc, &reaches.radius_b, &unused);
    reaches.reach = reaches.radius_b;
    return reaches;
}

// The same of a plain ray and a disc, in either order, which the lower half of a rank names: the
// ray's radius is 0, and not read.
static inline reach_lanes load_ray_reaches(const grz_rows *rows, next_pairs pairs)
{
    reach_lanes reaches;
    doubles unused;
    uint32_t discs[GRZ_WIDTH_D];
    double is_b[GRZ_WIDTH_D];
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        discs[lane] = (uint32_t)pairs.ranks[lane];
        is_b[lane] = discs[lane] == pairs.b[lane];
    }
    gather_points(rows->half, discs, &reaches.reach, &unused);
    reaches.radius_b = mul_doubles(reaches.reach, load_doubles(is_b));
    return reaches;
}

/// Discs at the start of the step: the data for those that touch there.
typedef struct start_lanes {
    doubles x, y; ///< a's centre relative to b's.
    doubles b_x, b_y;
    doubles reach, radius_b;
    doubles distance, factor; ///< Of the centres, and -1 by that: see measure_starts.
} start_lanes;

static inline void measure_starts(start_lanes *start)
{
    start->distance = sqrt_doubles(dot_doubles(start->x, start->y, start->x, start->y));
    start->factor = div_doubles(fill_doubles(-1), start->distance);
}

static inline start_lanes start_of_motion(const motion_lanes *motion, const reach_lanes *reaches)
{
    const start_lanes start = {
        .x = motion->start_x,
        .y = motion->start_y,
        .b_x = motion->b_x,
        .b_y = motion->b_y,
        .reach = reaches->reach,
        .radius_b = reaches->radius_b,
    };
    return start;
}

static inline doubles_mask find_resting(const start_lanes *start)
{
    return at_most_doubles(dot_doubles(start->x, start->y, start->x, start->y),
                           mul_doubles(start->reach, start->reach));
}

// Mirrors initial_overlap_with_disc in sweep_disc.h, for those that touch at the start. Does not
// fill in the approach.
static inline touch_lanes rest_discs(const start_lanes *start)
{
    touch_lanes touch;
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    touch.time = zero;
    touch.depth = sub_doubles(start->reach, start->distance);
    const doubles_mask is_apart = less_doubles(zero, start->distance);
    touch.normal_x = select_doubles(is_apart, mul_doubles(start->x, start->factor), one);
    touch.normal_y = select_doubles(is_apart, mul_doubles(start->y, start->factor), zero);
    const doubles_mask is_outside = less_doubles(start->radius_b, start->distance);
    const doubles inward = negate_doubles(start->radius_b);
    const doubles x = select_doubles(is_outside, mul_doubles(touch.normal_x, inward), start->x);
    const doubles y = select_doubles(is_outside, mul_doubles(touch.normal_y, inward), start->y);
    touch.x = add_doubles(start->b_x, x);
    touch.y = add_doubles(start->b_y, y);
    touch.hit = at_most_doubles(zero, zero);
    touch.left_over = less_doubles(zero, zero);
    return touch;
}

/// Discs that move and do not touch at the start, in the terms of enter_disc.
typedef struct course_lanes {
    doubles reach2, approach, path, side, chord;
    doubles_mask enters, left_over;
} course_lanes;

// The part of enter_disc before its root. All input is finite, as Predict ensures, so that no sum
// can overflow a double.
static inline course_lanes look_ahead(const motion_lanes *motion, doubles reach)
{
    course_lanes to;
    const doubles zero = fill_doubles(0);
    to.reach2 = mul_doubles(reach, reach);
    to.approach = negate_doubles(
        dot_doubles(motion->start_x, motion->start_y, motion->delta_x, motion->delta_y));
    to.path = dot_doubles(motion->delta_x, motion->delta_y, motion->delta_x, motion->delta_y);
    to.side = cross_doubles(motion->start_x, motion->start_y, motion->delta_x, motion->delta_y);
    to.chord = sub_doubles(mul_doubles(to.reach2, to.path), mul_doubles(to.side, to.side));
    const doubles end_x = add_doubles(motion->start_x, motion->delta_x);
    const doubles end_y = add_doubles(motion->start_y, motion->delta_y);
    const doubles end2 = dot_doubles(end_x, end_y, end_x, end_y);
    const doubles_mask passes = less_doubles(to.chord, zero);
    const doubles_mask ends_before = mask_or_d(at_most_doubles(to.path, to.approach), passes);
    const doubles_mask is_short = mask_and_d(ends_before, less_doubles(to.reach2, end2));
    to.enters = mask_but_not_d(less_doubles(zero, to.approach), is_short);
    const doubles_mask point_like = at_most_doubles(reach, zero);
    to.left_over = mask_and_d(to.enters, mask_or_d(passes, point_like));
    return to;
}

// All of enter_disc. Results of lanes that miss, which may be infinite or NaN, are not used.
static inline touch_lanes enter_discs(const motion_lanes *motion, const reach_lanes *reaches)
{
    touch_lanes touch;
    const course_lanes ahead = look_ahead(motion, reaches->reach);
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles root = sqrt_doubles(ahead.chord);
    const doubles factor = div_doubles(one, mul_doubles(reaches->reach, ahead.path));
    const doubles distance2 =
        dot_doubles(motion->start_x, motion->start_y, motion->start_x, motion->start_y);
    const doubles time =
        div_doubles(sub_doubles(distance2, ahead.reach2), add_doubles(root, ahead.approach));
    touch.time = min_doubles(time, one);
    touch.depth = zero;
    touch.left_over = ahead.left_over;
    touch.hit =
        mask_and_d(mask_but_not_d(ahead.enters, touch.left_over), at_most_doubles(zero, time));

    // The normal, composed of root and side; the point on b.
    const doubles inward_x =
        sub_doubles(mul_doubles(motion->delta_x, root), mul_doubles(motion->delta_y, ahead.side));
    const doubles inward_y =
        add_doubles(mul_doubles(motion->delta_y, root), mul_doubles(motion->delta_x, ahead.side));
    touch.normal_x = mul_doubles(inward_x, factor);
    touch.normal_y = mul_doubles(inward_y, factor);
    const doubles inward = negate_doubles(reaches->radius_b);
    const doubles b_x = add_doubles(motion->b_x, mul_doubles(motion->b_delta_x, touch.time));
    const doubles b_y = add_doubles(motion->b_y, mul_doubles(motion->b_delta_y, touch.time));
    touch.x = add_doubles(b_x, mul_doubles(touch.normal_x, inward));
    touch.y = add_doubles(b_y, mul_doubles(touch.normal_y, inward));
    touch.approach = approach_of(motion, &touch);
    return touch;
}

/// Starts of some pairs, by place.
typedef struct start_columns {
    _Alignas(GRZ_ALIGNMENT) double of[8][GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    uint32_t resting[(GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING) / GRZ_WIDTH_D]; ///< Bits of lanes.
} start_columns;

static inline void store_starts(start_columns *columns, uint32_t first, const start_lanes *from)
{
    const doubles of[8] = {from->x,     from->y,        from->b_x,      from->b_y,
                           from->reach, from->radius_b, from->distance, from->factor};
    for (uint32_t k = 0; k < 8; ++k) {
        store_doubles(columns->of[k] + first, of[k]);
    }
}

static inline start_lanes load_starts(const start_columns *from, uint32_t first)
{
    doubles of[8];
    for (uint32_t k = 0; k < 8; ++k) {
        of[k] = load_doubles(from->of[k] + first);
    }
    const start_lanes to = {of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7]};
    return to;
}

static inline start_lanes gather_starts(const grz_rows *rows, next_pairs pairs)
{
    start_lanes start;
    doubles a_x, a_y, radius_a, unused;
    gather_points(rows->position, pairs.a, &a_x, &a_y);
    gather_points(rows->half, pairs.a, &radius_a, &unused);
    gather_points(rows->position, pairs.b, &start.b_x, &start.b_y);
    gather_points(rows->half, pairs.b, &start.radius_b, &unused);
    start.x = sub_doubles(a_x, start.b_x);
    start.y = sub_doubles(a_y, start.b_y);
    start.reach = add_doubles(radius_a, start.radius_b);
    measure_starts(&start);
    return start;
}

// Lanes past the last pair take any row.
static inline void find_starts(const grz_rows *rows, const grz_ranked_pairs *pairs,
                               start_columns *columns)
{
    uint32_t first = 0;
    for (; first < pairs->count; first += GRZ_WIDTH_D) {
        const start_lanes starts = gather_starts(rows, pairs_from(pairs, first));
        columns->resting[first / GRZ_WIDTH_D] = mask_bits_d(find_resting(&starts));
        store_starts(columns, first, &starts);
    }
    columns->resting[first / GRZ_WIDTH_D] = 0;
}

// How fast two that touch at the start come together: their motions are as load_motions has them.
static inline doubles approach_from(const grz_rows *rows, next_pairs pairs,
                                    const start_lanes *start, const touch_lanes *touch)
{
    doubles a_x, a_y, b_x, b_y;
    gather_points(rows->end, pairs.a, &a_x, &a_y);
    gather_points(rows->end, pairs.b, &b_x, &b_y);
    const doubles delta_x = sub_doubles(sub_doubles(a_x, b_x), start->x);
    const doubles delta_y = sub_doubles(sub_doubles(a_y, b_y), start->y);
    return dot_doubles(delta_x, delta_y, touch->normal_x, touch->normal_y);
}

static inline void put_resting(const grz_rows *rows, const grz_ranked_pairs *pairs,
                               const start_columns *starts, grz_hit_sink *sink)
{
    grz_hit_sink to = *sink;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const start_lanes start = load_starts(starts, first);
        touch_lanes touch = rest_discs(&start);
        touch.approach = approach_from(rows, next, &start, &touch);
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        const uint32_t resting = starts->resting[first / GRZ_WIDTH_D];
        put_hits(rows, next, &touch, resting & valid, &to);
    }
    *sink = to;
}

static inline void keep_moving(grz_ranked_pairs *pairs, const start_columns *starts)
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

/// Bits of lanes: none has two of these.
typedef struct course_bits {
    uint32_t resting, entering, left_over;
} course_bits;

static inline course_bits look_at_half(const grz_rows *rows, next_pairs pairs, bool rays)
{
    const motion_lanes motion = load_motions(rows, pairs.a, pairs.b);
    const reach_lanes reaches =
        rays ? load_radii(rows, pairs.b) : load_reaches(rows, pairs.a, pairs.b);
    const start_lanes start = start_of_motion(&motion, &reaches);
    const course_lanes ahead = look_ahead(&motion, reaches.reach);
    const doubles_mask resting = find_resting(&start);
    const doubles_mask entering = mask_but_not_d(ahead.enters, resting);
    const course_bits bits = {
        .resting = mask_bits_d(resting),
        .entering = mask_bits_d(mask_but_not_d(entering, ahead.left_over)),
        .left_over = mask_bits_d(mask_and_d(entering, ahead.left_over)),
    };
    return bits;
}

// For the GRZ_WIDTH pairs from `first` on; with `rays` all are of plain rays, a, and discs, b.
static inline course_bits look_at_courses(const grz_rows *rows, const grz_ranked_pairs *pairs,
                                          uint32_t first, bool rays)
{
    const course_bits low = look_at_half(rows, pairs_from(pairs, first), rays);
    const course_bits high = look_at_half(rows, pairs_from(pairs, first + GRZ_WIDTH_D), rays);
    const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH);
    const course_bits all = {
        .resting = (low.resting | high.resting << GRZ_WIDTH_D) & valid,
        .entering = (low.entering | high.entering << GRZ_WIDTH_D) & valid,
        .left_over = (low.left_over | high.left_over << GRZ_WIDTH_D) & valid,
    };
    return all;
}

static inline void keep_entering(const grz_rows *rows, grz_ranked_pairs *pairs,
                                 grz_ranked_pairs *left_over)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH) {
        const course_bits bits = look_at_courses(rows, pairs, first, false);
        leave_over(pairs, first, bits.left_over, left_over);
        count = keep_pairs(pairs, first, bits.entering, pairs, count);
    }
    pairs->count = count;
    pad_pairs(pairs);
}

static inline void put_entering(const grz_rows *rows, const grz_ranked_pairs *pairs,
                                grz_hit_sink *sink)
{
    grz_hit_sink to = *sink;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const motion_lanes motion = load_motions(rows, next.a, next.b);
        const reach_lanes reaches = load_reaches(rows, next.a, next.b);
        const touch_lanes touch = enter_discs(&motion, &reaches);
        const uint32_t hits = mask_bits_d(touch.hit);
        put_hits(rows, next, &touch, hits & valid_lanes(pairs->count - first, GRZ_WIDTH_D), &to);
    }
    *sink = to;
}

// HOT. bench: engine/step/gas
//
// Data    Position and half extents of two rows, 32 bytes, and their ends, 16; for those that do
//         not touch at the start all of that once more, 48, and again for those that enter; for all
//         that may touch the generations, 8; 40 written a hit.
// Branch  None but for what is left over, which is next to nothing. Of the pairs of a gas two
//         thirds touch at the start, and most others miss: so at first it is only computed which
//         do which. What takes long, a root and a quotient, is begun in one loop and used in the
//         next, so that nothing waits for it. One loop that begins them for the next lanes, and
//         keeps all in registers, takes AVX2 and SSE2 a tenth longer, and AVX-512 no less time.
// Order   Of some hundred pairs first those that touch at the start: nothing depends on it.
static void decide_round(const grz_rows *rows, grz_ranked_pairs *pairs, grz_hit_sink *sink,
                         grz_ranked_pairs *left_over)
{
    start_columns starts;
    pad_pairs(pairs);
    find_starts(rows, pairs, &starts);
    put_resting(rows, pairs, &starts, sink);
    keep_moving(pairs, &starts);
    keep_entering(rows, pairs, left_over);
    put_entering(rows, pairs, sink);
}
