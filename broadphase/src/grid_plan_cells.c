#include "grid_plan.h"
#include "root.h"
#include "vec2d.h"

#include <float.h>

// Chooses a class's cells before its items are counted: those of the last build if they still suit,
// or by the number of items. Chooses others if the count shows a crowd.

enum { MAX_TRIALS = 8 }; ///< New cells tried for a crowd: each trial counts the items again.

// Refined cells that are less crowded than this are finer than they need to be.
static const double loose_crowding = 1.5;

// How much longer cells are than the reach of their items requires.
static const double roominess = 1.05;

// With such sides all boxes that overlap have their centres in neighbouring cells.
static double bound_side(const grz_grid_axis *axis)
{
    return 2 * axis->reach * (1 + GRZ_GRID_MARGIN);
}

// The minimum side of new cells: the largest box may grow a little before they no longer suit.
static double find_least_side(const grz_grid_axis *axis)
{
    return bound_side(axis) * roominess;
}

double grz_grid_choose_side(grz_grid_extent world, uint32_t count)
{
    const double cells = max_double(count / GRZ_GRID_DENSITY - 1, 1);
    const double sum = world.width + world.height;
    const double root = grz_sqrt(sum * sum + 4 * cells * world.width * world.height);
    return (sum + root) / (2 * cells);
}

// Returns how many cells a length touches at most.
static uint64_t span_length(double length, double side)
{
    const double cells = length / side + 2;
    return cells < GRZ_GRID_MAX_ITEMS ? (uint64_t)cells : GRZ_GRID_MAX_ITEMS;
}

// Returns the largest power of two of cells that the class may have.
static uint32_t bound_cells(const grz_grid_class *size_class)
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
    const uint64_t most = bound_cells(laid);
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

static void shape_class(grz_grid_class *shaped, double width, double height, grz_grid_extent world)
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
    return made->list == old->list && old->cells <= bound_cells(made) &&
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
        const grz_grid_trial fresh = {.least = DBL_MAX};
        plan->trials[i] = fresh;
        made->x.ideal = max_double(wish, find_least_side(&made->x));
        made->y.ideal = max_double(wish, find_least_side(&made->y));
        if (comparable && suits(made, &grid->classes[i])) {
            keep_cells(made, &grid->classes[i]);
        } else {
            shape_class(made, made->x.ideal, made->y.ideal, plan->world);
            all = false;
        }
    }
    return all;
}

// --- Crowds ---

// Shrinks the area of cells by as much as their crowding exceeds that of evenly spread items, as
// far as the sizes of the items allow. Returns whether the cells are finer now.
static bool make_finer(grz_grid_class *refined, grz_grid_extent world)
{
    const double before = refined->x.side * refined->y.side;
    const double factor = (GRZ_GRID_DENSITY + 1) / refined->crowding, area = before * factor;
    const double least_width = find_least_side(&refined->x);
    const double least_height = find_least_side(&refined->y);
    double width = max_double(refined->x.side * grz_sqrt(factor), least_width);
    const double height = max_double(area / width, least_height);
    width = max_double(area / height, least_width);
    if (!(width * height < 0.99 * before)) {
        return false;
    }
    shape_class(refined, width, height, world);
    refined->refined = true;
    return true;
}

// Items that share a cell only because the grid is a torus are parted by cells of other sides: by
// finer ones, or by sides that are incommensurable with the old ones, larger by the root of the
// golden ratio. Returns whether the cells changed.
static bool make_other(grz_grid_class *refined, grz_grid_trial *trial, grz_grid_extent world)
{
    const double detour = 1.2720196495140690;
    if (trial->count > MAX_TRIALS || trial->widened) {
        return false;
    }
    if (!make_finer(refined, world)) {
        trial->widened = true;
        shape_class(refined, refined->x.side * detour, refined->y.side * detour, world);
    }
    return true;
}

static void note_trial(grz_grid_trial *trial, const grz_grid_class *tried)
{
    if (tried->crowding < trial->least) {
        trial->least = tried->crowding;
        trial->width = tried->x.side;
        trial->height = tried->y.side;
    }
    ++trial->count;
}

// Returns to the best cells that were tried. Returns whether the cells changed.
static bool take_best(grz_grid_class *settled, grz_grid_trial *trial, grz_grid_extent world)
{
    const bool back = settled->crowding > trial->least;
    trial->over = true;
    settled->settled = trial->least;
    if (back) {
        shape_class(settled, trial->width, trial->height, world);
    }
    return back;
}

// A crowd that finer cells do not part may be a smaller spot than they are: so finer ones are tried
// as long as there may be any.
static bool refine_class(grz_grid_class *refined, grz_grid_trial *trial, grz_grid_extent world)
{
    if (trial->over || refined->crowding <= max_double(GRZ_GRID_CROWDED, 2 * refined->settled)) {
        return false;
    }
    note_trial(trial, refined);
    return make_other(refined, trial, world) || take_best(refined, trial, world);
}

bool grz_grid_refine(grz_grid_plan *plan, const graze_grid *grid)
{
    bool changed = false;
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        grz_grid_class *refined = &plan->classes[i];
        if (plan->trials[i].count == 0) {
            refined->first_crowding = refined->crowding;
        }
        changed |= !(grid->fixed_side > 0) && refine_class(refined, &plan->trials[i], plan->world);
    }
    return changed;
}
