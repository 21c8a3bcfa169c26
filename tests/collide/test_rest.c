#include "collide/sleep.h"

#include "world_kit.h"

#include "body_defs.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

// Rest does not show: a world whose bodies come to rest whenever they can goes through a random
// script beside one whose bodies never do, and nothing that a game can see tells the two apart.

enum { LEVELS = 20, SEEDS = 60, STEPS = 60, BODIES = 150, CHAINS = 6, CAPACITY = 400 };

typedef struct twins {
    graze_world *eager, *never;
    graze_body_id bodies[BODIES];
    graze_chain_id chains[CHAINS];
    uint32_t still_steps;
    random_state random;
} twins;

static graze_world *make_world(graze_vec2 gravity, uint32_t least)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = gravity;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    world->sleep.least = least;
    world->sleep.patience = 0;
    return world;
}

// Few values, so that bodies touch exactly, and at the same time, all the time.
static float level(twins *both)
{
    return (float)random_below(&both->random, LEVELS) * 0.5f;
}

static graze_vec2 make_velocity(twins *both)
{
    graze_vec2 velocity = {0, 0};
    if (random_below(&both->random, 16) == 0) {
        velocity.x = level(both) - 5;
        velocity.y = level(both) - 5;
    }
    return velocity;
}

static graze_filter make_filter(twins *both)
{
    const graze_filter filters[] = {
        {1, UINT32_MAX, 0, 0}, {2, 1, 0, 0}, {1, 3, 0, 1}, {3, 3, 0, -1}};
    return filters[random_below(&both->random, 4) * (random_below(&both->random, 4) == 0)];
}

static graze_body_def make_body(twins *both)
{
    random_state *random = &both->random;
    graze_body_def def = test_body_def();
    const uint32_t kind = random_below(random, 12);
    def.shape = kind == 0  ? graze_shape_ray()
                : kind < 5 ? graze_shape_rect(0.5f, 0.25f + level(both) / 10)
                           : graze_shape_circle(level(both) / 10);
    def.position.x = level(both);
    def.position.y = level(both);
    def.velocity = make_velocity(both);
    def.angle = level(both);
    def.spin = random_below(random, 20) ? 0 : 1;
    def.mass = random_below(random, 2) ? 0 : 1.0f;
    def.sensor = random_below(random, 6) == 0;
    def.response = random_below(random, 24) ? GRAZE_PASS : (graze_response)random_below(random, 4);
    def.hit_limit = random_below(random, 24) ? 0 : 2;
    def.lifetime = random_below(random, 24) ? 0 : 0.5f;
    def.filter = make_filter(both);
    return def;
}

static void assert_same_id(graze_body_id one, graze_body_id other)
{
    assert_int_equal(one.index, other.index);
    assert_int_equal(one.generation, other.generation);
}

static void create_body(twins *both, uint32_t place)
{
    const graze_body_def def = make_body(both);
    both->bodies[place] = graze_body_create(both->eager, &def);
    assert_same_id(both->bodies[place], graze_body_create(both->never, &def));
}

static void toggle_chain(twins *both, uint32_t place)
{
    graze_chain_id *chain = &both->chains[place];
    if (graze_chain_is_valid(both->eager, *chain)) {
        graze_chain_destroy(both->eager, *chain);
        graze_chain_destroy(both->never, *chain);
        return;
    }
    graze_vec2 points[3];
    for (uint32_t i = 0; i < 3; ++i) {
        points[i].x = level(both);
        points[i].y = level(both);
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 3;
    def.one_sided = random_below(&both->random, 2);
    *chain = graze_chain_create(both->eager, &def);
    assert_int_equal(graze_chain_create(both->never, &def).generation, chain->generation);
}

static graze_shape make_shape(twins *both)
{
    const uint32_t kind = random_below(&both->random, 8);
    const float size = level(both) / 10;
    return kind == 0  ? graze_shape_ray()
           : kind < 4 ? graze_shape_rect(0.5f, 0.25f + size)
                      : graze_shape_circle(size);
}

static void set_what_it_is(graze_world *world, graze_body_id body, uint32_t which, float number,
                           graze_shape shape)
{
    switch (which) {
    case 0:
        graze_body_set_mass(world, body, number > 5 ? 1.0f : 0.0f);
        break;
    case 1:
        graze_body_set_restitution(world, body, number / 10);
        break;
    case 2:
        graze_body_set_friction(world, body, number / 10);
        break;
    case 3:
        graze_body_set_lifetime(world, body, number > 8 ? number / 8 : 0);
        break;
    case 4:
        graze_body_set_hit_limit(world, body, number > 8 ? 2 : 0);
        break;
    case 5:
        graze_body_set_sensor(world, body, number > 5);
        break;
    default:
        graze_body_set_shape(world, body, shape);
        break;
    }
}

static void set_something(twins *both, graze_body_id body)
{
    const graze_vec2 position = {level(both), level(both)};
    const graze_vec2 velocity = make_velocity(both);
    const graze_filter filter = make_filter(both);
    const float number = level(both);
    const graze_response response = (graze_response)random_below(&both->random, 4);
    const graze_shape shape = make_shape(both);
    const uint32_t which = random_below(&both->random, 13);
    for (int i = 0; i < 2; ++i) {
        graze_world *world = i ? both->never : both->eager;
        switch (which) {
        case 0:
            graze_body_set_position(world, body, position);
            break;
        case 1:
            graze_body_set_velocity(world, body, velocity);
            break;
        case 2:
            graze_body_set_angle(world, body, number);
            break;
        case 3:
            graze_body_set_spin(world, body, number > 8 ? 1.0f : 0.0f);
            break;
        case 4:
            graze_body_set_filter(world, body, filter);
            break;
        case 5:
            graze_body_set_response(world, body, number > 8 ? response : GRAZE_PASS);
            break;
        default:
            set_what_it_is(world, body, which - 6, number, shape);
            break;
        }
    }
}

static void turn_gravity(twins *both)
{
    const graze_vec2 gravity = {0, random_below(&both->random, 3) ? 0.0f : -1.0f};
    assert_int_equal(graze_world_set_gravity(both->eager, gravity), GRAZE_OK);
    assert_int_equal(graze_world_set_gravity(both->never, gravity), GRAZE_OK);
}

static void change_something(twins *both)
{
    const uint32_t place = random_below(&both->random, BODIES);
    const uint32_t what = random_below(&both->random, 12);
    if (!graze_body_is_valid(both->eager, both->bodies[place])) {
        create_body(both, place);
    } else if (what == 0) {
        graze_body_destroy(both->eager, both->bodies[place]);
        graze_body_destroy(both->never, both->bodies[place]);
    } else if (what == 1) {
        toggle_chain(both, random_below(&both->random, CHAINS));
    } else if (what < 8) {
        set_something(both, both->bodies[place]);
    } else if (what == 8 && random_below(&both->random, 8) == 0) {
        turn_gravity(both);
    }
}

static void assert_same_bodies(const graze_body_id *one, const graze_body_id *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        assert_same_id(one[i], other[i]);
    }
}

static void assert_same_answers(twins *both)
{
    const graze_filter all = {1, UINT32_MAX, 0, 0};
    const graze_aabb box = {{level(both) - 1, level(both) - 1}, {level(both), level(both)}};
    const graze_ray ray = {{level(both), level(both)}, {level(both) - 5, level(both) - 5}};
    graze_body_id one[CAPACITY], other[CAPACITY];
    uint32_t count = graze_query_box(both->eager, box, all, one, CAPACITY);
    assert_int_equal(graze_query_box(both->never, box, all, other, CAPACITY), count);
    assert_same_bodies(one, other, count);
    count = graze_query_nearest(both->eager, ray.origin, 2, all, one, CAPACITY);
    assert_int_equal(graze_query_nearest(both->never, ray.origin, 2, all, other, CAPACITY), count);
    assert_same_bodies(one, other, count);
    graze_query_hit hits[CAPACITY], other_hits[CAPACITY];
    count = graze_query_ray_all(both->eager, ray, all, hits, CAPACITY);
    assert_int_equal(graze_query_ray_all(both->never, ray, all, other_hits, CAPACITY), count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_same_id(hits[i].body, other_hits[i].body);
        assert_true(hits[i].time == other_hits[i].time);
    }
}

static void assert_same_state(twins *both)
{
    assert_true(graze_world_hash(both->eager) == graze_world_hash(both->never));
    size_t size;
    void *bytes = kit_save(both->never, &size);
    kit_assert_saves(both->eager, bytes, size);
    if (random_below(&both->random, 20) == 0) {
        kit_load(both->eager, bytes, size);
    }
    free(bytes);
}

static void assert_rows_are_parted(const graze_world *world)
{
    assert_true(world->bodies.active_count <= world->bodies.count);
    for (uint32_t row = 0; row < world->bodies.count; ++row) {
        assert_int_equal(world->bodies.row_of_index.data[world->bodies.rows.index[row]], row);
    }
}

static void step_both(twins *both)
{
    assert_int_equal(graze_world_step(both->eager, 0.25f), GRAZE_OK);
    assert_int_equal(graze_world_step(both->never, 0.25f), GRAZE_OK);
    assert_int_equal(both->never->bodies.active_count, both->never->bodies.count);
    both->still_steps += both->eager->bodies.active_count < both->eager->bodies.count;
    assert_rows_are_parted(both->eager);
}

static void live(uint64_t seed, graze_vec2 gravity, uint32_t *still_steps)
{
    twins both = {
        .eager = make_world(gravity, 1),
        .never = make_world(gravity, UINT32_MAX),
        .random = random_seed(seed),
    };
    for (uint32_t i = 0; i < BODIES / 2; ++i) {
        create_body(&both, i);
    }
    for (uint32_t i = 0; i < STEPS; ++i) {
        uint32_t changes = random_below(&both.random, 3) ? random_below(&both.random, 4) : 0;
        while (changes--) {
            change_something(&both);
        }
        if (random_below(&both.random, 8) == 0) {
            graze_world_sort(both.eager);
        }
        assert_same_answers(&both);
        step_both(&both);
        assert_same_state(&both);
        assert_same_answers(&both);
    }
    *still_steps += both.still_steps;
    graze_world_destroy(both.eager);
    graze_world_destroy(both.never);
}

static void stillness_changes_no_result(void **state)
{
    (void)state;
    uint32_t still_steps = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const graze_vec2 gravity = {0, seed % 3 ? 0.0f : -1.0f};
        live(seed, gravity, &still_steps);
    }
    printf("%u of %u steps had still bodies\n", (unsigned)still_steps, SEEDS * STEPS);
    assert_true(still_steps > SEEDS * STEPS / 4);
}

static graze_body_id add_circle(graze_world *world, float x, float vx)
{
    graze_body_def def = test_body_def();
    def.position.x = x;
    def.velocity.x = vx;
    return graze_body_create(world, &def);
}

static void few_bodies_at_rest_stay_in_the_sort(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    for (uint32_t i = 0; i + 1 < GRZ_SLEEP_MIN; ++i) {
        add_circle(world, (float)i, 0);
    }
    graze_world_step(world, 1);
    assert_int_equal(world->bodies.active_count, GRZ_SLEEP_MIN - 1);
    add_circle(world, -9, 0);
    graze_world_step(world, 1);
    assert_int_equal(world->bodies.active_count, 0);
    graze_world_destroy(world);
}

static bool count_calls(const graze_world *world, graze_body_id a, graze_body_id b,
                        graze_segment_id segment, void *user)
{
    (void)world, (void)a, (void)b, (void)segment;
    ++*(uint32_t *)user;
    return true;
}

static void a_game_with_a_filter_of_its_own_is_asked_in_every_step(void **state)
{
    (void)state;
    uint32_t calls = 0;
    graze_world_def def = graze_world_def_default();
    def.filter = count_calls;
    def.filter_user = &calls;
    graze_world *world = graze_world_create(&def);
    for (uint32_t i = 0; i < 2 * GRZ_SLEEP_MIN; ++i) {
        add_circle(world, (float)i, 0);
    }
    graze_world_step(world, 1);
    const uint32_t first = calls;
    graze_world_step(world, 1);
    assert_true(first > 0);
    assert_int_equal(calls, 2 * first);
    graze_world_destroy(world);
}

static void many_active_bodies_wake_all(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    for (uint32_t i = 0; i < 100; ++i) {
        add_circle(world, (float)i, 0);
    }
    graze_world_step(world, 1);
    assert_int_equal(world->bodies.active_count, 0);
    for (uint32_t i = 0; i < 100; ++i) {
        add_circle(world, (float)i, 0.5f);
    }
    graze_world_step(world, 1);
    assert_int_equal(world->bodies.active_count, 100);
    add_circle(world, 0, 1);
    graze_world_step(world, 1);
    assert_int_equal(world->bodies.active_count, 201);
    graze_world_destroy(world);
}

static void a_still_body_that_gets_mass_falls(void **state)
{
    (void)state;
    const graze_vec2 gravity = {0, -1};
    graze_world *world = make_world(gravity, GRZ_SLEEP_MIN);
    for (uint32_t i = 0; i < 100; ++i) {
        graze_body_set_mass(world, add_circle(world, (float)i, 0), 0);
    }
    graze_world_step(world, 1);
    assert_int_equal(world->bodies.active_count, 0);
    const graze_body_id body = graze_world_body_at(world, 50);
    graze_body_set_mass(world, body, 0);
    assert_int_equal(world->bodies.active_count, 0);
    graze_body_set_mass(world, body, 1);
    assert_int_equal(world->bodies.active_count, 1);
    graze_world_step(world, 1);
    assert_true(graze_body_position(world, body).y == -1);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stillness_changes_no_result),
        cmocka_unit_test(few_bodies_at_rest_stay_in_the_sort),
        cmocka_unit_test(a_game_with_a_filter_of_its_own_is_asked_in_every_step),
        cmocka_unit_test(many_active_bodies_wake_all),
        cmocka_unit_test(a_still_body_that_gets_mass_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
