// Sliding bodies that stand still: in places with no way out, and at rest.

#include "response_kit.h"

#include <stdio.h>

// --- Places with no way out ---

/// Walls that hold a body that is pushed by `push`.
typedef struct trap {
    const char *name;
    graze_vec2 points[4]; ///< Two walls, or a chain of three points.
    uint32_t count;
    graze_vec2 start, push;
} trap;

static const trap traps[] = {
    {"right corner", {{-10, 0}, {5, 0}, {5, 10}}, 3, {0, 3}, {7, -5}},
    {"blunt corner", {{-10, 0}, {5, 0}, {12, 10}}, 3, {0, 3}, {7, -9}},
    {"acute wedge", {{-10, 1}, {5, 0}, {-10, -1}}, 3, {-20, 0.03f}, {30, 0}},
    {"very acute wedge", {{-100, 1}, {5, 0}, {-100, -1}}, 3, {-120, 0.03f}, {60, 0}},
    {"slanted wedge", {{-10, 5}, {5, -7}, {-10, -10}}, 3, {-20, -3}, {30, -4}},
    {"upright wedge", {{-1, 6}, {0, 0}, {1, 6}}, 3, {0.1f, 8}, {0, -10}},
    {"corridor", {{0, 0.3f}, {10, 0.3f}, {0, -0.3f}, {10, -0.3f}}, 4, {-5, 0.07f}, {30, 0}},
    {"slanted corridor",
     {{0, 0.3f}, {10, -0.3f}, {0, -0.3f}, {10, -0.9f}},
     4,
     {-5, 0.07f},
     {30, 0}},
};

static graze_vec2 shifted(graze_vec2 point, float offset)
{
    point.x += offset;
    return point;
}

static void assert_trapped(const trap *of, int kind, float offset, double angle)
{
    graze_world *world = kit_world();
    graze_vec2 points[4];
    for (uint32_t i = 0; i < of->count; ++i) {
        points[i] = shifted(of->points[i], offset);
    }
    kit_chain(world, points, of->count == 4 ? 2 : 3, false, false);
    if (of->count == 4) {
        kit_chain(world, points + 2, 2, false, false);
    }
    graze_vec2 start = shifted(of->start, offset);
    graze_body_def def = kit_shape_at(kind, (double)start.x, (double)start.y, angle);
    graze_body_id body = kit_add(world, kit_sliding(def, 0, 0));
    for (int step = 0; step < 600; ++step) {
        graze_body_set_velocity(world, body, of->push);
        kit_step(world, 1.0f / 60);
    }
    kit_tally tally = {0};
    char name[80];
    snprintf(name, sizeof name, "%s, %s, offset %g, angle %g", of->name, kit_shape_names[kind],
             (double)offset, angle);
    graze_body_set_velocity(world, body, of->push);
    kit_step_and_count(world, 1.0f / 60, &tally);
    if (tally.contacts == 0) {
        fail_msg("%s: nothing is touched", name);
    }
    kit_assert_held(world, body, &of->push, offset == 0 ? 1000 : 100, name);
    graze_world_destroy(world);
}

static void what_is_pushed_into_a_place_with_no_way_out_stands_still_to_the_bit(void **state)
{
    (void)state;
    const float offsets[] = {0, 1000, 1e5f, 1e6f};
    for (size_t i = 0; i < sizeof traps / sizeof traps[0]; ++i) {
        for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; ++k) {
            assert_trapped(&traps[i], 0, offsets[k], 0);
            assert_trapped(&traps[i], 1, offsets[k], 0);
            assert_trapped(&traps[i], 1, offsets[k], 0.4);
        }
    }
}

static void a_bullet_that_slides_into_a_corner_stands_still_to_the_bit(void **state)
{
    (void)state;
    const float offsets[] = {0, 1000, 1e5f};
    for (size_t i = 0; i < 6; ++i) {
        for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; ++k) {
            assert_trapped(&traps[i], 2, offsets[k], 0);
        }
    }
}

// --- Rest ---

static void assert_rests(int kind, double x, double slope, float friction, uint32_t steps)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall_at(world, x, 0, slope, 1000);
    graze_body_def def = kit_shape_at(kind, x, 1.3, slope);
    def.friction = kit_friction_on_walls((double)friction);
    graze_body_id body = kit_add(world, kit_sliding(def, 0, 0));
    kit_tally tally = {0};
    for (int step = 0; step < 200; ++step) {
        kit_step_and_count(world, 1.0f / 60, &tally);
    }
    assert_int_equal(tally.begins, 1);
    assert_int_equal(tally.ends, 0);
    char name[80];
    snprintf(name, sizeof name, "%s at %g, slope %g", kit_shape_names[kind], x, slope);
    kit_assert_held(world, body, NULL, steps, name);
    const graze_vec2 rest = {0, 0};
    kit_assert_same_vec2(graze_body_velocity(world, body), rest);
    assert_true(tally.depth < 1e-4f);
    graze_world_destroy(world);
}

static void a_body_at_rest_does_not_drift_or_flicker(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        assert_rests(kind, 0, 0, 0, 10000);
        assert_rests(kind, 1e3, 0, 0, 1000);
        assert_rests(kind, -1e6, 0, 0, 1000);
        assert_rests(kind, 0, 0.3, 0.5f, 10000);
        assert_rests(kind, 0, -0.7, 0.9f, 1000);
        assert_rests(kind, 1e3, 0.3, 0.5f, 1000);
    }
}

static void a_body_rests_in_a_valley_without_friction(void **state)
{
    (void)state;
    const graze_vec2 valley[3] = {{-3, 6}, {0, 0}, {2, 6}};
    for (int kind = 0; kind < 2; ++kind) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_chain(world, valley, 3, false, false);
        graze_body_id body = kit_add(world, kit_sliding(kit_shape_at(kind, 0.1, 6, 0), 0, 0));
        for (int step = 0; step < 1000; ++step) {
            kit_step(world, 1.0f / 60);
        }
        kit_assert_held(world, body, NULL, 500, kit_shape_names[kind]);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pushed_into_a_place_with_no_way_out_stands_still_to_the_bit),
        cmocka_unit_test(a_bullet_that_slides_into_a_corner_stands_still_to_the_bit),
        cmocka_unit_test(a_body_at_rest_does_not_drift_or_flicker),
        cmocka_unit_test(a_body_rests_in_a_valley_without_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
