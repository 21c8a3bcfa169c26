// The pairs of a grid, against comparing all boxes with all.

#include <graze/grid.h>

#include "grid_kit.h"
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
enum { SIDE_COUNT = sizeof sides / sizeof sides[0] };

static box_set set;
static graze_pair pairs[GRID_KIT_PAIRS];
static graze_pair again[GRID_KIT_PAIRS];
static uint8_t found[BOX_SET_CAPACITY];

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
    graze_grid *grid = grid_kit_build(boxes, side);
    assert_order_is_a_permutation(grid, boxes->count);
    const uint32_t count = grid_kit_collect(grid, 4096, pairs);
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

static void capacities_change_neither_pairs_nor_order_nor_cost(void **state)
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
            graze_grid *grid = grid_kit_build(&set, sides[side]);
            graze_grid_cursor all = graze_grid_begin_pairs(grid);
            const uint32_t count = grid_kit_collect_from(grid, &all, 4096, pairs);
            for (uint32_t i = 0; i < 6; ++i) {
                graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
                assert_int_equal(grid_kit_collect_from(grid, &cursor, capacities[i], again), count);
                assert_memory_equal(again, pairs, count * sizeof *pairs);
                assert_int_equal(cursor.tested, all.tested);
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
        total += grid_kit_collect_from(grid, &cursor, 64, into + total);
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
            graze_grid *grid = grid_kit_build(&set, 0);
            const uint32_t count = grid_kit_collect(grid, 4096, pairs);
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
    graze_grid *grid = grid_kit_build(&set, 0);
    graze_grid_cursor all = graze_grid_begin_pairs(grid);
    (void)grid_kit_collect_from(grid, &all, 4096, pairs);
    for (uint32_t part = 0; part < 8; ++part) {
        graze_grid_cursor cursor = graze_grid_begin_pairs_part(grid, part, 8);
        (void)grid_kit_collect_from(grid, &cursor, 4096, pairs);
        assert_in_range(cursor.tested, all.tested / 8 * 3 / 4, all.tested / 8 * 4 / 3);
    }
    graze_grid_destroy(grid);
}

static void assert_nothing_is_written_past(const graze_grid *grid, uint32_t capacity)
{
    enum { PAST = 32 }; // As many as any lanes store at a time.
    graze_pair guarded[80 + PAST], marks[PAST];
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    memset(marks, 0xAB, sizeof marks);
    memcpy(guarded + capacity, marks, sizeof marks);
    while (graze_grid_next_pairs(grid, &cursor, guarded, capacity)) {
        assert_memory_equal(guarded + capacity, marks, sizeof marks);
    }
}

// Clumps of boxes that all overlap, some in two rows of cells: nearly all boxes that lanes compare
// are found.
static void fill_clumps(random_state *random, uint32_t size, box_set *clumps)
{
    box_set_fill(box_set_kind_named("gas"), size, 1000, clumps);
    for (uint32_t i = 0; i < clumps->count; ++i) {
        const uint32_t first = i - i % size;
        const float x = clumps->box[first].lower.x + random_float(random, 0, 0.1f);
        const float y = clumps->box[first].lower.y + random_float(random, 0, 0.1f);
        clumps->box[i].lower.x = x;
        clumps->box[i].lower.y = y;
        clumps->box[i].upper.x = x + 1;
        clumps->box[i].upper.y = y + 1;
    }
}

static void nothing_past_the_capacity_is_written(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (uint32_t size = 1; size < 24; size += 2) {
        fill_clumps(&random, size, &set);
        graze_grid *grid = grid_kit_build(&set, 1.5);
        for (uint32_t capacity = 1; capacity < 80; ++capacity) {
            assert_nothing_is_written_past(grid, capacity);
        }
        graze_grid_destroy(grid);
    }
}

static void a_copied_cursor_goes_on_from_the_same_pair(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("gas-sizes"), 1, 500, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
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

// A grid that keeps things from build to build may order items otherwise, but finds the same.
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
        const graze_grid_items items = box_set_items(&set);
        for (uint32_t builds = 0; builds < 2; ++builds) {
            assert_int_equal(graze_grid_build(used, &items), GRAZE_OK);
            const uint32_t count = grid_kit_collect(used, 100, pairs);
            name_items(used, pairs, count);
            assert_all_pairs(&set, pairs, count, kind->name);
        }
    }
    graze_grid_destroy(used);
}

static uint32_t build_twice_with(grz_lane_set lanes, const box_set *boxes, graze_pair *into)
{
    graze_grid *grid;
    const graze_grid_items items = box_set_items(boxes);
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    grz_grid_use_lanes(grid, lanes);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    uint32_t count = grid_kit_collect(grid, 4096, into);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    count += grid_kit_collect(grid, 4096, into + count);
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
        graze_grid *grid = grid_kit_build(&set, 0);
        const uint32_t *order = graze_grid_order(grid);
        for (uint32_t place = 0; place < 300; place += 1 + place % 3) {
            graze_grid_remove(grid, place);
            graze_grid_remove(grid, place);
            set.box[order[place]].lower.x = INFINITY;
            set.box[order[place]].upper.x = -INFINITY;
        }
        const uint32_t count = grid_kit_collect(grid, 4096, pairs);
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
    const graze_grid_items none = {.count = 0};
    for (uint32_t builds = 0; builds < 2; ++builds) {
        assert_int_equal(graze_grid_count(grid), 0);
        assert_null(graze_grid_order(grid));
        assert_int_equal(grid_kit_collect(grid, 10, pairs), 0);
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
    const graze_aabb boxes[] = {{{0, 0}, {1, 1}}, {{1, 1}, {2, 2}}, {{5, 5}, {6, 6}}};
    const graze_grid_items items = {.boxes = boxes, .count = 3};
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    assert_int_equal(graze_grid_count(grid), 3);
    const uint32_t count = grid_kit_collect(grid, 10, pairs);
    name_items(grid, pairs, count);
    assert_int_equal(count, 1);
    assert_int_equal(pairs[0].a, 0);
    assert_int_equal(pairs[0].b, 1);
    graze_grid_destroy(grid);
}

static void one_giant_does_not_coarsen_the_cells_of_the_dust(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("giant among dust"), 1, 3000, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
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
        graze_grid *grid = grid_kit_build(&set, 0);
        graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
        assert_int_equal(graze_grid_next_pairs(grid, &cursor, pairs, 10), 0);
        assert_int_equal(cursor.tested, 0);
        graze_grid_destroy(grid);
    }
}

// Returns how many boxes are compared for each item of the set: counts, not times.
static void check_compared(const char *what)
{
    graze_grid *grid = grid_kit_build(&set, 0);
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    uint64_t total = 0;
    for (uint32_t count = 1; count;) {
        count = graze_grid_next_pairs(grid, &cursor, pairs, GRID_KIT_PAIRS);
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
        cmocka_unit_test(capacities_change_neither_pairs_nor_order_nor_cost),
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
        cmocka_unit_test(one_giant_does_not_coarsen_the_cells_of_the_dust),
        cmocka_unit_test(quiet_items_are_never_compared_with_each_other),
        cmocka_unit_test(uneven_worlds_compare_few_boxes_more_than_they_must),
        cmocka_unit_test(quiet_mixes_compare_few_boxes_more_than_they_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
