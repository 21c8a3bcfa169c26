// The outlines of cells, against a walk from the left to each cell.

#include "memory.h"
#include "outline_grid.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

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

/// Loops one after the other: their corners, each followed by how many there were.
typedef struct loop_list {
    grz_memory *memory;
    grz_cell *corners;
} loop_list;

static void record_loop(const grz_cell *corners, size_t count, bool is_hole, void *user)
{
    loop_list *list = user;
    for (size_t i = 0; i < count; ++i) {
        grz_push(list->memory, list->corners, corners[i]);
    }
    const grz_cell end = {is_hole, (int32_t)count};
    grz_push(list->memory, list->corners, end);
}

// From a bitmap where it is dense, and else from the cells: here the distance decides. `cells` gets
// the same ones as the runs.
static grz_run *draw_runs(grz_memory *memory, random_state *random, grz_cell **cells)
{
    grz_run *runs = NULL;
    const uint32_t share = 1 + random_below(random, 9);
    const int32_t distance = random_below(random, 2) ? 1 << 20 : 0;
    const int32_t width = 1 + (int32_t)random_below(random, 200);
    for (int32_t i = 0; i < 400; ++i) {
        const grz_cell cell = {i % width - 3 + (i > 300 ? distance : 0), i / width - 7};
        if (random_below(random, 10) < share) {
            grz_runs_add(memory, &runs, cell);
            grz_push(memory, *cells, cell);
        }
    }
    return runs;
}

static void a_bitmap_gives_the_same_loops_in_the_same_order(void **state)
{
    (void)state;
    random_state random = random_seed(4);
    const graze_allocator none = {0};
    grz_memory memory;
    grz_memory_init(&memory, grz_allocator_or_default(none));
    assert_int_equal(setjmp(memory.on_lack), 0);
    for (int round = 0; round < 500; ++round) {
        grz_cell *cells = NULL;
        loop_list plain = {&memory, NULL};
        loop_list dense = {&memory, NULL};
        grz_run *runs = draw_runs(&memory, &random, &cells);
        grz_outline_trace(&memory, cells, record_loop, &plain);
        grz_outline_trace_runs(&memory, runs, record_loop, &dense);
        const size_t count = grz_list_count(plain.corners);
        if (count != grz_list_count(dense.corners) ||
            (count > 0 && memcmp(plain.corners, dense.corners, count * sizeof(grz_cell)) != 0)) {
            fail_msg("round %d: other loops", round);
        }
        grz_list_free(plain.corners);
        grz_list_free(dense.corners);
        grz_list_free(runs);
        grz_list_free(cells);
    }
    grz_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_enclose_exactly_the_cells),
        cmocka_unit_test(a_bitmap_gives_the_same_loops_in_the_same_order),
    };
    return cmocka_run_group_tests_name("outline", tests, NULL, NULL);
}
