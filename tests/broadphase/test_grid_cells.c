// The cells that a grid tells of: each item is in one of them, and each has as many as it says.

#include <graze/grid.h>

#include "grid_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { ITEMS = 1500 };

static box_set set;

/// What was told.
typedef struct tally {
    const char *name; ///< Of the set.
    uint32_t cells, items;
    bool is_covered[BOX_SET_CAPACITY]; ///< By item: its centre is in some cell.
} tally;

static bool is_between(double value, float lower, float upper)
{
    const double a = (double)lower, b = (double)upper;
    const double slack = 1e-5 * (b - a) + 1e-6 * fabs(value); // Edges are rounded to float.
    return a - slack <= value && value <= b + slack;
}

static double center(float lower, float upper)
{
    return 0.5 * ((double)lower + (double)upper);
}

static bool holds(graze_aabb cell, graze_aabb box)
{
    return is_between(center(box.lower.x, box.upper.x), cell.lower.x, cell.upper.x) &&
           is_between(center(box.lower.y, box.upper.y), cell.lower.y, cell.upper.y);
}

static void add_cell(graze_aabb cell, uint32_t count, void *user)
{
    tally *told = user;
    uint32_t held = 0;
    for (uint32_t i = 0; i < set.count; ++i) {
        if (holds(cell, set.box[i])) {
            told->is_covered[i] = true;
            ++held;
        }
    }
    if (count == 0 || count > held) {
        fail_msg("%s: a cell says %u and holds %u", told->name, count, held);
    }
    told->items += count;
    ++told->cells;
}

static void check(const graze_grid *grid, uint32_t wanted, const char *what)
{
    static tally told;
    told = (tally){.name = what};
    graze_grid_visit_cells(grid, add_cell, &told);
    if (told.items != wanted) {
        fail_msg("%s: cells have %u items of %u", what, told.items, wanted);
    }
    for (uint32_t i = 0; i < set.count && wanted == set.count; ++i) {
        if (!told.is_covered[i]) {
            fail_msg("%s: item %u is in no cell", what, i);
        }
    }
}

static void all_items_are_in_cells_that_are_told(void **state)
{
    (void)state;
    uint32_t kinds;
    const box_set_kind *kind = box_set_kinds(&kinds);
    for (uint32_t k = 0; k < kinds; ++k) {
        box_set_fill(&kind[k], 5 + k, ITEMS, &set);
        graze_grid *grid = grid_kit_build(&set, 0);
        check(grid, set.count, kind[k].name);
        graze_grid_remove(grid, 0);
        graze_grid_remove(grid, set.count / 2);
        check(grid, set.count - 2, kind[k].name);
        graze_grid_destroy(grid);
    }
}

static void a_grid_without_items_has_none(void **state)
{
    (void)state;
    set.count = 0;
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    check(grid, 0, "before the first build");
    graze_grid_destroy(grid);
    grid = grid_kit_build(&set, 0);
    check(grid, 0, "nothing");
    graze_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_items_are_in_cells_that_are_told),
        cmocka_unit_test(a_grid_without_items_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
