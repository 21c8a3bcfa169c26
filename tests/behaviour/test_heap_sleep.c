// Heaps with friction come to rest, and sleep.

#include "response_kit.h"

#include "world/world_state.h"

#include <math.h>

#define DT 0.015625f

enum { SIDE = 20, BODIES = SIDE * SIDE, AGAIN = 45 };

static graze_world *make_box(float half)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -half, 4 * half, -half, 0);
    kit_wall(world, -half, 0, half, 0);
    kit_wall(world, half, 0, half, 4 * half);
    return world;
}

static void add_rough(graze_world *world, graze_body_def def)
{
    def.response = GRAZE_SLIDE;
    def.friction = 0.5f;
    kit_add(world, def);
}

// Columns of circles, or of circles and crates in turn, that fall a little. Shifted, they lean.
static graze_world *drop_columns(bool has_crates, uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = make_box(0.6f * SIDE + 1);
    for (int k = 0; k < BODIES; ++k) {
        const float x = 1.2f * ((float)(k % SIDE) + 0.5f - SIDE / 2.0f);
        const float y = 1.1f * (float)(k / SIDE) + 0.6f;
        const bool is_crate = has_crates && (k + k / SIDE) % 2;
        graze_body_def def = is_crate ? kit_rect(x, y, 0.5f, 0.4f) : kit_circle(x, y, 0.5f);
        def.position.x += random_float(&random, -0.04f, 0.04f);
        add_rough(world, def);
    }
    return world;
}

// All are still after so many steps, to the last bit.
static void assert_sleep(graze_world *world, int steps, float dt)
{
    for (int step = 0; step < steps; ++step) {
        kit_step(world, dt);
    }
    assert_int_equal(world->bodies.active_count, 0);
    for (uint32_t k = 0; k < world->bodies.count; ++k) {
        assert_true(kit_speed(world, graze_world_body_at(world, k)) <= 1e-6);
    }
}

// The height of a column's top says whether it still stands.
static void columns_that_friction_holds_come_to_rest(void **state)
{
    (void)state;
    graze_world *world = drop_columns(false, 1);
    assert_sleep(world, 150, DT);
    for (uint32_t k = 0; k < SIDE; ++k) {
        const graze_body_id top = graze_world_body_at(world, BODIES - SIDE + k);
        kit_assert_near(graze_body_position(world, top).y, SIDE - 0.5f, 0.14f);
    }
    graze_world_destroy(world);
}

static void a_heap_of_crates_and_circles_comes_to_rest(void **state)
{
    (void)state;
    graze_world *world = drop_columns(true, 2);
    assert_sleep(world, 180, DT);
    graze_world_destroy(world);
}

// Circles and crates of all sizes, that fall on each other.
static graze_world *drop_untidy(uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = make_box(8);
    for (int k = 0; k < 200; ++k) {
        const float x = random_float(&random, -7, 7);
        const float half_x = random_float(&random, 0.25f, 0.6f);
        const float half_y = random_float(&random, 0.25f, 0.5f);
        const float angle = random_float(&random, -1.5f, 1.5f);
        const float y = 1 + 0.5f * (float)k;
        graze_body_def def = k % 2 ? kit_rect(x, y, half_x, half_y) : kit_circle(x, y, half_x);
        def.angle = k % 2 ? angle : 0;
        add_rough(world, def);
    }
    return world;
}

static void untidy_heaps_come_to_rest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        graze_world *world = drop_untidy(seed);
        assert_sleep(world, 550, DT);
        graze_world_destroy(world);
    }
}

static void an_upright_pyramid_comes_to_rest(void **state)
{
    enum { ROWS = 30 };
    (void)state;
    graze_world *world = make_box(2 * ROWS);
    for (int row = 0; row < ROWS; ++row) {
        for (int k = 0; k < ROWS - row; ++k) {
            const float x = 1.05f * ((float)k + (float)row / 2 - ROWS / 2);
            add_rough(world, kit_rect(x, 0.5f + 1.02f * (float)row, 0.5f, 0.5f));
        }
    }
    assert_sleep(world, 96, DT);
    graze_world_destroy(world);
}

// Woken by another mass, which hardly differs, it does not have to find out again what its lowest
// bodies bear.
static void a_heap_that_wakes_stays_where_it_is(void **state)
{
    (void)state;
    graze_vec2 before[BODIES];
    graze_world *world = drop_columns(false, 3);
    assert_sleep(world, 150, DT);
    for (uint32_t k = 0; k < BODIES; ++k) {
        before[k] = graze_body_position(world, graze_world_body_at(world, k));
    }
    for (int round = 0; round < 5; ++round) {
        for (uint32_t k = 0; k < BODIES; ++k) {
            const float mass = round % 2 ? 1 : 1.000001f;
            assert_int_equal(graze_body_set_mass(world, graze_world_body_at(world, k), mass),
                             GRAZE_OK);
        }
        assert_int_equal(world->bodies.active_count, BODIES);
        assert_sleep(world, AGAIN, DT);
    }
    for (uint32_t k = 0; k < BODIES; ++k) {
        const graze_vec2 now = graze_body_position(world, graze_world_body_at(world, k));
        kit_assert_near_vec2(now, before[k].x, before[k].y, 7e-4f);
    }
    graze_world_destroy(world);
}

static float mean_height(const graze_world *world)
{
    float sum = 0;
    for (uint32_t k = 0; k < BODIES; ++k) {
        sum += graze_body_position(world, graze_world_body_at(world, k)).y;
    }
    return sum / BODIES;
}

// A heap may rest under any gravity. It does not fall asleep before it has come as far as others.
static void heaps_rest_under_any_gravity(void **state)
{
    static const struct {
        float pull;
        int steps;
    } table[] = {{10, 150}, {1e-3f, 130}, {0.5f, 90}, {3000, 850}};
    float height = 0;
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        graze_world *world = drop_columns(false, 9);
        graze_world_set_gravity(world, (graze_vec2){0, -table[i].pull});
        // The same motion, at another speed.
        assert_sleep(world, table[i].steps, DT * sqrtf(10 / table[i].pull));
        height = i > 0 ? height : mean_height(world);
        kit_assert_near(mean_height(world), height, 0.003f);
        graze_world_destroy(world);
    }
}

// Each segment of rough ground that a body comes to counts as a hit, also while it falls asleep.
// That is rare: one in hundreds of such heaps has it.
static void what_falls_asleep_may_be_removed_by_its_last_hit(void **state)
{
    (void)state;
    enum { POINTS = 60, MANY = 24 };
    graze_vec2 ground[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        ground[i] = (graze_vec2){-6 + 0.2f * (float)i, 0.02f * (float)(i % 3)};
    }
    for (uint64_t seed = 801; seed <= 820; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_chain_def def = graze_chain_def_default();
        def.points = ground;
        def.count = POINTS;
        graze_chain_create(world, &def);
        kit_wall(world, -6, 0, -6, 9);
        kit_wall(world, 5.8f, 0, 5.8f, 9);
        for (int i = 0; i < MANY; ++i) {
            const float x = random_float(&random, -5, 5), y = random_float(&random, 0.5f, 4);
            graze_body_def body = i % 2 ? kit_rect(x, y, 0.3f, 0.3f) : kit_circle(x, y, 0.3f);
            body.response = GRAZE_RIGID;
            body.surface = (graze_surface){0.6f, 0, 0.2f, 0};
            body.hit_limit = 3 + random_below(&random, 12);
            kit_add(world, body);
        }
        for (uint32_t step = 0; step < 400; ++step) {
            if (step > 100 && step % 40 == 0) {
                graze_world_set_substeps(world, 4 + step / 40 % 2); // It wakes them.
            }
            kit_step(world, 1.0f / 60);
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_friction_holds_come_to_rest),
        cmocka_unit_test(a_heap_of_crates_and_circles_comes_to_rest),
        cmocka_unit_test(untidy_heaps_come_to_rest),
        cmocka_unit_test(what_falls_asleep_may_be_removed_by_its_last_hit),
        cmocka_unit_test(an_upright_pyramid_comes_to_rest),
        cmocka_unit_test(a_heap_that_wakes_stays_where_it_is),
        cmocka_unit_test(heaps_rest_under_any_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
