#include "grid_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double sides[] = {0, 1e-4, 0.7, 6, 500};
enum { SIDE_COUNT = sizeof sides / sizeof sides[0] };

static box_set set;
static uint8_t found[BOX_SET_CAPACITY];

typedef uint32_t next_fn(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                         uint32_t capacity);

// Marks the items found; none may come twice.
static void mark_found(const graze_grid *grid, graze_grid_cursor cursor, next_fn *next,
                       uint32_t capacity, const char *what)
{
    static uint32_t places[BOX_SET_CAPACITY + 1];
    const uint32_t *order = graze_grid_order(grid);
    memset(found, 0, sizeof found);
    for (uint32_t count = 1; count;) {
        places[capacity] = 0xABCDEF01;
        count = next(grid, &cursor, places, capacity);
        assert_true(count <= capacity);
        assert_int_equal(places[capacity], 0xABCDEF01);
        for (uint32_t i = 0; i < count; ++i) {
            assert_true(places[i] < graze_grid_count(grid));
            if (found[order[places[i]]]++) {
                fail_msg("%s: item %u came twice", what, order[places[i]]);
            }
        }
    }
}

// Prefetching must read nothing but the grid, and change nothing.
static void ask_ahead(const graze_grid *grid, graze_aabb box)
{
    graze_grid_prefetch_cells(grid, box);
    graze_grid_prefetch_boxes(grid, box);
}

static void check_box(const graze_grid *grid, const box_set *boxes, graze_aabb box,
                      uint32_t capacity, const char *what)
{
    ask_ahead(grid, box);
    mark_found(grid, graze_grid_begin_box(grid, box), graze_grid_next_box, capacity, what);
    for (uint32_t i = 0; i < boxes->count; ++i) {
        const graze_aabb own = boxes->box[i];
        const bool meet = own.lower.x <= box.upper.x && own.upper.x >= box.lower.x &&
                          own.lower.y <= box.upper.y && own.upper.y >= box.lower.y;
        if (meet != found[i]) {
            fail_msg("%s: item %u, box %g %g %g %g: overlaps %d, found %d", what, i,
                     (double)box.lower.x, (double)box.lower.y, (double)box.upper.x,
                     (double)box.upper.y, meet, found[i]);
        }
    }
}

static graze_aabb box_of(const box_set *boxes, uint32_t i)
{
    return boxes->box[i];
}

// From one item's box to another's: of all sizes, touching much.
static graze_aabb join_boxes(graze_aabb a, graze_aabb b)
{
    const graze_aabb box = {{a.lower.x < b.lower.x ? a.lower.x : b.lower.x,
                             a.lower.y < b.lower.y ? a.lower.y : b.lower.y},
                            {a.upper.x > b.upper.x ? a.upper.x : b.upper.x,
                             a.upper.y > b.upper.y ? a.upper.y : b.upper.y}};
    return box;
}

static void boxes_find_what_brute_force_finds(void **state)
{
    (void)state;
    static const uint32_t capacities[] = {1, 7, 4096};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        random_state random = random_seed(kind);
        box_set_fill(&kinds[kind], 11, 300, &set);
        box_set_hush(&random, 2, &set);
        for (uint32_t side = 0; side < SIDE_COUNT; ++side) {
            graze_grid *grid = grid_kit_build(&set, sides[side]);
            for (uint32_t query = 0; query < 60; ++query) {
                char what[100];
                snprintf(what, sizeof what, "%s, side %g, query %u", kinds[kind].name, sides[side],
                         query);
                const graze_aabb a = box_of(&set, random_below(&random, set.count));
                const graze_aabb b = box_of(&set, random_below(&random, set.count));
                check_box(grid, &set, query % 2 ? a : join_boxes(a, b), capacities[query % 3],
                          what);
            }
            graze_grid_destroy(grid);
        }
    }
}

static void infinite_boxes_find_all_and_unordered_ones_nothing(void **state)
{
    (void)state;
    static const float bounds[] = {-INFINITY, -FLT_MAX, -10, 0, 3, FLT_MAX, INFINITY, NAN};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        box_set_fill(&kinds[kind], 2, 100, &set);
        graze_grid *grid = grid_kit_build(&set, 0);
        for (uint32_t i = 0; i < 8 * 8 * 8 * 8; ++i) {
            const graze_aabb box = {{bounds[i & 7], bounds[i >> 3 & 7]},
                                    {bounds[i >> 6 & 7], bounds[i >> 9]}};
            if (!(box.lower.x > box.upper.x || box.lower.y > box.upper.y)) {
                check_box(grid, &set, box, 50, kinds[kind].name);
            } else {
                uint32_t place;
                ask_ahead(grid, box);
                graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
                assert_int_equal(graze_grid_next_box(grid, &cursor, &place, 1), 0);
            }
        }
        graze_grid_destroy(grid);
    }
}

static void removed_items_are_found_no_more(void **state)
{
    (void)state;
    const graze_aabb everywhere = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    const graze_vec2 from = {0, 0}, to = {100, 120};
    box_set_fill(box_set_kind_named("gas"), 2, 100, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
    for (uint32_t place = 0; place < 100; place += 2) {
        graze_grid_remove(grid, place);
    }
    const uint32_t *order = graze_grid_order(grid);
    mark_found(grid, graze_grid_begin_box(grid, everywhere), graze_grid_next_box, 9, "removed");
    for (uint32_t place = 0; place < 100; ++place) {
        assert_int_equal(found[order[place]], place % 2);
    }
    mark_found(grid, graze_grid_begin_ray(grid, from, to), graze_grid_next_ray, 9, "removed");
    for (uint32_t place = 0; place < 100; place += 2) {
        assert_int_equal(found[order[place]], 0);
    }
    graze_grid_destroy(grid);
}

// Whether the closed box meets the closed segment: exact where all coordinates are small multiples
// of one power of two, for all products then fit a double.
static bool segment_meets_box(graze_vec2 from, graze_vec2 to, graze_aabb box)
{
    const double dx = (double)to.x - (double)from.x, dy = (double)to.y - (double)from.y;
    const double x[] = {(double)box.lower.x, (double)box.upper.x};
    const double y[] = {(double)box.lower.y, (double)box.upper.y};
    const bool beside = (from.x < box.lower.x && to.x < box.lower.x) ||
                        (from.x > box.upper.x && to.x > box.upper.x) ||
                        (from.y < box.lower.y && to.y < box.lower.y) ||
                        (from.y > box.upper.y && to.y > box.upper.y);
    uint32_t left = 0, right = 0;
    for (uint32_t corner = 0; corner < 4; ++corner) {
        const double cross =
            dx * (y[corner >> 1] - (double)from.y) - dy * (x[corner & 1] - (double)from.x);
        left += cross > 0;
        right += cross < 0;
    }
    return !beside && left < 4 && right < 4;
}

static void check_ray(const graze_grid *grid, const box_set *boxes, graze_vec2 from, graze_vec2 to,
                      uint32_t capacity, bool exact, const char *what)
{
    mark_found(grid, graze_grid_begin_ray(grid, from, to), graze_grid_next_ray, capacity, what);
    for (uint32_t i = 0; i < boxes->count; ++i) {
        const bool meet = segment_meets_box(from, to, box_of(boxes, i));
        if (meet ? !found[i] : exact && found[i]) {
            fail_msg("%s: item %u, ray %.9g %.9g to %.9g %.9g: meets %d, found %d", what, i,
                     (double)from.x, (double)from.y, (double)to.x, (double)to.y, meet, found[i]);
        }
    }
}

// Boxes and rays on a lattice of some scale, around some point of it: they touch all the time.
static float scaled(random_state *random, int range, float middle, float scale)
{
    return (middle + (float)random_integer(random, -range, range)) * scale;
}

static void fill_lattice(random_state *random, float middle, float scale, box_set *boxes)
{
    boxes->count = 200;
    memset(boxes->quiet, 0, sizeof boxes->quiet);
    for (uint32_t i = 0; i < boxes->count; ++i) {
        const int size = i % 50 ? 2 : 30;
        boxes->box[i].lower.x = scaled(random, 40, middle, scale);
        boxes->box[i].lower.y = scaled(random, 40, -middle, scale);
        boxes->box[i].upper.x =
            boxes->box[i].lower.x + (float)random_integer(random, 0, size) * scale;
        boxes->box[i].upper.y =
            boxes->box[i].lower.y + (float)random_integer(random, 0, size) * scale;
    }
}

static void rays_on_a_lattice_find_exactly_what_they_meet(void **state)
{
    (void)state;
    static const float scales[] = {1, 1.0f / 1048576, 1.2676506e30f, 7.8886091e-31f};
    static const float middles[] = {0, -300, 100000};
    static const uint32_t capacities[] = {1, 7, 4096};
    for (uint32_t round = 0; round < 12 * SIDE_COUNT; ++round) {
        const float scale = scales[round % 4], middle = middles[round / 4 % 3];
        const double side = sides[round / 12] * (double)scale;
        random_state random = random_seed(round);
        fill_lattice(&random, middle, scale, &set);
        graze_grid *grid = grid_kit_build(&set, side);
        for (uint32_t query = 0; query < 80; ++query) {
            const int range = query % 4 ? 60 : 3;
            const graze_vec2 from = {scaled(&random, 60, middle, scale),
                                     scaled(&random, 60, -middle, scale)};
            const graze_vec2 to = {from.x + scaled(&random, range, 0, scale),
                                   from.y + scaled(&random, range, 0, scale)};
            char what[100];
            snprintf(what, sizeof what, "scale %g, middle %g, side %g, query %u", (double)scale,
                     (double)middle, side, query);
            check_ray(grid, &set, from, to, capacities[query % 3], true, what);
        }
        graze_grid_destroy(grid);
    }
}

// This oracle rounds, so it cannot decide whether a ray just meets a box: boxes are shrunk for it
// by more than its rounding.
static graze_aabb shrink(graze_aabb box, graze_vec2 from, graze_vec2 to)
{
    const double reach = fabs((double)from.x) + fabs((double)from.y) + fabs((double)to.x) +
                         fabs((double)to.y) + fabs((double)box.lower.x) +
                         fabs((double)box.upper.x) + fabs((double)box.lower.y) +
                         fabs((double)box.upper.y);
    const float slack = (float)(reach * 1e-6 < (double)FLT_MAX / 4 ? reach * 1e-6 : 0);
    const graze_aabb shrunk = {{box.lower.x + slack, box.lower.y + slack},
                               {box.upper.x - slack, box.upper.y - slack}};
    return shrunk;
}

static graze_vec2 corner_of(graze_aabb box, uint32_t corner)
{
    const graze_vec2 point = {corner & 1 ? box.upper.x : box.lower.x,
                              corner & 2 ? box.upper.y : box.lower.y};
    return point;
}

static void check_any_ray(const graze_grid *grid, const box_set *boxes, graze_vec2 from,
                          graze_vec2 to, uint32_t capacity, const char *what)
{
    mark_found(grid, graze_grid_begin_ray(grid, from, to), graze_grid_next_ray, capacity, what);
    const graze_aabb from_box = {from, from}, to_box = {to, to};
    const graze_aabb around = join_boxes(from_box, to_box);
    for (uint32_t i = 0; i < boxes->count; ++i) {
        const graze_aabb box = box_of(boxes, i), core = shrink(box, from, to);
        const bool near = box.lower.x <= around.upper.x && box.upper.x >= around.lower.x &&
                          box.lower.y <= around.upper.y && box.upper.y >= around.lower.y;
        const bool meet = core.lower.x <= core.upper.x && core.lower.y <= core.upper.y &&
                          segment_meets_box(from, to, core);
        if ((meet && !found[i]) || (found[i] && !near)) {
            fail_msg("%s: item %u, ray %.9g %.9g to %.9g %.9g: meets %d, near %d, found %d", what,
                     i, (double)from.x, (double)from.y, (double)to.x, (double)to.y, meet, near,
                     found[i]);
        }
    }
}

static void rays_miss_nothing_in_any_kind_of_world(void **state)
{
    (void)state;
    static const uint32_t capacities[] = {1, 7, 4096};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        random_state random = random_seed(kind + 77);
        box_set_fill(&kinds[kind], 12, 300, &set);
        for (uint32_t side = 0; side < SIDE_COUNT; ++side) {
            graze_grid *grid = grid_kit_build(&set, sides[side]);
            for (uint32_t query = 0; query < 60; ++query) {
                const graze_aabb a = box_of(&set, random_below(&random, set.count));
                const graze_aabb b = box_of(&set, random_below(&random, set.count));
                const graze_vec2 from = corner_of(a, random_bits(&random));
                const graze_vec2 to = corner_of(b, random_bits(&random));
                char what[100];
                snprintf(what, sizeof what, "%s, side %g, query %u", kinds[kind].name, sides[side],
                         query);
                check_any_ray(grid, &set, from, to, capacities[query % 3], what);
            }
            graze_grid_destroy(grid);
        }
    }
}

static void a_ray_finds_the_boxes_that_it_starts_and_ends_in(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        random_state random = random_seed(kind);
        box_set_fill(&kinds[kind], 13, 200, &set);
        graze_grid *grid = grid_kit_build(&set, 0);
        for (uint32_t query = 0; query < 300; ++query) {
            const uint32_t i = random_below(&random, set.count);
            const uint32_t k = random_below(&random, set.count);
            const graze_vec2 from = corner_of(box_of(&set, i), random_bits(&random));
            const graze_vec2 to = corner_of(box_of(&set, k), random_bits(&random));
            mark_found(grid, graze_grid_begin_ray(grid, from, to), graze_grid_next_ray, 64,
                       kinds[kind].name);
            assert_true(found[i] && found[k]);
        }
        graze_grid_destroy(grid);
    }
}

enum { ON_LINE = 100 };

// The first boxes are points at multiples of (p, q), from before the origin to behind it; the
// others are anywhere around them.
static void fill_around_line(random_state *random, int p, int q, box_set *boxes)
{
    const int range = ON_LINE / 2 * ((p < 0 ? -p : p) + (q < 0 ? -q : q));
    boxes->count = 3 * ON_LINE;
    memset(boxes->quiet, 0, sizeof boxes->quiet);
    for (uint32_t i = 0; i < boxes->count; ++i) {
        const int t = (int)i - ON_LINE / 2;
        const graze_vec2 own = {(float)(p * t), (float)(q * t)};
        const graze_vec2 other = {scaled(random, range, 0, 1), scaled(random, range, 0, 1)};
        const graze_vec2 point = i < ON_LINE ? own : other;
        boxes->box[i].lower = boxes->box[i].upper = point;
    }
}

// In double, the places where such a ray crosses rows are off by up to hundreds of units.
static void rays_from_afar_find_the_points_that_they_go_through(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 40 * SIDE_COUNT; ++round) {
        random_state random = random_seed(round);
        const int p = random_integer(&random, 1, 63) * (round & 1 ? 1 : -1);
        const int q = random_integer(&random, 1, 63) * (round & 2 ? 1 : -1);
        const float before = ldexpf(1, random_integer(&random, 6, 60));
        const float after = ldexpf(1, random_integer(&random, 6, 60));
        const graze_vec2 from = {-(float)p * before, -(float)q * before};
        const graze_vec2 to = {(float)p * after, (float)q * after};
        fill_around_line(&random, p, q, &set);
        graze_grid *grid = grid_kit_build(&set, sides[round % SIDE_COUNT]);
        mark_found(grid, graze_grid_begin_ray(grid, from, to), graze_grid_next_ray, 64, "afar");
        for (uint32_t i = 0; i < ON_LINE; ++i) {
            if (!found[i]) {
                fail_msg("round %u: ray %.9g %.9g to %.9g %.9g: point %u missed", round,
                         (double)from.x, (double)from.y, (double)to.x, (double)to.y, i);
            }
        }
        graze_grid_destroy(grid);
    }
}

static void a_ray_that_is_not_finite_meets_nothing(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    box_set_fill(box_set_kind_named("around zero"), 2, 100, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
    for (uint32_t i = 0; i < 12; ++i) {
        float ends[] = {-10, -10, 10, 10};
        ends[i / 3] = bad[i % 3];
        const graze_vec2 from = {ends[0], ends[1]}, to = {ends[2], ends[3]};
        uint32_t place;
        graze_grid_cursor cursor = graze_grid_begin_ray(grid, from, to);
        assert_int_equal(graze_grid_next_ray(grid, &cursor, &place, 1), 0);
    }
    graze_grid_destroy(grid);
}

static void queries_in_an_empty_grid_find_nothing(void **state)
{
    (void)state;
    const graze_aabb everywhere = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    const graze_vec2 from = {0, 0}, to = {1, 1};
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    uint32_t place;
    ask_ahead(grid, everywhere);
    graze_grid_cursor cursor = graze_grid_begin_box(grid, everywhere);
    assert_int_equal(graze_grid_next_box(grid, &cursor, &place, 1), 0);
    cursor = graze_grid_begin_ray(grid, from, to);
    assert_int_equal(graze_grid_next_ray(grid, &cursor, &place, 1), 0);
    graze_grid_destroy(grid);
}

static void short_queries_in_a_wide_world_compare_few_boxes(void **state)
{
    (void)state;
    box_set_fill(box_set_kind_named("gas"), 2, 4000, &set);
    graze_grid *grid = grid_kit_build(&set, 0);
    for (uint32_t i = 0; i < set.count; i += 50) {
        const graze_aabb box = box_of(&set, i);
        const graze_vec2 across = {box.lower.x + 60, box.lower.y + 60};
        uint32_t places[100];
        graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
        (void)graze_grid_next_box(grid, &cursor, places, 100);
        assert_true(cursor.tested < 60);
        cursor = graze_grid_begin_ray(grid, box.lower, across);
        (void)graze_grid_next_ray(grid, &cursor, places, 100);
        assert_true(cursor.tested < 500);
    }
    graze_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_find_what_brute_force_finds),
        cmocka_unit_test(infinite_boxes_find_all_and_unordered_ones_nothing),
        cmocka_unit_test(removed_items_are_found_no_more),
        cmocka_unit_test(rays_on_a_lattice_find_exactly_what_they_meet),
        cmocka_unit_test(rays_miss_nothing_in_any_kind_of_world),
        cmocka_unit_test(a_ray_finds_the_boxes_that_it_starts_and_ends_in),
        cmocka_unit_test(rays_from_afar_find_the_points_that_they_go_through),
        cmocka_unit_test(a_ray_that_is_not_finite_meets_nothing),
        cmocka_unit_test(queries_in_an_empty_grid_find_nothing),
        cmocka_unit_test(short_queries_in_a_wide_world_compare_few_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
