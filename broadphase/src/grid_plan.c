#include "grid_plan.h"
#include "root.h"

#include <float.h>
#include <string.h>

enum {
    SAMPLES = 32,       // Items that the extent of the world is judged by.
    LEAST_MEMBERS = 16, // A class of fewer joins the next coarser,
    KIND_CLASSES = 15,  // likewise one of fewer than this share of its kind.
    PATIENCE = 128,     // Builds for which a crowd's cells are kept before it is looked at again.
    MOST_TRIALS = 6,    // Of other cells for a crowd: each costs another count.
};

// Items a cell in an even world.
static const double DENSITY = 1.6;

// The mean number of items that an item shares its cell with, itself included, that is too many: an
// even world has DENSITY + 1.
static const double CROWDED = 6;

// The same in cells that were made finer, when they are finer than they need to be.
static const double LOOSE = 1.5;

// How much bigger than their number asks for cells may be before sizes are parted into classes; and
// the boxes of quiet items, where they are so many times as many as the others: to these few one
// class to look through costs less than several with smaller windows.
static const double COARSENESS = 1.5;
static const double QUIET_COARSENESS = 8;
static const double QUIET_SHARE = 4;

// Sides of quiet items' cells, in reaches, at least: these items are never compared with one
// another, and no neighbourhood bounds them. Others look through the cells row by row: the fewer
// rows the better, and the narrower cells are for it the fewer boxes lie beside the window. That
// holds where the world is so many reaches long: else windows would go round the torus.
static const double QUIET_WIDTH = 0.125;
static const double QUIET_HEIGHT = 0.5;
static const double QUIET_LENGTH = 16;

// Sizes of no more than this ratio are not parted.
static const double BUCKET_FACTOR = 4;

// Cells are kept from build to build while what they would be now is not this factor off.
static const double INERTIA = 1.25;

// How much longer cells are than the reach of their items asks for.
static const double ROOMINESS = 1.05;

// Items that came into one cell round the torus are parted by sides that have no common measure
// with those they had: by the root of the golden ratio.
static const double DETOUR = 1.2720196495140690;

// Sorts the few values by insertion.
static void sort_values(double *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const double value = values[i];
        uint32_t hole = i;
        for (; hole > 0 && values[hole - 1] > value; --hole) {
            values[hole] = values[hole - 1];
        }
        values[hole] = value;
    }
}

// Stores how far apart those of all the values' extremes are, judged by the inner three quarters of
// a few of them, and where they begin.
static void judge_spread(double *values, uint32_t count, double *low, double *length)
{
    sort_values(values, count);
    if (count < 2) {
        *low = count ? values[0] : 0;
        *length = 0;
        return;
    }
    const uint32_t first = count / 8, last = count - 1 - count / 8;
    *length = (values[last] - values[first]) * (count + 1) / (last - first);
    *low = (values[last] + values[first] - *length) * 0.5;
}

grz_grid_extent grz_grid_judge_extent(const graze_grid_items *items)
{
    const uint32_t count = items->count < SAMPLES ? items->count : SAMPLES;
    double x[SAMPLES], y[SAMPLES];
    for (uint32_t sample = 0; sample < count; ++sample) {
        const uint32_t i = (uint32_t)((uint64_t)sample * items->count / count);
        x[sample] = ((double)items->min_x[i] + (double)items->max_x[i]) * 0.5;
        y[sample] = ((double)items->min_y[i] + (double)items->max_y[i]) * 0.5;
    }
    grz_grid_extent judged;
    judge_spread(x, count, &judged.low_x, &judged.width);
    judge_spread(y, count, &judged.low_y, &judged.height);
    return judged;
}

static double count_wanted_cells(uint32_t count)
{
    return count / DENSITY - 1 > 1 ? count / DENSITY - 1 : 1;
}

// The side s for which (width / s + 1) * (height / s + 1) cells hold `count` items at DENSITY: also
// right for items on a line.
static double choose_side(grz_grid_extent world, uint32_t count)
{
    const double cells = count_wanted_cells(count);
    const double sum = world.width + world.height;
    const double root = grz_sqrt(sum * sum + 4 * cells * world.width * world.height);
    return (sum + root) / (2 * cells);
}

// The half extent was rounded: to 24 bits, and by at most two of the smallest normal numbers even
// where tiny results are flushed to zero.
static double bound_reach(float half)
{
    return (double)half * (1 + 1e-6) + 4 * (double)FLT_MIN;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

// Adds a class of all larger half extents above that of the finer class of its kind.
static grz_grid_class *add_class(grz_grid_plan *plan, const grz_grid_measures *members, bool quiet)
{
    const grz_grid_class *finer = plan->class_count ? &plan->classes[plan->class_count - 1] : NULL;
    const bool finest = !finer || finer->quiet != quiet;
    grz_grid_class *made = &plan->classes[plan->class_count++];
    const float width = members->half_width, height = members->half_height;
    memset(made, 0, sizeof *made);
    made->count = made->first_count = members->count;
    made->x.reach = bound_reach(width);
    made->y.reach = bound_reach(height);
    made->first_half = width > height ? width : height;
    made->above = finest ? -1 : finer->most;
    made->most = FLT_MAX;
    made->quiet = quiet;
    return made;
}

static bool is_near(double a, double b)
{
    return a <= INERTIA * b && b <= INERTIA * a;
}

static bool holds(const grz_grid_class *old, const grz_grid_measures *members)
{
    const float width = members->half_width, height = members->half_height;
    return is_near(members->count, old->first_count) &&
           is_near((double)(width > height ? width : height), (double)old->first_half) &&
           members->least_half >= old->first_least / 4;
}

bool grz_grid_keep_classes(grz_grid_plan *plan, const graze_grid *grid,
                           const grz_grid_measures *measures, uint32_t count, uint32_t quiet_count)
{
    uint32_t members = 0, quiet_members = 0;
    plan->class_count = 0;
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        const grz_grid_class *old = &grid->classes[i];
        if (!holds(old, &measures[i])) {
            return false;
        }
        grz_grid_class *kept = add_class(plan, &measures[i], old->quiet);
        kept->first_count = old->first_count;
        kept->first_half = old->first_half;
        kept->first_least = old->first_least;
        kept->most = old->most;
        members += measures[i].count;
        quiet_members += old->quiet ? measures[i].count : 0;
    }
    return members == count && quiet_members == quiet_count;
}

bool grz_grid_plan_one_class(grz_grid_plan *plan, const grz_grid_measures *measures, bool quiet)
{
    const float width = measures->half_width, height = measures->half_height;
    const double reach = bound_reach(width > height ? width : height);
    plan->class_count = 0;
    if (measures->count == 0) {
        return true;
    }
    if (reach > BUCKET_FACTOR * (double)measures->least_half &&
        2 * reach > COARSENESS * choose_side(plan->world, measures->count)) {
        return false;
    }
    add_class(plan, measures, quiet);
    return true;
}

// Returns the largest half extent of a bucket: the bits of larger numbers are larger.
static float find_bucket_top(uint32_t bucket)
{
    const uint32_t bits = bucket << 24 | 0xFFFFFF;
    float top;
    memcpy(&top, &bits, sizeof top);
    return top;
}

static uint32_t count_kind(const grz_grid_survey *sizes, uint32_t first_bucket)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < GRZ_GRID_QUIET_BUCKETS; ++i) {
        total += sizes->counts[first_bucket + i];
    }
    return total;
}

static double choose_quiet_coarseness(const grz_grid_survey *sizes)
{
    const double quiet = count_kind(sizes, GRZ_GRID_QUIET_BUCKETS);
    return quiet < QUIET_SHARE * count_kind(sizes, 0) ? COARSENESS : QUIET_COARSENESS;
}

// Makes classes of one kind's buckets, from fine to coarse. The finer join the next bucket when
// they are too few for a class, or when its items fit the cells that so many items would get
// anyway: sizes are parted only where the coarser would make the cells of the finer too big.
static void plan_kind(grz_grid_plan *plan, const grz_grid_survey *sizes, uint32_t first_bucket)
{
    const bool quiet = first_bucket == GRZ_GRID_QUIET_BUCKETS;
    const double coarseness = quiet ? choose_quiet_coarseness(sizes) : COARSENESS;
    const uint32_t share = count_kind(sizes, first_bucket) / KIND_CLASSES + 1;
    const uint32_t least = share > LEAST_MEMBERS ? share : LEAST_MEMBERS;
    grz_grid_measures members = {0, 0, 0, 0};
    for (uint32_t i = first_bucket; i < first_bucket + GRZ_GRID_QUIET_BUCKETS; ++i) {
        const float width = sizes->half_width[i], height = sizes->half_height[i];
        const uint32_t count = members.count + sizes->counts[i];
        const double reach = bound_reach(width > height ? width : height);
        if (count == members.count) {
            continue;
        }
        if (members.count >= least && 2 * reach > coarseness * choose_side(plan->world, count)) {
            add_class(plan, &members, quiet)->most = find_bucket_top(i - 1 - first_bucket);
            members.count = 0;
            members.half_width = members.half_height = 0;
        }
        members.count += sizes->counts[i];
        members.half_width = width > members.half_width ? width : members.half_width;
        members.half_height = height > members.half_height ? height : members.half_height;
    }
    if (members.count) {
        add_class(plan, &members, quiet);
    }
}

void grz_grid_plan_classes(grz_grid_plan *plan, const grz_grid_survey *sizes)
{
    plan->class_count = 0;
    plan_kind(plan, sizes, 0);
    plan_kind(plan, sizes, GRZ_GRID_QUIET_BUCKETS);
}

// In the neighbouring cells is all that overlaps.
static double bound_side(const grz_grid_axis *axis)
{
    return 2 * axis->reach * (1 + GRZ_GRID_MARGIN);
}

// The least side that cells are made with: the largest box may grow a little before they no longer
// suit.
static double choose_least_side(const grz_grid_class *of, const grz_grid_axis *axis,
                                double quiet_share, double length)
{
    const bool is_free = of->quiet && length > QUIET_LENGTH * axis->reach;
    return is_free ? quiet_share * axis->reach : bound_side(axis) * ROOMINESS;
}

static double choose_least_width(const grz_grid_class *of, grz_grid_extent world)
{
    return choose_least_side(of, &of->x, QUIET_WIDTH, world.width);
}

static double choose_least_height(const grz_grid_class *of, grz_grid_extent world)
{
    return choose_least_side(of, &of->y, QUIET_HEIGHT, world.height);
}

// The least that is allowed, or such that cells of the other side are of so much area. Of a
// world that is narrower than a cell it is the area in the world that counts.
static double fit_side(double least, double area, double other_side, double other_length)
{
    const double across = other_side < other_length ? other_side : other_length;
    const double side = across > 0 ? area / across : DBL_MAX;
    return greater(least, side);
}

// Sides as wished, or what the reaches ask for: where one must be longer, the other is shorter.
static void choose_ideal(grz_grid_class *shaped, double wish, grz_grid_extent world)
{
    const double least_width = choose_least_width(shaped, world);
    const double least_height = choose_least_height(shaped, world);
    const double area = wish * wish;
    shaped->x.ideal = greater(wish, least_width);
    shaped->y.ideal = greater(wish, least_height);
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

// Returns the largest power of two of cells that the class may have.
static uint64_t bound_cells(const grz_grid_class *of)
{
    uint64_t most = GRZ_GRID_MIN_CELLS;
    while (most <= of->count) { // Then it is at most twice the count.
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

static bool suits_axis(const grz_grid_class *of, const grz_grid_axis *made,
                       const grz_grid_axis *old)
{
    return (of->quiet || bound_side(made) <= old->side) && is_near(made->ideal, old->ideal);
}

// Whether the class may go on with the cells that it had in the last build.
static bool suits(const grz_grid_class *made, const grz_grid_class *old)
{
    return made->quiet == old->quiet && old->cells <= bound_cells(made) &&
           suits_axis(made, &made->x, &old->x) && suits_axis(made, &made->y, &old->y) &&
           !(old->refined && (old->crowding < LOOSE || old->age >= PATIENCE));
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
        const double wish = fixed > 0 ? fixed : choose_side(plan->world, made->count);
        const grz_grid_trial fresh = {DBL_MAX, DBL_MAX, 0, 0, 0, false};
        plan->trials[i] = fresh;
        choose_ideal(made, wish, plan->world);
        if (comparable && suits(made, &grid->classes[i])) {
            keep_cells(made, &grid->classes[i]);
        } else {
            shape_class(made, made->x.ideal, made->y.ideal, plan->world);
            all = false;
        }
    }
    return all;
}

// Parts the crowd by cells with so much less area, as far as the reaches allow. Returns whether
// they are finer for it.
static bool make_finer(grz_grid_class *refined, grz_grid_extent world)
{
    const double before = refined->x.side * refined->y.side;
    const double factor = (DENSITY + 1) / refined->crowding, area = before * factor;
    const double least_width = choose_least_width(refined, world);
    const double least_height = choose_least_height(refined, world);
    double width = greater(refined->x.side * grz_sqrt(factor), least_width);
    const double height = greater(area / width, least_height);
    width = greater(area / height, least_width);
    if (!(width * height < 0.99 * before)) {
        return false;
    }
    shape_class(refined, width, height, world);
    refined->refined = true;
    return true;
}

// Returns the most crowded cell of the class. The starts are sums: cell k begins at starts[k + 1].
static uint32_t find_worst_cell(const grz_grid_class *of, const uint32_t *starts)
{
    uint32_t worst = of->first_cell, most = 0;
    for (uint32_t cell = of->first_cell; cell < of->first_cell + of->cells; ++cell) {
        const uint32_t count = starts[cell + 2] - starts[cell + 1];
        worst = count > most ? cell : worst;
        most = count > most ? count : most;
    }
    return worst;
}

/// A position, doubled.
typedef struct middle {
    double x, y;
} middle;

static middle find_middle(const graze_grid_items *items, uint32_t i)
{
    const middle found = {(double)items->min_x[i] + (double)items->max_x[i],
                          (double)items->min_y[i] + (double)items->max_y[i]};
    return found;
}

// Whether two items of a cell are there by their own right, not round the torus.
static bool is_beside(const grz_grid_class *of, middle a, middle b)
{
    const double x = a.x - b.x, y = a.y - b.y;
    return greater(x, -x) <= 3 * of->x.side && greater(y, -y) <= 3 * of->y.side;
}

// Returns the item that most of a cell's are beside, if there is one: else any (R. Boyer, J. Moore
// 1981, "A fast majority vote algorithm").
static middle vote_middle(const grz_grid_class *of, const graze_grid_items *items,
                          const uint32_t *item_cells, uint32_t cell)
{
    middle elected = {0, 0};
    uint32_t votes = 0;
    for (uint32_t i = 0; i < items->count; ++i) {
        if (item_cells[i] == cell) {
            const middle candidate = find_middle(items, i);
            elected = votes ? elected : candidate;
            votes = !votes || is_beside(of, elected, candidate) ? votes + 1 : votes - 1;
        }
    }
    return elected;
}

/// The items of a cell that are beside one of them: the bounds of their middles, doubled.
typedef struct crowd {
    double min_x, min_y, max_x, max_y;
    uint32_t count, others;
} crowd;

static crowd look_into_cell(const grz_grid_class *of, const graze_grid_items *items,
                            const uint32_t *item_cells, uint32_t cell)
{
    const middle elected = vote_middle(of, items, item_cells, cell);
    crowd seen = {elected.x, elected.y, elected.x, elected.y, 0, 0};
    for (uint32_t i = 0; i < items->count; ++i) {
        if (item_cells[i] != cell) {
            continue;
        }
        const middle at = find_middle(items, i);
        if (!is_beside(of, elected, at)) {
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

// Returns the least side by which nothing but far outliers falls into the outermost cells.
static double choose_side_in_range(double low, double length)
{
    const double high = greater(-low, low + length);
    return greater(high, 0) / (GRZ_GRID_COORDINATES / 4);
}

// Cells by the density of the crowd in one of them. Returns whether they are much finer for it.
static bool fit_crowd(grz_grid_class *fitted, const crowd *seen, grz_grid_extent world)
{
    const grz_grid_extent inside = {0, 0, (seen->max_x - seen->min_x) * 0.5,
                                    (seen->max_y - seen->min_y) * 0.5};
    const double wish = greater(choose_side(inside, seen->count),
                                greater(choose_side_in_range(world.low_x, world.width),
                                        choose_side_in_range(world.low_y, world.height)));
    const double width = greater(wish, choose_least_width(fitted, world));
    const double height = greater(wish, choose_least_height(fitted, world));
    if (!(width * height < 0.8 * fitted->x.side * fitted->y.side)) {
        return false;
    }
    shape_class(fitted, width, height, world);
    fitted->refined = true;
    return true;
}

// Finer cells do not part the crowd any more: looks what it is. What came round the torus from far
// apart is parted by other sides, what is crowded indeed by its own density; items at one point, or
// as large as their distances, are not parted at all.
static bool part_crowd(grz_grid_class *refined, grz_grid_extent world, const graze_grid *grid,
                       const graze_grid_items *items, const uint32_t *item_cells)
{
    const uint32_t worst = find_worst_cell(refined, grid->starts);
    const crowd seen = look_into_cell(refined, items, item_cells, worst);
    if (seen.count < seen.others) {
        shape_class(refined, refined->x.side * DETOUR, refined->y.side * DETOUR, world);
        return true;
    }
    return fit_crowd(refined, &seen, world);
}

static void note_trial(grz_grid_trial *trial, const grz_grid_class *tried)
{
    if (tried->crowding < trial->least) {
        trial->least = tried->crowding;
        trial->width = tried->x.side;
        trial->height = tried->y.side;
    }
    trial->before = tried->crowding;
    trial->count += 1;
}

// Goes on with the best that was tried. Returns whether the cells changed for it.
static bool settle(grz_grid_class *settled, grz_grid_trial *trial, grz_grid_extent world)
{
    const bool back = settled->crowding > trial->least;
    trial->over = true;
    settled->settled = trial->least;
    if (back) {
        shape_class(settled, trial->width, trial->height, world);
    }
    return back;
}

// Finer cells as long as each halve the crowd; then as the crowd asks for.
static bool refine_class(grz_grid_plan *plan, uint32_t i, const graze_grid *grid,
                         const graze_grid_items *items, const uint32_t *item_cells)
{
    grz_grid_class *refined = &plan->classes[i];
    grz_grid_trial *trial = &plan->trials[i];
    const bool halved = refined->crowding < trial->before / 2;
    if (trial->over || refined->crowding <= greater(CROWDED, 2 * refined->settled)) {
        return false;
    }
    note_trial(trial, refined);
    if (trial->count <= MOST_TRIALS &&
        ((halved && make_finer(refined, plan->world)) ||
         part_crowd(refined, plan->world, grid, items, item_cells))) {
        return true;
    }
    return settle(refined, trial, plan->world);
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
