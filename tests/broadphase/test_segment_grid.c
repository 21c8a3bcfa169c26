#include "segment_kit.h"

#include "failing_allocator.h"

#include <math.h>
#include <string.h>

// --- Bounds ---

static void a_segment_has_few_copies_however_long_it_is(void **state)
{
    (void)state;
    random_state random = random_seed(4);
    for (size_t i = 0; i < KIT_SCENE_MAKERS; ++i) {
        graze_segment_grid grid;
        kit_scene_makers[i](&random);
        kit_place_scene(&kit_placements[i % 5]);
        kit_fill_grid(&grid);
        const graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
        assert_int_equal(stats.segment_count, kit_model.segment_count);
        assert_in_range(stats.copy_count, stats.segment_count, 10 * stats.segment_count);
        assert_in_range(stats.used_count, 1, stats.copy_count);
        assert_in_range(stats.memory_bytes, 1, 4000 + 600 * (uint64_t)stats.segment_count + 30000);
        graze_segment_grid_free(&grid);
    }
}

static void a_segment_alone_has_at_most_27_copies(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    for (int i = 0; i < 2000; ++i) {
        graze_segment_grid grid;
        assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
        const float extent = ldexpf(1, (int)random_below(&random, 60) - 30);
        const graze_vec2 ends[] = {
            {random_float(&random, -extent, extent), random_float(&random, -extent, extent)},
            {random_float(&random, -extent, extent), random_float(&random, -extent, extent)}};
        const graze_polyline alone = {ends, 2, false};
        assert_int_equal(graze_segment_grid_add(&grid, 1, alone), GRAZE_OK);
        assert_in_range(graze_segment_grid_get_stats(&grid).copy_count, 1, 27);
        graze_segment_grid_free(&grid);
    }
}

// --- Editing ---

static void lines_of_no_segments_change_nothing(void **state)
{
    (void)state;
    const graze_vec2 alone = {1.0f, 2.0f};
    const graze_polyline lines[] = {{NULL, 0, false}, {NULL, 0, true}, {&alone, 1, false}};
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(graze_segment_grid_add(&grid, 1, lines[i]), GRAZE_OK);
        graze_segment_grid_remove(&grid, 1, lines[i]);
        assert_int_equal(graze_segment_grid_count(&grid), 0);
    }
    const graze_aabb box = {{-9.0f, -9.0f}, {9.0f, 9.0f}};
    assert_int_equal(kit_note_walk(graze_segment_grid_walk_box(&grid, box), 1.0).spans, 0);
    graze_segment_grid_free(&grid);
}

static void coordinates_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    for (int i = 0; i < 6; ++i) {
        graze_vec2 points[3] = {{0.0f, 0.0f}, {1.0f, 1.0f}, {2.0f, 0.0f}};
        *(i % 2 ? &points[2].x : &points[1].y) = bad[i / 2];
        const graze_polyline damaged = {points, 3, false};
        assert_int_equal(graze_segment_grid_add(&grid, 1, damaged), GRAZE_ERROR_ARGUMENT);
        const graze_polyline alone = {&points[i % 2 ? 2 : 1], 1, false}; // Of no segments.
        assert_int_equal(graze_segment_grid_add(&grid, 1, alone), GRAZE_ERROR_ARGUMENT);
        graze_segment_grid_remove(&grid, 1, damaged);
        assert_int_equal(graze_segment_grid_count(&grid), 0);
    }
    graze_segment_grid_free(&grid);
}

static void removing_what_is_not_there_changes_nothing(void **state)
{
    (void)state;
    random_state random = random_seed(7);
    graze_segment_grid grid;
    kit_make_wavy_lines(&random);
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    const graze_vec2 far[2] = {{-1e9f, 0.0f}, {1e9f, 5.0f}};
    const graze_polyline stranger = {far, 2, false};
    graze_segment_grid_remove(&grid, 1, stranger);
    graze_segment_grid_remove(&grid, 3, kit_placed_line(0));
    assert_int_equal(graze_segment_grid_count(&grid), kit_model.segment_count);
    kit_check_random_queries(&grid, &kit_placements[0], &random, 50);
    graze_segment_grid_free(&grid);
}

static void a_line_added_twice_is_there_twice(void **state)
{
    (void)state;
    random_state random = random_seed(8);
    graze_segment_grid grid;
    kit_make_wavy_lines(&random);
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    assert_int_equal(kit_add_line(&grid, 0), GRAZE_OK);
    kit_remove_line(&grid, 0);
    assert_int_equal(graze_segment_grid_count(&grid), kit_model.segment_count);
    kit_check_random_queries(&grid, &kit_placements[0], &random, 50);
    graze_segment_grid_free(&grid);
}

// An edited grid holds the lines of `kept`, all that touches and none of the others.
static void check_edited_grid(const graze_segment_grid *grid, const bool *kept,
                              random_state *random)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < kit_model.line_count; ++i) {
        const line *edited = &kit_model.lines[i];
        expected += (kept[i] ? edited->count - !edited->loop : 0);
    }
    assert_int_equal(graze_segment_grid_count(grid), expected);
    const point from = kit_random_point(random);
    const point to = kit_random_end(random, from);
    kit_note_walk(graze_segment_grid_walk_ray(grid, kit_place_point(&kit_placements[0], from),
                                              kit_place_point(&kit_placements[0], to)),
                  1.0);
    for (uint32_t i = 0; i < kit_model.line_count; ++i) {
        const line *edited = &kit_model.lines[i];
        for (uint32_t k = 0; k < edited->count - !edited->loop; ++k) {
            const uint32_t n = edited->first_segment + k;
            const bool met = (kit_model.met[n] == kit_query_number);
            assert_true(kept[i] || !met);
            assert_true(!kept[i] || met ||
                        !kit_segments_touch(kit_model.a[n], kit_model.b[n], from, to));
        }
    }
}

static void edit_at_random(kit_make_scene *make, uint64_t seed)
{
    static bool kept[MAX_SEGMENTS];
    random_state random = random_seed(seed);
    graze_segment_grid grid;
    make(&random);
    kit_place_scene(&kit_placements[0]);
    memset(kept, 0, sizeof kept);
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    for (int step = 0; step < 3000; ++step) {
        const bool filling = (step / 500 % 2 == 0);
        const uint32_t i = random_below(&random, kit_model.line_count);
        if (!kept[i] && (filling || random_below(&random, 8) == 0)) {
            assert_int_equal(kit_add_line(&grid, i), GRAZE_OK);
            kept[i] = true;
        } else if (kept[i] && (!filling || random_below(&random, 8) == 0)) {
            kit_remove_line(&grid, i);
            kept[i] = false;
        }
        if (step % 16 == 0) {
            check_edited_grid(&grid, kept, &random);
        }
    }
    graze_segment_grid_free(&grid);
}

static void an_edited_grid_holds_what_a_list_would(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIT_SCENE_MAKERS; ++i) {
        edit_at_random(kit_scene_makers[i], 100 + i);
    }
}

// Later lines are too long, too short and too many for the levels planned before.
static void a_grid_follows_what_is_stored(void **state)
{
    (void)state;
    random_state random = random_seed(9);
    graze_segment_grid grid;
    kit_begin_scene("changing lengths", -4096, 4096);
    for (int i = 0; i < 3000; ++i) {
        const int length = (i / 500 % 2 == 0 ? 1 : 1000 * (i / 500));
        const int x = random_integer(&random, -4096, 4096);
        const int y = random_integer(&random, -4096, 4096);
        kit_add_segment(x, y, x + length, y - 1);
    }
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    kit_check_random_queries(&grid, &kit_placements[0], &random, 200);
    const graze_segment_grid_stats full = graze_segment_grid_get_stats(&grid);
    assert_in_range(full.level_count, 2, 4);
    assert_true(full.copy_count < 16 * full.used_count);
    for (uint32_t i = 10; i < kit_model.line_count; ++i) {
        kit_remove_line(&grid, i);
    }
    assert_int_equal(kit_add_line(&grid, 10), GRAZE_OK);
    assert_true(graze_segment_grid_get_stats(&grid).memory_bytes < full.memory_bytes / 4);
    graze_segment_grid_free(&grid);
}

static void short_segments_among_long_ones_get_cells_of_their_own(void **state)
{
    (void)state;
    graze_segment_grid grid;
    kit_begin_scene("short among long", -100, 100);
    for (int64_t i = 0; i < 100; ++i) {
        kit_add_segment(-8000, 160 * i - 8000, 8000, 160 * i - 8000);
    }
    kit_begin_line(false);
    for (int64_t i = 0; i < 90; ++i) {
        kit_add_point(i, i % 3);
    }
    kit_end_line();
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    const graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
    assert_int_equal(stats.level_count, 2);
    const graze_aabb box = {{40.0f, 0.0f}, {44.0f, 4.0f}};
    graze_segment_walk walk = graze_segment_grid_walk_box(&grid, box);
    graze_segment_span span;
    uint32_t met = 0;
    while (graze_segment_walk_next(&walk, 1.0, &span)) {
        met += span.count;
    }
    assert_in_range(met, 4, 40);
    graze_segment_grid_free(&grid);
}

static void editing_for_ever_does_not_grow_the_grid(void **state)
{
    (void)state;
    random_state random = random_seed(12);
    graze_segment_grid grid;
    kit_make_one_heap(&random);
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    for (uint32_t round = 0; round < 100; ++round) {
        const uint64_t bytes = graze_segment_grid_get_stats(&grid).memory_bytes;
        for (uint32_t i = round % 2; i < kit_model.line_count; i += 2) {
            kit_remove_line(&grid, i);
        }
        for (uint32_t i = round % 2; i < kit_model.line_count; i += 2) {
            assert_int_equal(kit_add_line(&grid, i), GRAZE_OK);
        }
        assert_int_equal(graze_segment_grid_get_stats(&grid).memory_bytes, bytes);
    }
    graze_segment_grid_free(&grid);
}

// --- Memory ---

static failing_allocator memory;

static void add_line_with_every_failure(graze_segment_grid *grid, uint32_t index, bool *kept,
                                        random_state *random)
{
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status = kit_add_line(grid, index);
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, GRAZE_OK);
            kept[index] = true;
            return;
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        check_edited_grid(grid, kept, random);
    }
}

static void a_failed_allocation_leaves_the_grid_as_it_was(void **state)
{
    (void)state;
    static bool kept[MAX_SEGMENTS];
    random_state random = random_seed(10);
    for (size_t i = 0; i < KIT_SCENE_MAKERS; ++i) {
        graze_segment_grid grid;
        memset(&memory, 0, sizeof memory);
        memset(kept, 0, sizeof kept);
        const graze_allocator allocator = failing_allocator_interface(&memory);
        assert_int_equal(graze_segment_grid_init(&grid, &allocator), GRAZE_OK);
        kit_scene_makers[i](&random);
        kit_place_scene(&kit_placements[0]);
        for (uint32_t k = 0; k < kit_model.line_count; ++k) {
            add_line_with_every_failure(&grid, k, kept, &random);
        }
        check_edited_grid(&grid, kept, &random);
        graze_segment_grid_free(&grid);
        failing_allocator_assert_empty(&memory);
    }
}

static void walking_and_removing_allocate_nothing(void **state)
{
    (void)state;
    random_state random = random_seed(11);
    graze_segment_grid grid;
    memset(&memory, 0, sizeof memory);
    const graze_allocator allocator = failing_allocator_interface(&memory);
    assert_int_equal(graze_segment_grid_init(&grid, &allocator), GRAZE_OK);
    assert_int_equal(memory.calls, 0);
    kit_make_all_lengths(&random);
    kit_place_scene(&kit_placements[0]);
    for (uint32_t i = 0; i < kit_model.line_count; ++i) {
        assert_int_equal(kit_add_line(&grid, i), GRAZE_OK);
    }
    const size_t calls = memory.calls;
    kit_check_random_queries(&grid, &kit_placements[0], &random, 50);
    for (uint32_t i = 0; i < kit_model.line_count; ++i) {
        kit_remove_line(&grid, i);
    }
    assert_int_equal(memory.calls, calls);
    graze_segment_grid_free(&grid);
    failing_allocator_assert_empty(&memory);
}

static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    graze_allocator half = failing_allocator_interface(&memory);
    half.release = NULL;
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, &half), GRAZE_ERROR_ARGUMENT);
}

static void a_zeroed_or_freed_grid_is_an_empty_one(void **state)
{
    (void)state;
    graze_segment_grid grid;
    memset(&grid, 0, sizeof grid);
    graze_segment_grid_free(&grid);
    const graze_vec2 points[2] = {{0.0f, 0.0f}, {1.0f, 1.0f}};
    const graze_polyline one = {points, 2, false};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(graze_segment_grid_count(&grid), 0);
        assert_int_equal(graze_segment_grid_add(&grid, 1, one), GRAZE_OK);
        assert_int_equal(graze_segment_grid_count(&grid), 1);
        graze_segment_grid_free(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_has_few_copies_however_long_it_is),
        cmocka_unit_test(a_segment_alone_has_at_most_27_copies),
        cmocka_unit_test(lines_of_no_segments_change_nothing),
        cmocka_unit_test(coordinates_that_are_not_finite_are_refused),
        cmocka_unit_test(removing_what_is_not_there_changes_nothing),
        cmocka_unit_test(a_line_added_twice_is_there_twice),
        cmocka_unit_test(an_edited_grid_holds_what_a_list_would),
        cmocka_unit_test(a_grid_follows_what_is_stored),
        cmocka_unit_test(short_segments_among_long_ones_get_cells_of_their_own),
        cmocka_unit_test(editing_for_ever_does_not_grow_the_grid),
        cmocka_unit_test(a_failed_allocation_leaves_the_grid_as_it_was),
        cmocka_unit_test(walking_and_removing_allocate_nothing),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(a_zeroed_or_freed_grid_is_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
