#include <graze/grid.h>

#include "box_set.h"
#include "failing_allocator.h"
#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double sides[] = {0, 1e-4, 0.7, 6, 500, 1e33};
enum { SIDE_COUNT = sizeof sides / sizeof sides[0], PAIR_CAPACITY = 1 << 20 };

static box_set set;
static graze_pair pairs[PAIR_CAPACITY];
static graze_pair again[PAIR_CAPACITY];
static uint8_t found[BOX_SET_CAPACITY];

static graze_grid_items items_of(const box_set *boxes)
{
    const graze_grid_items items = {boxes->min_x, boxes->min_y, boxes->max_x,
                                    boxes->max_y, boxes->quiet, boxes->count};
    return items;
}

static graze_grid *build(const box_set *boxes, double side)
{
    graze_grid *grid;
    const graze_grid_items items = items_of(boxes);
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    grz_grid_fix_side(grid, side);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    return grid;
}

static uint32_t collect_from(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t capacity,
                             graze_pair *into)
{
    uint32_t total = 0;
    for (;;) {
        assert_true(total + capacity <= PAIR_CAPACITY);
        const uint32_t count = graze_grid_next_pairs(grid, cursor, into + total, capacity);
        assert_true(count <= capacity);
        if (count == 0) {
            return total;
        }
        total += count;
    }
}

static uint32_t collect(const graze_grid *grid, uint32_t capacity, graze_pair *into)
{
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    return collect_from(grid, &cursor, capacity, into);
}

// Translates places to items, the smaller first, and sorts.
static int compare_pairs(const void *left, const void *right)
{
    const graze_pair *a = left, *b = right;
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

static void name_items(const graze_grid *grid, graze_pair *named, uint32_t count)
{
    const uint32_t *order = graze_grid_order(grid);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t a = order[named[i].a], b = order[named[i].b];
        named[i].a = a < b ? a : b;
        named[i].b = a < b ? b : a;
    }
    qsort(named, count, sizeof *named, compare_pairs);
}

// `named` must be exactly the pairs that comparing all with all finds.
static void assert_all_pairs(const box_set *boxes, const graze_pair *named, uint32_t count,
                             const char *what)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < boxes->count; ++i) {
        for (uint32_t k = i + 1; k < boxes->count; ++k) {
            const bool meet = box_set_overlap(boxes, i, k) && !(boxes->quiet[i] && boxes->quiet[k]);
            const bool listed = next < count && named[next].a == i && named[next].b == k;
            if (meet != listed) {
                fail_msg("%s: items %u and %u: overlap %d, listed %d", what, i, k, meet, listed);
            }
            next += listed;
        }
    }
    if (next != count) {
        fail_msg("%s: pair %u of %u is twice or none: %u %u", what, next, count, named[next].a,
                 named[next].b);
    }
}

static void assert_order_is_a_permutation(const graze_grid *grid, uint32_t count)
{
    const uint32_t *order = graze_grid_order(grid);
    memset(found, 0, sizeof found);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(order[i] < count && !found[order[i]]);
        found[order[i]] = 1;
    }
}

static void check_pairs(const box_set *boxes, double side, const char *what)
{
    graze_grid *grid = build(boxes, side);
    assert_order_is_a_permutation(grid, boxes->count);
    const uint32_t count = collect(grid, 4096, pairs);
    name_items(grid, pairs, count);
    assert_all_pairs(boxes, pairs, count, what);
    graze_grid_destroy(grid);
}

static void pairs_equal_brute_force_for_all_kinds_and_cell_sizes(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        for (uint32_t side = 0; side < SIDE_COUNT; ++side) {
            for (uint64_t seed = 1; seed <= 3; ++seed) {
                char what[100];
                snprintf(what, sizeof what, "%s, side %g, seed %d", kinds[kind].name, sides[side],
                         (int)seed);
                box_set_fill(&kinds[kind], seed, 50 + 120 * (uint32_t)seed, &set);
                check_pairs(&set, sides[side], what);
            }
        }
    }
}

static void pairs_of_quiet_mixes_equal_brute_force(void **state)
{
    (void)state;
    static const uint32_t one_in[] = {1, 2, 10, 400};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        for (uint64_t seed = 0; seed < 8; ++seed) {
            char what[100];
            random_state random = random_seed(seed);
            snprintf(what, sizeof what, "%s, one loud in %u, seed %d", kinds[kind].name,
                     one_in[seed % 4], (int)seed);
            box_set_fill(&kinds[kind], seed, 300, &set);
            box_set_hush(&random, one_in[seed % 4], &set);
            check_pairs(&set, sides[seed % SIDE_COUNT], what);
        }
    }
}

static void few_items_pair_as_many_do(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        for (uint32_t count = 0; count < 40; ++count) {
            box_set_fill(&kinds[kind], count, count, &set);
            check_pairs(&set, 0, kinds[kind].name);
        }
    }
}

static void thousands_of_items_equal_brute_force(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        const bool crowd = strncmp(kinds[kind].name, "one", 3) == 0;
        box_set_fill(&kinds[kind], 99, crowd ? 1000 : 2000, &set);
        check_pairs(&set, 0, kinds[kind].name);
    }
}

static void capacities_change_neither_pairs_nor_their_order(void **state)
{
    (void)state;
    static const uint32_t capacities[] = {1, 2, 7, 25, 64, 1000};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        random_state random = random_seed(kind);
        box_set_fill(&kinds[kind], 5, 150, &set);
        box_set_hush(&random, 2, &set);
        for (uint32_t side = 0; side < SIDE_COUNT; ++side) {
            graze_grid *grid = build(&set, sides[side]);
            const uint32_t count = collect(grid, 4096, pairs);
            for (uint32_t i = 0; i < 6; ++i) {
                assert_int_equal(collect(grid, capacities[i], again), count);
                assert_memory_equal(again, pairs, count * sizeof *pairs);
            }
            graze_grid_destroy(grid);
        }
    }
}

static uint32_t collect_parts(const graze_grid *grid, uint32_t part_count, graze_pair *into)
{
    uint32_t total = 0;
    for (uint32_t part = 0; part < part_count; ++part) {
        graze_grid_cursor cursor = graze_grid_begin_pairs_part(grid, part, part_count);
        total += collect_from(grid, &cursor, 64, into + total);
    }
    return total;
}

static void parts_end_to_end_are_all_pairs_in_order(void **state)
{
    (void)state;
    static const uint32_t part_counts[] = {1, 2, 3, 8, 61, 1000};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        random_state random = random_seed(kind);
        for (uint32_t one_in = 1; one_in <= 3; ++one_in) {
            box_set_fill(&kinds[kind], one_in, 50 + 100 * one_in, &set);
            box_set_hush(&random, one_in, &set);
            graze_grid *grid = build(&set, 0);
            const uint32_t count = collect(grid, 4096, pairs);
            for (uint32_t i = 0; i < 6; ++i) {
                assert_int_equal(collect_parts(grid, part_counts[i], again), count);
                assert_memory_equal(again, pairs, count * sizeof *pairs);
            }
            graze_grid_destroy(grid);
        }
    }
}

static void parts_of_an_empty_grid_have_nothing(void **state)
{
    (void)state;
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    assert_int_equal(collect_parts(grid, 5, pairs), 0);
    graze_grid_destroy(grid);
}

static void parts_of_an_even_world_are_of_like_work(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("gas"), 1, 4000, &set);
    graze_grid *grid = build(&set, 0);
    graze_grid_cursor all = graze_grid_begin_pairs(grid);
    (void)collect_from(grid, &all, 4096, pairs);
    for (uint32_t part = 0; part < 8; ++part) {
        graze_grid_cursor cursor = graze_grid_begin_pairs_part(grid, part, 8);
        (void)collect_from(grid, &cursor, 4096, pairs);
        assert_in_range(cursor.tested, all.tested / 8 * 3 / 4, all.tested / 8 * 4 / 3);
    }
    graze_grid_destroy(grid);
}

static void nothing_past_the_capacity_is_written(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("gas"), 1, 1000, &set);
    graze_grid *grid = build(&set, 0);
    for (uint32_t capacity = 1; capacity < 80; ++capacity) {
        const graze_pair mark = {0xABCDEF01, 0x23456789};
        graze_pair guarded[81];
        graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
        do {
            guarded[capacity] = mark;
        } while (graze_grid_next_pairs(grid, &cursor, guarded, capacity));
        assert_memory_equal(&guarded[capacity], &mark, sizeof mark);
    }
    graze_grid_destroy(grid);
}

static void a_copied_cursor_goes_on_from_the_same_pair(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("gas-sizes"), 1, 500, &set);
    graze_grid *grid = build(&set, 0);
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    for (;;) {
        graze_grid_cursor copy = cursor;
        graze_pair first[13], second[13];
        const uint32_t count = graze_grid_next_pairs(grid, &cursor, first, 13);
        assert_int_equal(graze_grid_next_pairs(grid, &copy, second, 13), count);
        assert_memory_equal(first, second, count * sizeof first[0]);
        if (count == 0) {
            break;
        }
    }
    graze_grid_destroy(grid);
}

// What a grid keeps from build to build may change places and orders, but not what is found.
static void pairs_after_other_builds_are_those_of_a_fresh_grid(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    graze_grid *used;
    assert_int_equal(graze_grid_create(NULL, &used), GRAZE_OK);
    for (uint32_t round = 0; round < 3 * kind_count; ++round) {
        const box_set_kind *kind = &kinds[round * 7 % kind_count];
        box_set_fill(kind, round, 100 + 20 * (round % 9), &set);
        const graze_grid_items items = items_of(&set);
        for (uint32_t builds = 0; builds < 2; ++builds) {
            assert_int_equal(graze_grid_build(used, &items), GRAZE_OK);
            const uint32_t count = collect(used, 100, pairs);
            name_items(used, pairs, count);
            assert_all_pairs(&set, pairs, count, kind->name);
        }
    }
    graze_grid_destroy(used);
}

static uint32_t build_twice_with(grz_lane_set lanes, const box_set *boxes, graze_pair *into)
{
    graze_grid *grid;
    const graze_grid_items items = items_of(boxes);
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    grz_grid_use_lanes(grid, lanes);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    uint32_t count = collect(grid, 4096, into);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    count += collect(grid, 4096, into + count);
    memcpy(into + count, graze_grid_order(grid), boxes->count * sizeof(uint32_t));
    graze_grid_destroy(grid);
    return count + (boxes->count + 1) / 2;
}

// The widest that the machine can run, and all narrower ones.
static void all_lanes_give_the_same_places_and_pairs_in_the_same_order(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        for (uint64_t seed = 0; seed < 12; ++seed) {
            random_state random = random_seed(seed);
            box_set_fill(&kinds[kind], seed, 2 * (10 + 30 * (uint32_t)seed), &set);
            box_set_hush(&random, 1 + (uint32_t)seed % 3, &set);
            const uint32_t count = build_twice_with(GRZ_SET_SCALAR, &set, pairs);
            for (uint32_t lanes = 1; lanes <= (uint32_t)grz_lanes_choose(); ++lanes) {
                assert_int_equal(build_twice_with((grz_lane_set)lanes, &set, again), count);
                assert_memory_equal(again, pairs, count * sizeof *pairs);
            }
        }
    }
}

static void removed_items_pair_no_more(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        box_set_fill(&kinds[kind], 3, 300, &set);
        graze_grid *grid = build(&set, 0);
        const uint32_t *order = graze_grid_order(grid);
        for (uint32_t place = 0; place < 300; place += 1 + place % 3) {
            graze_grid_remove(grid, place);
            graze_grid_remove(grid, place);
            set.min_x[order[place]] = INFINITY;
            set.max_x[order[place]] = -INFINITY;
        }
        const uint32_t count = collect(grid, 4096, pairs);
        name_items(grid, pairs, count);
        assert_all_pairs(&set, pairs, count, kinds[kind].name);
        graze_grid_destroy(grid);
    }
}

static void an_empty_grid_has_nothing(void **state)
{
    (void)state;
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    const graze_grid_items none = {NULL, NULL, NULL, NULL, NULL, 0};
    for (uint32_t builds = 0; builds < 2; ++builds) {
        assert_int_equal(graze_grid_count(grid), 0);
        assert_null(graze_grid_order(grid));
        assert_int_equal(collect(grid, 10, pairs), 0);
        assert_int_equal(graze_grid_get_stats(grid).class_count, 0);
        assert_int_equal(graze_grid_get_stats(grid).cell_count, 0);
        assert_int_equal(graze_grid_build(grid, &none), GRAZE_OK);
    }
    graze_grid_destroy(grid);
    graze_grid_destroy(NULL);
}

static void columns_need_no_quiet_flags(void **state)
{
    (void)state;
    const float lower[] = {0, 1, 5}, upper[] = {1, 2, 6};
    const graze_grid_items items = {lower, lower, upper, upper, NULL, 3};
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    assert_int_equal(graze_grid_count(grid), 3);
    const uint32_t count = collect(grid, 10, pairs);
    name_items(grid, pairs, count);
    assert_int_equal(count, 1);
    assert_int_equal(pairs[0].a, 0);
    assert_int_equal(pairs[0].b, 1);
    graze_grid_destroy(grid);
}

// Whatever fails must leave the grid with the pairs it had.
static void assert_unchanged(const graze_grid *grid, uint32_t count, uint32_t pair_count)
{
    assert_int_equal(graze_grid_count(grid), count);
    assert_int_equal(collect(grid, 4096, again), pair_count);
    assert_memory_equal(again, pairs, pair_count * sizeof *pairs);
}

static void boxes_not_finite_or_inverted_are_refused_and_nothing_changes(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    box_set_fill(box_set_kind_named("gas"), 1, 100, &set);
    graze_grid *grid = build(&set, 0);
    const uint32_t pair_count = collect(grid, 4096, pairs);
    float *columns[] = {set.min_x, set.min_y, set.max_x, set.max_y};
    for (uint32_t column = 0; column < 4; ++column) {
        const float inverted = column < 2 ? 1e6f : -1e6f;
        for (uint32_t i = 0; i < 4; ++i) {
            for (uint32_t place = 0; place < 100; place += 9) {
                const graze_grid_items items = items_of(&set);
                const float good = columns[column][place];
                columns[column][place] = i < 3 ? bad[i] : inverted;
                assert_int_equal(graze_grid_build(grid, &items), GRAZE_ERROR_ARGUMENT);
                columns[column][place] = good;
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
    graze_grid *grid = build(&set, 0);
    const uint32_t pair_count = collect(grid, 4096, pairs);
    graze_grid_items items = items_of(&set);
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
        graze_grid_items items = items_of(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        const uint32_t pair_count = collect(grid, 4096, pairs);
        box_set_fill(box_set_kind_named("gas"), 4, 3000, &set);
        items = items_of(&set);
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
        const graze_grid_items items = items_of(&set);
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
    assert_true(graze_grid_get_stats(grid).memory_bytes < 37 * 3000 + 16384);
    for (uint32_t count = 1; count <= 3000; count += 999) {
        box_set_fill(box_set_kind_named("gas-sizes"), 4, count, &set);
        const graze_grid_items items = items_of(&set);
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
        graze_grid_items items = items_of(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        for (uint32_t i = 0; i < 60; ++i) {
            graze_grid_notes(grid)[i] = 7 * i;
        }
        box_set_fill(box_set_kind_named("gas"), 4, 3000, &set);
        items = items_of(&set);
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

static void one_giant_does_not_coarsen_the_cells_of_the_dust(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("giant among dust"), 1, 3000, &set);
    graze_grid *grid = build(&set, 0);
    const graze_grid_stats stats = graze_grid_get_stats(grid);
    assert_int_equal(stats.class_count, 2);
    assert_true(stats.smallest_cell < 5);
    assert_true(stats.largest_cell > 80);
    graze_grid_destroy(grid);
}

static void quiet_items_are_never_compared_with_each_other(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        box_set_fill(&kinds[kind], 1, 500, &set);
        memset(set.quiet, 1, sizeof set.quiet);
        graze_grid *grid = build(&set, 0);
        graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
        assert_int_equal(graze_grid_next_pairs(grid, &cursor, pairs, 10), 0);
        assert_int_equal(cursor.tested, 0);
        graze_grid_destroy(grid);
    }
}

// Counts, not clocks: how many boxes are compared for each item of the set.
static void check_compared(const char *what)
{
    graze_grid *grid = build(&set, 0);
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    uint64_t total = 0;
    for (uint32_t count = 1; count;) {
        count = graze_grid_next_pairs(grid, &cursor, pairs, PAIR_CAPACITY);
        total += count;
    }
    if (cursor.tested > 12 * total + 40 * (uint64_t)set.count) {
        fail_msg("%s: %llu boxes compared for %llu pairs", what, (unsigned long long)cursor.tested,
                 (unsigned long long)total);
    }
    graze_grid_destroy(grid);
}

static void uneven_worlds_compare_few_boxes_more_than_they_must(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        box_set_fill(&kinds[kind], 1, 3000, &set);
        check_compared(kinds[kind].name);
    }
}

static void quiet_mixes_compare_few_boxes_more_than_they_must(void **state)
{
    (void)state;
    static const uint32_t one_in[] = {2, 4, 5, 10, 40};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        for (uint32_t i = 0; i < sizeof one_in / sizeof one_in[0]; ++i) {
            char what[100];
            random_state random = random_seed(i);
            snprintf(what, sizeof what, "%s, one loud in %u", kinds[kind].name, one_in[i]);
            box_set_fill(&kinds[kind], 1, 3000, &set);
            box_set_hush(&random, one_in[i], &set);
            check_compared(what);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_equal_brute_force_for_all_kinds_and_cell_sizes),
        cmocka_unit_test(pairs_of_quiet_mixes_equal_brute_force),
        cmocka_unit_test(few_items_pair_as_many_do),
        cmocka_unit_test(thousands_of_items_equal_brute_force),
        cmocka_unit_test(capacities_change_neither_pairs_nor_their_order),
        cmocka_unit_test(parts_end_to_end_are_all_pairs_in_order),
        cmocka_unit_test(parts_of_an_empty_grid_have_nothing),
        cmocka_unit_test(parts_of_an_even_world_are_of_like_work),
        cmocka_unit_test(nothing_past_the_capacity_is_written),
        cmocka_unit_test(a_copied_cursor_goes_on_from_the_same_pair),
        cmocka_unit_test(pairs_after_other_builds_are_those_of_a_fresh_grid),
        cmocka_unit_test(all_lanes_give_the_same_places_and_pairs_in_the_same_order),
        cmocka_unit_test(removed_items_pair_no_more),
        cmocka_unit_test(an_empty_grid_has_nothing),
        cmocka_unit_test(columns_need_no_quiet_flags),
        cmocka_unit_test(boxes_not_finite_or_inverted_are_refused_and_nothing_changes),
        cmocka_unit_test(too_many_items_are_refused_and_nothing_changes),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(every_failed_allocation_leaves_the_grid_as_it_was),
        cmocka_unit_test(builds_of_the_same_count_allocate_nothing),
        cmocka_unit_test(what_is_reserved_is_all_that_builds_need),
        cmocka_unit_test(notes_outlive_a_build_that_finds_no_memory),
        cmocka_unit_test(one_giant_does_not_coarsen_the_cells_of_the_dust),
        cmocka_unit_test(quiet_items_are_never_compared_with_each_other),
        cmocka_unit_test(uneven_worlds_compare_few_boxes_more_than_they_must),
        cmocka_unit_test(quiet_mixes_compare_few_boxes_more_than_they_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
