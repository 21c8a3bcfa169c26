// How hard two met: the approach and the impulse of contacts.

#include "response_kit.h"

#include <string.h>

static const graze_contact *only_contact(const graze_world *world)
{
    const graze_contact_list list = graze_world_contacts(world);
    assert_int_equal(list.count, 1);
    return &list.data[0];
}

static void two_on_fixed_courses_approach_by_their_relative_speed(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_moving(kit_circle(0, 0, 0.5f), 3, 0, GRAZE_PASS));
    kit_add(world, kit_moving(kit_circle(2, 0, 0.5f), -1, 7, GRAZE_PASS));
    kit_step(world, 0.5f);
    assert_int_equal(graze_world_contacts(world).count, 0);
    graze_world_destroy(world);
    world = kit_world();
    kit_add(world, kit_moving(kit_circle(0, 0, 0.5f), 3, 4, GRAZE_PASS));
    kit_add(world, kit_moving(kit_rect(2, 0, 0.5f, 9), -1, 4, GRAZE_PASS));
    kit_step(world, 0.5f);
    kit_assert_near(only_contact(world)->approach, 4, 1e-6f);
    assert_true(only_contact(world)->impulse == 0);
    graze_world_destroy(world);
}

// Whatever their shapes: each pair has its kernel.
static void what_overlaps_approaches_until_it_parts(void **state)
{
    (void)state;
    for (int kinds = 0; kinds < 4; ++kinds) {
        graze_world *world = kit_world();
        const graze_body_def left = kinds & 1 ? kit_rect(0, 0, 1, 1) : kit_circle(0, 0, 1);
        const graze_body_def right = kinds & 2 ? kit_rect(1.75f, 0, 1, 1) : kit_circle(1.75f, 0, 1);
        const graze_body_id a = kit_add(world, kit_moving(left, 0.25f, 0, GRAZE_PASS));
        kit_add(world, kit_moving(right, -0.25f, 0, GRAZE_PASS));
        kit_step(world, 0.125f);
        kit_assert_near(only_contact(world)->approach, 0.5f, 1e-6f);
        assert_true(only_contact(world)->time == 0 && only_contact(world)->depth > 0);
        graze_body_set_velocity(world, a, (graze_vec2){-4, 0});
        kit_step(world, 0.125f);
        assert_true(only_contact(world)->approach == 0);
        graze_world_destroy(world);
    }
}

// Also at the very end of the step, and whatever the body does there.
static void a_wall_is_approached_by_the_speed_along_its_normal(void **state)
{
    (void)state;
    static const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    for (size_t k = 0; k < 4; ++k) {
        for (int at_end = 0; at_end < 2; ++at_end) {
            graze_world *world = kit_world();
            kit_wall(world, 2, -9, 2, 9);
            kit_add(world,
                    kit_moving_mass(kit_circle(at_end ? 0.5f : 1, 0, 0.5f), 4, 2, responses[k], 3));
            kit_step(world, 0.25f);
            const graze_contact *contact = only_contact(world);
            assert_true(contact->time == (at_end ? 1.0f : 0.5f));
            kit_assert_near(contact->approach, 4, 1e-6f);
            kit_assert_near(contact->impulse, k == 0 ? 0 : 12, 1e-5f);
            graze_world_destroy(world);
        }
    }
}

static void a_bounce_gives_the_impulse_of_both_speeds(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def ball = kit_moving_mass(kit_circle(1, 0, 0.5f), 4, 0, GRAZE_BOUNCE, 2);
    ball.restitution = 0.5f;
    kit_wall(world, 2, -9, 2, 9);
    kit_add(world, ball);
    kit_step(world, 0.25f);
    kit_assert_near(only_contact(world)->impulse, 2 * (4 + 2), 1e-5f);
    graze_world_destroy(world);
}

static void two_that_share_an_impulse_report_it(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def left = kit_moving_mass(kit_circle(0, 0, 0.5f), 6, 0, GRAZE_BOUNCE, 1);
    graze_body_def right = kit_moving_mass(kit_circle(2, 0, 0.5f), 0, 0, GRAZE_BOUNCE, 3);
    left.restitution = right.restitution = 1;
    kit_add(world, left);
    kit_add(world, right);
    kit_step(world, 0.25f);
    // The reduced mass, 3/4, times twice the speed.
    kit_assert_near(only_contact(world)->approach, 6, 1e-6f);
    kit_assert_near(only_contact(world)->impulse, 9, 1e-5f);
    graze_world_destroy(world);
}

// It is spent by a body, or by a wall; as one of many, or with events.
static void a_bullet_gives_the_impulse_that_stops_it(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 8; ++k) {
        graze_world *world = kit_world();
        graze_body_def bullet = kit_bullet(0, 0, 40, 30);
        bullet.mass = k & 1 ? 1 : 0.5f;
        bullet.response = k & 2 ? GRAZE_PASS : GRAZE_STOP;
        const graze_body_id shot = kit_add(world, bullet);
        bullet.mass = k & 1 ? 0.5f : 1;
        assert_int_equal(graze_body_set_mass(world, shot, bullet.mass), GRAZE_OK);
        if (k & 4) {
            kit_wall(world, 2, -9, 2, 9);
        } else {
            kit_add(world, kit_moving(kit_rect(3, 0, 1, 9), -10, 0, GRAZE_PASS));
        }
        kit_step(world, 0.125f);
        const graze_contact *contact = only_contact(world);
        const float approach = k & 4 ? 40 : 50;
        assert_false(graze_body_is_valid(world, shot));
        kit_assert_near(contact->approach, approach, 1e-5f);
        kit_assert_near(contact->impulse, k & 2 ? 0 : approach * bullet.mass, 1e-5f);
        graze_world_destroy(world);
    }
}

static void a_bullet_gives_its_impulse_to_a_disc(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def bullet = kit_bullet(0, 0, 40, 0);
    bullet.mass = 0.25f;
    kit_add(world, kit_circle(3, 0, 1));
    kit_add(world, bullet);
    kit_step(world, 0.125f);
    kit_assert_near(only_contact(world)->approach, 40, 1e-5f);
    kit_assert_near(only_contact(world)->impulse, 10, 1e-5f);
    graze_world_destroy(world);
}

static void what_has_no_mass_gives_no_impulse(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, 2, -9, 2, 9);
    kit_add(world, kit_moving_mass(kit_circle(1, 0, 0.5f), 4, 0, GRAZE_SLIDE, 0));
    kit_step(world, 0.25f);
    kit_assert_near(only_contact(world)->approach, 4, 1e-6f);
    assert_true(only_contact(world)->impulse == 0);
    graze_world_destroy(world);
}

// Where only a rotation makes two touch, as their centres move.
static void a_blade_that_turns_into_a_body_approaches_as_its_centre_does(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def blade = kit_moving(kit_rect(0, 0, 2, 0.125f), 0, 0.5f, GRAZE_PASS);
    blade.spin = 1.5f;
    kit_add(world, blade);
    kit_add(world, kit_circle(0, 1.5f, 0.5f));
    kit_step(world, 1);
    assert_true(only_contact(world)->time > 0 && only_contact(world)->time < 1);
    assert_true(only_contact(world)->approach > 0);
    assert_true(only_contact(world)->approach <= 0.5f);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_on_fixed_courses_approach_by_their_relative_speed),
        cmocka_unit_test(what_overlaps_approaches_until_it_parts),
        cmocka_unit_test(a_wall_is_approached_by_the_speed_along_its_normal),
        cmocka_unit_test(a_bounce_gives_the_impulse_of_both_speeds),
        cmocka_unit_test(two_that_share_an_impulse_report_it),
        cmocka_unit_test(a_bullet_gives_the_impulse_that_stops_it),
        cmocka_unit_test(a_bullet_gives_its_impulse_to_a_disc),
        cmocka_unit_test(what_has_no_mass_gives_no_impulse),
        cmocka_unit_test(a_blade_that_turns_into_a_body_approaches_as_its_centre_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
