#include <graze/cross.h>

#include "exact.h"
#include "hard_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static bool is_at(graze_vec2 point, float x, float y)
{
    return point.x == x && point.y == y;
}

static void line_and_line_cross_in_a_point_unless_they_are_parallel(void **state)
{
    (void)state;
    const struct {
        graze_line a, b;
        graze_crossing expected;
    } table[] = {
        {{{0, 0}, {4, 0}}, {{1, -1}, {1, 3}}, {1, {{1, 0}}, {0.25f}, {0.25f}, false, false}},
        {{{0, 0}, {2, 2}}, {{0, 8}, {1, 7}}, {1, {{4, 4}}, {2}, {4}, false, false}},
        {{{0, 0}, {1, 0}}, {{-3, 1}, {-3, 2}}, {1, {{-3, 0}}, {-3}, {-1}, false, false}},
        {{{0, 0}, {1, 2}}, {{1, 0}, {3, 4}}, {0, {{0, 0}}, {0}, {0}, true, false}},
        {{{0, 0}, {1, 2}}, {{3, 6}, {-2, -4}}, {0, {{0, 0}}, {0}, {0}, true, true}},
        {{{1, 1}, {1, 1}}, {{0, 0}, {2, 2}}, {0, {{0, 0}}, {0}, {0}, true, true}},
        {{{0, 0}, {2, 2}}, {{1, 2}, {1, 2}}, {0, {{0, 0}}, {0}, {0}, true, false}},
        {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}, {0, {{0, 0}}, {0}, {0}, true, true}},
        {{{1, 1}, {1, 1}}, {{1, 2}, {1, 2}}, {0, {{0, 0}}, {0}, {0}, true, false}},
        {{{-3e38f, 0}, {3e38f, 0}},
         {{0, -3e38f}, {0, 3e38f}},
         {1, {{0, 0}}, {0.5f}, {0.5f}, false, false}},
        {{{0, 0}, {1, 0}},
         {{0, 1}, {1, 0x1.fffffep-1f}},
         {1, {{0x1p24f, 0}}, {0x1p24f}, {0x1p24f}, false, false}},
        {{{0, 0}, {1, 0}},
         {{0, 3e38f}, {3e38f, 2.9999997e38f}},
         {0, {{0, 0}}, {0}, {0}, false, false}},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_crossing expected = table[i].expected;
        const graze_crossing found = graze_cross_lines(table[i].a, table[i].b);
        if (found.count != expected.count || found.parallel != expected.parallel ||
            found.coincident != expected.coincident) {
            fail_msg("row %zu", i);
        }
        if (!is_at(found.points[0], expected.points[0].x, expected.points[0].y) ||
            found.along_a[0] != expected.along_a[0] || found.along_b[0] != expected.along_b[0]) {
            fail_msg("row %zu: %a, %a", i, (double)found.points[0].x, (double)found.points[0].y);
        }
    }
}

static void segment_and_segment_cross_at_parameters_of_both(void **state)
{
    (void)state;
    const struct {
        graze_segment a, b;
        graze_crossing expected;
    } table[] = {
        {{{0, 0}, {4, 0}}, {{1, -1}, {1, 3}}, {1, {{1, 0}}, {0.25f}, {0.25f}, false, false}},
        {{{0, 0}, {4, 0}}, {{4, 0}, {4, 3}}, {1, {{4, 0}}, {1}, {0}, false, false}},
        {{{0, 0}, {4, 0}}, {{2, 5}, {2, 0}}, {1, {{2, 0}}, {0.5f}, {1}, false, false}},
        {{{0, 0}, {4, 0}}, {{2, 5}, {2, 0x1p-149f}}, {0, {{0, 0}}, {0}, {0}, false, false}},
        {{{0, 0}, {4, 0}}, {{5, -1}, {5, 1}}, {0, {{0, 0}}, {0}, {0}, false, false}},
        {{{0, 0}, {4, 0}}, {{0, 1}, {4, 1}}, {0, {{0, 0}}, {0}, {0}, true, false}},
        {{{0, 0}, {0, 0}}, {{0, 1}, {4, 1}}, {0, {{0, 0}}, {0}, {0}, true, false}},
        {{{1, 1}, {1, 1}}, {{0, 1}, {4, 1}}, {1, {{1, 1}}, {0}, {0.25f}, true, true}},
        {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}, {1, {{1, 1}}, {0}, {0}, true, true}},
        {{{1, 1}, {1, 1}}, {{1, 2}, {1, 2}}, {0, {{0, 0}}, {0}, {0}, true, false}},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_crossing found = graze_cross_segments(table[i].a, table[i].b);
        if (memcmp(&found, &table[i].expected, offsetof(graze_crossing, coincident) + 1) != 0) {
            fail_msg("row %zu", i);
        }
    }
}

static void collinear_segments_that_overlap_give_the_two_ends(void **state)
{
    (void)state;
    const struct {
        graze_segment a, b;
        graze_crossing expected;
    } table[] = {
        {{{0, 0}, {8, 4}},
         {{4, 2}, {16, 8}},
         {2, {{4, 2}, {8, 4}}, {0.5f, 1}, {0, 0x1.555556p-2f}, true, true}},
        {{{8, 4}, {0, 0}},
         {{4, 2}, {16, 8}},
         {2, {{8, 4}, {4, 2}}, {0, 0.5f}, {0x1.555556p-2f, 0}, true, true}},
        {{{0, 0}, {0, 8}},
         {{0, 6}, {0, 2}},
         {2, {{0, 2}, {0, 6}}, {0.25f, 0.75f}, {1, 0}, true, true}},
        {{{0, 6}, {0, 2}},
         {{0, 0}, {0, 8}},
         {2, {{0, 6}, {0, 2}}, {0, 1}, {0.75f, 0.25f}, true, true}},
        {{{0, 0}, {8, 4}}, {{8, 4}, {16, 8}}, {1, {{8, 4}}, {1}, {0}, true, true}},
        {{{0, 0}, {8, 4}}, {{10, 5}, {16, 8}}, {0, {{0, 0}}, {0}, {0}, true, true}},
        {{{0, 0}, {8, 4}}, {{0, 0}, {8, 4}}, {2, {{0, 0}, {8, 4}}, {0, 1}, {0, 1}, true, true}},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_crossing found = graze_cross_segments(table[i].a, table[i].b);
        if (memcmp(&found, &table[i].expected, offsetof(graze_crossing, coincident) + 1) != 0) {
            fail_msg("row %zu", i);
        }
    }
}

static void circumference_and_segment_do_not_meet_when_it_is_wholly_inside(void **state)
{
    (void)state;
    const struct {
        graze_segment segment;
        graze_circle circle;
        uint32_t count;
        graze_vec2 points[2];
        float along[2];
    } table[] = {
        {{{-1, 0}, {1, 1}}, {{0, 0}, 5}, 0, {{0, 0}}, {0}},                     // inside
        {{{-6, 4}, {6, 4}}, {{0, 0}, 5}, 2, {{-3, 4}, {3, 4}}, {0.25f, 0.75f}}, // through
        {{{0, 3}, {8, 3}}, {{0, 0}, 5}, 1, {{4, 3}}, {0.5f}},                   // out
        {{{8, 3}, {0, 3}}, {{0, 0}, 5}, 1, {{4, 3}}, {0.5f}},                   // in
        {{{-5, 5}, {5, 5}}, {{0, 0}, 5}, 1, {{0, 5}}, {0.5f}},                  // tangent
        {{{-5, 5.0000005f}, {5, 5.0000005f}}, {{0, 0}, 5}, 0, {{0, 0}}, {0}},
        {{{3, 4}, {3, -4}}, {{0, 0}, 5}, 2, {{3, 4}, {3, -4}}, {0, 1}}, // a chord
        {{{3, 4}, {1, 1}}, {{0, 0}, 5}, 1, {{3, 4}}, {0}},              // from the rim in
        {{{1, 1}, {3, 4}}, {{0, 0}, 5}, 1, {{3, 4}}, {1}},              // up to the rim
        {{{3, 4}, {6, 8}}, {{0, 0}, 5}, 1, {{3, 4}}, {0}},              // from the rim out
        {{{6, 8}, {3, 4}}, {{0, 0}, 5}, 1, {{3, 4}}, {1}},              // down to the rim
        {{{5, 0}, {5, 9}}, {{0, 0}, 5}, 1, {{5, 0}}, {0}},              // tangent at its end
        {{{6, 8}, {9, 12}}, {{0, 0}, 5}, 0, {{0, 0}}, {0}},             // outside
        {{{3, 4}, {3, 4}}, {{0, 0}, 5}, 1, {{3, 4}}, {0}},              // a point on the rim
        {{{1, 1}, {1, 1}}, {{0, 0}, 5}, 0, {{0, 0}}, {0}},              // a point inside
        {{{0, 0}, {4, 2}}, {{2, 1}, 0}, 1, {{2, 1}}, {0.5f}},           // a rim that is a point
        {{{2, 1}, {2, 1}}, {{2, 1}, 0}, 1, {{2, 1}}, {0}},
        {{{0, 0}, {4, 2}}, {{2, 2}, 0}, 0, {{0, 0}}, {0}},
        {{{99994, 4}, {100006, 4}}, {{1e5f, 0}, 5}, 2, {{99997, 4}, {100003, 4}}, {0.25f, 0.75f}},
        {{{-3e38f, 0}, {3e38f, 0}},
         {{0, 0}, 1.5e38f},
         2,
         {{-1.5e38f, 0}, {1.5e38f, 0}},
         {0.25f, 0.75f}},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_crossing found = graze_cross_segment_circle(table[i].segment, table[i].circle);
        if (found.count != table[i].count || found.parallel || found.coincident) {
            fail_msg("row %zu: %u points", i, found.count);
        }
        for (uint32_t k = 0; k < 2; ++k) {
            if (!is_at(found.points[k], table[i].points[k].x, table[i].points[k].y) ||
                found.along_a[k] != table[i].along[k]) {
                fail_msg("row %zu: point %u is %a, %a at %a", i, k, (double)found.points[k].x,
                         (double)found.points[k].y, (double)found.along_a[k]);
            }
        }
    }
}

static void the_place_on_a_circumference_is_its_angle(void **state)
{
    (void)state;
    const graze_segment across = {{-9, 2}, {11, 2}};
    const graze_segment down = {{1, 9}, {1, -9}};
    const graze_circle circle = {{1, 2}, 4};
    const graze_crossing left_right = graze_cross_segment_circle(across, circle);
    assert_int_equal(left_right.count, 2);
    assert_true(left_right.along_b[0] == 3.14159274f && left_right.along_b[1] == 0);
    const graze_crossing top_bottom = graze_cross_segment_circle(down, circle);
    assert_int_equal(top_bottom.count, 2);
    assert_true(top_bottom.along_b[0] == 1.57079637f && top_bottom.along_b[1] == -1.57079637f);
}

static void nothing_crosses_what_is_not_finite(void **state)
{
    (void)state;
    const graze_crossing none = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}, false, false};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 8; ++j) {
            float c[8] = {0, 0, 4, 0, 1, -1, 1, 3};
            c[j] = bad[i];
            const graze_segment a = {{c[0], c[1]}, {c[2], c[3]}};
            const graze_segment b = {{c[4], c[5]}, {c[6], c[7]}};
            const graze_line line_a = {a.a, a.b};
            const graze_line line_b = {b.a, b.b};
            const graze_circle circle = {{c[4], c[5]}, c[6]};
            const graze_crossing lines = graze_cross_lines(line_a, line_b);
            const graze_crossing segments = graze_cross_segments(a, b);
            const graze_crossing rim = graze_cross_segment_circle(a, circle);
            assert_memory_equal(&lines, &none, offsetof(graze_crossing, coincident) + 1);
            assert_memory_equal(&segments, &none, offsetof(graze_crossing, coincident) + 1);
            assert_int_equal(rim.count, j == 7);
        }
    }
}

// The sign of a place along the other segment, and whether it is on it, are exact; its value and
// the point are within a rounding step or two.
static bool is_sound(graze_crossing crossing, graze_segment a, graze_segment b)
{
    bool sound = crossing.count <= 2;
    for (uint32_t i = 0; i < crossing.count; ++i) {
        const graze_vec2 p = crossing.points[i];
        sound = sound && crossing.along_a[i] >= 0 && crossing.along_a[i] <= 1 &&
                crossing.along_b[i] >= 0 && crossing.along_b[i] <= 1;
        sound = sound && p.x >= fminf(a.a.x, a.b.x) && p.x <= fmaxf(a.a.x, a.b.x) &&
                p.y >= fminf(a.a.y, a.b.y) && p.y <= fmaxf(a.a.y, a.b.y);
        sound = sound &&
                (crossing.parallel || fabs((double)crossing.along_a[i] -
                                           exact_place_of_crossing(a.a, a.b, b.a, b.b)) <= 0x1p-24);
    }
    return sound && (crossing.count < 2 || crossing.along_a[0] <= crossing.along_a[1]);
}

// Whether `place` and `point`, where a segment crosses another, are exactly one of its ends, which
// lies on the line of the other.
static bool is_at_end(graze_segment of, graze_segment other, float place, graze_vec2 point)
{
    if (exact_orient(other.a, other.b, of.a) == 0) {
        return place == 0 && point.x == of.a.x && point.y == of.a.y;
    }
    if (exact_orient(other.a, other.b, of.b) == 0) {
        return place == 1 && point.x == of.b.x && point.y == of.b.y;
    }
    return true;
}

static bool ends_are_exact(graze_crossing crossing, graze_segment a, graze_segment b)
{
    return crossing.parallel || crossing.count == 0 ||
           (is_at_end(a, b, crossing.along_a[0], crossing.points[0]) &&
            is_at_end(b, a, crossing.along_b[0], crossing.points[0]));
}

static bool are_coincident(const graze_vec2 p[4])
{
    const bool a_is_point = p[0].x == p[1].x && p[0].y == p[1].y;
    const bool b_is_point = p[2].x == p[3].x && p[2].y == p[3].y;
    if (a_is_point && b_is_point) {
        return p[0].x == p[2].x && p[0].y == p[2].y;
    }
    return exact_are_parallel(p[0], p[1], p[2], p[3]) && exact_orient(p[0], p[1], p[2]) == 0 &&
           exact_orient(p[2], p[3], p[0]) == 0;
}

static void check_segments(uint64_t seed, hard_kind kind)
{
    random_state random = random_seed(seed);
    graze_vec2 p[4];
    hard_points_make(&random, kind, p, 4);
    const graze_segment a = {p[0], p[1]};
    const graze_segment b = {p[2], p[3]};
    const graze_crossing crossing = graze_cross_segments(a, b);
    const graze_crossing swapped = graze_cross_segments(b, a);
    const bool parallel = exact_are_parallel(p[0], p[1], p[2], p[3]);
    const bool coincident = are_coincident(p);
    const bool holds = (crossing.count > 0) == exact_segments_meet(p[0], p[1], p[2], p[3]) &&
                       swapped.count == crossing.count && crossing.parallel == parallel &&
                       crossing.coincident == coincident && is_sound(crossing, a, b) &&
                       ends_are_exact(crossing, a, b) && ends_are_exact(swapped, b, a) &&
                       is_sound(swapped, b, a);
    if (!holds) {
        hard_points_show(seed, kind, p, 4);
        fail_msg("%u points at %a, %a", crossing.count, (double)crossing.along_a[0],
                 (double)crossing.along_a[1]);
    }
}

static void crossings_of_segments_equal_exact_arithmetic(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 5000; ++seed) {
            check_segments(seed, (hard_kind)kind);
        }
    }
}

static void check_lines(uint64_t seed, hard_kind kind)
{
    random_state random = random_seed(seed);
    graze_vec2 p[4];
    hard_points_make(&random, kind, p, 4);
    const graze_line a = {p[0], p[1]};
    const graze_line b = {p[2], p[3]};
    const graze_crossing crossing = graze_cross_lines(a, b);
    const bool parallel = exact_are_parallel(p[0], p[1], p[2], p[3]);
    bool holds = crossing.parallel == parallel && crossing.coincident == are_coincident(p) &&
                 crossing.count <= !parallel;
    if (crossing.count == 1) {
        const double truth = exact_place_of_crossing(p[0], p[1], p[2], p[3]);
        const double error = fabs((double)crossing.along_a[0] - truth);
        holds = holds && error <= fabs(truth) * 0x1.01p-24 + 0x1p-150;
        holds = holds && isfinite(crossing.points[0].x) && isfinite(crossing.points[0].y);
    }
    if (!holds) {
        hard_points_show(seed, kind, p, 4);
        fail_msg("%u points at %a", crossing.count, (double)crossing.along_a[0]);
    }
}

static void crossings_of_lines_equal_exact_arithmetic(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 5000; ++seed) {
            check_lines(seed, (hard_kind)kind);
        }
    }
}

// A segment from strictly inside to the rim, or to outside, crosses the rim once.
static uint32_t count_exactly(graze_segment segment, graze_circle circle)
{
    const double radius = (double)circle.radius;
    const int nearest = exact_compare_distance(circle.center, segment.a, segment.b, radius);
    if (nearest >= 0) {
        return nearest == 0;
    }
    const int start = exact_compare_distance(circle.center, segment.a, segment.a, radius);
    const int end = exact_compare_distance(circle.center, segment.b, segment.b, radius);
    return (uint32_t)(start >= 0) + (uint32_t)(end >= 0);
}

static bool lies_on_rim(graze_vec2 point, graze_circle circle)
{
    const double distance =
        hypot((double)point.x - (double)circle.center.x, (double)point.y - (double)circle.center.y);
    return fabs(distance - (double)circle.radius) <= 1e-5 * (1 + distance);
}

static void crossings_of_a_circumference_equal_exact_arithmetic_on_a_grid(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30000; ++seed) {
        random_state random = random_seed(seed);
        float c[7];
        for (int i = 0; i < 7; ++i) {
            c[i] = (float)random_integer(&random, i < 6 ? -12 : 0, 12);
        }
        const graze_segment segment = {{c[0], c[1]}, {c[2], c[3]}};
        const graze_circle circle = {{c[4], c[5]}, c[6]};
        const graze_crossing found = graze_cross_segment_circle(segment, circle);
        const uint32_t expected = count_exactly(segment, circle);
        bool holds = found.count == expected;
        for (uint32_t i = 0; i < found.count; ++i) {
            holds = holds && lies_on_rim(found.points[i], circle) && found.along_a[i] >= 0 &&
                    found.along_a[i] <= 1;
        }
        holds = holds && (found.count < 2 || found.along_a[0] < found.along_a[1]);
        if (!holds) {
            const graze_vec2 points[] = {segment.a, segment.b, circle.center, {circle.radius, 0}};
            hard_points_show(seed, HARD_GRID, points, 4);
            fail_msg("%u points instead of %u", found.count, expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_and_line_cross_in_a_point_unless_they_are_parallel),
        cmocka_unit_test(segment_and_segment_cross_at_parameters_of_both),
        cmocka_unit_test(collinear_segments_that_overlap_give_the_two_ends),
        cmocka_unit_test(circumference_and_segment_do_not_meet_when_it_is_wholly_inside),
        cmocka_unit_test(the_place_on_a_circumference_is_its_angle),
        cmocka_unit_test(nothing_crosses_what_is_not_finite),
        cmocka_unit_test(crossings_of_segments_equal_exact_arithmetic),
        cmocka_unit_test(crossings_of_lines_equal_exact_arithmetic),
        cmocka_unit_test(crossings_of_a_circumference_equal_exact_arithmetic_on_a_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
