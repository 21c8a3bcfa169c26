#include "world_model.h"

// Whole steps against a model without a grid (world_model.h), which compares every contact, end,
// position and velocity to the last bit.

typedef struct setting {
    const char *name;
    uint32_t bodies, chains, steps;
    float extent; ///< Everything starts within [-extent, extent].
    float dt;
    bool lattice; ///< Places and sizes on small multiples of 0.5: full of ties.
    uint32_t veto_modulus;
    float gravity;
} setting;

static void run_setting(const setting *chosen, uint64_t seed)
{
    print_message("seed %u: %s\n", (unsigned)seed, chosen->name);
    random_state random = random_seed(seed);
    const graze_vec2 gravity = {0, chosen->gravity};
    world_model *model = model_create(gravity, chosen->veto_modulus);
    for (uint32_t i = 0; i < chosen->chains; ++i) {
        model_add_random_chain(model, &random, chosen->extent, chosen->lattice);
    }
    for (uint32_t i = 0; i < chosen->bodies; ++i) {
        graze_body_def def = model_random_body(&random, chosen->extent, chosen->lattice);
        model_add_bodies(model, &def, 1);
    }
    uint32_t contacts = 0;
    for (uint32_t step = 0; step < chosen->steps; ++step) {
        model_step(model, chosen->dt);
        contacts += model->contact_count;
    }
    assert_true(contacts > chosen->steps);
    model_destroy(model);
}

static void run_settings(const setting *settings, uint32_t count, uint64_t first_seed)
{
    for (uint32_t i = 0; i < count; ++i) {
        run_setting(&settings[i], first_seed + i);
    }
}

static void a_gas_of_all_shapes_meets_as_brute_force_says(void **state)
{
    (void)state;
    const setting settings[] = {
        {"sparse", 120, 0, 60, 30, 1.0f / 60, false, 0, 0},
        {"dense", 120, 0, 40, 8, 1.0f / 60, false, 0, 0},
        {"far steps", 100, 0, 30, 12, 1, false, 0, 0},
        {"falling", 100, 0, 40, 12, 1.0f / 60, false, 0, -10},
    };
    run_settings(settings, 4, 100);
}

static void a_lattice_full_of_ties_meets_as_brute_force_says(void **state)
{
    (void)state;
    const setting settings[] = {
        {"no motion between cells", 120, 0, 30, 6, 0.5f, true, 0, 0},
        {"whole units", 120, 0, 20, 10, 1, true, 0, 0},
        {"with walls", 80, 8, 20, 8, 1, true, 0, 0},
        {"with walls, half units", 80, 8, 30, 6, 0.5f, true, 0, 0},
    };
    run_settings(settings, 4, 200);
}

static void terrain_meets_as_brute_force_says(void **state)
{
    (void)state;
    const setting settings[] = {
        {"few walls", 80, 4, 60, 15, 1.0f / 60, false, 0, 0},
        {"many walls", 80, 16, 40, 15, 1.0f / 60, false, 0, 5},
        {"far steps", 80, 10, 30, 15, 1, false, 0, 0},
    };
    run_settings(settings, 3, 300);
}

static void vetoes_of_the_game_are_heard(void **state)
{
    (void)state;
    const setting settings[] = {
        {"one in two", 100, 6, 20, 8, 0.25f, false, 2, 0},
        {"one in seven", 100, 6, 20, 8, 0.25f, true, 7, 0},
    };
    run_settings(settings, 2, 400);
}

static void worlds_far_from_the_origin_meet_as_brute_force_says(void **state)
{
    (void)state;
    const float places[] = {1e3f, 1e5f, -1e6f};
    for (uint32_t i = 0; i < 3; ++i) {
        random_state random = random_seed(500 + i);
        const graze_vec2 gravity = {0, 0};
        world_model *model = model_create(gravity, 0);
        for (uint32_t k = 0; k < 80; ++k) {
            graze_body_def def = model_random_body(&random, 6, k % 2);
            def.position.x += places[i];
            def.position.y -= places[i];
            model_add_bodies(model, &def, 1);
        }
        for (uint32_t step = 0; step < 30; ++step) {
            model_step(model, 1.0f / 60);
        }
        model_destroy(model);
    }
}

// Steps of whole units in the directions of right triangles: so what is tangent touches exactly.
static graze_vec2 draw_long_velocity(random_state *random, bool lattice)
{
    static const graze_vec2 triangles[] = {{3, 4}, {4, 3}, {5, 12}, {8, 15}, {20, 21}, {1, 1}};
    const graze_vec2 chosen = triangles[random_below(random, 6)];
    const float length =
        lattice ? (float)random_integer(random, 1, 40) : random_float(random, 1, 400);
    const float skew = lattice ? 1 : random_float(random, 0, 2);
    const graze_vec2 velocity = {chosen.x * length * (random_below(random, 2) ? 1.0f : -1.0f),
                                 chosen.y * length * skew *
                                     (random_below(random, 2) ? 1.0f : -1.0f)};
    return velocity;
}

static void long_moves_meet_as_brute_force_says(void **state)
{
    (void)state;
    const graze_vec2 none = {0, 0};
    for (uint64_t seed = 600; seed < 612; ++seed) {
        const bool lattice = seed % 2;
        const float extent = seed % 3 ? 60 : 15;
        random_state random = random_seed(seed);
        world_model *model = model_create(none, 0);
        for (uint32_t i = 0; i < 240; ++i) {
            graze_body_def def = model_random_body(&random, extent, lattice);
            def.velocity = i % 4 ? none : draw_long_velocity(&random, lattice);
            model_add_bodies(model, &def, 1);
        }
        for (uint32_t step = 0; step < 6; ++step) {
            model_step(model, 1);
            for (uint32_t i = 0; i < model->body_count; i += 4) {
                const graze_body_def drawn = model_random_body(&random, extent, lattice);
                model_set_position(model, i, drawn.position);
            }
        }
        model_destroy(model);
    }
}

static void many_bodies_at_one_point_meet_all_others(void **state)
{
    (void)state;
    const graze_vec2 gravity = {0, 0};
    world_model *model = model_create(gravity, 0);
    graze_body_def defs[100];
    for (uint32_t i = 0; i < 100; ++i) {
        defs[i] = kit_circle(3, -4, i % 10 ? 0.5f : 0);
        defs[i].velocity.x = i < 50 ? 0 : 1;
    }
    model_add_bodies(model, defs, 100);
    model_step(model, 0.25f);
    assert_int_equal(model->contact_count, 100 * 99 / 2);
    model_step(model, 0.25f);
    model_destroy(model);
}

static void points_at_rest_at_the_origin_meet(void **state)
{
    (void)state;
    const graze_vec2 gravity = {0, 0};
    world_model *model = model_create(gravity, 0);
    graze_body_def defs[3] = {kit_circle(0, 0, 0), kit_circle(0, 0, 0), kit_bullet(0, 0, 0, 0)};
    defs[2].response = GRAZE_PASS;
    defs[2].hit_limit = 0;
    model_add_bodies(model, defs, 3);
    model_step(model, 1);
    assert_int_equal(model->contact_count, 3);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gas_of_all_shapes_meets_as_brute_force_says),
        cmocka_unit_test(a_lattice_full_of_ties_meets_as_brute_force_says),
        cmocka_unit_test(terrain_meets_as_brute_force_says),
        cmocka_unit_test(vetoes_of_the_game_are_heard),
        cmocka_unit_test(worlds_far_from_the_origin_meet_as_brute_force_says),
        cmocka_unit_test(long_moves_meet_as_brute_force_says),
        cmocka_unit_test(points_at_rest_at_the_origin_meet),
        cmocka_unit_test(many_bodies_at_one_point_meet_all_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
