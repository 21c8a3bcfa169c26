#include "busy_world.h"
#include "failing_allocator.h"

#include "lanes_choice.h"
#include "world/bodies.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Gravity scale, damping, inertia and sleep of bodies, and what is rigid.

static const float step_time = 1.0f / 64;

static graze_world *world_with_gravity(float y)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = y;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

// --- Values ---

static void a_def_has_the_defaults_that_are_said(void **state)
{
    (void)state;
    const graze_body_def def = graze_body_def_default();
    assert_true(def.inertia == 0 && def.damping == 0 && def.spin_damping == 0);
    assert_true(def.gravity_scale == 1 && !def.never_sleeps);
    assert_true(graze_world_def_default().substeps == 4);
}

static void what_is_set_is_read(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.inertia = 3;
    def.damping = 0.5f;
    def.spin_damping = 0.25f;
    def.gravity_scale = -2;
    def.never_sleeps = true;
    const graze_body_id body = kit_add(world, def);
    assert_true(graze_body_inertia(world, body) == 3 && graze_body_damping(world, body) == 0.5f);
    assert_true(graze_body_spin_damping(world, body) == 0.25f);
    assert_true(graze_body_gravity_scale(world, body) == -2);
    assert_true(graze_body_never_sleeps(world, body) && !graze_body_is_asleep(world, body));
    assert_int_equal(graze_body_set_inertia(world, body, 4), GRAZE_OK);
    assert_int_equal(graze_body_set_damping(world, body, 5), GRAZE_OK);
    assert_int_equal(graze_body_set_spin_damping(world, body, 6), GRAZE_OK);
    assert_int_equal(graze_body_set_gravity_scale(world, body, 7), GRAZE_OK);
    assert_int_equal(graze_body_set_never_sleeps(world, body, false), GRAZE_OK);
    assert_true(graze_body_inertia(world, body) == 4 && graze_body_damping(world, body) == 5);
    assert_true(graze_body_spin_damping(world, body) == 6);
    assert_true(graze_body_gravity_scale(world, body) == 7);
    assert_false(graze_body_never_sleeps(world, body));
    assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
    assert_true(graze_body_inertia(world, body) == 0 && graze_body_gravity_scale(world, body) == 0);
    assert_int_equal(graze_body_set_damping(world, body, 1), GRAZE_ERROR_STALE_ID);
    graze_world_destroy(world);
}

static void an_infinite_gravity_scale_is_refused_later_too(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    const uint64_t hash = graze_world_hash(world);
    assert_int_equal(graze_body_set_gravity_scale(world, body, INFINITY), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT,
                      "graze_body_set_gravity_scale: gravity_scale is inf|finite");
    assert_true(graze_world_hash(world) == hash && graze_body_gravity_scale(world, body) == 1);
    graze_world_destroy(world);
}

static void inertia_follows_from_shape_and_mass(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 3);
    def.mass = 4;
    const graze_body_id disc = kit_add(world, def);
    def.shape = graze_shape_rect(3, 6);
    const graze_body_id rect = kit_add(world, def);
    def.shape = graze_shape_ray();
    const graze_body_id ray = kit_add(world, def);
    assert_true(graze_body_inertia(world, disc) == 4.0f * 9 / 2);
    assert_true(graze_body_inertia(world, rect) == 4.0f * (9 + 36) / 3);
    assert_true(graze_body_inertia(world, ray) == 0);
    assert_int_equal(graze_body_set_mass(world, disc, 8), GRAZE_OK);
    assert_true(graze_body_inertia(world, disc) == 8.0f * 9 / 2);
    assert_int_equal(graze_body_set_mass(world, disc, 0), GRAZE_OK);
    assert_true(graze_body_inertia(world, disc) == 0);
    assert_int_equal(graze_body_set_mass(world, disc, FLT_MAX), GRAZE_OK);
    assert_true(graze_body_inertia(world, disc) == FLT_MAX);
    graze_world_destroy(world);
}

static void a_world_of_defaults_has_no_column(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id body = kit_add(world, kit_circle(0, 0, 1));
    assert_int_equal(graze_body_set_damping(world, body, 0), GRAZE_OK);
    assert_int_equal(graze_body_set_response(world, body, GRAZE_STOP), GRAZE_OK);
    assert_null(world->bodies.dynamics.data);
    assert_int_equal(graze_body_set_response(world, body, GRAZE_SLIDE), GRAZE_OK);
    assert_non_null(world->bodies.dynamics.data);
    assert_null(world->bodies.rows.rotation);
    assert_int_equal(graze_body_set_response(world, body, GRAZE_RIGID), GRAZE_OK);
    assert_non_null(world->bodies.rows.rotation);
    graze_world_destroy(world);
}

static void sleep_is_read_where_it_is_kept(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.response = GRAZE_RIGID;
    const graze_body_id body = kit_add(world, def);
    world->bodies.dynamics.data[body.index].flags |= GRZ_ASLEEP;
    assert_true(graze_body_is_asleep(world, body) && !graze_body_never_sleeps(world, body));
    graze_world_destroy(world);
}

// --- Motion ---

static graze_vec2 fall_once(float scale, float damping, float mass, graze_response response)
{
    graze_world *world = world_with_gravity(-64);
    graze_body_def def = kit_moving(kit_circle(0, 0, 1), 3, 5, response);
    def.gravity_scale = scale;
    def.damping = damping;
    def.mass = mass;
    const graze_body_id body = kit_add(world, def);
    kit_step(world, step_time);
    const graze_vec2 velocity = graze_body_velocity(world, body);
    const graze_vec2 at = graze_body_position(world, body);
    // A rigid body falls in substeps: its way is not that of its last velocity.
    assert_true(response == GRAZE_RIGID ||
                (at.x == velocity.x * step_time && at.y == velocity.y * step_time));
    graze_world_destroy(world);
    return velocity;
}

static void gravity_and_damping_are_those_of_the_body(void **state)
{
    (void)state;
    for (int response = GRAZE_PASS; response <= GRAZE_RIGID; ++response) {
        const graze_response own = (graze_response)response;
        kit_assert_same_vec2(fall_once(1, 0, 1, own), (graze_vec2){3, 4});
        kit_assert_same_vec2(fall_once(2, 0, 1, own), (graze_vec2){3, 3});
        kit_assert_same_vec2(fall_once(0, 0, 1, own), (graze_vec2){3, 5});
        kit_assert_same_vec2(fall_once(-1, 0, 1, own), (graze_vec2){3, 6});
        kit_assert_same_vec2(fall_once(1, 64, 1, own), (graze_vec2){1.5f, 2});
        kit_assert_same_vec2(fall_once(5, 64, 0, own), (graze_vec2){3, 5});
        const graze_vec2 stopped = fall_once(5, FLT_MAX, 1, own);
        assert_true(stopped.x == 3 / (1 + FLT_MAX / 64));
        assert_true(own == GRAZE_RIGID ? fabsf(stopped.y) < 1e-40f : stopped.y == 0);
    }
}

static graze_body_def spinning(graze_shape shape, graze_response response)
{
    graze_body_def def = kit_moving(kit_circle(0, 0, 1), 0, 0, response);
    def.shape = shape;
    def.spin = 2;
    def.spin_damping = 64;
    return def;
}

static void spin_is_damped_before_it_turns(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_shape rect = graze_shape_rect(1, 2);
    const graze_body_id turning = kit_add(world, spinning(rect, GRAZE_PASS));
    graze_body_def def = spinning(graze_shape_circle(1), GRAZE_RIGID);
    def.position.x = 10;
    const graze_body_id disc = kit_add(world, def);
    def = spinning(rect, GRAZE_SLIDE);
    def.mass = 0;
    const graze_body_id driven = kit_add(world, def);
    kit_step(world, step_time);
    assert_true(graze_body_spin(world, turning) == 1 && graze_body_spin(world, disc) == 1);
    assert_true(graze_body_angle(world, turning) == step_time);
    assert_true(graze_body_angle(world, disc) == step_time);
    assert_true(graze_body_spin(world, driven) == 2);
    assert_true(graze_body_angle(world, driven) == 2 * step_time);
    graze_world_destroy(world);
}

// What Predict and Commit make of an angle is the same rotation, or the next step begins elsewhere.
static void a_damped_spin_ends_where_it_was_foreseen(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = spinning(graze_shape_rect(1, 2), GRAZE_PASS);
    def.spin_damping = 3;
    const graze_body_id body = kit_add(world, def);
    for (uint32_t i = 0; i < 200; ++i) {
        kit_step(world, step_time);
        const uint32_t row = world->bodies.row_of_index.data[body.index];
        const graze_rotation foreseen = world->bodies.rows.rotation[row];
        const graze_rotation of_angle = graze_rotation_from_angle(graze_body_angle(world, body));
        assert_memory_equal(&foreseen, &of_angle, sizeof foreseen);
    }
    assert_int_equal(graze_body_set_spin_damping(world, body, FLT_MAX), GRAZE_OK);
    assert_int_equal(graze_body_set_spin(world, body, 1e-20f), GRAZE_OK);
    kit_step(world, step_time);
    assert_true(graze_body_spin(world, body) == 0);
    assert_int_equal(world->bodies.rows.traits[0] & GRZ_TRAIT_SPINS, 0);
    graze_world_destroy(world);
}

static void a_scale_past_the_range_stops_the_body(void **state)
{
    (void)state;
    graze_world *world = world_with_gravity(-1e30f);
    graze_body_def def = kit_circle(1, 2, 1);
    def.gravity_scale = FLT_MAX;
    const graze_body_id body = kit_add(world, def);
    def.gravity_scale = 0;
    const graze_body_id other = kit_add(world, def);
    kit_step(world, 1);
    kit_assert_same_vec2(graze_body_position(world, body), (graze_vec2){1, 2});
    kit_assert_same_vec2(graze_body_velocity(world, body), (graze_vec2){0, 0});
    kit_assert_same_vec2(graze_body_position(world, other), (graze_vec2){1, 2});
    assert_int_equal(graze_world_get_stats(world).overflow_count, 1);
    graze_world_destroy(world);
}

// One that gravity does not move falls and lands no other than one in a world without.
static void without_gravity_a_body_moves_as_in_a_world_without(void **state)
{
    (void)state;
    random_state random = random_seed(6);
    graze_world *worlds[2] = {world_with_gravity(-30), world_with_gravity(0)};
    for (uint32_t w = 0; w < 2; ++w) {
        kit_square(worlds[w], -20, 20);
    }
    for (uint32_t i = 0; i < 300; ++i) {
        graze_body_def def =
            kit_circle(random_float(&random, -18, 18), random_float(&random, -18, 18), 0.2f);
        def.velocity.x = random_float(&random, -30, 30);
        def.velocity.y = random_float(&random, -30, 30);
        def.filter.mask = i % 2 ? 0 : UINT32_MAX;
        for (uint32_t w = 0; w < 2; ++w) {
            def.gravity_scale = w ? 1 : 0;
            kit_add(worlds[w], def);
        }
    }
    for (uint32_t i = 0; i < 60; ++i) {
        kit_step(worlds[0], step_time);
        kit_step(worlds[1], step_time);
        for (uint32_t index = 0; index < 300; ++index) {
            const graze_body_id body = graze_world_body_at(worlds[0], index);
            kit_assert_same_vec2(graze_body_position(worlds[0], body),
                                 graze_body_position(worlds[1], body));
        }
    }
    graze_world_destroy(worlds[0]);
    graze_world_destroy(worlds[1]);
}

static graze_world *crowd_of(uint32_t count, grz_lane_set lanes)
{
    random_state random = random_seed(8);
    graze_world *world = world_with_gravity(-10);
    world->config.lanes = lanes;
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_def def =
            kit_circle(random_float(&random, -90, 90), random_float(&random, -90, 90), 0.2f);
        def.shape = i % 5 == 0 ? graze_shape_rect(0.2f, 0.4f) : def.shape;
        def.response = (graze_response)random_below(&random, 5);
        def.spin = random_float(&random, -3, 3);
        def.gravity_scale = i % 3 ? 1 : random_float(&random, -2, 2);
        def.damping = i % 4 ? 0 : random_float(&random, 0, 2);
        def.spin_damping = i % 7 ? 0 : random_float(&random, 0, 2);
        kit_add(world, def);
    }
    return world;
}

static void all_lanes_and_threads_give_the_same_bits(void **state)
{
    (void)state;
    enum { COUNT = 9000, STEPS = 6 };
    uint64_t wanted[STEPS] = {0};
    for (int set = 0; set < GRZ_SET_COUNT; ++set) {
        graze_world *world = crowd_of(COUNT, GRZ_SET_SCALAR);
        const bool has_set = grz_lanes_has((grz_lane_set)set);
        world->config.lanes = has_set ? (grz_lane_set)set : GRZ_SET_SCALAR;
        world->config.parallel = set % 2 ? kit_run_backwards : NULL;
        for (uint32_t i = 0; i < STEPS; ++i) {
            kit_step(world, step_time);
            wanted[i] = set ? wanted[i] : graze_world_hash(world);
            assert_true(graze_world_hash(world) == wanted[i]);
        }
        graze_world_destroy(world);
    }
}

// --- Rest ---

static uint32_t count_awake(const graze_world *world)
{
    return graze_world_get_stats(world).grid.body_count;
}

static void what_gravity_does_not_move_may_rest_and_wakes_when_it_does(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    graze_world *world = world_with_gravity(-10);
    for (uint32_t i = 0; i < COUNT; ++i) {
        graze_body_def def = kit_circle(3 * (float)(i % 20), 3 * (float)(i / 20), 1);
        def.gravity_scale = 0;
        kit_add(world, def);
    }
    for (uint32_t i = 0; i < 200; ++i) {
        kit_step(world, step_time);
    }
    assert_int_equal(count_awake(world), 0);
    const graze_body_id body = graze_world_body_at(world, 7);
    assert_int_equal(graze_body_set_gravity_scale(world, body, 1), GRAZE_OK);
    kit_step(world, step_time);
    assert_true(graze_body_velocity(world, body).y < 0);
    graze_world_destroy(world);
}

// --- Rigid ---

static void only_rigid_circles_turn(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.angle = 0.5f;
    def.spin = 3;
    for (int response = GRAZE_PASS; response <= GRAZE_RIGID; ++response) {
        def.response = (graze_response)response;
        const graze_body_id body = kit_add(world, def);
        const bool turns = response == GRAZE_RIGID;
        assert_true(graze_body_angle(world, body) == (turns ? 0.5f : 0));
        assert_true(graze_body_spin(world, body) == (turns ? 3.0f : 0));
        assert_int_equal(graze_body_set_angle(world, body, 1), GRAZE_OK);
        assert_int_equal(graze_body_set_spin(world, body, 2), GRAZE_OK);
        assert_true(graze_body_angle(world, body) == (turns ? 1.0f : 0));
        assert_true(graze_body_spin(world, body) == (turns ? 2.0f : 0));
        kit_step(world, 0.25f);
        assert_true(graze_body_angle(world, body) == (turns ? 1.5f : 0));
        assert_int_equal(graze_body_set_response(world, body, GRAZE_STOP), GRAZE_OK);
        assert_true(graze_body_angle(world, body) == 0 && graze_body_spin(world, body) == 0);
        assert_int_equal(graze_body_set_response(world, body, GRAZE_RIGID), GRAZE_OK);
        assert_true(graze_body_angle(world, body) == 0 && graze_body_spin(world, body) == 0);
        assert_int_equal(graze_body_destroy(world, body), GRAZE_OK);
        assert_int_equal(world->bodies.rotation_count, 0);
    }
    graze_world_destroy(world);
}

static void a_rigid_ray_is_a_point_and_never_turns(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving(kit_circle(0, 0, 1), 1, 0, GRAZE_RIGID);
    def.shape = graze_shape_ray();
    def.angle = def.spin = 1;
    const graze_body_id ray = kit_add(world, def);
    assert_int_equal(graze_body_set_spin(world, ray, 1), GRAZE_OK);
    kit_step(world, 1);
    assert_true(graze_body_angle(world, ray) == 0 && graze_body_spin(world, ray) == 0);
    assert_int_equal(graze_body_set_shape(world, ray, graze_shape_circle(2)), GRAZE_OK);
    assert_int_equal(graze_body_set_spin(world, ray, 1), GRAZE_OK);
    assert_true(graze_body_spin(world, ray) == 1);
    assert_int_equal(graze_body_set_shape(world, ray, graze_shape_rect(2, 1)), GRAZE_OK);
    assert_true(graze_body_spin(world, ray) == 0);
    graze_world_destroy(world);
}

static void a_rigid_rect_keeps_its_angle_with_any_response(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving(kit_rect(0, 0, 1, 2), 0, 0, GRAZE_RIGID);
    def.angle = 1;
    const graze_body_id body = kit_add(world, def);
    assert_int_equal(graze_body_set_response(world, body, GRAZE_SLIDE), GRAZE_OK);
    assert_true(graze_body_angle(world, body) == 1);
    graze_world_destroy(world);
}

// --- State ---

static void each_value_is_hashed_and_saved(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    const graze_body_id body = kit_add(world, def);
    uint64_t before = graze_world_hash(world);
    for (uint32_t change = 0; change < 8; ++change) {
        const graze_surface surface = {0, 0, change == 6 ? 1.0f : 0, change == 7 ? 1.0f : 0};
        const graze_status statuses[] = {
            graze_body_set_inertia(world, body, change == 0),
            graze_body_set_damping(world, body, change == 1),
            graze_body_set_spin_damping(world, body, change == 2),
            graze_body_set_gravity_scale(world, body, change == 3 ? 2 : 1),
            graze_body_set_never_sleeps(world, body, change == 4),
            graze_world_set_substeps(world, change == 5 ? 5 : 4),
            graze_body_set_surface(world, body, surface),
        };
        for (uint32_t i = 0; i < sizeof statuses / sizeof *statuses; ++i) {
            assert_int_equal(statuses[i], GRAZE_OK);
        }
        assert_true(graze_world_hash(world) != before);
        before = graze_world_hash(world);
        graze_world *other = busy_empty_world();
        size_t size;
        void *bytes = kit_save(world, &size);
        kit_load(other, bytes, size);
        busy_assert_same(world, other, change);
        kit_assert_saves(other, bytes, size);
        free(bytes);
        graze_world_destroy(other);
    }
    graze_world_destroy(world);
}

// A rigid body with defaults needs the column, of which a snapshot has to tell.
static void a_world_that_loads_a_rigid_body_can_set_all_of_it(void **state)
{
    (void)state;
    graze_world *world = kit_world(), *other = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.response = GRAZE_RIGID;
    def.spin = 1;
    const graze_body_id body = kit_add(world, def);
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_load(other, bytes, size);
    assert_non_null(other->bodies.dynamics.data);
    assert_int_equal(other->bodies.rotation_count, 1);
    assert_true(graze_body_spin(other, body) == 1);
    kit_step(world, 0.5f);
    kit_step(other, 0.5f);
    kit_assert_same_bytes(world, other);
    graze_world_destroy(world);
    graze_world_destroy(other);
    free(bytes);
}

static void a_rigid_body_that_was_removed_keeps_its_angle_until_the_next_step(void **state)
{
    (void)state;
    graze_world *world = kit_world(), *other = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.response = GRAZE_RIGID;
    def.angle = 0.5f;
    def.lifetime = 1;
    const graze_body_id body = kit_add(world, def);
    kit_step(world, 1);
    assert_int_equal(world->bodies.rotation_count, 0);
    assert_true(graze_body_angle(world, body) == 0.5f && graze_body_inertia(world, body) == 0.5f);
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_load(other, bytes, size);
    assert_true(graze_body_angle(other, body) == 0.5f);
    kit_assert_saves(other, bytes, size);
    graze_world_destroy(world);
    graze_world_destroy(other);
    free(bytes);
}

static graze_status set_something(graze_world *world, graze_body_id body, uint32_t which)
{
    switch (which) {
    case 0:
        return graze_body_set_response(world, body, GRAZE_RIGID);
    case 1:
        return graze_body_set_gravity_scale(world, body, 2);
    case 2:
        return graze_body_set_never_sleeps(world, body, true);
    default:
        return graze_body_set_surface(world, body, (graze_surface){1, 0.5f, 0.25f, 2});
    }
}

static void without_memory_a_setter_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t which = 0; which < 4; ++which) {
        failing_allocator memory = {0};
        graze_world_def def = graze_world_def_default();
        def.allocator = failing_allocator_interface(&memory);
        graze_world *world = graze_world_create(&def);
        graze_body_def plain = kit_circle(0, 0, 1);
        plain.surface = graze_body_def_default().surface;
        const graze_body_id body = kit_add(world, plain);
        const uint64_t hash = graze_world_hash(world);
        uint32_t failures = 0;
        for (size_t n = 1;; ++n) {
            failing_allocator_arm(&memory, n);
            const graze_status status = set_something(world, body, which);
            if (!failing_allocator_disarm(&memory)) {
                assert_int_equal(status, GRAZE_OK);
                break;
            }
            assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
            assert_true(graze_world_hash(world) == hash);
            ++failures;
        }
        assert_true(failures > 0 && graze_world_hash(world) != hash);
        graze_world_destroy(world);
        failing_allocator_assert_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_def_has_the_defaults_that_are_said),
        cmocka_unit_test(what_is_set_is_read),
        cmocka_unit_test(an_infinite_gravity_scale_is_refused_later_too),
        cmocka_unit_test(inertia_follows_from_shape_and_mass),
        cmocka_unit_test(a_world_of_defaults_has_no_column),
        cmocka_unit_test(sleep_is_read_where_it_is_kept),
        cmocka_unit_test(gravity_and_damping_are_those_of_the_body),
        cmocka_unit_test(spin_is_damped_before_it_turns),
        cmocka_unit_test(a_damped_spin_ends_where_it_was_foreseen),
        cmocka_unit_test(a_scale_past_the_range_stops_the_body),
        cmocka_unit_test(without_gravity_a_body_moves_as_in_a_world_without),
        cmocka_unit_test(all_lanes_and_threads_give_the_same_bits),
        cmocka_unit_test(what_gravity_does_not_move_may_rest_and_wakes_when_it_does),
        cmocka_unit_test(only_rigid_circles_turn),
        cmocka_unit_test(a_rigid_ray_is_a_point_and_never_turns),
        cmocka_unit_test(a_rigid_rect_keeps_its_angle_with_any_response),
        cmocka_unit_test(each_value_is_hashed_and_saved),
        cmocka_unit_test(a_world_that_loads_a_rigid_body_can_set_all_of_it),
        cmocka_unit_test(a_rigid_body_that_was_removed_keeps_its_angle_until_the_next_step),
        cmocka_unit_test(without_memory_a_setter_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
