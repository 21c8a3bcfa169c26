#include <graze/vec2.h>

#include "random.h"
#include "ulps.h"
#include "vec2d.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const float tiny = 0x1p-149f;

static graze_vec2 vec2(float x, float y)
{
    const graze_vec2 v = {x, y};
    return v;
}

static void assert_vec2(graze_vec2 v, float x, float y)
{
    assert_true(v.x == x && v.y == y);
}

static void vector_add_sub_scale_dot_cross_are_those_of_the_plane(void **state)
{
    (void)state;
    const graze_vec2 a = {3, 4};
    const graze_vec2 b = {-2, 5};
    assert_vec2(graze_vec2_add(a, b), 1, 9);
    assert_vec2(graze_vec2_sub(a, b), 5, -1);
    assert_vec2(graze_vec2_scale(a, -0.5f), -1.5f, -2);
    assert_true(graze_vec2_dot(a, b) == 14);
    assert_true(graze_vec2_cross(a, b) == 23);
    assert_true(graze_vec2_cross(b, a) == -23);
}

static void vector_length_neither_overflows_nor_vanishes(void **state)
{
    (void)state;
    assert_true(graze_vec2_length(vec2(3, 4)) == 5);
    assert_true(graze_vec2_length(vec2(-5, 12)) == 13);
    assert_true(graze_vec2_length(vec2(0, 0)) == 0);
    assert_true(graze_vec2_length(vec2(3 * tiny, 4 * tiny)) == 5 * tiny);
    assert_true(graze_vec2_length(vec2(3e37f, 4e37f)) == 5e37f);
    assert_true(graze_vec2_length(vec2(0x1.8p126f, 0x1p127f)) == 0x1.4p127f);
    assert_true(graze_vec2_length(vec2(-3e38f, 0)) == 3e38f);
    assert_true(graze_vec2_length(vec2(FLT_MAX, FLT_MAX)) == INFINITY);
    assert_true(graze_vec2_length(vec2(-INFINITY, 1)) == INFINITY);
    assert_true(isnan(graze_vec2_length(vec2(NAN, 1))));
}

static void a_normalized_vector_has_length_one_and_zero_stays_zero(void **state)
{
    (void)state;
    assert_vec2(graze_vec2_normalize(vec2(0, 0)), 0, 0);
    assert_vec2(graze_vec2_normalize(vec2(3, -4)), 0.6f, -0.8f);
    assert_vec2(graze_vec2_normalize(vec2(3 * tiny, 4 * tiny)), 0.6f, 0.8f);
    assert_vec2(graze_vec2_normalize(vec2(0, -tiny)), 0, -1);
    assert_vec2(graze_vec2_normalize(vec2(FLT_MAX, FLT_MAX)), 0x1.6a09e6p-1f, 0x1.6a09e6p-1f);
    assert_true(isnan(graze_vec2_normalize(vec2(NAN, 1)).x));
}

static void vector_angle_between_two_directions_is_signed(void **state)
{
    (void)state;
    static const float pi = 3.14159274f;
    const struct {
        graze_vec2 a, b;
        float angle;
    } table[] = {
        {{1, 0}, {1, 0}, 0},
        {{1, 0}, {0, 1}, pi / 2},
        {{1, 0}, {0, -1}, -pi / 2},
        {{1, 0}, {-1, 0}, pi},
        {{-1, 0}, {1, 0}, pi},
        {{1, 0}, {-1, -0.0f}, pi},
        {{2, 2}, {0, 7}, pi / 4},
        {{2, 2}, {7, 0}, -pi / 4},
        {{0, -3}, {-1, -1}, -pi / 4},
        {{1, 0}, {-1, 1}, 3 * (pi / 4)},
        {{1, 0}, {-1, -1}, -3 * (pi / 4)},
        {{1, 0}, {1, 1e-30f}, 1e-30f},
        {{1, 0}, {1, -0x1p-149f}, -0x1p-149f},
        {{1, 0}, {-1, 1e-30f}, pi},
        {{0x1p-149f, 0}, {0x1p-149f, 0x1p-149f}, pi / 4},
        {{0x1p-149f, 0}, {0, -0x1p-149f}, -pi / 2},
        {{3e38f, 3e38f}, {-3e38f, 3e38f}, pi / 2},
        {{3e38f, 3e38f}, {0x1p-149f, 0}, -pi / 4},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const float angle = graze_vec2_angle(table[i].a, table[i].b);
        if (angle != table[i].angle) {
            fail_msg("row %zu: %a", i, (double)angle);
        }
    }
}

static void the_angle_to_a_zero_vector_is_zero(void **state)
{
    (void)state;
    assert_true(graze_vec2_angle(vec2(0, 0), vec2(1, 2)) == 0);
    assert_true(graze_vec2_angle(vec2(1, 2), vec2(0, 0)) == 0);
    assert_true(graze_vec2_angle(vec2(0, -0.0f), vec2(0, 0)) == 0);
    assert_true(isnan(graze_vec2_angle(vec2(NAN, 1), vec2(1, 0))));
}

static float make_any_float(random_state *random)
{
    float value;
    do {
        const uint32_t bits = random_bits(random);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static graze_vec2 make_any_vector(random_state *random)
{
    const float x = make_any_float(random);
    return vec2(x, make_any_float(random));
}

static graze_vec2 make_near_vector(random_state *random)
{
    const float x = random_float(random, -10, 10);
    return vec2(x, random_float(random, -10, 10));
}

static void check_against_libm(uint64_t seed, graze_vec2 a, graze_vec2 b)
{
    const double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y;
    const double length = hypot(ax, ay);
    const double angle = atan2(ax * by - ay * bx, ax * bx + ay * by);
    const graze_vec2 unit = graze_vec2_normalize(a);
    const bool length_holds =
        length > (double)FLT_MAX || count_ulps(graze_vec2_length(a), length) <= 0.501;
    if (!length_holds || count_ulps(graze_vec2_angle(a, b), angle) > 0.501 ||
        count_ulps(unit.x, ax / length) > 0.501 || count_ulps(unit.y, ay / length) > 0.501) {
        fail_msg("seed %u: a %a %a, b %a %a, angle %a", (unsigned)seed, ax, ay, bx, by, angle);
    }
}

static void length_angle_and_direction_are_the_true_ones_rounded(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100000; ++seed) {
        random_state random = random_seed(seed);
        const graze_vec2 a = make_any_vector(&random);
        check_against_libm(seed, a, make_any_vector(&random));
        const graze_vec2 near = make_near_vector(&random);
        check_against_libm(seed, near, make_near_vector(&random));
    }
}

static void swapping_two_vectors_turns_the_sign_of_their_angle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        random_state random = random_seed(seed);
        const graze_vec2 a = make_near_vector(&random);
        const graze_vec2 b = make_near_vector(&random);
        if (graze_vec2_angle(a, b) != -graze_vec2_angle(b, a)) {
            fail_msg("seed %u", (unsigned)seed);
        }
    }
}

static void what_is_told_without_a_root_to_be_shorter_is_shorter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100000; ++seed) {
        random_state random = random_seed(seed);
        const graze_vec2d v = widen(make_near_vector(&random));
        const double length = length_of(v), above = length * (1 + 0x1p-38);
        const double near = length * (1 + ldexp((double)random_float(&random, -1, 1), -40));
        if ((is_surely_shorter(v, near) && !(length < near)) || !is_surely_shorter(v, above) ||
            is_surely_shorter(v, length) || is_surely_shorter(v, -above)) {
            fail_msg("seed %u: %a %a", (unsigned)seed, v.x, v.y);
        }
    }
    assert_false(is_surely_shorter(vec2d(0, 0), 0));
    assert_false(is_surely_shorter(vec2d(0, 0), (double)NAN));
    assert_false(is_surely_shorter(vec2d((double)NAN, 0), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_add_sub_scale_dot_cross_are_those_of_the_plane),
        cmocka_unit_test(vector_length_neither_overflows_nor_vanishes),
        cmocka_unit_test(a_normalized_vector_has_length_one_and_zero_stays_zero),
        cmocka_unit_test(vector_angle_between_two_directions_is_signed),
        cmocka_unit_test(the_angle_to_a_zero_vector_is_zero),
        cmocka_unit_test(length_angle_and_direction_are_the_true_ones_rounded),
        cmocka_unit_test(swapping_two_vectors_turns_the_sign_of_their_angle),
        cmocka_unit_test(what_is_told_without_a_root_to_be_shorter_is_shorter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
