// Islands fall asleep, stay to the last bit, and wake when something happens to
// them.
#include "physics_kit.h"

#include <stdio.h>
#include <stdlib.h>

enum { SECOND = 60, MOST = 16 };

/// A few bodies on something that may be taken away.
typedef struct scene {
    graze_world *world;
    graze_chain_id floor;
    graze_body_id base; ///< What the bodies lie on, if it is a body.
    graze_body_id bodies[MOST];
    uint32_t count;
} scene;

static void lay_floor(scene *of)
{
    of->world = kit_world_with_gravity(0, -10);
    of->floor = physics_floor(of->world, -50, 0, 50, 0);
    of->base = (graze_body_id){0, 0};
    of->count = 0;
}

// Three crates: two side by side, and one on both.
static void lay_crates(scene *of, double low)
{
    of->bodies[of->count++] = kit_add(of->world, physics_box(-1, low + 0.5, 0.5, 0.5, 1));
    of->bodies[of->count++] = kit_add(of->world, physics_box(0.01, low + 0.5, 0.5, 0.5, 1));
    of->bodies[of->count++] = kit_add(of->world, physics_box(-0.5, low + 1.5, 0.5, 0.5, 1));
}

static uint32_t count_asleep(const scene *of)
{
    uint32_t asleep = 0;
    for (uint32_t i = 0; i < of->count; ++i) {
        asleep += graze_body_is_asleep(of->world, of->bodies[i]);
    }
    return asleep;
}

// Fails unless all are asleep within two seconds.
static void let_sleep(const scene *of)
{
    physics_run(of->world, 2 * SECOND);
    if (count_asleep(of) != of->count) {
        fail_msg("%u of %u are asleep", (unsigned)count_asleep(of), (unsigned)of->count);
    }
}

static void crates_fall_asleep_and_stay_to_the_last_bit(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    graze_vec2 at[MOST];
    float angles[MOST];
    for (uint32_t i = 0; i < of.count; ++i) {
        at[i] = graze_body_position(of.world, of.bodies[i]);
        angles[i] = graze_body_angle(of.world, of.bodies[i]);
        const graze_vec2 velocity = graze_body_velocity(of.world, of.bodies[i]);
        assert_true(velocity.x == 0 && velocity.y == 0);
        assert_true(graze_body_spin(of.world, of.bodies[i]) == 0);
    }
    physics_run(of.world, 10 * SECOND);
    for (uint32_t i = 0; i < of.count; ++i) {
        kit_assert_same_vec2(graze_body_position(of.world, of.bodies[i]), at[i]);
        assert_true(graze_body_angle(of.world, of.bodies[i]) == angles[i]);
        assert_true(graze_body_is_asleep(of.world, of.bodies[i]));
    }
    graze_world_destroy(of.world);
}

static void one_that_never_sleeps_keeps_its_island_awake_and_no_other(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    of.bodies[of.count++] = kit_add(of.world, physics_box(10, 0.5, 0.5, 0.5, 1));
    graze_body_set_never_sleeps(of.world, of.bodies[2], true);
    physics_run(of.world, 3 * SECOND);
    for (uint32_t i = 0; i < of.count; ++i) {
        assert_int_equal(graze_body_is_asleep(of.world, of.bodies[i]), i == 3);
    }
    graze_body_set_never_sleeps(of.world, of.bodies[2], false);
    let_sleep(&of);
    graze_world_destroy(of.world);
}

// --- Setters ---

enum { SETTERS = 18 };

static graze_status set_something(const scene *of, uint32_t which, const char **name)
{
    static const char *const names[SETTERS] = {
        "position",     "velocity", "angle",   "spin",    "mass",         "surface",
        "restitution",  "friction", "inertia", "damping", "spin_damping", "gravity_scale",
        "never_sleeps", "response", "sensor",  "shape",   "filter",       "gravity"};
    graze_world *world = of->world;
    const graze_body_id body = of->bodies[0];
    graze_vec2 at = graze_body_position(world, body);
    graze_filter filter = graze_filter_default();
    *name = names[which];
    at.y += 0.001f;
    filter.category = 2;
    switch (which) {
    case 0:
        return graze_body_set_position(world, body, at);
    case 1:
        return graze_body_set_velocity(world, body, (graze_vec2){0, 1});
    case 2:
        return graze_body_set_angle(world, body, graze_body_angle(world, body) + 0.01f);
    case 3:
        return graze_body_set_spin(world, body, 1);
    case 4:
        return graze_body_set_mass(world, body, 2);
    case 5:
        return graze_body_set_surface(world, body, physics_surface(0.1, 0));
    case 6:
        return graze_body_set_restitution(world, body, 0.5f);
    case 7:
        return graze_body_set_friction(world, body, 0.2f);
    case 8:
        return graze_body_set_inertia(world, body, 3);
    case 9:
        return graze_body_set_damping(world, body, 1);
    case 10:
        return graze_body_set_spin_damping(world, body, 1);
    case 11:
        return graze_body_set_gravity_scale(world, body, 2);
    case 12:
        return graze_body_set_never_sleeps(world, body, true);
    case 13:
        return graze_body_set_response(world, body, GRAZE_SLIDE);
    case 14:
        return graze_body_set_sensor(world, body, true);
    case 15:
        return graze_body_set_shape(world, body, graze_shape_rect(0.5f, 0.45f));
    case 16:
        return graze_body_set_filter(world, body, filter);
    default:
        return graze_world_set_gravity(world, (graze_vec2){0, -11});
    }
}

// All three crates are an island.
static void every_setter_wakes_the_island_and_no_other(void **state)
{
    (void)state;
    char failed[256] = "";
    size_t length = 0;
    for (uint32_t which = 0; which < SETTERS; ++which) {
        scene of;
        lay_floor(&of);
        lay_crates(&of, 0);
        const graze_body_id other = kit_add(of.world, physics_box(10, 0.5, 0.5, 0.5, 1));
        let_sleep(&of);
        const char *name;
        assert_int_equal(set_something(&of, which, &name), GRAZE_OK);
        kit_step(of.world, physics_dt);
        const uint32_t asleep = count_asleep(&of);
        const bool other_asleep = graze_body_is_asleep(of.world, other);
        if ((asleep || other_asleep != (which != SETTERS - 1)) && length < sizeof failed) {
            length += (size_t)snprintf(failed + length, sizeof failed - length, " %s (%u)", name,
                                       (unsigned)asleep);
        }
        graze_world_destroy(of.world);
    }
    if (length) {
        fail_msg("asleep, of 3 bodies, after setting%s", failed);
    }
}

static void a_setter_of_the_same_value_wakes_nothing(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    graze_body_set_mass(of.world, of.bodies[0], 1);
    graze_body_set_friction(of.world, of.bodies[0], 0.6f);
    graze_body_set_velocity(of.world, of.bodies[0], (graze_vec2){0, 0});
    graze_body_set_user_data(of.world, of.bodies[0], 7);
    kit_step(of.world, physics_dt);
    assert_int_equal(count_asleep(&of), of.count);
    graze_world_destroy(of.world);
}

// --- Others ---

static void a_body_that_hits_it_wakes_an_island(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        scene of;
        lay_floor(&of);
        lay_crates(&of, 0);
        let_sleep(&of);
        const graze_vec2 before = graze_body_position(of.world, of.bodies[2]);
        graze_body_def def =
            kind % 2 ? physics_disc(-20, 1.5, 0.3, 3) : physics_box(-20, 1.5, 0.3, 0.2, 3);
        def.velocity.x = kind < 2 ? 20 : 500;
        def.gravity_scale = 0;
        const graze_body_id flyer = kit_add(of.world, def);
        uint32_t step = 0;
        while (graze_body_velocity(of.world, flyer).x > 0.9f * def.velocity.x &&
               step < 2 * SECOND) {
            kit_step(of.world, physics_dt);
            ++step;
        }
        physics_run(of.world, 10);
        const graze_vec2 after = graze_body_position(of.world, of.bodies[2]);
        if (step == 2 * SECOND || !(after.x > before.x + 0.05f)) {
            fail_msg("a %s of speed %g: it hits in step %u, and the crate goes from "
                     "%.6g to %.6g",
                     kind % 2 ? "disc" : "box", (double)def.velocity.x, (unsigned)step,
                     (double)before.x, (double)after.x);
        }
        graze_world_destroy(of.world);
    }
}

static void assert_falls(const scene *of, const char *what)
{
    physics_run(of->world, SECOND / 2);
    for (uint32_t i = 0; i < of->count; ++i) {
        const graze_vec2 at = graze_body_position(of->world, of->bodies[i]);
        if (graze_body_is_asleep(of->world, of->bodies[i]) || !(at.y < 1)) {
            fail_msg("%s is gone: crate %u at (%.6g, %.6g) %s", what, (unsigned)i, (double)at.x,
                     (double)at.y,
                     graze_body_is_asleep(of->world, of->bodies[i]) ? "sleeps" : "is awake");
        }
    }
}

static void what_lies_on_a_chain_that_is_removed_falls(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    graze_chain_destroy(of.world, of.floor);
    assert_falls(&of, "the floor");
    graze_world_destroy(of.world);
}

// Bodies: a driven rect, and a wide crate on the floor.
static void what_lies_on_a_body_that_is_removed_falls(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; ++rigid) {
        scene of;
        lay_floor(&of);
        of.base =
            kit_add(of.world, rigid ? physics_box(0, 1, 3, 1, 10) : physics_block(0, 1, 3, 1));
        lay_crates(&of, 2);
        let_sleep(&of);
        assert_int_equal(graze_body_destroy(of.world, of.base), GRAZE_OK);
        physics_run(of.world, 1);
        assert_int_equal(count_asleep(&of), 0);
        physics_run(of.world, 2 * SECOND);
        for (uint32_t i = 0; i < of.count; ++i) {
            assert_true(graze_body_position(of.world, of.bodies[i]).y < 1.6f);
        }
        graze_world_destroy(of.world);
    }
}

static void terrain_that_is_put_into_an_island_wakes_it(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    physics_floor(of.world, -5, 0.1, 5, 0.1);
    kit_step(of.world, physics_dt);
    assert_int_equal(count_asleep(&of), 0);
    graze_world_destroy(of.world);
}

static void a_surface_that_is_set_wakes_what_lies_on_it(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    graze_surface belt = physics_surface(0.6, 0);
    belt.speed = 2;
    graze_chain_set_surface(of.world, of.floor, GRAZE_ALL_SEGMENTS, belt);
    physics_run(of.world, SECOND);
    assert_int_equal(count_asleep(&of), 0);
    kit_assert_near(graze_body_velocity(of.world, of.bodies[0]).x, 2, 0.1f);
    graze_world_destroy(of.world);
}

// Up, down and sideways; slowly and fast.
static void a_lift_that_starts_wakes_what_lies_on_it(void **state)
{
    (void)state;
    static const graze_vec2 ways[] = {{0, 1},     {0, -1},     {1, 0},
                                      {0, 0.05f}, {-0.05f, 0}, {0, -0.05f}};
    for (uint32_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        scene of;
        lay_floor(&of);
        of.base = kit_add(of.world, physics_block(0, 3, 3, 0.5));
        lay_crates(&of, 3.5);
        let_sleep(&of);
        graze_vec2 before[MOST];
        for (uint32_t i = 0; i < of.count; ++i) {
            before[i] = graze_body_position(of.world, of.bodies[i]);
        }
        graze_body_set_velocity(of.world, of.base, ways[k]);
        physics_run(of.world, 2 * SECOND);
        for (uint32_t i = 0; i < of.count; ++i) {
            const graze_vec2 after = graze_body_position(of.world, of.bodies[i]);
            const double x = (double)after.x - (double)before[i].x - 2 * (double)ways[k].x;
            const double y = (double)after.y - (double)before[i].y - 2 * (double)ways[k].y;
            // What starts sideways at once is first pulled along by friction.
            if (fabs(x) > 0.1 || fabs(y) > 0.02 || count_asleep(&of)) {
                fail_msg("lift (%g, %g): crate %u is (%.4g, %.4g) off; %u are asleep",
                         (double)ways[k].x, (double)ways[k].y, (unsigned)i, x, y,
                         (unsigned)count_asleep(&of));
            }
        }
        graze_world_destroy(of.world);
    }
}

// Whatever its response: nothing stops what has mass 0.
static void a_slow_lift_does_not_fall_asleep(void **state)
{
    (void)state;
    for (int response = GRAZE_PASS; response <= GRAZE_RIGID; ++response) {
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_body_def def = physics_block(0, 0, 2, 0.5);
        def.response = (graze_response)response;
        def.velocity.y = 0.02f;
        const graze_body_id lift = kit_add(world, def);
        def.position.x = 9;
        def.spin = 0.02f;
        const graze_body_id wheel = kit_add(world, def);
        const graze_body_id crate = kit_add(world, physics_box(0, 1, 0.5, 0.5, 1));
        physics_run(world, 5 * SECOND);
        kit_assert_near(graze_body_position(world, lift).y, 0.1f, 1e-5f);
        kit_assert_near(graze_body_position(world, crate).y, 1.1f, 2e-3f);
        kit_assert_near(graze_body_angle(world, wheel), 0.1f, 1e-5f);
        assert_false(graze_body_is_asleep(world, crate));
        graze_world_destroy(world);
    }
}

static void a_driven_rect_that_turns_wakes_what_lies_on_it(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    of.base = kit_add(of.world, physics_block(0, 3, 3, 0.5));
    lay_crates(&of, 3.5);
    let_sleep(&of);
    graze_body_set_spin(of.world, of.base, 0.5f);
    physics_run(of.world, 4 * SECOND);
    for (uint32_t i = 0; i < of.count; ++i) {
        assert_true(graze_body_position(of.world, of.bodies[i]).y < 2.5f);
    }
    graze_world_destroy(of.world);
}

static void a_crate_that_is_thrown_falls_asleep_again(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    graze_body_set_velocity(of.world, of.bodies[2], (graze_vec2){0, 5});
    physics_run(of.world, 12);
    assert_true(graze_body_position(of.world, of.bodies[2]).y > 2);
    physics_run(of.world, 4 * SECOND);
    assert_int_equal(count_asleep(&of), of.count);
    graze_world_destroy(of.world);
}

static void a_loaded_world_sleeps_on_and_wakes_alike(void **state)
{
    (void)state;
    scene of;
    lay_floor(&of);
    lay_crates(&of, 0);
    let_sleep(&of);
    graze_world *other = kit_world();
    size_t size;
    void *bytes = kit_save(of.world, &size);
    kit_load(other, bytes, size);
    for (int step = 0; step < 3 * SECOND; ++step) {
        if (step == SECOND) {
            graze_body_set_velocity(of.world, of.bodies[2], (graze_vec2){1, 5});
            graze_body_set_velocity(other, of.bodies[2], (graze_vec2){1, 5});
        }
        kit_step(of.world, physics_dt);
        kit_step(other, physics_dt);
        const char *difference = kit_find_difference(of.world, other);
        if (difference) {
            fail_msg("step %d: %s", step, difference);
        }
        assert_true(step >= SECOND || graze_body_is_asleep(other, of.bodies[2]));
    }
    free(bytes);
    graze_world_destroy(other);
    graze_world_destroy(of.world);
}

// Three hundred discs and boxes are poured into a bowl. What rolls has a little resistance, or one
// disc in the bottom would keep all awake. Of 32 bowls 31 are asleep within eight seconds, and all
// within sixteen.
static void pour_into_bowl(uint64_t seed, physics_tally *tally)
{
    enum { COUNT = 300, LONGEST = 480 };
    const graze_vec2 bowl[9] = {{-12, 80},  {-11, 6}, {-8, 2}, {-3, 0.25f}, {0, 0},
                                {3, 0.25f}, {8, 2},   {11, 6}, {12, 80}};
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    physics_chain(world, bowl, 9, false, physics_surface(0.6, 0));
    for (int i = 0; i < COUNT; ++i) {
        const double x = (double)random_float(&random, -8, 8);
        const double y = (double)random_float(&random, 6, 12);
        const double width = (double)random_float(&random, 0.15f, 0.6f);
        const double height = (double)random_float(&random, 0.15f, 0.6f);
        graze_body_def def = i % 2 ? physics_disc(x, y, width, 4 * width * height)
                                   : physics_box(x, y, width, height, 4 * width * height);
        def.angle = random_float(&random, -3, 3);
        def.velocity.y = -6;
        def.surface.rolling_resistance = 0.05f;
        def.restitution = i % 5 ? 0 : 0.25f;
        kit_add(world, def);
        physics_run(world, i % 5 == 4 ? 8 : 0);
    }
    uint32_t steps = 0;
    for (; steps < 2 * LONGEST && physics_count_awake(world); ++steps) {
        kit_step(world, physics_dt);
    }
    physics_note(tally, seed, (double)steps / LONGEST, "awake for %u steps", (unsigned)steps);
    graze_world_destroy(world);
}

static void what_is_poured_into_a_bowl_falls_asleep(void **state)
{
    (void)state;
    const uint32_t bowls = physics_trials(64); // Fewer would not tell whether one in 32 is awake.
    physics_tally tally = {0};
    for (uint32_t k = 0; k < bowls; ++k) {
        pour_into_bowl(physics_first_seed() + k, &tally);
    }
    if (tally.failed > (bowls + 31) / 32) { // A plank that is wedged may creep out of a heap.
        physics_assert_none_failed(&tally);
    }
    assert_true(tally.worst < 2);
}

// --- Blows ---

// Bodies that sleep side by side, as near as those in contact but apart, and one that hits them.
static void hit_row(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    const double gap = (double)random_float(&random, 0, 0.05f);
    const double speed = (double)random_float(&random, 3, 40);
    graze_body_def def =
        random_below(&random, 2) ? physics_disc(0, 0, 0.5, 1) : physics_box(0, 0, 0.5, 0.5, 1);
    def.friction = 0;
    def.response = random_below(&random, 2) ? GRAZE_RIGID : GRAZE_SLIDE;
    for (int k = 0; k < 3; ++k) {
        def.position.x = (float)(k * (1 + gap));
        kit_add(world, def);
    }
    physics_run(world, SECOND);
    def.position.x = random_float(&random, -4, -2);
    def.velocity.x = (float)speed;
    kit_add(world, def);
    double worst = 0;
    for (int step = 0; step < 2 * SECOND; ++step) {
        kit_step(world, physics_dt);
        worst = fmax(worst, fabs(physics_sum(world).momentum_x / speed - 1));
    }
    physics_note(tally, seed, worst / 1e-4, "gaps of %g, speed %g: momentum is off by %g", gap,
                 speed, worst);
    graze_world_destroy(world);
}

static void a_blow_goes_through_what_sleeps_side_by_side(void **state)
{
    (void)state;
    physics_play(500, hit_row);
}

// --- Weak gravity ---

// What falls or slides from rest, however large, and however weak gravity is.
static void start_slowly(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    const double size = exp((double)random_float(&random, -4, 6));
    const double gravity = exp((double)random_float(&random, -4, 7));
    const double angle = (double)random_float(&random, 0.1f, 0.8f);
    const bool falls = random_below(&random, 2);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const double c = cos(angle), s = sin(angle), reach = 8 * gravity + 2 * size;
    if (!falls) {
        const graze_vec2 slope[2] = {{(float)(-reach * c), (float)(-reach * s)},
                                     {(float)(reach * c), (float)(reach * s)}};
        physics_chain(world, slope, 2, false, physics_surface(0, 0));
    }
    graze_body_def def = physics_box(-s * size, c * size, size, size, 1);
    def.angle = (float)angle;
    def.gravity_scale = random_below(&random, 2) ? 1 : random_float(&random, 0.1f, 2);
    const graze_body_id body = kit_add(world, def);
    physics_run(world, 2 * SECOND);
    const graze_vec2 velocity = graze_body_velocity(world, body);
    const double wanted = 2 * gravity * (double)def.gravity_scale * (falls ? 1 : sin(angle));
    const double speed = hypot((double)velocity.x, (double)velocity.y);
    physics_note(tally, seed, fabs(speed / wanted - 1) / 0.01,
                 "size %g, gravity %g times %g, angle %g, %s: %g, wanted %g", size, gravity,
                 (double)def.gravity_scale, angle, falls ? "falls" : "slides", speed, wanted);
    graze_world_destroy(world);
}

static void nothing_falls_asleep_instead_of_falling_or_sliding(void **state)
{
    (void)state;
    physics_play(300, start_slowly);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_poured_into_a_bowl_falls_asleep),
        cmocka_unit_test(crates_fall_asleep_and_stay_to_the_last_bit),
        cmocka_unit_test(one_that_never_sleeps_keeps_its_island_awake_and_no_other),
        cmocka_unit_test(every_setter_wakes_the_island_and_no_other),
        cmocka_unit_test(a_setter_of_the_same_value_wakes_nothing),
        cmocka_unit_test(a_body_that_hits_it_wakes_an_island),
        cmocka_unit_test(what_lies_on_a_chain_that_is_removed_falls),
        cmocka_unit_test(what_lies_on_a_body_that_is_removed_falls),
        cmocka_unit_test(terrain_that_is_put_into_an_island_wakes_it),
        cmocka_unit_test(a_surface_that_is_set_wakes_what_lies_on_it),
        cmocka_unit_test(a_lift_that_starts_wakes_what_lies_on_it),
        cmocka_unit_test(a_slow_lift_does_not_fall_asleep),
        cmocka_unit_test(a_driven_rect_that_turns_wakes_what_lies_on_it),
        cmocka_unit_test(a_loaded_world_sleeps_on_and_wakes_alike),
        cmocka_unit_test(a_crate_that_is_thrown_falls_asleep_again),
        cmocka_unit_test(a_blow_goes_through_what_sleeps_side_by_side),
        cmocka_unit_test(nothing_falls_asleep_instead_of_falling_or_sliding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
