// What is not compared changes no result.

#include "response_kit.h"

#include "world/world_state.h"

#include "random.h"

enum { HEAPS = 20, HEAP_STEPS = 80, COLUMNS = 20, ROWS = 16 };
enum { CROWDS = 400, CROWD_STEPS = 12, CROWD = 40, DRIVEN = 6 };

static graze_body_def make_body(random_state *random, float x, float y)
{
    const float half = random_float(random, 0.35f, 0.5f);
    graze_body_def def = random_below(random, 4)
                             ? kit_rect(x, y, half, half * random_float(random, 0.5f, 1))
                             : kit_circle(x, y, half);
    def.angle = random_below(random, 2) ? 0 : random_float(random, 0, 3);
    def.response = random_below(random, 4) ? GRAZE_RIGID : GRAZE_SLIDE;
    def.friction = random_float(random, 0, 0.5f);
    def.mass = random_float(random, 0.5f, 2);
    def.velocity.x = random_float(random, -8, 8);
    def.velocity.y = random_float(random, -8, 0);
    return def;
}

// Crates and discs that fall into a pit, in no order of their ids.
static graze_world *make_heap(uint64_t seed)
{
    const graze_vec2 pit[4] = {{-11, 60}, {-11, 0}, {11, 0}, {11, 60}};
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_chain(world, pit, 4, false, false);
    for (int k = 0; k < COLUMNS * ROWS; ++k) {
        const int place = k * 7 % (COLUMNS * ROWS);
        kit_add(world, make_body(&random, 1.05f * (float)(place % COLUMNS) - 10,
                                 0.6f + 1.05f * (float)(place / COLUMNS)));
    }
    return world;
}

static uint32_t count_hidden(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < world->solve.contacts.count; ++k) {
        count += world->solve.contacts.data[k].hidden;
    }
    return count;
}

// Steps two worlds, and frees them. Returns how many contacts were hidden, in all steps.
static uint32_t compare(uint64_t seed, int steps, graze_world *quick, graze_world *slow)
{
    uint32_t hidden = 0;
    slow->config.no_shortcuts = true;
    for (int step = 0; step < steps; ++step) {
        kit_step(quick, 1.0f / 60);
        kit_step(slow, 1.0f / 60);
        hidden += count_hidden(slow);
        if (graze_world_hash(quick) != graze_world_hash(slow)) {
            fail_msg("seed %u, step %d", (unsigned)seed, step);
        }
    }
    graze_world_destroy(quick);
    graze_world_destroy(slow);
    return hidden;
}

static void heaps_lie_the_same_without_shortcuts(void **state)
{
    uint32_t hidden = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= HEAPS; ++seed) {
        hidden += compare(seed, HEAP_STEPS, make_heap(seed), make_heap(seed));
    }
    assert_true(hidden > HEAPS);
}

static graze_body_def make_driven(random_state *random, float speed)
{
    const float x = random_float(random, -6, 6), y = random_float(random, -6, 6);
    const float half = random_float(random, 0.2f, 6);
    graze_body_def def = random_below(random, 3)
                             ? kit_rect(x, y, half, random_float(random, 0.1f, 0.5f))
                             : kit_circle(x, y, half / 3);
    def.angle = random_float(random, 0, 3);
    def.spin = random_below(random, 2) ? 0 : random_float(random, -1, 1);
    return kit_moving(def, random_float(random, -speed, speed), random_float(random, -speed, speed),
                      GRAZE_PASS);
}

// A crowd that spins, slow or fast, among driven bodies: the boxes around most of these meet.
static graze_world *make_crowd(uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    const float speed = seed % 2 ? 1.0f : 100.0f, spin = seed % 3 ? 1.0f : 60.0f;
    for (int k = 0; k < CROWD; ++k) {
        graze_body_def def =
            make_body(&random, random_float(&random, -6, 6), random_float(&random, -6, 6));
        def.velocity.x = random_float(&random, -speed, speed);
        def.velocity.y = random_float(&random, -speed, speed);
        def.spin = def.response == GRAZE_RIGID ? random_float(&random, -spin, spin) : 0;
        kit_add(world, def);
    }
    for (int k = 0; k < DRIVEN; ++k) {
        kit_add(world, make_driven(&random, speed));
    }
    return world;
}

static void crowds_go_the_same_without_shortcuts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CROWDS; ++seed) {
        compare(seed, CROWD_STEPS, make_crowd(seed), make_crowd(seed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowds_go_the_same_without_shortcuts),
        cmocka_unit_test(heaps_lie_the_same_without_shortcuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
