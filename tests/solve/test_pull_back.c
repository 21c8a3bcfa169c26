// What a heap that fills asks again and again: how cores overlap when the step begins, whether they
// pass along their contact, whether a wall is out of reach. To the last bit it goes as it goes if
// all are swept each time.

#include "response_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include "random.h"

enum { CROWDS = 8, WIDTH = 12, HEIGHT = 20, STEPS = 120 };

// Discs and rects that fall fast, into a bowl and onto each other.
static graze_world *make_crowd(uint64_t seed)
{
    const graze_vec2 bowl[4] = {{-9, 60}, {-6, 0}, {6, 0}, {9, 60}};
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_chain(world, bowl, 4, false, false);
    for (uint32_t k = 0; k < WIDTH * HEIGHT; ++k) {
        const float x =
            (float)(k % WIDTH) - 0.5f * (WIDTH - 1) + random_float(&random, -0.1f, 0.1f);
        const float y = 1 + 1.2f * (float)(k / WIDTH);
        const float half = random_float(&random, 0.25f, 0.5f);
        graze_body_def def =
            random_below(&random, 3) ? kit_rect(x, y, 0.4f, half) : kit_circle(x, y, half);
        def.response = GRAZE_RIGID;
        def.friction = 0.5f;
        def.angle = random_float(&random, -1, 1);
        def.velocity.y = -random_float(&random, 10, 40);
        kit_add(world, def);
    }
    return world;
}

// Returns how many overlaps of cores were kept.
static uint32_t compare(uint64_t seed)
{
    graze_world *quick = make_crowd(seed), *slow = make_crowd(seed);
    uint32_t kept = 0;
    slow->config.no_shortcuts = true;
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(quick, 1.0f / 60);
        kit_step(slow, 1.0f / 60);
        const char *difference = kit_find_difference(slow, quick);
        if (difference) {
            fail_msg("seed %llu, step %u: %s differ", (unsigned long long)seed, step, difference);
        }
        kept += quick->solve.overlaps.count;
        assert_int_equal(slow->solve.overlaps.count, 0);
    }
    graze_world_destroy(quick);
    graze_world_destroy(slow);
    return kept;
}

static void what_needs_no_sweep_changes_nothing(void **state)
{
    uint32_t kept = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= CROWDS; ++seed) {
        kept += compare(seed);
    }
    assert_true(kept > 100 * CROWDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_needs_no_sweep_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
