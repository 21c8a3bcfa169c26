/// @file segment_grid_wide.h
/// The loops of the segment grid over many moves or segments at a time: see lanes.h.

#include "min_max.h"
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
        store_floats(group->min_x + i, min_floats(x0, x1));
        store_floats(group->min_y + i, min_floats(y0, y1));
        store_floats(group->max_x + i, max_floats(x0, x1));
        store_floats(group->max_y + i, max_floats(y0, y1));
    }
}

// Returns the cells' coordinates: of numbers in the range of `locate_moves`, and of others any.
static ints find_move_cells(const float *coordinates, floats limit, doubles scale)
{
    const floats least = sub_floats(fill_floats(0), limit);
    const floats v = min_floats(max_floats(load_floats(coordinates), least), limit);
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
// Branch  None per move, except far ones.
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
        const ints row = shift_left(and_ints(y, y_mask), level->x_bits);
        const ints side = add_ints(one, shift_left(and_ints(columns, one), 1));
        const ints upper = and_ints(sub_ints(none, and_ints(rows, one)), shift_left(side, 2));
        const floats_mask near = mask_and(less_ints(or_ints(columns, rows), fill_ints(2)),
                                          find_in_range(group, i, limit));
        const uint32_t is_far = ~mask_bits(near) & ((UINT32_C(1) << GRZ_WIDTH) - 1);
        store_ints(group->cell + i, or_ints(row, and_ints(x, x_mask)));
        store_ints(group->wanted + i, or_ints(side, upper));
        if (is_far) {
            note_far(group, i, is_far);
        }
    }
    for (uint32_t i = group->count; i % GRZ_WIDTH != 0; ++i) { // Padding passes nothing.
        group->wanted[i] = 0;
    }
}

// The cell beside that of each lane, above it, or both: see GRZ_CORNERS.
static ints find_corner(ints cell, const grz_segment_level *level, uint32_t corner)
{
    const uint32_t rows = level->y_mask << level->x_bits;
    const ints column = add_ints(cell, fill_ints(corner & 1));
    const ints row = add_ints(cell, fill_ints((corner >> 1) << level->x_bits));
    return or_ints(and_ints(column, fill_ints(level->x_mask)), and_ints(row, fill_ints(rows)));
}

// Finds which corners of each move hold anything; returns which do so for any move.
static ints find_corners(const grz_move_group *group, const grz_segment_level *level,
                         uint32_t corners[GRZ_MOVES_AT_ONCE])
{
    ints any = fill_ints(0);
    for (uint32_t i = 0; i < group->count; i += GRZ_WIDTH) {
        uint32_t around[GRZ_WIDTH];
        for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
            around[k] = level->around[group->cell[i + k]];
        }
        const ints passed = and_ints(load_ints(around), load_ints(group->wanted + i));
        store_ints(corners + i, passed);
        any = or_ints(any, passed);
    }
    return any;
}

static uint32_t bits_with_corner(ints corners, uint32_t corner)
{
    const ints bit = and_ints(corners, fill_ints(UINT32_C(1) << corner));
    return mask_bits(less_ints(fill_ints(0), bit));
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    8 bytes of a move and one of its cell read; 8 written for each cell passed.
// Branch  One per GRZ_WIDTH moves: where terrain is sparse, most of them pass nothing.
// Order   By corner, then by move.
static void list_near(const grz_move_group *group, const grz_segment_level *level,
                      grz_passages *passages)
{
    uint32_t corners[GRZ_MOVES_AT_ONCE];
    const ints any = find_corners(group, level, corners);
    uint32_t count = 0;
    for (uint32_t corner = 0; corner < GRZ_CORNERS; ++corner) {
        const uint32_t end = bits_with_corner(any, corner) ? group->count : 0;
        for (uint32_t i = 0; i < end; i += GRZ_WIDTH) {
            const uint32_t bits = bits_with_corner(load_ints(corners + i), corner);
            if (bits) {
                const ints cell = find_corner(load_ints(group->cell + i), level, corner);
                pack_ints(passages->move + count, bits, add_ints(number_lanes(), fill_ints(i)));
                pack_ints(passages->cell + count, bits, cell);
                count += count_bits(bits);
            }
        }
    }
    passages->count = count;
}

enum {
    NEAR_AT_ONCE = 128,
    LANE_BITS = 2, ///< Enough for GRZ_QUAD.
    FINDS_AT_ONCE = 256
};

// Of the segments of a quad a bit for each whose box meets the move's.
#if GRZ_WIDTH == 4
static uint16_t find_in_quad(const grz_move_group *group, uint32_t move,
                             const grz_segment_quad *quad)
{
    const floats ax = load_floats(quad->ax), bx = load_floats(quad->bx);
    const floats ay = load_floats(quad->ay), by = load_floats(quad->by);
    const floats_mask over_x =
        mask_and(at_most_floats(min_floats(ax, bx), fill_floats(group->max_x[move])),
                 at_most_floats(fill_floats(group->min_x[move]), max_floats(ax, bx)));
    const floats_mask over_y =
        mask_and(at_most_floats(min_floats(ay, by), fill_floats(group->max_y[move])),
                 at_most_floats(fill_floats(group->min_y[move]), max_floats(ay, by)));
    return (uint16_t)mask_bits(mask_and(over_x, over_y));
}
#else
// In each eight lanes those of x come before those of y.
static floats fill_quad(float x, float y)
{
    const floats_mask is_x = less_ints(and_ints(number_lanes(), fill_ints(GRZ_QUAD)), fill_ints(1));
    return select_floats(is_x, fill_floats(x), fill_floats(y));
}

// Lanes    8: ax ay, then bx by. 16: ax ay bx by, without sorting the ends: one of the two has to
//          be low enough, and one high enough.
static uint16_t find_in_quad(const grz_move_group *group, uint32_t move,
                             const grz_segment_quad *quad)
{
    const floats low = fill_quad(group->min_x[move], group->min_y[move]);
    const floats high = fill_quad(group->max_x[move], group->max_y[move]);
    const floats a = load_floats(quad->ax);
#if GRZ_WIDTH == 8
    const floats b = load_floats(quad->bx);
    const uint32_t over = mask_bits(
        mask_and(at_most_floats(min_floats(a, b), high), at_most_floats(low, max_floats(a, b))));
#else
    const uint32_t below = mask_bits(at_most_floats(a, high));
    const uint32_t above = mask_bits(at_most_floats(low, a));
    const uint32_t over = (below | below >> 8) & (above | above >> 8);
#endif
    return (uint16_t)(over & over >> GRZ_QUAD);
}
#endif

/// What finds are copied from, and to.
typedef struct find_source {
    const grz_segment_table *table;
    const grz_move_group *group;
    const grz_find_sink *sink;
} find_source;

// A place is the number of a near visit << LANE_BITS | one of its lanes.
static void copy_find(const find_source *from, const grz_visit *near, uint32_t place,
                      graze_segment_finds *finds, uint32_t to)
{
    const grz_visit *among = &near[place >> LANE_BITS];
    const uint32_t lane = place & ((1 << LANE_BITS) - 1);
    const grz_segment_quad *quad = &grz_pool_quads(&from->table->pool)[among->quad];
    finds->move[to] = from->group->first + among->move;
    finds->ax[to] = quad->ax[lane];
    finds->ay[to] = quad->ay[lane];
    finds->bx[to] = quad->bx[lane];
    finds->by[to] = quad->by[lane];
    finds->names[to] = &grz_pool_names(&from->table->pool, among->quad)[lane];
}

static void add_places(const find_source *from, const grz_visit *near, const uint32_t *places,
                       uint32_t count)
{
    const grz_find_sink *sink = from->sink;
    graze_segment_finds *finds = sink->finds;
    if (finds->count + count > GRAZE_SEGMENT_FINDS) {
        sink->take(sink->context, finds);
        finds->count = 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        copy_find(from, near, places[i], finds, finds->count + i);
    }
    finds->count += count;
}

// Usually one or two of the lanes are set: they are listed without a branch, then copied one by
// one. Packing six arrays for each would write several times as much.
static void add_finds(const find_source *from, const grz_visit *near, uint32_t count)
{
    uint32_t places[FINDS_AT_ONCE];
    uint32_t place_count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        if (place_count > FINDS_AT_ONCE - GRZ_WIDTH) {
            add_places(from, near, places, place_count);
            place_count = 0;
        }
        pack_ints(places + place_count, near[k].segments,
                  add_ints(number_lanes(), fill_ints(k << LANE_BITS)));
        place_count += count_bits(near[k].segments);
    }
    add_places(from, near, places, place_count);
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    A cache line of each quad; of each segment whose box meets the move's 24 bytes once more,
//         and 28 written.
// Branch  None per quad: whether any of its segments meets is stored without one; only then is it
//         known what to copy.
static void visit_cells(const grz_segment_table *table, const grz_move_group *group,
                        const grz_visit *visits, uint32_t count, const grz_find_sink *sink)
{
    const find_source from = {table, group, sink};
    const grz_segment_quad *quads = grz_pool_quads(&table->pool);
    grz_visit near[NEAR_AT_ONCE];
    for (uint32_t first = 0; first < count; first += NEAR_AT_ONCE) {
        const uint32_t rest = count - first;
        const uint32_t end = first + min_u32(rest, NEAR_AT_ONCE);
        uint32_t near_count = 0;
        for (uint32_t k = first; k < end; ++k) {
            grz_visit visit = visits[k];
            visit.segments &= find_in_quad(group, visit.move, &quads[visit.quad]);
            near[near_count] = visit;
            near_count += visit.segments != 0;
        }
        add_finds(&from, near, near_count);
    }
}

const grz_segment_loops GRZ_WIDE(grz_segment_loops) = {measure_moves, locate_moves, list_near,
                                                       visit_cells};
