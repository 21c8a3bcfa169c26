/// @file grid_state.h
/// The contents of a grid after a build, shared by the files that build it and those that read it.
///
/// Places are ordered by class, within a class by cell (row by row), within a cell by the order of
/// the items. One table `starts` has the cells of all classes: cell k holds the places from
/// starts[k] to starts[k + 1], so neighbouring cells of a row are one contiguous range of places.
///
/// A cell's index is column + row * stride, modulo the class's number of cells: a torus in which
/// each row continues into the next, like a helix. So the number of columns need not be a power of
/// two, and no row has ends except at the seam, where the indices wrap around.
///
/// Invariant  An item is in the cell of its box's centre, and the sides of cells exceed twice the
///            class's reach, unless the class is quiet. So boxes of one class that overlap and may
///            pair have their centres in the same cell or in neighbouring ones. Distant items may
///            share a cell; comparing their boxes separates them. 3 <= stride and 2 * stride + 3 <=
///            cells: all nine neighbours are distinct.
#ifndef GRZ_GRID_STATE_H
#define GRZ_GRID_STATE_H

#include <graze/grid.h>

#include "grid_kinds.h"
#include "grid_loops.h"
#include "memory.h"

enum {
    GRZ_GRID_MAX_CLASSES = 32,       ///< A set of classes is a 32-bit mask.
    GRZ_GRID_MIN_CELLS = 16,         ///< Of a class.
    GRZ_GRID_MIN_STRIDE = 3,         ///< Of a class.
    GRZ_GRID_MAX_ITEMS = 1 << 30,    ///< Places, doubled and padded, stay in 32 bits.
    GRZ_GRID_PADDING = GRZ_LANES_MAX ///< Empty boxes past the last place.
};

/// Cell coordinates lie in [0, GRZ_GRID_COORDINATES); what would lie outside is in the outermost.
#define GRZ_GRID_COORDINATES 2147483648.0

/// Relative slack of a cell's side over 2 x reach, and slack in cells of a window's edges. Cell
/// coordinates below 2^31 computed in double are off by less than 2e-6.
#define GRZ_GRID_MARGIN 1e-5

/// One axis of a class's cells.
typedef struct grz_grid_axis {
    double reach;        ///< No box of the class reaches further from its centre.
    double side;         ///< Of a cell.
    double inverse_side; ///< 1 / side.
    double ideal;        ///< The side first chosen, before counting showed a crowd.
} grz_grid_axis;

/// Items of one list of kinds, of similar size, in cells of one size.
typedef struct grz_grid_class {
    grz_grid_axis x, y;
    double crowding;       ///< Mean number of items in an item's cell, with itself.
    double first_crowding; ///< The same in the cells that the build began with.
    double settled;        ///< Crowding that finer cells did not reduce; or 0.
    uint32_t first_cell;   ///< Index of its first cell in `starts`.
    uint32_t cells;        ///< A power of two, at least GRZ_GRID_MIN_CELLS.
    uint32_t stride;      ///< From a cell to the one in the next row; at least GRZ_GRID_MIN_STRIDE.
    uint32_t origin;      ///< Subtracted from an index: the seam lies where few items are.
    uint32_t count;       ///< Items.
    uint32_t first_count; ///< Items when the classes were chosen,
    float first_half;     ///< their largest half extent,
    float first_least;    ///< and the least of their larger ones.
    float above, most;    ///< Range of its items' larger half extents: above, <= most.
    uint32_t age;         ///< Builds since its cells were chosen.
    uint8_t list;         ///< Of kinds.
    uint8_t points;       ///< Whether its items may be points: grz_kinds_meet.
    bool quiet;           ///< Its items pair with none of their list: it is not the general one.
    bool kept;            ///< Its cells are those of the build before.
    bool refined;         ///< Its cells were made finer because of a crowd.
    bool parted;          ///< Its sizes were separated because of a crowd.
    uint32_t targets;     ///< Mask of the classes that its items are compared with.
    uint32_t apart;    ///< Mask of those that lie apart from it: of their items only the few that
                       ///< reach into `bounds` are compared with its own.
    graze_aabb bounds; ///< All its boxes lie in it, if any class is apart from it or long to it.
    uint32_t long_to;  ///< Mask of the classes that may have items which its moves pass: see
                       ///< grid_moves.h.
    double long_share; ///< About how many of its items move long,
    double long_width, long_height; ///< and how far these go in the mean.
} grz_grid_class;

struct graze_grid {
    grz_grid_boxes boxes;    ///< Point into the blocks below.
    uint32_t *order;         ///< By place: the item's index in the build's input.
    uint32_t *cells;         ///< By place: the cell, as an index in `starts`; not of quiet items.
    uint32_t *starts;        ///< By cell: its first place; one past the last cell: count.
    uint8_t *kinds;          ///< By place: of the item; only if `lists` are mixed.
    graze_aabb bounds;       ///< All boxes lie in it; empty when there are none.
    double shortest_passing; ///< A move that is shorter on either axis passes no item.
    double longest_move;     ///< No move is longer on both axes.
    uint32_t count;
    uint32_t class_count;
    uint32_t cell_count;
    grz_grid_class classes[GRZ_GRID_MAX_CLASSES];
    grz_grid_lists lists;
    const graze_grid_meets *meets; ///< Of the last build: a copy, or that of items without kinds.

    const grz_grid_loops *loops; ///< Of the lanes that it works with.

    double fixed_side; ///< Of cells, instead of the one a build would choose; 0 but in tests.
    graze_allocator allocator;
    grz_block min_x_block, min_y_block, max_x_block, max_y_block;
    grz_block order_block, cells_block, starts_block, kinds_block, meets_block;
    grz_block keys_block;  ///< Scratch of a build, notes between builds: 4 bytes per item,
    grz_block spans_block; ///< and scratch of 8 bytes per chunk of items.
};

/// Makes later builds use cells of this side for every class, as far as its reach allows; 0 lets
/// them choose. For tests and benchmarks: the size of cells changes no result.
void grz_grid_fix_side(graze_grid *grid, double side);

/// Makes the grid work with a set of lanes that the machine has, instead of the widest. For tests:
/// lanes change no result.
void grz_grid_use_lanes(graze_grid *grid, grz_lane_set set);

/// Chooses which classes look through which: sets targets and, where a crowd was separated from
/// larger items, apart and bounds. The items have been placed.
void grz_grid_choose_stages(graze_grid *grid);

/// Returns whether items of two classes pair.
static inline grz_kinds_meet grz_find_meeting(const graze_grid *grid, uint32_t i, uint32_t k)
{
    return (grz_kinds_meet)grid->lists.meet[grid->classes[i].list][grid->classes[k].list];
}

/// Returns the cell coordinate of a position in cells: monotone, so that what lies between two
/// positions lies between their cells; infinities go to the outermost cells.
static inline uint32_t grz_grid_coordinate(double position)
{
    double shifted = position + GRZ_GRID_COORDINATES / 2;
    shifted = shifted > 0 ? shifted : 0;
    shifted = shifted < GRZ_GRID_COORDINATES - 1 ? shifted : GRZ_GRID_COORDINATES - 1;
    return (uint32_t)(int32_t)shifted;
}

/// Returns the index, in its class, of the cell at a column and row.
static inline uint32_t grz_grid_index(const grz_grid_class *size_class, uint32_t column,
                                      uint32_t row)
{
    return (column + row * size_class->stride - size_class->origin) & (size_class->cells - 1);
}

/// Returns the cell coordinate of the middle of min..max.
static inline uint32_t grz_grid_center_coordinate(float min, float max, double half_inverse_side)
{
    return grz_grid_coordinate(((double)min + (double)max) * half_inverse_side);
}

#endif
