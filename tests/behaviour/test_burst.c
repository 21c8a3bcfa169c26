// Bursts: dozens of bodies that are created at one place, as coins or debris are.

#include "response_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include <math.h>

#include "random.h"

enum {
    SEEDS = 20,
    BURST = 50,
    STEPS = 150,
    LIMIT = 100,
    FEW = 15 ///< Touches that are foreseen anew in a step, a body. Without the rule it was 250.
};

#define STEP    (1.0f / 60)
#define GRAVITY (-10.0f)
#define SPEED   10.0f

typedef struct burst {
    graze_world *world;
    graze_body_id bodies[BURST];
} burst;

static graze_body_def draw_body(random_state *random)
{
    const bool is_rect = random_below(random, 2);
    graze_body_def def = is_rect ? kit_rect(0, 0, 0.5f, 0.4f) : kit_circle(0, 0, 0.5f);
    def.velocity.x = random_float(random, -SPEED, SPEED);
    def.velocity.y = random_float(random, -SPEED, SPEED);
    def.response = random_below(random, 2) ? GRAZE_SLIDE : GRAZE_BOUNCE;
    def.restitution = random_float(random, 0, 1);
    return def;
}

// Every fourth body may hit that often; hit_limit 0: as often as it likes.
static burst make_limited_burst(uint64_t seed, float gravity, uint32_t hit_limit)
{
    random_state random = random_seed(seed);
    burst made = {.world = kit_world_with_gravity(0, gravity)};
    for (int i = 0; i < BURST; ++i) {
        graze_body_def def = draw_body(&random);
        def.hit_limit = i % 4 ? 0 : hit_limit;
        made.bodies[i] = kit_add(made.world, def);
    }
    return made;
}

static burst make_burst(uint64_t seed, float gravity)
{
    return make_limited_burst(seed, gravity, 0);
}

static uint32_t count_foreseen_anew(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        count += world->impacts.trajectories.data[m].found_anew;
    }
    return count;
}

static double deepest_overlap(const graze_world *world)
{
    const graze_contact_list list = graze_world_contacts(world);
    double deepest = 0;
    for (uint32_t i = 0; i < list.count; ++i) {
        deepest = fmax(deepest, (double)list.data[i].depth);
    }
    return deepest;
}

static void check_burst(uint64_t seed, float gravity)
{
    const burst all = make_burst(seed, gravity);
    for (int step = 0; step < STEPS; ++step) {
        kit_step(all.world, STEP);
        const uint32_t foreseen = count_foreseen_anew(all.world);
        if (foreseen > FEW * BURST) {
            fail_msg("seed %d, gravity %g, step %d: %u touches foreseen anew", (int)seed,
                     (double)gravity, step, (unsigned)foreseen);
        }
    }
    const double deepest = deepest_overlap(all.world);
    if (gravity != 0 && !(deepest < 0.1)) {
        fail_msg("seed %d: they still overlap by %g", (int)seed, deepest);
    }
    graze_world_destroy(all.world);
}

static void bursts_fly_apart_without_a_storm_of_events(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        check_burst(seed, GRAVITY);
        check_burst(seed, 0);
    }
}

// Touches that go on are noted without waiting for their turn: to the last bit that is the same.
static void nothing_depends_on_when_a_touch_inside_is_noted(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const float gravity = seed % 2 ? GRAVITY : 0;
        const burst fast = make_limited_burst(seed, gravity, LIMIT);
        const burst slow = make_limited_burst(seed, gravity, LIMIT);
        slow.world->config.no_shortcuts = true;
        for (int step = 0; step < STEPS; ++step) {
            kit_step(fast.world, STEP);
            kit_step(slow.world, STEP);
            kit_assert_same_bytes(fast.world, slow.world);
        }
        graze_world_destroy(fast.world);
        graze_world_destroy(slow.world);
    }
}

// Rigid bodies all over a room in which a bar turns.
static graze_world *make_room(uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, GRAVITY);
    graze_body_def bar = kit_rect(0, 0, 5, 0.3f);
    bar.spin = 6;
    kit_square(world, -7, 7);
    kit_add(world, bar);
    for (int i = 0; i < BURST; ++i) {
        graze_body_def def = draw_body(&random);
        def.position.x = random_float(&random, -6, 6);
        def.position.y = random_float(&random, -6, 6);
        def.spin = random_float(&random, -SPEED, SPEED);
        def.restitution = i % 2 ? 0 : def.restitution;
        def.response = GRAZE_RIGID;
        kit_add(world, def);
    }
    return world;
}

// Who is out of reach of whom, and of walls, spares sweeps: to the last bit all stays the same.
static void no_sweep_is_spared_that_finds_anything(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        graze_world *fast = make_room(seed), *slow = make_room(seed);
        slow->config.no_shortcuts = true;
        for (int step = 0; step < STEPS; ++step) {
            kit_step(fast, STEP);
            kit_step(slow, STEP);
            kit_assert_same_bytes(fast, slow);
        }
        graze_world_destroy(fast);
        graze_world_destroy(slow);
    }
}

// There is no direction from one centre to the other, but they push each other apart like any two.
static void circles_with_one_centre_part_within_a_second(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    for (int i = 0; i < BURST; ++i) {
        kit_add(world, kit_sliding(kit_circle(3, 5, 0.5f), i % 3 - 1, i % 5 - 2));
    }
    for (int step = 0; step < 60; ++step) {
        kit_step(world, STEP);
    }
    assert_true(deepest_overlap(world) < 1e-4);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_fly_apart_without_a_storm_of_events),
        cmocka_unit_test(nothing_depends_on_when_a_touch_inside_is_noted),
        cmocka_unit_test(no_sweep_is_spared_that_finds_anything),
        cmocka_unit_test(circles_with_one_centre_part_within_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
