/// @file grid_wide.h
/// The loops of the grid over many boxes at a time: see lanes.h and grid_loops.h.
///
/// Bits       Cells come of the double arithmetic of grz_grid_center_coordinate, lane by lane;
///            boxes are compared, which is exact. So all sets find the same, and in the same order.

#include "grid_scan.h"
#include "prefetch.h"

#include <float.h>
#include <math.h>

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

static inline graze_aabb get_wide_box(const grz_grid_boxes *boxes, uint32_t place)
{
    const graze_aabb box = {{boxes->min_x[place], boxes->min_y[place]},
                            {boxes->max_x[place], boxes->max_y[place]}};
    return box;
}

/// Returns the cell coordinates of the middles of min..max: grz_grid_center_coordinate.
static inline doubles find_coordinates(doubles min, doubles max, doubles half_inverse_side)
{
    const doubles position = mul_doubles(add_doubles(min, max), half_inverse_side);
    const doubles shifted = add_doubles(position, fill_doubles(GRZ_GRID_COORDINATES / 2));
    const doubles raised = greater_doubles(shifted, fill_doubles(0));
    return lesser_doubles(raised, fill_doubles(GRZ_GRID_COORDINATES - 1));
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
    const wide_halves halves = {width, height, greater_floats(width, height)};
    return halves;
}

/// What has been seen of all boxes so far, each lane of its own.
typedef struct wide_look {
    wide_box bounds;
    floats_mask sound;
} wide_look;

static inline void start_look(wide_look *look)
{
    look->bounds.min_x = look->bounds.min_y = fill_floats(INFINITY);
    look->bounds.max_x = look->bounds.max_y = fill_floats(-INFINITY);
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
    look->bounds.min_x = lesser_floats(box.min_x, look->bounds.min_x);
    look->bounds.min_y = lesser_floats(box.min_y, look->bounds.min_y);
    look->bounds.max_x = greater_floats(box.max_x, look->bounds.max_x);
    look->bounds.max_y = greater_floats(box.max_y, look->bounds.max_y);
}

static inline void measure_all(wide_halves halves, wide_measures *seen)
{
    seen->half_width = greater_floats(halves.width, seen->half_width);
    seen->half_height = greater_floats(halves.height, seen->half_height);
    seen->least = lesser_floats(halves.larger, seen->least);
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

static inline grz_grid_look end_look(const wide_look *look)
{
    const grz_grid_look ended = {
        {{find_least(look->bounds.min_x), find_least(look->bounds.min_y)},
         {find_greatest(look->bounds.max_x), find_greatest(look->bounds.max_y)}},
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

static inline wide_box load_boxes(const float *min_x, const float *min_y, const float *max_x,
                                  const float *max_y)
{
    const wide_box wide = {load_floats(min_x), load_floats(min_y), load_floats(max_x),
                           load_floats(max_y)};
    return wide;
}

/// Returns the last few items, fewer than there are lanes, the first of them in all lanes left: the
/// caller's columns end where they end.
static inline wide_box load_last_boxes(const graze_grid_items *items, uint32_t first)
{
    float sides[4][GRZ_WIDTH];
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        const uint32_t i = first + k < items->count ? first + k : first;
        sides[0][k] = items->min_x[i];
        sides[1][k] = items->min_y[i];
        sides[2][k] = items->max_x[i];
        sides[3][k] = items->max_y[i];
    }
    return load_boxes(sides[0], sides[1], sides[2], sides[3]);
}

static inline wide_box load_items(const graze_grid_items *items, uint32_t i)
{
    return i + GRZ_WIDTH <= items->count
               ? load_boxes(items->min_x + i, items->min_y + i, items->max_x + i, items->max_y + i)
               : load_last_boxes(items, i);
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
static inline floats_mask find_members(const grz_cell_rule *rule, floats kind, floats larger,
                                       floats_mask among)
{
    const floats wanted = fill_floats(rule->kind);
    const floats_mask of_kind =
        mask_and(at_most_floats(kind, wanted), at_most_floats(wanted, kind));
    const floats_mask of_size = mask_and(less_floats(fill_floats(rule->above), larger),
                                         at_most_floats(larger, fill_floats(rule->most)));
    return mask_and(among, mask_and(of_kind, of_size));
}

// HOT. bench: broadphase/build/gas-sizes-giants, engine/step/bullet-hell
//
// Data    20 bytes read an item, 4 written: the cell.
// Branch  On each rule that none of the lanes falls under: items that come in the order of the
//         build before come class by class.
static grz_grid_look find_class_cells(const graze_grid_items *items, const float *kinds,
                                      float one_kind, const grz_cell_rule *rules,
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
        const floats_mask all = first_lanes(left < GRZ_WIDTH ? left : GRZ_WIDTH);
        const wide_box box = load_items(items, i);
        const wide_halves halves = halve_boxes(box);
        const floats kind = kinds ? load_floats(kinds + i) : fill_floats(one_kind);
        ints found = fill_ints(rules[0].first_cell);
        look_at_boxes(box, halves, &look);
        for (uint32_t k = 0; k < rule_count; ++k) {
            const floats_mask members = find_members(&rules[k], kind, halves.larger, all);
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

static grz_grid_look find_cells(const graze_grid_items *items, const float *kinds, float kind,
                                const grz_cell_rule *rules, uint32_t rule_count, uint32_t *cells,
                                grz_grid_measures *measures)
{
    return rule_count == 1 && !kinds
               ? find_all_cells(items, rules, cells, measures)
               : find_class_cells(items, kinds, kind, rules, rule_count, cells, measures);
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

/// Returns the index of the lowest bit set, of at least one.
static inline uint32_t find_lowest_bit(uint32_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(bits);
#else
    uint32_t index = 0;
    for (; !(bits & 1); bits >>= 1) {
        ++index;
    }
    return index;
#endif
}

/// Stores the pair of the sink's item and each bit's place, and not a byte more. There is room.
static inline void store_found_pairs(grz_grid_sink *sink, uint32_t bits, uint32_t first)
{
    for (; bits; bits &= bits - 1) {
        const graze_pair pair = {sink->item, first + find_lowest_bit(bits)};
        sink->pairs[sink->count++] = pair;
    }
}

/// The same, the places alone.
static inline void store_found_places(grz_grid_sink *sink, uint32_t bits, uint32_t first)
{
    uint32_t *places = sink->places + sink->count;
    for (; bits; bits &= bits - 1) {
        *places++ = first + find_lowest_bit(bits);
    }
    sink->count = (uint32_t)(places - sink->places);
}

/// Stores what the bits found, from `first` on, where there is so much room.
static inline void store_finds(grz_grid_sink *sink, uint32_t bits, uint32_t first, uint32_t room)
{
    if (!sink->pairs) {
        store_found_places(sink, bits, first);
    } else if (room < GRZ_WIDTH) {
        store_found_pairs(sink, bits, first);
    } else {
        const ints places = add_ints(fill_ints(first), number_lanes());
        sink->count += store_few_pairs(&sink->pairs[sink->count].a, bits, sink->item, places);
    }
}

static uint32_t scan_range(const grz_grid_boxes *boxes, graze_aabb box, grz_grid_range range,
                           grz_grid_sink *sink)
{
    const wide_box wide = fill_box(box);
    uint32_t first = range.first;
    while (first < range.last && sink->count < sink->capacity) {
        const uint32_t room = sink->capacity - sink->count, left = range.last - first;
        const uint32_t length = left < GRZ_WIDTH ? left : GRZ_WIDTH;
        const uint32_t lanes = length < room ? length : room;
        const uint32_t bits = match_boxes(boxes, first, wide) & get_low_bits(lanes);
        if (bits) {
            store_finds(sink, bits, first, room);
        }
        sink->tested += lanes;
        first += lanes;
    }
    return first;
}

/// The boxes that an item is compared with, and their numbers.
typedef struct near_places {
    uint32_t first, first_count, second, second_count;
} near_places;

static inline near_places find_near(const uint32_t *starts, uint32_t stride, uint32_t item,
                                    uint32_t cell)
{
    const uint32_t *below = starts + cell + stride;
    const near_places near = {item + 1, starts[cell + 2] - (item + 1), below[-1],
                              below[2] - below[-1]};
    return near;
}

#if GRZ_LANES != GRZ_LANES_SCALAR
enum {
    PLAIN_BOXES = 16,                            // That a plain item is compared with at most,
    FIRST_BOXES = GRZ_WIDTH > 8 ? GRZ_WIDTH : 8, // and of them in its own cell and to its right.
};

static inline bool is_plain(near_places near)
{
    const uint32_t count = near.first_count + near.second_count;
    return FIRST_BOXES >= PLAIN_BOXES ? count <= PLAIN_BOXES
                                      : (near.first_count <= FIRST_BOXES) & (count <= PLAIN_BOXES);
}

/// The near boxes of a plain item, in a row: the first and then the second. Returns the lanes from
/// `lane` on of one column of theirs; `first` says which of these are of the first.
static inline floats load_near(const float *column, near_places near, uint32_t lane,
                               floats_mask first)
{
    const floats second = load_floats(column + (near.second - near.first_count) + lane);
    return lane < FIRST_BOXES
               ? select_floats(first, load_floats(column + near.first + lane), second)
               : second;
}

static inline floats_mask find_first_lanes(near_places near, uint32_t lane)
{
    return first_lanes(near.first_count > lane ? near.first_count - lane : 0);
}

static inline floats_mask match_near(const grz_grid_boxes *boxes, near_places near, uint32_t lane,
                                     wide_box box)
{
    const floats_mask first = find_first_lanes(near, lane);
    const floats min_x = load_near(boxes->min_x, near, lane, first);
    const floats min_y = load_near(boxes->min_y, near, lane, first);
    const floats max_x = load_near(boxes->max_x, near, lane, first);
    const floats max_y = load_near(boxes->max_y, near, lane, first);
    const floats_mask beside =
        mask_and(at_most_floats(min_x, box.max_x), at_most_floats(box.min_x, max_x));
    const floats_mask level =
        mask_and(at_most_floats(min_y, box.max_y), at_most_floats(box.min_y, max_y));
    return mask_and(beside, level);
}

#if GRZ_WIDTH == 16
enum { PLAIN_ROOM = PLAIN_BOXES }; // What the pairs of a plain item take.

/// Stores the pairs of a plain item, and returns how many.
static inline uint32_t scan_plain(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                                  graze_pair *pairs)
{
    const wide_box box = fill_box(get_wide_box(boxes, item));
    const floats_mask all = first_lanes(near.first_count + near.second_count);
    const floats_mask match = mask_and(all, match_near(boxes, near, 0, box));
    const ints bases = select_ints(find_first_lanes(near, 0), fill_ints(near.first),
                                   fill_ints(near.second - near.first_count));
    return store_few_pairs(&pairs->a, mask_bits(match), item, add_ints(bases, number_lanes()));
}
#else
enum { PLAIN_ROOM = PLAIN_BOXES + 1 }; // One more may be stored, not kept.

// Stores the pair of the lowest bit and returns the other bits. Of no bits it stores a pair that is
// not to be kept.
static inline uint32_t store_lowest(graze_pair *pair, uint32_t item, uint32_t match,
                                    near_places near)
{
    const uint32_t bit = find_lowest_bit(match | 1u << 31);
    pair->a = item;
    pair->b = bit + (bit < near.first_count ? near.first : near.second - near.first_count);
    return match & (match - 1);
}

/// Stores the pairs of a plain item, and returns how many. Two are stored without asking how many
/// there are: most have at most so many.
static inline uint32_t scan_plain(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                                  graze_pair *pairs)
{
    const wide_box box = fill_box(get_wide_box(boxes, item));
    uint32_t match = 0;
    for (uint32_t lane = 0; lane < PLAIN_BOXES; lane += GRZ_WIDTH) {
        match |= mask_bits(match_near(boxes, near, lane, box)) << lane;
    }
    match &= get_low_bits(near.first_count + near.second_count);
    uint32_t count = match != 0;
    match = store_lowest(&pairs[0], item, match, near);
    const uint32_t more = match != 0;
    match = store_lowest(&pairs[count], item, match, near);
    count += more;
    while (match) {
        match = store_lowest(&pairs[count++], item, match, near);
    }
    return count;
}
#endif
#endif

#if GRZ_LANES == GRZ_LANES_SCALAR
static inline uint32_t is_overlapped(const grz_grid_boxes *boxes, uint32_t place, graze_aabb box)
{
    return (uint32_t)(boxes->min_x[place] <= box.upper.x) &
           (uint32_t)(box.lower.x <= boxes->max_x[place]) &
           (uint32_t)(boxes->min_y[place] <= box.upper.y) &
           (uint32_t)(box.lower.y <= boxes->max_y[place]);
}

/// Stores the pairs of an item and any number of boxes, and returns how many. One after the other:
/// lanes of plain numbers, and their masks, cost twice as much.
static inline uint32_t scan_crowd(const grz_grid_boxes *boxes, graze_aabb box, uint32_t item,
                                  uint32_t first, uint32_t count, graze_pair *pairs)
{
    uint32_t found = 0;
    for (uint32_t place = first; place < first + count; ++place) {
        const graze_pair pair = {item, place};
        pairs[found] = pair;
        found += is_overlapped(boxes, place, box);
    }
    return found;
}

/// Stores the places from `first` to `last` - 1 whose boxes overlap `box`, and returns how many.
static inline uint32_t list_overlaps(const grz_grid_boxes *boxes, graze_aabb box, uint32_t first,
                                     uint32_t last, uint32_t *places)
{
    uint32_t found = 0;
    for (uint32_t place = first; place < last; ++place) {
        places[found] = place;
        found += is_overlapped(boxes, place, box);
    }
    return found;
}
#else
/// Stores the pairs of an item and any number of boxes, and returns how many.
static inline uint32_t scan_crowd(const grz_grid_boxes *boxes, graze_aabb box, uint32_t item,
                                  uint32_t first, uint32_t count, graze_pair *pairs)
{
    const wide_box wide = fill_box(box);
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        const uint32_t left = count - k < GRZ_WIDTH ? count - k : GRZ_WIDTH;
        const uint32_t match = match_boxes(boxes, first + k, wide) & get_low_bits(left);
        const ints places = add_ints(fill_ints(first + k), number_lanes());
        found += store_pairs(&pairs[found].a, match, item, places);
    }
    return found;
}

/// Stores the places from `first` to `last` - 1 whose boxes overlap `box`, and returns how many; may
/// write GRZ_WIDTH more.
static inline uint32_t list_overlaps(const grz_grid_boxes *boxes, graze_aabb box, uint32_t first,
                                     uint32_t last, uint32_t *places)
{
    const wide_box wide = fill_box(box);
    uint32_t found = 0;
    for (; first < last; first += GRZ_WIDTH) {
        const uint32_t left = last - first;
        const uint32_t lanes = get_low_bits(left < GRZ_WIDTH ? left : GRZ_WIDTH);
        const uint32_t match = match_boxes(boxes, first, wide) & lanes;
        pack_ints(places + found, match, add_ints(fill_ints(first), number_lanes()));
        found += count_bits(match);
    }
    return found;
}
#endif

// HOT. bench: broadphase/pairs/clusters-dense
//
// Data    16 bytes read a box, 8 written a pair.
// Branch  None on finds: they are packed.

/// Stores the pairs of an item that is not plain, if all are sure to have room.
static bool scan_crowded(const grz_grid_boxes *boxes, uint32_t item, near_places near,
                         grz_grid_sink *sink)
{
    if (sink->capacity - sink->count < near.first_count + near.second_count + GRZ_WIDTH) {
        return false;
    }
    const graze_aabb box = get_wide_box(boxes, item);
    graze_pair *pairs = sink->pairs + sink->count;
    uint32_t count = scan_crowd(boxes, box, item, near.first, near.first_count, pairs);
    count += scan_crowd(boxes, box, item, near.second, near.second_count, pairs + count);
    sink->count += count;
    sink->tested += near.first_count + near.second_count;
    return true;
}

/// Returns the first of the items up to `last` whose neighbours wrap around, or `last`: places are
/// in the order of cells.
static inline uint32_t find_seam(const grz_grid_neighbourhood *of, uint32_t last)
{
    const uint32_t seam = of->starts[of->seam + 1];
    return seam < last ? seam : last;
}

#if GRZ_LANES == GRZ_LANES_SCALAR
static uint32_t scan_items(const grz_grid_neighbourhood *of, uint32_t item, uint32_t last,
                           grz_grid_sink *sink)
{
    for (const uint32_t end = find_seam(of, last); item < end; ++item) {
        const near_places near = find_near(of->starts, of->stride, item, of->item_cells[item]);
        if (!scan_crowded(&of->boxes, item, near, sink)) {
            break;
        }
    }
    return item;
}
#else
// HOT. bench: broadphase/pairs/gas
//
// Data    Per item its cell, three entries of `starts`, and its near boxes, 16 bytes each.
// Branch  Both ranges of a plain item are compared in whole, without regard to their lengths: a
//         loop over either cost more in wrong guesses than all comparisons. Finds are packed (16
//         lanes), or two stored without asking.
// Order   By item, then by place.
// Lanes   A near box each: those of the first range and then those of the second.

/// Compares items as long as they are plain and there is room; returns the first that it did not.
static uint32_t scan_plain_items(const grz_grid_neighbourhood *of, uint32_t item, uint32_t end,
                                 grz_grid_sink *sink)
{
    const grz_grid_boxes boxes = of->boxes;
    const uint32_t *item_cells = of->item_cells, *starts = of->starts;
    const uint32_t stride = of->stride;
    graze_pair *pairs = sink->pairs + sink->count;
    const graze_pair *last_room = sink->pairs + sink->capacity - PLAIN_ROOM;
    uint64_t tested = 0;
    for (; item < end && pairs <= last_room; ++item) {
        const near_places near = find_near(starts, stride, item, item_cells[item]);
        if (!is_plain(near)) {
            break;
        }
        pairs += scan_plain(&boxes, item, near, pairs);
        tested += near.first_count + near.second_count;
    }
    sink->count = (uint32_t)(pairs - sink->pairs);
    sink->tested += tested;
    return item;
}

static uint32_t scan_items(const grz_grid_neighbourhood *of, uint32_t item, uint32_t last,
                           grz_grid_sink *sink)
{
    const uint32_t end = find_seam(of, last);
    for (; item < end && sink->capacity - sink->count >= PLAIN_ROOM; ++item) {
        item = scan_plain_items(of, item, end, sink);
        if (item == end) {
            break;
        }
        const near_places near = find_near(of->starts, of->stride, item, of->item_cells[item]);
        if (is_plain(near) || !scan_crowded(&of->boxes, item, near, sink)) {
            break;
        }
    }
    return item;
}
#endif

enum {
    LISTED = 1024, // Places, for which there is room to be listed.
    AHEAD = 32     // How many places on boxes are asked for: the next windows lie to the right.
};

static inline void ask_for_boxes(const grz_grid_boxes *boxes, uint32_t place)
{
    GRZ_PREFETCH(boxes->min_x + place);
    GRZ_PREFETCH(boxes->min_y + place);
    GRZ_PREFETCH(boxes->max_x + place);
    GRZ_PREFETCH(boxes->max_y + place);
}

/// Stores the pairs of an item and some places; may write GRZ_WIDTH more.
static inline void pair_places(uint32_t item, const uint32_t *places, uint32_t count,
                               graze_pair *pairs)
{
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        (void)store_pairs(&pairs[k].a, get_low_bits(GRZ_WIDTH), item, load_ints(places + k));
    }
}

/// Stores the pairs of the sink's item, whose box is given, and the boxes in some cells, if all are
/// sure to have room.
static inline bool scan_runs(const graze_grid *grid, graze_aabb box, const uint32_t *starts,
                             grz_cell_runs runs, uint32_t stride, grz_grid_sink *sink)
{
    const grz_grid_boxes boxes = grid->boxes;
    const uint32_t room = sink->capacity - sink->count;
    const uint32_t most = room < LISTED ? room : LISTED;
    uint32_t places[LISTED + GRZ_WIDTH];
    uint32_t found = 0, tested = 0;
    for (uint32_t row = 0; row < runs.count; ++row) {
        const uint32_t first = starts[row * stride], last = starts[row * stride + runs.width];
        if (most - found < last - first + GRZ_WIDTH) {
            return false;
        }
        ask_for_boxes(&boxes, last + AHEAD);
        found += list_overlaps(&boxes, box, first, last, places + found);
        tested += last - first;
    }
    pair_places(sink->item, places, found, sink->pairs + sink->count);
    sink->count += found;
    sink->tested += tested;
    return true;
}

// HOT. bench: broadphase/pairs/gas-sizes-power, engine/step/bullet-hell,
// engine/query_ray_many/bullets-bodies
//
// Data    Per box its sides, two entries of `starts` a row of its window, and the boxes between
//         them.
// Branch  On the rows' lengths. Places are packed, and made pairs when all of an item are known.
// Order   By box, then by row, then by place.
static uint32_t scan_windows(const graze_grid *grid, const grz_grid_class *target,
                             const grz_grid_scanners *scanners, uint32_t item, uint32_t last,
                             grz_grid_sink *sink)
{
    const uint32_t *starts = grid->starts + target->first_cell;
    for (; item < last; ++item) {
        const graze_aabb box = get_wide_box(&scanners->boxes, item);
        const grz_cell_runs runs = grz_find_window(target, box);
        const uint64_t end = runs.index + (uint64_t)(runs.count - 1) * target->stride + runs.width;
        sink->item = item;
        if (runs.count &&
            (end > target->cells || (uint64_t)runs.count * runs.width > scanners->most_cells ||
             !scan_runs(grid, box, starts + runs.index, runs, target->stride, sink))) {
            break;
        }
    }
    return item;
}

const grz_grid_loops GRZ_WIDE(grz_grid_loops) = {find_cells, find_key_span, scan_items,
                                                 scan_windows, scan_range};
