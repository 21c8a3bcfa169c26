#include "collide/sleep.h"

#include "world_kit.h"

#include "body_defs.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

// Sleep does not show: a world whose stacks sleep whenever they can goes through a random script
// beside one whose stacks never do, and nothing that a game can see tells the two apart.

enum { SEEDS = 40, STEPS = 220, BODIES = 160, CHAINS = 6, YARDS = 7, YARD = 12 };

typedef struct twins {
    graze_world *eager, *never;
    graze_body_id bodies[BODIES];
    uint32_t body_count;
    graze_chain_id chains[CHAINS], ground;
    uint32_t sleeping_steps, most_asleep;
    uint32_t woken; ///< In all, for any reason.
    bool rigid;     ///< Most bodies are.
    float dt;
    random_state random;
} twins;

static graze_world *make_world(graze_vec2 gravity, uint32_t least, uint32_t patience)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = gravity;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    world->sleep.least = least;
    world->sleep.patience = patience;
    return world;
}

// One number is drawn per statement: so every compiler draws the same.
static bool one_in(twins *both, uint32_t count)
{
    return random_below(&both->random, count) == 0;
}

static float between(twins *both, float low, float high)
{
    return random_float(&both->random, low, high);
}

static graze_body_id add(twins *both, const graze_body_def *def)
{
    const graze_body_id body = graze_body_create(both->eager, def);
    assert_true(kit_is_same(graze_body_create(both->never, def), body));
    both->bodies[both->body_count < BODIES ? both->body_count++
                                           : random_below(&both->random, BODIES)] = body;
    return body;
}

static graze_chain_id add_terrain(twins *both, const graze_chain_def *def)
{
    const graze_chain_id chain = graze_chain_create(both->eager, def);
    assert_int_equal(graze_chain_create(both->never, def).generation, chain.generation);
    return chain;
}

static graze_chain_id add_chain(twins *both, const graze_vec2 *points, uint32_t count)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    return add_terrain(both, &def);
}

// --- Things in the yards ---

static graze_body_def make_crate(twins *both, float x, float y)
{
    graze_body_def def = kit_rect(x, y, 0.5f, 0.5f);
    def.response = one_in(both, 20) ? GRAZE_STOP : one_in(both, 6) ? GRAZE_BOUNCE : GRAZE_SLIDE;
    if (both->rigid && !one_in(both, 5)) {
        def.response = GRAZE_RIGID;
        def.surface.rolling_resistance = 0.1f;
    }
    def.friction = one_in(both, 3) ? 0 : 0.5f;
    def.restitution = one_in(both, 8) ? 0.5f : 0;
    def.hit_limit = one_in(both, 20) ? 6 : 0;
    def.lifetime = one_in(both, 40) ? between(both, 0.5f, 3) : 0;
    def.sensor = one_in(both, 40);
    if (one_in(both, 30)) {
        def.filter.category = 2;
        def.filter.mask = 1;
    }
    return def;
}

static void add_crate(twins *both, float x, float y, bool round)
{
    graze_body_def def = make_crate(both, x, y);
    if (round) {
        def.shape = graze_shape_circle(0.5f);
    }
    add(both, &def);
}

static void build_tower(twins *both, float x, float floor)
{
    const float gap = one_in(both, 2) ? 0 : 0.02f;
    const uint32_t height = 1 + random_below(&both->random, 6);
    const bool round = one_in(both, 4);
    for (uint32_t k = 0; k < height; ++k) {
        add_crate(both, x, floor + 0.5f + (1 + gap) * (float)k, round);
    }
}

static void build_pyramid(twins *both, float x, float floor)
{
    const uint32_t rows = 2 + random_below(&both->random, 3);
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t k = 0; k + row < rows; ++k) {
            const float along = (float)k - (float)(rows - row) / 2;
            add_crate(both, x + 1.05f * along, floor + 0.5f + 1.02f * (float)row, false);
        }
    }
}

static void build_heap(twins *both, float x, float floor)
{
    for (uint32_t k = 0; k < 6; ++k) {
        const float aside = between(both, -2, 2);
        const bool round = one_in(both, 2);
        add_crate(both, x + aside, floor + 0.6f + 1.1f * (float)k, round);
    }
}

// Adds something that nothing moves, or that carries what lies on it.
static void add_platform(twins *both, float x)
{
    graze_body_def def = kit_rect(x, 2, 3, 0.25f);
    def.mass = 0;
    def.friction = one_in(both, 3) ? 0 : 0.5f;
    def.response = one_in(both, 2) ? GRAZE_PASS : one_in(both, 2) ? GRAZE_STOP : GRAZE_SLIDE;
    def.velocity.x = one_in(both, 3) ? between(both, -1, 1) : 0;
    add(both, &def);
}

static void fill_yard(twins *both, float x)
{
    const bool raised = one_in(both, 3);
    const float floor = raised ? 2.25f : 0;
    if (raised) {
        add_platform(both, x);
    }
    switch (random_below(&both->random, 3)) {
    case 0:
        build_tower(both, x, floor);
        break;
    case 1:
        build_pyramid(both, x, floor);
        break;
    default:
        build_heap(both, x, floor);
        break;
    }
}

// --- Events ---

static graze_vec2 point_of_yards(twins *both)
{
    graze_vec2 point;
    point.x = between(both, -6, YARDS * YARD - 6);
    point.y = between(both, 0, 8);
    return point;
}

static void add_something(twins *both)
{
    graze_body_def def = test_body_def();
    def.position = point_of_yards(both);
    def.velocity.x = between(both, -20, 20);
    def.velocity.y = between(both, -20, 5);
    switch (random_below(&both->random, 5)) {
    case 0:
        def.shape = graze_shape_ray();
        def.response = one_in(both, 2) ? GRAZE_STOP : GRAZE_PASS;
        def.hit_limit = random_below(&both->random, 3);
        def.velocity.x *= 5;
        break;
    case 1:
        def.mass = 0;
        def.response = one_in(both, 2) ? GRAZE_PASS : GRAZE_SLIDE;
        break;
    case 2:
        def.sensor = true;
        break;
    default:
        def = make_crate(both, def.position.x, def.position.y);
        break;
    }
    def.lifetime = one_in(both, 2) ? 0.4f : def.lifetime;
    add(both, &def);
}

static void toggle_chain(twins *both)
{
    graze_chain_id *chain = &both->chains[random_below(&both->random, CHAINS)];
    if (graze_chain_is_valid(both->eager, *chain)) {
        graze_chain_destroy(both->eager, *chain);
        graze_chain_destroy(both->never, *chain);
        return;
    }
    const graze_vec2 from = point_of_yards(both);
    const graze_vec2 points[] = {from, {from.x + between(both, -3, 3), from.y - 2}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2;
    def.one_sided = one_in(both, 2);
    def.sensor = one_in(both, 3);
    *chain = add_terrain(both, &def);
}

static void set_what_it_is(graze_world *world, graze_body_id body, uint32_t which, float number)
{
    const float share = number > 0 ? number : 0;
    const graze_shape shapes[] = {graze_shape_rect(0.5f, 0.25f + share), graze_shape_circle(0.5f),
                                  graze_shape_ray()};
    switch (which) {
    case 0:
        graze_body_set_mass(world, body, 2 * share);
        break;
    case 1:
        graze_body_set_restitution(world, body, share);
        break;
    case 2:
        graze_body_set_friction(world, body, share);
        break;
    case 3:
        graze_body_set_lifetime(world, body, share);
        break;
    case 4:
        graze_body_set_hit_limit(world, body, number > 0 ? 3 : 0);
        break;
    case 5:
        graze_body_set_sensor(world, body, number > 0);
        break;
    default:
        graze_body_set_shape(world, body, shapes[number < -0.75f ? 2 : number < 0]);
        break;
    }
}

// Setting a value that a body has already wakes nobody.
static void set_the_same(graze_world *world, graze_body_id body)
{
    graze_body_set_velocity(world, body, graze_body_velocity(world, body));
    graze_body_set_mass(world, body, graze_body_mass(world, body));
    graze_body_set_friction(world, body, graze_body_friction(world, body));
    graze_body_set_hit_limit(world, body, graze_body_hit_limit(world, body));
    graze_body_set_sensor(world, body, graze_body_is_sensor(world, body));
    graze_body_set_shape(world, body, graze_body_shape(world, body));
}

static void set_something(graze_world *world, graze_body_id body, uint32_t which, float number)
{
    const graze_filter filter = {2, 1, 0, 0};
    const graze_vec2 at = graze_body_position(world, body);
    const graze_vec2 aside = {at.x + number, at.y};
    const graze_vec2 kick = {4 * number, number};
    switch (which) {
    case 0:
        graze_body_set_position(world, body, aside);
        break;
    case 1:
        graze_body_set_velocity(world, body, kick);
        break;
    case 2:
        graze_body_set_angle(world, body, number);
        break;
    case 3:
        graze_body_set_spin(world, body, number);
        break;
    case 4:
        graze_body_set_filter(world, body, number > 0 ? filter : graze_filter_default());
        break;
    case 5:
        graze_body_set_response(world, body,
                                number > 0       ? GRAZE_PASS
                                : number < -0.5f ? GRAZE_RIGID
                                                 : GRAZE_SLIDE);
        break;
    case 6:
        set_the_same(world, body);
        break;
    case 7:
        graze_body_destroy(world, body);
        break;
    default:
        set_what_it_is(world, body, which - 8, number);
        break;
    }
}

static void change_a_body(twins *both)
{
    const graze_body_id body = both->bodies[random_below(&both->random, both->body_count)];
    const uint32_t which = random_below(&both->random, 15);
    const float number = between(both, -1, 1);
    if (graze_body_is_valid(both->eager, body)) {
        set_something(both->eager, body, which, number);
        set_something(both->never, body, which, number);
    }
}

static void load_the_other(twins *both)
{
    size_t size;
    void *bytes = kit_save(both->never, &size);
    kit_load(both->eager, bytes, size);
    free(bytes);
}

static void turn_gravity(twins *both)
{
    const graze_vec2 gravity = {between(both, -5, 5), between(both, -20, -15)};
    assert_int_equal(graze_world_set_gravity(both->eager, gravity), GRAZE_OK);
    assert_int_equal(graze_world_set_gravity(both->never, gravity), GRAZE_OK);
}

static void change_surface(twins *both)
{
    graze_surface surface = {0, 0, 0, 0};
    surface.friction = between(both, 0, 1);
    surface.speed = one_in(both, 2) ? between(both, -1, 1) : 0;
    graze_chain_set_surface(both->eager, both->ground, 1, surface);
    graze_chain_set_surface(both->never, both->ground, 1, surface);
}

static void change_something(twins *both)
{
    if (both->rigid && one_in(both, 20)) {
        change_surface(both);
        return;
    }
    if (one_in(both, 40)) {
        turn_gravity(both);
        return;
    }
    switch (random_below(&both->random, 10)) {
    case 0:
        toggle_chain(both);
        break;
    case 1:
        both->dt = one_in(both, 2) ? 1.0f / 60 : between(both, 0.005f, 0.03f);
        break;
    case 2:
        load_the_other(both);
        break;
    case 3:
        graze_world_sort(both->eager);
        break;
    case 4:
    case 5:
    case 6:
        add_something(both);
        break;
    default:
        change_a_body(both);
        break;
    }
}

// --- Whether it shows ---

static void assert_same_stats(const graze_world *one, const graze_world *other)
{
    const graze_world_stats a = graze_world_get_stats(one);
    const graze_world_stats b = graze_world_get_stats(other);
    assert_int_equal(a.body_count, b.body_count);
    assert_int_equal(a.pair_count, b.pair_count);
    assert_int_equal(a.contact_count, b.contact_count);
    assert_int_equal(a.begin_count, b.begin_count);
    assert_int_equal(a.end_count, b.end_count);
    assert_int_equal(a.hit_count, b.hit_count);
    assert_int_equal(a.removed_count, b.removed_count);
    assert_int_equal(a.overflow_count, b.overflow_count);
}

static void assert_same_answers(twins *both)
{
    enum { CAPACITY = 200 };
    const graze_filter all = {1, UINT32_MAX, 0, 0};
    const graze_vec2 at = point_of_yards(both);
    graze_body_id one[CAPACITY], other[CAPACITY];
    const uint32_t count = graze_query_nearest(both->eager, at, 4, all, one, CAPACITY);
    assert_int_equal(graze_query_nearest(both->never, at, 4, all, other, CAPACITY), count);
    for (uint32_t k = 0; k < count; ++k) {
        assert_true(kit_is_same(one[k], other[k]));
    }
}

static uint32_t count_free_still(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t row = world->bodies.active_count; row < world->bodies.count; ++row) {
        count += (world->bodies.rows.traits[row] & GRZ_TRAIT_OPEN) != 0;
    }
    return count;
}

static void count_sleepers(twins *both, uint32_t before)
{
    const uint32_t now = both->eager->sleep.sleeper_count;
    both->sleeping_steps += now > 0;
    both->most_asleep = now > both->most_asleep ? now : both->most_asleep;
    both->woken += now < before ? before - now : 0;
    assert_int_equal(count_free_still(both->eager), now);
    assert_int_equal(both->never->sleep.sleeper_count, 0);
}

static void step_both(twins *both, uint64_t seed, uint32_t step)
{
    const uint32_t before = both->eager->sleep.sleeper_count;
    kit_step(both->eager, both->dt);
    kit_step(both->never, both->dt);
    const char *difference = kit_find_difference(both->eager, both->never);
    if (difference) {
        fail_msg("seed %u, step %u: %s", (unsigned)seed, (unsigned)step, difference);
    }
    kit_assert_same_bytes(both->eager, both->never);
    assert_same_stats(both->eager, both->never);
    assert_same_answers(both);
    count_sleepers(both, before);
}

static twins make_twins(uint64_t seed, graze_vec2 gravity)
{
    const twins both = {
        .eager = make_world(gravity, 1, (uint32_t)seed % 3),
        .never = make_world(gravity, UINT32_MAX, 0),
        .dt = 1.0f / 60,
        .random = random_seed(seed),
    };
    return both;
}

static void destroy_twins(const twins *both)
{
    graze_world_destroy(both->eager);
    graze_world_destroy(both->never);
}

static void live(uint64_t seed, graze_vec2 gravity, twins *sum)
{
    const graze_vec2 ground[] = {{-8, 20}, {-8, 0}, {YARDS * YARD - 4, 0}, {YARDS * YARD - 4, 20}};
    twins both = make_twins(seed, gravity);
    both.rigid = sum->rigid;
    both.ground = add_chain(&both, ground, 4);
    for (uint32_t k = 0; k < YARDS; ++k) {
        fill_yard(&both, (float)(k * YARD));
    }
    for (uint32_t step = 0; step < STEPS; ++step) {
        if (step > STEPS / 4 && one_in(&both, 6)) {
            change_something(&both);
        }
        step_both(&both, seed, step);
    }
    sum->sleeping_steps += both.sleeping_steps;
    sum->woken += both.woken;
    sum->most_asleep = both.most_asleep > sum->most_asleep ? both.most_asleep : sum->most_asleep;
    destroy_twins(&both);
}

static void sleep_changes_no_result(void **state)
{
    (void)state;
    twins sum = {.sleeping_steps = 0};
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const graze_vec2 gravity = {0, seed % 5 ? -20.0f : 0.0f};
        live(seed, gravity, &sum);
    }
    printf("%u of %u steps had sleepers, at most %u; %u woke\n", (unsigned)sum.sleeping_steps,
           SEEDS * STEPS, (unsigned)sum.most_asleep, (unsigned)sum.woken);
    assert_true(sum.sleeping_steps > SEEDS * STEPS / 4);
    assert_true(sum.woken > SEEDS * 10);
}

static void sleep_of_rigid_bodies_changes_no_result(void **state)
{
    (void)state;
    twins sum = {.rigid = true};
    for (uint64_t seed = 100; seed < 100 + SEEDS; ++seed) {
        const graze_vec2 gravity = {0, seed % 5 ? -20.0f : 0.0f};
        live(seed, gravity, &sum);
    }
    printf("%u of %u steps had sleepers, at most %u; %u woke\n", (unsigned)sum.sleeping_steps,
           SEEDS * STEPS, (unsigned)sum.most_asleep, (unsigned)sum.woken);
    assert_true(sum.sleeping_steps > SEEDS * STEPS / 4);
    assert_true(sum.woken > SEEDS);
}

// --- Cases ---

static const graze_vec2 down = {0, -10};
static const graze_vec2 nowhere = {0, 0};

static graze_body_def make_plain_crate(float x, float y)
{
    graze_body_def def = kit_rect(x, y, 0.5f, 0.5f);
    def.response = GRAZE_SLIDE;
    return def;
}

enum { TOWERS = 10, CRATES = 4, ALL_CRATES = TOWERS * CRATES };

// Towers of crates, apart from each other, on the ground.
static graze_world *make_towers(void)
{
    graze_world *world = make_world(down, GRZ_SLEEP_MIN, GRZ_SLEEP_PATIENCE);
    kit_wall(world, -10, 0, 1000, 0);
    for (uint32_t k = 0; k < ALL_CRATES; ++k) {
        kit_add(world, make_plain_crate(4 * (float)(k % TOWERS), 0.5f + (float)(k / TOWERS)));
    }
    return world;
}

static void step_often(graze_world *world, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        kit_step(world, 1.0f / 60);
    }
}

static void what_stands_sleeps_and_wakes_with_what_it_lies_on_alone(void **state)
{
    (void)state;
    graze_world *world = make_towers();
    step_often(world, 60);
    assert_int_equal(world->sleep.sleeper_count, ALL_CRATES);
    assert_int_equal(world->bodies.active_count, 0);
    assert_int_equal(graze_world_contacts(world).count, ALL_CRATES);
    const graze_body_id crate = {2, world->bodies.cold.data[2].generation};
    assert_int_equal(graze_body_set_mass(world, crate, 2), GRAZE_OK);
    kit_step(world, 1.0f / 60);
    assert_int_equal(world->sleep.sleeper_count, ALL_CRATES - CRATES);
    step_often(world, 60);
    assert_int_equal(world->sleep.sleeper_count, ALL_CRATES);
    graze_world_destroy(world);
}

static bool allow(const graze_world *world, graze_body_id a, graze_body_id b,
                  graze_segment_id segment, void *user)
{
    (void)world, (void)a, (void)b, (void)segment, (void)user;
    return true;
}

static void nothing_sleeps_where_the_game_has_a_filter_of_its_own(void **state)
{
    (void)state;
    graze_world *world = make_towers();
    world->config.filter = allow;
    step_often(world, 60);
    assert_int_equal(world->sleep.sleeper_count, 0);
    graze_world_destroy(world);
}

// It is where it was after each step, and as fast, but is hit twice in each.
static void what_bounces_and_comes_back_does_not_sleep(void **state)
{
    (void)state;
    twins both = make_twins(0, nowhere);
    const graze_vec2 left[] = {{0, -9}, {0, 9}};
    const graze_vec2 right[] = {{2, -9}, {2, 9}};
    add_chain(&both, left, 2);
    add_chain(&both, right, 2);
    graze_body_def ball = kit_moving(kit_circle(1, 0, 0.5f), 2, 0, GRAZE_BOUNCE);
    ball.restitution = 1;
    both.dt = 1;
    add(&both, &ball);
    for (uint32_t step = 0; step < 20; ++step) {
        step_both(&both, 0, step);
        assert_int_equal(graze_world_get_stats(both.never).hit_count, 2);
    }
    assert_int_equal(both.sleeping_steps, 0);
    destroy_twins(&both);
}

// In its last step under the crate the platform still holds it up: the crate is as it was.
static void what_a_platform_leaves_behind_falls(void **state)
{
    (void)state;
    twins both = make_twins(0, down);
    graze_body_def platform = kit_moving(kit_rect(-10, -0.5f, 12, 0.5f), 60, 0, GRAZE_PASS);
    platform.mass = 0;
    add(&both, &platform);
    const graze_body_def crate = make_plain_crate(0, 0.5f);
    const graze_body_id body = add(&both, &crate);
    for (uint32_t step = 0; step < 60; ++step) {
        step_both(&both, 0, step);
    }
    assert_true(graze_body_position(both.eager, body).y < 0);
    destroy_twins(&both);
}

static void add_one_sided_floor(twins *both, float y, bool sensor)
{
    const graze_vec2 points[] = {{-5, y}, {5, y}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2;
    def.one_sided = true;
    def.sensor = sensor;
    add_terrain(both, &def);
}

// The crate comes through the first floor. In the next step it counts as lying on both floors,
// because it met the other one, which faces the same way.
static void what_met_a_one_sided_wall_for_the_first_time_does_not_sleep(void **state)
{
    (void)state;
    twins both = make_twins(0, nowhere);
    add_one_sided_floor(&both, 0, false);
    const graze_body_def crate = make_plain_crate(0, 0.4f);
    const graze_body_id body = add(&both, &crate);
    step_both(&both, 0, 0);
    step_both(&both, 0, 1);
    assert_int_equal(both.eager->sleep.sleeper_count, 1);
    add_one_sided_floor(&both, -0.09f, true);
    for (uint32_t step = 2; step < 6; ++step) {
        step_both(&both, 0, step);
    }
    assert_true(graze_body_position(both.never, body).y > 0.49f);
    assert_int_equal(both.eager->sleep.sleeper_count, 1);
    destroy_twins(&both);
}

// It flies, because nothing binds it; and it is where it was after each step.
static void a_wheel_that_turns_beside_another_body_turns_on(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 20; ++round) {
        twins both = make_twins(0, nowhere);
        graze_body_def wheel = kit_moving(kit_circle(0, 0, 1), 0, 0, GRAZE_RIGID);
        wheel.spin = 3;
        const graze_body_id body = add(&both, &wheel);
        const float gap = 0.01f * (float)round;
        const graze_body_def other = kit_moving(kit_circle(1.5f + gap, 0, 0.5f), 0, 0, GRAZE_RIGID);
        add(&both, &other);
        const graze_body_def crate = make_plain_crate(9, 0);
        add(&both, &crate);
        for (uint32_t step = 0; step < 20; ++step) {
            step_both(&both, round, step);
        }
        kit_assert_near(graze_body_angle(both.eager, body), 1, 1e-5f);
        assert_true(both.sleeping_steps > 0);
        destroy_twins(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_sleeps_and_wakes_with_what_it_lies_on_alone),
        cmocka_unit_test(nothing_sleeps_where_the_game_has_a_filter_of_its_own),
        cmocka_unit_test(what_bounces_and_comes_back_does_not_sleep),
        cmocka_unit_test(what_a_platform_leaves_behind_falls),
        cmocka_unit_test(what_met_a_one_sided_wall_for_the_first_time_does_not_sleep),
        cmocka_unit_test(a_wheel_that_turns_beside_another_body_turns_on),
        cmocka_unit_test(sleep_changes_no_result),
        cmocka_unit_test(sleep_of_rigid_bodies_changes_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
