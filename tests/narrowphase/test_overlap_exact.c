// Overlap tests against exact arithmetic, and against one another.

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

static graze_vec2 make_point(random_state *random, float low, float high)
{
    const float x = random_float(random, low, high);
    const graze_vec2 point = {x, random_float(random, low, high)};
    return point;
}

static graze_rect make_random_rect(random_state *random)
{
    const graze_vec2 center = make_point(random, -3, 3);
    const graze_vec2 half = make_point(random, 0.1f, 2);
    const graze_rotation rotation = graze_rotation_from_angle(random_float(random, -4, 4));
    const graze_rect rect = {center, half, rotation};
    return rect;
}

static void check_segments(uint64_t seed, hard_kind kind)
{
    random_state random = random_seed(seed);
    graze_vec2 p[4];
    hard_points_make(&random, kind, p, 4);
    const graze_segment a = {p[0], p[1]};
    const graze_segment b = {p[2], p[3]};
    const graze_segment b_reversed = {p[3], p[2]};
    const bool expected = exact_segments_meet(p[0], p[1], p[2], p[3]);
    if (graze_overlap_segments(a, b) != expected || graze_overlap_segments(b, a) != expected ||
        graze_overlap_segments(a, b_reversed) != expected) {
        hard_points_show(seed, kind, p, 4);
        fail_msg("the exact answer is %d", expected);
    }
}

static void segments_equal_exact_arithmetic(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 10000; ++seed) {
            check_segments(seed, (hard_kind)kind);
        }
    }
}

// On integers of a few digits, times a power of two, every kernel for circles is exact.
static void circles_on_a_grid_equal_exact_arithmetic(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30000; ++seed) {
        random_state random = random_seed(seed);
        const float unit = ldexpf(1, random_integer(&random, -30, 30));
        float c[8];
        for (int i = 0; i < 8; ++i) {
            c[i] = unit * (float)random_integer(&random, i < 6 ? -12 : 0, 12);
        }
        const graze_circle disc = {{c[0], c[1]}, c[6]};
        const graze_segment segment = {{c[2], c[3]}, {c[4], c[5]}};
        const graze_circle other = {segment.a, c[7]};
        const double both = (double)c[6] + (double)c[7];
        const bool holds =
            graze_overlap_circle_segment(disc, segment) ==
                (exact_compare_distance(disc.center, segment.a, segment.b, (double)c[6]) <= 0) &&
            graze_overlap_point_circle(segment.a, disc) ==
                (exact_compare_distance(disc.center, segment.a, segment.a, (double)c[6]) <= 0) &&
            graze_overlap_circles(disc, other) ==
                (exact_compare_distance(disc.center, segment.a, segment.a, both) <= 0);
        if (!holds) {
            const graze_vec2 points[] = {disc.center, segment.a, segment.b, {c[6], c[7]}};
            hard_points_show(seed, HARD_GRID, points, 4);
            fail_msg("the exact answer is another one");
        }
    }
}

static float measure_distance(graze_vec2 point, graze_segment segment)
{
    const double vx = (double)segment.b.x - (double)segment.a.x;
    const double vy = (double)segment.b.y - (double)segment.a.y;
    const double px = (double)point.x - (double)segment.a.x;
    const double py = (double)point.y - (double)segment.a.y;
    const double t = fmin(fmax((px * vx + py * vy) / (vx * vx + vy * vy), 0), 1);
    return (float)hypot(px - t * vx, py - t * vy);
}

// For other numbers a disc may be misjudged only within 1e-14 of touching. Half of the discs touch
// as nearly as a float radius allows.
static void a_disc_is_misjudged_only_where_it_all_but_touches(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30000; ++seed) {
        random_state random = random_seed(seed);
        const graze_vec2 center = make_point(&random, -100, 100);
        const graze_vec2 a = make_point(&random, -100, 100);
        const graze_segment segment = {a, make_point(&random, -100, 100)};
        const float radius =
            seed % 2 == 0 ? random_float(&random, 0, 100) : measure_distance(center, segment);
        const graze_circle disc = {center, radius};
        const bool touches = graze_overlap_circle_segment(disc, segment);
        const double slack = touches ? 1 + 1e-14 : 1 - 1e-14;
        const int order =
            exact_compare_distance(center, segment.a, segment.b, (double)radius * slack);
        if (touches ? order > 0 : order < 0) {
            const graze_vec2 points[] = {center, segment.a, segment.b, {radius, 0}};
            hard_points_show(seed, HARD_MIXED, points, 4);
            fail_msg("the kernel says %d", touches);
        }
    }
}

static graze_polygon polygon_of(graze_rect rect)
{
    graze_polygon polygon;
    graze_rect_get_vertices(rect, polygon.vertices);
    polygon.count = 4;
    return polygon;
}

static graze_rect resized(graze_rect rect, float factor)
{
    rect.half = graze_vec2_scale(rect.half, factor);
    return rect;
}

// A slightly smaller rect, as a polygon, touches only what the rect touches, and a slightly larger
// one touches all that: the polygon tests are exact, but corners of a polygon are rounded.
static void rects_equal_the_polygons_of_their_corners(void **state)
{
    (void)state;
    const float less = 1 - 1e-5f;
    const float more = 1 + 1e-5f;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        random_state random = random_seed(seed);
        const graze_rect a = make_random_rect(&random);
        const graze_rect b = make_random_rect(&random);
        const graze_segment segment = {make_point(&random, -4, 4), make_point(&random, -4, 4)};
        const graze_circle circle = {segment.a, random_float(&random, 0, 2)};
        const graze_polygon small = polygon_of(resized(a, less));
        const graze_polygon large = polygon_of(resized(a, more));
        const graze_polygon other = polygon_of(b);
        const struct {
            bool smaller, touches, larger;
        } kernels[] = {
            {graze_overlap_polygons(&small, &other), graze_overlap_rects(a, b),
             graze_overlap_polygons(&large, &other)},
            {graze_overlap_polygon_segment(&small, segment), graze_overlap_rect_segment(a, segment),
             graze_overlap_polygon_segment(&large, segment)},
            {graze_overlap_circle_polygon(circle, &small), graze_overlap_circle_rect(circle, a),
             graze_overlap_circle_polygon(circle, &large)},
            {graze_overlap_point_polygon(segment.a, &small), graze_overlap_point_rect(segment.a, a),
             graze_overlap_point_polygon(segment.a, &large)},
        };
        for (size_t i = 0; i < COUNT_OF(kernels); ++i) {
            if (kernels[i].touches < kernels[i].smaller || kernels[i].touches > kernels[i].larger) {
                fail_msg("seed %u, kernel %zu", (unsigned)seed, i);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_equal_exact_arithmetic),
        cmocka_unit_test(circles_on_a_grid_equal_exact_arithmetic),
        cmocka_unit_test(a_disc_is_misjudged_only_where_it_all_but_touches),
        cmocka_unit_test(rects_equal_the_polygons_of_their_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
