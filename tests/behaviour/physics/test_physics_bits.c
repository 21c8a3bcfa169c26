// Rigid bodies move the same to the last bit on all lanes, threads and orders
// in memory.
#define _POSIX_C_SOURCE 200809L
#include "physics_kit.h"

#include "lanes_choice.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { BODIES = 300, STEPS = 120 };

static double random_double(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

// A room with a lift and stones of all kinds, some in flight and some in heaps.
static void add_ground(graze_world *world)
{
    const graze_vec2 hills[6] = {{-20, 12}, {-20, 0}, {-8, -2}, {3, 0}, {20, -1}, {20, 12}};
    physics_chain(world, hills, 6, false, physics_surface(0.5, 0.3));
    physics_floor(world, -20, 12, 20, 12);
}

static graze_body_def body_of(random_state *random, uint32_t i)
{
    const double x = 1.25 * (i % 30) - 18, y = 1.1 * (i / 30) + 0.7;
    const double size = random_double(random, 0.2, 0.5),
                 mass = pow(10, random_double(random, -1, 1));
    graze_body_def def = i % 2 ? physics_disc(x, y, size, mass)
                               : physics_box(x, y, size, random_double(random, 0.2, 0.5), mass);
    def.angle = (float)random_double(random, -pi, pi);
    def.spin = (float)random_double(random, -3, 3);
    def.velocity.x = (float)random_double(random, -10, 10);
    def.velocity.y = (float)random_double(random, -10, 10);
    def.friction = (float)random_double(random, 0, 1);
    def.restitution = i % 3 ? 0 : (float)random_double(random, 0, 1);
    def.surface.rolling_resistance = i % 5 ? 0 : 0.1f;
    def.surface.speed = i % 7 ? 0 : 1;
    if (i % 50 == 0) {
        def.response = GRAZE_PASS;
        def.mass = 0;
        def.velocity.x /= 10;
        def.velocity.y /= 10;
    }
    return def;
}

// --- Lanes and threads ---

static graze_world *world_of_seed(uint64_t seed, bool backwards)
{
    random_state random = random_seed(seed);
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    def.parallel = backwards ? kit_run_backwards : NULL;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    add_ground(world);
    for (uint32_t i = 0; i < BODIES; ++i) {
        kit_add(world, body_of(&random, i));
    }
    return world;
}

static void play_lanes(uint64_t seed, physics_tally *tally)
{
    static uint64_t wanted[STEPS];
    const char *before = getenv("GRAZE_LANES");
    char *kept = before ? strdup(before) : NULL;
    int different = 0, where = GRZ_SET_COUNT;
    for (int set = 0; set < 2 * GRZ_SET_COUNT; ++set) {
        if (!grz_lanes_has((grz_lane_set)(set / 2))) {
            continue;
        }
        assert_int_equal(setenv("GRAZE_LANES", grz_lanes_name((grz_lane_set)(set / 2)), 1), 0);
        graze_world *world = world_of_seed(seed, set % 2);
        for (int step = 0; step < STEPS; ++step) {
            kit_step(world, physics_dt);
            const uint64_t hash = graze_world_hash(world);
            wanted[step] = set ? wanted[step] : hash;
            if (hash != wanted[step] && !different) {
                different = step + 1;
                where = set;
            }
        }
        graze_world_destroy(world);
    }
    assert_int_equal(kept ? setenv("GRAZE_LANES", kept, 1) : unsetenv("GRAZE_LANES"), 0);
    free(kept);
    physics_note(tally, seed, different ? 2 : 0, "%s%s: another hash after step %d",
                 where < 2 * GRZ_SET_COUNT ? grz_lanes_name((grz_lane_set)(where / 2)) : "",
                 where % 2 ? ", tasks backwards" : "", different);
}

static void all_lanes_and_threads_give_the_same_bits(void **state)
{
    (void)state;
    physics_play(4, play_lanes);
}

// --- Order in memory ---

// Makes indices that were used before vacant, in a random order.
static void shuffle_vacant(graze_world *world, random_state *random)
{
    graze_body_id ids[BODIES];
    for (uint32_t i = 0; i < BODIES; ++i) {
        ids[i] = kit_add(world, physics_disc(1000 + 3 * (double)i, 0, 1, 1));
    }
    for (uint32_t left = BODIES; left > 0; --left) {
        const uint32_t k = random_below(random, left);
        graze_body_destroy(world, ids[k]);
        ids[k] = ids[left - 1];
    }
}

// Creates the bodies so that body i has index i, in whatever order the world
// hands out indices.
static graze_world *world_in_order(uint64_t seed, uint64_t order)
{
    random_state random = random_seed(seed), shuffle = random_seed(order),
                 again = random_seed(order);
    graze_body_def defs[BODIES];
    for (uint32_t i = 0; i < BODIES; ++i) {
        defs[i] = body_of(&random, i);
    }
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_world *probe = kit_world_with_gravity(0, -10);
    shuffle_vacant(world, &shuffle);
    shuffle_vacant(probe, &again);
    add_ground(world);
    for (uint32_t i = 0; i < BODIES; ++i) {
        const graze_body_id next = kit_add(probe, kit_circle(3 * (float)i, 0, 1));
        assert_true(next.index < BODIES);
        assert_true(kit_is_same(kit_add(world, defs[next.index]), next));
    }
    graze_world_destroy(probe);
    return world;
}

static void play_orders(uint64_t seed, physics_tally *tally)
{
    graze_world *first = world_in_order(seed, 1), *second = world_in_order(seed, seed + 2);
    int step = 0;
    const char *difference = NULL;
    while (step < STEPS && !difference) {
        kit_step(first, physics_dt);
        kit_step(second, physics_dt);
        difference = kit_find_difference(first, second);
        for (uint32_t i = 0; i < BODIES && !difference; ++i) {
            const graze_body_id body = graze_world_body_at(first, i);
            const graze_vec2 a = graze_body_position(first, body);
            const graze_vec2 b = graze_body_position(second, body);
            difference = a.x != b.x || a.y != b.y ? "position" : NULL;
        }
        ++step;
    }
    physics_note(tally, seed, difference ? 2 : 0, "step %d: %s", step,
                 difference ? difference : "");
    graze_world_destroy(first);
    graze_world_destroy(second);
}

static void the_order_of_creation_does_not_matter_where_ids_are_the_same(void **state)
{
    (void)state;
    physics_play(4, play_orders);
}

// --- Snapshots ---

// A world goes on as one that was loaded from it, awake or asleep; then all
// wakes.
static void play_loads(uint64_t seed, physics_tally *tally)
{
    graze_world *world = world_of_seed(seed, false), *other = kit_world();
    const char *difference = NULL;
    uint32_t asleep = 0;
    int step = 0;
    for (; step < 600 && !difference; ++step) {
        if (step % 100 == 50) {
            size_t size;
            void *bytes = kit_save(world, &size);
            kit_load(other, bytes, size);
            free(bytes);
        }
        if (step == 570) {
            graze_world_set_gravity(world, (graze_vec2){1, -9});
            graze_world_set_gravity(other, (graze_vec2){1, -9});
        }
        kit_step(world, physics_dt);
        asleep = step == 560 ? BODIES - physics_count_awake(world) : asleep;
        if (step >= 50) {
            kit_step(other, physics_dt);
            difference = kit_find_difference(world, other);
        }
    }
    physics_note(tally, seed, difference ? 2 : 0, "step %d, %u were asleep: %s", step,
                 (unsigned)asleep, difference ? difference : "");
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void a_loaded_world_goes_on_as_the_one_that_was_saved(void **state)
{
    (void)state;
    physics_play(4, play_loads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lanes_and_threads_give_the_same_bits),
        cmocka_unit_test(a_loaded_world_goes_on_as_the_one_that_was_saved),
        cmocka_unit_test(the_order_of_creation_does_not_matter_where_ids_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
