// Tables of swept tests: time, point and normal of known cases.

#include "moving_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moving_circle_touches_a_circle_on_time),
        cmocka_unit_test(a_moving_circle_touches_a_rect_on_time),
        cmocka_unit_test(a_moving_circle_touches_a_segment_on_time),
        cmocka_unit_test(a_wall_of_no_length_is_a_point),
        cmocka_unit_test(a_moving_rect_touches_a_rect_on_time),
        cmocka_unit_test(a_moving_rect_touches_a_segment_on_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
