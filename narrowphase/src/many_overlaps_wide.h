/// @file many_overlaps_wide.h
/// Boxes and discs that stand still, yes or no. Included by many_wide.h alone.

enum { GRZ_BOXES = GRZ_WIDTH / 4 }; // In a vector: a box is four lanes.

// Of GRZ_BOXES boxes, each four lanes: whether its lower sides are at most the other's upper ones,
// and the other's lower sides its upper ones.
static inline floats_mask compare_sides(const graze_aabb *a, const graze_aabb *b)
{
    const floats first = load_floats(&a->lower.x), second = load_floats(&b->lower.x);
    return at_most_floats(low_halves(first, second), high_halves(second, first));
}

static inline uint32_t block_overlap_aabbs(const graze_aabb *a, const graze_aabb *b, bool *overlaps)
{
    return store_fours(overlaps, compare_sides(a, b), compare_sides(a + GRZ_BOXES, b + GRZ_BOXES),
                       compare_sides(a + 2 * GRZ_BOXES, b + 2 * GRZ_BOXES),
                       compare_sides(a + 3 * GRZ_BOXES, b + 3 * GRZ_BOXES));
}

// Returns how many boxes lie between `from` and the last address before it that is aligned to a
// vector. Aligned reads pay: one that crosses a line of the cache takes as long as two.
static inline uint32_t boxes_past_line(const graze_aabb *from)
{
    return (uint32_t)((uintptr_t)from / sizeof *from % GRZ_BOXES);
}

// HOT. bench: narrowphase/overlap_aabbs_many
//
// Data    32 bytes of a pair read, one written: nothing is computed for longer than these take to
//         come from the second cache. The first block is followed by one that begins a line, so
//         that a few pairs are done twice.
// Branch  None.
// Lanes   Four of a box: both lower sides at most the other's upper ones, and the other's likewise.
static uint32_t many_overlap_aabbs(const graze_aabb *a, const graze_aabb *b, uint32_t count,
                                   bool *overlaps)
{
    if (count < GRZ_WIDTH) {
        return grz_many_scalar.overlap_aabbs(a, b, count, overlaps);
    }
    uint32_t hits = block_overlap_aabbs(a, b, overlaps);
    uint32_t done = GRZ_WIDTH - boxes_past_line(a);
    for (uint32_t i = done; i < GRZ_WIDTH; ++i) {
        hits -= overlaps[i];
    }
    for (; count - done >= GRZ_WIDTH; done += GRZ_WIDTH) {
        hits += block_overlap_aabbs(a + done, b + done, overlaps + done);
    }
    const uint32_t left = count - done;
    return hits + grz_many_scalar.overlap_aabbs(a + done, b + done, left, overlaps + done);
}

static inline uint32_t block_overlap_circles(const graze_circle *a, const graze_circle *b,
                                             bool *overlaps)
{
    const circles first = load_circles(a), second = load_circles(b);
    const vectors start = sub_vectors(first.center, second.center);
    const numbers reach = add_numbers(first.radius, second.radius);
    const marks touch = at_most_numbers(dot_vectors(start, start), square_numbers(reach));
    const uint32_t bits = mark_bits(and_marks(touch, have_limits(reach)));
    for (uint32_t k = 0; k < GRZ_BLOCK; k += 8) {
        store_bits(bits >> k & 255, GRZ_BLOCK < 8 ? GRZ_BLOCK : 8, overlaps + k);
    }
    return bits;
}
