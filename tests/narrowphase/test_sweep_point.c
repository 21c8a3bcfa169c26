// A point swept against a wall: the watertight test.

#include "moving_pair.h"

#include <graze/orient.h>

#include "hard_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const uint64_t seed = 314159;

static void check_point_hit(graze_vec2 from, graze_vec2 to, graze_segment wall,
                            const graze_sweep *sweep)
{
    const int before = graze_orient(wall.a, wall.b, from);
    const int after = graze_orient(wall.a, wall.b, to);
    const double left_x = -((double)wall.b.y - (double)wall.a.y);
    const double left_y = (double)wall.b.x - (double)wall.a.x;
    const double toward_left = sweep->normal.x * left_x + sweep->normal.y * left_y;
    assert_true(sweep->time >= 0 && sweep->time <= 1 && sweep->depth == 0);
    assert_true((sweep->time == 0) == (before == 0));
    assert_true(sweep->time == 1 || after != 0);
    assert_true(fabs(hypot(sweep->normal.x, sweep->normal.y) - 1) < 1e-12);
    // The normal points away from the side that the mover was on; if the mover starts on the line,
    // to the side that it goes to.
    assert_true((toward_left < 0) == (before > 0 || after < 0));
}

static void ray_and_segment_hit_exactly_when_they_cross(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        random_state random = random_seed(seed);
        for (int i = 0; i < 50000; ++i) {
            graze_vec2 points[4];
            hard_points_make(&random, (hard_kind)kind, points, 4);
            const graze_segment wall = {points[2], points[3]};
            const graze_sweep sweep = graze_sweep_point_segment(points[0], points[1], wall);
            if (sweep.hit != graze_crosses(points[0], points[1], wall)) {
                hard_points_show(seed, (hard_kind)kind, points, 4);
                fail_msg("point %d: hit and crossing differ", i);
            }
            if (sweep.hit) {
                check_point_hit(points[0], points[1], wall, &sweep);
            }
        }
    }
}

static void ray_and_segment_meet_at_time_point_and_normal(void **state)
{
    (void)state;
    const graze_segment wall = {{-2, 0}, {2, 0}};
    const graze_sweep down =
        graze_sweep_point_segment((graze_vec2){0, 1}, (graze_vec2){1, -3}, wall);
    assert_true(down.hit && down.time == 0.25);
    assert_true(down.point.x == 0.25 && down.point.y == 0);
    assert_true(down.normal.x == 0 && down.normal.y == -1);
    const graze_sweep up = graze_sweep_point_segment((graze_vec2){0, -1}, (graze_vec2){0, 1}, wall);
    assert_true(up.hit && up.time == 0.5 && up.normal.y == 1);
    const graze_sweep beside =
        graze_sweep_point_segment((graze_vec2){3, 1}, (graze_vec2){3, -1}, wall);
    assert_false(beside.hit);
    const graze_sweep along =
        graze_sweep_point_segment((graze_vec2){-3, 0}, (graze_vec2){3, 0}, wall);
    assert_false(along.hit);
}

static void a_ray_that_lands_on_a_wall_and_goes_on_hits_once(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 20000; ++i) {
        graze_vec2 p[2];
        hard_points_make(&random, HARD_GRID, p, 2);
        const graze_segment wall = {{-4, 0}, {4, 0}};
        const graze_vec2 landing = {p[0].x, 0};
        const graze_vec2 above = {p[0].x, 1 + (float)(i % 3)};
        const graze_vec2 below = {p[0].x, -1 - (float)(i % 2)};
        const bool first = graze_sweep_point_segment(above, landing, wall).hit;
        const bool second = graze_sweep_point_segment(landing, below, wall).hit;
        assert_true(first != second);
        const graze_sweep back = graze_sweep_point_segment(landing, above, wall);
        assert_true(back.hit == first);
    }
}

static void rays_that_are_not_finite_hit_nothing(void **state)
{
    (void)state;
    static const float not_finite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) {
            float v[8] = {0, 1, 0, -1, -2, 0, 2, 0};
            v[i] = not_finite[k];
            const graze_vec2 from = {v[0], v[1]};
            const graze_vec2 to = {v[2], v[3]};
            const graze_segment wall = {{v[4], v[5]}, {v[6], v[7]}};
            assert_false(graze_sweep_point_segment(from, to, wall).hit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ray_and_segment_hit_exactly_when_they_cross),
        cmocka_unit_test(ray_and_segment_meet_at_time_point_and_normal),
        cmocka_unit_test(a_ray_that_lands_on_a_wall_and_goes_on_hits_once),
        cmocka_unit_test(rays_that_are_not_finite_hit_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
