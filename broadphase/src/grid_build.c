// The build: measure the items, choose classes and cells, sort by counting.
//
// Whatever can fail comes first and touches scratch only: a build that fails leaves the grid as it
// was.

#include "fp_environment.h"
#include "grid_sort.h"

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

typedef bool reserve_fn(grz_block *block, const graze_allocator *allocator, size_t size);

// Blocks may move, but keep what they hold, also when a later one fails.
static bool reserve_memory(graze_grid *grid, uint32_t count, reserve_fn *reserve)
{
    const graze_allocator *allocator = &grid->allocator;
    const size_t places = ((size_t)count + GRZ_GRID_PADDING) * sizeof(float);
    const size_t cells = bound_cells(count) * sizeof(uint32_t);
    const size_t spans = (grz_grid_count_chunks(count) + 1) * sizeof(grz_key_span);
    const bool done = reserve(&grid->min_x_block, allocator, places) &&
                      reserve(&grid->min_y_block, allocator, places) &&
                      reserve(&grid->max_x_block, allocator, places) &&
                      reserve(&grid->max_y_block, allocator, places) &&
                      reserve(&grid->order_block, allocator, places) &&
                      reserve(&grid->cells_block, allocator, places) &&
                      reserve(&grid->starts_block, allocator, cells) &&
                      reserve(&grid->spans_block, allocator, spans) &&
                      reserve(&grid->keys_block, allocator, places);
    point_at_blocks(grid);
    return done;
}

graze_status graze_grid_reserve(graze_grid *grid, uint32_t count)
{
    if (count > GRZ_GRID_MAX_ITEMS) {
        return GRAZE_ERROR_LIMIT;
    }
    return reserve_memory(grid, count, grz_block_reserve_exact) ? GRAZE_OK
                                                                : GRAZE_ERROR_OUT_OF_MEMORY;
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
        ++sizes->counts[bucket];
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
    bool kept; ///< The classes are those of the last build.
    grz_grid_sort sort;
    grz_grid_plan plan;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
} build;

/// What the search for cells has learned of one part of the items.
typedef struct search_part {
    grz_grid_look look;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
} search_part;

/// What the tasks that find the items' cells share.
typedef struct search {
    const grz_grid_loops *loops;
    const build *of;
    const grz_cell_rule *rules;
    uint32_t rule_count;
    search_part parts[GRZ_GRID_PARTS];
} search;

// Returns the kinds of the items, or null if all are of one kind. They take the room where the
// cells of the items will be.
static const float *write_kinds(const build *of, uint32_t first, uint32_t end)
{
    const uint8_t *quiet = of->items->quiet;
    float *kinds = (float *)(void *)of->sort.keys;
    if (of->quiet_count == 0 || of->quiet_count == of->items->count) {
        return NULL;
    }
    for (uint32_t i = first; i < end; ++i) {
        kinds[i] = quiet[i] ? 1.0f : 0.0f;
    }
    return kinds + first;
}

// Parts begin where chunks do.
static void find_spans(const grz_grid_loops *loops, const grz_grid_sort *sort, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = first; i < end; i += GRZ_GRID_CHUNK) {
        const uint32_t rest = end - i, count = rest < GRZ_GRID_CHUNK ? rest : GRZ_GRID_CHUNK;
        sort->spans[i / GRZ_GRID_CHUNK] = loops->find_key_span(sort->keys + i, count);
    }
}

// Where there are no items there may be no arrays either: nothing is added to a null pointer.
static graze_grid_items take_part(const graze_grid_items *items, uint32_t first, uint32_t end)
{
    graze_grid_items part = {.count = end - first};
    if (part.count > 0) {
        part.min_x = items->min_x + first;
        part.min_y = items->min_y + first;
        part.max_x = items->max_x + first;
        part.max_y = items->max_y + first;
    }
    return part;
}

static void search_items(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    search *all = context;
    search_part *part = &all->parts[number];
    const build *of = all->of;
    const graze_grid_items *items = of->items;
    const graze_grid_items some = take_part(items, first, end);
    const float kind = of->quiet_count ? 1.0f : 0.0f;
    part->look = all->loops->find_cells(&some, write_kinds(of, first, end), kind, all->rules,
                                        all->rule_count, of->sort.keys + first, part->measures);
    if (end - first < items->count) {
        find_spans(all->loops, &of->sort, first, end);
    }
}

static void join_measures(grz_grid_measures *all, const grz_grid_measures *part)
{
    all->count += part->count;
    all->half_width = part->half_width > all->half_width ? part->half_width : all->half_width;
    all->half_height = part->half_height > all->half_height ? part->half_height : all->half_height;
    all->least_half = part->least_half < all->least_half ? part->least_half : all->least_half;
}

static void join_looks(grz_grid_look *all, const grz_grid_look *part)
{
    graze_aabb *bounds = &all->bounds;
    const graze_aabb added = part->bounds;
    bounds->lower.x = added.lower.x < bounds->lower.x ? added.lower.x : bounds->lower.x;
    bounds->lower.y = added.lower.y < bounds->lower.y ? added.lower.y : bounds->lower.y;
    bounds->upper.x = added.upper.x > bounds->upper.x ? added.upper.x : bounds->upper.x;
    bounds->upper.y = added.upper.y > bounds->upper.y ? added.upper.y : bounds->upper.y;
    all->sound = all->sound && part->sound;
}

// Finds the cells of all items, in parts where these are worth it, and joins what was learned.
static grz_grid_look find_cells(const graze_grid *grid, build *of, const grz_grid_class *classes,
                                uint32_t class_count)
{
    grz_cell_rule rules[GRZ_GRID_MAX_CLASSES];
    make_rules(classes, class_count, rules);
    const uint32_t count = of->items->count;
    search all;
    all.loops = grid->loops;
    all.of = of;
    all.rules = rules;
    all.rule_count = class_count;
    if (!of->sort.runner.parallel || count < GRZ_GRID_LEAST) {
        search_items(&all, 0, 0, count);
        memcpy(of->measures, all.parts[0].measures, class_count * sizeof of->measures[0]);
        return all.parts[0].look;
    }
    const uint32_t size = grz_grid_block_size(count);
    grz_runner_run(of->sort.runner, count, size, search_items, &all);
    search_part *joined = &all.parts[0];
    for (uint32_t part = 1; part < grz_count_blocks(count, size); ++part) {
        for (uint32_t i = 0; i < class_count; ++i) {
            join_measures(&joined->measures[i], &all.parts[part].measures[i]);
        }
        join_looks(&joined->look, &all.parts[part].look);
    }
    memcpy(of->measures, joined->measures, class_count * sizeof of->measures[0]);
    return joined->look;
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

// Counts the items in the cells of the last build, or in cells chosen by their number; and counts
// again in finer ones as long as a cell is too crowded. The cells that are known of the items are
// those of the last build, if its classes are kept.
static void choose_cells(graze_grid *grid, build *of)
{
    grz_grid_plan *plan = &of->plan;
    bool again = !(grz_grid_plan_cells(plan, grid) && of->kept);
    do {
        grid->cell_count = place_classes(plan);
        if (again) {
            (void)find_cells(grid, of, plan->classes, plan->class_count);
        }
        grz_grid_count_items(grid, &of->sort, plan);
        again = true;
    } while (grz_grid_refine(plan, grid, of->items, of->sort.keys));
}

// Parts the sizes of a crowd that no cells could part. Returns whether there are more classes now.
static bool part_crowd(build *of)
{
    if (!grz_grid_is_crowd_mixed(&of->plan, of->measures)) {
        return false;
    }
    grz_grid_survey sizes;
    survey_sizes(of->items, &sizes);
    return grz_grid_part_classes(&of->plan, &sizes);
}

static void take_classes(graze_grid *grid, const build *of)
{
    grid->class_count = of->plan.class_count;
    memcpy(grid->classes, of->plan.classes, grid->class_count * sizeof grid->classes[0]);
    for (uint32_t i = 0; i < grid->class_count && !of->kept; ++i) {
        grid->classes[i].first_least = of->measures[i].least_half;
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

// Makes classes anew. What was measured by the rules of the last build can only be used where there
// was a single rule for all items.
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

// Looks at the items by the rules of the last build: if they have changed little since, one look is
// enough.
static grz_grid_look look_at_items(const graze_grid *grid, build *of)
{
    const grz_grid_class everything = {.cells = 1};
    const bool any = grid->class_count > 0;
    of->quiet_count = count_quiet(of->items);
    return find_cells(grid, of, any ? grid->classes : &everything, any ? grid->class_count : 1);
}

static void start_build(build *of, const graze_grid *grid, const graze_grid_items *items,
                        graze_parallel_fn *parallel, void *user)
{
    of->items = items;
    of->sort.items = items;
    of->sort.runner.parallel = parallel;
    of->sort.runner.user = user;
    of->sort.keys = grid->keys_block.data;
    of->sort.spans = grid->spans_block.data;
}

static graze_status build_grid(graze_grid *grid, const graze_grid_items *items,
                               graze_parallel_fn *parallel, void *user)
{
    if (items->count > GRZ_GRID_MAX_ITEMS) {
        return GRAZE_ERROR_LIMIT;
    }
    if (!reserve_memory(grid, items->count, grz_block_reserve)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    build of;
    start_build(&of, grid, items, parallel, user);
    const grz_grid_look look = look_at_items(grid, &of);
    if (!look.sound) {
        return GRAZE_ERROR_ARGUMENT;
    }
    of.plan.world = grz_grid_judge_extent(items);
    of.kept = grz_grid_keep_classes(&of.plan, grid, of.measures, items->count, of.quiet_count);
    if (!of.kept) {
        plan_classes(grid, &of);
    }
    choose_cells(grid, &of);
    if (part_crowd(&of)) {
        of.kept = false;
        choose_cells(grid, &of);
    }
    take_classes(grid, &of);
    choose_targets(grid);
    grz_grid_place_items(grid, &of.sort);
    grz_grid_find_apart(grid);
    grid->bounds = look.bounds;
    return GRAZE_OK;
}

graze_status graze_grid_build_parallel(graze_grid *grid, const graze_grid_items *items,
                                       graze_parallel_fn *parallel, void *user)
{
    const grz_fp_environment caller = grz_fp_enter();
    graze_status status = build_grid(grid, items, parallel, user);
    grz_fp_leave(caller);
    return status;
}

graze_status graze_grid_build(graze_grid *grid, const graze_grid_items *items)
{
    return graze_grid_build_parallel(grid, items, NULL, NULL);
}
