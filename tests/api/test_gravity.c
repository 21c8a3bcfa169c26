#include "busy_world.h"
#include "world_kit.h"

#include <math.h>
#include <stdlib.h>

// The world's gravity, which a game may set between steps.

enum { STEPS = 60, MANY = 300 };

static const graze_vec2 none = {0, 0}, down = {0, -10}, up = {0, 10};
static const float step_time = 1.0f / 60;

static graze_world *world_with(graze_vec2 gravity)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = gravity;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

static void set_gravity(graze_world *world, graze_vec2 gravity)
{
    assert_int_equal(graze_world_set_gravity(world, gravity), GRAZE_OK);
    assert_true(graze_world_gravity(world).x == gravity.x);
    assert_true(graze_world_gravity(world).y == gravity.y);
}

static void run(graze_world *world, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; ++i) {
        kit_step(world, step_time);
    }
}

// The bodies that the last step sorted: those at rest are kept apart.
static uint32_t count_awake(const graze_world *world)
{
    return graze_world_get_stats(world).grid.body_count;
}

static void a_gravity_that_is_set_is_that_of_a_world_made_with_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; ++seed) {
        graze_world *made = busy_empty_world(), *set = world_with(none);
        random_state first = random_seed(seed), second = first;
        busy_fill(made, &first);
        busy_fill(set, &second);
        set_gravity(set, graze_world_gravity(made));
        for (uint32_t i = 0; i < STEPS; ++i) {
            busy_frame(made, &first);
            busy_frame(set, &second);
            assert_true(graze_world_hash(made) == graze_world_hash(set));
        }
        graze_world_destroy(made);
        graze_world_destroy(set);
    }
}

static void it_acts_from_the_next_step_on_and_zeros_have_no_sign(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    const uint64_t hash = graze_world_hash(world);
    kit_step(world, 0.5f);
    set_gravity(world, (graze_vec2){3, -4});
    assert_true(graze_body_velocity(world, body).x == 0);
    kit_step(world, 0.5f);
    assert_true(graze_body_velocity(world, body).x == 1.5f);
    assert_true(graze_body_velocity(world, body).y == -2);
    graze_body_set_position(world, body, none);
    graze_body_set_velocity(world, body, none);
    set_gravity(world, (graze_vec2){-0.0f, -0.0f});
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

// In a world without gravity they are at rest in mid-air.
static void what_hangs_at_rest_falls_once_there_is_gravity(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < MANY; ++i) {
        kit_add(world, kit_circle(3.0f * (float)i, 0, 1));
    }
    run(world, STEPS);
    assert_int_equal(count_awake(world), 0);
    set_gravity(world, down);
    kit_step(world, step_time);
    for (uint32_t i = 0; i < MANY; ++i) {
        const graze_body_id body = graze_world_body_at(world, i);
        assert_true(graze_body_velocity(world, body).y == down.y * step_time);
    }
    graze_world_destroy(world);
}

// Stacks of crates in a box of 120 x 20.
static graze_world *world_of_stacks(void)
{
    const graze_vec2 corners[] = {{0, 0}, {120, 0}, {120, 20}, {0, 20}};
    graze_world *world = world_with(down);
    kit_loop(world, corners, 4);
    for (uint32_t i = 0; i < MANY; ++i) {
        const float x = 1 + 2 * (float)(i / 5), y = 0.5f + (float)(i % 5);
        kit_add(world, kit_moving(kit_rect(x, y, 0.5f, 0.5f), 0, 0, GRAZE_SLIDE));
    }
    return world;
}

static void assert_between(const graze_world *world, float low, float high)
{
    for (uint32_t i = 0; i < MANY; ++i) {
        const float y = graze_body_position(world, graze_world_body_at(world, i)).y;
        assert_true(y >= low && y <= high);
    }
}

static void stacks_that_sleep_fall_to_where_gravity_leads(void **state)
{
    (void)state;
    graze_world *world = world_of_stacks();
    run(world, 4 * STEPS);
    assert_int_equal(count_awake(world), 0);
    assert_between(world, 0.45f, 4.55f);
    set_gravity(world, up);
    kit_step(world, step_time);
    assert_int_equal(count_awake(world), MANY);
    run(world, 6 * STEPS);
    assert_int_equal(count_awake(world), 0);
    assert_between(world, 15.45f, 19.55f);
    graze_world_destroy(world);
}

static void a_gravity_that_stays_the_same_wakes_nothing(void **state)
{
    (void)state;
    graze_world *world = world_of_stacks();
    run(world, 4 * STEPS);
    set_gravity(world, down);
    kit_step(world, step_time);
    assert_int_equal(count_awake(world), 0);
    graze_world_destroy(world);
}

static void snapshots_hold_it(void **state)
{
    (void)state;
    size_t size;
    graze_world *world = world_with(down), *other = kit_world();
    set_gravity(world, up);
    void *bytes = kit_save(world, &size);
    kit_load(other, bytes, size);
    assert_true(graze_world_gravity(other).y == up.y);
    free(bytes);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

// --- Errors ---

static void one_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    set_gravity(world, down);
    const uint64_t hash = graze_world_hash(world);
    const graze_vec2 bad[] = {{NAN, 0}, {0, NAN}, {INFINITY, 0}, {0, -INFINITY}};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_equal(graze_world_set_gravity(world, bad[i]), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_set_gravity: gravity is|finite");
        assert_true(graze_world_hash(world) == hash);
    }
    graze_world_destroy(world);
}

// The world is const to a filter, but a game may well hold another pointer to it.
static bool turn_gravity(const graze_world *world, graze_body_id a, graze_body_id b,
                         graze_segment_id segment, void *user)
{
    (void)world, (void)a, (void)b, (void)segment;
    assert_int_equal(graze_world_set_gravity(*(graze_world **)user, up), GRAZE_ERROR_BUSY);
    return true;
}

static void it_cannot_be_set_inside_a_step(void **state)
{
    (void)state;
    kit_log log = {.count = 0};
    graze_world *world = NULL;
    graze_world_def def = graze_world_def_default();
    def.filter = turn_gravity;
    def.filter_user = &world;
    def.log = kit_write_log;
    def.log_user = &log;
    world = graze_world_create(&def);
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(1, 0, 1));
    kit_step(world, step_time);
    kit_assert_logged(&log, GRAZE_ERROR_BUSY, "graze_world_set_gravity: called from inside a step");
    assert_true(graze_world_gravity(world).y == 0);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gravity_that_is_set_is_that_of_a_world_made_with_it),
        cmocka_unit_test(it_acts_from_the_next_step_on_and_zeros_have_no_sign),
        cmocka_unit_test(what_hangs_at_rest_falls_once_there_is_gravity),
        cmocka_unit_test(stacks_that_sleep_fall_to_where_gravity_leads),
        cmocka_unit_test(a_gravity_that_stays_the_same_wakes_nothing),
        cmocka_unit_test(snapshots_hold_it),
        cmocka_unit_test(one_that_is_not_finite_is_refused),
        cmocka_unit_test(it_cannot_be_set_inside_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
