#include "moving_pair.h"

#include <graze/cast.h>
#include <graze/orient.h>
#include <graze/overlap.h>

#include "hard_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const uint64_t seed = 161803;
#define NO_HIT                                                                                     \
    {                                                                                              \
        false, 0, {0, 0},                                                                          \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }

static const graze_hit none = NO_HIT;

static bool is_close(float a, float b)
{
    return fabsf(a - b) <= 1e-6f * fmaxf(1, fabsf(b));
}

static void check_hit(size_t row, graze_hit found, graze_hit expected)
{
    const bool is_right =
        found.hit == expected.hit && is_close(found.time, expected.time) &&
        is_close(found.point.x, expected.point.x) && is_close(found.point.y, expected.point.y) &&
        is_close(found.normal.x, expected.normal.x) && is_close(found.normal.y, expected.normal.y);
    if (!is_right) {
        fail_msg("row %zu: hit %d time %g point %g %g normal %g %g", row, found.hit,
                 (double)found.time, (double)found.point.x, (double)found.point.y,
                 (double)found.normal.x, (double)found.normal.y);
    }
}

static void ray_and_infinite_line_meet_unless_parallel(void **state)
{
    (void)state;
    const graze_line level = {{-1, 0}, {1, 0}};
    const graze_line steep = {{0, 0}, {3, 4}};
    const graze_line far_away = {{1e6f, 1e6f}, {1e6f + 1, 1e6f}};
    const struct {
        graze_ray ray;
        graze_line line;
        graze_hit hit;
    } rows[] = {
        {{{50, 2}, {4, -4}}, level, {true, 0.5f, {52, 0}, {0, 1}}}, // far beyond its points
        {{{0, -2}, {0, 4}}, level, {true, 0.5f, {0, 0}, {0, -1}}},
        {{{0, 2}, {0, -2}}, level, {true, 1, {0, 0}, {0, 1}}}, // ends on it
        {{{0, 2}, {5, -1}}, level, none},                      // stops short
        {{{0, 2}, {0, 4}}, level, none},                       // goes away
        {{{0, 2}, {9, 0}}, level, none},                       // parallel
        {{{0, 0}, {9, 0}}, level, {true, 0, {0, 0}, {0, 1}}},  // runs along it
        {{{0, 0}, {0, 3}}, level, {true, 0, {0, 0}, {0, -1}}}, // starts on it, up
        {{{0, 0}, {0, -3}}, level, {true, 0, {0, 0}, {0, 1}}}, // starts on it, down
        {{{5, 0}, {0, 0}}, level, {true, 0, {5, 0}, {0, 1}}},  // stays on it
        {{{5, 1}, {0, 0}}, level, none},
        {{{-4, 3}, {8, -6}}, steep, {true, 0.5f, {0, 0}, {-0.8f, 0.6f}}},
        {{{0, 1e6f + 1}, {0, -2}}, far_away, {true, 0.5f, {0, 1e6f}, {0, 1}}},
        {{{0, 1}, {0, -2}}, {{3, 3}, {3, 3}}, none}, // not a line
        {{{0, 1}, {0, -0x1p-149f}}, {{0, 1}, {1, 1}}, {true, 0, {0, 1}, {0, 1}}},
        {{{NAN, 1}, {0, -2}}, level, none},
        {{{0, 1}, {0, -INFINITY}}, level, none},
        {{{0, 1}, {0, -2}}, {{0, 0}, {INFINITY, 0}}, none},
        {{{0, 3e38f}, {0, 3e38f}}, level, none}, // its end is past the float range
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_hit(i, graze_cast_ray_line(rows[i].ray, rows[i].line), rows[i].hit);
    }
}

static void ray_and_line_hit_exactly_when_the_ends_are_not_on_one_side(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        random_state random = random_seed(seed);
        for (int i = 0; i < 20000; ++i) {
            graze_vec2 p[4];
            hard_points_make(&random, (hard_kind)kind, p, 4);
            const graze_ray ray = {p[0], graze_vec2_sub(p[1], p[0])};
            const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
            const graze_line line = {p[2], p[3]};
            const bool is_line = p[2].x != p[3].x || p[2].y != p[3].y;
            const bool is_finite = isfinite(end.x) && isfinite(end.y);
            const int before = graze_orient(line.a, line.b, ray.origin);
            const int after = graze_orient(line.a, line.b, end);
            const bool meets = is_line && is_finite && (before * after <= 0);
            if (graze_cast_ray_line(ray, line).hit != meets) {
                hard_points_show(seed, (hard_kind)kind, p, 4);
                fail_msg("ray %d", i);
            }
        }
    }
}

static void ray_and_segment_give_time_point_and_normal(void **state)
{
    (void)state;
    const graze_segment wall = {{-2, 0}, {2, 0}};
    const struct {
        graze_ray ray;
        graze_hit hit;
    } rows[] = {
        {{{0, 1}, {1, -4}}, {true, 0.25f, {0.25f, 0}, {0, 1}}},
        {{{0, -1}, {0, 2}}, {true, 0.5f, {0, 0}, {0, -1}}},
        {{{3, 1}, {0, -2}}, none}, // beside it
        {{{0, 2}, {0, -1}}, none}, // stops short
        {{{-3, 0}, {6, 0}}, none}, // along it
        {{{0, 1}, {0, 0}}, none},
        {{{0, 0}, {0, 0}}, none},
        {{{0, NAN}, {0, -4}}, none},
        {{{0, 1}, {0, -INFINITY}}, none},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_hit(i, graze_cast_ray_segment(rows[i].ray, wall), rows[i].hit);
        const graze_segment reversed = {wall.b, wall.a};
        check_hit(i, graze_cast_ray_segment(rows[i].ray, reversed), rows[i].hit);
    }
}

static void ray_and_segment_hit_exactly_when_they_cross(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        random_state random = random_seed(seed);
        for (int i = 0; i < 20000; ++i) {
            graze_vec2 p[4];
            hard_points_make(&random, (hard_kind)kind, p, 4);
            const graze_ray ray = {p[0], p[1]};
            const graze_segment wall = {p[2], p[3]};
            const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
            if (graze_cast_ray_segment(ray, wall).hit != graze_crosses(ray.origin, end, wall)) {
                hard_points_show(seed, (hard_kind)kind, p, 4);
                fail_msg("ray %d", i);
            }
        }
    }
}

static void ray_enters_circle(void **state)
{
    (void)state;
    const graze_circle circle = {{10, 0}, 2};
    const struct {
        graze_ray ray;
        graze_hit hit;
    } rows[] = {
        {{{4, 0}, {8, 0}}, {true, 0.5f, {8, 0}, {-1, 0}}},
        {{{6, 2}, {8, 0}}, {true, 0.5f, {10, 2}, {0, 1}}}, // grazes
        {{{6, nextafterf(2, 3)}, {8, 0}}, none},
        {{{4, 0}, {4, 0}}, {true, 1, {8, 0}, {-1, 0}}}, // ends on it
        {{{4, 0}, {3, 0}}, none},
        {{{4, 0}, {-8, 0}}, none},
        {{{11, 0}, {8, 0}}, {true, 0, {11, 0}, {1, 0}}},  // starts inside
        {{{10, 0}, {0, 3}}, {true, 0, {10, 0}, {-1, 0}}}, // starts at the centre
        {{{10, 2}, {0, 0}}, {true, 0, {10, 2}, {0, 1}}},  // a point on the rim
        {{{4, NAN}, {8, 0}}, none},
        {{{4, 0}, {INFINITY, 0}}, none},
        {{{-3e38f, 0}, {3e38f, 0}}, {true, 1, {8, 0}, {-1, 0}}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_hit(i, graze_cast_ray_circle(rows[i].ray, circle), rows[i].hit);
    }
}

static void ray_whose_end_is_past_the_float_range_meets_circle_and_rect(void **state)
{
    (void)state;
    const graze_ray ray = {{3e38f, 0}, {3e38f, 0}};
    const graze_circle circle = {{3.3e38f, 0}, 1e37f};
    const graze_rect rect = {{3.3e38f, 0}, {1e37f, 1e37f}, {1, 0}};
    const graze_polygon polygon = {{{3.2e38f, -1}, {3.3e38f, -1}, {3.3e38f, 1}}, 3};
    assert_true(graze_cast_ray_circle(ray, circle).hit);
    assert_true(graze_cast_ray_rect(ray, rect).hit);
    assert_false(graze_cast_ray_polygon(ray, &polygon).hit);
}

static void ray_meets_circle_that_is_a_point(void **state)
{
    (void)state;
    const graze_circle circle = {{10, 1}, 0};
    const struct {
        graze_ray ray;
        graze_hit hit;
    } rows[] = {
        {{{4, 1}, {8, 0}}, {true, 0.75f, {10, 1}, {-1, 0}}},
        {{{10, 5}, {0, -4}}, {true, 1, {10, 1}, {0, 1}}},
        {{{10, 1}, {8, 0}}, {true, 0, {10, 1}, {-1, 0}}},
        {{{4, nextafterf(1, 2)}, {8, 0}}, none},
        {{{4, 1}, {5, 0}}, none},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_hit(i, graze_cast_ray_circle(rows[i].ray, circle), rows[i].hit);
    }
}

// A random point at any scale, such that moving it to the shape's centre and back would round it.
static graze_vec2 point_of_any_size(random_state *random)
{
    const float size = ldexpf(1, random_integer(random, -30, 10));
    const graze_vec2 point = {size * random_float(random, -1, 1), random_float(random, -9, 9)};
    return point;
}

static void ray_that_starts_inside_is_hit_at_its_own_origin(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    uint32_t inside = 0;
    for (int i = 0; i < 20000; ++i) {
        const graze_ray ray = {point_of_any_size(&random), point_of_any_size(&random)};
        const graze_circle circle = {point_of_any_size(&random), random_float(&random, 1, 1000)};
        const graze_rect rect = {point_of_any_size(&random),
                                 {random_float(&random, 1, 1000), random_float(&random, 1, 1000)},
                                 graze_rotation_from_angle(random_float(&random, -4, 4))};
        const graze_hit hits[] = {graze_cast_ray_circle(ray, circle),
                                  graze_cast_ray_rect(ray, rect)};
        const bool starts_in[] = {graze_overlap_point_circle(ray.origin, circle),
                                  graze_overlap_point_rect(ray.origin, rect)};
        for (int k = 0; k < 2; ++k) {
            inside += starts_in[k];
            if (starts_in[k] &&
                !(hits[k].hit && hits[k].time == 0 && hits[k].point.x == ray.origin.x &&
                  hits[k].point.y == ray.origin.y)) {
                fail_msg("ray %d against %s", i, k == 0 ? "a circle" : "a rect");
            }
        }
    }
    assert_true(inside > 10000);
}

static const struct {
    graze_ray ray;
    graze_hit hit;
} box_rows[] = {
    // Against the box from (8, -1) to (12, 1).
    {{{4, 0.5f}, {8, 0}}, {true, 0.5f, {8, 0.5f}, {-1, 0}}},
    {{{11, 3}, {0, -4}}, {true, 0.5f, {11, 1}, {0, 1}}},
    {{{4, -1}, {8, 0}}, {true, 0.5f, {8, -1}, {-1, 0}}},  // along its side
    {{{14, -0.5f}, {-8, -4}}, NO_HIT},                    // past its corner
    {{{14, 3}, {-4, -4}}, {true, 0.5f, {12, 1}, {1, 0}}}, // into its corner
    {{{4, 0}, {4, 0}}, {true, 1, {8, 0}, {-1, 0}}},
    {{{4, 0}, {3.5f, 0}}, NO_HIT},
    {{{4, 0}, {-8, 0}}, NO_HIT},
    {{{4, 2}, {9, 0}}, NO_HIT},
    {{{11.5f, 0}, {9, 9}}, {true, 0, {11.5f, 0}, {1, 0}}}, // starts inside
    {{{8, 0}, {-1, 0}}, {true, 0, {8, 0}, {-1, 0}}},       // leaves from its side
    {{{9, -0.75f}, {0, 0}}, {true, 0, {9, -0.75f}, {0, -1}}},
    {{{NAN, 0}, {8, 0}}, NO_HIT},
    {{{4, 0}, {8, INFINITY}}, NO_HIT},
};

// At a corner the normal of either side is right.
static void check_box_row(size_t row, graze_hit found)
{
    graze_hit expected = box_rows[row].hit;
    if (expected.point.x == 12 && expected.point.y == 1) {
        expected.normal = found.normal;
        assert_true(graze_vec2_dot(found.normal, box_rows[row].ray.delta) < 0);
    }
    check_hit(row, found, expected);
}

static void ray_enters_rect(void **state)
{
    (void)state;
    const graze_rect rect = {{10, 0}, {2, 1}, {1, 0}};
    const graze_rect turned = {{10, 0}, {1, 2}, {0, 1}};
    for (size_t i = 0; i < COUNT_OF(box_rows); ++i) {
        check_box_row(i, graze_cast_ray_rect(box_rows[i].ray, rect));
        check_box_row(i, graze_cast_ray_rect(box_rows[i].ray, turned));
    }
}

static void ray_enters_polygon_in_either_winding(void **state)
{
    (void)state;
    const graze_polygon boxes[] = {
        {{{8, -1}, {12, -1}, {12, 1}, {8, 1}}, 4},
        {{{8, -1}, {8, 1}, {12, 1}, {12, -1}}, 4},
        {{{8, -1}, {9, -1}, {12, -1}, {12, 0}, {12, 0}, {12, 1}, {8, 1}}, 7},
    };
    for (size_t k = 0; k < COUNT_OF(boxes); ++k) {
        for (size_t i = 0; i < COUNT_OF(box_rows); ++i) {
            check_box_row(i, graze_cast_ray_polygon(box_rows[i].ray, &boxes[k]));
        }
    }
}

// Rays along a side whose middle vertex lies too deep by a rounding error.
static void ray_meets_dented_polygon_within_its_way(void **state)
{
    (void)state;
    const float dent = nextafterf(2, 0);
    const graze_polygon polygon = {{{0, 0}, {4, 0}, {4, 2}, {2, dent}, {0, 2}}, 5};
    for (int i = 0; i <= 20; ++i) {
        const graze_ray along = {{-2, dent}, {2 + (float)i / 10, (float)(i % 2) * (2 - dent)}};
        const graze_ray back = {{6, dent}, {-2 - (float)i / 10, (float)(i % 2) * (2 - dent)}};
        const graze_hit hits[] = {graze_cast_ray_polygon(along, &polygon),
                                  graze_cast_ray_polygon(back, &polygon)};
        for (int k = 0; k < 2; ++k) {
            assert_true(hits[k].hit && hits[k].time > 0 && hits[k].time <= 1);
            assert_true(hits[k].point.x >= -2 && hits[k].point.x <= 6);
        }
    }
}

static void polygon_without_area_is_a_segment_or_a_point(void **state)
{
    (void)state;
    const graze_polygon segment = {{{2, 0}, {-2, 0}}, 2};
    const graze_polygon collinear = {{{-2, 0}, {0, 0}, {2, 0}, {1, 0}}, 4};
    const graze_polygon point = {{{1, 0}}, 1};
    const graze_polygon nothing = {{{1, 0}}, 0};
    const graze_polygon too_many = {{{1, 0}}, GRAZE_POLYGON_CAPACITY + 1};
    const graze_ray down = {{1, 1}, {0, -2}};
    const graze_ray along = {{-4, 0}, {4, 0}};
    const graze_hit hit_down = {true, 0.5f, {1, 0}, {0, 1}};
    const graze_hit hit_along = {true, 0.5f, {-2, 0}, {-1, 0}};
    check_hit(0, graze_cast_ray_polygon(down, &segment), hit_down);
    check_hit(1, graze_cast_ray_polygon(down, &collinear), hit_down);
    check_hit(2, graze_cast_ray_polygon(down, &point), hit_down);
    check_hit(3, graze_cast_ray_polygon(along, &segment), hit_along);
    check_hit(4, graze_cast_ray_polygon(along, &collinear), hit_along);
    check_hit(5, graze_cast_ray_polygon(along, &point), none);
    check_hit(6, graze_cast_ray_polygon(down, &nothing), none);
    check_hit(7, graze_cast_ray_polygon(down, &too_many), none);
}

// Returns the first time at which the path is on an edge, by Cramer's rule; infinity when never.
static long double first_time_on_edges(graze_ray ray, const graze_polygon *polygon)
{
    long double first = HUGE_VALL;
    for (uint32_t i = 0; i < polygon->count; ++i) {
        const graze_vec2 a = polygon->vertices[i];
        const graze_vec2 b = polygon->vertices[(i + 1) % polygon->count];
        const long double ex = (long double)b.x - (long double)a.x;
        const long double ey = (long double)b.y - (long double)a.y;
        const long double ax = (long double)a.x - (long double)ray.origin.x;
        const long double ay = (long double)a.y - (long double)ray.origin.y;
        const long double dx = (long double)ray.delta.x;
        const long double dy = (long double)ray.delta.y;
        const long double divisor = dx * ey - dy * ex;
        const long double time = (ax * ey - ay * ex) / divisor;
        const long double place = (ax * dy - ay * dx) / divisor;
        if (divisor != 0 && place >= -1e-15L && place <= 1 + 1e-15L && time >= 0 && time < first) {
            first = time;
        }
    }
    return first;
}

static graze_polygon lattice_triangle(random_state *random)
{
    graze_polygon polygon = {{{0, 0}}, 3};
    for (int i = 0; i < 3; ++i) {
        polygon.vertices[i].x = (float)random_integer(random, -4, 4);
        polygon.vertices[i].y = (float)random_integer(random, -4, 4);
    }
    return polygon;
}

static void ray_and_polygon_hit_exactly_when_they_overlap(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const graze_polygon polygon = lattice_triangle(&random);
        const graze_ray ray = {
            {(float)random_integer(&random, -6, 6), (float)random_integer(&random, -6, 6)},
            {(float)random_integer(&random, -9, 9), (float)random_integer(&random, -9, 9)}};
        const graze_segment path = {ray.origin, graze_vec2_add(ray.origin, ray.delta)};
        const graze_hit hit = graze_cast_ray_polygon(ray, &polygon);
        assert_int_equal(hit.hit, graze_overlap_polygon_segment(&polygon, path));
        const bool is_inside = graze_overlap_point_polygon(ray.origin, &polygon);
        const bool has_area =
            graze_orient(polygon.vertices[0], polygon.vertices[1], polygon.vertices[2]) != 0;
        if (hit.hit && is_inside) {
            assert_true(hit.time == 0);
        } else if (hit.hit && has_area) {
            const long double time = first_time_on_edges(ray, &polygon);
            assert_true(fabsl((long double)hit.time - time) < 1e-6L);
            assert_true(graze_vec2_dot(hit.normal, ray.delta) < 0);
        }
    }
}

static graze_hit cast_pair(const moving_pair *pair)
{
    switch (pair->kind) {
    case PAIR_CIRCLES:
        return graze_cast_circle_circle(moving_pair_circle(pair->a), pair->delta,
                                        moving_pair_circle(pair->b));
    case PAIR_CIRCLE_RECT:
        return graze_cast_circle_rect(moving_pair_circle(pair->a), pair->delta, pair->b);
    case PAIR_RECTS:
        return graze_cast_rect_rect(pair->a, pair->delta, pair->b);
    case PAIR_CIRCLE_SEGMENT:
        return graze_cast_circle_segment(moving_pair_circle(pair->a), pair->delta, pair->wall);
    default:
        return graze_cast_rect_segment(pair->a, pair->delta, pair->wall);
    }
}

static void casts_are_sweeps_with_the_normal_turned_around(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 50000; ++i) {
        const pair_kind kind = (pair_kind)(i % PAIR_KIND_COUNT);
        const moving_pair pair = moving_pair_random(&random, kind);
        const graze_sweep sweep = moving_pair_sweep(&pair);
        const bool is_wall = kind == PAIR_CIRCLE_SEGMENT || kind == PAIR_RECT_SEGMENT;
        const double from_x = is_wall || !sweep.hit ? 0 : (double)pair.b.center.x;
        const double from_y = is_wall || !sweep.hit ? 0 : (double)pair.b.center.y;
        const graze_hit expected = {
            sweep.hit,
            (float)sweep.time,
            {(float)(from_x + sweep.point.x), (float)(from_y + sweep.point.y)},
            {(float)-sweep.normal.x, (float)-sweep.normal.y}};
        check_hit((size_t)i, cast_pair(&pair), expected);
    }
}

static void circle_against_segment_circle_and_rect(void **state)
{
    (void)state;
    const graze_circle mover = {{10, 5}, 1};
    const graze_vec2 down = {0, -8};
    const graze_segment wall = {{0, 0}, {20, 0}};
    const graze_circle circle = {{10, -1}, 1};
    const graze_rect rect = {{10, -1}, {3, 1}, {1, 0}};
    const graze_hit expected = {true, 0.5f, {10, 0}, {0, 1}};
    check_hit(0, graze_cast_circle_segment(mover, down, wall), expected);
    check_hit(1, graze_cast_circle_circle(mover, down, circle), expected);
    check_hit(2, graze_cast_circle_rect(mover, down, rect), expected);
}

static void rect_against_segment_and_rect(void **state)
{
    (void)state;
    const graze_rect mover = {{10, 5}, {1, 1}, {1, 0}};
    const graze_vec2 down = {0, -8};
    const graze_segment wall = {{0, 0}, {20, 0}};
    const graze_rect rect = {{10, -1}, {3, 1}, {1, 0}};
    const graze_hit expected = {true, 0.5f, {10, 0}, {0, 1}};
    check_hit(0, graze_cast_rect_segment(mover, down, wall), expected);
    check_hit(1, graze_cast_rect_rect(mover, down, rect), expected);
}

// Edges that are very short beside the path: iterations to a tolerance fail here, closed forms do
// not.
static void shapes_with_edges_of_a_millimetre_are_cast_like_any_other(void **state)
{
    (void)state;
    const graze_vec2 sizes[] = {{0.001f, 0.001f}, {0.5f, 0.001f}, {0.001f, 0.5f}, {1e-6f, 1e-3f}};
    const float starts[] = {-1, -100, -10000};
    const graze_rotation upright = {1, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes * 12; ++i) {
        const graze_vec2 half = sizes[i / 12];
        const graze_vec2 other = sizes[i % 4];
        const float start = starts[i / 4 % 3];
        const graze_rect mover = {{start, 0}, half, upright};
        const graze_rect target = {{0, 0}, other, upright};
        const graze_segment wall = {{0, -0.0005f}, {0, 0.0005f}};
        const graze_vec2 delta = {-2 * start, 0};
        const double length = (double)delta.x;
        const graze_hit on_rect = graze_cast_rect_rect(mover, delta, target);
        const graze_hit on_wall = graze_cast_rect_segment(mover, delta, wall);
        const double gap = -(double)start - (double)half.x;
        assert_true(on_rect.hit && on_wall.hit);
        assert_float_equal(on_rect.time, (float)((gap - (double)other.x) / length), 1e-7f);
        assert_float_equal(on_wall.time, (float)(gap / length), 1e-7f);
        assert_true(on_rect.normal.x == -1 && on_rect.normal.y == 0);
        assert_true(on_wall.normal.x == -1 && on_wall.normal.y == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_with_edges_of_a_millimetre_are_cast_like_any_other),
        cmocka_unit_test(ray_and_infinite_line_meet_unless_parallel),
        cmocka_unit_test(ray_and_line_hit_exactly_when_the_ends_are_not_on_one_side),
        cmocka_unit_test(ray_and_segment_give_time_point_and_normal),
        cmocka_unit_test(ray_and_segment_hit_exactly_when_they_cross),
        cmocka_unit_test(ray_enters_circle),
        cmocka_unit_test(ray_whose_end_is_past_the_float_range_meets_circle_and_rect),
        cmocka_unit_test(ray_meets_circle_that_is_a_point),
        cmocka_unit_test(ray_that_starts_inside_is_hit_at_its_own_origin),
        cmocka_unit_test(ray_enters_rect),
        cmocka_unit_test(ray_enters_polygon_in_either_winding),
        cmocka_unit_test(ray_meets_dented_polygon_within_its_way),
        cmocka_unit_test(polygon_without_area_is_a_segment_or_a_point),
        cmocka_unit_test(ray_and_polygon_hit_exactly_when_they_overlap),
        cmocka_unit_test(casts_are_sweeps_with_the_normal_turned_around),
        cmocka_unit_test(circle_against_segment_circle_and_rect),
        cmocka_unit_test(rect_against_segment_and_rect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
