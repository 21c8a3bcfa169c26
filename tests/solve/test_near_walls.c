// The walls that are kept around bodies from step to step: a world goes as one that looks for them
// anew, to the last bit, whatever becomes of terrain and bodies.

#include "response_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include "random.h"

enum { SEEDS = 12, STEPS = 240, CHANGES = 12, CHAINS = 10, BODIES = 24, LONG = 12, SMALL = 3 };

/// A world that is changed as another one is.
typedef struct twin {
    graze_world *world;
    random_state random;
    graze_chain_id chains[CHAINS];
    graze_body_id bodies[BODIES];
} twin;

static float any(twin *of, float low, float high)
{
    return random_float(&of->random, low, high);
}

// A rough ground, or short walls in the air, some of them one-sided.
static graze_chain_id make_chain(twin *of, uint32_t number)
{
    graze_vec2 points[LONG];
    const bool is_ground = number < 2;
    const uint32_t count = is_ground ? LONG : SMALL;
    const float x = any(of, -8, 8), y = any(of, 1, 8), step = any(of, 0.2f, 1);
    for (uint32_t k = 0; k < count; ++k) {
        points[k].x = is_ground ? 3 * ((float)k - LONG / 2) : x + step * (float)k;
        points[k].y = is_ground ? any(of, -0.5f, 0.5f) - (float)number : y + any(of, -0.3f, 0.3f);
    }
    return kit_chain(of->world, points, count, false, number % 3 == 2);
}

// The first is so large that more walls are around it than are kept.
static graze_body_id make_body(twin *of, uint32_t number)
{
    const float size = number ? any(of, 0.1f, 0.5f) : 3, x = any(of, -8, 8), y = any(of, 1, 12);
    graze_body_def def =
        random_below(&of->random, 2) ? kit_rect(x, y, size, 0.7f * size) : kit_circle(x, y, size);
    def.response = random_below(&of->random, 4) ? GRAZE_RIGID : GRAZE_SLIDE;
    def.friction = 0.3f;
    def.velocity.x = any(of, -20, 20);
    return kit_add(of->world, def);
}

static twin make_twin(uint64_t seed)
{
    twin made = {.world = kit_world_with_gravity(0, -10), .random = random_seed(seed)};
    for (uint32_t k = 0; k < CHAINS; ++k) {
        made.chains[k] = make_chain(&made, k);
    }
    for (uint32_t k = 0; k < BODIES; ++k) {
        made.bodies[k] = make_body(&made, k);
    }
    return made;
}

// A chain or a body is gone, and another one comes, elsewhere. What is small may get its id.
static void change(twin *of)
{
    const uint32_t chain = random_below(&of->random, CHAINS);
    const uint32_t body = 1 + random_below(&of->random, BODIES - 1);
    graze_chain_destroy(of->world, of->chains[chain]);
    of->chains[chain] = make_chain(of, chain);
    graze_body_destroy(of->world, of->bodies[body]);
    of->bodies[body] = make_body(of, body);
}

static void compare(uint64_t seed)
{
    twin quick = make_twin(seed), slow = make_twin(seed);
    slow.world->config.no_shortcuts = true;
    for (uint32_t step = 0; step < STEPS; ++step) {
        if (step % (STEPS / CHANGES) == 0) {
            change(&quick);
            change(&slow);
        }
        kit_step(quick.world, 1.0f / 60);
        kit_step(slow.world, 1.0f / 60);
        const char *difference = kit_find_difference(slow.world, quick.world);
        if (difference) {
            fail_msg("seed %llu, step %u: %s differ", (unsigned long long)seed, step, difference);
        }
    }
    graze_world_destroy(quick.world);
    graze_world_destroy(slow.world);
}

static void what_is_kept_around_bodies_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        compare(seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_around_bodies_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
