/// @file decide_mixed_wide.h
/// Pairs of a round body and a rect, many at a time. Included by decide_wide.h alone.

/// Pairs relative to the rect, and the data to convert back.
typedef struct parted_pairs {
    uint32_t disc[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< Rows.
    uint32_t rect[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    double sign[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING]; ///< -1 if the rect is a, else 1.
} parted_pairs;

// Simple enough for compilers to vectorize.
static inline void part_mixed(const grz_ranked_pairs *pairs, parted_pairs *to)
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
// Data    Position, end, half extents and generation of two rows, 56 bytes, and the rect's
//         rotation; 40 written a hit.
// Branch  None except for pairs left over, and those that may touch as they turn: few of both.
static void decide_mixed(const grz_rows *rows, grz_ranked_pairs *pairs, grz_hit_sink *sink,
                         grz_ranked_pairs *left_over)
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
        put_hits(rows, pairs_from(pairs, first), &touch, hits, sink);
        decide_turning(rows, pairs, first, turned, sink);
        leave_over(pairs, first, left, left_over);
    }
}
