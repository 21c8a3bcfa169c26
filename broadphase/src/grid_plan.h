/// @file grid_plan.h
/// Which size classes and cells a build uses. The choice depends on counts and sizes, never on
/// clocks, and affects no result.
#ifndef GRZ_GRID_PLAN_H
#define GRZ_GRID_PLAN_H

#include "grid_state.h"

enum {
    GRZ_GRID_LIST_BUCKETS = 128, ///< Of sizes, by factors of 4, of each list.
    GRZ_GRID_BUCKETS = GRZ_GRID_LISTS * GRZ_GRID_LIST_BUCKETS
};

/// How many items each size bucket has, and their largest half extents.
typedef struct grz_grid_survey {
    uint32_t counts[GRZ_GRID_BUCKETS];
    float half_width[GRZ_GRID_BUCKETS], half_height[GRZ_GRID_BUCKETS];
} grz_grid_survey;

/// Where most centres are.
typedef struct grz_grid_extent {
    double low_x, low_y, width, height;
} grz_grid_extent;

/// How far the search for a class's cells has come.
typedef struct grz_grid_trial {
    double before;         ///< Crowding in the cells tried before; DBL_MAX at first.
    double least;          ///< Least crowding so far, likewise,
    double width, height;  ///< and the sides of those cells.
    grz_grid_extent world; ///< That the class's torus is laid around.
    uint32_t count;        ///< Of cells tried.
    bool over;             ///< Nothing more is tried.
} grz_grid_trial;

/// The classes that a build works with, in the making.
typedef struct grz_grid_plan {
    grz_grid_extent world;
    grz_grid_class classes[GRZ_GRID_MAX_CLASSES];
    grz_grid_trial trials[GRZ_GRID_MAX_CLASSES];
    uint32_t class_count;
} grz_grid_plan;

/// Estimated from a few of the items; far outliers change nothing.
grz_grid_extent grz_grid_judge_extent(const graze_grid_items *items);

/// Keeps the last build's classes if `measures`, by their rules, show that the items are much like
/// its own, and that every item of a list, of which there are `counts`, falls under a rule. Returns
/// whether they are kept.
bool grz_grid_keep_classes(grz_grid_plan *plan, const graze_grid *grid,
                           const grz_grid_measures *measures,
                           const uint32_t counts[GRZ_GRID_LISTS]);

/// Makes a single class of all items, which are of one list, if any buckets would lead to that.
/// Returns whether it was made.
bool grz_grid_plan_one_class(grz_grid_plan *plan, const grz_grid_measures *measures, uint32_t list);

/// Makes classes of the buckets, each of similar sizes.
void grz_grid_plan_classes(grz_grid_plan *plan, const grz_grid_survey *sizes);

/// Returns whether a class that is not quiet is still crowded in the best cells found for it, which
/// must be larger than its largest items, and has much smaller ones too. `measures` are its items'.
bool grz_grid_is_crowd_mixed(const grz_grid_plan *plan, const grz_grid_measures *measures);

/// Makes more classes of items of the general list: one of each bucket that has enough items.
/// Returns whether there are more; if not, the plan stays as it is.
bool grz_grid_part_classes(grz_grid_plan *plan, const grz_grid_survey *sizes);

/// Gives each class its cells: those of the grid's last build where they still suit, or by the
/// number of items. Returns whether all are those of the last build.
bool grz_grid_plan_cells(grz_grid_plan *plan, const graze_grid *grid);

/// Gives crowded classes other cells, once their items have been counted: the grid's starts are
/// sums of the counts, and `item_cells` the items' cells. Returns whether any changed.
bool grz_grid_refine(grz_grid_plan *plan, const graze_grid *grid, const graze_grid_items *items,
                     const uint32_t *item_cells);

#endif
