#include "api/query_visit.h"

#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "world/bodies.h"

enum { PLACES_AT_ONCE = 64 };

// The grid has the boxes of the last step, which held each body's whole motion and so its end.
// Bodies created or teleported since are unsorted.

static void visit_body(const grz_visitor *visitor, uint32_t index)
{
    const uint32_t row = visitor->world->bodies.row_of_index.data[index];
    if (row < GRZ_NONE &&
        grz_filters_meet(visitor->filter, *grz_filter_of(visitor->world, index))) {
        visitor->visit(visitor->context, row);
    }
}

static void visit_places(const grz_visitor *visitor, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t index = grz_index_of_place(visitor->world, places[i]);
        if (!grz_index_set_has(&visitor->world->grid.unsorted, index)) {
            visit_body(visitor, index);
        }
    }
}

static void visit_still(const grz_visitor *visitor, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        visit_body(visitor, grz_sleep_index_of_place(visitor->world, places[i]));
    }
}

static void visit_still_in_box(const grz_visitor *visitor, graze_aabb box)
{
    if (grz_all_are_active(visitor->world)) {
        return;
    }
    const graze_grid *grid = visitor->world->sleep.grid;
    graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    graze_grid_set_kinds(&cursor, grz_list_still_kinds(visitor->world, visitor->filter, kinds));
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_box(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_still(visitor, places, count);
    }
}

static void visit_still_on_ray(const grz_visitor *visitor, graze_vec2 from, graze_vec2 end)
{
    if (grz_all_are_active(visitor->world)) {
        return;
    }
    const graze_grid *grid = visitor->world->sleep.grid;
    graze_grid_cursor cursor = graze_grid_begin_ray(grid, from, end);
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    graze_grid_set_kinds(&cursor, grz_list_still_kinds(visitor->world, visitor->filter, kinds));
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_ray(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_still(visitor, places, count);
    }
}

static void visit_unsorted(const grz_visitor *visitor)
{
    const grz_index_set *unsorted = &visitor->world->grid.unsorted;
    for (uint32_t index = 0; (index = grz_index_set_next(unsorted, index)) != UINT32_MAX; ++index) {
        visit_body(visitor, index);
    }
}

void grz_visit_box(const grz_visitor *visitor, graze_aabb box)
{
    const graze_grid *grid = visitor->world->grid.cells;
    graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    graze_grid_set_kinds(&cursor, grz_list_sorted_kinds(visitor->world, visitor->filter, kinds));
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_box(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_places(visitor, places, count);
    }
    visit_still_in_box(visitor, box);
    visit_unsorted(visitor);
}

void grz_visit_ray(const grz_visitor *visitor, graze_vec2 from, graze_vec2 end)
{
    const graze_grid *grid = visitor->world->grid.cells;
    graze_grid_cursor cursor = graze_grid_begin_ray(grid, from, end);
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    graze_grid_set_kinds(&cursor, grz_list_sorted_kinds(visitor->world, visitor->filter, kinds));
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_ray(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_places(visitor, places, count);
    }
    visit_still_on_ray(visitor, from, end);
    visit_unsorted(visitor);
}
