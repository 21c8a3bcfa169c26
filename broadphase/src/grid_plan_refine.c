#include "grid_plan_sides.h"
#include "root.h"
#include "vec2d.h"

// Finds other cells for a class that turned out to be crowded when its items were counted.

enum { MAX_TRIALS = 6 }; ///< New cells tried for a crowd: each trial counts the items again.

// Items that share a cell only because the grid is a torus are separated by sides that are
// incommensurable with the old ones: larger by the root of the golden ratio.
static const double detour = 1.2720196495140690;

// Shrinks the area of cells by as much as their crowding exceeds that of evenly spread items, as
// far as the sizes of the items allow. Returns whether the cells are finer now.
static bool make_finer(grz_grid_class *refined, grz_grid_extent world)
{
    const double before = refined->x.side * refined->y.side;
    const double factor = (GRZ_GRID_DENSITY + 1) / refined->crowding, area = before * factor;
    const double least_width = grz_grid_least_width(refined, world);
    const double least_height = grz_grid_least_height(refined, world);
    double width = max_double(refined->x.side * grz_sqrt(factor), least_width);
    const double height = max_double(area / width, least_height);
    width = max_double(area / height, least_width);
    if (!(width * height < 0.99 * before)) {
        return false;
    }
    grz_grid_shape_class(refined, width, height, world);
    refined->refined = true;
    return true;
}

// Returns the most crowded cell of the class. The starts are sums: cell k begins at starts[k + 1].
static uint32_t find_worst_cell(const grz_grid_class *size_class, const uint32_t *starts)
{
    uint32_t worst = size_class->first_cell, most = 0;
    for (uint32_t cell = size_class->first_cell; cell < size_class->first_cell + size_class->cells;
         ++cell) {
        const uint32_t count = starts[cell + 2] - starts[cell + 1];
        worst = count > most ? cell : worst;
        most = count > most ? count : most;
    }
    return worst;
}

/// The middle of a box, its coordinates doubled.
typedef struct middle {
    double x, y;
} middle;

static middle find_middle(const graze_grid_items *items, uint32_t i)
{
    const middle found = {(double)items->boxes[i].lower.x + (double)items->boxes[i].upper.x,
                          (double)items->boxes[i].lower.y + (double)items->boxes[i].upper.y};
    return found;
}

// Whether two items of a cell are really close, not just because the grid is a torus.
static bool is_beside(const grz_grid_class *size_class, middle a, middle b)
{
    const double x = a.x - b.x, y = a.y - b.y;
    return max_double(x, -x) <= 3 * size_class->x.side &&
           max_double(y, -y) <= 3 * size_class->y.side;
}

// Returns the middle of an item to which most items of a cell are close, if there is one: else that
// of any (R. Boyer, J. Moore 1981, "A fast majority vote algorithm").
static middle vote_middle(const grz_grid_class *size_class, const graze_grid_items *items,
                          const uint32_t *item_cells, uint32_t cell)
{
    middle elected = {0, 0};
    uint32_t votes = 0;
    for (uint32_t i = 0; i < items->count; ++i) {
        if (item_cells[i] == cell) {
            const middle candidate = find_middle(items, i);
            elected = votes ? elected : candidate;
            votes = !votes || is_beside(size_class, elected, candidate) ? votes + 1 : votes - 1;
        }
    }
    return elected;
}

/// The items of a cell that are close to the elected one: the bounds of their middles, doubled; and
/// the number of the others.
typedef struct crowd {
    double min_x, min_y, max_x, max_y;
    uint32_t count, others;
} crowd;

static crowd look_into_cell(const grz_grid_class *size_class, const graze_grid_items *items,
                            const uint32_t *item_cells, uint32_t cell)
{
    const middle elected = vote_middle(size_class, items, item_cells, cell);
    crowd seen = {elected.x, elected.y, elected.x, elected.y, 0, 0};
    for (uint32_t i = 0; i < items->count; ++i) {
        if (item_cells[i] != cell) {
            continue;
        }
        const middle at = find_middle(items, i);
        if (!is_beside(size_class, elected, at)) {
            ++seen.others;
            continue;
        }
        seen.min_x = at.x < seen.min_x ? at.x : seen.min_x;
        seen.min_y = at.y < seen.min_y ? at.y : seen.min_y;
        seen.max_x = at.x > seen.max_x ? at.x : seen.max_x;
        seen.max_y = at.y > seen.max_y ? at.y : seen.max_y;
        ++seen.count;
    }
    return seen;
}

// Returns the smallest side with which only far outliers lie beyond the cells that have coordinates
// of their own, and fall into the outermost ones.
static double choose_side_in_range(double low, double length)
{
    const double high = max_double(-low, low + length);
    return max_double(high, 0) / (GRZ_GRID_COORDINATES / 4);
}

// Chooses cells by the density of the crowd in one of them. Returns whether they are much finer.
static bool fit_crowd(grz_grid_class *fitted, const crowd *seen, grz_grid_extent world)
{
    const grz_grid_extent inside = {0, 0, (seen->max_x - seen->min_x) * 0.5,
                                    (seen->max_y - seen->min_y) * 0.5};
    const double wish = max_double(grz_grid_choose_side(inside, seen->count),
                                   max_double(choose_side_in_range(world.low_x, world.width),
                                              choose_side_in_range(world.low_y, world.height)));
    const double width = max_double(wish, grz_grid_least_width(fitted, world));
    const double height = max_double(wish, grz_grid_least_height(fitted, world));
    if (!(width * height < 0.8 * fitted->x.side * fitted->y.side)) {
        return false;
    }
    grz_grid_shape_class(fitted, width, height, world);
    fitted->refined = true;
    return true;
}

// Enlarges the torus of a class to all the cells that it may have, if it has far fewer: if most
// items crowd in one spot, the extent of the world was estimated as that of the spot.
static bool widen_torus(grz_grid_class *widened, grz_grid_extent *world)
{
    const uint32_t most = grz_grid_bound_cells(widened);
    if (widened->cells > most / 4) {
        return false;
    }
    const double root = grz_sqrt(most) - 4;
    const grz_grid_extent before = *world;
    world->width = max_double(before.width, root * widened->x.side);
    world->height = max_double(before.height, root * widened->y.side);
    world->low_x -= (world->width - before.width) * 0.5;
    world->low_y -= (world->height - before.height) * 0.5;
    grz_grid_shape_class(widened, widened->x.side, widened->y.side, *world);
    return true;
}

// Called when finer cells no longer divide the crowd: finds the cause. Items that are far apart,
// and share a cell only because the grid is a torus, are separated by a larger torus or by other
// sides. A real crowd gets cells by its own density. Items at one point, or as large as the
// distances between them, cannot be separated. Returns whether the cells changed.
static bool part_crowd(grz_grid_class *refined, grz_grid_extent *world, const graze_grid *grid,
                       const graze_grid_items *items, const uint32_t *item_cells)
{
    const uint32_t worst = find_worst_cell(refined, grid->starts);
    const crowd seen = look_into_cell(refined, items, item_cells, worst);
    if (seen.count >= seen.others) {
        return fit_crowd(refined, &seen, *world);
    }
    if (!widen_torus(refined, world)) {
        grz_grid_shape_class(refined, refined->x.side * detour, refined->y.side * detour, *world);
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
    trial->before = tried->crowding;
    ++trial->count;
}

// Returns to the best cells that were tried. Returns whether the cells changed.
static bool take_best(grz_grid_class *settled, grz_grid_trial *trial)
{
    const bool back = settled->crowding > trial->least;
    trial->over = true;
    settled->settled = trial->least;
    if (back) {
        grz_grid_shape_class(settled, trial->width, trial->height, trial->world);
    }
    return back;
}

// Tries finer cells as long as each trial halves the crowding; then cells that suit the cause of
// the crowd. Returns whether the cells changed.
static bool refine_class(grz_grid_plan *plan, uint32_t i, const graze_grid *grid,
                         const graze_grid_items *items, const uint32_t *item_cells)
{
    grz_grid_class *refined = &plan->classes[i];
    grz_grid_trial *trial = &plan->trials[i];
    const bool halved = refined->crowding < trial->before / 2;
    if (trial->over || refined->crowding <= max_double(GRZ_GRID_CROWDED, 2 * refined->settled)) {
        return false;
    }
    note_trial(trial, refined);
    if (trial->count <= MAX_TRIALS &&
        ((halved && make_finer(refined, trial->world)) ||
         part_crowd(refined, &trial->world, grid, items, item_cells))) {
        return true;
    }
    return take_best(refined, trial);
}

bool grz_grid_refine(grz_grid_plan *plan, const graze_grid *grid, const graze_grid_items *items,
                     const uint32_t *item_cells)
{
    bool changed = false;
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        grz_grid_class *refined = &plan->classes[i];
        if (plan->trials[i].count == 0) {
            refined->first_crowding = refined->crowding;
        }
        changed |= !(grid->fixed_side > 0) && refine_class(plan, i, grid, items, item_cells);
    }
    return changed;
}
