#include <graze/orient.h>

#include "exact.h"
#include "hard_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

static graze_vec2 point(float x, float y)
{
    const graze_vec2 made = {x, y};
    return made;
}

static graze_segment wall(float ax, float ay, float bx, float by)
{
    const graze_segment made = {{ax, ay}, {bx, by}};
    return made;
}

static void a_point_left_of_a_line_is_positive_and_right_of_it_negative(void **state)
{
    (void)state;
    assert_int_equal(graze_orient(point(0, 0), point(1, 0), point(0, 1)), 1);
    assert_int_equal(graze_orient(point(0, 0), point(1, 0), point(0, -1)), -1);
    assert_int_equal(graze_orient(point(0, 0), point(1, 0), point(7, 0)), 0);
    assert_int_equal(graze_orient(point(0, 0), point(3, 3), point(-2, -2)), 0);
    assert_int_equal(graze_orient(point(2, 5), point(2, 5), point(1, 1)), 0);
}

static void one_rounding_step_beside_a_line_is_seen(void **state)
{
    (void)state;
    const float half = 0.5f;
    const float up = nextafterf(half, 1);
    const float down = nextafterf(half, 0);
    const graze_vec2 a = point(12, 12);
    const graze_vec2 b = point(24, 24);
    assert_int_equal(graze_orient(a, b, point(half, half)), 0);
    assert_int_equal(graze_orient(a, b, point(half, up)), 1);
    assert_int_equal(graze_orient(a, b, point(half, down)), -1);
    assert_int_equal(graze_orient(a, b, point(up, half)), -1);
    assert_int_equal(graze_orient(a, b, point(up, up)), 0);
}

static void the_smallest_and_the_largest_floats_are_told_apart(void **state)
{
    (void)state;
    const float tiny = 0x1p-149f;
    assert_int_equal(graze_orient(point(0, 0), point(tiny, 0), point(0, tiny)), 1);
    assert_int_equal(graze_orient(point(0, 0), point(tiny, tiny), point(2 * tiny, 2 * tiny)), 0);
    assert_int_equal(graze_orient(point(0, 0), point(tiny, tiny), point(2 * tiny, 3 * tiny)), 1);
    assert_int_equal(
        graze_orient(point(-FLT_MAX, -FLT_MAX), point(FLT_MAX, FLT_MAX), point(0, tiny)), 1);
    assert_int_equal(
        graze_orient(point(-FLT_MAX, -FLT_MAX), point(FLT_MAX, FLT_MAX), point(tiny, 0)), -1);
    assert_int_equal(
        graze_orient(point(-FLT_MAX, -FLT_MAX), point(FLT_MAX, FLT_MAX), point(tiny, tiny)), 0);
}

static void a_coordinate_that_is_not_finite_lies_on_every_line(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 6; ++j) {
            float c[6] = {0, 0, 3, 1, 1, 4};
            c[j] = bad[i];
            assert_int_equal(graze_orient(point(c[0], c[1]), point(c[2], c[3]), point(c[4], c[5])),
                             0);
        }
    }
}

static void check_orientation(uint64_t seed, hard_kind kind)
{
    random_state random = random_seed(seed);
    graze_vec2 p[3];
    hard_points_make(&random, kind, p, 3);
    const int expected = exact_orient(p[0], p[1], p[2]);
    const bool holds =
        graze_orient(p[0], p[1], p[2]) == expected && graze_orient(p[1], p[2], p[0]) == expected &&
        graze_orient(p[2], p[0], p[1]) == expected && graze_orient(p[1], p[0], p[2]) == -expected &&
        graze_orient(p[0], p[2], p[1]) == -expected && graze_orient(p[2], p[1], p[0]) == -expected;
    if (!holds) {
        hard_points_show(seed, kind, p, 3);
        fail_msg("the exact sign is %d", expected);
    }
}

static void orientation_equals_exact_arithmetic(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 10000; ++seed) {
            check_orientation(seed, (hard_kind)kind);
        }
    }
}

static void a_move_through_a_wall_crosses_it_and_one_beside_it_does_not(void **state)
{
    (void)state;
    const graze_segment upright = wall(1, -1, 1, 1);
    assert_true(graze_crosses(point(0, 0), point(2, 0), upright));
    assert_true(graze_crosses(point(2, 0), point(0, 0), upright));
    assert_false(graze_crosses(point(0, 0), point(0.5f, 0), upright));
    assert_false(graze_crosses(point(0, 2), point(2, 2), upright));
    assert_false(graze_crosses(point(0, 0), point(0, 5), upright));
}

static void a_place_on_a_wall_belongs_to_one_side_of_it(void **state)
{
    (void)state;
    const graze_segment upright = wall(1, -1, 1, 1);
    const bool arrives = graze_crosses(point(0, 0), point(1, 0), upright);
    const bool goes_on = graze_crosses(point(1, 0), point(2, 0), upright);
    const bool turns_back = graze_crosses(point(1, 0), point(0, 0), upright);
    assert_true(arrives != goes_on);
    assert_true(arrives == turns_back);
}

static void a_move_along_a_wall_does_not_cross_it(void **state)
{
    (void)state;
    const graze_segment flat = wall(0, 0, 10, 0);
    assert_false(graze_crosses(point(2, 0), point(5, 0), flat));
    assert_false(graze_crosses(point(-5, 0), point(15, 0), flat));
    assert_false(graze_crosses(point(0, 0), point(10, 0), flat));
}

static void a_wall_or_a_move_of_length_zero_crosses_nothing(void **state)
{
    (void)state;
    assert_false(graze_crosses(point(1, 0), point(1, 0), wall(1, -1, 1, 1)));
    assert_false(graze_crosses(point(0, 0), point(2, 0), wall(1, 0, 1, 0)));
    assert_false(graze_crosses(point(1, 0), point(1, 0), wall(1, 0, 1, 0)));
    assert_false(graze_crosses(point(0.0f, 1), point(-0.0f, 1), wall(0, 0, 0, 2)));
}

static void a_move_through_a_shared_vertex_crosses_an_odd_number_of_the_walls(void **state)
{
    (void)state;
    const graze_segment first = wall(1, -1, 1, 0);
    const graze_segment second = wall(1, 0, 1, 1);
    assert_true(graze_crosses(point(0, 0), point(2, 0), first) !=
                graze_crosses(point(0, 0), point(2, 0), second));
    const graze_segment bend = wall(1, 0, 0, 1);
    assert_true(graze_crosses(point(0, 0), point(2, 0), first) !=
                graze_crosses(point(0, 0), point(2, 0), bend));
    const graze_segment spike = wall(1, 0, 2, -1);
    assert_true(graze_crosses(point(0, 0), point(2, 0), first) ==
                graze_crosses(point(0, 0), point(2, 0), spike));
}

static void nothing_crosses_what_is_not_finite(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 8; ++j) {
            float c[8] = {0, 0, 2, 0, 1, -1, 1, 1};
            c[j] = bad[i];
            assert_false(
                graze_crosses(point(c[0], c[1]), point(c[2], c[3]), wall(c[4], c[5], c[6], c[7])));
        }
    }
}

static void check_crossing(uint64_t seed, hard_kind kind)
{
    random_state random = random_seed(seed);
    graze_vec2 p[4];
    hard_points_make(&random, kind, p, 4);
    const graze_segment ahead = {p[2], p[3]};
    const graze_segment reversed = {p[3], p[2]};
    const bool expected = exact_crosses(p[0], p[1], p[2], p[3]);
    const bool holds = graze_crosses(p[0], p[1], ahead) == expected &&
                       graze_crosses(p[1], p[0], ahead) == expected &&
                       graze_crosses(p[0], p[1], reversed) == expected &&
                       graze_crosses(p[1], p[0], reversed) == expected;
    if (!holds) {
        hard_points_show(seed, kind, p, 4);
        fail_msg("the exact answer is %d", expected);
    }
}

static void crossing_equals_that_of_the_mover_shifted_by_an_infinitesimal(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 10000; ++seed) {
            check_crossing(seed, (hard_kind)kind);
        }
    }
}

enum { LOOP_CAPACITY = 12 };

static uint32_t count_crossings(const graze_vec2 *path, int path_count, const graze_vec2 *chain,
                                int chain_count)
{
    uint32_t count = 0;
    for (int i = 0; i < path_count; ++i) {
        for (int j = 0; j < chain_count; ++j) {
            const graze_segment segment = {chain[j], chain[(j + 1) % chain_count]};
            count += graze_crosses(path[i], path[(i + 1) % path_count], segment);
        }
    }
    return count;
}

static void check_parity(uint64_t seed, hard_kind kind)
{
    random_state random = random_seed(seed);
    graze_vec2 points[2 * LOOP_CAPACITY];
    const int path_count = random_integer(&random, 2, LOOP_CAPACITY);
    const int chain_count = random_integer(&random, 3, LOOP_CAPACITY);
    hard_points_make(&random, kind, points, path_count + chain_count);
    if (count_crossings(points, path_count, points + path_count, chain_count) % 2 != 0) {
        hard_points_show(seed, kind, points, path_count + chain_count);
        fail_msg("the first %d points cross the loop of the others an odd number of times",
                 path_count);
    }
}

static void a_closed_path_crosses_a_closed_chain_an_even_number_of_times(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 5000; ++seed) {
            check_parity(seed, (hard_kind)kind);
        }
    }
}

static void a_path_out_of_a_room_crosses_its_walls_an_odd_number_of_times(void **state)
{
    (void)state;
    const graze_vec2 room[] = {{0, 0}, {2, -1}, {4, 0}, {4, 2}, {4, 4}, {2, 3}, {0, 4}, {0, 2}};
    for (uint64_t seed = 0; seed < 5000; ++seed) {
        random_state random = random_seed(seed);
        graze_vec2 path[LOOP_CAPACITY];
        const int count = random_integer(&random, 2, LOOP_CAPACITY);
        for (int i = 0; i < count; ++i) {
            path[i].x = (float)random_integer(&random, -1, 5);
            path[i].y = (float)random_integer(&random, -2, 5);
        }
        path[0] = point(2, 1);
        path[count - 1] = point(9, (float)random_integer(&random, -2, 5));
        uint32_t crossings = 0;
        for (int i = 0; i + 1 < count; ++i) {
            for (int j = 0; j < 8; ++j) {
                const graze_segment side = {room[j], room[(j + 1) % 8]};
                crossings += graze_crosses(path[i], path[i + 1], side);
            }
        }
        if (crossings % 2 != 1) {
            hard_points_show(seed, HARD_GRID, path, count);
            fail_msg("%u crossings", crossings);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_left_of_a_line_is_positive_and_right_of_it_negative),
        cmocka_unit_test(one_rounding_step_beside_a_line_is_seen),
        cmocka_unit_test(the_smallest_and_the_largest_floats_are_told_apart),
        cmocka_unit_test(a_coordinate_that_is_not_finite_lies_on_every_line),
        cmocka_unit_test(orientation_equals_exact_arithmetic),
        cmocka_unit_test(a_move_through_a_wall_crosses_it_and_one_beside_it_does_not),
        cmocka_unit_test(a_place_on_a_wall_belongs_to_one_side_of_it),
        cmocka_unit_test(a_move_along_a_wall_does_not_cross_it),
        cmocka_unit_test(a_wall_or_a_move_of_length_zero_crosses_nothing),
        cmocka_unit_test(a_move_through_a_shared_vertex_crosses_an_odd_number_of_the_walls),
        cmocka_unit_test(nothing_crosses_what_is_not_finite),
        cmocka_unit_test(crossing_equals_that_of_the_mover_shifted_by_an_infinitesimal),
        cmocka_unit_test(a_closed_path_crosses_a_closed_chain_an_even_number_of_times),
        cmocka_unit_test(a_path_out_of_a_room_crosses_its_walls_an_odd_number_of_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
