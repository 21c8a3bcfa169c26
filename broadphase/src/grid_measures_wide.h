/// @file grid_measures_wide.h
/// The build: measures of many boxes at a time, taken while it finds their cells: how large they
/// are, where they lie, and whether all are sound. Included by grid_wide.h alone.

static inline floats get_zero(void)
{
    return fill_floats(0);
}

static inline floats_mask get_all_lanes(void)
{
    return at_most_floats(get_zero(), get_zero());
}

/// What has been seen of a rule's items so far, each lane of its own.
typedef struct wide_measures {
    floats half_width, half_height, least;
    ints count;
} wide_measures;

static inline void start_measures(wide_measures *seen)
{
    seen->half_width = get_zero();
    seen->half_height = get_zero();
    seen->least = fill_floats(FLT_MAX);
    seen->count = fill_ints(0);
}

/// The larger half extent of a box, and both. They are halved first: finite if the box is, and else
/// infinite or NaN.
typedef struct wide_halves {
    floats width, height, larger;
} wide_halves;

static inline wide_halves halve_boxes(wide_box box)
{
    const floats half = fill_floats(0.5f);
    const floats width = sub_floats(mul_floats(box.max_x, half), mul_floats(box.min_x, half));
    const floats height = sub_floats(mul_floats(box.max_y, half), mul_floats(box.min_y, half));
    const wide_halves halves = {width, height, max_floats(width, height)};
    return halves;
}

/// What has been seen of all boxes so far, each lane of its own.
typedef struct wide_look {
    wide_box bounds;
    floats_mask sound;
} wide_look;

static inline wide_box get_empty_bounds(void)
{
    const floats most = fill_floats(INFINITY), least = fill_floats(-INFINITY);
    const wide_box empty = {most, most, least, least};
    return empty;
}

static inline void widen_bounds(wide_box box, wide_box *bounds)
{
    bounds->min_x = min_floats(box.min_x, bounds->min_x);
    bounds->min_y = min_floats(box.min_y, bounds->min_y);
    bounds->max_x = max_floats(box.max_x, bounds->max_x);
    bounds->max_y = max_floats(box.max_y, bounds->max_y);
}

static inline void start_look(wide_look *look)
{
    look->bounds = get_empty_bounds();
    look->sound = get_all_lanes();
}

static inline void look_at_boxes(wide_box box, wide_halves halves, wide_look *look)
{
    const floats most = fill_floats(FLT_MAX);
    const floats_mask upright =
        mask_and(at_most_floats(box.min_x, box.max_x), at_most_floats(box.min_y, box.max_y));
    const floats_mask finite =
        mask_and(at_most_floats(halves.width, most), at_most_floats(halves.height, most));
    look->sound = mask_and(look->sound, mask_and(upright, finite));
    widen_bounds(box, &look->bounds);
}

static inline void measure_all(wide_halves halves, wide_measures *seen)
{
    seen->half_width = max_floats(halves.width, seen->half_width);
    seen->half_height = max_floats(halves.height, seen->half_height);
    seen->least = min_floats(halves.larger, seen->least);
}

static inline void measure_some(wide_halves halves, floats_mask mask, wide_measures *seen)
{
    const wide_halves some = {select_floats(mask, halves.width, get_zero()),
                              select_floats(mask, halves.height, get_zero()),
                              select_floats(mask, halves.larger, fill_floats(FLT_MAX))};
    measure_all(some, seen);
    seen->count = add_ints(seen->count, select_ints(mask, fill_ints(1), fill_ints(0)));
}

static inline float find_greatest(floats numbers)
{
    float lanes[GRZ_WIDTH];
    store_floats(lanes, numbers);
    float greatest = lanes[0];
    for (uint32_t k = 1; k < GRZ_WIDTH; ++k) {
        greatest = lanes[k] > greatest ? lanes[k] : greatest;
    }
    return greatest;
}

static inline float find_least(floats numbers)
{
    return -find_greatest(sub_floats(get_zero(), numbers));
}

static inline graze_aabb end_bounds(wide_box bounds)
{
    const graze_aabb ended = {{find_least(bounds.min_x), find_least(bounds.min_y)},
                              {find_greatest(bounds.max_x), find_greatest(bounds.max_y)}};
    return ended;
}

static inline grz_grid_look end_look(const wide_look *look)
{
    const grz_grid_look ended = {end_bounds(look->bounds),
                                 mask_bits(look->sound) == (1u << GRZ_WIDTH) - 1};
    return ended;
}

static inline uint32_t add_up(ints numbers)
{
    uint32_t lanes[GRZ_WIDTH], sum = 0;
    store_ints(lanes, numbers);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        sum += lanes[k];
    }
    return sum;
}

static inline grz_grid_measures end_measures(const wide_measures *seen)
{
    const grz_grid_measures ended = {add_up(seen->count), find_greatest(seen->half_width),
                                     find_greatest(seen->half_height), find_least(seen->least)};
    return ended;
}

// HOT. bench: engine/step/debris
//
// Data    16 bytes read a box. The last lanes measure some of them again.
static graze_aabb find_bounds(const grz_grid_boxes *boxes, grz_grid_range range)
{
    const uint32_t last = range.last - GRZ_WIDTH;
    wide_box bounds = get_empty_bounds();
    for (uint32_t first = range.first; first < range.last; first += GRZ_WIDTH) {
        const uint32_t i = first < last ? first : last;
        widen_bounds(
            load_sides(boxes->min_x + i, boxes->min_y + i, boxes->max_x + i, boxes->max_y + i),
            &bounds);
    }
    return end_bounds(bounds);
}
