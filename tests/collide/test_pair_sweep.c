// Two bodies that pass each other by.

#include "world_kit.h"

#include "random.h"
#include "world/world_state.h"

// A disc slides past one that stands, in a step or in a few. It reaches into it by a share of its
// size. Returns how fast it goes aside then.
static float slide_past(random_state *random, double share, bool no_shortcuts)
{
    const float radius = random_float(random, 0.2f, 2), other = random_float(random, 0.2f, 2);
    const float beside = (float)(((double)radius + (double)other) - share * (double)radius);
    const float speed = random_float(random, 60, 900);
    graze_world *world = kit_world();
    world->config.no_shortcuts = no_shortcuts;
    kit_add(world, kit_moving(kit_circle(0, 0, other), 0, 0, GRAZE_PASS));
    const graze_body_id body =
        kit_add(world, kit_moving(kit_circle(-6, beside, radius), speed, 0, GRAZE_SLIDE));
    for (int step = 0; step < 8; ++step) {
        kit_step(world, 1.0f / 64);
    }
    const float aside = graze_body_velocity(world, body).y;
    graze_world_destroy(world);
    return aside;
}

static void a_disc_goes_straight_past_one_that_it_grazes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        static const double shares[] = {1e-7, 1e-6, 1e-5, 1e-3, 0.1};
        for (int k = 0; k < 5; ++k) {
            random_state random = random_seed(seed), again = random;
            const float fast = slide_past(&random, shares[k], false);
            const float slow = slide_past(&again, shares[k], true);
            if (fast != slow || (fast != 0) != (k > 2)) {
                fail_msg("seed %d, %g: %g, %g", (int)seed, shares[k], (double)fast, (double)slow);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_goes_straight_past_one_that_it_grazes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
