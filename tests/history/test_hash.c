#include "scene_defs.h"
#include "world_kit.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The same calls give the same world, whatever else happens.

enum { STEPS = 40 };

/// How a world is made and run.
typedef struct plan {
    uint64_t seed;
    uint32_t body_capacity, segment_capacity, contact_capacity;
    bool old_terrain; ///< Other terrain was there before, and is gone.
    uint64_t hash;    ///< What came out.
    uint64_t places;  ///< Positions and velocities alone.
} plan;

static graze_body_def body_of_scene(const scene_body *body, uint32_t number)
{
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    graze_body_def def = scene_body_def(body);
    def.restitution = 0.5f;
    def.response = responses[number % 4];
    def.hit_limit = number % 7 == 0 ? 2 : 0;
    def.lifetime = number % 11 == 0 ? 0.5f : 0;
    def.user_data = number;
    return def;
}

static void add_terrain(graze_world *world, const graze_vec2 *points, uint32_t count)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    graze_chain_id chain = graze_chain_create(world, &def);
    assert_true(graze_chain_is_valid(world, chain));
}

static void add_and_remove_terrain(graze_world *world)
{
    for (uint32_t i = 0; i < 300; ++i) {
        float x = 17 * (float)(i % 20) - 170;
        float y = 23 * (float)(i / 20) - 170;
        graze_chain_id chain = kit_wall(world, x, y, x + (float)(i % 9), y + 300);
        graze_chain_destroy(world, chain);
    }
}

static graze_world *make_world(const plan *one)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -2;
    def.body_capacity = one->body_capacity;
    def.segment_capacity = one->segment_capacity;
    def.contact_capacity = one->contact_capacity;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    scene place = scene_make_bullet_hell(one->seed, 150, 150, 300);
    if (one->old_terrain) {
        add_and_remove_terrain(world);
    }
    for (uint32_t i = 0; i < place.point_count; ++i) {
        place.points[i] = graze_vec2_scale(place.points[i], 0.1f);
    }
    for (uint32_t i = 0; i < place.chain_count; ++i) {
        add_terrain(world, place.points + place.chains[i].first, place.chains[i].count);
    }
    for (uint32_t i = 0; i < place.body_count; ++i) {
        graze_body_def body = body_of_scene(&place.bodies[i], i);
        body.position = graze_vec2_scale(body.position, 0.03f); // A dense crowd.
        kit_add(world, body);
    }
    scene_free(&place);
    return world;
}

static uint64_t hash_places(const graze_world *world)
{
    uint64_t hash = 0;
    for (uint32_t index = 0; index < 300; ++index) {
        graze_body_id body = graze_world_body_at(world, index);
        graze_vec2 pair[2] = {graze_body_position(world, body), graze_body_velocity(world, body)};
        uint64_t words[2];
        memcpy(words, pair, sizeof words);
        hash = (hash ^ words[0]) * UINT64_C(0x9E3779B97F4A7C15);
        hash = (hash ^ words[1]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return hash;
}

static void run_plan(plan *one)
{
    graze_world *world = make_world(one);
    uint64_t contacts = 0;
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(world, SCENE_STEP);
        contacts += graze_world_contacts(world).count;
        if (step % 10 == 5) {
            graze_body_destroy(world, graze_world_body_at(world, step));
            kit_add(world, kit_moving(kit_circle(0, 0, 1), 3, 4, GRAZE_STOP));
        }
    }
    assert_true(contacts > 1000);
    one->hash = graze_world_hash(world);
    one->places = hash_places(world);
    graze_world_destroy(world);
}

static void equal_calls_give_equal_hashes_at_any_capacities(void **state)
{
    (void)state;
    const uint32_t hints[] = {0, 1, 1000, 100000};
    plan first = {.seed = 1};
    run_plan(&first);
    for (uint32_t i = 0; i < 4; ++i) {
        plan other = {1, hints[i], hints[3 - i], hints[i], false, 0, 0};
        run_plan(&other);
        assert_true(other.hash == first.hash);
    }
}

static void terrain_of_the_past_changes_nothing_but_ids(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 4; ++seed) {
        plan fresh = {.seed = seed};
        plan worn = {.seed = seed, .old_terrain = true};
        run_plan(&fresh);
        run_plan(&worn);
        assert_true(fresh.places == worn.places);
    }
}

// All bodies in one place, so that there are many touches at equal times and many deflections.
static uint64_t run_tangle(uint64_t seed, bool old_terrain)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    if (old_terrain) {
        add_and_remove_terrain(world);
    }
    graze_vec2 points[60];
    for (uint32_t i = 0; i < 60; ++i) {
        points[i].x = (float)random_integer(&random, -6, 6);
        points[i].y = random_float(&random, -6, 6);
    }
    add_terrain(world, points, 60);
    for (uint32_t i = 0; i < 24; ++i) {
        float size = random_float(&random, 0.1f, 1);
        scene_body body = {(scene_kind)(i % 3), points[2 * i], points[i], {size, size}, 0, 0};
        graze_body_def def = body_of_scene(&body, i);
        def.velocity = graze_vec2_scale(def.velocity, 4);
        kit_add(world, def);
    }
    uint64_t places = 0;
    for (uint32_t step = 0; step < 6; ++step) {
        kit_step(world, 0.25f);
        places = places * 31 + hash_places(world);
    }
    graze_world_destroy(world);
    return places;
}

static void a_tangle_of_walls_does_not_depend_on_how_they_are_stored(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        if (run_tangle(seed, false) != run_tangle(seed, true)) {
            fail_msg("seed %u", (unsigned)seed);
        }
    }
}

static void *run_in_thread(void *one)
{
    run_plan(one);
    return NULL;
}

static void two_worlds_on_two_threads_give_the_serial_hashes(void **state)
{
    (void)state;
    plan serial[2] = {{.seed = 4}, {.seed = 5}};
    plan parallel[2] = {{.seed = 4}, {.seed = 5}};
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; ++i) {
        run_plan(&serial[i]);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &parallel[i]), 0);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(parallel[i].hash == serial[i].hash);
    }
    assert_true(serial[0].hash != serial[1].hash);
}

// --- What the hash sees ---

static graze_body_id body_of(graze_world *world)
{
    return graze_world_body_at(world, 0);
}

static void nudge_position(graze_world *world)
{
    const graze_vec2 place = {1.0000001f, 2};
    graze_body_set_position(world, body_of(world), place);
}

static void nudge_velocity(graze_world *world)
{
    const graze_vec2 velocity = {0, 1e-30f};
    graze_body_set_velocity(world, body_of(world), velocity);
}

static void nudge_angle(graze_world *world)
{
    graze_body_set_angle(world, body_of(world), 1e-6f);
}

static void nudge_spin(graze_world *world)
{
    graze_body_set_spin(world, body_of(world), 1e-6f);
}

static void nudge_filter(graze_world *world)
{
    const graze_filter filter = {1, UINT32_MAX, 0, 1};
    graze_body_set_filter(world, body_of(world), filter);
}

static void nudge_pass(graze_world *world)
{
    const graze_filter filter = {1, UINT32_MAX, 1u << 31, 0};
    graze_body_set_filter(world, body_of(world), filter);
}

static void nudge_response(graze_world *world)
{
    graze_body_set_response(world, body_of(world), GRAZE_STOP);
}

static void nudge_user_data(graze_world *world)
{
    graze_body_set_user_data(world, body_of(world), 1);
}

static void nudge_mass(graze_world *world)
{
    graze_body_set_mass(world, body_of(world), 1 + FLT_EPSILON);
}

static void nudge_restitution(graze_world *world)
{
    graze_body_set_restitution(world, body_of(world), 1e-30f);
}

static void nudge_friction(graze_world *world)
{
    graze_body_set_friction(world, body_of(world), 1e-30f);
}

static void nudge_lifetime(graze_world *world)
{
    graze_body_set_lifetime(world, body_of(world), 1e30f);
}

static void nudge_hit_limit(graze_world *world)
{
    graze_body_set_hit_limit(world, body_of(world), UINT32_MAX);
}

static void nudge_sensor(graze_world *world)
{
    graze_body_set_sensor(world, body_of(world), true);
}

static void nudge_size(graze_world *world)
{
    graze_body_set_shape(world, body_of(world), graze_shape_rect(1, 1 + FLT_EPSILON));
}

static void nudge_kind(graze_world *world)
{
    graze_body_set_shape(world, body_of(world), graze_shape_circle(1));
}

static void add_a_body(graze_world *world)
{
    kit_add(world, kit_circle(0, 0, 1));
}

static void destroy_a_body(graze_world *world)
{
    graze_body_destroy(world, body_of(world));
}

static void add_a_chain(graze_world *world)
{
    kit_wall(world, 0, 0, 1, 1);
}

static void do_nothing(graze_world *world)
{
    (void)world;
}

typedef void change_fn(graze_world *world);

static uint64_t hash_after(change_fn *change)
{
    graze_world *world = kit_world();
    kit_add(world, kit_rect(1, 2, 1, 1));
    change(world);
    uint64_t hash = graze_world_hash(world);
    graze_world_destroy(world);
    return hash;
}

static void every_part_of_the_state_changes_the_hash(void **state)
{
    (void)state;
    change_fn *const changes[] = {
        do_nothing,        nudge_position, nudge_velocity, nudge_angle,     nudge_spin,
        nudge_filter,      nudge_pass,     nudge_response, nudge_user_data, nudge_mass,
        nudge_restitution, nudge_friction, nudge_lifetime, nudge_hit_limit, nudge_sensor,
        nudge_size,        nudge_kind,     add_a_body,     destroy_a_body,  add_a_chain,
    };
    enum { COUNT = sizeof changes / sizeof *changes };
    uint64_t hashes[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        hashes[i] = hash_after(changes[i]);
        assert_true(hash_after(changes[i]) == hashes[i]);
        for (uint32_t k = 0; k < i; ++k) {
            assert_true(hashes[k] != hashes[i]);
        }
    }
}

static uint64_t hash_of_defs(float zero)
{
    graze_world_def world_def = graze_world_def_default();
    world_def.gravity.x = zero;
    graze_world *world = graze_world_create(&world_def);
    assert_non_null(world);
    graze_body_def def = kit_circle(zero, zero, zero);
    def.velocity.x = zero;
    def.mass = zero;
    def.restitution = zero;
    def.friction = zero;
    def.lifetime = zero;
    def.angle = zero;
    def.spin = zero;
    kit_add(world, def);
    graze_body_def rect = kit_rect(zero, zero, 1, 1);
    rect.angle = zero;
    rect.spin = zero;
    graze_body_id body = kit_add(world, rect);
    graze_body_set_spin(world, body, zero);
    graze_body_set_angle(world, body, zero);
    kit_wall(world, zero, zero, 1, zero);
    uint64_t before = graze_world_hash(world);
    kit_step(world, 1);
    uint64_t hash = graze_world_hash(world) ^ (before << 1);
    graze_world_destroy(world);
    return hash;
}

// One ball bounced, the other did not; then both are put at the same place, with the same velocity.
static void hits_that_no_limit_counts_are_forgotten(void **state)
{
    (void)state;
    uint64_t hashes[2];
    size_t sizes[2];
    for (int i = 0; i < 2; ++i) {
        graze_world *world = kit_world();
        kit_wall(world, 3, -5, 3, 5);
        graze_body_def def = kit_moving(kit_circle(0, 0, 1), i ? 8 : -8, 0, GRAZE_BOUNCE);
        const graze_body_id ball = kit_add(world, def);
        kit_step(world, 0.5f);
        assert_int_equal(graze_world_get_stats(world).hit_count, i);
        const graze_vec2 zero = {0, 0};
        assert_int_equal(graze_body_set_position(world, ball, zero), GRAZE_OK);
        assert_int_equal(graze_body_set_velocity(world, ball, zero), GRAZE_OK);
        kit_step(world, 0.5f);
        kit_step(world, 0.5f);
        hashes[i] = graze_world_hash(world);
        sizes[i] = graze_world_snapshot_size(world);
        graze_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_int_equal(sizes[0], sizes[1]);
}

static void zero_has_no_sign(void **state)
{
    (void)state;
    assert_true(hash_of_defs(0) == hash_of_defs(-0.0f));
}

// Two worlds that will give out different ids next are not alike.
static void a_body_just_spent_still_holds_its_index(void **state)
{
    (void)state;
    uint64_t hashes[2];
    uint32_t next[2];
    for (uint32_t i = 0; i < 2; ++i) {
        graze_world *world = kit_world();
        graze_body_def def = kit_circle(0, 0, 1);
        def.lifetime = i == 0 ? 1 : 0;
        graze_body_id body = kit_add(world, def);
        kit_step(world, 1);
        assert_int_equal(graze_body_is_valid(world, body), i);
        graze_body_destroy(world, body);
        hashes[i] = graze_world_hash(world);
        next[i] = kit_add(world, kit_circle(0, 0, 1)).index;
        graze_world_destroy(world);
    }
    assert_int_not_equal(next[0], next[1]);
    assert_true(hashes[0] != hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_calls_give_equal_hashes_at_any_capacities),
        cmocka_unit_test(terrain_of_the_past_changes_nothing_but_ids),
        cmocka_unit_test(a_tangle_of_walls_does_not_depend_on_how_they_are_stored),
        cmocka_unit_test(two_worlds_on_two_threads_give_the_serial_hashes),
        cmocka_unit_test(every_part_of_the_state_changes_the_hash),
        cmocka_unit_test(hits_that_no_limit_counts_are_forgotten),
        cmocka_unit_test(zero_has_no_sign),
        cmocka_unit_test(a_body_just_spent_still_holds_its_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
