// Arguments that queries refuse.

#include "query_oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void rays_and_shapes_that_are_no_good_are_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_circle(0, 0, 1));
    const graze_filter all = graze_filter_default();
    const graze_vec2 zero = {0, 0};
    const graze_ray bad[] = {{{NAN, 0}, {1, 0}},
                             {{0, INFINITY}, {1, 0}},
                             {{0, 0}, {-INFINITY, 0}},
                             {{0, 0}, {0, NAN}},
                             {{3e38f, 0}, {3e38f, 0}}};
    graze_query_hit hit;
    memset(&hit, 0xAB, sizeof hit);
    const graze_query_hit untouched = hit;
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(graze_query_ray(world, bad[i], all, &hit), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray|finite");
        const graze_ray rays[2] = {{{0, 0}, {1, 0}}, bad[i]};
        assert_int_equal(graze_query_ray_many(world, rays, 2, all, &hit), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many|ray 1|finite");
        assert_int_equal(graze_query_cast(world, graze_shape_circle(1), bad[i].origin, 0,
                                          bad[i].delta, all, &hit),
                         GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_cast|finite");
        assert_int_equal(graze_query_ray_all(world, bad[i], all, &hit, 1), 0);
        memset(&log, 0, sizeof log);
    }
    assert_memory_equal(&hit, &untouched, sizeof hit);
    graze_shape shapes[] = {graze_shape_circle(-1),        graze_shape_circle(NAN),
                            graze_shape_rect(0, 1),        graze_shape_rect(1, -1),
                            graze_shape_rect(INFINITY, 1), graze_shape_ray()};
    shapes[5].kind = (graze_shape_kind)7;
    const char *const wrong[] = {"shape.radius is -1",        "shape.radius is ",
                                 "shape.half.x is 0|above 0", "shape.half.y is -1",
                                 "shape.half.x is inf",       "shape.kind is 7"};
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(graze_query_cast(world, shapes[i], zero, 0, zero, all, &hit),
                         GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, wrong[i]);
    }
    assert_int_equal(graze_query_cast(world, graze_shape_circle(1), zero, NAN, zero, all, &hit),
                     GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_cast|angle is ");
    assert_memory_equal(&hit, &untouched, sizeof hit);
    graze_world_destroy(world);
}

static void lists_without_an_array_for_their_capacity_are_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_circle(0, 0, 1));
    const graze_filter all = graze_filter_default();
    const graze_vec2 zero = {0, 0};
    const graze_aabb box = {{0, 0}, {1, 1}};
    const graze_ray ray = {{0, 0}, {1, 0}};
    assert_int_equal(graze_query_point(world, zero, all, NULL, 0), 1);
    assert_int_equal(graze_query_point(world, zero, all, NULL, 4), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_point|bodies is null|4");
    assert_int_equal(graze_query_box(world, box, all, NULL, 1), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_box|bodies is null|1");
    assert_int_equal(graze_query_nearest(world, zero, 1, all, NULL, 1), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_nearest|bodies is null|1");
    assert_int_equal(graze_query_ray_all(world, ray, all, NULL, 0), 1);
    assert_int_equal(graze_query_ray_all(world, ray, all, NULL, 2), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_all|hits is null|2");
    graze_world_destroy(world);
}

// Many rays are checked at a time: an invalid one is seen in any place.
static void a_bad_ray_is_seen_at_every_place(void **state)
{
    (void)state;
    enum { MOST = 37 };
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_query_hit hits[MOST];
    for (uint32_t count = 1; count <= MOST; ++count) {
        for (uint32_t bad = 0; bad < 4 * count; ++bad) {
            graze_ray rays[MOST];
            memset(rays, 0, sizeof rays);
            graze_vec2 *ends = &rays[bad / 4].origin;
            ends = bad & 1 ? &rays[bad / 4].delta : ends;
            *(bad & 2 ? &ends->x : &ends->y) = bad % 3 ? INFINITY : NAN;
            assert_int_equal(graze_query_ray_many(world, rays, count, graze_filter_default(), hits),
                             GRAZE_ERROR_ARGUMENT);
            char words[64];
            snprintf(words, sizeof words, "graze_query_ray_many|ray %u |finite", bad / 4);
            kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, words);
        }
    }
    graze_world_destroy(world);
}

static void null_where_there_must_be_something_is_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const graze_filter all = graze_filter_default();
    const graze_ray ray = {{0, 0}, {1, 0}};
    graze_query_hit hit;
    assert_int_equal(graze_query_ray(world, ray, all, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray|null");
    assert_int_equal(graze_query_ray_many(world, NULL, 1, all, &hit), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many|rays|null");
    assert_int_equal(graze_query_ray_many(world, &ray, 1, all, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many|hits|null");
    assert_int_equal(graze_query_ray_many(world, NULL, 0, all, NULL), GRAZE_OK);
    assert_int_equal(
        graze_query_cast(world, graze_shape_circle(1), ray.origin, 0, ray.delta, all, NULL),
        GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_cast|null");
    graze_world_destroy(world);
}

static void lists_of_bad_places_are_empty(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_circle(0, 0, 1));
    const graze_filter all = graze_filter_default();
    const graze_vec2 zero = {0, 0};
    const graze_vec2 bad = {NAN, 0};
    const graze_aabb boxes[] = {
        {{0, 0}, {NAN, 1}}, {{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {{-INFINITY, 0}, {1, 1}}};
    graze_body_id bodies[4];
    assert_int_equal(graze_query_point(world, bad, all, bodies, 4), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_point|point is (nan, 0)");
    assert_int_equal(graze_query_nearest(world, bad, 1, all, bodies, 4), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_nearest|point is (nan, 0)");
    assert_int_equal(graze_query_nearest(world, zero, -1, all, bodies, 4), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_nearest|radius is -1");
    assert_int_equal(graze_query_nearest(world, zero, NAN, all, bodies, 4), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_nearest|radius is nan");
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(graze_query_box(world, boxes[i], all, bodies, 4), 0);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_box|box is (");
    }
    const graze_aabb barely = {{1 + FLT_EPSILON, 0}, {1, 0}};
    assert_int_equal(graze_query_box(world, barely, all, bodies, 4), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "box is (1.00000012, 0) to (1, 0)");
    assert_int_equal(graze_query_nearest(world, zero, 3e38f, all, bodies, 4), 1);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_and_shapes_that_are_no_good_are_refused),
        cmocka_unit_test(lists_without_an_array_for_their_capacity_are_refused),
        cmocka_unit_test(a_bad_ray_is_seen_at_every_place),
        cmocka_unit_test(null_where_there_must_be_something_is_refused),
        cmocka_unit_test(lists_of_bad_places_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
