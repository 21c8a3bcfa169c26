/// @file grid_plan.h
/// The plan of a build: which size classes there are, and which cells each class has. It depends on
/// counts and sizes, never on clocks. It affects the order of results, but not what is found.
///
/// What the plan does, why, and which benchmark falls without it (10 thousand items, measured by
/// leaving out the one piece):
///
/// Sides      A cell has about 1.6 items if they lie evenly in the bounds of all boxes, and is at
///            least twice as long as the largest item of its class reaches. So all neighbours of
///            an item are in nine cells.
/// Classes    Items of like size share cells; a size gets a class of its own where the larger size
///            would make the cells of the smaller too long. Without: broadphase/pairs/
///            gas-sizes-giants 9 times as long, gas-sizes-power 8, engine/step/gas-fast 35.
/// Kept       A build keeps the classes and cells of the last one while counts and sizes stay
///            within a quarter of what they were made for. Then it reads the items once. Without:
///            broadphase/build/gas 1.5 times as long, clusters-dense 2.9, debris 5.
/// Crowds     Once the items are counted, a class with more than 6 items in an item's cell tries
///            finer cells: each trial shrinks their area by what the crowding exceeds that of an
///            even world. So eight trials part a spot of 2^-29 of the world. The best cells stay,
///            and are measured anew after 128 builds. Without: broadphase/pairs/clusters-dense 2.4
///            times as long, debris 44.
/// Parting    Small items in a crowd may be among large ones, which allow no finer cells. Then each
///            size gets a class. Without: broadphase/pairs/debris 43 times as long.
/// Apart      If few of the large items reach the crowd, these look for it, instead of the crowd
///            for large items (grid_stages.c). Without: broadphase/pairs/debris 1.7 times as long.
/// Direction  Of two classes the one looks through the other for which an estimate is lower
///            (grid_stages.c). If the finer class always did: broadphase/pairs/gas-sizes-power 4
///            times as long. If the coarser did: engine/step/bullets-bodies 2.3 times.
/// Torus      The cells are a torus of at most twice as many cells as items: memory does not depend
///            on the world. Items that share a cell only because of that are a crowd like any
///            other. Whoever aims at the period of the cells finds another one after each trial;
///            where items are too large for finer cells, one trial has longer ones. This has no
///            benchmark, it bounds the cost: test_grid_crowd.
///
/// What was tried and left out, as no scene gained from it: an extent of the world by a sample that
/// ignores outliers, cells of another shape for items that do not pair with each other, cells that
/// are shorter on one axis where they must be longer on the other, and a search for the cause of a
/// crowd (a vote on where its items are, then a larger torus, or cells by the crowd's own density).
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

/// What all boxes lie in.
typedef struct grz_grid_extent {
    double low_x, low_y, width, height;
} grz_grid_extent;

/// How far the search for a class's cells has come.
typedef struct grz_grid_trial {
    double least;         ///< Least crowding so far; DBL_MAX at first,
    double width, height; ///< and the sides of those cells.
    uint32_t count;       ///< Of cells tried.
    bool widened;         ///< Its cells were made larger, once, because they could not be finer.
    bool over;            ///< Nothing more is tried.
} grz_grid_trial;

/// The classes that a build works with, in the making.
typedef struct grz_grid_plan {
    grz_grid_extent world;
    grz_grid_class classes[GRZ_GRID_MAX_CLASSES];
    grz_grid_trial trials[GRZ_GRID_MAX_CLASSES];
    uint32_t class_count;
} grz_grid_plan;

#define GRZ_GRID_DENSITY 1.6 ///< Items a cell in an even world.

/// From this mean number of items in an item's cell on, itself included, a class is crowded: an
/// evenly filled world has GRZ_GRID_DENSITY + 1.
#define GRZ_GRID_CROWDED 6.0

/// Returns whether the cells or the class that a crowd was given are so many builds old that the
/// crowd is to be measured again.
static inline bool grz_grid_is_due(const grz_grid_class *size_class)
{
    const uint32_t patience = 128;
    return (size_class->refined || size_class->parted) && size_class->age >= patience;
}

/// Returns whether the two are so close that cells made for one are kept for the other, from build
/// to build.
static inline bool grz_grid_is_near(double a, double b)
{
    const double inertia = 1.25;
    return a <= inertia * b && b <= inertia * a;
}

/// Returns the side s for which (width / s + 1) * (height / s + 1) cells hold `count` items at
/// GRZ_GRID_DENSITY: also right for items on a line.
double grz_grid_choose_side(grz_grid_extent world, uint32_t count);

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

/// Gives crowded classes other cells, once their items have been counted. Returns whether any
/// changed.
bool grz_grid_refine(grz_grid_plan *plan, const graze_grid *grid);

#endif
