// The build: measure the items, choose classes and cells, sort by counting.
//
// Whatever can fail comes first and touches scratch only: a build that fails leaves the grid as it
// was.
#include "grid_state.h"
#include "root.h"

#include <float.h>
#include <string.h>

enum {
    BUCKETS = 256,       // Of sizes: 128 by factors of 4, twice, for quiet items come after.
    QUIET_BUCKETS = 128, // The first of them.
    LANES = 4,           // Tables counted into by turns: equal buckets do not wait for each other.
    SAMPLES = 32,        // Items that the extent of the world is judged by.
    LEAST_MEMBERS = 16,  // A class of fewer joins the next coarser,
    KIND_CLASSES = 15,   // likewise one of fewer than this share of its kind.
};

// Items a cell in an even world.
static const double DENSITY = 2;

// The mean number of items that an item shares its cell with, itself included, that is too many: an
// even world has DENSITY + 1.
static const double CROWDED = 6;

// How much bigger than their number asks for cells may be before sizes are parted into classes.
static const double COARSENESS = 1.5;

// How many items each size bucket has, and the bits of their largest half extent.
typedef struct survey {
    uint32_t counts[LANES][BUCKETS];
    uint32_t largest[LANES][BUCKETS];
} survey;

// Width and height of where most centres are.
typedef struct extent {
    double width, height;
} extent;

static void point_at_blocks(graze_grid *grid)
{
    grid->boxes.min_x = grid->min_x_block.data;
    grid->boxes.min_y = grid->min_y_block.data;
    grid->boxes.max_x = grid->max_x_block.data;
    grid->boxes.max_y = grid->max_y_block.data;
    grid->order = grid->order_block.data;
    grid->cells = grid->cells_block.data;
    grid->starts = grid->starts_block.data;
}

// Each class has at most max(16, 2 x items) cells; two more entries serve the counting.
static size_t bound_cells(uint32_t count)
{
    const size_t least = (size_t)GRZ_GRID_MIN_SIDE * GRZ_GRID_MIN_SIDE;
    return 2 * (size_t)count + GRZ_GRID_MAX_CLASSES * least + 2;
}

// Blocks may move, but keep what they hold, also when a later one fails.
static bool reserve_memory(graze_grid *grid, uint32_t count)
{
    const graze_allocator *allocator = &grid->allocator;
    const size_t places = ((size_t)count + GRZ_GRID_PADDING) * sizeof(float);
    const size_t cells = bound_cells(count) * sizeof(uint32_t);
    const bool done = grz_block_reserve(&grid->min_x_block, allocator, places) &&
                      grz_block_reserve(&grid->min_y_block, allocator, places) &&
                      grz_block_reserve(&grid->max_x_block, allocator, places) &&
                      grz_block_reserve(&grid->max_y_block, allocator, places) &&
                      grz_block_reserve(&grid->order_block, allocator, places) &&
                      grz_block_reserve(&grid->cells_block, allocator, places) &&
                      grz_block_reserve(&grid->starts_block, allocator, cells) &&
                      grz_block_reserve_scratch(&grid->keys_block, allocator, places) &&
                      grz_block_reserve_scratch(&grid->buckets_block, allocator, places / 4);
    point_at_blocks(grid);
    return done;
}

// Stores the bits of each item's larger half extent, which sort like the numbers. Returns whether
// all boxes are finite and not inverted; a comparison with NaN is false.
static bool measure_boxes(const graze_grid_items *items, uint32_t *half_bits)
{
    const float *min_x = items->min_x, *min_y = items->min_y;
    const float *max_x = items->max_x, *max_y = items->max_y;
    int sound = 1;
    for (uint32_t i = 0; i < items->count; ++i) {
        sound &= (min_x[i] >= -FLT_MAX) & (min_x[i] <= max_x[i]) & (max_x[i] <= FLT_MAX);
        sound &= (min_y[i] >= -FLT_MAX) & (min_y[i] <= max_y[i]) & (max_y[i] <= FLT_MAX);
        const float half_x = max_x[i] * 0.5f - min_x[i] * 0.5f;
        const float half_y = max_y[i] * 0.5f - min_y[i] * 0.5f;
        const float half = (half_x > half_y ? half_x : half_y) + 0.0f; // Never -0: its bits count.
        memcpy(&half_bits[i], &half, sizeof half);
    }
    return sound;
}

// The upper seven bits of a float's exponent: a bucket is a factor of 4.
static void survey_sizes(const graze_grid_items *items, const uint32_t *half_bits, uint8_t *buckets,
                         survey *sizes)
{
    memset(sizes, 0, sizeof *sizes);
    for (uint32_t i = 0; i < items->count; ++i) {
        uint32_t bucket = half_bits[i] >> 24;
        bucket += items->quiet && items->quiet[i] ? QUIET_BUCKETS : 0;
        uint32_t *largest = &sizes->largest[i % LANES][bucket];
        buckets[i] = (uint8_t)bucket;
        sizes->counts[i % LANES][bucket] += 1;
        *largest = *largest > half_bits[i] ? *largest : half_bits[i];
    }
    for (uint32_t lane = 1; lane < LANES; ++lane) {
        for (uint32_t bucket = 0; bucket < BUCKETS; ++bucket) {
            const uint32_t most = sizes->largest[lane][bucket];
            uint32_t *largest = &sizes->largest[0][bucket];
            sizes->counts[0][bucket] += sizes->counts[lane][bucket];
            *largest = *largest > most ? *largest : most;
        }
    }
}

// The half extent was rounded: to 24 bits, and by at most two of the smallest normal numbers even
// where tiny results are flushed to zero.
static double bound_reach(uint32_t half_bits)
{
    float half;
    memcpy(&half, &half_bits, sizeof half);
    return (double)half * (1 + 1e-6) + 4 * (double)FLT_MIN;
}

// Sorts the few values by insertion and returns how far apart those of all the values' extremes
// are, judged by the inner three quarters: a few far outliers change nothing.
static double judge_spread(double *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const double value = values[i];
        uint32_t hole = i;
        for (; hole > 0 && values[hole - 1] > value; --hole) {
            values[hole] = values[hole - 1];
        }
        values[hole] = value;
    }
    if (count < 2) {
        return 0;
    }
    const uint32_t low = count / 8, high = count - 1 - count / 8;
    return (values[high] - values[low]) * (count + 1) / (high - low);
}

static extent judge_extent(const graze_grid_items *items)
{
    const uint32_t count = items->count < SAMPLES ? items->count : SAMPLES;
    double x[SAMPLES], y[SAMPLES];
    for (uint32_t sample = 0; sample < count; ++sample) {
        const uint32_t i = (uint32_t)((uint64_t)sample * items->count / count);
        x[sample] = ((double)items->min_x[i] + (double)items->max_x[i]) * 0.5;
        y[sample] = ((double)items->min_y[i] + (double)items->max_y[i]) * 0.5;
    }
    const extent judged = {judge_spread(x, count), judge_spread(y, count)};
    return judged;
}

// The side s for which (width / s + 1) * (height / s + 1) cells hold `count` items at DENSITY: also
// right for items on a line.
static double choose_side(extent world, uint32_t count)
{
    const double cells = count / DENSITY - 1 > 1 ? count / DENSITY - 1 : 1;
    const double sum = world.width + world.height;
    const double root = grz_sqrt(sum * sum + 4 * cells * world.width * world.height);
    return (sum + root) / (2 * cells);
}

static void add_class(graze_grid *grid, uint32_t members, double reach, bool quiet)
{
    grz_grid_class *made = &grid->classes[grid->class_count++];
    memset(made, 0, sizeof *made);
    made->count = members;
    made->reach = reach;
    made->quiet = quiet;
}

// Makes classes of one kind's buckets, from fine to coarse. The finer join the next bucket when
// they are too few for a class, or when its items fit the cells that so many items would get
// anyway: sizes are parted only where the coarser would make the cells of the finer too big.
static void choose_kind_classes(graze_grid *grid, const survey *sizes, uint32_t first_bucket,
                                extent world, uint8_t *class_of_bucket)
{
    const uint32_t *counts = sizes->counts[0] + first_bucket;
    const uint32_t *largest = sizes->largest[0] + first_bucket;
    uint32_t total = 0, members = 0;
    for (uint32_t i = 0; i < QUIET_BUCKETS; ++i) {
        total += counts[i];
    }
    const uint32_t share = total / KIND_CLASSES + 1;
    const uint32_t least = share > LEAST_MEMBERS ? share : LEAST_MEMBERS;
    double reach = 0;
    for (uint32_t i = 0; i < QUIET_BUCKETS; ++i) {
        const double next_reach = bound_reach(largest[i]);
        if (counts[i] == 0) {
            continue;
        }
        if (members >= least &&
            2 * next_reach > COARSENESS * choose_side(world, members + counts[i])) {
            add_class(grid, members, reach, first_bucket == QUIET_BUCKETS);
            members = 0;
        }
        class_of_bucket[first_bucket + i] = (uint8_t)grid->class_count;
        members += counts[i];
        reach = next_reach;
    }
    if (members) {
        add_class(grid, members, reach, first_bucket == QUIET_BUCKETS);
    }
}

// Returns the power of two, at least GRZ_GRID_MIN_SIDE and at most `most`, whose cells span length.
static uint32_t span_length(double length, double side, uint32_t most)
{
    uint32_t cells = GRZ_GRID_MIN_SIDE;
    while (cells < most && cells * side < length) {
        cells *= 2;
    }
    return cells;
}

// Gives the class cells of the wished side, or the smallest that its reach allows, around the world
// or as far as the number of cells allows.
static void shape_class(grz_grid_class *shaped, double side, extent world)
{
    const double least_side = 2 * shaped->reach * (1 + GRZ_GRID_MARGIN);
    const uint32_t most = 2 * shaped->count;
    shaped->side = side > least_side ? side : least_side;
    shaped->inverse_side = 1 / shaped->side;
    shaped->columns = span_length(world.width, shaped->side, most);
    shaped->rows = span_length(world.height, shaped->side, most);
    while ((uint64_t)shaped->columns * shaped->rows > most && shaped->columns + shaped->rows > 8) {
        *(shaped->columns > shaped->rows ? &shaped->columns : &shaped->rows) /= 2;
    }
    shaped->column_bits = 0;
    while (1u << shaped->column_bits < shaped->columns) {
        ++shaped->column_bits;
    }
}

// Lays the cells of all classes one after the other.
static void place_classes(graze_grid *grid)
{
    grid->cell_count = 0;
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grz_grid_class *placed = &grid->classes[i];
        placed->first_cell = grid->cell_count;
        grid->cell_count += placed->columns * placed->rows;
    }
}

// What finds an item's cell, as few bytes as can be.
typedef struct cell_rule {
    double half_inverse_side;
    uint32_t column_mask, row_mask, column_bits, first_cell;
} cell_rule;

static cell_rule make_cell_rule(const grz_grid_class *of)
{
    const cell_rule rule = {of->inverse_side * 0.5, of->columns - 1, of->rows - 1, of->column_bits,
                            of->first_cell};
    return rule;
}

static inline uint32_t find_cell(const graze_grid_items *items, uint32_t i, cell_rule rule)
{
    const uint32_t column =
        grz_grid_center_coordinate(items->min_x[i], items->max_x[i], rule.half_inverse_side);
    const uint32_t row =
        grz_grid_center_coordinate(items->min_y[i], items->max_y[i], rule.half_inverse_side);
    return rule.first_cell + ((row & rule.row_mask) << rule.column_bits) +
           (column & rule.column_mask);
}

// HOT. bench: broadphase/build/gas
//
// Data    16 bytes read an item, 4 written: the cell.
// Branch  None: the clamp to the outermost cells is a select.
static void find_cells(const graze_grid *grid, const graze_grid_items *items,
                       const uint8_t *buckets, const uint8_t *class_of_bucket, uint32_t *keys)
{
    cell_rule rules[GRZ_GRID_MAX_CLASSES];
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        rules[i] = make_cell_rule(&grid->classes[i]);
    }
    if (grid->class_count == 1) {
        for (uint32_t i = 0; i < items->count; ++i) {
            keys[i] = find_cell(items, i, rules[0]);
        }
        return;
    }
    for (uint32_t i = 0; i < items->count; ++i) {
        keys[i] = find_cell(items, i, rules[class_of_bucket[buckets[i]]]);
    }
}

// Counts the items of cell k in starts[k + 2]: after the sums, starts[k + 1] is where k begins, and
// after the items have been placed, where it ends.
static void count_items(graze_grid *grid, const uint32_t *keys, uint32_t count)
{
    memset(grid->starts, 0, ((size_t)grid->cell_count + 2) * sizeof *grid->starts);
    for (uint32_t i = 0; i < count; ++i) {
        grid->starts[keys[i] + 2] += 1;
    }
}

// Turns the class's counts into sums that go on from `total`, and takes its crowding.
static void sum_class(grz_grid_class *summed, uint32_t *starts, uint32_t *total)
{
    uint32_t *counts = starts + summed->first_cell + 2;
    const uint32_t cells = summed->columns * summed->rows;
    uint32_t sum = *total;
    uint64_t squares = 0;
    for (uint32_t i = 0; i < cells; ++i) {
        const uint32_t count = counts[i];
        squares += (uint64_t)count * count;
        sum += count;
        counts[i] = sum;
    }
    *total = sum;
    summed->crowding = (double)squares / summed->count;
}

// Makes the cells of a crowded class finer, unless the last time did not halve the crowd: no cells
// part a crowd at one point. `before` is what the crowding was then. Returns whether they changed.
static bool refine_class(grz_grid_class *refined, double before, extent world)
{
    const double side = refined->side;
    if (refined->crowding <= CROWDED || refined->crowding >= before / 2) {
        return false;
    }
    shape_class(refined, side * grz_sqrt((DENSITY + 1) / refined->crowding), world);
    return refined->side < side;
}

// Chooses by the number of items, and then again where counting shows a crowd.
static void choose_cells(graze_grid *grid, const graze_grid_items *items, const uint8_t *buckets,
                         const uint8_t *class_of_bucket, extent world, uint32_t *keys)
{
    const double fixed = grid->fixed_side;
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grz_grid_class *shaped = &grid->classes[i];
        shape_class(shaped, fixed > 0 ? fixed : choose_side(world, shaped->count), world);
        shaped->crowding = DBL_MAX;
    }
    for (bool again = true; again;) {
        again = false;
        place_classes(grid);
        find_cells(grid, items, buckets, class_of_bucket, keys);
        count_items(grid, keys, items->count);
        for (uint32_t i = 0, total = 0; i < grid->class_count; ++i) {
            const double before = grid->classes[i].crowding;
            sum_class(&grid->classes[i], grid->starts, &total);
            again |= !(fixed > 0) && refine_class(&grid->classes[i], before, world);
        }
    }
}

// Each class is compared with itself and each pair of classes once, the cheaper way round; quiet
// classes not with each other.
static void choose_targets(graze_grid *grid)
{
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grz_grid_class *fine = &grid->classes[i];
        fine->targets |= fine->quiet ? 0 : 1u << i;
        for (uint32_t k = i + 1; k < grid->class_count; ++k) {
            grz_grid_class *coarse = &grid->classes[k];
            if (fine->quiet && coarse->quiet) {
                continue;
            }
            if (grz_estimate_scan(fine, coarse) < grz_estimate_scan(coarse, fine)) {
                fine->targets |= 1u << k;
            } else {
                coarse->targets |= 1u << i;
            }
        }
    }
}

// HOT. bench: broadphase/build/gas
//
// Data    20 bytes read an item, 24 written at a place; items that come in the order of the build
//         before land close to one another.
// Order   Stable: items of a cell stay in the order they came in.
static void place_items(graze_grid *grid, const graze_grid_items *items, const uint32_t *keys)
{
    uint32_t *next_places = grid->starts + 1;
    const grz_grid_boxes boxes = grid->boxes;
    for (uint32_t i = 0; i < items->count; ++i) {
        const uint32_t place = next_places[keys[i]]++;
        grid->order[place] = i;
        grid->cells[place] = keys[i];
        boxes.min_x[place] = items->min_x[i];
        boxes.min_y[place] = items->min_y[i];
        boxes.max_x[place] = items->max_x[i];
        boxes.max_y[place] = items->max_y[i];
    }
    grid->count = items->count;
    for (uint32_t i = 0; i < GRZ_GRID_PADDING; ++i) {
        graze_grid_remove(grid, items->count + i);
    }
}

graze_status graze_grid_build(graze_grid *grid, const graze_grid_items *items)
{
    if (items->count > GRZ_GRID_MAX_ITEMS) {
        return GRAZE_ERROR_LIMIT;
    }
    if (!reserve_memory(grid, items->count)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    uint32_t *keys = grid->keys_block.data;
    uint8_t *buckets = grid->buckets_block.data;
    if (!measure_boxes(items, keys)) {
        return GRAZE_ERROR_ARGUMENT;
    }
    const extent world = judge_extent(items);
    survey sizes;
    uint8_t class_of_bucket[BUCKETS];
    survey_sizes(items, keys, buckets, &sizes);
    grid->class_count = 0;
    choose_kind_classes(grid, &sizes, 0, world, class_of_bucket);
    choose_kind_classes(grid, &sizes, QUIET_BUCKETS, world, class_of_bucket);
    choose_cells(grid, items, buckets, class_of_bucket, world, keys);
    choose_targets(grid);
    place_items(grid, items, keys);
    return GRAZE_OK;
}
