#include "grid_kit.h"

#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

graze_grid *grid_kit_build_items(const graze_grid_items *items, double side)
{
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    grz_grid_fix_side(grid, side);
    assert_int_equal(graze_grid_build(grid, items), GRAZE_OK);
    return grid;
}

graze_grid *grid_kit_build(const box_set *boxes, double side)
{
    const graze_grid_items items = box_set_items(boxes);
    return grid_kit_build_items(&items, side);
}

uint32_t grid_kit_collect_from(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t capacity,
                               graze_pair *into)
{
    uint32_t total = 0;
    for (;;) {
        assert_true(total + capacity <= GRID_KIT_PAIRS);
        const uint32_t count = graze_grid_next_pairs(grid, cursor, into + total, capacity);
        assert_true(count <= capacity);
        if (count == 0) {
            return total;
        }
        total += count;
    }
}

uint32_t grid_kit_collect(const graze_grid *grid, uint32_t capacity, graze_pair *into)
{
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    return grid_kit_collect_from(grid, &cursor, capacity, into);
}
