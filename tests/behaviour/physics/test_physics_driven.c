// What is driven fast takes along what it meets, instead of going through it (carry.c).

#include "physics_kit.h"

#include <stdio.h>

#include "random.h"
#include "world/world_state.h"

static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_RIGID};

// --- Flippers ---

static const double half_length = 1, half_thickness = 0.1, low_angle = -0.5;

// It turns about its left end, which is at the origin.
static void swing_to(graze_world *world, graze_body_id flipper, double angle)
{
    const graze_vec2 at = graze_body_position(world, flipper);
    const double turn = angle - (double)graze_body_angle(world, flipper);
    const double x = half_length * cos(angle), y = half_length * sin(angle);
    const graze_vec2 velocity = {(float)((x - (double)at.x) / (double)physics_dt),
                                 (float)((y - (double)at.y) / (double)physics_dt)};
    graze_body_set_velocity(world, flipper, velocity);
    graze_body_set_spin(world, flipper, (float)(turn / (double)physics_dt));
}

static graze_body_id add_flipper(graze_world *world, random_state *random)
{
    graze_body_def def = physics_block(half_length * cos(low_angle), half_length * sin(low_angle),
                                       half_length, half_thickness);
    def.angle = (float)low_angle;
    def.friction = random_float(random, 0, 1);
    def.restitution = random_below(random, 2) ? random_float(random, 0, 0.8f) : 0;
    return kit_add(world, def);
}

// On the flipper, or just above it.
static graze_body_id add_ball(graze_world *world, random_state *random)
{
    const double radius = (double)random_float(random, 0.1f, 0.4f);
    const double along = (double)random_float(random, 0.3f, 1.9f);
    const double above = random_below(random, 2) ? 0 : (double)random_float(random, 0, 0.5f);
    const double x = cos(low_angle), y = sin(low_angle), out = radius + half_thickness;
    graze_body_def def = physics_disc(x * along - y * out, y * along + x * out + above, radius, 1);
    def.response = responses[random_below(random, 3)];
    def.friction = random_float(random, 0, 1);
    def.restitution = random_below(random, 2) ? random_float(random, 0, 0.8f) : 0;
    def.velocity.y = -random_float(random, 0, 3);
    return kit_add(world, def);
}

// How far the centre of a ball is through a flipper of this angle, in halves of its thickness; less
// than nothing where it is beside it.
static double find_passage(const graze_world *world, graze_body_id ball, double angle)
{
    const graze_vec2 at = graze_body_position(world, ball);
    const double along = (double)at.x * cos(angle) + (double)at.y * sin(angle);
    const double above = (double)at.y * cos(angle) - (double)at.x * sin(angle);
    return along > 0 && along < 2 * half_length ? -above / half_thickness : -1;
}

// A radian in four or eight steps.
static void flip(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    const graze_body_id flipper = add_flipper(world, &random), ball = add_ball(world, &random);
    const int wait = (int)random_below(&random, 6), steps = 4 << random_below(&random, 2);
    double angle = low_angle, worst = -1;
    for (int step = 0; step < wait + steps + 12; ++step) {
        const int done = step < wait ? 0 : step - wait + 1;
        angle = low_angle + (done < steps ? done / (double)steps : 1);
        swing_to(world, flipper, angle);
        kit_step(world, physics_dt);
        worst = fmax(worst, find_passage(world, ball, angle));
    }
    physics_note(tally, seed, worst, "in %d steps: %g halves of the thickness deep", steps, worst);
    graze_world_destroy(world);
}

static void flippers_do_not_go_through_balls(void **state)
{
    (void)state;
    physics_play(3000, flip);
}

// --- Walls ---

// A wall comes to one body, up to the speed that response.h names.
static void push_one(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    const double half = (double)random_float(&random, 0.2f, 0.6f);
    graze_body_def def =
        random_below(&random, 2) ? physics_disc(0, 0, half, 1) : physics_box(0, 0, half, half, 1);
    def.response = responses[random_below(&random, 3)];
    def.restitution = random_below(&random, 2) ? random_float(&random, 0, 1) : 0;
    def.position.y = random_float(&random, -1, 1);
    const graze_body_id body = kit_add(world, def);
    const float most = def.response == GRAZE_RIGID ? 7 : 1;
    const double way = half * (double)random_float(&random, 0.05f, most);
    graze_body_def wall = physics_block(-2.2 - (double)random_float(&random, 0, 1), 0, 0.5, 3);
    wall.velocity.x = (float)(way / (double)physics_dt);
    const graze_body_id pusher = kit_add(world, wall);
    double worst = 0;
    for (int step = 0; step < 60; ++step) {
        kit_step(world, physics_dt);
        const double front = (double)graze_body_position(world, pusher).x + 0.5;
        worst = fmax(worst, front - ((double)graze_body_position(world, body).x - half));
    }
    physics_note(tally, seed, worst / half / 0.25, "%g of its half size a step: %g of that deep",
                 way / half, worst / half);
    graze_world_destroy(world);
}

static void a_wall_is_no_deeper_in_a_body_than_a_quarter_of_its_half_size(void **state)
{
    (void)state;
    physics_play(3000, push_one);
}

// --- Rows ---

enum { MOST_IN_ROW = 9 };

// A wall of width 1 comes to a row of bodies as wide, with gaps; some sleep. It goes up to a fifth
// of its width in a step.
static void push_row(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    graze_body_id row[MOST_IN_ROW];
    const uint32_t count = 1 + random_below(&random, MOST_IN_ROW);
    const double gap = (double)random_float(&random, 0, 0.2f);
    const double speed = (double)random_float(&random, 2, 12);
    graze_body_def def =
        random_below(&random, 2) ? physics_disc(0, 0, 0.5, 1) : physics_box(0, 0, 0.5, 0.5, 1);
    def.response = random_below(&random, 2) ? GRAZE_SLIDE : GRAZE_RIGID;
    for (uint32_t k = 0; k < count; ++k) {
        def.position.x = (float)(k * (1 + gap));
        row[k] = kit_add(world, def);
    }
    physics_run(world, random_below(&random, 2) ? 60 : 1);
    graze_body_def wall = physics_block(-1.5, 0, 0.5, 2);
    wall.velocity.x = (float)speed;
    const graze_body_id pusher = kit_add(world, wall);
    double worst = 0;
    for (int step = 0; step < 90; ++step) {
        kit_step(world, physics_dt);
        const double front = (double)graze_body_position(world, pusher).x + 0.5;
        worst = fmax(worst, front - ((double)graze_body_position(world, row[0]).x - 0.5));
    }
    physics_note(tally, seed, worst, "%u at %g with gaps of %g: %g deep", (unsigned)count, speed,
                 gap, worst);
    graze_world_destroy(world);
}

static void walls_push_rows_and_do_not_go_through_them(void **state)
{
    (void)state;
    physics_play(1000, push_row);
}

// --- Shortcuts ---

// Lifts and blades of all speeds among bodies, some of which are still or asleep when they come.
static graze_world *make_works(uint64_t seed, bool shortcuts)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, random_below(&random, 2) ? -10.0f : 0);
    world->config.no_shortcuts = !shortcuts;
    physics_room(world, -8, -8, 8, 8);
    for (int k = 0; k < 60; ++k) {
        const double x = 2 * (k % 8) - 7, y = 2 * (k / 8) - 7;
        graze_body_def def =
            random_below(&random, 2) ? physics_disc(x, y, 0.6, 1) : physics_box(x, y, 0.7, 0.4, 1);
        def.response = responses[random_below(&random, 3)];
        def.restitution = random_below(&random, 2) ? random_float(&random, 0, 1) : 0;
        if (random_below(&random, 10) == 0) {
            def = physics_block(x, y, 0.8, 0.2);
            def.velocity.x = random_float(&random, -40, 40);
            def.spin = random_float(&random, -30, 30);
        }
        kit_add(world, def);
    }
    return world;
}

static void what_is_carried_is_so_without_shortcuts(void **state)
{
    (void)state;
    uint32_t carried = 0;
    for (uint64_t seed = 0; seed < physics_trials(100); ++seed) {
        graze_world *fast = make_works(seed, true), *slow = make_works(seed, false);
        for (int step = 0; step < 30; ++step) {
            kit_step(fast, physics_dt);
            kit_step(slow, physics_dt);
            carried += fast->found.carries;
            if (graze_world_hash(fast) != graze_world_hash(slow)) {
                fail_msg("seed %u, step %d", (unsigned)seed, step);
            }
        }
        graze_world_destroy(fast);
        graze_world_destroy(slow);
    }
    assert_true(carried > 0);
}

// --- Blocks of mass 0 that move ---

static graze_body_def draw_crate(random_state *random)
{
    const double half = (double)random_float(random, 0.3f, 0.5f);
    const double mass = (double)random_float(random, 0.2f, 5);
    graze_body_def def = random_below(random, 2) ? physics_disc(0, half, half, mass)
                                                 : physics_box(0, half, half, half, mass);
    def.response = responses[random_below(random, 3)];
    return def;
}

static double most_speed(const graze_world *world, graze_body_id body, double most)
{
    const graze_vec2 velocity = graze_body_velocity(world, body);
    return fmax(most, hypot((double)velocity.x, (double)velocity.y));
}

static double most_impulse(const graze_world *world, double most)
{
    const graze_contact_list list = graze_world_contacts(world);
    for (uint32_t k = 0; k < list.count; ++k) {
        most = fmax(most, (double)list.data[k].impulse);
    }
    return most;
}

// A rigid block of mass 0 comes down on a crate, or grazes its side, level or hardly so; it may
// touch the ground. Then it stops, and may be let go: it gets a mass.
static void press_crate(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    physics_floor(world, -50, 0, 50, 0);
    const graze_body_def crate = draw_crate(&random);
    const graze_body_id body = kit_add(world, crate);
    physics_run(world, 30);
    const double height = 2 * (double)graze_body_position(world, body).y;
    const bool grazes = random_below(&random, 2);
    const double aside = grazes ? 1.2 + height / 2 - (double)random_float(&random, 0, 0.015f)
                                : (double)random_float(&random, -0.3f, 0.3f);
    graze_body_def def = physics_block(aside, height + 0.6, 1.2, 0.5);
    def.response = GRAZE_RIGID;
    def.angle = random_below(&random, 2) ? 0 : random_float(&random, -0.01f, 0.01f);
    const graze_body_id block = kit_add(world, def);
    const float speed = random_float(&random, 0.5f, 3);
    graze_body_set_velocity(world, block, (graze_vec2){0, -speed});
    double fastest = 0, hardest = 0;
    for (uint32_t step = 0; step < 60; ++step) {
        kit_step(world, physics_dt);
        fastest = most_speed(world, body, fastest);
        hardest = most_impulse(world, hardest);
    }
    graze_body_set_velocity(world, block, (graze_vec2){0, 0});
    if (random_below(&random, 2)) {
        graze_body_set_mass(world, block, 1);
    }
    for (uint32_t step = 0; step < 60; ++step) {
        kit_step(world, physics_dt);
        fastest = most_speed(world, block, most_speed(world, body, fastest));
        hardest = most_impulse(world, hardest);
    }
    physics_note(tally, seed, fmax(fastest / 6, hardest / 1000),
                 "%s at %g: %g units/s, an impulse of %g", grazes ? "grazes" : "presses",
                 (double)speed, fastest, hardest);
    graze_world_destroy(world);
}

static void a_block_of_mass_0_shoots_nothing_off(void **state)
{
    (void)state;
    physics_play(600, press_crate);
}

// A rigid disc of mass 0 that only spins is no body at rest.
static void a_roller_goes_on_turning(void **state)
{
    enum { ROLLERS = 100 };
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_body_id rollers[ROLLERS];
    for (int k = 0; k < ROLLERS; ++k) {
        graze_body_def def = physics_disc(2 * k, 0, 0.5, 0);
        def.spin = 1;
        rollers[k] = kit_add(world, def);
    }
    for (int step = 0; step < 120; ++step) {
        kit_step(world, physics_dt);
    }
    for (int k = 0; k < ROLLERS; ++k) {
        kit_assert_near(graze_body_angle(world, rollers[k]), 2, 1e-4f);
    }
    graze_world_destroy(world);
}

// A press comes down on a crate, and goes off sideways: its corner passes over what it squeezes.
static void pinch_crate(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    physics_floor(world, -50, 0, 50, 0);
    graze_body_def crate = draw_crate(&random);
    crate.friction = random_below(&random, 2) ? 0.6f : 0;
    const graze_body_id body = kit_add(world, crate);
    const double height = 2 * (double)crate.position.y;
    const double low = height * (double)random_float(&random, 0.6f, 0.98f) + 0.5;
    const float speed = random_float(&random, 0.5f, 2);
    const float rise = random_below(&random, 2) ? 0 : random_float(&random, 0, 0.3f);
    graze_body_def def =
        physics_block((double)random_float(&random, -0.5f, 0.5f), height + 0.7, 1.2, 0.5);
    def.response = random_below(&random, 2) ? GRAZE_RIGID : GRAZE_PASS;
    const graze_body_id press = kit_add(world, def);
    bool is_low = false;
    double fastest = 0;
    for (uint32_t step = 0; step < 300; ++step) {
        is_low = is_low || (double)graze_body_position(world, press).y <= low;
        graze_body_set_velocity(
            world, press, is_low ? (graze_vec2){speed, rise * speed} : (graze_vec2){0, -speed});
        kit_step(world, physics_dt);
        fastest = most_speed(world, body, fastest);
    }
    physics_note(tally, seed, fastest / (double)speed / 10, "at %g: %g units/s", (double)speed,
                 fastest);
    graze_world_destroy(world);
}

static void what_a_press_squeezes_is_not_shot_off(void **state)
{
    (void)state;
    physics_play(300, pinch_crate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flippers_do_not_go_through_balls),
        cmocka_unit_test(a_wall_is_no_deeper_in_a_body_than_a_quarter_of_its_half_size),
        cmocka_unit_test(walls_push_rows_and_do_not_go_through_them),
        cmocka_unit_test(what_is_carried_is_so_without_shortcuts),
        cmocka_unit_test(a_block_of_mass_0_shoots_nothing_off),
        cmocka_unit_test(what_a_press_squeezes_is_not_shot_off),
        cmocka_unit_test(a_roller_goes_on_turning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
