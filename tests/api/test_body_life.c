#include "response_kit.h"

// The life of an id: from when it is given out until it is stale.

// --- Ids ---

static void assert_all_setters_refuse(graze_world *world, kit_log *log, graze_body_id body)
{
    const graze_vec2 zero = {0, 0};
    const graze_status got[] = {
        graze_body_destroy(world, body),
        graze_body_set_position(world, body, zero),
        graze_body_set_velocity(world, body, zero),
        graze_body_set_angle(world, body, 0),
        graze_body_set_spin(world, body, 0),
        graze_body_set_filter(world, body, graze_filter_default()),
        graze_body_set_response(world, body, GRAZE_PASS),
        graze_body_set_mass(world, body, 1),
        graze_body_set_restitution(world, body, 1),
        graze_body_set_friction(world, body, 1),
        graze_body_set_lifetime(world, body, 1),
        graze_body_set_hit_limit(world, body, 1),
        graze_body_set_sensor(world, body, true),
        graze_body_set_shape(world, body, graze_shape_ray()),
        graze_body_set_user_data(world, body, 1),
    };
    uint32_t count = sizeof got / sizeof *got;
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(got[i], GRAZE_ERROR_STALE_ID);
    }
    assert_int_equal(log->count, count);
    log->count = 1;
    kit_assert_logged(log, GRAZE_ERROR_STALE_ID, "graze_body_set_user_data|not in the world");
}

static void assert_all_getters_return_zeros(const graze_world *world, graze_body_id body)
{
    const graze_vec2 zero = {0, 0};
    const graze_filter none = {0, 0, 0, 0};
    assert_false(graze_body_is_valid(world, body));
    kit_assert_same_vec2(graze_body_position(world, body), zero);
    kit_assert_same_vec2(graze_body_velocity(world, body), zero);
    assert_true(graze_body_angle(world, body) == 0 && graze_body_spin(world, body) == 0);
    assert_true(graze_body_shape(world, body).radius == 0);
    graze_filter filter = graze_body_filter(world, body);
    assert_memory_equal(&filter, &none, sizeof filter);
    assert_int_equal(graze_body_response(world, body), GRAZE_PASS);
    assert_false(graze_body_is_sensor(world, body));
    assert_int_equal(graze_body_user_data(world, body), 0);
    assert_true(graze_body_mass(world, body) == 0);
    assert_true(graze_body_restitution(world, body) == 0 && graze_body_friction(world, body) == 0);
    assert_true(graze_body_lifetime(world, body) == 0);
    assert_int_equal(graze_body_hit_limit(world, body), 0);
}

static void ids_that_name_nothing_are_stale_everywhere(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_def def = kit_moving(kit_rect(1, 2, 3, 4), 5, 6, GRAZE_STOP);
    def.user_data = 7;
    graze_body_id gone = kit_add(world, def);
    assert_int_equal(graze_body_destroy(world, gone), GRAZE_OK);
    graze_body_id reused = kit_add(world, def);
    assert_int_equal(reused.index, gone.index);
    const graze_body_id ids[] = {
        {0, 0},
        gone,
        {reused.index, reused.generation + 1},
        {reused.index, 0},
        {1, 1},
        {UINT32_MAX, 1},
        {UINT32_MAX, UINT32_MAX},
        {0x7FFFFFFF, 1},
    };
    uint64_t hash = graze_world_hash(world);
    for (uint32_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
        assert_all_setters_refuse(world, &log, ids[i]);
        assert_all_getters_return_zeros(world, ids[i]);
    }
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

static void the_smallest_free_index_is_given_out_first(void **state)
{
    (void)state;
    random_state random = random_seed(3);
    graze_world *world = kit_world();
    bool used[300] = {false};
    graze_body_id ids[300];
    for (uint32_t round = 0; round < 5000; ++round) {
        uint32_t place = random_below(&random, 300);
        if (used[place]) {
            assert_int_equal(graze_body_destroy(world, ids[place]), GRAZE_OK);
            used[place] = false;
            continue;
        }
        uint32_t expected = 0;
        while (used[expected]) {
            ++expected;
        }
        graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
        assert_int_equal(body.index, expected);
        ids[expected] = body;
        used[expected] = true;
        assert_true(kit_is_same(graze_world_body_at(world, expected), body));
    }
    assert_true(kit_is_none(graze_world_body_at(world, 1000000)));
    graze_world_destroy(world);
}

// --- Lifetimes ---

static void a_body_lives_as_long_as_its_lifetime(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving(kit_circle(0, 0, 1), 1, 0, GRAZE_PASS);
    def.lifetime = 1;
    def.user_data = 5;
    graze_body_id body = kit_add(world, def);
    for (uint32_t step = 0; step < 4; ++step) {
        assert_true(graze_body_is_valid(world, body));
        kit_step(world, 0.25f);
    }
    assert_false(graze_body_is_valid(world, body));
    kit_assert_near_vec2(graze_body_position(world, body), 1, 0, 0);
    assert_int_equal(graze_body_user_data(world, body), 5);
    assert_true(graze_body_mass(world, body) == 1 && graze_body_lifetime(world, body) == 0);
    assert_int_equal(graze_world_get_stats(world).removed_count, 1);
    kit_step(world, 0.25f);
    assert_all_getters_return_zeros(world, body);
    graze_world_destroy(world);
}

// Lifetimes of n steps end after n steps, however the length of a step rounds.
static void a_lifetime_of_n_steps_ends_with_the_nth(void **state)
{
    (void)state;
    const float lengths[] = {1.0f / 60, 1.0f / 50, 1.0f / 144, 0.1f};
    for (uint32_t i = 0; i < 4; ++i) {
        graze_world *world = kit_world();
        graze_body_id bodies[600];
        for (uint32_t n = 0; n < 600; ++n) {
            graze_body_def def = kit_circle(0, 4 * (float)n, 1);
            def.lifetime = (float)(n + 1) * lengths[i];
            bodies[n] = kit_add(world, def);
        }
        for (uint32_t n = 0; n < 600; ++n) {
            assert_true(graze_body_is_valid(world, bodies[n]));
            kit_step(world, lengths[i]);
            assert_false(graze_body_is_valid(world, bodies[n]));
        }
        graze_world_destroy(world);
    }
}

// A float that counts down is rounded in each step.
static void a_long_lifetime_is_rounded_by_as_much_as_promised(void **state)
{
    (void)state;
    const float lengths[] = {1.0f / 60, 1.0f / 50, 1.0f / 144, 1.0f / 240};
    for (uint32_t i = 0; i < 4; ++i) {
        graze_world *world = kit_world();
        const float seconds[] = {30, 60, 90, 200, 500};
        graze_body_id bodies[5];
        for (uint32_t k = 0; k < 5; ++k) {
            graze_body_def def = kit_circle(0, 4 * (float)k, 1);
            def.lifetime = seconds[k];
            bodies[k] = kit_add(world, def);
        }
        double steps = 0;
        for (uint32_t k = 0; k < 5; ++k) {
            while (graze_body_is_valid(world, bodies[k])) {
                kit_step(world, lengths[i]);
                ++steps;
            }
            const double exact = (double)seconds[k] / (double)lengths[i];
            const double rounding = exact * exact / (1 << 25);
            assert_true(steps >= exact - rounding - 0.0625 && steps < exact + rounding + 1);
        }
        graze_world_destroy(world);
    }
}

static uint32_t count_steps_of(graze_world *world, graze_body_id body, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && graze_body_is_valid(world, body)) {
        kit_step(world, 0.25f);
        ++count;
    }
    return count;
}

static void a_lifetime_that_is_set_counts_from_then_on(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    graze_body_id body = kit_add(world, def);
    assert_true(graze_body_lifetime(world, body) == 0);
    assert_int_equal(count_steps_of(world, body, 9), 9);
    assert_int_equal(graze_body_set_lifetime(world, body, 1), GRAZE_OK);
    assert_int_equal(count_steps_of(world, body, 3), 3);
    assert_true(graze_body_lifetime(world, body) == 0.25f);
    assert_int_equal(graze_body_set_lifetime(world, body, 2), GRAZE_OK);
    assert_int_equal(count_steps_of(world, body, 7), 7);
    assert_int_equal(graze_body_set_lifetime(world, body, 0), GRAZE_OK);
    assert_int_equal(count_steps_of(world, body, 20), 20);
    assert_int_equal(graze_body_set_lifetime(world, body, 0.5f), GRAZE_OK);
    assert_int_equal(count_steps_of(world, body, 20), 2);
    assert_int_equal(graze_body_set_lifetime(world, body, 1), GRAZE_ERROR_STALE_ID);
    graze_world_destroy(world);
}

// --- Hit limits ---

// A bullet that passes through a row of targets, one a step, and is between them after each.
static graze_world *make_row_of_targets(graze_body_id *bullet, uint32_t hit_limit)
{
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < 12; ++i) {
        kit_add(world, kit_circle(2 + 4 * (float)i, 0, 1));
    }
    graze_body_def def = kit_bullet(0, 0, 4, 0);
    def.response = GRAZE_PASS;
    def.hit_limit = hit_limit;
    *bullet = kit_add(world, def);
    return world;
}

static uint32_t count_targets(graze_world *world, graze_body_id bullet, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && graze_body_is_valid(world, bullet)) {
        kit_step(world, 1);
        ++count;
    }
    return count;
}

static void a_hit_limit_that_is_set_counts_from_then_on(void **state)
{
    (void)state;
    const struct {
        uint32_t first, before, then, after; ///< Limits, and how many hits there are before, after.
    } cases[] = {
        {0, 3, 2, 2}, {0, 3, 1, 1}, {5, 3, 1, 1}, {5, 4, 5, 5}, {5, 4, 0, 8},
        {2, 1, 1, 1}, {9, 0, 2, 2}, {3, 2, 7, 7}, {3, 1, 2, 2}, {0, 1, 0, 11},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        graze_body_id bullet;
        graze_world *world = make_row_of_targets(&bullet, cases[i].first);
        assert_int_equal(count_targets(world, bullet, cases[i].before), cases[i].before);
        assert_int_equal(graze_body_hit_limit(world, bullet),
                         cases[i].first ? cases[i].first - cases[i].before : 0);
        assert_int_equal(graze_body_set_hit_limit(world, bullet, cases[i].then), GRAZE_OK);
        assert_int_equal(graze_body_hit_limit(world, bullet), cases[i].then);
        const uint32_t left = 12 - cases[i].before;
        assert_int_equal(count_targets(world, bullet, left), cases[i].then ? cases[i].after : left);
        assert_int_equal(graze_body_is_valid(world, bullet), cases[i].then == 0);
        assert_int_equal(graze_body_hit_limit(world, bullet), 0);
        graze_world_destroy(world);
    }
}

// Setting what was read changes nothing, to the last bit.
static void as_many_hits_as_are_left_are_no_change(void **state)
{
    (void)state;
    graze_body_id bullet;
    graze_world *world = make_row_of_targets(&bullet, 5);
    count_targets(world, bullet, 2);
    const uint64_t hash = graze_world_hash(world);
    const uint32_t left = graze_body_hit_limit(world, bullet);
    assert_int_equal(left, 3);
    assert_int_equal(graze_body_set_hit_limit(world, bullet, left), GRAZE_OK);
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

static void what_is_touched_when_a_hit_limit_is_set_is_not_hit_again(void **state)
{
    (void)state;
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    for (uint32_t i = 0; i < 4; ++i) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -9, 0, 9, 0);
        graze_body_id body = kit_add(world, kit_moving(kit_circle(0, 1, 1), 0, 0, responses[i]));
        if (responses[i] == GRAZE_PASS) {
            graze_body_set_mass(world, body, 0);
        }
        for (uint32_t step = 0; step < 30; ++step) {
            kit_step(world, 1.0f / 60);
        }
        assert_int_equal(graze_world_contacts(world).count, 1);
        assert_int_equal(graze_body_set_hit_limit(world, body, 1), GRAZE_OK);
        for (uint32_t step = 0; step < 30; ++step) {
            kit_step(world, 1.0f / 60);
            assert_int_equal(graze_world_contacts(world).count, 1);
            assert_int_equal(graze_world_contacts(world).data[0].phase, GRAZE_CONTACT_STAY);
        }
        assert_true(graze_body_is_valid(world, body));
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_that_name_nothing_are_stale_everywhere),
        cmocka_unit_test(the_smallest_free_index_is_given_out_first),
        cmocka_unit_test(a_body_lives_as_long_as_its_lifetime),
        cmocka_unit_test(a_lifetime_of_n_steps_ends_with_the_nth),
        cmocka_unit_test(a_long_lifetime_is_rounded_by_as_much_as_promised),
        cmocka_unit_test(a_lifetime_that_is_set_counts_from_then_on),
        cmocka_unit_test(a_hit_limit_that_is_set_counts_from_then_on),
        cmocka_unit_test(as_many_hits_as_are_left_are_no_change),
        cmocka_unit_test(what_is_touched_when_a_hit_limit_is_set_is_not_hit_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
