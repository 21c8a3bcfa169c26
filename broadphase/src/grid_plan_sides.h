/// @file grid_plan_sides.h
/// The sides of cells: what the parts of the plan share.
#ifndef GRZ_GRID_PLAN_SIDES_H
#define GRZ_GRID_PLAN_SIDES_H

#include "grid_plan.h"

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

/// Return the minimum sides of the class's cells.
double grz_grid_least_width(const grz_grid_class *size_class, grz_grid_extent world);
double grz_grid_least_height(const grz_grid_class *size_class, grz_grid_extent world);

/// Returns the largest power of two of cells that the class may have.
uint32_t grz_grid_bound_cells(const grz_grid_class *size_class);

/// Gives the class cells of these sides.
void grz_grid_shape_class(grz_grid_class *shaped, double width, double height,
                          grz_grid_extent world);

#endif
