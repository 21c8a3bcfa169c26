// What lies under gravity comes to rest and sleeps, and what has something to slide down slides.

#include "response_kit.h"

#include <math.h>

#define DT (1.0f / 60)

static const double pi = 3.14159265358979323846;

static void run(graze_world *world, int steps, float dt)
{
    for (int k = 0; k < steps; ++k) {
        kit_step(world, dt);
    }
}

// Friction may leave a speed of 1e-17, which moves nothing.
static bool is_still(const graze_world *world)
{
    const uint32_t count = graze_world_get_stats(world).body_count;
    bool still = true;
    for (uint32_t k = 0; k < count; ++k) {
        const graze_vec2 velocity = graze_body_velocity(world, graze_world_body_at(world, k));
        still = still && hypotf(velocity.x, velocity.y) < 1e-12f;
    }
    return still;
}

// Bodies fall into a box row by row, each a little out of line.
static graze_world *pour(int count, bool has_crates, float friction, uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    const float half = 0.6f * sqrtf((float)count) + 1;
    const int row = (int)(2 * half / 1.3f);
    kit_wall(world, -half, 20 * half, -half, 0);
    kit_wall(world, -half, 0, half, 0);
    kit_wall(world, half, 0, half, 20 * half);
    for (int k = 0; k < count; ++k) {
        const float x = 0.7f - half + 1.3f * (float)(k % row) + random_float(&random, 0, 0.1f);
        const float y = 1 + 1.2f * (float)(k / row);
        const float size = random_float(&random, 0.3f, 0.5f);
        graze_body_def def =
            has_crates && k % 2 ? kit_rect(x, y, size, 0.4f) : kit_circle(x, y, size);
        def.response = GRAZE_SLIDE;
        def.friction = friction;
        kit_add(world, def);
    }
    return world;
}

enum { HEAPS = 40 };

// Returns how many heaps are still after ten seconds.
static int count_still(int count, bool has_crates, float friction)
{
    int still = 0;
    for (uint64_t seed = 1; seed <= HEAPS; ++seed) {
        graze_world *world = pour(count, has_crates, friction, seed);
        run(world, 600, DT);
        still += is_still(world);
        graze_world_destroy(world);
    }
    return still;
}

// What slides without friction goes on, if nothing is in its way: so not all of them.
static void most_small_heaps_without_friction_come_to_rest(void **state)
{
    (void)state;
    const int tens = count_still(10, false, 0), thirties = count_still(30, false, 0);
    if (tens <= HEAPS / 2 || thirties <= HEAPS / 2) {
        fail_msg("%d of ten bodies are still, %d of thirty", tens, thirties);
    }
}

static graze_world *pour_into_valley(int count, uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -20);
    kit_wall(world, -60, 60, 0, 0);
    kit_wall(world, 0, 0, 60, 60);
    for (int k = 0; k < count; ++k) {
        const float x = 1.1f * ((float)(k % 6) - 2.5f) + random_float(&random, -0.05f, 0.05f);
        const float y = 7 + 1.1f * (float)(k / 6);
        kit_add(world, kit_moving(kit_circle(x, y, 0.4f), 0, 0, GRAZE_SLIDE));
    }
    return world;
}

// Two slopes squeeze out what lies between them. If that could add to the energy of a heap, none of
// these would ever lie still.
static void most_heaps_in_a_valley_without_friction_come_to_rest(void **state)
{
    (void)state;
    enum { VALLEYS = 16 };
    int still = 0;
    for (uint64_t seed = 1; seed <= VALLEYS; ++seed) {
        graze_world *world = pour_into_valley(50, seed);
        run(world, 3600, DT);
        still += is_still(world);
        graze_world_destroy(world);
    }
    if (still <= VALLEYS / 2) {
        fail_msg("%d of %d are still", still, VALLEYS);
    }
}

// Bodies of any weight, one on the other: a heavy one on many light ones takes long.
static graze_world *stack_up(uint64_t seed)
{
    random_state random = random_seed(seed);
    const float half = random_float(&random, 0.05f, 2);
    graze_world *world = kit_world_with_gravity(0, -20 * half);
    const int count = 2 + (int)random_below(&random, 9);
    kit_wall(world, -100 * half, 0, 100 * half, 0);
    for (int k = 0; k < count; ++k) {
        const float y = half * (1 + 2 * (float)k);
        const float lift = random_below(&random, 2) ? half * 0.001f * (float)k : 0;
        const float mass = random_float(&random, 0.1f, 10);
        const graze_body_def def =
            seed % 2 ? kit_circle(0, y + lift, half) : kit_rect(0, y + lift, half, half);
        kit_add(world, kit_moving_mass(def, 0, 0, GRAZE_SLIDE, mass));
    }
    return world;
}

static void stacks_of_any_weights_come_to_rest(void **state)
{
    (void)state;
    int moving = 0;
    for (uint64_t seed = 1; seed <= 600; ++seed) {
        graze_world *world = stack_up(seed);
        run(world, 900, DT);
        moving += !is_still(world);
        graze_world_destroy(world);
    }
    assert_true(moving < 6);
}

static void heaps_with_friction_come_to_rest(void **state)
{
    (void)state;
    assert_int_equal(count_still(30, false, 0.5f), HEAPS);
    assert_int_equal(count_still(30, true, 0.5f), HEAPS);
}

// Eighteen bodies high, each upright on the one below.
static void high_columns_come_to_rest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        graze_world *world = pour(300, true, 0.5f, seed);
        run(world, 600, DT);
        assert_true(is_still(world));
        graze_world_destroy(world);
    }
}

/// Two circles that touch and lie on a slope, somewhere.
typedef struct slope {
    double degrees;
    float friction, at, dt;
} slope;

// Returns how fast they slide down after two seconds.
static double slide_down(slope own)
{
    enum { COUNT = 2 };
    graze_world *world = kit_world_with_gravity(0, -10);
    const double angle = own.degrees * pi / 180, at = (double)own.at;
    const double along_x = cos(angle), along_y = sin(angle);
    kit_wall(world, (float)(at - 200 * along_x), (float)(at - 200 * along_y),
             (float)(at + 200 * along_x), (float)(at + 200 * along_y));
    graze_body_id bodies[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        const double along = k * 1.0001, up = 0.5001;
        graze_body_def def = kit_circle((float)(at + along * along_x - up * along_y),
                                        (float)(at + along * along_y + up * along_x), 0.5f);
        def.response = GRAZE_SLIDE;
        def.friction = kit_friction_on_walls((double)own.friction);
        bodies[k] = kit_add(world, def);
    }
    run(world, (int)(2 / own.dt), own.dt);
    const graze_vec2 velocity = graze_body_velocity(world, bodies[0]);
    graze_world_destroy(world);
    return -((double)velocity.x * along_x + (double)velocity.y * along_y);
}

// Far from the origin and in short steps they move at first by less than positions are rounded.
static void what_starts_to_slide_is_not_taken_for_rest(void **state)
{
    static const slope slopes[] = {
        {2, 0.01f, 10, 1.0f / 60},    {2, 0.01f, 100, 1.0f / 120},  {1, 0, 1000, 1.0f / 60},
        {5, 0, 10, 1.0f / 240},       {5, 0.01f, 100, 1.0f / 120},  {5, 0.01f, 100, 1.0f / 240},
        {5, 0.01f, 1000, 1.0f / 120}, {10, 0.1f, 100, 1.0f / 240},  {20, 0, 1000, 1.0f / 240},
        {20, 0.1f, 1000, 1.0f / 60},  {20, 0.1f, 1000, 1.0f / 240}, {20, 0.01f, 1000, 1.0f / 240},
    };
    (void)state;
    for (size_t k = 0; k < sizeof slopes / sizeof *slopes; ++k) {
        const slope own = slopes[k];
        const double angle = own.degrees * pi / 180;
        const double speed = slide_down(own);
        const double expected = 20 * (sin(angle) - (double)own.friction * cos(angle));
        if (fabs(speed - expected) > 0.1 * expected + 0.03) {
            fail_msg("slope %d: a speed of %g, not %g", (int)k, speed, expected);
        }
    }
}

// response.h names one degree: also where a step is too short for positions to tell.
static void a_gentle_slope_is_no_rest(void **state)
{
    static const slope gentle[] = {{1, 0, 1, 1.0f / 60}, {1, 0, 100, 1.0f / 60}};
    (void)state;
    assert_true(slide_down(gentle[0]) > 0.3);
    assert_true(slide_down(gentle[1]) > 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_small_heaps_without_friction_come_to_rest),
        cmocka_unit_test(most_heaps_in_a_valley_without_friction_come_to_rest),
        cmocka_unit_test(stacks_of_any_weights_come_to_rest),
        cmocka_unit_test(heaps_with_friction_come_to_rest),
        cmocka_unit_test(high_columns_come_to_rest),
        cmocka_unit_test(what_starts_to_slide_is_not_taken_for_rest),
        cmocka_unit_test(a_gentle_slope_is_no_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
