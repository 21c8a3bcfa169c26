// A build that is refused or runs out of memory leaves the grid as it was; and what builds
// allocate.

#include <graze/grid.h>

#include "failing_allocator.h"
#include "grid_kit.h"
#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static box_set set;
static graze_pair pairs[GRID_KIT_PAIRS];
static graze_pair again[GRID_KIT_PAIRS];

// A build that fails must leave the grid with the pairs that it had.
static void assert_unchanged(const graze_grid *grid, uint32_t count, uint32_t pair_count)
{
    assert_int_equal(graze_grid_count(grid), count);
    assert_int_equal(grid_kit_collect(grid, 4096, again), pair_count);
    assert_memory_equal(again, pairs, pair_count * sizeof *pairs);
}

static void boxes_not_finite_or_inverted_are_refused_and_nothing_changes(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    box_set_fill(box_set_kind_named("gas"), 1, 100, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
    const uint32_t pair_count = grid_kit_collect(grid, 4096, pairs);
    for (uint32_t side = 0; side < 4; ++side) {
        const float inverted = side < 2 ? 1e6f : -1e6f;
        for (uint32_t i = 0; i < 4; ++i) {
            for (uint32_t place = 0; place < 100; place += 9) {
                const graze_grid_items items = box_set_items(&set);
                graze_aabb *box = &set.box[place];
                float *sides[] = {&box->lower.x, &box->lower.y, &box->upper.x, &box->upper.y};
                const float good = *sides[side];
                *sides[side] = i < 3 ? bad[i] : inverted;
                assert_int_equal(graze_grid_build(grid, &items), GRAZE_ERROR_ARGUMENT);
                *sides[side] = good;
                assert_unchanged(grid, 100, pair_count);
            }
        }
    }
    graze_grid_destroy(grid);
}

static void too_many_items_are_refused_and_nothing_changes(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("gas"), 1, 100, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
    const uint32_t pair_count = grid_kit_collect(grid, 4096, pairs);
    graze_grid_items items = box_set_items(&set);
    items.count = (1u << 30) + 1;
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_ERROR_LIMIT);
    assert_unchanged(grid, 100, pair_count);
    graze_grid_destroy(grid);
}

static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    graze_allocator allocator = failing_allocator_interface(&memory);
    graze_grid *grid = NULL;
    allocator.release = NULL;
    assert_int_equal(graze_grid_create(&allocator, &grid), GRAZE_ERROR_ARGUMENT);
    assert_null(grid);
}

static void every_failed_allocation_leaves_the_grid_as_it_was(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    graze_grid *grid;
    failing_allocator_arm(&memory, 1);
    assert_int_equal(graze_grid_create(&allocator, &grid), GRAZE_ERROR_OUT_OF_MEMORY);
    assert_null(grid);
    assert_true(failing_allocator_disarm(&memory));
    size_t failures = 0;
    for (size_t n = 1;; ++n) {
        assert_int_equal(graze_grid_create(&allocator, &grid), GRAZE_OK);
        box_set_fill(box_set_kind_named("gas-sizes"), 4, 60, &set);
        graze_grid_items items = box_set_items(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        const uint32_t pair_count = grid_kit_collect(grid, 4096, pairs);
        box_set_fill(box_set_kind_named("gas"), 4, 3000, &set);
        items = box_set_items(&set);
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_grid_build(grid, &items);
        const bool failed = failing_allocator_disarm(&memory);
        assert_int_equal(status, failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
        if (failed) {
            assert_unchanged(grid, 60, pair_count);
            assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        }
        assert_int_equal(graze_grid_count(grid), 3000);
        graze_grid_destroy(grid);
        failing_allocator_assert_empty(&memory);
        failures += failed;
        if (!failed) {
            break;
        }
    }
    assert_true(failures > 0);
}

static void builds_of_the_same_count_allocate_nothing(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    graze_grid *grid;
    assert_int_equal(graze_grid_create(&allocator, &grid), GRAZE_OK);
    size_t calls = 0;
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        box_set_fill(&kinds[kind], 4, 1000, &set);
        const graze_grid_items items = box_set_items(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        calls = kind ? calls : memory.calls;
        assert_int_equal(memory.calls, calls);
        assert_true(graze_grid_get_stats(grid).memory_bytes <= memory.live_bytes);
    }
    graze_grid_destroy(grid);
    failing_allocator_assert_empty(&memory);
}

static void what_is_reserved_is_all_that_builds_need(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    graze_grid *grid;
    assert_int_equal(graze_grid_create(&allocator, &grid), GRAZE_OK);
    assert_int_equal(graze_grid_reserve(grid, (1u << 30) + 1), GRAZE_ERROR_LIMIT);
    assert_int_equal(graze_grid_reserve(grid, 3000), GRAZE_OK);
    const size_t calls = memory.calls;
    assert_true(graze_grid_get_stats(grid).memory_bytes < 38 * 3000 + 24576);
    for (uint32_t count = 1; count <= 3000; count += 999) {
        box_set_fill(box_set_kind_named("gas-sizes"), 4, count, &set);
        const graze_grid_items items = box_set_items(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    }
    assert_int_equal(memory.calls, calls);
    graze_grid_destroy(grid);
    failing_allocator_assert_empty(&memory);
}

static void notes_outlive_a_build_that_finds_no_memory(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    for (size_t n = 1;; ++n) {
        graze_grid *grid;
        assert_int_equal(graze_grid_create(&allocator, &grid), GRAZE_OK);
        box_set_fill(box_set_kind_named("gas"), 4, 60, &set);
        graze_grid_items items = box_set_items(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        for (uint32_t i = 0; i < 60; ++i) {
            graze_grid_notes(grid)[i] = 7 * i;
        }
        box_set_fill(box_set_kind_named("gas"), 4, 3000, &set);
        items = box_set_items(&set);
        failing_allocator_arm(&memory, n);
        (void)graze_grid_build(grid, &items);
        const bool failed = failing_allocator_disarm(&memory);
        for (uint32_t i = 0; failed && i < 60; ++i) {
            assert_int_equal(graze_grid_notes(grid)[i], 7 * i);
        }
        graze_grid_destroy(grid);
        failing_allocator_assert_empty(&memory);
        if (!failed) {
            assert_true(n > 1);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_not_finite_or_inverted_are_refused_and_nothing_changes),
        cmocka_unit_test(too_many_items_are_refused_and_nothing_changes),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(every_failed_allocation_leaves_the_grid_as_it_was),
        cmocka_unit_test(builds_of_the_same_count_allocate_nothing),
        cmocka_unit_test(what_is_reserved_is_all_that_builds_need),
        cmocka_unit_test(notes_outlive_a_build_that_finds_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
