// The build: measure the items, choose classes and cells, sort by counting.
//
// Whatever can fail comes first and touches scratch only: a build that fails leaves the grid as it
// was.
#include "grid_plan.h"

#include <float.h>
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
                      grz_block_reserve_scratch(&grid->keys_block, allocator, places);
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

static void survey_sizes(const graze_grid_items *items, grz_grid_survey *sizes)
{
    memset(sizes, 0, sizeof *sizes);
    for (uint32_t i = 0; i < items->count; ++i) {
        const float width = items->max_x[i] * 0.5f - items->min_x[i] * 0.5f;
        const float height = items->max_y[i] * 0.5f - items->min_y[i] * 0.5f;
        const bool quiet = items->quiet && items->quiet[i];
        const uint32_t bucket = find_bucket(width > height ? width : height, quiet);
        float *most_width = &sizes->half_width[bucket], *most_height = &sizes->half_height[bucket];
        sizes->counts[bucket] += 1;
        *most_width = *most_width > width ? *most_width : width;
        *most_height = *most_height > height ? *most_height : height;
    }
}

static void make_rules(const grz_grid_class *classes, uint32_t count, grz_cell_rule *rules)
{
    for (uint32_t i = 0; i < count; ++i) {
        const grz_grid_class *of = &classes[i];
        const grz_cell_rule rule = {of->x.inverse_side * 0.5,
                                    of->y.inverse_side * 0.5,
                                    of->stride,
                                    of->origin,
                                    of->cells - 1,
                                    of->first_cell,
                                    of->above,
                                    of->most,
                                    of->quiet};
        rules[i] = rule;
    }
}

/// What a build reads and where it keeps notes.
typedef struct build {
    const graze_grid_items *items;
    uint32_t quiet_count;
    uint32_t *keys; // By item: its cell.
    grz_grid_plan plan;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
} build;

// Returns the items' kinds where they are of both; they are kept where their cells will be.
static const float *write_kinds(const build *of)
{
    const graze_grid_items *items = of->items;
    float *kinds = (float *)(void *)of->keys;
    if (of->quiet_count == 0 || of->quiet_count == items->count) {
        return NULL;
    }
    for (uint32_t i = 0; i < items->count; ++i) {
        kinds[i] = items->quiet[i] ? 1.0f : 0.0f;
    }
    return kinds;
}

static grz_grid_look find_cells(const graze_grid *grid, build *of, const grz_grid_class *classes,
                                uint32_t class_count)
{
    grz_cell_rule rules[GRZ_GRID_MAX_CLASSES];
    make_rules(classes, class_count, rules);
    const float kind = of->quiet_count ? 1.0f : 0.0f;
    return grid->loops->find_cells(of->items, write_kinds(of), kind, rules, class_count, of->keys,
                                   of->measures);
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

static void count_classes(graze_grid *grid, build *of)
{
    grz_grid_plan *plan = &of->plan;
    count_items(grid, of->keys, of->items->count);
    for (uint32_t i = 0, total = 0; i < plan->class_count; ++i) {
        sum_class(&plan->classes[i], grid->starts, &total);
    }
}

// Counts the items in the cells of the last build or those that their number asks for, and again in
// others where counting shows a crowd. `found` are the cells by the last build's rules, of a number
// of classes, or none.
static void choose_cells(graze_grid *grid, build *of, bool found)
{
    grz_grid_plan *plan = &of->plan;
    const bool kept = grz_grid_plan_cells(plan, grid);
    bool again = !(kept && found);
    do {
        grid->cell_count = place_classes(plan);
        if (again) {
            (void)find_cells(grid, of, plan->classes, plan->class_count);
        }
        count_classes(grid, of);
        again = true;
    } while (grz_grid_refine(plan, grid, of->items, of->keys));
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

// Makes classes anew. What has been measured by the rules of the last build is of no use unless all
// items were under one.
static void plan_classes(const graze_grid *grid, build *of)
{
    const uint32_t count = of->items->count, quiet = of->quiet_count;
    const bool one_kind = quiet == 0 || quiet == count;
    of->plan.class_count = 0;
    if (one_kind && grid->class_count <= 1 &&
        grz_grid_plan_one_class(&of->plan, of->measures, quiet > 0)) {
        return;
    }
    grz_grid_survey sizes;
    survey_sizes(of->items, &sizes);
    grz_grid_plan_classes(&of->plan, &sizes);
}

// Looks at the items by the rules of the last build: if they are much like those, that is all there
// is to be seen.
static grz_grid_look look_at_items(const graze_grid *grid, build *of)
{
    const grz_grid_class everything = {.cells = 1};
    const bool any = grid->class_count > 0;
    of->quiet_count = count_quiet(of->items);
    return find_cells(grid, of, any ? grid->classes : &everything, any ? grid->class_count : 1);
}

graze_status graze_grid_build(graze_grid *grid, const graze_grid_items *items)
{
    if (items->count > GRZ_GRID_MAX_ITEMS) {
        return GRAZE_ERROR_LIMIT;
    }
    if (!reserve_memory(grid, items->count)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    build of;
    of.items = items;
    of.keys = grid->keys_block.data;
    const grz_grid_look look = look_at_items(grid, &of);
    if (!look.sound) {
        return GRAZE_ERROR_ARGUMENT;
    }
    of.plan.world = grz_grid_judge_extent(items);
    const bool kept =
        grz_grid_keep_classes(&of.plan, grid, of.measures, items->count, of.quiet_count);
    if (!kept) {
        plan_classes(grid, &of);
    }
    choose_cells(grid, &of, kept);
    for (uint32_t i = 0; i < grid->class_count && !kept; ++i) {
        grid->classes[i].first_least = of.measures[i].least_half;
    }
    choose_targets(grid);
    place_items(grid, items, of.keys);
    grid->bounds = look.bounds;
    return GRAZE_OK;
}
