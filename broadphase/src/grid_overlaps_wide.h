/// @file grid_overlaps_wide.h
/// One box against a range of places of any length, whose cells are known already. Included by
/// grid_wide.h alone.

/// Stores the pair of the sink's item and each bit's place, and not a byte more. There is room.
static inline void store_found_pairs(grz_grid_sink *sink, uint32_t bits, uint32_t first)
{
    for (; bits; bits &= bits - 1) {
        const graze_pair pair = {sink->item, first + grz_lowest_bit(bits)};
        sink->pairs[sink->count++] = pair;
    }
}

/// The same, the places alone.
static inline void store_found_places(grz_grid_sink *sink, uint32_t bits, uint32_t first)
{
    uint32_t *places = sink->places + sink->count;
    for (; bits; bits &= bits - 1) {
        *places++ = first + grz_lowest_bit(bits);
    }
    sink->count = (uint32_t)(places - sink->places);
}

/// Stores the finds of the bits, from `first` on; if `room` allows it, all lanes at once.
static inline void store_finds(grz_grid_sink *sink, uint32_t bits, uint32_t first, uint32_t room)
{
    if (!sink->pairs) {
        store_found_places(sink, bits, first);
    } else if (room < GRZ_WIDTH) {
        store_found_pairs(sink, bits, first);
    } else {
        sink->count += store_places(&sink->pairs[sink->count].a, bits, sink->item, first);
    }
}

static uint32_t scan_range(const grz_grid_boxes *boxes, graze_aabb box, grz_grid_range range,
                           grz_grid_sink *sink)
{
    const wide_box wide = fill_box(box);
    uint32_t first = range.first;
    while (first < range.last && sink->count < sink->capacity) {
        const uint32_t room = sink->capacity - sink->count, left = range.last - first;
        const uint32_t length = min_u32(left, GRZ_WIDTH);
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

/// Stores the places from `first` to `last` - 1 whose boxes overlap `box`, and returns how many;
/// may write GRZ_WIDTH more.
static inline uint32_t list_overlaps(const grz_grid_boxes *boxes, graze_aabb box, uint32_t first,
                                     uint32_t last, uint32_t *places)
{
    const wide_box wide = fill_box(box);
    uint32_t found = 0;
    for (; first < last; first += GRZ_WIDTH) {
        const uint32_t left = last - first;
        const uint32_t lanes = get_low_bits(min_u32(left, GRZ_WIDTH));
        const uint32_t match = match_boxes(boxes, first, wide) & lanes;
        pack_ints(places + found, match, add_ints(fill_ints(first), number_lanes()));
        found += count_bits(match);
    }
    return found;
}
#endif
