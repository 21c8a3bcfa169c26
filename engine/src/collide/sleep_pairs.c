// Finds which active bodies are near which still ones.

#include "collide/sleep.h"

#include "collide/sleep_rows.h"
#include "prefetch.h"
#include "world/bodies.h"

enum {
    CELLS_AHEAD = 8,      ///< Rows ahead that cells of the grid are prefetched,
    BOXES_AHEAD = 4,      ///< and the boxes in them,
    STILL_AHEAD = 1 << 15 ///< if this many bodies are still: a smaller grid is cached.
};

/// graze_grid_next_box() or graze_grid_next_move().
typedef uint32_t next_places_fn(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                                uint32_t capacity);

// Active rows are few and far apart: what one meets is seldom in the cache from the one before it.
static void prefetch_ahead(const graze_world *world, uint32_t row)
{
    const graze_grid *grid = world->sleep.grid;
    if (graze_grid_count(grid) < STILL_AHEAD) {
        return;
    }
    if (row + CELLS_AHEAD < world->bodies.active_count) {
        graze_grid_prefetch_cells(grid, grz_sleep_box_of_active(world, row + CELLS_AHEAD));
    }
    if (row + BOXES_AHEAD < world->bodies.active_count) {
        graze_grid_prefetch_boxes(grid, grz_sleep_box_of_active(world, row + BOXES_AHEAD));
    }
}

// Turns places in the grid of bodies at rest into rows. Both look-ups read random memory, so those
// of all pairs are prefetched first.
static void name_rows_of_places(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const uint32_t *rows = world->bodies.row_of_index.data;
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].b = grz_sleep_index_of_place(world, pairs[i].b);
        GRZ_PREFETCH(&rows[pairs[i].b]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].b = rows[pairs[i].b];
    }
}

static graze_grid_cursor begin_row(const graze_world *world, uint32_t row, bool may_pass)
{
    const graze_aabb box = grz_sleep_box_of_active(world, row);
    prefetch_ahead(world, row);
    if (may_pass) {
        return graze_grid_begin_move(box, world->bodies.rows.position[row],
                                     world->bodies.rows.end[row]);
    }
    graze_grid_cursor cursor = graze_grid_begin_box(world->sleep.grid, box);
    if (world->sleep.has_kinds) {
        const uint32_t kind = world->bodies.rows.traits[row] >> GRZ_TRAIT_FILTER_KIND_SHIFT;
        graze_grid_set_kinds(&cursor, world->grid.kinds.meets.rows[kind]);
    }
    return cursor;
}

// HOT. bench: engine/step/rest
//
// Data    16 bytes of each active row, and the grid's cells and boxes at its place: in a large grid
//         prefetched some rows ahead.
uint32_t grz_sleep_next_pairs(const graze_world *world, grz_sleep_cursor *cursor, graze_pair *pairs,
                              uint32_t capacity)
{
    const graze_grid *grid = world->sleep.grid;
    const uint32_t rows = grz_all_are_active(world) ? 0 : world->bodies.active_count;
    const bool may_pass = rows && graze_grid_may_be_passed(grid, world->grid.cells);
    next_places_fn *const next_places = may_pass ? graze_grid_next_move : graze_grid_next_box;
    uint32_t places[GRZ_SLEEP_PLACES];
    uint32_t total = 0;
    while (cursor->row < rows && total < capacity) {
        if (!cursor->open) {
            cursor->places = begin_row(world, cursor->row, may_pass);
        }
        const uint32_t room = capacity - total;
        const uint32_t count = next_places(grid, &cursor->places, places,
                                           room < GRZ_SLEEP_PLACES ? room : GRZ_SLEEP_PLACES);
        for (uint32_t i = 0; i < count; ++i) {
            const graze_pair pair = {cursor->row, places[i]};
            pairs[total++] = pair;
            GRZ_PREFETCH(&world->sleep.index_of_place.data[places[i]]);
        }
        cursor->open = count > 0;
        cursor->row += count == 0;
    }
    name_rows_of_places(world, pairs, total);
    return total;
}
