/// @file many_overlaps_wide.h
/// Boxes and discs that stand still, yes or no. Included by many_wide.h alone.

enum { GRZ_BOXES = GRZ_WIDTH / 4 }; ///< In a vector: a box is four lanes.

// Of GRZ_BOXES boxes, each four lanes: whether its lower sides are at most the other's upper ones,
// and its upper sides at least the other's lower ones.
GRZ_IN_PLACE floats_mask compare_sides(const graze_aabb *a, const graze_aabb *b)
{
    return overlap_fours(load_floats(&a->lower.x), load_floats(&b->lower.x));
}

GRZ_IN_PLACE uint32_t block_overlap_aabbs(const graze_aabb *a, const graze_aabb *b, bool *overlaps)
{
    return store_fours(overlaps, compare_sides(a, b), compare_sides(a + GRZ_BOXES, b + GRZ_BOXES),
                       compare_sides(a + 2 * GRZ_BOXES, b + 2 * GRZ_BOXES),
                       compare_sides(a + 3 * GRZ_BOXES, b + 3 * GRZ_BOXES));
}

// Returns how many boxes lie between `from` and the last address before it that is aligned to a
// vector. Aligned reads pay: one that crosses a cache line takes as long as two.
GRZ_IN_PLACE uint32_t boxes_past_line(const graze_aabb *from)
{
    return (uint32_t)((uintptr_t)from / sizeof *from % GRZ_BOXES);
}

// HOT. bench: narrowphase/overlap_aabbs_many
//
// Data    32 bytes of a pair read, one written: computing takes less time than reading these from
//         the second cache. The second block begins at a cache line, so a few pairs are tested
//         twice.
// Branch  None.
// Lanes   Four of a box: its lower sides at most the other's upper ones, its upper sides at least
//         the other's lower ones.
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

// Bits of GRZ_BLOCK pairs, in double: decides where floats cannot.
GRZ_IN_PLACE uint32_t overlap_circles_exactly(const graze_circle *a, const graze_circle *b)
{
    const circles first = load_circles(a), second = load_circles(b);
    const vectors start = sub_vectors(first.center, second.center);
    const numbers reach = add_numbers(first.radius, second.radius);
    const marks touch = at_most_numbers(dot_vectors(start, start), square_numbers(reach));
    return mark_bits(and_marks(touch, have_limits(reach)));
}

GRZ_IN_PLACE floats floats_of_ints(ints a)
{
    floats same_bits;
    memcpy(&same_bits, &a, sizeof same_bits);
    return same_bits;
}

/// GRZ_WIDTH circles as they are.
typedef struct thin_circles {
    floats x, y, radius;
} thin_circles;

GRZ_IN_PLACE thin_circles load_thin_circles(const graze_circle *from)
{
    ints x, y, radius;
    load_threes(from, &x, &y, &radius);
    const thin_circles loaded = {floats_of_ints(x), floats_of_ints(y), floats_of_ints(radius)};
    return loaded;
}

// Floats that differ by more than this share of the larger one compare as they would unrounded:
// here each has at most 4 rounding errors of 2^-24, or GRZ_THIN_TINY if it underflows. If the
// reach's square is infinite the difference is NaN, and nothing is clear.
#define GRZ_THIN_SHARE (1.0f / 262144.0f)
#define GRZ_THIN_TINY  FLT_MIN

// HOT. bench: narrowphase/overlap_circles_many
//
// Data    Floats: twice as many in a vector, and nothing to widen. They decide nearly all pairs; if
//         one of a block is not clear, the whole block is decided in double.
// Branch  One, hardly ever taken.
GRZ_IN_PLACE uint32_t block_overlap_circles(const graze_circle *a, const graze_circle *b,
                                            bool *overlaps)
{
    const thin_circles first = load_thin_circles(a), second = load_thin_circles(b);
    const floats x = sub_floats(first.x, second.x), y = sub_floats(first.y, second.y);
    const floats reach = add_floats(first.radius, second.radius);
    const floats gap = add_floats(mul_floats(x, x), mul_floats(y, y));
    const floats square = mul_floats(reach, reach);
    const floats doubt =
        add_floats(mul_floats(square, fill_floats(GRZ_THIN_SHARE)), fill_floats(GRZ_THIN_TINY));
    const floats least = sub_floats(square, doubt), most = add_floats(square, doubt);
    const floats_mask hit = less_floats(gap, least);
    uint32_t bits = mask_bits(hit);
    if (mask_bits(mask_or(hit, less_floats(most, gap))) != (1u << GRZ_WIDTH) - 1) {
        bits = 0;
        for (uint32_t k = 0; k < GRZ_WIDTH; k += GRZ_BLOCK) {
            bits |= overlap_circles_exactly(a + k, b + k) << k;
        }
    }
    for (uint32_t k = 0; k < GRZ_WIDTH; k += 8) {
        store_bits(bits >> k & 255, GRZ_WIDTH < 8 ? GRZ_WIDTH : 8, overlaps + k);
    }
    return bits;
}
