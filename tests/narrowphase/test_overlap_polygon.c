#include <graze/overlap.h>

#include "exact.h"
#include "hard_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const graze_polygon triangle = {{{0, 0}, {4, 0}, {0, 3}}, 3};
static const graze_polygon right_hand_triangle = {{{0, 0}, {0, 3}, {4, 0}}, 3};
static const graze_polygon square = {{{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}}, 5};
static const graze_polygon stick = {{{0, 0}, {4, 2}}, 2};
static const graze_polygon flat = {{{0, 0}, {2, 1}, {6, 3}, {4, 2}}, 4};
static const graze_polygon dot = {{{1, 1}}, 1};
static const graze_polygon nothing = {{{0, 0}}, 0};
static const graze_polygon overfull = {{{0, 0}, {4, 0}, {0, 3}}, GRAZE_POLYGON_CAPACITY + 1};

static void convex_polygon_and_point_touch_inside_and_on_the_border(void **state)
{
    (void)state;
    const struct {
        const graze_polygon *polygon;
        graze_vec2 point;
        bool touches;
    } table[] = {
        {&triangle, {1, 1}, true},
        {&right_hand_triangle, {1, 1}, true},
        {&triangle, {0, 0}, true},
        {&triangle, {2, 1.5f}, true},
        {&right_hand_triangle, {2, 1.5f}, true},
        {&triangle, {2, 1.5000001f}, false},
        {&triangle, {2, -0x1p-149f}, false},
        {&triangle, {5, 0}, false},
        {&square, {1, 0}, true},
        {&square, {3, 0}, false},
        {&square, {-1, 0}, false},
        {&stick, {2, 1}, true},
        {&stick, {2, 1.0000001f}, false},
        {&stick, {6, 3}, false},
        {&flat, {5, 2.5f}, true},
        {&flat, {8, 4}, false},
        {&dot, {1, 1}, true},
        {&dot, {1, 1.0000001f}, false},
        {&nothing, {0, 0}, false},
        {&overfull, {1, 1}, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_point_polygon(table[i].point, table[i].polygon) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void convex_polygon_and_circle_touch_also_when_one_is_inside(void **state)
{
    (void)state;
    const struct {
        const graze_polygon *polygon;
        graze_circle circle;
        bool touches;
    } table[] = {
        {&triangle, {{1, 1}, 0.1f}, true},
        {&triangle, {{1, 1}, 100}, true},
        {&triangle, {{2, -2}, 2}, true},
        {&triangle, {{2, -2}, 1.9999999f}, false},
        {&triangle, {{-3, -4}, 5}, true},
        {&triangle, {{-3, -4}, 4.9999995f}, false},
        {&right_hand_triangle, {{5, 5.5f}, 5}, true},
        {&right_hand_triangle, {{5, 5.5f}, 4.9999995f}, false},
        {&triangle, {{2, 1.5f}, 0}, true},
        {&stick, {{4, 7}, 5}, true},
        {&dot, {{4, 5}, 5}, true},
        {&dot, {{4, 5}, 4.9999995f}, false},
        {&nothing, {{0, 0}, 9}, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_circle_polygon(table[i].circle, table[i].polygon) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void convex_polygon_and_segment_touch_also_when_it_is_inside(void **state)
{
    (void)state;
    const struct {
        const graze_polygon *polygon;
        graze_segment segment;
        bool touches;
    } table[] = {
        {&triangle, {{0.5f, 0.5f}, {1, 1}}, true},
        {&triangle, {{-9, 1}, {9, 1}}, true},
        {&triangle, {{-9, 0}, {9, 0}}, true},
        {&triangle, {{4, -5}, {4, 5}}, true},
        {&triangle, {{4.0000005f, -5}, {4.0000005f, 5}}, false},
        {&triangle, {{5, 0}, {9, 0}}, false},
        {&triangle, {{4, 3}, {4, 3}}, false},
        {&stick, {{2, 1}, {2, 9}}, true},
        {&stick, {{6, 3}, {8, 4}}, false},
        {&flat, {{6, 3}, {8, 4}}, true},
        {&dot, {{0, 0}, {3, 3}}, true},
        {&nothing, {{0, 0}, {3, 3}}, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_segment reversed = {table[i].segment.b, table[i].segment.a};
        if (graze_overlap_polygon_segment(table[i].polygon, table[i].segment) != table[i].touches ||
            graze_overlap_polygon_segment(table[i].polygon, reversed) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void convex_polygon_and_polygon_touch_and_containment_counts(void **state)
{
    (void)state;
    const graze_polygon small = {{{0.5f, 0.5f}, {1, 0.5f}, {0.5f, 1}}, 3};
    const graze_polygon at_corner = {{{4, 0}, {6, 0}, {6, 1}}, 3};
    const graze_polygon at_side = {{{4, 3}, {2, 1.5f}, {8, 8}}, 3};
    const graze_polygon beside = {{{4, 3}, {2, 1.5000001f}, {8, 8}}, 3};
    const struct {
        const graze_polygon *a, *b;
        bool touches;
    } table[] = {
        {&triangle, &triangle, true},  {&triangle, &right_hand_triangle, true},
        {&triangle, &small, true},     {&right_hand_triangle, &small, true},
        {&triangle, &at_corner, true}, {&triangle, &at_side, true},
        {&triangle, &beside, false},   {&small, &at_side, false},
        {&triangle, &dot, true},       {&square, &stick, true},
        {&stick, &flat, true},         {&dot, &dot, true},
        {&dot, &stick, false},         {&triangle, &nothing, false},
        {&triangle, &overfull, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_polygons(table[i].a, table[i].b) != table[i].touches ||
            graze_overlap_polygons(table[i].b, table[i].a) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void nothing_touches_a_polygon_that_is_not_finite(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        graze_polygon broken = square;
        broken.vertices[4].y = bad[i];
        const graze_circle circle = {{1, 1}, 1};
        const graze_circle broken_circle = {{1, 1}, bad[i]};
        const graze_segment segment = {{1, 1}, {2, 2}};
        const graze_segment broken_segment = {{1, 1}, {2, bad[i]}};
        const graze_vec2 broken_point = {bad[i], 1};
        assert_false(graze_overlap_point_polygon(circle.center, &broken));
        assert_false(graze_overlap_circle_polygon(circle, &broken));
        assert_false(graze_overlap_polygon_segment(&broken, segment));
        assert_false(graze_overlap_polygons(&broken, &square));
        assert_false(graze_overlap_polygons(&square, &broken));
        assert_false(graze_overlap_point_polygon(broken_point, &square));
        assert_false(graze_overlap_circle_polygon(broken_circle, &square));
        assert_false(graze_overlap_polygon_segment(&square, broken_segment));
    }
}

/// A convex polygon on a grid of integers, and the same one as floats.
typedef struct grid_polygon {
    int64_t x[GRAZE_POLYGON_CAPACITY], y[GRAZE_POLYGON_CAPACITY];
    int count;
} grid_polygon;

static int64_t turn_of(const grid_polygon *p, int i, int j, int64_t x, int64_t y)
{
    return (p->x[j] - p->x[i]) * (y - p->y[i]) - (p->y[j] - p->y[i]) * (x - p->x[i]);
}

// Gift wrapping: from each vertex to the one that has all others on its left or behind it. Points
// on a side stay out.
static grid_polygon wrap_hull(const grid_polygon *points)
{
    grid_polygon hull = {{0}, {0}, 0};
    int start = 0;
    for (int i = 1; i < points->count; ++i) {
        if (points->x[i] < points->x[start] ||
            (points->x[i] == points->x[start] && points->y[i] < points->y[start])) {
            start = i;
        }
    }
    int current = start;
    do {
        hull.x[hull.count] = points->x[current];
        hull.y[hull.count] = points->y[current];
        ++hull.count;
        int next = start;
        int64_t next_reach = 0;
        for (int i = 0; i < points->count; ++i) {
            const int64_t dx = points->x[i] - points->x[current];
            const int64_t dy = points->y[i] - points->y[current];
            const int64_t reach = dx * dx + dy * dy;
            const int64_t turn = turn_of(points, current, next, points->x[i], points->y[i]);
            if (reach > 0 && (next_reach == 0 || turn < 0 || (turn == 0 && reach > next_reach))) {
                next = i;
                next_reach = reach;
            }
        }
        current = next;
    } while ((points->x[current] != hull.x[0] || points->y[current] != hull.y[0]) &&
             hull.count < GRAZE_POLYGON_CAPACITY);
    return hull;
}

static grid_polygon make_hull(random_state *random, int count)
{
    grid_polygon points = {{0}, {0}, count};
    const int far = random_integer(random, -3, 3);
    for (int i = 0; i < count; ++i) {
        points.x[i] = far + random_integer(random, -3, 3);
        points.y[i] = random_integer(random, -3, 3);
    }
    return wrap_hull(&points);
}

static graze_polygon to_polygon(const grid_polygon *grid, float unit, bool reversed)
{
    graze_polygon polygon = {{{0, 0}}, (uint32_t)grid->count};
    for (int i = 0; i < grid->count; ++i) {
        const int from = reversed ? grid->count - 1 - i : i;
        polygon.vertices[i].x = unit * (float)grid->x[from];
        polygon.vertices[i].y = unit * (float)grid->y[from];
    }
    return polygon;
}

static bool is_separated_along(const grid_polygon *a, const grid_polygon *b, int64_t x, int64_t y)
{
    int64_t a_most = INT64_MIN;
    int64_t b_least = INT64_MAX;
    for (int i = 0; i < a->count; ++i) {
        const int64_t place = a->x[i] * x + a->y[i] * y;
        a_most = place > a_most ? place : a_most;
    }
    for (int i = 0; i < b->count; ++i) {
        const int64_t place = b->x[i] * x + b->y[i] * y;
        b_least = place < b_least ? place : b_least;
    }
    return a_most < b_least;
}

// Brute force: if two convex sets are apart, one of the directions between any two of all vertices,
// or across these, separates them.
static bool are_apart(const grid_polygon *a, const grid_polygon *b)
{
    int64_t x[2 * GRAZE_POLYGON_CAPACITY], y[2 * GRAZE_POLYGON_CAPACITY];
    int count = 0;
    for (int i = 0; i < a->count + b->count; ++i) {
        x[count] = i < a->count ? a->x[i] : b->x[i - a->count];
        y[count++] = i < a->count ? a->y[i] : b->y[i - a->count];
    }
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            const int64_t dx = x[j] - x[i];
            const int64_t dy = y[j] - y[i];
            if (is_separated_along(a, b, dx, dy) || is_separated_along(a, b, -dy, dx)) {
                return true;
            }
        }
    }
    return false;
}

static void polygons_equal_brute_force_on_a_grid(void **state)
{
    (void)state;
    int touching = 0;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        random_state random = random_seed(seed);
        const float unit = ldexpf(1, random_integer(&random, -30, 30));
        const grid_polygon a = make_hull(&random, random_integer(&random, 1, 8));
        const grid_polygon b = make_hull(&random, random_integer(&random, 1, 8));
        const grid_polygon c = make_hull(&random, random_integer(&random, 1, 2));
        const graze_polygon first = to_polygon(&a, unit, random_below(&random, 2) == 0);
        const graze_polygon second = to_polygon(&b, unit, random_below(&random, 2) == 0);
        const graze_polygon third = to_polygon(&c, unit, false);
        const graze_segment segment = {third.vertices[0], third.vertices[third.count - 1]};
        const bool expected = !are_apart(&a, &b);
        const bool expected_segment = !are_apart(&a, &c);
        touching += expected;
        if (graze_overlap_polygons(&first, &second) != expected ||
            graze_overlap_polygons(&second, &first) != expected ||
            graze_overlap_polygon_segment(&first, segment) != expected_segment ||
            (c.count == 1 && graze_overlap_point_polygon(segment.a, &first) != expected_segment)) {
            hard_points_show(seed, HARD_GRID, first.vertices, (int)first.count);
            hard_points_show(seed, HARD_GRID, second.vertices, (int)second.count);
            hard_points_show(seed, HARD_GRID, third.vertices, (int)third.count);
            fail_msg("brute force says %d and %d", expected, expected_segment);
        }
    }
    assert_in_range(touching, 2000, 18000);
}

static void circles_and_polygons_on_a_grid_equal_exact_arithmetic(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10000; ++seed) {
        random_state random = random_seed(seed);
        const grid_polygon hull = make_hull(&random, random_integer(&random, 1, 8));
        const grid_polygon center = make_hull(&random, 1);
        const graze_polygon polygon = to_polygon(&hull, 1, random_below(&random, 2) == 0);
        const graze_circle circle = {{(float)center.x[0], (float)center.y[0]},
                                     (float)random_integer(&random, 0, 5)};
        bool expected = !are_apart(&hull, &center);
        for (uint32_t i = 0; i < polygon.count; ++i) {
            const graze_vec2 next = polygon.vertices[(i + 1) % polygon.count];
            expected = expected || exact_compare_distance(circle.center, polygon.vertices[i], next,
                                                          (double)circle.radius) <= 0;
        }
        if (graze_overlap_circle_polygon(circle, &polygon) != expected) {
            hard_points_show(seed, HARD_GRID, polygon.vertices, (int)polygon.count);
            fail_msg("the exact answer is %d", expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_polygon_and_point_touch_inside_and_on_the_border),
        cmocka_unit_test(convex_polygon_and_circle_touch_also_when_one_is_inside),
        cmocka_unit_test(convex_polygon_and_segment_touch_also_when_it_is_inside),
        cmocka_unit_test(convex_polygon_and_polygon_touch_and_containment_counts),
        cmocka_unit_test(nothing_touches_a_polygon_that_is_not_finite),
        cmocka_unit_test(polygons_equal_brute_force_on_a_grid),
        cmocka_unit_test(circles_and_polygons_on_a_grid_equal_exact_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
