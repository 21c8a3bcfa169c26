// Impulses that a game applies: to a body, at a point, and by explosions.

#include "busy_world.h"
#include "failing_allocator.h"
#include "record_kit.h"
#include "response_kit.h"

#include <math.h>
#include <stdlib.h>

static graze_body_def rigid(graze_body_def def, float mass)
{
    def.response = GRAZE_RIGID;
    def.mass = mass;
    return def;
}

static void an_impulse_changes_the_velocity_by_the_mass(void **state)
{
    (void)state;
    static const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (int k = 0; k < 4; ++k) {
            graze_world *world = kit_world();
            const graze_body_def def = kit_shape_at(kind, 5, 5, 0);
            const graze_body_id body = kit_add(world, kit_moving_mass(def, 1, 2, responses[k], 4));
            const graze_vec2 impulse = {8, -2}, at = graze_body_position(world, body);
            assert_int_equal(graze_body_apply_impulse(world, body, impulse, at), GRAZE_OK);
            kit_assert_velocity(world, body, 3, 1.5);
            assert_true(graze_body_spin(world, body) == 0);
            graze_world_destroy(world);
        }
    }
}

static void what_impulses_do_not_move_stays_as_it_was(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def heavy = rigid(kit_rect(9, 0, 1, 1), 0);
    heavy.inertia = 1;
    const graze_body_id bodies[] = {
        kit_add(world, kit_moving(kit_circle(0, 0, 1), 1, 2, GRAZE_PASS)), kit_add(world, heavy)};
    const uint64_t hash = graze_world_hash(world);
    for (int k = 0; k < 2; ++k) {
        const graze_vec2 impulse = {1, 1}, zero = {0, 0};
        assert_int_equal(graze_body_apply_impulse(world, bodies[k], impulse, zero), GRAZE_OK);
        assert_int_equal(graze_body_apply_spin_impulse(world, bodies[k], 3), GRAZE_OK);
    }
    assert_int_equal(graze_world_explode(world, (graze_vec2){1, 0}, 100, 9, graze_filter_default()),
                     GRAZE_OK);
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

// About its centre: a solid rect has m (x^2 + y^2) / 3, a solid disc m r^2 / 2.
static void an_impulse_off_the_centre_turns_what_is_rigid(void **state)
{
    (void)state;
    const graze_vec2 impulse = {0, 6};
    graze_world *world = kit_world();
    const graze_body_id rect = kit_add(world, rigid(kit_rect(0, 0, 2, 1), 3));
    graze_body_def own = rigid(kit_rect(0, 0, 2, 1), 3);
    own.inertia = 12;
    const graze_body_id heavy = kit_add(world, own);
    const graze_body_id disc = kit_add(world, rigid(kit_circle(0, 0, 2), 3));
    const graze_body_id slider =
        kit_add(world, kit_moving_mass(kit_rect(0, 0, 2, 1), 0, 0, GRAZE_SLIDE, 3));
    const graze_body_id all[] = {rect, heavy, disc, slider};
    const float spins[] = {2 * 6 / 5.0f, 1, 2, 0};
    for (int k = 0; k < 4; ++k) {
        const graze_vec2 point = {2, 5};
        assert_int_equal(graze_body_apply_impulse(world, all[k], impulse, point), GRAZE_OK);
        kit_assert_velocity(world, all[k], 0, 2);
        kit_assert_near(graze_body_spin(world, all[k]), spins[k], 1e-6f);
    }
    graze_world_destroy(world);
}

static void a_spin_impulse_only_turns(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id disc = kit_add(world, rigid(kit_circle(0, 0, 2), 3));
    const graze_body_id ray = kit_add(world, rigid(kit_bullet(9, 9, 1, 1), 3));
    assert_int_equal(graze_body_apply_spin_impulse(world, disc, -3), GRAZE_OK);
    assert_int_equal(graze_body_apply_spin_impulse(world, ray, -3), GRAZE_OK);
    kit_assert_near(graze_body_spin(world, disc), -0.5f, 1e-6f);
    kit_assert_velocity(world, disc, 0, 0);
    kit_assert_velocity(world, ray, 1, 1);
    assert_true(graze_body_spin(world, ray) == 0);
    kit_step(world, 0.5f);
    kit_assert_near(graze_body_angle(world, disc), -0.25f, 1e-6f);
    graze_world_destroy(world);
}

static void an_explosion_fades_to_nothing_at_its_radius(void **state)
{
    (void)state;
    for (int sorted = 0; sorted < 2; ++sorted) {
        graze_world *world = kit_world();
        graze_body_id bodies[4];
        const float places[4] = {3, -5, 9, 12};
        for (int k = 0; k < 4; ++k) {
            bodies[k] =
                kit_add(world, kit_moving_mass(kit_circle(places[k], 0, 1), 0, 0, GRAZE_SLIDE, 2));
        }
        if (sorted) {
            assert_int_equal(graze_world_sort(world), GRAZE_OK);
        }
        const graze_vec2 zero = {0, 0};
        assert_int_equal(graze_world_explode(world, zero, 8, 16, graze_filter_default()), GRAZE_OK);
        kit_assert_velocity(world, bodies[0], 8 * 0.75, 0);
        kit_assert_velocity(world, bodies[1], -8 * 0.5, 0);
        kit_assert_velocity(world, bodies[2], 0, 0);
        kit_assert_velocity(world, bodies[3], 0, 0);
        graze_world_destroy(world);
    }
}

// At its nearest point: the corner of a crate, which turns it.
static void an_explosion_acts_at_the_nearest_point(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id crate = kit_add(world, rigid(kit_rect(6, 2, 2, 2), 1));
    const graze_vec2 below = {4, -4};
    assert_int_equal(graze_world_explode(world, below, 8, 8, graze_filter_default()), GRAZE_OK);
    kit_assert_velocity(world, crate, 0, 4); // At (4, 0), four away.
    kit_assert_near(graze_body_spin(world, crate), -2 * 4 / (8.0f / 3), 1e-6f);
    graze_world_destroy(world);
}

static void an_explosion_inside_a_body_pushes_towards_its_centre(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id crate = kit_add(world, rigid(kit_rect(0, 0, 2, 2), 1));
    const graze_vec2 inside = {-1, 0}, zero = {0, 0};
    assert_int_equal(graze_world_explode(world, inside, 1, 3, graze_filter_default()), GRAZE_OK);
    kit_assert_velocity(world, crate, 3, 0);
    assert_true(graze_body_spin(world, crate) == 0);
    assert_int_equal(graze_world_explode(world, zero, 1, 3, graze_filter_default()), GRAZE_OK);
    assert_int_equal(graze_world_explode(world, inside, 0, 3, graze_filter_default()), GRAZE_OK);
    kit_assert_velocity(world, crate, 3, 0);
    assert_int_equal(graze_world_explode(world, inside, 1, -3, graze_filter_default()), GRAZE_OK);
    kit_assert_velocity(world, crate, 0, 0);
    graze_world_destroy(world);
}

// Rounding of its rotation must not decide which way that is.
static void an_explosion_inside_a_turned_body_pushes_towards_its_centre(void **state)
{
    (void)state;
    for (int k = 0; k < 100; ++k) {
        graze_world *world = kit_world();
        graze_body_def def = rigid(kit_rect(3, 4, 2, 1), 1);
        def.angle = 0.07f * (float)k;
        const graze_body_id crate = kit_add(world, def);
        const graze_vec2 inside = {3 - 0.48f, 4 + 0.64f};
        assert_int_equal(graze_world_explode(world, inside, 1, 5, graze_filter_default()),
                         GRAZE_OK);
        kit_assert_near_vec2(graze_body_velocity(world, crate), 3, -4, 1e-5f);
        kit_assert_near(graze_body_spin(world, crate), 0, 1e-5f);
        graze_world_destroy(world);
    }
}

static void an_explosion_asks_its_filter(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving(kit_circle(2, 0, 1), 0, 0, GRAZE_SLIDE);
    const graze_body_id met = kit_add(world, def);
    def.filter.category = 4;
    const graze_body_id spared = kit_add(world, def);
    graze_filter filter = graze_filter_default();
    filter.mask = ~UINT32_C(4);
    assert_int_equal(graze_world_explode(world, (graze_vec2){0, 0}, 4, 4, filter), GRAZE_OK);
    kit_assert_velocity(world, met, 3, 0);
    kit_assert_velocity(world, spared, 0, 0);
    graze_world_destroy(world);
}

// Crates at rest on the ground fly, and those on them fall.
static void what_lies_at_rest_wakes(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_body_id crates[300];
    kit_wall(world, 1000, 0, -1000, 0);
    for (int k = 0; k < 300; ++k) {
        crates[k] = kit_add(
            world, kit_moving(kit_rect((float)k * 3 - 450, 0.5f, 0.5f, 0.5f), 0, 0, GRAZE_SLIDE));
    }
    for (int step = 0; step < 100; ++step) {
        kit_step(world, 1.0f / 60);
    }
    const graze_vec2 centre = {0, -0.5f}, up = {0, 5};
    const float before = graze_body_position(world, crates[10]).y;
    assert_int_equal(graze_world_explode(world, centre, 4, 30, graze_filter_default()), GRAZE_OK);
    assert_int_equal(graze_body_apply_impulse(world, crates[10], up, centre), GRAZE_OK);
    kit_step(world, 1.0f / 60);
    assert_true(graze_body_position(world, crates[150]).y > before + 0.1f);
    assert_true(graze_body_position(world, crates[10]).y > before + 0.05f);
    graze_world_destroy(world);
}

static void a_number_that_is_not_finite_changes_nothing(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const graze_body_id body = kit_add(world, rigid(kit_rect(0, 0, 1, 1), 1));
    const graze_vec2 zero = {0, 0}, bad = {0, NAN};
    const graze_filter filter = graze_filter_default();
    const uint64_t hash = graze_world_hash(world);
    const graze_status wrong = GRAZE_ERROR_ARGUMENT;
    assert_int_equal(graze_body_apply_impulse(world, body, bad, zero), wrong);
    kit_assert_logged(&log, wrong, "graze_body_apply_impulse: impulse is (0, ");
    assert_int_equal(graze_body_apply_impulse(world, body, zero, bad), wrong);
    kit_assert_logged(&log, wrong, "graze_body_apply_impulse: point is (0, ");
    assert_int_equal(graze_body_apply_spin_impulse(world, body, INFINITY), wrong);
    kit_assert_logged(&log, wrong, "graze_body_apply_spin_impulse|impulse is inf");
    assert_int_equal(graze_world_explode(world, bad, 1, 1, filter), wrong);
    kit_assert_logged(&log, wrong, "graze_world_explode: center is (0, ");
    assert_int_equal(graze_world_explode(world, zero, -1, 1, filter), wrong);
    kit_assert_logged(&log, wrong, "graze_world_explode: radius is -1");
    assert_int_equal(graze_world_explode(world, zero, INFINITY, 1, filter), wrong);
    kit_assert_logged(&log, wrong, "graze_world_explode: radius is inf");
    assert_int_equal(graze_world_explode(world, zero, 1, INFINITY, filter), wrong);
    kit_assert_logged(&log, wrong, "graze_world_explode: impulse is inf");
    graze_body_destroy(world, body);
    assert_int_equal(graze_body_apply_impulse(world, body, zero, zero), GRAZE_ERROR_STALE_ID);
    kit_assert_logged(&log, GRAZE_ERROR_STALE_ID, "graze_body_apply_impulse: body {0, 1}");
    assert_int_equal(graze_body_apply_spin_impulse(world, body, 1), GRAZE_ERROR_STALE_ID);
    kit_assert_logged(&log, GRAZE_ERROR_STALE_ID, "graze_body_apply_spin_impulse: body {0, 1}");
    assert_true(hash != graze_world_hash(world));
    graze_world_destroy(world);
}

static void velocities_stay_in_the_range_of_float(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id body = kit_add(world, rigid(kit_rect(0, 0, 1e-20f, 1e-20f), 1e-30f));
    const graze_vec2 impulse = {1e30f, -1e30f}, far = {1e30f, 1e30f};
    assert_int_equal(graze_body_apply_impulse(world, body, impulse, far), GRAZE_OK);
    const graze_vec2 velocity = graze_body_velocity(world, body);
    assert_true(isfinite(velocity.x) && isfinite(velocity.y));
    assert_true(isfinite(graze_body_spin(world, body)));
    graze_world_destroy(world);
}

static void without_memory_nothing_explodes(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    for (int k = 0; k < 200; ++k) {
        kit_add(world, kit_moving(kit_circle((float)k, 0, 1), 0, 0, GRAZE_SLIDE));
    }
    const graze_vec2 zero = {0, 0};
    const uint64_t hash = graze_world_hash(world);
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status =
            graze_world_explode(world, zero, 500, 4, graze_filter_default());
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, GRAZE_OK);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        assert_true(graze_world_hash(world) == hash);
    }
    assert_true(graze_world_hash(world) != hash);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

static void a_record_has_them(void **state)
{
    (void)state;
    kit_record record = {0};
    graze_world *world = busy_world_after(4, 3);
    kit_record_start(&record, world);
    for (uint32_t frame = 0; frame < 20; ++frame) {
        for (uint32_t index = 0; index < 60; ++index) {
            const graze_body_id body = graze_world_body_at(world, index);
            const graze_vec2 impulse = {(float)index, 1}, point = {(float)frame, 2};
            graze_body_apply_impulse(world, body, impulse, point);
            graze_body_apply_spin_impulse(world, body, (float)frame - 10);
        }
        const graze_vec2 center = {(float)frame, 1};
        assert_int_equal(graze_world_explode(world, center, 9, 3, graze_filter_default()),
                         GRAZE_OK);
        kit_step(world, 1.0f / 60);
    }
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    graze_world_destroy(world);
    assert_int_equal(kit_replay_elsewhere(&record, 3), 20);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impulse_changes_the_velocity_by_the_mass),
        cmocka_unit_test(what_impulses_do_not_move_stays_as_it_was),
        cmocka_unit_test(an_impulse_off_the_centre_turns_what_is_rigid),
        cmocka_unit_test(a_spin_impulse_only_turns),
        cmocka_unit_test(an_explosion_fades_to_nothing_at_its_radius),
        cmocka_unit_test(an_explosion_acts_at_the_nearest_point),
        cmocka_unit_test(an_explosion_inside_a_body_pushes_towards_its_centre),
        cmocka_unit_test(an_explosion_inside_a_turned_body_pushes_towards_its_centre),
        cmocka_unit_test(an_explosion_asks_its_filter),
        cmocka_unit_test(what_lies_at_rest_wakes),
        cmocka_unit_test(a_number_that_is_not_finite_changes_nothing),
        cmocka_unit_test(velocities_stay_in_the_range_of_float),
        cmocka_unit_test(without_memory_nothing_explodes),
        cmocka_unit_test(a_record_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
