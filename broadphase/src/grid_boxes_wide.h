/// @file grid_boxes_wide.h
/// What the other loops build on: a box in lanes, and the test of it against boxes of the grid.
/// Included by grid_wide.h alone.

/// The four sides of a box, each in all lanes.
typedef struct wide_box {
    floats min_x, min_y, max_x, max_y;
} wide_box;

static inline wide_box fill_box(graze_aabb box)
{
    const wide_box wide = {fill_floats(box.lower.x), fill_floats(box.lower.y),
                           fill_floats(box.upper.x), fill_floats(box.upper.y)};
    return wide;
}

static inline wide_box load_sides(const float *min_x, const float *min_y, const float *max_x,
                                  const float *max_y)
{
    const wide_box wide = {load_floats(min_x), load_floats(min_y), load_floats(max_x),
                           load_floats(max_y)};
    return wide;
}

static inline void prefetch_boxes(const grz_grid_boxes *boxes, uint32_t place)
{
    GRZ_PREFETCH(boxes->min_x + place);
    GRZ_PREFETCH(boxes->min_y + place);
    GRZ_PREFETCH(boxes->max_x + place);
    GRZ_PREFETCH(boxes->max_y + place);
}

/// Returns which of the next boxes from `first` on overlap `box`. At most GRZ_GRID_PADDING of them
/// may lie past the last place: those overlap nothing.
static inline uint32_t match_boxes(const grz_grid_boxes *boxes, uint32_t first, wide_box box)
{
    const floats_mask left = at_most_floats(load_floats(boxes->min_x + first), box.max_x);
    const floats_mask right = at_most_floats(box.min_x, load_floats(boxes->max_x + first));
    const floats_mask below = at_most_floats(load_floats(boxes->min_y + first), box.max_y);
    const floats_mask above = at_most_floats(box.min_y, load_floats(boxes->max_y + first));
    return mask_bits(mask_and(mask_and(left, right), mask_and(below, above)));
}

/// Returns a mask of the lowest `count` bits, of at most 31.
static inline uint32_t get_low_bits(uint32_t count)
{
    return (1u << count) - 1;
}
