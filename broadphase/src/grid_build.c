// The build as a list of its parts: measure the items, choose classes and cells, sort by counting.
//
// Whatever can fail comes first and touches scratch only: a build that fails leaves the grid as it
// was.

#include "bounds.h"
#include "fp_environment.h"
#include "grid_moves.h"
#include "grid_sort.h"
#include "min_max.h"

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
    grid->kinds = grid->kinds_block.data;
}

typedef bool reserve_fn(grz_block *block, const graze_allocator *allocator, size_t size);

// Blocks may move, but they keep their contents, even if a later one cannot be reserved. Each class
// has at most max(16, 2 x items) cells; two more entries serve the counting.
static bool reserve_memory(graze_grid *grid, uint32_t count, bool kinds, reserve_fn *reserve)
{
    const graze_allocator *allocator = &grid->allocator;
    const size_t places = ((size_t)count + GRZ_GRID_PADDING) * sizeof(float);
    const size_t least_cells = (size_t)GRZ_GRID_MAX_CLASSES * GRZ_GRID_MIN_CELLS;
    const size_t cells = (2 * (size_t)count + least_cells + 2) * sizeof(uint32_t);
    const size_t flags = (size_t)count + GRZ_GRID_PADDING;
    const size_t spans = (grz_grid_count_chunks(count) + 1) * sizeof(grz_key_span);
    const bool done = reserve(&grid->min_x_block, allocator, places) &&
                      reserve(&grid->min_y_block, allocator, places) &&
                      reserve(&grid->max_x_block, allocator, places) &&
                      reserve(&grid->max_y_block, allocator, places) &&
                      reserve(&grid->order_block, allocator, places) &&
                      reserve(&grid->cells_block, allocator, places) &&
                      reserve(&grid->starts_block, allocator, cells) &&
                      reserve(&grid->kinds_block, allocator, flags) &&
                      (!kinds || reserve(&grid->meets_block, allocator, sizeof *grid->meets)) &&
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
    return reserve_memory(grid, count, true, grz_block_reserve_exact) ? GRAZE_OK
                                                                      : GRAZE_ERROR_OUT_OF_MEMORY;
}

/// What a build reads and where it keeps notes.
typedef struct grz_grid_build {
    const graze_grid_items *items;
    const graze_grid_meets *meets;
    grz_kind_counts kind_counts; ///< Of the items; if there are kinds.
    grz_grid_lists lists;
    uint32_t only_list; ///< The one that has all items, as far as is known; or GRZ_GRID_LISTS.
    bool counted;       ///< The kinds have been counted.
    bool same_meets;    ///< As in the last build.
    bool kept;          ///< The classes are those of the last build.
    grz_grid_sort sort;
    grz_grid_plan plan;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
} grz_grid_build;

// --- The cell of each item, by the calling thread or by several ---

static void make_rules(const grz_grid_class *classes, uint32_t count, grz_cell_rule *rules)
{
    for (uint32_t i = 0; i < count; ++i) {
        const grz_grid_class *size_class = &classes[i];
        const grz_cell_rule rule = {
            .half_inverse_width = size_class->x.inverse_side * 0.5,
            .half_inverse_height = size_class->y.inverse_side * 0.5,
            .stride = size_class->stride,
            .origin = size_class->origin,
            .mask = size_class->cells - 1,
            .first_cell = size_class->first_cell,
            .above = size_class->above,
            .most = size_class->most,
            .list = size_class->list,
        };
        rules[i] = rule;
    }
}

/// What the search for cells has learned of one part of the items.
typedef struct search_part {
    grz_grid_look look;
    grz_grid_measures measures[GRZ_GRID_MAX_CLASSES];
    grz_kind_counts kinds;
} search_part;

/// What the tasks that find the items' cells share.
typedef struct cell_search {
    const grz_grid_loops *loops;
    const grz_grid_build *build;
    const grz_cell_rule *rules;
    uint32_t rule_count;
    search_part parts[GRZ_GRID_PARTS];
} cell_search;

// Returns the lists of the items, or null if all are of one list. They are stored where the cells
// of the items will be.
static const float *write_lists(const grz_grid_build *build, uint32_t first, uint32_t end)
{
    const uint8_t *kinds = build->items->kinds;
    float *lists = (float *)(void *)build->sort.keys;
    float list_of_kind[GRAZE_GRID_KINDS];
    if (build->only_list < GRZ_GRID_LISTS) {
        return NULL;
    }
    for (uint32_t kind = 0; kind < GRAZE_GRID_KINDS; ++kind) {
        list_of_kind[kind] = build->lists.of_kind[kind];
    }
    for (uint32_t i = first; i < end; ++i) {
        lists[i] = list_of_kind[kinds[i]];
    }
    return lists + first;
}

// Parts begin where chunks do.
static void find_spans(const grz_grid_loops *loops, const grz_grid_sort *sort, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = first; i < end; i += GRZ_GRID_CHUNK) {
        const uint32_t rest = end - i, count = min_u32(rest, GRZ_GRID_CHUNK);
        sort->spans[i / GRZ_GRID_CHUNK] = loops->find_key_span(sort->keys + i, count);
    }
}

// Where there are no items there may be no arrays either: nothing is added to a null pointer.
static graze_grid_items take_part(const graze_grid_items *items, uint32_t first, uint32_t end)
{
    graze_grid_items part = {.count = end - first};
    if (part.count > 0) {
        part.boxes = items->boxes + first;
    }
    return part;
}

static void search_items(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    cell_search *search = context;
    search_part *part = &search->parts[number];
    const grz_grid_build *build = search->build;
    const graze_grid_items *items = build->items;
    const graze_grid_items some = take_part(items, first, end);
    const float list = (float)build->only_list;
    if (!build->counted) {
        grz_grid_count_kinds(items->kinds + first, end - first, &part->kinds);
    }
    part->look =
        search->loops->find_cells(&some, write_lists(build, first, end), list, search->rules,
                                  search->rule_count, build->sort.keys + first, part->measures);
    if (end - first < items->count) {
        find_spans(search->loops, &build->sort, first, end);
    }
}

static void join_measures(grz_grid_measures *joined, const grz_grid_measures *part)
{
    joined->count += part->count;
    joined->half_width = max_float(part->half_width, joined->half_width);
    joined->half_height = max_float(part->half_height, joined->half_height);
    joined->least_half = min_float(part->least_half, joined->least_half);
}

static void join_parts(cell_search *search, uint32_t part_count)
{
    search_part *joined = &search->parts[0];
    for (uint32_t part = 1; part < part_count; ++part) {
        for (uint32_t i = 0; i < search->rule_count; ++i) {
            join_measures(&joined->measures[i], &search->parts[part].measures[i]);
        }
        for (uint32_t kind = 0; !search->build->counted && kind < search->build->meets->count;
             ++kind) {
            joined->kinds.of[kind] += search->parts[part].kinds.of[kind];
        }
        extend_by_box(&joined->look.bounds, search->parts[part].look.bounds);
        joined->look.sound = joined->look.sound && search->parts[part].look.sound;
    }
}

// Finds the cells of all items by the rules of these classes, in `build->sort.keys`, and measures
// the items of each class; by several threads if there are enough items. Counts the kinds unless
// that is done. The items need not be sound: the look says whether they are.
static grz_grid_look find_cells(const graze_grid *grid, grz_grid_build *build,
                                const grz_grid_class *classes, uint32_t class_count)
{
    const uint32_t count = build->items->count;
    grz_cell_rule rules[GRZ_GRID_MAX_CLASSES];
    make_rules(classes, class_count, rules);
    cell_search search;
    search.loops = grid->loops;
    search.build = build;
    search.rules = rules;
    search.rule_count = class_count;
    if (!build->sort.runner.parallel || count < GRZ_GRID_SHARED_MIN) {
        search_items(&search, 0, 0, count);
    } else {
        const uint32_t size = grz_grid_block_size(count);
        grz_runner_run(build->sort.runner, count, size, search_items, &search);
        join_parts(&search, grz_count_blocks(count, size));
    }
    memcpy(build->measures, search.parts[0].measures, class_count * sizeof build->measures[0]);
    if (!build->counted) {
        memcpy(build->kind_counts.of, search.parts[0].kinds.of,
               build->meets->count * sizeof build->kind_counts.of[0]);
        build->counted = true;
    }
    return search.parts[0].look;
}

// --- Classes and cells ---

// The upper seven bits of a float's exponent: a bucket is a factor of 4.
static uint32_t find_bucket(float half, uint32_t list)
{
    const float positive = half + 0.0f; // Never -0: its bits count.
    uint32_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return (bits >> 24) + list * GRZ_GRID_LIST_BUCKETS;
}

static void survey_sizes(const grz_grid_build *build, grz_grid_survey *sizes)
{
    const graze_grid_items *items = build->items;
    memset(sizes, 0, sizeof *sizes);
    for (uint32_t i = 0; i < items->count; ++i) {
        const float width = items->boxes[i].upper.x * 0.5f - items->boxes[i].lower.x * 0.5f;
        const float height = items->boxes[i].upper.y * 0.5f - items->boxes[i].lower.y * 0.5f;
        const uint32_t list = items->kinds ? build->lists.of_kind[items->kinds[i]] : 0;
        const uint32_t bucket = find_bucket(width > height ? width : height, list);
        float *most_width = &sizes->half_width[bucket], *most_height = &sizes->half_height[bucket];
        ++sizes->counts[bucket];
        *most_width = *most_width > width ? *most_width : width;
        *most_height = *most_height > height ? *most_height : height;
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

// Counts the items in the cells of the last build, or in cells chosen by their number; and counts
// again in finer ones as long as a cell is too crowded. If the last build's classes are kept, the
// items' cells are known already.
static void choose_cells(graze_grid *grid, grz_grid_build *build)
{
    grz_grid_plan *plan = &build->plan;
    bool again = !(grz_grid_plan_cells(plan, grid) && build->kept);
    do {
        grid->cell_count = place_classes(plan);
        if (again) {
            (void)find_cells(grid, build, plan->classes, plan->class_count);
        }
        grz_grid_count_items(grid, &build->sort, plan);
        again = true;
    } while (grz_grid_refine(plan, grid));
}

// Separates the sizes of a crowd that is too dense in any cells. Returns whether there are more
// classes now.
static bool part_crowd(grz_grid_build *build)
{
    if (!grz_grid_is_crowd_mixed(&build->plan, build->measures)) {
        return false;
    }
    grz_grid_survey sizes;
    survey_sizes(build, &sizes);
    return grz_grid_part_classes(&build->plan, &sizes);
}

static void take_classes(graze_grid *grid, const grz_grid_build *build)
{
    grid->class_count = build->plan.class_count;
    memcpy(grid->classes, build->plan.classes, grid->class_count * sizeof grid->classes[0]);
    for (uint32_t i = 0; i < grid->class_count && !build->kept; ++i) {
        grid->classes[i].first_least = build->measures[i].least_half;
    }
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grid->classes[i].points = build->lists.points[grid->classes[i].list];
    }
}

static void take_kinds(graze_grid *grid, const grz_grid_build *build)
{
    grid->lists = build->lists;
    if (!build->items->kinds) {
        grid->meets = &grz_grid_all_meet;
    } else if (!build->same_meets) {
        const graze_grid_meets *meets = build->meets;
        graze_grid_meets *copy = grid->meets_block.data;
        copy->count = meets->count;
        memcpy(copy->rows, meets->rows, meets->count * sizeof meets->rows[0]);
        memcpy(copy->points, meets->points, sizeof meets->points);
        grid->meets = copy;
    }
}

// Chooses new classes. Measures taken by the rules of the last build are of use only if one rule
// held for all items.
static void plan_classes(const graze_grid *grid, grz_grid_build *build)
{
    const bool one_list = build->only_list < GRZ_GRID_LISTS;
    build->plan.class_count = 0;
    if (one_list && grid->class_count <= 1 &&
        grz_grid_plan_one_class(&build->plan, build->measures, build->only_list)) {
        return;
    }
    grz_grid_survey sizes;
    survey_sizes(build, &sizes);
    grz_grid_plan_classes(&build->plan, &sizes);
}

static bool are_all_counted(const grz_grid_build *build)
{
    uint64_t count = 0;
    for (uint32_t list = 0; list < GRZ_GRID_LISTS; ++list) {
        count += build->lists.counts[list];
    }
    return count == build->items->count;
}

static void judge_lists(grz_grid_build *build)
{
    grz_grid_judge_lists(build->meets, &build->kind_counts, &build->lists);
    build->only_list = grz_grid_only_list(&build->lists);
}

static void choose_lists(grz_grid_build *build)
{
    grz_grid_choose_lists(build->meets, &build->kind_counts, &build->lists);
    judge_lists(build);
}

// Lists of the last build are kept, which are likely to have items again where they had any then.
// Without them the kinds are counted first.
static void begin_lists(const graze_grid *grid, grz_grid_build *build)
{
    const graze_grid_items *items = build->items;
    build->meets = items->kinds ? items->meets : &grz_grid_all_meet;
    build->same_meets = grz_grid_same_meets(build->meets, grid->meets);
    build->counted = !items->kinds;
    build->kind_counts.of[0] = items->count;
    if (build->same_meets) {
        build->lists = grid->lists;
        build->only_list = grz_grid_only_list(&build->lists);
        return;
    }
    if (items->kinds) {
        grz_grid_count_kinds(items->kinds, items->count, &build->kind_counts);
        build->counted = true;
    }
    choose_lists(build);
}

// Measures the items by the rules of the last build: if they have changed little, one pass is
// enough.
static grz_grid_look look_at_items(const graze_grid *grid, grz_grid_build *build)
{
    const grz_grid_class everything = {.cells = 1};
    const bool any = grid->class_count > 0;
    begin_lists(grid, build);
    const grz_grid_look look =
        find_cells(grid, build, any ? grid->classes : &everything, any ? grid->class_count : 1);
    judge_lists(build);
    return look;
}

static grz_grid_extent measure_world(graze_aabb bounds)
{
    const grz_grid_extent empty = {0, 0, 0, 0};
    const grz_grid_extent world = {(double)bounds.lower.x, (double)bounds.lower.y,
                                   (double)bounds.upper.x - (double)bounds.lower.x,
                                   (double)bounds.upper.y - (double)bounds.lower.y};
    return bounds.lower.x <= bounds.upper.x ? world : empty;
}

static graze_status build_grid(graze_grid *grid, const graze_grid_items *items,
                               graze_parallel_fn *parallel, void *user)
{
    if (items->count > GRZ_GRID_MAX_ITEMS) {
        return GRAZE_ERROR_LIMIT;
    }
    if (!reserve_memory(grid, items->count, items->kinds != NULL, grz_block_reserve)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_grid_build build;
    build.items = build.sort.items = items;
    build.sort.runner.parallel = parallel;
    build.sort.runner.user = user;
    build.sort.keys = grid->keys_block.data;
    build.sort.spans = grid->spans_block.data;
    const grz_grid_look look = look_at_items(grid, &build);
    if (!look.sound || !are_all_counted(&build)) {
        return GRAZE_ERROR_ARGUMENT;
    }
    build.plan.world = measure_world(look.bounds);
    build.kept = build.same_meets &&
                 grz_grid_keep_classes(&build.plan, grid, build.measures, build.lists.counts);
    if (!build.kept) {
        choose_lists(&build);
        plan_classes(grid, &build);
    }
    choose_cells(grid, &build);
    if (part_crowd(&build)) {
        build.kept = false;
        choose_cells(grid, &build);
    }
    take_classes(grid, &build);
    take_kinds(grid, &build);
    grz_grid_place_items(grid, &build.sort);
    grid->bounds = look.bounds;
    grz_grid_find_moves(grid, items, build.measures);
    grz_grid_choose_stages(grid);
    return GRAZE_OK;
}

graze_status graze_grid_build_parallel(graze_grid *grid, const graze_grid_items *items,
                                       graze_parallel_fn *parallel, void *user)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = build_grid(grid, items, parallel, user);
    grz_fp_leave(caller);
    return status;
}

graze_status graze_grid_build(graze_grid *grid, const graze_grid_items *items)
{
    return graze_grid_build_parallel(grid, items, NULL, NULL);
}
