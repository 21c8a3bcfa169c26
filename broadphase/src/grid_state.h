/// @file grid_state.h
/// What a grid holds after a build, shared by the files that build it and those that read it.
///
/// Places are sorted by class, in a class by cell (row by row), in a cell by the order of the
/// items. All classes' cells stand in one table `starts`: cell k holds places starts[k] to starts[k
/// + 1], so cells side by side in a row are one contiguous range of places.
///
/// Invariant  An item lives in the cell of its box's centre, and a cell's side exceeds twice the
///            class's reach: boxes of one class that overlap have centres in the same cell or in
///            neighbouring ones. Cells wrap around (a torus): far apart items may share a cell, and
///            are parted by comparing their boxes.
#ifndef GRZ_GRID_STATE_H
#define GRZ_GRID_STATE_H

#include <graze/grid.h>

#include "memory.h"

enum {
    GRZ_GRID_MAX_CLASSES = 32,    ///< A set of classes is a 32-bit mask.
    GRZ_GRID_MIN_SIDE = 4,        ///< Cells a row or column at least: neighbours are distinct.
    GRZ_GRID_MAX_ITEMS = 1 << 30, ///< Places, doubled and padded, stay in 32 bits.
    GRZ_GRID_PADDING = 16         ///< Empty boxes past the last place.
};

/// Cell coordinates lie in [0, GRZ_GRID_COORDINATES); what would lie outside is in the outermost.
#define GRZ_GRID_COORDINATES 2147483648.0

/// Relative slack of a cell's side over 2 x reach, and slack in cells of a window's edges. Cell
/// coordinates below 2^31 computed in double are off by less than 2e-6.
#define GRZ_GRID_MARGIN 1e-5

/// Items of similar size, quiet ones apart, in cells of one size.
typedef struct grz_grid_class {
    double reach;        ///< No box of the class reaches further from its centre, on either axis.
    double side;         ///< Of a cell.
    double inverse_side; ///< 1 / side.
    double crowding;     ///< Items that an item shares its cell with in the mean, itself included.
    uint32_t first_cell; ///< Index of its first cell in `starts`.
    uint32_t columns, rows; ///< Powers of two, at least GRZ_GRID_MIN_SIDE.
    uint32_t column_bits;   ///< columns == 1 << column_bits.
    uint32_t count;         ///< Items.
    bool quiet;             ///< Its items are never compared with other quiet ones.
    uint32_t targets;       ///< Mask of the classes that its items are compared with.
} grz_grid_class;

/// The sorted sides of all boxes, by place; GRZ_GRID_PADDING empty boxes follow the last.
typedef struct grz_grid_boxes {
    float *min_x, *min_y, *max_x, *max_y;
} grz_grid_boxes;

struct graze_grid {
    grz_grid_boxes boxes; ///< Point into the blocks below.
    uint32_t *order;      ///< By place: the item's index in the build's input.
    uint32_t *cells;      ///< By place: the item's cell, as an index in `starts`.
    uint32_t *starts;     ///< By cell: its first place; one past the last cell: count.
    uint32_t count;
    uint32_t class_count;
    uint32_t cell_count;
    grz_grid_class classes[GRZ_GRID_MAX_CLASSES];

    double fixed_side; ///< Of cells, instead of the one a build would choose; 0 but in tests.
    graze_allocator allocator;
    grz_block min_x_block, min_y_block, max_x_block, max_y_block;
    grz_block order_block, cells_block, starts_block;
    grz_block keys_block, buckets_block; ///< Scratch of a build: 4 and 1 bytes an item.
};

/// Makes later builds use cells of this side for every class, as far as its reach allows; 0 lets
/// them choose. For tests and benchmarks: the size of cells changes no result.
void grz_grid_fix_side(graze_grid *grid, double side);

/// Estimates what it costs to compare each item of `scanner` with those of `target` near it; of one
/// class with itself: with those that come after it.
double grz_estimate_scan(const grz_grid_class *scanner, const grz_grid_class *target);

/// Returns the cell coordinate of a position in cells: monotone, so that what lies between two
/// positions lies between their cells; infinities go to the outermost cells.
static inline uint32_t grz_grid_coordinate(double position)
{
    double shifted = position + GRZ_GRID_COORDINATES / 2;
    shifted = shifted > 0 ? shifted : 0;
    shifted = shifted < GRZ_GRID_COORDINATES - 1 ? shifted : GRZ_GRID_COORDINATES - 1;
    return (uint32_t)(int32_t)shifted;
}

/// Returns the cell coordinate of the middle of min..max.
static inline uint32_t grz_grid_center_coordinate(float min, float max, double half_inverse_side)
{
    return grz_grid_coordinate(((double)min + (double)max) * half_inverse_side);
}

#endif
