// The build: finds the cell of each item, by the calling thread or by several.

#include "grid_cells.h"

#include "bounds.h"
#include "min_max.h"

#include <string.h>

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
    uint32_t i = first;
    for (; i + GRZ_KINDS_A_RUN <= end; i += GRZ_KINDS_A_RUN) {
        const bool one_kind = grz_are_one_kind(kinds + i);
        const float list = list_of_kind[kinds[i]];
        for (uint32_t k = 0; k < GRZ_KINDS_A_RUN; ++k) {
            lists[i + k] = list;
        }
        for (uint32_t k = 1; k < GRZ_KINDS_A_RUN && !one_kind; ++k) {
            lists[i + k] = list_of_kind[kinds[i + k]];
        }
    }
    for (; i < end; ++i) {
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

static void join_looks(grz_grid_look *joined, const grz_grid_look *part)
{
    extend_by_box(&joined->bounds, part->bounds);
    joined->sound = joined->sound && part->sound;
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
        join_looks(&joined->look, &search->parts[part].look);
    }
}

grz_grid_look grz_grid_find_cells(const graze_grid *grid, grz_grid_build *build,
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
