/// @file grid_build_wide.h
/// The build: the cells of many items at a time, and what it learns of them on the way: how large
/// they are, where they lie, and whether all are sound. Included by grid_wide.h alone.

// --- Measures ---

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

// --- Cells ---

/// Returns the cell coordinates of positions in cells, still to be truncated: grz_grid_coordinate.
static inline doubles clamp_coordinates(doubles position)
{
    const doubles shifted = add_doubles(position, fill_doubles(GRZ_GRID_COORDINATES / 2));
    const doubles raised = max_doubles(shifted, fill_doubles(0));
    return min_doubles(raised, fill_doubles(GRZ_GRID_COORDINATES - 1));
}

/// Returns the cell coordinates of the middles of min..max: grz_grid_center_coordinate.
static inline doubles find_coordinates(doubles min, doubles max, doubles half_inverse_side)
{
    return clamp_coordinates(mul_doubles(add_doubles(min, max), half_inverse_side));
}

static inline ints find_wide_coordinates(floats min, floats max, doubles half_inverse_side)
{
    return truncate_doubles(find_coordinates(widen_low(min), widen_low(max), half_inverse_side),
                            find_coordinates(widen_high(min), widen_high(max), half_inverse_side));
}

static inline ints find_wide_cells(wide_box box, const grz_cell_rule *rule)
{
    const ints column =
        find_wide_coordinates(box.min_x, box.max_x, fill_doubles(rule->half_inverse_width));
    const ints row =
        find_wide_coordinates(box.min_y, box.max_y, fill_doubles(rule->half_inverse_height));
    const ints index = add_ints(column, mul_ints(row, fill_ints(rule->stride)));
    const ints wrapped = and_ints(sub_ints(index, fill_ints(rule->origin)), fill_ints(rule->mask));
    return add_ints(wrapped, fill_ints(rule->first_cell));
}

static inline wide_box load_next_boxes(const graze_aabb *boxes)
{
    wide_box box;
    load_boxes(boxes, &box.min_x, &box.min_y, &box.max_x, &box.max_y);
    return box;
}

/// Returns the last few items, fewer than there are lanes; the other lanes repeat the first of
/// them. Nothing is read past the caller's columns.
static inline wide_box load_last_boxes(const graze_grid_items *items, uint32_t first)
{
    graze_aabb boxes[GRZ_WIDTH];
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        boxes[k] = items->boxes[first + k < items->count ? first + k : first];
    }
    return load_next_boxes(boxes);
}

static inline wide_box load_items(const graze_grid_items *items, uint32_t i)
{
    return i + GRZ_WIDTH <= items->count ? load_next_boxes(items->boxes + i)
                                         : load_last_boxes(items, i);
}

// HOT. bench: broadphase/build/gas, engine/step/bullets-bodies
//
// Data    4 bytes read a place and 16 of its item, 16 written. Items may be anywhere: to read them
//         from there costs less than to write them to where they go, and to read a box whole less
//         than its sides from four columns.
// Branch  None.
static uint32_t fetch_boxes(const graze_aabb *items, const uint32_t *order, uint32_t first,
                            uint32_t end, const grz_grid_boxes *to)
{
    for (; end - first >= GRZ_WIDTH; first += GRZ_WIDTH) {
        wide_box box;
        gather_boxes((const float *)(const void *)items, 4, order + first, &box.min_x, &box.min_y,
                     &box.max_x, &box.max_y);
        store_floats(to->min_x + first, box.min_x);
        store_floats(to->min_y + first, box.min_y);
        store_floats(to->max_x + first, box.max_x);
        store_floats(to->max_y + first, box.max_y);
    }
    return first;
}

// HOT. bench: broadphase/build/gas
//
// Data    16 bytes read an item, 4 written: the cell.
// Branch  None: the clamp to the outermost cells is a select.
// Lanes   An item each; coordinates in two halves, as doubles.
static grz_grid_look find_all_cells(const graze_grid_items *items, const grz_cell_rule *rule,
                                    uint32_t *cells, grz_grid_measures *measures)
{
    wide_look look;
    start_look(&look);
    wide_measures seen;
    start_measures(&seen);
    for (uint32_t i = 0; i < items->count; i += GRZ_WIDTH) {
        const wide_box box = load_items(items, i);
        const wide_halves halves = halve_boxes(box);
        look_at_boxes(box, halves, &look);
        measure_all(halves, &seen);
        store_ints(cells + i, find_wide_cells(box, rule));
    }
    *measures = end_measures(&seen);
    measures->count = items->count;
    return end_look(&look);
}

/// Returns the items among some that fall under a rule.
static inline floats_mask find_members(const grz_cell_rule *rule, floats list, floats larger,
                                       floats_mask among)
{
    const floats wanted = fill_floats(rule->list);
    const floats_mask of_list =
        mask_and(at_most_floats(list, wanted), at_most_floats(wanted, list));
    const floats_mask of_size = mask_and(less_floats(fill_floats(rule->above), larger),
                                         at_most_floats(larger, fill_floats(rule->most)));
    return mask_and(among, mask_and(of_list, of_size));
}

// HOT. bench: broadphase/build/gas-sizes-giants, engine/step/bullet-hell
//
// Data    20 bytes read an item, 4 written: the cell.
// Branch  On each rule that none of the lanes falls under: items that come in the order of the
//         build before come class by class.
static grz_grid_look find_class_cells(const graze_grid_items *items, const float *lists,
                                      float one_list, const grz_cell_rule *rules,
                                      uint32_t rule_count, uint32_t *cells,
                                      grz_grid_measures *measures)
{
    wide_look look;
    start_look(&look);
    wide_measures seen[GRZ_GRID_MAX_CLASSES];
    for (uint32_t k = 0; k < rule_count; ++k) {
        start_measures(&seen[k]);
    }
    for (uint32_t i = 0; i < items->count; i += GRZ_WIDTH) {
        const uint32_t left = items->count - i;
        const floats_mask all = first_lanes(min_u32(left, GRZ_WIDTH));
        const wide_box box = load_items(items, i);
        const wide_halves halves = halve_boxes(box);
        const floats list = lists ? load_floats(lists + i) : fill_floats(one_list);
        ints found = fill_ints(rules[0].first_cell);
        look_at_boxes(box, halves, &look);
        for (uint32_t k = 0; k < rule_count; ++k) {
            const floats_mask members = find_members(&rules[k], list, halves.larger, all);
            if (mask_bits(members)) {
                measure_some(halves, members, &seen[k]);
                found = select_ints(members, find_wide_cells(box, &rules[k]), found);
            }
        }
        store_ints(cells + i, found);
    }
    for (uint32_t k = 0; k < rule_count; ++k) {
        measures[k] = end_measures(&seen[k]);
    }
    return end_look(&look);
}

static grz_grid_look find_cells(const graze_grid_items *items, const float *lists, float list,
                                const grz_cell_rule *rules, uint32_t rule_count, uint32_t *cells,
                                grz_grid_measures *measures)
{
    return rule_count == 1 && !lists
               ? find_all_cells(items, rules, cells, measures)
               : find_class_cells(items, lists, list, rules, rule_count, cells, measures);
}

// The compiler makes lanes of it.
static grz_key_span find_key_span(const uint32_t *cells, uint32_t count)
{
    uint32_t least = cells[0], greatest = cells[0];
    for (uint32_t i = 1; i < count; ++i) {
        least = cells[i] < least ? cells[i] : least;
        greatest = cells[i] > greatest ? cells[i] : greatest;
    }
    const grz_key_span span = {least, greatest};
    return span;
}
