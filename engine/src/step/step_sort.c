// Sort: swept boxes into the grid; now and then rows into its order.

#include "collide/sleep.h"
#include "solve/slices.h"
#include "step/step.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

enum {
    JUMP_STRIDE = 8, ///< One place in 8 is tested.
    JUMP_LENGTH = 8, ///< Vectors in a cache line: rows farther apart share none.
    JUMP_SHARE = 2,  ///< Rows are sorted if one in 2 jumps,
    PAIR_SHARE = 4,  ///< and there is a pair to 4 rows.
    ORDER_WAIT = 64  ///< If order does not last, it is tried again after this many steps.
};

static graze_grid_items items_of(const graze_world *world)
{
    const graze_aabb *boxes = world->found.box_memory.data;
    const bool has_kinds = world->bodies.ray_count || world->bodies.filter_count;
    const uint8_t *kinds =
        has_kinds ? (const uint8_t *)(boxes + world->bodies.rows.capacity) : NULL;
    const graze_grid_items items = {
        .boxes = boxes,
        .kinds = grz_is_sliced(world) ? world->impacts.slices.kinds.data : kinds,
        .meets = grz_is_sliced(world) ? world->impacts.slices.meets.data : &world->grid.kinds.meets,
        .count = world->bodies.active_count,
        .from = world->bodies.rows.position,
        .to = world->bodies.rows.end,
    };
    return items;
}

// Measures how far rows are from the grid's order: at every eighth place, is the row of the next
// place more than a cache line away? Bodies move little in a step, so rows stay near each other for
// many steps; sorting them costs as much as a few steps of reading them from afar.
static uint32_t count_jumps(const uint32_t *order, uint32_t first, uint32_t end)
{
    uint32_t jumps = 0;
    for (uint32_t place = first; place + 1 < end; place += JUMP_STRIDE) {
        const uint32_t jump = order[place + 1] - order[place] + JUMP_LENGTH;
        jumps += jump > 2 * JUMP_LENGTH;
    }
    return jumps;
}

// Between steps rows change, but the grid still names those of the sort: so their indices are
// stored.
static void review_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    memcpy(graze_grid_notes(world->grid.cells) + first, world->bodies.rows.index + first,
           (end - first) * sizeof *world->bodies.rows.index);
    world->found.row_counts.data[block].jumps =
        count_jumps(graze_grid_order(world->grid.cells), first, end);
}

static void review_rows(graze_world *world)
{
    const uint32_t count = world->bodies.active_count;
    grz_run_blocks(world, count, GRZ_BLOCK_ROWS, review_block, world);
    world->found.totals.jumps = 0;
    for (uint32_t block = 0; block < grz_count_blocks(count, GRZ_BLOCK_ROWS); ++block) {
        world->found.totals.jumps += world->found.row_counts.data[block].jumps;
    }
}

static bool has_many_jumps(const graze_world *world)
{
    return world->found.totals.jumps > world->bodies.active_count / JUMP_STRIDE / JUMP_SHARE;
}

// If many bodies come and go, rows that were sorted in one step are unordered by the next: then
// they are better not sorted.
static void review_order(graze_world *world)
{
    if (world->grid.rows_ordered && has_many_jumps(world)) {
        world->grid.order_wait = ORDER_WAIT;
    } else if (world->grid.order_wait) {
        --world->grid.order_wait;
    }
    world->grid.rows_ordered = false;
}

// Only pairs read rows in the order of the grid: if there are few, rows are not sorted.
static bool is_order_worth_while(const graze_world *world)
{
    return !world->grid.order_wait && has_many_jumps(world) &&
           world->found.candidate_count > world->bodies.active_count / PAIR_SHARE;
}

// Sorting now helps this step, though it moves more columns than after it. But pairs with still
// bodies are found by the boxes of rows, which are not sorted; nothing else needs these. The last
// step tells how many pairs to expect.
static void order_rows_at_once(graze_world *world)
{
    world->grid.places_are_rows = is_order_worth_while(world) && grz_all_are_active(world);
    if (world->grid.places_are_rows) {
        grz_rows_sort_with_ends(world, &world->bodies.rows, graze_grid_order(world->grid.cells),
                                world->found.box_memory.data);
        grz_rows_number(world, world->bodies.active_count);
        world->grid.rows_ordered = true;
    }
}

graze_status grz_step_sort(graze_world *world)
{
    const graze_grid_items items = items_of(world);
    graze_status status = graze_grid_reserve(world->grid.cells, world->bodies.rows.capacity);
    if (status) {
        return status;
    }
    status = graze_grid_build_parallel(world->grid.cells, &items, world->config.parallel,
                                       world->config.parallel_user);
    if (status) {
        return status;
    }
    review_rows(world);
    review_order(world);
    order_rows_at_once(world);
    grz_bodies_mark_sorted(world);
    if (grz_is_sliced(world)) {
        world->grid.stale_kinds[world->impacts.slices.kind / 32] |=
            UINT32_C(1) << world->impacts.slices.kind % 32;
    }
    return GRAZE_OK;
}

void grz_step_order_rows(graze_world *world)
{
    if (!world->grid.places_are_rows && is_order_worth_while(world)) {
        grz_rows_sort(world, &world->bodies.rows, graze_grid_order(world->grid.cells));
        grz_rows_number(world, world->bodies.active_count);
        world->grid.rows_ordered = true;
    }
}
