// Long moves: which are long, and which boxes they pass. What lies along one: grid_scan.c.

#include "grid_moves.h"

#include "bounds.h"
#include "fault.h"

enum { SAMPLES = 64 }; ///< Moves of a class that its corners are judged by.

// A long move is longer, on both axes, than this many half sizes of what moves,
static const double thinness = 4;

// and on the one axis at least this part of what it is on the other. These bounds are proven to
// be enough in grid_moves.h.
static const double least_slope = 0x1p-16;

// Past it a box may have been cut off at the ends of the range of float on both sides.
static const double most_delta = (double)FLT_MAX / 2;

bool graze_grid_may_be_passed(const graze_grid *grid, const graze_grid *movers)
{
    return movers->longest_move >= grid->shortest_passing;
}

void graze_grid_set_moves(graze_grid_cursor *cursor, const graze_grid_moves *moves)
{
    cursor->moves = moves;
}

grz_grid_path grz_make_path(graze_aabb box, graze_vec2 from, graze_vec2 to)
{
    const graze_vec2d delta = offset(to, from);
    const double width = absolute(delta.x), height = absolute(delta.y);
    const double left = (double)min_float(from.x, to.x) - (double)box.lower.x;
    const double right = (double)box.upper.x - (double)max_float(from.x, to.x);
    const double low = (double)min_float(from.y, to.y) - (double)box.lower.y;
    const double high = (double)box.upper.y - (double)max_float(from.y, to.y);
    grz_grid_path path = {from, to, max_double(left, right), max_double(low, high), 0};
    GRZ_FAULT(reach_of_turning_moves, path.half_width = min_double(left, right));
    const double shorter = min_double(width, height), longer = max_double(width, height);
    GRZ_FAULT(boxes_cut_off_by_float, most_delta = longer);
    if (width >= thinness * path.half_width && height >= thinness * path.half_height &&
        shorter >= least_slope * longer && longer <= most_delta) {
        path.run = shorter;
    }
    return path;
}

grz_grid_path grz_find_path(const graze_grid *grid, const graze_grid_moves *moves, uint32_t place)
{
    const uint32_t i = moves->index ? moves->index[place] : place;
    return grz_make_path(grz_get_box(&grid->boxes, place), moves->from[i], moves->to[i]);
}

bool grz_passes(const graze_grid *grid, const grz_grid_path *path, const grz_grid_class *size_class,
                uint32_t place)
{
    const graze_aabb box = grz_get_box(&grid->boxes, place);
    const double width = (double)box.upper.x - (double)box.lower.x;
    const double height = (double)box.upper.y - (double)box.lower.y;
    const double factor = grz_find_long_factor(grz_is_point(grid, size_class, place));
    const double longest = factor * max_double(width, height);
    return path->run > 0 && path->run >= longest && grz_lies_beside(&grid->boxes, place, path);
}

/// Pairs come item by item: the last path of the first of a pair is kept.
typedef struct pair_paths {
    const graze_grid *grid;
    const graze_grid_moves *moves;
    const grz_grid_class *class_of_a, *class_of_b;
    bool of_a, of_b; ///< Which of a pair may move long.
    uint32_t last;
    grz_grid_path path;
} pair_paths;

static bool passes_other(pair_paths *paths, graze_pair pair)
{
    if (paths->of_a && pair.a != paths->last) {
        paths->path = grz_find_path(paths->grid, paths->moves, pair.a);
        paths->last = pair.a;
    }
    if (paths->of_a && grz_passes(paths->grid, &paths->path, paths->class_of_b, pair.b)) {
        return true;
    }
    if (!paths->of_b) {
        return false;
    }
    const grz_grid_path other = grz_find_path(paths->grid, paths->moves, pair.b);
    return grz_passes(paths->grid, &other, paths->class_of_a, pair.a);
}

void grz_drop_passing(const graze_grid *grid, const graze_grid_moves *moves, uint32_t scanner,
                      uint32_t target, uint32_t first, grz_grid_sink *sink)
{
    pair_paths paths = {.grid = grid, .moves = moves, .last = UINT32_MAX};
    paths.class_of_a = &grid->classes[scanner];
    paths.class_of_b = &grid->classes[target];
    paths.of_a = grid->classes[scanner].long_to >> target & 1;
    paths.of_b = grid->classes[target].long_to >> scanner & 1;
    if (!paths.of_a && !paths.of_b) {
        return;
    }
    uint32_t kept = first;
    for (uint32_t i = first; i < sink->count; ++i) {
        const graze_pair pair = sink->pairs[i];
        sink->pairs[kept] = pair;
        kept += !passes_other(&paths, pair);
    }
    sink->count = kept;
}

// --- In a build ---

// Returns a bound of the lengths that a class's moves have on both axes.
//
// HOT. bench: engine/step/bullet-hell
//
// Data    4 bytes read a place, 16 of its move.
// Branch  None.
static double find_longest(const graze_grid_moves *moves, grz_grid_range places)
{
    const graze_vec2 *from = moves->from, *to = moves->to;
    const uint32_t *index = moves->index;
    float longest = 0;
    for (uint32_t place = places.first; place < places.last; ++place) {
        const uint32_t i = index[place];
        const float width = fabsf(to[i].x - from[i].x), height = fabsf(to[i].y - from[i].y);
        longest = max_float(min_float(width, height), longest);
    }
    return (double)longest * (1 + 1e-6); // Differences of floats are rounded.
}

// Returns how long a move must be on both axes at least to pass any item of the class. A half
// extent is off by a rounding to float, or of a denormal number.
static double find_shortest(const grz_grid_class *size_class, const grz_grid_measures *measures)
{
    const double half = (double)measures->least_half * (1 - 1e-6) - 4 * (double)FLT_MIN;
    return grz_find_long_factor(size_class->points == GRZ_KINDS_MEET) * 2 * max_double(half, 0);
}

// Returns a mask of the classes some of whose items may be passed by moves of this one that are at
// most `run` long on both axes.
static uint32_t find_passed(const graze_grid *grid, const grz_grid_class *mover,
                            const grz_grid_measures *measures, double run)
{
    uint32_t passed = 0;
    for (uint32_t k = 0; k < grid->class_count; ++k) {
        const grz_grid_class *size_class = &grid->classes[k];
        const bool are_compared =
            grid->lists.meet[mover->list][size_class->list] != GRZ_KINDS_APART;
        passed |=
            (uint32_t)(are_compared && run > 0 && run >= find_shortest(size_class, &measures[k]))
            << k;
    }
    return passed;
}

static double bound_move(const grz_grid_class *mover)
{
    return 2 * min_double(mover->x.reach, mover->y.reach);
}

static void find_long_moves(graze_grid *grid, grz_grid_class *mover, const graze_grid_moves *moves,
                            const grz_grid_measures *measures)
{
    const double most = bound_move(mover);
    mover->long_to = find_passed(grid, mover, measures, most);
    if (mover->long_to) {
        const double longest = find_longest(moves, grz_find_places(grid, mover));
        mover->long_to = find_passed(grid, mover, measures, min_double(longest, most));
    }
}

// Finds what the boxes of the classes that a class's moves may pass lie in, and returns what they
// all lie in.
static graze_aabb bound_passed(graze_grid *grid, const grz_grid_class *mover)
{
    graze_aabb all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t k = 0; k < grid->class_count; ++k) {
        grz_grid_class *passed = &grid->classes[k];
        if (mover->long_to >> k & 1) {
            const bool few = passed->count < GRZ_GRID_PADDING;
            passed->bounds =
                few ? grid->bounds
                    : grid->loops->find_bounds(&grid->boxes, grz_find_places(grid, passed));
            extend_by_box(&all, passed->bounds);
        }
    }
    return all;
}

// Judges by a few of its moves how many of a class's are long, and how far these go in `bounds`.
static void judge_moves(const graze_grid *grid, grz_grid_class *mover,
                        const graze_grid_moves *moves, graze_aabb bounds)
{
    const grz_grid_range places = grz_find_places(grid, mover);
    const uint32_t all = places.last - places.first, count = all < SAMPLES ? all : SAMPLES;
    double found = 0, width = 0, height = 0;
    for (uint32_t sample = 0; sample < count; ++sample) {
        const uint32_t place = places.first + (uint32_t)((uint64_t)sample * all / count);
        const graze_aabb box = clip_box(grz_get_box(&grid->boxes, place), bounds);
        const bool is_long = grz_find_path(grid, moves, place).run > 0;
        const bool is_inside = box.lower.x <= box.upper.x && box.lower.y <= box.upper.y;
        found += is_long ? 1 : 0;
        width += is_long && is_inside ? (double)box.upper.x - (double)box.lower.x : 0;
        height += is_long && is_inside ? (double)box.upper.y - (double)box.lower.y : 0;
    }
    mover->long_share = found / count;
    mover->long_width = found > 0 ? width / found : 0;
    mover->long_height = found > 0 ? height / found : 0;
}

static void bound_moves(graze_grid *grid, const grz_grid_measures *measures)
{
    grid->shortest_passing = (double)INFINITY;
    grid->longest_move = 0;
    for (uint32_t k = 0; k < grid->class_count; ++k) {
        const double shortest = find_shortest(&grid->classes[k], &measures[k]);
        grid->shortest_passing = min_double(shortest, grid->shortest_passing);
        grid->longest_move = max_double(bound_move(&grid->classes[k]), grid->longest_move);
    }
}

void grz_grid_find_moves(graze_grid *grid, const graze_grid_items *items,
                         const grz_grid_measures *measures)
{
    const graze_grid_moves moves = {items->from, items->to, grid->order};
    bound_moves(grid, measures);
    for (uint32_t i = 0; i < grid->class_count && items->from; ++i) {
        grz_grid_class *mover = &grid->classes[i];
        find_long_moves(grid, mover, &moves, measures);
        if (mover->long_to) {
            judge_moves(grid, mover, &moves, bound_passed(grid, mover));
        }
    }
}
