// Which road takes what lands: the solver, or impacts in the order of time.

#include "response_kit.h"

#include "world/world_state.h"

// Two discs of radius 0.5 come together by so far in a step. Returns how many of them fly.
static uint32_t count_flying(float way, float restitution, float gap)
{
    const float dt = 1.0f / 64;
    graze_world *world = kit_world();
    for (int side = -1; side <= 1; side += 2) {
        graze_body_def def = kit_circle((float)side * (0.5f + gap / 2), 0, 0.5f);
        def = kit_moving(def, (float)-side * way / 2 / dt, 0, GRAZE_RIGID);
        def.restitution = restitution;
        kit_add(world, def);
    }
    kit_step(world, dt);
    const uint32_t flying = world->found.totals.flying;
    graze_world_destroy(world);
    return flying;
}

static void what_lands_by_its_size_or_less_is_the_solvers(void **state)
{
    (void)state;
    assert_int_equal(count_flying(0.1f, 0, 0.05f), 0);
    assert_int_equal(count_flying(0.49f, 0, 0.25f), 0);
}

static void what_is_faster_or_bounces_flies(void **state)
{
    (void)state;
    assert_int_equal(count_flying(0.51f, 0, 0.25f), 2);
    assert_int_equal(count_flying(4, 0, 0.25f), 2);
    assert_int_equal(count_flying(0.1f, 0.5f, 0.05f), 2);
}

// --- What has mass 0, and slides or bounces ---

static graze_body_def driven(graze_body_def def, uint32_t k)
{
    def.response = k % 2 ? GRAZE_BOUNCE : GRAZE_SLIDE;
    def.mass = 0;
    return def;
}

// A blade turns into a ball that sleeps, or is kept in its place by another one.
static void what_drives_meets_what_does_not_fly(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 8; ++k) {
        graze_world *world = kit_world();
        graze_body_def blade = driven(kit_rect(0, 0, 3, 0.2f), k);
        blade.spin = 1;
        const graze_body_id of_blade = kit_add(world, blade);
        graze_body_def ball = kit_moving(kit_circle(1.5f, 1.5f, 0.3f), 0, 0, GRAZE_RIGID);
        ball.restitution = k & 2 ? 0.5f : 0;
        const graze_body_id of_ball = kit_add(world, ball);
        if (k & 4) {
            ball.position = (graze_vec2){1.1f, 1.95f};
            kit_add(world, ball);
        }
        uint32_t step = 0;
        for (; step < 48 && !kit_find_contact(world, of_blade, of_ball); ++step) {
            kit_step(world, 1.0f / 60);
        }
        assert_in_range(step, 30, 34);
        kit_step(world, 1.0f / 60);
        assert_false(graze_body_is_asleep(world, of_ball));
        assert_true(kit_speed(world, of_ball) > 1);
        graze_world_destroy(world);
    }
}

// Two that touch run into a bumper: whatever their restitutions and masses, neither goes through.
static void two_that_touch_do_not_go_through_a_bumper(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 108; ++k) {
        graze_world *world = kit_world();
        graze_body_def bumper = driven(kit_rect(5, 0, 0.5f, 3), k);
        bumper.restitution = k & 2 ? 0.5f : 0;
        kit_add(world, bumper);
        graze_body_id bodies[2];
        for (uint32_t i = 0; i < 2; ++i) {
            graze_body_def def = kit_circle((float)i, 0, 0.5f);
            def = kit_moving(def, k & 4 ? 40 : 8, 0,
                             (graze_response)(GRAZE_SLIDE + (i ? k / 8 : k / 24) % 3));
            def.restitution = k & 1 ? 0.3f : 0;
            def.mass = i ? 1 : 2;
            bodies[i] = kit_add(world, def);
        }
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
            assert_true(graze_body_position(world, bodies[0]).x < 4.5f);
            assert_true(graze_body_position(world, bodies[1]).x < 4.5f);
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lands_by_its_size_or_less_is_the_solvers),
        cmocka_unit_test(what_is_faster_or_bounces_flies),
        cmocka_unit_test(what_drives_meets_what_does_not_fly),
        cmocka_unit_test(two_that_touch_do_not_go_through_a_bumper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
