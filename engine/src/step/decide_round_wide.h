/// @file decide_round_wide.h
/// Pairs of round bodies, many at a time: circles and rays. Included by decide_wide.h alone.

/// The sum of two radii, and b's part of it.
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

// The same of a plain ray and a disc, in either order, which the lower half of a rank names: the
// ray's radius is 0, and not read.
static inline reach_lanes load_ray_reaches(const grz_rows *rows, next_pairs pairs)
{
    reach_lanes reaches;
    uint32_t discs[GRZ_WIDTH_D];
    double is_b[GRZ_WIDTH_D];
    for (uint32_t lane = 0; lane < GRZ_WIDTH_D; ++lane) {
        discs[lane] = (uint32_t)pairs.ranks[lane];
        is_b[lane] = discs[lane] == pairs.b[lane];
    }
    reaches.reach = gather_radii(rows, discs);
    reaches.radius_b = mul_doubles(reaches.reach, load_doubles(is_b));
    return reaches;
}

/// Discs at the start of the step: the data for those that touch there.
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

/// Starts of some pairs, by place: for each vector of lanes.
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
static inline void find_starts(const grz_rows *rows, const grz_ranked_pairs *pairs,
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

static inline void put_resting(const grz_rows *rows, const grz_ranked_pairs *pairs,
                               const start_columns *starts, grz_hit_sink *sink)
{
    grz_hit_sink to = *sink;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const start_lanes start = starts->of[first / GRZ_WIDTH_D];
        sweeps touch = rest_discs(&start);
        touch.approach = approach_from(rows, next, &start, touch.normal);
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

/// Bits of lanes: none has both.
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
static inline course_bits look_at_courses(const grz_rows *rows, const grz_ranked_pairs *pairs,
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

static inline void keep_entering(const grz_rows *rows, grz_ranked_pairs *pairs,
                                 grz_ranked_pairs *left_over)
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

static inline void put_entering(const grz_rows *rows, const grz_ranked_pairs *pairs,
                                grz_hit_sink *sink)
{
    grz_hit_sink to = *sink;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const motion_lanes motion = load_motions(rows, next.a, next.b);
        const reach_lanes reaches = load_reaches(rows, next.a, next.b);
        const sweeps touch = meet_discs(&motion, &reaches);
        const uint32_t hits = mark_bits(touch.hit);
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
