#include "grid_plan_sides.h"
#include "vec2d.h"

#include <float.h>

// Chooses a class's cells before its items are counted: those of the last build if they still suit,
// or by the number of items.

// Refined cells that are less crowded than this are finer than they need to be: see
// grid_plan_refine.c.
static const double loose_crowding = 1.5;

// Minimum sides of quiet items' cells, in reaches: these items are not compared with each other, so
// no neighbourhood bounds the sides. Others scan the cells row by row: few rows are best, and
// narrow cells, which have few boxes beside the window.
static const double quiet_width = 0.0625;
static const double quiet_height = 1;

// The least length of the world for that, in reaches: else windows would go round the torus.
static const double quiet_length = 16;

// How much longer cells are than the reach of their items requires.
static const double roominess = 1.05;

// With such sides all boxes that overlap have their centres in neighbouring cells.
static double bound_side(const grz_grid_axis *axis)
{
    return 2 * axis->reach * (1 + GRZ_GRID_MARGIN);
}

// The minimum side of new cells: the largest box may grow a little before they no longer suit.
static double choose_least_side(const grz_grid_class *size_class, const grz_grid_axis *axis,
                                double quiet_share, double length)
{
    const bool is_free = size_class->quiet && length > quiet_length * axis->reach;
    return is_free ? quiet_share * axis->reach : bound_side(axis) * roominess;
}

double grz_grid_least_width(const grz_grid_class *size_class, grz_grid_extent world)
{
    return choose_least_side(size_class, &size_class->x, quiet_width, world.width);
}

double grz_grid_least_height(const grz_grid_class *size_class, grz_grid_extent world)
{
    return choose_least_side(size_class, &size_class->y, quiet_height, world.height);
}

// Returns the minimum side, or one that gives cells with the other side this area. If the world is
// narrower than a cell, only the area within the world counts.
static double fit_side(double least, double area, double other_side, double other_length)
{
    const double across = other_side < other_length ? other_side : other_length;
    const double side = across > 0 ? area / across : DBL_MAX;
    return max_double(least, side);
}

// Takes the sides wished for, or those that the reaches require: if one must be longer, the other
// is shorter.
static void choose_ideal(grz_grid_class *shaped, double wish, grz_grid_extent world)
{
    const double least_width = grz_grid_least_width(shaped, world);
    const double least_height = grz_grid_least_height(shaped, world);
    const double area = wish * wish;
    shaped->x.ideal = max_double(wish, least_width);
    shaped->y.ideal = max_double(wish, least_height);
    if (least_width > wish && least_height < wish) {
        const double height = fit_side(least_height, area, shaped->x.ideal, world.width);
        shaped->y.ideal = height < wish ? height : wish;
    } else if (least_height > wish && least_width < wish) {
        const double width = fit_side(least_width, area, shaped->y.ideal, world.height);
        shaped->x.ideal = width < wish ? width : wish;
    }
}

// Returns how many cells a length touches at most.
static uint64_t span_length(double length, double side)
{
    const double cells = length / side + 2;
    return cells < GRZ_GRID_MAX_ITEMS ? (uint64_t)cells : GRZ_GRID_MAX_ITEMS;
}

uint32_t grz_grid_bound_cells(const grz_grid_class *size_class)
{
    uint32_t most = GRZ_GRID_MIN_CELLS;
    while (most <= size_class->count) { // Then it is at most twice the count.
        most *= 2;
    }
    return most;
}

// Lays the torus around the world, or as far as the number of cells allows.
static void lay_cells(grz_grid_class *laid, grz_grid_extent world)
{
    const uint64_t most = grz_grid_bound_cells(laid);
    uint64_t columns = span_length(world.width, laid->x.side) + 1;
    uint64_t rows = span_length(world.height, laid->y.side);
    while (columns * rows > most || 2 * columns + 3 > most) {
        *(columns > rows ? &columns : &rows) /= 2;
    }
    columns = columns > GRZ_GRID_MIN_STRIDE ? columns : GRZ_GRID_MIN_STRIDE;
    uint64_t cells = GRZ_GRID_MIN_CELLS;
    while (cells < columns * rows || cells < 2 * columns + 3) {
        cells *= 2;
    }
    const double column = world.low_x * laid->x.inverse_side - 1;
    const double row = world.low_y * laid->y.inverse_side - 1;
    laid->cells = (uint32_t)cells;
    laid->stride = (uint32_t)columns;
    laid->origin = 0;
    laid->origin = grz_grid_index(laid, grz_grid_coordinate(column), grz_grid_coordinate(row));
}

void grz_grid_shape_class(grz_grid_class *shaped, double width, double height,
                          grz_grid_extent world)
{
    shaped->x.side = width;
    shaped->y.side = height;
    shaped->x.inverse_side = 1 / width;
    shaped->y.inverse_side = 1 / height;
    lay_cells(shaped, world);
}

static bool suits_axis(const grz_grid_class *size_class, const grz_grid_axis *made,
                       const grz_grid_axis *old)
{
    return (size_class->quiet || bound_side(made) <= old->side) &&
           grz_grid_is_near(made->ideal, old->ideal);
}

// Whether the class may keep the cells of the last build.
static bool suits(const grz_grid_class *made, const grz_grid_class *old)
{
    return made->list == old->list && old->cells <= grz_grid_bound_cells(made) &&
           suits_axis(made, &made->x, &old->x) && suits_axis(made, &made->y, &old->y) &&
           !(old->refined && old->crowding < loose_crowding) && !grz_grid_is_due(old);
}

static void keep_axis(grz_grid_axis *made, const grz_grid_axis *old)
{
    const double reach = made->reach;
    *made = *old;
    made->reach = reach;
}

static void keep_cells(grz_grid_class *made, const grz_grid_class *old)
{
    keep_axis(&made->x, &old->x);
    keep_axis(&made->y, &old->y);
    made->cells = old->cells;
    made->stride = old->stride;
    made->origin = old->origin;
    made->refined = old->refined;
    made->settled = old->settled;
    made->age = old->age + 1;
    made->kept = true;
}

bool grz_grid_plan_cells(grz_grid_plan *plan, const graze_grid *grid)
{
    const double fixed = grid->fixed_side;
    bool all = plan->class_count == grid->class_count && !(fixed > 0);
    const bool comparable = all;
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        grz_grid_class *made = &plan->classes[i];
        const double wish = fixed > 0 ? fixed : grz_grid_choose_side(plan->world, made->count);
        const grz_grid_trial fresh = {DBL_MAX, DBL_MAX, 0, 0, plan->world, 0, false};
        plan->trials[i] = fresh;
        choose_ideal(made, wish, plan->world);
        if (comparable && suits(made, &grid->classes[i])) {
            keep_cells(made, &grid->classes[i]);
        } else {
            grz_grid_shape_class(made, made->x.ideal, made->y.ideal, plan->world);
            all = false;
        }
    }
    return all;
}
