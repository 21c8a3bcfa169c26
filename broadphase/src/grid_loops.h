/// @file grid_loops.h
/// The hot loops of the grid, a table of them for each set of lanes: grid_wide.h has the code.
#ifndef GRZ_GRID_LOOPS_H
#define GRZ_GRID_LOOPS_H

#include <graze/grid.h>

#include "lanes_choice.h"

/// The sorted sides of all boxes, by place; GRZ_GRID_PADDING empty boxes follow the last.
typedef struct grz_grid_boxes {
    float *min_x, *min_y, *max_x, *max_y;
} grz_grid_boxes;

/// Places first to last - 1.
typedef struct grz_grid_range {
    uint32_t first, last;
} grz_grid_range;

/// Where finds go: to `pairs`, each with the item, or when that is null to `places`.
typedef struct grz_grid_sink {
    graze_pair *pairs;
    uint32_t *places;
    uint32_t item;
    uint32_t count, capacity;
    uint64_t tested;
} grz_grid_sink;

/// What finds the cells of a class's items, and which they are: see grz_grid_index.
typedef struct grz_cell_rule {
    double half_inverse_width, half_inverse_height;
    uint32_t stride, origin, mask, first_cell;
    float above, most; ///< Its items' larger half extents are above the one, at most the other.
    float list;        ///< Of kinds: its items'.
} grz_cell_rule;

/// Measures of the items under one rule.
typedef struct grz_grid_measures {
    uint32_t count;
    float half_width, half_height; ///< The largest.
    float least_half;              ///< The least of their larger half extents.
} grz_grid_measures;

/// Measures of all items.
typedef struct grz_grid_look {
    graze_aabb bounds; ///< What they all lie in; empty when there are none.
    bool sound;        ///< All boxes are finite and not inverted. If not, nothing else has meaning.
} grz_grid_look;

/// What a scan of items in the cells of their own class reads.
typedef struct grz_grid_neighbourhood {
    grz_grid_boxes boxes;
    const uint32_t *item_cells, *starts; ///< As in a graze_grid: of all classes' cells.
    uint32_t stride;                     ///< To the cell in the next row.
    uint32_t seam;                       ///< The last cell whose neighbours do not wrap around.
} grz_grid_neighbourhood;

/// Boxes to be compared with the items of a class, each with those in its window.
typedef struct grz_grid_scanners {
    /// Of items of the grid, by place, or of others; GRZ_GRID_PADDING more can be read after the
    /// last.
    grz_grid_boxes boxes;
    uint32_t most_cells; ///< Larger windows are left to the caller.
} grz_grid_scanners;

/// The least and the greatest cell of some items.
typedef struct grz_key_span {
    uint32_t least, greatest;
} grz_key_span;

struct grz_grid_class;

typedef struct grz_grid_loops {
    /// Stores each item's cell by the rule that it falls under, and measures the items of each
    /// rule. `lists` has the list of each item if there are several; if it is null, all are of
    /// `list`, and a single rule is for all. Items that fall under no rule get some cell, and do
    /// not count. `cells` has room for GRZ_GRID_PADDING more, and may be where `lists` are.
    grz_grid_look (*find_cells)(const graze_grid_items *items, const float *lists, float list,
                                const grz_cell_rule *rules, uint32_t rule_count, uint32_t *cells,
                                grz_grid_measures *measures);

    /// Stores the boxes of items order[k] at places k from `first` on, as many as the lanes take
    /// at a time. Returns the first place before `end` that it did not do, or `end`.
    uint32_t (*fetch_boxes)(const graze_aabb *items, const uint32_t *order, uint32_t first,
                            uint32_t end, const grz_grid_boxes *to);

    /// Returns the least and the greatest cell of `count` items, of at least one.
    grz_key_span (*find_key_span)(const uint32_t *cells, uint32_t count);

    /// Compares items from `item` on with those that come after them in their half neighbourhoods,
    /// as long as these have no seam and there is surely room for all finds. Returns the first item
    /// that it did not compare.
    uint32_t (*scan_items)(const grz_grid_neighbourhood *neighbourhood, uint32_t item,
                           uint32_t last, grz_grid_sink *sink);

    /// Compares boxes from `item` on with all items of a class that they may overlap, as long as
    /// their windows have no seam and no more cells than `most_cells`, and there is surely room for
    /// all finds. Returns the first box that it did not compare.
    uint32_t (*scan_windows)(const graze_grid *grid, const struct grz_grid_class *target,
                             const grz_grid_scanners *scanners, uint32_t item, uint32_t last,
                             grz_grid_sink *sink);

    /// Compares the range's boxes with `box` while there is room, and returns the place it came to:
    /// range.last when it is done.
    uint32_t (*scan_range)(const grz_grid_boxes *boxes, graze_aabb box, grz_grid_range range,
                           grz_grid_sink *sink);

    /// Returns the bounds of the range's boxes, of which there are at least GRZ_GRID_PADDING.
    graze_aabb (*find_bounds)(const grz_grid_boxes *boxes, grz_grid_range range);
} grz_grid_loops;

GRZ_DECLARE_WIDE(grz_grid_loops, grz_grid_loops);

#endif
