// The build: measure the items, choose classes and cells, sort by counting.
//
// Whatever can fail comes first and touches scratch only: a build that fails leaves the grid as it
// was.
#include "grid_plan.h"

#include <string.h>

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
    return 2 * (size_t)count + (size_t)GRZ_GRID_MAX_CLASSES * GRZ_GRID_MIN_CELLS + 2;
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

static uint32_t count_quiet(const graze_grid_items *items)
{
    uint32_t count = 0;
    for (uint32_t i = 0; items->quiet && i < items->count; ++i) {
        count += items->quiet[i] != 0;
    }
    return count;
}

// The upper seven bits of a float's exponent: a bucket is a factor of 4.
static uint32_t find_bucket(float half, bool quiet)
{
    const float positive = half + 0.0f; // Never -0: its bits count.
    uint32_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return (bits >> 24) + (quiet ? GRZ_GRID_QUIET_BUCKETS : 0);
}

static void survey_sizes(const graze_grid_items *items, uint8_t *buckets, grz_grid_survey *sizes)
{
    memset(sizes, 0, sizeof *sizes);
    for (uint32_t i = 0; i < items->count; ++i) {
        const float width = items->max_x[i] * 0.5f - items->min_x[i] * 0.5f;
        const float height = items->max_y[i] * 0.5f - items->min_y[i] * 0.5f;
        const bool quiet = items->quiet && items->quiet[i];
        const uint32_t bucket = find_bucket(width > height ? width : height, quiet);
        float *most_width = &sizes->half_width[bucket], *most_height = &sizes->half_height[bucket];
        buckets[i] = (uint8_t)bucket;
        sizes->counts[bucket] += 1;
        *most_width = *most_width > width ? *most_width : width;
        *most_height = *most_height > height ? *most_height : height;
    }
}

static grz_cell_rule make_cell_rule(const grz_grid_class *of)
{
    const grz_cell_rule rule = {of->x.inverse_side * 0.5,
                                of->y.inverse_side * 0.5,
                                of->stride,
                                of->origin,
                                of->cells - 1,
                                of->first_cell};
    return rule;
}

// The one class's cells in the last build: most likely they are those of this build too, and all
// that is to be found out comes of one look at the items.
static grz_cell_rule guess_cell_rule(const graze_grid *grid)
{
    const grz_cell_rule none = {0, 0, 0, 0, 0, 0};
    return grid->class_count == 1 ? make_cell_rule(&grid->classes[0]) : none;
}

static inline uint32_t find_cell(const graze_grid_items *items, uint32_t i,
                                 const grz_cell_rule *rule)
{
    const uint32_t column =
        grz_grid_center_coordinate(items->min_x[i], items->max_x[i], rule->half_inverse_width);
    const uint32_t row =
        grz_grid_center_coordinate(items->min_y[i], items->max_y[i], rule->half_inverse_height);
    return rule->first_cell + ((column + row * rule->stride - rule->origin) & rule->mask);
}

// The same as the wide find_cells, by classes.
static void find_cells(const graze_grid *grid, const grz_grid_plan *plan,
                       const graze_grid_items *items, const uint8_t *buckets, uint32_t *keys)
{
    grz_cell_rule rules[GRZ_GRID_MAX_CLASSES];
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        rules[i] = make_cell_rule(&plan->classes[i]);
    }
    if (plan->class_count == 1) {
        (void)grid->loops->find_cells(items, rules[0], keys);
        return;
    }
    for (uint32_t i = 0; i < items->count; ++i) {
        keys[i] = find_cell(items, i, &rules[plan->class_of_bucket[buckets[i]]]);
    }
}

// Lays the cells of all classes one after the other, and returns how many there are.
static uint32_t place_classes(grz_grid_plan *plan)
{
    uint32_t cells = 0;
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        plan->classes[i].first_cell = cells;
        cells += plan->classes[i].cells;
    }
    return cells;
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
    uint32_t sum = *total;
    uint64_t squares = 0;
    for (uint32_t i = 0; i < summed->cells; ++i) {
        const uint32_t count = counts[i];
        squares += (uint64_t)count * count;
        sum += count;
        counts[i] = sum;
    }
    *total = sum;
    summed->crowding = (double)squares / summed->count;
}

static void count_classes(graze_grid *grid, grz_grid_plan *plan, const uint32_t *keys,
                          uint32_t count)
{
    count_items(grid, keys, count);
    for (uint32_t i = 0, total = 0; i < plan->class_count; ++i) {
        sum_class(&plan->classes[i], grid->starts, &total);
    }
}

// Counts the items in the cells of the last build or those that their number asks for, and again in
// others where counting shows a crowd. `keys` are those of the rule that was guessed.
static void choose_cells(graze_grid *grid, grz_grid_plan *plan, const graze_grid_items *items,
                         const uint8_t *buckets, uint32_t *keys)
{
    const bool guessed = grz_grid_plan_cells(plan, grid) && plan->class_count == 1;
    grid->cell_count = place_classes(plan);
    if (!guessed) {
        find_cells(grid, plan, items, buckets, keys);
    }
    count_classes(grid, plan, keys, items->count);
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        plan->classes[i].first_crowding = plan->classes[i].crowding;
    }
    while (grz_grid_refine(plan, grid)) {
        grid->cell_count = place_classes(plan);
        find_cells(grid, plan, items, buckets, keys);
        count_classes(grid, plan, keys, items->count);
    }
    grid->class_count = plan->class_count;
    memcpy(grid->classes, plan->classes, plan->class_count * sizeof plan->classes[0]);
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
    const uint32_t count = items->count;
    uint32_t *next_places = grid->starts + 1, *order = grid->order, *cells = grid->cells;
    const grz_grid_boxes to = grid->boxes;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t key = keys[i];
        const uint32_t place = next_places[key]++;
        order[place] = i;
        cells[place] = key;
        to.min_x[place] = items->min_x[i];
        to.min_y[place] = items->min_y[i];
        to.max_x[place] = items->max_x[i];
        to.max_y[place] = items->max_y[i];
    }
    grid->count = count;
    for (uint32_t i = 0; i < GRZ_GRID_PADDING; ++i) {
        graze_grid_remove(grid, count + i);
    }
}

static void plan_classes(grz_grid_plan *plan, const graze_grid_items *items,
                         const grz_grid_measures *measures, uint8_t *buckets)
{
    const uint32_t quiet = count_quiet(items);
    const bool one_kind = quiet == 0 || quiet == items->count;
    plan->world = grz_grid_judge_extent(items);
    if (one_kind && grz_grid_is_one_class(plan, items, measures)) {
        grz_grid_plan_one_class(plan, items, measures, quiet > 0);
        return;
    }
    grz_grid_survey sizes;
    survey_sizes(items, buckets, &sizes);
    grz_grid_plan_classes(plan, &sizes);
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
    const grz_grid_measures measures = grid->loops->find_cells(items, guess_cell_rule(grid), keys);
    if (!measures.sound) {
        return GRAZE_ERROR_ARGUMENT;
    }
    grz_grid_plan plan;
    plan_classes(&plan, items, &measures, buckets);
    choose_cells(grid, &plan, items, buckets, keys);
    choose_targets(grid);
    place_items(grid, items, keys);
    return GRAZE_OK;
}
