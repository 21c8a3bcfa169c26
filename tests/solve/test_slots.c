// Which road takes what lands: the solver, or impacts in the order of time.

#include "response_kit.h"

#include "world/world_state.h"

// Two discs of radius 0.5 come together by so far in a step. Returns how many of them fly.
static uint32_t count_flying(float way, float restitution, float gap)
{
    const float dt = 1.0f / 64;
    graze_world *world = kit_world();
    for (int side = -1; side <= 1; side += 2) {
        graze_body_def def = kit_circle((float)side * (0.5f + gap / 2), 0, 0.5f);
        def = kit_moving(def, (float)-side * way / 2 / dt, 0, GRAZE_RIGID);
        def.restitution = restitution;
        kit_add(world, def);
    }
    kit_step(world, dt);
    const uint32_t flying = world->found.totals.flying;
    graze_world_destroy(world);
    return flying;
}

static void what_lands_by_its_size_or_less_is_the_solvers(void **state)
{
    (void)state;
    assert_int_equal(count_flying(0.1f, 0, 0.05f), 0);
    assert_int_equal(count_flying(0.49f, 0, 0.25f), 0);
}

static void what_is_faster_or_bounces_flies(void **state)
{
    (void)state;
    assert_int_equal(count_flying(0.51f, 0, 0.25f), 2);
    assert_int_equal(count_flying(4, 0, 0.25f), 2);
    assert_int_equal(count_flying(0.1f, 0.5f, 0.05f), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lands_by_its_size_or_less_is_the_solvers),
        cmocka_unit_test(what_is_faster_or_bounces_flies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
