#include "moving_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const uint64_t seed = 20250107;

static moving_pair circles(float x, float y, float dx, float dy, float radius_a, float radius_b)
{
    const moving_pair pair = {PAIR_CIRCLES,
                              {{x, y}, {radius_a, 1}, {1, 0}},
                              {{0, 0}, {radius_b, 1}, {1, 0}},
                              {{0, 0}, {0, 0}},
                              {dx, dy}};
    return pair;
}

static moving_pair circle_and_rect(float x, float y, float dx, float dy, float radius)
{
    moving_pair pair = circles(x, y, dx, dy, radius, 2);
    pair.kind = PAIR_CIRCLE_RECT;
    return pair;
}

static moving_pair circle_and_wall(float x, float y, float dx, float dy, float radius)
{
    moving_pair pair = circles(x, y, dx, dy, radius, 1);
    pair.kind = PAIR_CIRCLE_SEGMENT;
    pair.wall.a.x = -2;
    pair.wall.b.x = 2;
    return pair;
}

static moving_pair rect_and_rect(float x, float y, float dx, float dy)
{
    moving_pair pair = circles(x, y, dx, dy, 1, 2);
    pair.kind = PAIR_RECTS;
    return pair;
}

static moving_pair rect_and_wall(float x, float y, float dx, float dy)
{
    moving_pair pair = circle_and_wall(x, y, dx, dy, 1);
    pair.kind = PAIR_RECT_SEGMENT;
    return pair;
}

static moving_pair turned_45(moving_pair pair)
{
    pair.a.rotation = graze_rotation_from_angle(0.785398163f);
    return pair;
}

typedef struct expected_sweep {
    moving_pair pair;
    graze_sweep sweep;
} expected_sweep;

static bool is_near(graze_vec2d a, graze_vec2d b, double tolerance)
{
    return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance;
}

static void check_table(const expected_sweep *rows, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; ++i) {
        const graze_sweep sweep = moving_pair_sweep(&rows[i].pair);
        const graze_sweep *expected = &rows[i].sweep;
        const bool is_right = sweep.hit == expected->hit &&
                              fabs(sweep.time - expected->time) <= tolerance &&
                              fabs(sweep.depth - expected->depth) <= tolerance &&
                              is_near(sweep.normal, expected->normal, tolerance) &&
                              is_near(sweep.point, expected->point, tolerance);
        if (!is_right) {
            moving_pair_print("wrong row", &rows[i].pair);
            fail_msg("row %zu", i);
        }
    }
}

static void a_moving_circle_touches_a_circle_on_time(void **state)
{
    (void)state;
    const float beyond = nextafterf(2, 3);
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    const expected_sweep rows[] = {
        {circles(-5, 0, 6, 0, 1, 1), {true, 0.5, {-1, 0}, {1, 0}, 0}},       // head on
        {circles(-5, 2, 10, 0, 1, 1), {true, 0.5, {0, 1}, {0, -1}, 0}},      // grazes
        {circles(-5, beyond, 10, 0, 1, 1), none},                            // just passes
        {circles(-5, 0, 3, 0, 1, 1), {true, 1, {-1, 0}, {1, 0}, 0}},         // arrives touching
        {circles(-5, 0, nextafterf(3, 0), 0, 1, 1), none},                   // stops short
        {circles(-2, 0, -1, 0, 1, 1), {true, 0, {-1, 0}, {1, 0}, 0}},        // leaves touching
        {circles(-3, 0, -1, 0, 1, 1), none},                                 // moves away
        {circles(-3, 0, 0, 3, 1, 1), none},                                  // moves past
        {circles(3, 4, 0, 0, 2, 3), {true, 0, {1.8, 2.4}, {-0.6, -0.8}, 0}}, // 3-4-5, at rest
        {circles(1, 0, 5, 5, 1, 1), {true, 0, {1, 0}, {-1, 0}, 1}},          // overlaps
        {circles(0, 0, 1, 1, 1, 2), {true, 0, {0, 0}, {1, 0}, 3}},           // one centre
        {circles(0.5f, 0, 0, 0, 0, 2), {true, 0, {0.5, 0}, {-1, 0}, 1.5}},   // a bullet inside
        {circles(-4, 0, 8, 0, 0, 2), {true, 0.25, {-2, 0}, {1, 0}, 0}},      // a bullet
        {circles(-4, 2, 8, 0, 0, 2), {true, 0.5, {0, 2}, {0, -1}, 0}},       // a bullet grazes
        {circles(-4, 0, 8, 0, 0, 0), {true, 0.5, {0, 0}, {1, 0}, 0}},        // two points
        {circles(-4, 1, 8, 0, 0, 0), none},
        {circles(0, 0, 0, 0, 0, 0), {true, 0, {0, 0}, {1, 0}, 0}},
    };
    check_table(rows, COUNT_OF(rows), 1e-15);
}

static void a_moving_circle_touches_a_rect_on_time(void **state)
{
    (void)state;
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    // The rect reaches to x = 2 and y = 1.
    const expected_sweep rows[] = {
        {circle_and_rect(-5, 0, 4, 0, 1), {true, 0.5, {-2, 0}, {1, 0}, 0}}, // a side
        {circle_and_rect(5, 0.5f, -4, 0, 1), {true, 0.5, {2, 0.5}, {-1, 0}, 0}},
        {circle_and_rect(1, 4, 0, -4, 1), {true, 0.5, {1, 1}, {0, -1}, 0}},
        {circle_and_rect(-1, -4, 0, 4, 1), {true, 0.5, {-1, -1}, {0, 1}, 0}},
        {circle_and_rect(5, 2, -4, 0, 1), {true, 0.75, {2, 1}, {0, -1}, 0}}, // grazes the top
        {circle_and_rect(5, nextafterf(2, 3), -9, 0, 1), none},              // just passes
        {circle_and_rect(11, 5, -8, -4, 0), none},                           // ends beside it
        {circle_and_rect(10, 10, -10, -10, 5), {true, 0.5, {2, 1}, {-0.6, -0.8}, 0}}, // a corner
        {circle_and_rect(5, 1, -4, 0, 1), {true, 0.5, {2, 1}, {-1, 0}, 0}},     // side meets corner
        {circle_and_rect(4, 3, -4, -4, 0), {true, 0.5, {2, 1}, {-1, 0}, 0}},    // a bullet, corner
        {circle_and_rect(4, 3, -1, -1, 1), none},                               // stops short
        {circle_and_rect(3, 2, 1, -1, 1), none},                                // past the corner
        {circle_and_rect(3, 0, 1, 0, 1), {true, 0, {2, 0}, {-1, 0}, 0}},        // leaves touching
        {circle_and_rect(1.5f, 0, 9, 9, 1), {true, 0, {1.5, 0}, {-1, 0}, 1.5}}, // centre inside
        {circle_and_rect(0, -0.5f, 0, 0, 1), {true, 0, {0, -0.5}, {0, 1}, 1.5}},
        {circle_and_rect(0, 0, 0, 0, 0), {true, 0, {0, 0}, {0, -1}, 1}},
        {circle_and_rect(-2.5f, 0.5f, 0, 0, 1), {true, 0, {-2, 0.5}, {1, 0}, 0.5}},
        {circle_and_rect(5, 5, 0, 0, 5), {true, 0, {2, 1}, {-0.6, -0.8}, 0}}, // corner, 3-4-5
        {circle_and_rect(-5, 0, 5, 0, 0), {true, 0.6, {-2, 0}, {1, 0}, 0}},   // a bullet
        {circle_and_rect(-5, 1, 5, 0, 0), {true, 0.6, {-2, 1}, {1, 0}, 0}},   // along the top
        {circle_and_rect(-5, nextafterf(1, 2), 9, 0, 0), none},
    };
    check_table(rows, COUNT_OF(rows), 1e-15);
}

static void a_moving_circle_touches_a_segment_on_time(void **state)
{
    (void)state;
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    // The wall goes from (-2, 0) to (2, 0).
    const expected_sweep rows[] = {
        {circle_and_wall(0, 3, 0, -4, 1), {true, 0.5, {0, 0}, {0, -1}, 0}},
        {circle_and_wall(1, -3, 0, 4, 1), {true, 0.5, {1, 0}, {0, 1}, 0}},
        {circle_and_wall(2, 3, 0, -4, 1), {true, 0.5, {2, 0}, {0, -1}, 0}}, // over its end
        {circle_and_wall(-5, 0, 4, 0, 1), {true, 0.5, {-2, 0}, {1, 0}, 0}}, // the end a
        {circle_and_wall(5, 0, -4, 0, 1), {true, 0.5, {2, 0}, {-1, 0}, 0}}, // the end b
        {circle_and_wall(10, 9, -10, -10, 5), {true, 0.5, {2, 0}, {-0.6, -0.8}, 0}},
        {circle_and_wall(-5, 1, 6, 0, 1), {true, 0.5, {-2, 0}, {0, -1}, 0}}, // grazes
        {circle_and_wall(-5, nextafterf(1, 2), 6, 0, 1), none},              // just passes
        {circle_and_wall(0, 3, 0, -2, 1), {true, 1, {0, 0}, {0, -1}, 0}},    // arrives touching
        {circle_and_wall(0, 3, 0, -nextafterf(2, 0), 1), none},              // stops short
        {circle_and_wall(0, 1, 0, 1, 1), {true, 0, {0, 0}, {0, -1}, 0}},     // leaves touching
        {circle_and_wall(0, 2, 0, 1, 1), none},
        {circle_and_wall(3.5f, 2, -1, 0, 1), none},
        {circle_and_wall(0, 0.5f, 9, 9, 1), {true, 0, {0, 0}, {0, -1}, 0.5}},
        {circle_and_wall(0, -0.5f, 0, 0, 1), {true, 0, {0, 0}, {0, 1}, 0.5}},
        {circle_and_wall(1, 0, 0, -9, 1), {true, 0, {1, 0}, {0, -1}, 1}},  // on it: left of it
        {circle_and_wall(-2, 0, 9, 0, 1), {true, 0, {-2, 0}, {0, -1}, 1}}, // on its end
        {circle_and_wall(-2.5f, 0, 0, 0, 1), {true, 0, {-2, 0}, {1, 0}, 0.5}},
        {circle_and_wall(0, 3, 0, -4, 0), {true, 0.75, {0, 0}, {0, -1}, 0}}, // a point
        {circle_and_wall(2, 3, 0, -4, 0), {true, 0.75, {2, 0}, {0, -1}, 0}}, // on the end
        {circle_and_wall(nextafterf(2, 3), 3, 0, -4, 0), none},
        {circle_and_wall(-4, 0, 4, 0, 0), {true, 0.5, {-2, 0}, {1, 0}, 0}}, // along it
        {circle_and_wall(1, 0, 0, 0, 0), {true, 0, {1, 0}, {0, -1}, 0}},
    };
    check_table(rows, COUNT_OF(rows), 1e-15);
}

static moving_pair with_point_wall(moving_pair pair)
{
    pair.wall.a.x = 0;
    pair.wall.b.x = 0;
    return pair;
}

static void a_wall_of_no_length_is_a_point(void **state)
{
    (void)state;
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    const expected_sweep rows[] = {
        {with_point_wall(circle_and_wall(-3, 0, 4, 0, 1)), {true, 0.5, {0, 0}, {1, 0}, 0}},
        {with_point_wall(circle_and_wall(-3, 1, 6, 0, 1)), {true, 0.5, {0, 0}, {0, -1}, 0}},
        {with_point_wall(circle_and_wall(-3, nextafterf(1, 2), 6, 0, 1)), none},
        {with_point_wall(circle_and_wall(0, 0, 6, 0, 1)), {true, 0, {0, 0}, {1, 0}, 1}},
        {with_point_wall(circle_and_wall(0, 0.5f, 6, 0, 1)), {true, 0, {0, 0}, {0, -1}, 0.5}},
        {with_point_wall(circle_and_wall(0, 0, 0, 0, 0)), {true, 0, {0, 0}, {1, 0}, 0}},
        {with_point_wall(rect_and_wall(-4, 0, 6, 0)), {true, 0.5, {0, 0}, {1, 0}, 0}},
        {with_point_wall(rect_and_wall(-4, 1, 6, 0)), {true, 0.5, {0, 0}, {1, 0}, 0}},
        {with_point_wall(rect_and_wall(-4, nextafterf(1, 2), 6, 0)), none},
        {with_point_wall(rect_and_wall(0, 0.75f, 6, 0)), {true, 0, {0, 0}, {0, -1}, 0.25}},
    };
    check_table(rows, COUNT_OF(rows), 1e-15);
}

static void a_moving_rect_touches_a_rect_on_time(void **state)
{
    (void)state;
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    // The mover reaches 1 to all sides, the target 2 in x and 1 in y.
    const expected_sweep rows[] = {
        {rect_and_rect(-5, 0, 4, 0), {true, 0.5, {-2, 0}, {1, 0}, 0}},   // side on side
        {rect_and_rect(-5, 1, 4, 0), {true, 0.5, {-2, 0.5}, {1, 0}, 0}}, // they share half a side
        {rect_and_rect(0.5f, 5, 0, -6), {true, 0.5, {0.5, 1}, {0, -1}, 0}},
        {rect_and_rect(-5, 2, 4, 0), {true, 0.5, {-2, 1}, {1, 0}, 0}},   // grazes along the top
        {rect_and_rect(-5, nextafterf(2, 3), 10, 0), none},              // just passes
        {rect_and_rect(-5, -4, 4, 4), {true, 0.5, {-2, -1}, {1, 0}, 0}}, // corner on corner
        {rect_and_rect(-7, 0, 4, 4), none},                              // corner just missed
        {rect_and_rect(-5, 0, 2, 0), {true, 1, {-2, 0}, {1, 0}, 0}},     // arrives touching
        {rect_and_rect(-5, 0, nextafterf(2, 0), 0), none},               // stops short
        {rect_and_rect(-3, 0, -1, 0), {true, 0, {-2, 0}, {1, 0}, 0}},    // leaves touching
        {rect_and_rect(-4, 0, -1, 0), none},
        {rect_and_rect(-3, -2, 0, 0), {true, 0, {-2, -1}, {1, 0}, 0}}, // corners touch, at rest
        {rect_and_rect(-2.5f, 0, 9, 9), {true, 0, {-2, 0}, {1, 0}, 0.5}},
        {rect_and_rect(0, 0, 0, 0), {true, 0, {0, -1}, {0, 1}, 2}}, // one centre
    };
    check_table(rows, COUNT_OF(rows), 1e-15);
    const expected_sweep turned[] = {
        {turned_45(rect_and_rect(-5, 0, 4, 0)), {true, 0.39644661, {-2, 0}, {1, 0}, 0}},
        {turned_45(rect_and_rect(1, 5, 0, -4)), {true, 0.64644661, {1, 1}, {0, -1}, 0}},
        {turned_45(rect_and_rect(0, 2.25f, 0, 0)), {true, 0, {0, 0.83578644}, {0, -1}, 0.16421356}},
        {turned_45(rect_and_rect(0, 2.5f, 9, 0)), none},
    };
    check_table(turned, COUNT_OF(turned), 1e-6);
}

static void a_moving_rect_touches_a_segment_on_time(void **state)
{
    (void)state;
    const graze_sweep none = {false, 0, {0, 0}, {0, 0}, 0};
    const expected_sweep rows[] = {
        {rect_and_wall(0, 4, 0, -6), {true, 0.5, {0, 0}, {0, -1}, 0}},
        {rect_and_wall(0, -4, 0, 6), {true, 0.5, {0, 0}, {0, 1}, 0}},
        {rect_and_wall(2.5f, 4, 0, -6), {true, 0.5, {1.75, 0}, {0, -1}, 0}}, // over its end
        {rect_and_wall(-5, 0, 4, 0), {true, 0.5, {-2, 0}, {1, 0}, 0}},       // its end
        {rect_and_wall(-5, 1, 4, 0), {true, 0.5, {-2, 0}, {1, 0}, 0}},       // grazes
        {rect_and_wall(-5, nextafterf(1, 2), 9, 0), none},                   // just passes
        {rect_and_wall(0, 4, 0, -3), {true, 1, {0, 0}, {0, -1}, 0}},         // arrives touching
        {rect_and_wall(0, 4, 0, -nextafterf(3, 0)), none},                   // stops short
        {rect_and_wall(0, 1, 0, 1), {true, 0, {0, 0}, {0, -1}, 0}},          // leaves touching
        {rect_and_wall(0, 2, 0, 1), none},
        {rect_and_wall(0, 0.5f, 9, 9), {true, 0, {0, -0.5}, {0, -1}, 0.5}},
        {rect_and_wall(-2.75f, 0, 0, 0), {true, 0, {-2, 0}, {1, 0}, 0.25}},
    };
    check_table(rows, COUNT_OF(rows), 1e-15);
    const expected_sweep turned[] = {
        {turned_45(rect_and_wall(0, 4, 0, -4)), {true, 0.64644661, {0, 0}, {0, -1}, 0}},
    };
    check_table(turned, COUNT_OF(turned), 1e-6);
    const moving_pair corner_on_end = turned_45(rect_and_wall(-5, 0, 4, 0));
    const graze_sweep sweep = moving_pair_sweep(&corner_on_end);
    assert_true(sweep.hit && fabs(sweep.time - 0.39644661) < 1e-6);
    assert_true(is_near(sweep.point, (graze_vec2d){-2, 0}, 1e-6) && sweep.normal.x > 0.7);
}

typedef moving_pair make_pair(random_state *random, pair_kind kind);

// What double makes of sizes of a few units; and rects' rotations in float, which are off unit
// length by 6e-8.
static const double rounding = 1e-13;
static const double float_rotation = 1e-6;

// A property returns null, or what is wrong with a pair.
typedef const char *pair_property(const moving_pair *pair, double tolerance);

static void for_all_pairs(make_pair *make, pair_property *property, double tolerance, int count)
{
    random_state random = random_seed(seed);
    for (int i = 0; i < count; ++i) {
        const pair_kind kind = (pair_kind)(i % PAIR_KIND_COUNT);
        const bool has_rect = kind != PAIR_CIRCLES && kind != PAIR_CIRCLE_SEGMENT;
        const moving_pair pair = make(&random, kind);
        const char *wrong = property(&pair, has_rect ? tolerance : rounding);
        if (wrong != NULL) {
            moving_pair_print(wrong, &pair);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void check_random_and_lattice(pair_property *property)
{
    for_all_pairs(moving_pair_random, property, float_rotation, 40000);
    for_all_pairs(moving_pair_lattice, property, rounding, 40000);
}

static const char *hits_at_once_when_overlapping(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    const graze_sweep sweep = moving_pair_sweep(pair);
    const bool overlaps = moving_pair_overlaps(pair);
    if ((sweep.hit && sweep.time == 0) != overlaps) {
        return "time 0 and overlap differ";
    }
    return !overlaps && sweep.depth != 0 ? "depth without an overlap" : NULL;
}

static void time_0_is_the_overlap_test(void **state)
{
    (void)state;
    check_random_and_lattice(hits_at_once_when_overlapping);
}

// Moves a to within a rounding step or two of touching.
static moving_pair make_nearly_touching(random_state *random, pair_kind kind)
{
    moving_pair pair = moving_pair_random(random, kind);
    const graze_sweep sweep = moving_pair_sweep(&pair);
    pair.a.center.x += pair.delta.x * (float)sweep.time;
    pair.a.center.y += pair.delta.y * (float)sweep.time;
    return pair;
}

static void time_0_is_the_overlap_test_at_the_edge(void **state)
{
    (void)state;
    for_all_pairs(make_nearly_touching, hits_at_once_when_overlapping, 0, 100000);
}

static void check_range(const graze_sweep *sweep, int i)
{
    if (!(sweep->time >= 0 && sweep->time <= 1 && sweep->depth >= 0)) {
        fail_msg("seed %llu, round %d: time %a depth %a", (unsigned long long)seed, i, sweep->time,
                 sweep->depth);
    }
}

static void time_and_depth_stay_in_range_at_the_edge(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair pair = moving_pair_random(&random, PAIR_CIRCLE_SEGMENT);
        const double radius = (double)pair.a.half.x;
        const double x = (double)pair.wall.b.x - (double)pair.wall.a.x;
        const double y = (double)pair.wall.b.y - (double)pair.wall.a.y;
        const double out = radius / hypot(x, y);
        const graze_vec2d far = {(double)pair.a.center.x, (double)pair.a.center.y};
        // Straight over the middle of the wall, and beside a circle, as near as double can tell.
        const graze_vec2d over = {(double)pair.wall.a.x + x / 2 - y * out,
                                  (double)pair.wall.a.y + y / 2 + x * out};
        const graze_vec2d beside = {-y * out, x * out};
        const graze_vec2d still = {0, 0};
        const graze_vec2d to_wall = {over.x - far.x, over.y - far.y};
        const graze_vec2d to_circle = {beside.x - far.x, beside.y - far.y};
        const graze_sweep sweeps[] = {
            graze_sweep_circle_segment(over, still, radius, pair.wall),
            graze_sweep_circle_segment(far, to_wall, radius, pair.wall),
            graze_sweep_circles(beside, still, 0, radius),
            graze_sweep_circles(far, to_circle, 0, radius),
        };
        for (size_t k = 0; k < COUNT_OF(sweeps); ++k) {
            check_range(&sweeps[k], i);
        }
    }
}

// The gap is a convex function of time, so thirds lead to its least value.
static long double least_gap(const moving_pair *pair)
{
    long double low = 0;
    long double high = 1;
    for (int i = 0; i < 45; ++i) {
        const long double third = (high - low) / 3;
        if (moving_pair_gap(pair, low + third) <= moving_pair_gap(pair, high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    return fminl(moving_pair_gap(pair, low), moving_pair_gap(pair, high));
}

static const char *touches_first_at_time(const moving_pair *pair, double tolerance)
{
    const graze_sweep sweep = moving_pair_sweep(pair);
    if (!sweep.hit) {
        return least_gap(pair) > -(long double)tolerance ? NULL : "missed";
    }
    if (!(sweep.time >= 0 && sweep.time <= 1)) {
        return "time outside 0..1";
    }
    const long double gap = moving_pair_gap(pair, (long double)sweep.time);
    if (fabsl(gap + (long double)sweep.depth) > (long double)tolerance) {
        return sweep.time > 0 ? "does not touch at its time" : "not as deep as it says";
    }
    for (int i = 0; i < 16; ++i) {
        const long double earlier = (long double)sweep.time * i / 16;
        if (sweep.time > 0 && moving_pair_gap(pair, earlier) < -(long double)tolerance) {
            return "touched earlier";
        }
    }
    return NULL;
}

static void movers_touch_at_the_time_of_the_hit_and_not_before(void **state)
{
    (void)state;
    for_all_pairs(moving_pair_random, touches_first_at_time, float_rotation, 5000);
    for_all_pairs(moving_pair_lattice, touches_first_at_time, rounding, 5000);
}

static graze_vec2 to_float(graze_vec2d v, double factor)
{
    const graze_vec2 rounded = {(float)(v.x * factor), (float)(v.y * factor)};
    return rounded;
}

static const char *normal_leads_out(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    const graze_sweep sweep = moving_pair_sweep(pair);
    if (!sweep.hit) {
        return NULL;
    }
    if (fabs(hypot(sweep.normal.x, sweep.normal.y) - 1) > 1e-12) {
        return "normal is not of length 1";
    }
    const double step = sweep.depth + 0.5;
    const solid target = moving_pair_target(pair);
    solid mover = solid_moved(moving_pair_mover(pair), pair->delta, (long double)sweep.time);
    mover = solid_moved(mover, to_float(sweep.normal, -step), 1);
    const double gap = (double)solid_gap(&mover, &target);
    return fabs(gap - 0.5) <= float_rotation ? NULL : "the normal is not the way out";
}

static void the_normal_is_the_shortest_way_out(void **state)
{
    (void)state;
    for_all_pairs(moving_pair_random, normal_leads_out, float_rotation, 40000);
    for_all_pairs(moving_pair_lattice, normal_leads_out, float_rotation, 40000);
}

static bool reaches_point(const solid *shape, graze_vec2d point, double tolerance)
{
    solid spot = {1, {{0, 0}}, 0};
    spot.corners[0].x = (long double)point.x;
    spot.corners[0].y = (long double)point.y;
    return solid_gap(shape, &spot) <= (long double)tolerance;
}

static const char *point_is_in_both(const moving_pair *pair, double tolerance)
{
    const graze_sweep sweep = moving_pair_sweep(pair);
    const bool is_wall = pair->kind == PAIR_CIRCLE_SEGMENT || pair->kind == PAIR_RECT_SEGMENT;
    const bool is_rect = pair->kind == PAIR_RECTS || pair->kind == PAIR_RECT_SEGMENT;
    if (!sweep.hit || (is_rect && sweep.time == 0)) {
        return NULL;
    }
    graze_vec2d point = sweep.point;
    if (!is_wall) {
        point.x += (double)pair->b.center.x;
        point.y += (double)pair->b.center.y;
    }
    const solid target = moving_pair_target(pair);
    const solid mover = solid_moved(moving_pair_mover(pair), pair->delta, (long double)sweep.time);
    const bool is_shared =
        reaches_point(&target, point, tolerance) && reaches_point(&mover, point, tolerance);
    return is_shared ? NULL : "the point is not in both";
}

static void the_point_is_in_both_shapes(void **state)
{
    (void)state;
    check_random_and_lattice(point_is_in_both);
}

static const char *a_miss_is_all_zero(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    const graze_sweep sweep = moving_pair_sweep(pair);
    const double sum = fabs(sweep.time) + fabs(sweep.point.x) + fabs(sweep.point.y) +
                       fabs(sweep.normal.x) + fabs(sweep.normal.y) + fabs(sweep.depth);
    return !sweep.hit && sum != 0 ? "a miss with values" : NULL;
}

static void without_a_hit_all_fields_are_0(void **state)
{
    (void)state;
    check_random_and_lattice(a_miss_is_all_zero);
}

static size_t used_numbers(moving_pair *pair, float **numbers)
{
    const bool has_wall = pair->kind == PAIR_CIRCLE_SEGMENT || pair->kind == PAIR_RECT_SEGMENT;
    const bool a_turns = pair->kind == PAIR_RECTS || pair->kind == PAIR_RECT_SEGMENT;
    const bool b_turns = pair->kind == PAIR_RECTS || pair->kind == PAIR_CIRCLE_RECT;
    float *a[] = {&pair->delta.x,           &pair->delta.y,        &pair->a.center.x,
                  &pair->a.center.y,        &pair->a.half.x,       &pair->a.half.y,
                  &pair->a.rotation.cosine, &pair->a.rotation.sine};
    float *b[] = {&pair->b.center.x, &pair->b.center.y,        &pair->b.half.x,
                  &pair->b.half.y,   &pair->b.rotation.cosine, &pair->b.rotation.sine};
    float *wall[] = {&pair->wall.a.x, &pair->wall.a.y, &pair->wall.b.x, &pair->wall.b.y};
    size_t count = 0;
    for (size_t i = 0; i < (a_turns ? 8 : 5); ++i) {
        numbers[count++] = a[i];
    }
    for (size_t i = 0; !has_wall && i < (b_turns ? 6 : 3); ++i) {
        numbers[count++] = b[i];
    }
    for (size_t i = 0; has_wall && i < 4; ++i) {
        numbers[count++] = wall[i];
    }
    return count;
}

static const char *hits_nothing_when_not_finite(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    static const float not_finite[] = {NAN, INFINITY, -INFINITY};
    moving_pair changed = *pair;
    float *numbers[16];
    const size_t count = used_numbers(&changed, numbers);
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < COUNT_OF(not_finite); ++k) {
            const float kept = *numbers[i];
            *numbers[i] = not_finite[k];
            if (moving_pair_sweep(&changed).hit) {
                moving_pair_print("this hits", &changed);
                return "a hit of what is not finite";
            }
            *numbers[i] = kept;
        }
    }
    return NULL;
}

static void what_is_not_finite_hits_nothing(void **state)
{
    (void)state;
    check_random_and_lattice(hits_nothing_when_not_finite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moving_circle_touches_a_circle_on_time),
        cmocka_unit_test(a_moving_circle_touches_a_rect_on_time),
        cmocka_unit_test(a_moving_circle_touches_a_segment_on_time),
        cmocka_unit_test(a_wall_of_no_length_is_a_point),
        cmocka_unit_test(a_moving_rect_touches_a_rect_on_time),
        cmocka_unit_test(a_moving_rect_touches_a_segment_on_time),
        cmocka_unit_test(time_0_is_the_overlap_test),
        cmocka_unit_test(time_0_is_the_overlap_test_at_the_edge),
        cmocka_unit_test(time_and_depth_stay_in_range_at_the_edge),
        cmocka_unit_test(movers_touch_at_the_time_of_the_hit_and_not_before),
        cmocka_unit_test(the_normal_is_the_shortest_way_out),
        cmocka_unit_test(the_point_is_in_both_shapes),
        cmocka_unit_test(without_a_hit_all_fields_are_0),
        cmocka_unit_test(what_is_not_finite_hits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
