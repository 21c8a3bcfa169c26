#include <graze/shape.h>

#include "random.h"
#include "ulps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static void a_shape_holds_what_its_kind_uses_and_zero_elsewhere(void **state)
{
    (void)state;
    const graze_shape circle = graze_shape_circle(2.5f);
    assert_int_equal(circle.kind, GRAZE_SHAPE_CIRCLE);
    assert_true(circle.radius == 2.5f && circle.half.x == 0 && circle.half.y == 0);
    const graze_shape rect = graze_shape_rect(3, 4);
    assert_int_equal(rect.kind, GRAZE_SHAPE_RECT);
    assert_true(rect.radius == 0 && rect.half.x == 3 && rect.half.y == 4);
    const graze_shape ray = graze_shape_ray();
    assert_int_equal(ray.kind, GRAZE_SHAPE_RAY);
    assert_true(ray.radius == 0 && ray.half.x == 0 && ray.half.y == 0);
}

static void check_rotation(float angle)
{
    const graze_rotation rotation = graze_rotation_from_angle(angle);
    const double cosine = cos((double)angle);
    const double sine = sin((double)angle);
    if (count_ulps(rotation.cosine, cosine) > 0.51 || count_ulps(rotation.sine, sine) > 0.51) {
        fail_msg("angle %a gives %a, %a instead of %a, %a", (double)angle, (double)rotation.cosine,
                 (double)rotation.sine, cosine, sine);
    }
    const graze_rotation reversed = graze_rotation_from_angle(-angle);
    assert_true(reversed.cosine == rotation.cosine && reversed.sine == -rotation.sine);
}

static void a_rotation_is_the_true_one_rounded_for_every_finite_angle(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (int i = 0; i < 300000; ++i) {
        const uint32_t bits = random_bits(&random) & 0x7FFFFFFFu;
        float angle;
        memcpy(&angle, &bits, sizeof angle);
        if (isfinite(angle)) {
            check_rotation(angle);
        }
        check_rotation(random_float(&random, -10, 10));
    }
}

static void a_rotation_is_true_beside_every_multiple_of_a_quarter_turn(void **state)
{
    (void)state;
    const double quarter = 1.57079632679489661923;
    for (int i = -100000; i <= 100000; ++i) {
        const float angle = (float)(i * quarter);
        check_rotation(angle);
        check_rotation(nextafterf(angle, FLT_MAX));
        check_rotation(nextafterf(angle, -FLT_MAX));
    }
    check_rotation(131072.0f);
    check_rotation(nextafterf(131072.0f, 0));
    check_rotation(FLT_MAX);
    check_rotation(0x1p-149f);
}

static void no_angle_turns_nothing_and_half_a_turn_turns_around(void **state)
{
    (void)state;
    const graze_rotation none = graze_rotation_from_angle(0);
    assert_true(none.cosine == 1 && none.sine == 0);
    const graze_rotation half_turn = graze_rotation_from_angle(3.14159265f);
    assert_true(half_turn.cosine == -1 && fabsf(half_turn.sine) < 1e-7f);
    const graze_rotation quarter = graze_rotation_from_angle(1.57079633f);
    assert_true(fabsf(quarter.cosine) < 1e-7f && quarter.sine == 1);
}

static void an_angle_that_is_not_finite_turns_nothing(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        const graze_rotation rotation = graze_rotation_from_angle(bad[i]);
        assert_true(rotation.cosine == 1 && rotation.sine == 0);
    }
}

static void the_vertices_of_a_rect_go_around_it(void **state)
{
    (void)state;
    const graze_rect rect = {{10, 20}, {3, 1}, {0, 1}};
    graze_vec2 v[4];
    graze_rect_get_vertices(rect, v);
    assert_true(v[0].x == 11 && v[0].y == 17);
    assert_true(v[1].x == 11 && v[1].y == 23);
    assert_true(v[2].x == 9 && v[2].y == 23);
    assert_true(v[3].x == 9 && v[3].y == 17);
}

static void a_rect_from_vertices_takes_either_winding(void **state)
{
    (void)state;
    const graze_vec2 left_hand[4] = {{1, 2}, {5, 2}, {5, 4}, {1, 4}};
    const graze_vec2 right_hand[4] = {{1, 4}, {5, 4}, {5, 2}, {1, 2}};
    const graze_vec2 upright[4] = {{5, 2}, {5, 4}, {1, 4}, {1, 2}};
    graze_rect rect;
    assert_int_equal(graze_rect_from_vertices(left_hand, &rect), GRAZE_OK);
    assert_true(rect.center.x == 3 && rect.center.y == 3 && rect.half.x == 2 && rect.half.y == 1);
    assert_true(rect.rotation.cosine == 1 && rect.rotation.sine == 0);
    assert_int_equal(graze_rect_from_vertices(right_hand, &rect), GRAZE_OK);
    assert_true(rect.center.x == 3 && rect.center.y == 3 && rect.half.x == 2 && rect.half.y == 1);
    assert_true(rect.rotation.cosine == 1 && rect.rotation.sine == 0);
    assert_int_equal(graze_rect_from_vertices(upright, &rect), GRAZE_OK);
    assert_true(rect.half.x == 1 && rect.half.y == 2);
    assert_true(rect.rotation.cosine == 0 && rect.rotation.sine == 1);
}

static void assert_refused(const graze_vec2 vertices[4])
{
    const graze_rect before = {{1, 2}, {3, 4}, {5, 6}};
    graze_rect rect = before;
    assert_int_equal(graze_rect_from_vertices(vertices, &rect), GRAZE_ERROR_ARGUMENT);
    assert_memory_equal(&rect, &before, sizeof rect);
}

static void vertices_that_form_no_rect_are_refused(void **state)
{
    (void)state;
    const graze_vec2 refused[][4] = {
        {{0, 0}, {4, 0}, {5, 2}, {1, 2}},                 // a parallelogram
        {{0, 0}, {4, 0}, {3, 2}, {1, 2}},                 // a trapezium
        {{0, 0}, {4, 0}, {4, 2}, {0, 2.001f}},            // one corner off
        {{0, 0}, {4, 2}, {4, 0}, {0, 2}},                 // out of order
        {{0, 0}, {4, 0}, {4, 0}, {0, 0}},                 // no height
        {{0, 0}, {0, 0}, {0, 3}, {0, 3}},                 // no width
        {{1, 1}, {1, 1}, {1, 1}, {1, 1}},                 // a point
        {{0, 0}, {1, 1}, {2, 2}, {3, 3}},                 // a line
        {{0, 0}, {NAN, 0}, {4, 2}, {0, 2}},               // not a number
        {{0, 0}, {INFINITY, 0}, {4, 2}, {0, 2}},          // infinite
        {{0, 0}, {0x1p-149f, 0}, {0x1p-149f, 1}, {0, 1}}, // half the width rounds to 0
        {{-3e38f, 3e38f}, {3e38f, -3e38f}, {3.1e38f, -2.9e38f}, {-2.9e38f, 3.1e38f}},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        assert_refused(refused[i]);
    }
}

static float distance_between(graze_vec2 a, graze_vec2 b)
{
    return graze_vec2_length(graze_vec2_sub(a, b));
}

// Corners of a random rect, up to a hundred times longer than wide, starting anywhere, either way
// around.
static void make_corners(random_state *random, graze_vec2 corners[4])
{
    const float scale = ldexpf(1, random_integer(random, -30, 30));
    const graze_rect rect = {
        {scale * random_float(random, -100, 100), scale * random_float(random, -100, 100)},
        {scale * random_float(random, 0.1f, 10), scale * random_float(random, 0.1f, 10)},
        graze_rotation_from_angle(random_float(random, -4, 4))};
    graze_vec2 v[4];
    graze_rect_get_vertices(rect, v);
    const uint32_t first = random_below(random, 4);
    const uint32_t step = random_below(random, 2) == 0 ? 1 : 3;
    for (uint32_t i = 0; i < 4; ++i) {
        corners[i] = v[(first + i * step) % 4];
    }
}

static void a_rect_from_vertices_has_these_vertices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        random_state random = random_seed(seed);
        graze_vec2 v[4];
        make_corners(&random, v);
        graze_rect rect;
        if (graze_rect_from_vertices(v, &rect) != GRAZE_OK) {
            fail_msg("seed %u was refused", (unsigned)seed);
        }
        graze_vec2 back[4];
        graze_rect_get_vertices(rect, back);
        // A right-hand order comes back as the left-hand one of the same x axis.
        const bool same_way = distance_between(back[0], v[0]) < distance_between(back[0], v[3]);
        const float bound = 1e-6f * (graze_vec2_length(rect.center) + rect.half.x + rect.half.y);
        for (int i = 0; i < 4; ++i) {
            if (distance_between(back[i], v[same_way ? i : 3 - i]) > bound) {
                fail_msg("seed %u: vertex %d is elsewhere", (unsigned)seed, i);
            }
        }
    }
}

static void corners_off_by_a_rounding_step_still_form_a_rect(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        random_state random = random_seed(seed);
        graze_vec2 v[4];
        make_corners(&random, v);
        for (int i = 0; i < 4; ++i) {
            v[i].x = nextafterf(v[i].x, random_below(&random, 2) == 0 ? -FLT_MAX : FLT_MAX);
            v[i].y = nextafterf(v[i].y, random_below(&random, 2) == 0 ? -FLT_MAX : FLT_MAX);
        }
        graze_rect rect;
        if (graze_rect_from_vertices(v, &rect) != GRAZE_OK) {
            fail_msg("seed %u was refused", (unsigned)seed);
        }
    }
}

// Moves each corner by `distance`, this way or that.
static void move_corners(random_state *random, double distance, graze_vec2 corners[4])
{
    for (int i = 0; i < 4; ++i) {
        const graze_rotation way = graze_rotation_from_angle(random_float(random, -4, 4));
        corners[i].x = (float)((double)corners[i].x + distance * (double)way.cosine);
        corners[i].y = (float)((double)corners[i].y + distance * (double)way.sine);
    }
}

static void corners_near_those_of_a_rect_are_taken(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        random_state random = random_seed(seed);
        graze_vec2 v[4];
        make_corners(&random, v);
        const float width = distance_between(v[0], v[1]), height = distance_between(v[1], v[2]);
        move_corners(&random, 0.999e-5 * (double)fmaxf(width, height), v);
        graze_rect rect;
        if (graze_rect_from_vertices(v, &rect) != GRAZE_OK) {
            fail_msg("seed %u was refused", (unsigned)seed);
        }
    }
}

// A square with two corners moved out and two moved in: the diagonals of a rectangle are equal, so
// no rectangle is nearer to all four.
static void corners_twice_as_far_from_a_rect_are_refused(void **state)
{
    (void)state;
    const float off = 2.9e-5f; // Times the root of 2; the sides are 2.
    const graze_vec2 rhombus[4] = {
        {-1 - off, -1 - off}, {1 - off, -1 + off}, {1 + off, 1 + off}, {-1 + off, 1 - off}};
    assert_refused(rhombus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_holds_what_its_kind_uses_and_zero_elsewhere),
        cmocka_unit_test(a_rotation_is_the_true_one_rounded_for_every_finite_angle),
        cmocka_unit_test(a_rotation_is_true_beside_every_multiple_of_a_quarter_turn),
        cmocka_unit_test(no_angle_turns_nothing_and_half_a_turn_turns_around),
        cmocka_unit_test(an_angle_that_is_not_finite_turns_nothing),
        cmocka_unit_test(the_vertices_of_a_rect_go_around_it),
        cmocka_unit_test(a_rect_from_vertices_takes_either_winding),
        cmocka_unit_test(vertices_that_form_no_rect_are_refused),
        cmocka_unit_test(a_rect_from_vertices_has_these_vertices),
        cmocka_unit_test(corners_near_those_of_a_rect_are_taken),
        cmocka_unit_test(corners_twice_as_far_from_a_rect_are_refused),
        cmocka_unit_test(corners_off_by_a_rounding_step_still_form_a_rect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
