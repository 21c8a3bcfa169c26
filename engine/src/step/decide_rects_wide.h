/// @file decide_rects_wide.h
/// Pairs of rects, many at a time. Included by decide_wide.h alone.

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
        turning_lanes turning;
        const sweeps touch = touch_rects(rows, a, b, &turning);
        const uint32_t turned = find_turning(&turning, &touch) & valid;
        const uint32_t hits = mask_bits_d(touch.hit) & valid & ~turned;
        put_hits(rows, pairs_from(pairs, first), &touch, hits, sink);
        decide_turning(rows, pairs, first, turned, sink);
    }
}
