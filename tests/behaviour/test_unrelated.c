// What happens here depends neither on what happens elsewhere nor on the order of creation.

#include "response_kit.h"

#include <string.h>

// Four heaps that never meet.
enum { CLUSTER = 25, CLUSTERS = 4, ALL = CLUSTER * CLUSTERS, STEPS = 90, HEAP_SEEDS = 20 };

/// Where the bodies of a scene end, by user_data.
typedef struct outcome {
    graze_vec2 positions[ALL], velocities[ALL];
} outcome;

static graze_body_def member_of(uint64_t seed, uint32_t i)
{
    random_state random = random_seed(seed * 1000 + i);
    uint32_t place = i % CLUSTER;
    float x = 100 * (float)(i / CLUSTER) + 1.3f * (float)(place % 5);
    float y = 1.3f * (float)(place / 5) + random_float(&random, -0.2f, 0.2f);
    x += random_float(&random, -0.2f, 0.2f);
    graze_body_def def = i % 3 ? kit_circle(x, y, random_float(&random, 0.2f, 0.5f))
                               : kit_rect(x, y, 0.4f, random_float(&random, 0.2f, 0.4f));
    const graze_vec2 velocity = {random_float(&random, -20, 20), random_float(&random, -20, 20)};
    const graze_response response = i % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
    def = kit_moving_mass(def, velocity.x, velocity.y, response, random_float(&random, 0.5f, 3));
    def.restitution = random_float(&random, 0, 1);
    def.friction = random_float(&random, 0, 0.5f);
    def.user_data = i;
    return def;
}

// A box with a slanted shelf around every heap.
static void add_terrain(graze_world *world, bool reversed)
{
    for (int i = 0; i < 2 * CLUSTERS; ++i) {
        int k = reversed ? 2 * CLUSTERS - 1 - i : i;
        float x = 100 * (float)(k / 2);
        if (k % 2) {
            const graze_vec2 box[4] = {{x - 1, -2}, {x + 7, -2}, {x + 7, 9}, {x - 1, 9}};
            kit_loop(world, box, 4);
        } else {
            kit_wall(world, x + 1, -1, x + 5, -0.5f);
        }
    }
}

/// Which members there are, in what order.
typedef struct members {
    uint32_t count;
    uint32_t list[ALL];
} members;

static void run_scene(uint64_t seed, const members *of, bool far_away, bool reversed,
                      outcome *result)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    add_terrain(world, reversed);
    for (uint32_t i = 0; far_away && i < 50; ++i) {
        kit_add(world,
                kit_moving_mass(kit_circle(1000 + 3 * (float)i, 500, 2), 1, 1, GRAZE_BOUNCE, 1));
    }
    graze_body_id ids[ALL];
    for (uint32_t k = 0; k < of->count; ++k) {
        ids[of->list[k]] = kit_add(world, member_of(seed, of->list[k]));
    }
    for (int step = 0; step < STEPS; ++step) {
        kit_step(world, 1.0f / 60);
    }
    for (uint32_t k = 0; k < of->count; ++k) {
        const uint32_t i = of->list[k];
        assert_int_equal(graze_body_user_data(world, ids[i]), i);
        result->positions[i] = graze_body_position(world, ids[i]);
        result->velocities[i] = graze_body_velocity(world, ids[i]);
    }
    graze_world_destroy(world);
}

static void assert_same_outcome(const outcome *first, const outcome *second, const members *of,
                                uint64_t seed, const char *what)
{
    for (uint32_t k = 0; k < of->count; ++k) {
        const uint32_t i = of->list[k];
        if (memcmp(&first->positions[i], &second->positions[i], sizeof first->positions[i]) ||
            memcmp(&first->velocities[i], &second->velocities[i], sizeof first->velocities[i])) {
            fail_msg("seed %u: body %u depends on %s", (unsigned)seed, (unsigned)i, what);
        }
    }
}

// Members of the heaps in turn, by chance; those of one heap in their order, for ids decide between
// touches of the very same time.
static void interleave(members *all, random_state *random)
{
    uint32_t next[CLUSTERS] = {0};
    for (uint32_t i = 0; i < ALL;) {
        uint32_t heap = random_below(random, CLUSTERS);
        if (next[heap] < CLUSTER) {
            all->list[i++] = heap * CLUSTER + next[heap]++;
        }
    }
}

static members list_members(uint32_t first, uint32_t count)
{
    members of = {.count = count};
    for (uint32_t k = 0; k < count; ++k) {
        of.list[k] = first + k;
    }
    return of;
}

static void the_outcome_does_not_depend_on_what_is_unrelated(void **state)
{
    (void)state;
    static outcome plain, other;
    const members all = list_members(0, ALL);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        random_state random = random_seed(seed);
        members mixed = all;
        run_scene(seed, &all, false, false, &plain);
        run_scene(seed, &all, true, false, &other);
        assert_same_outcome(&plain, &other, &all, seed, "what is far away");
        run_scene(seed, &all, false, true, &other);
        assert_same_outcome(&plain, &other, &all, seed, "the order of chains");
        interleave(&mixed, &random);
        run_scene(seed, &mixed, true, true, &other);
        assert_same_outcome(&plain, &other, &all, seed, "the order of unrelated bodies");
    }
}

static void a_heap_does_not_depend_on_other_heaps(void **state)
{
    (void)state;
    static outcome among, alone;
    const members all = list_members(0, ALL);
    for (uint64_t seed = 1; seed <= HEAP_SEEDS; ++seed) {
        run_scene(seed, &all, false, false, &among);
        for (uint32_t heap = 0; heap < CLUSTERS; ++heap) {
            const members own = list_members(heap * CLUSTER, CLUSTER);
            run_scene(seed, &own, false, false, &alone);
            assert_same_outcome(&among, &alone, &own, seed, "other heaps");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_outcome_does_not_depend_on_what_is_unrelated),
        cmocka_unit_test(a_heap_does_not_depend_on_other_heaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
