/// @file decide_rays_wide.h
/// Pairs of a plain ray and a round body, many at a time. Included by decide_wide.h alone.

// Keeps pairs that may touch, which does not depend on which of the two is a.
static inline void keep_rays(const grz_rows *rows, grz_ranked_pairs *pairs,
                             grz_ranked_pairs *left_over)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH) {
        const course_bits bits = look_at_courses(rows, pairs, first, true);
        if (bits.left_over) {
            left_over->count = keep_rows(pairs, first, bits.left_over, left_over, left_over->count);
        }
        count = keep_rows(pairs, first, bits.candidate, pairs, count);
    }
    pairs->count = count;
    grz_rank_rays(rows, pairs);
    pad_pairs(pairs);
    grz_rank_rays(rows, left_over);
}

// Stores every lane, but advances only past those that touch: no branch.
static inline void put_touches(const sweeps *touch, const uint64_t *ranks, uint32_t kept,
                               grz_touch_sink *sink)
{
    const rounded_touches rounded = round_touches(touch, sink->steps_per_second);
    const uint32_t comes_in = mask_bits_d(less_doubles(fill_doubles(0), touch->approach));
    float octets[8 * GRZ_WIDTH_D];
    double times[GRZ_WIDTH_D];
    store_octets(octets, rounded.approach_and_depth, rounded.approach_and_depth, rounded.point,
                 rounded.normal);
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

static inline void put_rays(const grz_rows *rows, const grz_ranked_pairs *pairs,
                            grz_touch_sink *sink)
{
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const next_pairs next = pairs_from(pairs, first);
        const motion_lanes motion = load_motions(rows, next.a, next.b);
        const reach_lanes reaches = load_ray_reaches(rows, next);
        const sweeps touch = sweep_motions(&motion, &reaches);
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        put_touches(&touch, next.ranks, mask_bits_d(touch.hit) & valid, sink);
    }
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    Position and end of two rows and half extents of one, 40 bytes; for pairs that may touch
//         the same again, with two indices; 48 written a touch.
// Branch  None except for pairs left over, which are very few. Most miss: first only those that do
//         not are found.
// Order   That of the pairs; nothing depends on it.
static void decide_rays(const grz_rows *rows, grz_ranked_pairs *pairs, grz_touch_sink *sink,
                        grz_ranked_pairs *left_over)
{
    pad_pairs(pairs);
    keep_rays(rows, pairs, left_over);
    put_rays(rows, pairs, sink);
}
