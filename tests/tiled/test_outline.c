// The outlines of cells, against a walk from the left to each cell.

#include "memory.h"
#include "outline.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { GRID = 9 };

/// The loops around the cells of a grid, in the form that the test asks about.
typedef struct traced_grid {
    int crossings[GRID + 2][GRID + 2]; ///< Of a walk from the left to the cell, by directed sides.
    int area;
} traced_grid;

static void add_loop(const grz_cell *corners, size_t count, bool is_hole, void *user)
{
    traced_grid *grid = user;
    int area = 0;
    for (size_t i = 0; i < count; ++i) {
        grz_cell a = corners[i];
        grz_cell b = corners[(i + 1) % count];
        grz_cell c = corners[(i + 2) % count];
        area += a.x * b.y - a.y * b.x;
        // Sides are upright or level in turn: no corner lies in line.
        assert_true((a.x == b.x) != (a.y == b.y));
        assert_true((a.x == b.x) == (b.y == c.y));
        for (int y = a.y < b.y ? a.y : b.y; y < (a.y > b.y ? a.y : b.y); ++y) {
            for (int x = a.x; x <= GRID; ++x) {
                grid->crossings[y + 1][x + 1] += b.y > a.y ? 1 : -1;
            }
        }
    }
    assert_true(is_hole == (area > 0));
    grid->area += area;
}

static void outlines_enclose_exactly_the_cells(void **state)
{
    (void)state;
    random_state random = random_seed(3);
    const graze_allocator none = {0};
    grz_memory memory;
    grz_memory_init(&memory, grz_allocator_or_default(none));
    assert_int_equal(setjmp(memory.on_lack), 0);
    for (int round = 0; round < 2000; ++round) {
        bool solid[GRID + 2][GRID + 2] = {{false}};
        grz_cell *cells = NULL;
        int count = 0;
        uint32_t share = random_below(&random, 10);
        for (int i = 0; i < GRID * GRID; ++i) {
            grz_cell cell = {i % GRID, i / GRID};
            if (random_below(&random, 10) < share) {
                solid[cell.y + 1][cell.x + 1] = true;
                grz_push(&memory, cells, cell);
                ++count;
            }
        }
        traced_grid grid = {{{0}}, 0};
        grz_outline_trace(&memory, cells, add_loop, &grid);
        assert_int_equal(grid.area, -2 * count);
        for (int y = 0; y < GRID + 2; ++y) {
            for (int x = 0; x < GRID + 2; ++x) {
                if (grid.crossings[y][x] != solid[y][x]) {
                    fail_msg("round %d: cell %d, %d has %d around it", round, x - 1, y - 1,
                             grid.crossings[y][x]);
                }
            }
        }
        grz_list_free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_enclose_exactly_the_cells),
    };
    return cmocka_run_group_tests_name("outline", tests, NULL, NULL);
}
