/// @file segment_grid_wide.h
/// The loops of the segment grid over many moves or segments at a time: see lanes.h.

#include "prefetch.h"
#include "segment_grid_find.h"

#include <float.h>
#include <string.h>

static void measure_moves(grz_move_group *group)
{
    for (uint32_t i = 0; i < GRZ_MOVES_AT_ONCE; i += GRZ_WIDTH) {
        floats x0, y0, x1, y1;
        load_points(group->from + i, &x0, &y0);
        load_points(group->to + i, &x1, &y1);
        store_floats(group->min_x + i, lesser_floats(x0, x1));
        store_floats(group->min_y + i, lesser_floats(y0, y1));
        store_floats(group->max_x + i, greater_floats(x0, x1));
        store_floats(group->max_y + i, greater_floats(y0, y1));
    }
}

// Returns the cells' coordinates: of numbers in the range of `locate_moves`, and of others any.
static ints find_move_cells(const float *coordinates, floats limit, doubles scale)
{
    const floats least = sub_floats(fill_floats(0), limit);
    const floats v = lesser_floats(greater_floats(load_floats(coordinates), least), limit);
    return floor_doubles(mul_doubles(widen_low(v), scale), mul_doubles(widen_high(v), scale));
}

// Moves farther out than 2^29 cells are left to a walk, which knows cells of 64 bits.
static float find_range(const grz_segment_level *level)
{
    const double range = 536870912.0 / level->inverse_side;
    return range < (double)FLT_MAX ? (float)range : FLT_MAX;
}

static floats_mask find_in_range(const grz_move_group *group, uint32_t i, floats limit)
{
    const floats least = sub_floats(fill_floats(0), limit);
    const floats_mask low = mask_and(at_most_floats(least, load_floats(group->min_x + i)),
                                     at_most_floats(least, load_floats(group->min_y + i)));
    const floats_mask high = mask_and(at_most_floats(load_floats(group->max_x + i), limit),
                                      at_most_floats(load_floats(group->max_y + i), limit));
    return mask_and(low, high);
}

static void note_far(grz_move_group *group, uint32_t i, uint32_t is_far)
{
    group->is_far[i / 32] |= is_far << i % 32;
    for (uint32_t k = i; is_far; ++k, is_far >>= 1) {
        group->wanted[k] = is_far & 1 ? 0 : group->wanted[k];
    }
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    16 bytes of a move's box read, 8 written.
// Branch  None by move, but for far ones.
// Lanes   Corners are bits: the column's, and if there are two rows, the same again above them.
static void locate_moves(grz_move_group *group, const grz_segment_level *level)
{
    const floats limit = fill_floats(find_range(level));
    const doubles scale = fill_doubles(level->inverse_side);
    const ints x_mask = fill_ints(level->x_mask), y_mask = fill_ints(level->y_mask);
    const ints one = fill_ints(1), none = fill_ints(0);
    group->is_far[0] = 0;
    group->is_far[1] = 0;
    for (uint32_t i = 0; i < group->count; i += GRZ_WIDTH) {
        const ints x = find_move_cells(group->min_x + i, limit, scale);
        const ints y = find_move_cells(group->min_y + i, limit, scale);
        const ints columns = sub_ints(find_move_cells(group->max_x + i, limit, scale), x);
        const ints rows = sub_ints(find_move_cells(group->max_y + i, limit, scale), y);
        const ints row = shift_ints(and_ints(y, y_mask), level->x_bits);
        const ints side = add_ints(one, shift_ints(and_ints(columns, one), 1));
        const ints upper = and_ints(sub_ints(none, and_ints(rows, one)), shift_ints(side, 2));
        const floats_mask near = mask_and(less_ints(or_ints(columns, rows), fill_ints(2)),
                                          find_in_range(group, i, limit));
        const uint32_t is_far = ~mask_bits(near) & ((UINT32_C(1) << GRZ_WIDTH) - 1);
        store_ints(group->cell + i, or_ints(row, and_ints(x, x_mask)));
        store_ints(group->wanted + i, or_ints(side, upper));
        if (is_far) {
            note_far(group, i, is_far);
        }
    }
}

/// Some segments of a cell, and which of them have a box that meets the move's.
typedef struct near_segments {
    const float *first; ///< As in grz_visit.
    uint16_t move, shift;
    uint32_t lanes;
} near_segments;

enum {
    NEAR_AT_ONCE = 128,
    LANE_BITS = 4, ///< Enough for GRZ_WIDTH.
    FINDS_AT_ONCE = 256
};

static uint32_t find_near_segments(const grz_move_group *group, uint32_t move, const float *first,
                                   size_t stride, uint32_t count)
{
    const floats ax = load_floats(first), bx = load_floats(first + 2 * stride);
    const floats ay = load_floats(first + stride), by = load_floats(first + 3 * stride);
    const floats_mask over_x =
        mask_and(at_most_floats(lesser_floats(ax, bx), fill_floats(group->max_x[move])),
                 at_most_floats(fill_floats(group->min_x[move]), greater_floats(ax, bx)));
    const floats_mask over_y =
        mask_and(at_most_floats(lesser_floats(ay, by), fill_floats(group->max_y[move])),
                 at_most_floats(fill_floats(group->min_y[move]), greater_floats(ay, by)));
    const uint32_t lanes = (UINT32_C(1) << (count < GRZ_WIDTH ? count : GRZ_WIDTH)) - 1;
    return mask_bits(mask_and(over_x, over_y)) & lanes;
}

/// Single segments among the near ones: each the number of its near_segments << LANE_BITS | its
/// lane.
typedef struct found_places {
    uint32_t count;
    uint32_t places[FINDS_AT_ONCE];
} found_places;

static void copy_find(const grz_move_group *group, const near_segments *near, uint32_t place,
                      graze_segment_finds *finds, uint32_t to)
{
    const near_segments *among = &near[place >> LANE_BITS];
    const size_t stride = (size_t)GRZ_QUAD << among->shift;
    const float *first = among->first + (place & ((1 << LANE_BITS) - 1));
    finds->move[to] = group->first + among->move;
    finds->ax[to] = first[0];
    finds->ay[to] = first[stride];
    finds->bx[to] = first[2 * stride];
    finds->by[to] = first[3 * stride];
    memcpy(&finds->owner[to], first + 4 * stride, sizeof finds->owner[to]);
    memcpy(&finds->item[to], first + 5 * stride, sizeof finds->item[to]);
}

static void add_places(const grz_move_group *group, const near_segments *near,
                       const found_places *found, const grz_find_sink *sink)
{
    graze_segment_finds *finds = sink->finds;
    if (finds->count + found->count > GRAZE_SEGMENT_FINDS) {
        sink->take(sink->context, finds);
        finds->count = 0;
    }
    for (uint32_t i = 0; i < found->count; ++i) {
        copy_find(group, near, found->places[i], finds, finds->count + i);
    }
    finds->count += found->count;
}

// One or two of the lanes are set as a rule: they are listed without a branch, then copied one by
// one. Six arrays packed for each would write a multiple of it. Owners and items lie behind what
// has been read so far, and are prefetched meanwhile.
static void add_finds(const grz_move_group *group, const near_segments *near, uint32_t count,
                      const grz_find_sink *sink)
{
    found_places found;
    found.count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        if (found.count > FINDS_AT_ONCE - GRZ_WIDTH) {
            add_places(group, near, &found, sink);
            found.count = 0;
        }
        const size_t stride = (size_t)GRZ_QUAD << near[k].shift;
        GRZ_PREFETCH(near[k].first + 4 * stride);
        GRZ_PREFETCH(near[k].first + 5 * stride);
        pack_ints(found.places + found.count, near[k].lanes,
                  add_ints(number_lanes(), fill_ints(k << LANE_BITS)));
        found.count += count_bits(near[k].lanes);
    }
    add_places(group, near, &found, sink);
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    16 bytes of each segment in the cells; of each whose box meets the move's 24 more, and 28
//         written.
// Branch  By the number of segments in a cell, where there are more than lanes. Whether any meets
//         is noted without one; only then is it known what to copy.
static void visit_cells(const grz_move_group *group, const grz_visit *visits, uint32_t count,
                        const grz_find_sink *sink)
{
    near_segments near[NEAR_AT_ONCE];
    uint32_t near_count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const grz_visit visit = visits[k];
        const size_t stride = (size_t)GRZ_QUAD << visit.shift;
        for (uint32_t i = 0; i < visit.count; i += GRZ_WIDTH) {
            const float *first = visit.first + i;
            const uint32_t lanes =
                find_near_segments(group, visit.move, first, stride, visit.count - i);
            const near_segments found = {first, visit.move, visit.shift, lanes};
            near[near_count] = found;
            near_count += lanes != 0;
            if (near_count == NEAR_AT_ONCE) {
                add_finds(group, near, near_count, sink);
                near_count = 0;
            }
        }
    }
    add_finds(group, near, near_count, sink);
}

const grz_segment_loops GRZ_WIDE(grz_segment_loops) = {measure_moves, locate_moves, visit_cells};
