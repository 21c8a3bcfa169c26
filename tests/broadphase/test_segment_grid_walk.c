#include "segment_kit.h"

#include <float.h>
#include <math.h>

static void walks_meet_every_segment_that_touches(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (size_t i = 0; i < KIT_SCENE_MAKERS; ++i) {
        kit_scene_makers[i](&random);
        for (size_t k = 0; k < KIT_PLACEMENTS; ++k) {
            graze_segment_grid grid;
            kit_place_scene(&kit_placements[k]);
            kit_fill_grid(&grid);
            kit_check_random_queries(&grid, &kit_placements[k], &random, 400);
            graze_segment_grid_free(&grid);
        }
    }
}

static void a_grid_of_few_segments_misses_none_either(void **state)
{
    (void)state;
    random_state random = random_seed(2);
    for (int round = 0; round < 1000; ++round) {
        graze_segment_grid grid;
        kit_begin_scene("few", -32, 32);
        for (int i = random_integer(&random, 1, 6); i > 0; --i) {
            const point a = {kit_random_coordinate(&random), kit_random_coordinate(&random)};
            const point b = kit_random_end(&random, a);
            kit_add_segment(a.x, a.y, b.x, b.y);
        }
        const placement *where = &kit_placements[random_below(&random, 5)];
        kit_place_scene(where);
        kit_fill_grid(&grid);
        kit_check_random_queries(&grid, where, &random, 20);
        graze_segment_grid_free(&grid);
    }
}

// All moves between corners of cells, among segments on the cells' borders and corners.
static void moves_along_and_across_cell_borders_miss_nothing(void **state)
{
    (void)state;
    graze_segment_grid grid;
    kit_begin_scene("borders", 0, 16);
    for (int64_t i = 0; i < 64; ++i) {
        kit_add_segment(i % 8 * 2, i / 8 * 2, i % 8 * 2 + 2, i / 8 * 2);
        kit_add_segment(i % 8 * 2, i / 8 * 2, i % 8 * 2, i / 8 * 2 + 2);
        kit_add_segment(i % 8 * 2, i / 8 * 2, i % 8 * 2, i / 8 * 2);
    }
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    for (int64_t from = 0; from < 49; ++from) {
        for (int64_t to = 0; to < 49; ++to) {
            const point p = {from % 7 * 2, from / 7 * 2};
            const point q = {to % 7 * 2, to / 7 * 2};
            kit_check_ray(&grid, &kit_placements[0], p, q, TIME_STEPS);
            kit_check_ray(&grid, &kit_placements[0], p, q, 5);
            kit_check_box(&grid, &kit_placements[0], p, q);
        }
    }
    graze_segment_grid_free(&grid);
}

// --- Limits ---

static double time_of_hit(point from, point to, point a, point b)
{
    const double dx = (double)(to.x - from.x);
    const double dy = (double)(to.y - from.y);
    const double ex = (double)(b.x - a.x);
    const double ey = (double)(b.y - a.y);
    const double divisor = dx * ey - dy * ex;
    if (divisor == 0.0 || !kit_segments_touch(from, to, a, b)) {
        return 2.0;
    }
    return ((double)(a.x - from.x) * ey - (double)(a.y - from.y) * ex) / divisor;
}

static double find_first_hit(const graze_segment_grid *grid, point from, point to)
{
    const placement *where = &kit_placements[0];
    graze_segment_walk walk =
        graze_segment_grid_walk_ray(grid, kit_place_point(where, from), kit_place_point(where, to));
    graze_segment_span span;
    double best = 1.0;
    while (graze_segment_walk_next(&walk, best, &span)) {
        for (uint32_t i = 0; i < span.count; ++i) {
            const line *met = &kit_model.lines[span.names[i].owner - OWNER_SALT];
            const uint32_t segment = met->first_segment + span.names[i].item;
            best = fmin(best, time_of_hit(from, to, kit_model.a[segment], kit_model.b[segment]));
        }
    }
    return best;
}

static double first_hit_of_all(point from, point to)
{
    double best = 1.0;
    for (uint32_t i = 0; i < kit_model.segment_count; ++i) {
        best = fmin(best, time_of_hit(from, to, kit_model.a[i], kit_model.b[i]));
    }
    return best;
}

static void a_falling_limit_keeps_the_first_hit(void **state)
{
    (void)state;
    random_state random = random_seed(3);
    for (size_t i = 0; i < KIT_SCENE_MAKERS; ++i) {
        graze_segment_grid grid;
        kit_scene_makers[i](&random);
        kit_place_scene(&kit_placements[0]);
        kit_fill_grid(&grid);
        for (int n = 0; n < 200; ++n) {
            const point from = kit_random_point(&random);
            const point to = kit_random_end(&random, from);
            const double found = find_first_hit(&grid, from, to);
            const double expected = first_hit_of_all(from, to);
            if (fabs(found - expected) > 1e-14) {
                fail_msg("%s: found %.17g, is %.17g", kit_model.name, found, expected);
            }
        }
        graze_segment_grid_free(&grid);
    }
}

static void a_small_limit_ends_a_long_walk_early(void **state)
{
    (void)state;
    graze_segment_grid grid;
    kit_begin_scene("a field", 0, 4000);
    for (int64_t i = 0; i < 2500; ++i) {
        kit_add_segment(i % 50 * 80, i / 50 * 80, i % 50 * 80 + 60, i / 50 * 80 + 60);
    }
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    const graze_vec2 from = {1.0f, 2.0f};
    const graze_vec2 to = {3999.0f, 3000.0f};
    const graze_segment_walk walk = graze_segment_grid_walk_ray(&grid, from, to);
    const uint64_t all = kit_note_walk(walk, 1.0).spans;
    assert_in_range(all, 30, 300);
    assert_in_range(kit_note_walk(walk, 0.1).spans, 1, all / 5);
    assert_in_range(kit_note_walk(walk, 0.0).spans, 0, 4);
    graze_segment_grid_free(&grid);
}

static void a_walk_is_never_longer_than_the_grid(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    const graze_vec2 ends[] = {{-FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX}, {FLT_MAX, 1e30f}};
    for (size_t i = 0; i < KIT_SCENE_MAKERS; ++i) {
        graze_segment_grid grid;
        kit_scene_makers[i](&random);
        kit_place_scene(&kit_placements[0]);
        kit_fill_grid(&grid);
        const graze_aabb all = {ends[0], ends[1]};
        const graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
        const kit_walk box = kit_note_walk(graze_segment_grid_walk_box(&grid, all), 1.0);
        assert_int_equal(box.segments, stats.copy_count);
        for (uint32_t n = 0; n < kit_model.segment_count; ++n) {
            assert_int_equal(kit_model.met[n], kit_query_number);
        }
        for (int k = 1; k < 3; ++k) {
            const kit_walk walk =
                kit_note_walk(graze_segment_grid_walk_ray(&grid, ends[0], ends[k]), 1.0);
            assert_in_range(walk.segments, 0, stats.copy_count);
        }
        graze_segment_grid_free(&grid);
    }
}

static void segments_of_any_finite_size_are_found(void **state)
{
    (void)state;
    const graze_vec2 points[] = {{-FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX},  {0.0f, -0.0f},
                                 {1e-45f, -1e-45f},    {1.0f, 1.0f},        {1e30f, 1.0f},
                                 {1e30f, 2.0f},        {-1e-38f, FLT_MIN},  {16777216.0f, 0.5f},
                                 {-FLT_MAX, FLT_MAX},  {FLT_MAX, -FLT_MAX}, {FLT_MAX, 0.0f}};
    const uint32_t count = sizeof points / sizeof *points;
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    const graze_polyline all = {points, count, true};
    assert_int_equal(graze_segment_grid_add(&grid, 7, all), GRAZE_OK);
    for (uint32_t i = 0; i < count; ++i) {
        bool found[2] = {false, false};
        const graze_aabb box = {points[i], points[i]};
        graze_segment_walk walks[2] = {graze_segment_grid_walk_box(&grid, box),
                                       graze_segment_grid_walk_ray(&grid, points[i], points[i])};
        graze_segment_span span;
        for (int k = 0; k < 2; ++k) {
            while (graze_segment_walk_next(&walks[k], 1.0, &span)) {
                for (uint32_t n = 0; n < span.count; ++n) {
                    found[k] = found[k] || span.names[n].item == i;
                }
            }
            assert_true(found[k]);
        }
    }
    graze_segment_grid_remove(&grid, 7, all);
    assert_int_equal(graze_segment_grid_count(&grid), 0);
    assert_int_equal(graze_segment_grid_get_stats(&grid).copy_count, 0);
    graze_segment_grid_free(&grid);
}

static void moves_searched_together_find_what_each_finds_alone(void **state)
{
    (void)state;
    enum { MOVES = 1000 };
    static graze_vec2 from[MOVES], to[MOVES];
    static uint8_t searched[MOVES];
    random_state random = random_seed(77);
    graze_segment_grid grid;
    kit_make_wavy_lines(&random);
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    for (int i = 0; i < MOVES; ++i) {
        const int reach = i % 10 ? 300 : 4000;
        const point start = kit_random_point(&random);
        const point end = {start.x + random_integer(&random, -reach, reach),
                           start.y + random_integer(&random, -reach, reach)};
        from[i] = kit_place_point(&kit_placements[0], start);
        to[i] = kit_place_point(&kit_placements[0], end);
    }
    static uint64_t together[MOVES];
    find_log log = {from, to, 0, together};
    graze_segment_grid_find(&grid, from, to, MOVES, searched, kit_note_finds, &log);
    assert_true(log.count > GRAZE_SEGMENT_FINDS);
    for (int i = 0; i < MOVES; ++i) {
        uint64_t alone = 0;
        uint8_t searched_alone;
        find_log one = {&from[i], &to[i], 0, &alone};
        graze_segment_grid_find(&grid, &from[i], &to[i], 1, &searched_alone, kit_note_finds, &one);
        if (searched[i] != GRAZE_SEGMENT_SEARCH_NONE) { // There was room for its cells.
            assert_int_equal(searched[i], searched_alone);
            assert_true(alone == together[i]);
        }
    }
    graze_segment_grid_free(&grid);
    log.count = 0;
    graze_segment_grid_find(&grid, from, to, MOVES, searched, kit_note_finds, &log);
    assert_int_equal(log.count + searched[0] + searched[MOVES - 1], 0);
}

static uint32_t count_finds(const graze_segment_grid *grid, float ax, float ay, float bx, float by,
                            uint8_t expected)
{
    const graze_vec2 from = {ax, ay};
    const graze_vec2 to = {bx, by};
    uint8_t searched;
    const uint32_t count = kit_note_find(grid, from, to, &searched);
    assert_int_equal(searched, expected);
    return count;
}

// Small segments on a lattice of spacing 4, a long one through all, and a heap in one cell.
static void a_search_costs_no_more_than_the_cells_around_the_move_hold(void **state)
{
    (void)state;
    enum { HEAP = 500 };
    graze_segment_grid grid;
    kit_begin_scene("a trap", 0, 160);
    kit_add_segment(-1000000, 0, 1000000, 3);
    for (int i = 0; i < 1600; ++i) {
        kit_add_segment(i % 40 * 4, i / 40 * 4, i % 40 * 4 + 1, i / 40 * 4 + 1);
    }
    for (int i = 0; i < HEAP; ++i) {
        kit_add_segment(401, 401, 402, 402);
    }
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    // Far from the heap: a handful. In it: each once in each cell.
    assert_in_range(count_finds(&grid, 80.5f, 80.5f, 82, 82, GRAZE_SEGMENT_SEARCH_BOX), 1, 16);
    assert_in_range(count_finds(&grid, 401, 402, 402, 401, GRAZE_SEGMENT_SEARCH_BOX), HEAP,
                    4 * HEAP);
    // Along the border of cells, whatever their side is, as if beside it.
    for (float x = 16; x <= 144; x += 16) {
        assert_in_range(count_finds(&grid, x, 17, x, 18.5f, GRAZE_SEGMENT_SEARCH_BOX), 0, 16);
        assert_in_range(count_finds(&grid, x, 16, x, 20, GRAZE_SEGMENT_SEARCH_BOX), 2, 16);
    }
    // A long way is not searched here: a walk stops at what it finds.
    assert_in_range(count_finds(&grid, -5e5f, 80, 5e5f, 81, GRAZE_SEGMENT_SEARCH_NONE), 0, 16);
    graze_segment_grid_free(&grid);
}

static uint64_t count_spans(graze_segment_walk walk)
{
    graze_segment_span span;
    uint64_t count = 0;
    while (graze_segment_walk_next(&walk, 1.0, &span)) {
        ++count;
    }
    return count;
}

// Walls so far out that they lie in the outermost column of cells, which has no end: a move out
// there passes any number of its rows.
static void moves_beyond_the_outermost_cells_are_not_longer_than_the_grid(void **state)
{
    (void)state;
    enum { WALLS = 800, MOVES = 64 };
    static graze_vec2 near[WALLS + 1], far[WALLS + 1];
    for (int i = 0; i <= WALLS; ++i) {
        near[i] = far[i] = (graze_vec2){0, (float)i};
        far[i].x = 0x1p60f;
    }
    graze_segment_grid grid;
    graze_segment_grid_init(&grid, NULL);
    const graze_polyline lines[] = {{near, WALLS + 1, false}, {far, WALLS + 1, false}};
    assert_int_equal(graze_segment_grid_add(&grid, 0, lines[0]), GRAZE_OK);
    assert_int_equal(graze_segment_grid_add(&grid, 1, lines[1]), GRAZE_OK);
    const uint64_t cells = graze_segment_grid_get_stats(&grid).cell_count;
    for (int start = 40; start < 61; ++start) {
        graze_vec2 from[MOVES], to[MOVES];
        uint8_t searched[MOVES];
        for (int i = 0; i < MOVES; ++i) {
            const graze_vec2 a = {ldexpf(1, start), (float)i}, b = {0x1p61f, (float)(WALLS - i)};
            from[i] = i % 2 ? a : b;
            to[i] = i % 2 ? b : a;
            assert_in_range(count_spans(graze_segment_grid_walk_ray(&grid, a, b)), 0, cells);
        }
        find_log log = {from, to, 0, NULL};
        graze_segment_grid_find(&grid, from, to, MOVES, searched, kit_note_finds, &log);
        for (int i = 0; i < MOVES; ++i) {
            assert_int_equal(searched[i], GRAZE_SEGMENT_SEARCH_NONE);
        }
    }
    graze_segment_grid_free(&grid);
}

static void walks_that_are_not_finite_end(void **state)
{
    (void)state;
    random_state random = random_seed(6);
    const float values[] = {NAN, INFINITY, -INFINITY, 3.0f};
    graze_segment_grid grid;
    kit_make_wavy_lines(&random);
    kit_place_scene(&kit_placements[0]);
    kit_fill_grid(&grid);
    for (int i = 0; i < 256; ++i) {
        const graze_vec2 p = {values[i & 3], values[i >> 2 & 3]};
        const graze_vec2 q = {values[i >> 4 & 3], values[i >> 6]};
        const graze_aabb box = {p, q};
        kit_note_walk(graze_segment_grid_walk_ray(&grid, p, q), 1.0);
        kit_note_walk(graze_segment_grid_walk_box(&grid, box), 1.0);
    }
    graze_segment_grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_meet_every_segment_that_touches),
        cmocka_unit_test(a_grid_of_few_segments_misses_none_either),
        cmocka_unit_test(moves_along_and_across_cell_borders_miss_nothing),
        cmocka_unit_test(a_falling_limit_keeps_the_first_hit),
        cmocka_unit_test(a_small_limit_ends_a_long_walk_early),
        cmocka_unit_test(a_walk_is_never_longer_than_the_grid),
        cmocka_unit_test(segments_of_any_finite_size_are_found),
        cmocka_unit_test(moves_searched_together_find_what_each_finds_alone),
        cmocka_unit_test(a_search_costs_no_more_than_the_cells_around_the_move_hold),
        cmocka_unit_test(moves_beyond_the_outermost_cells_are_not_longer_than_the_grid),
        cmocka_unit_test(walks_that_are_not_finite_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
