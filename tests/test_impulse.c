// Bodies that hit each other: impulses, momentum and energy.

#include "support/response_kit.h"

#include <math.h>

// --- Two bodies ---

/// Two bodies on a line, and what comes out.
typedef struct crash {
    graze_response response_a, response_b;
    float mass_a, mass_b;
    float restitution_a, restitution_b;
    float before_a, before_b;
} crash;

// Impulse along the normal by inverse masses, with the larger restitution where one of them
// bounces.
static void expect_crash(const crash *of, double *after_a, double *after_b)
{
    bool bounces = of->response_a == GRAZE_BOUNCE || of->response_b == GRAZE_BOUNCE;
    double kept = bounces ? fmax((double)of->restitution_a, (double)of->restitution_b) : 0;
    double a = of->mass_a > 0 ? 1 / (double)of->mass_a : 0;
    double b = of->mass_b > 0 ? 1 / (double)of->mass_b : 0;
    double change = ((double)of->before_a - (double)of->before_b) * (1 + kept);
    *after_a = (double)of->before_a - change * a / (a + b);
    *after_b = (double)of->before_b + change * b / (a + b);
}

static graze_body_def crasher(bool is_rect, double x, double y)
{
    return is_rect ? kit_rect((float)x, (float)y, 0.5f, 0.5f)
                   : kit_circle((float)x, (float)y, 0.5f);
}

// The two meet after `gap` on a line at this angle.
static void assert_crash(const crash *of, double angle, bool rects, float gap)
{
    graze_world *world = kit_world();
    double c = cos(angle);
    double s = sin(angle);
    graze_body_def a = crasher(rects, 0, 0);
    graze_body_def b = crasher(rects, c * (1 + (double)gap), s * (1 + (double)gap));
    a = kit_moving_mass(a, (float)(c * (double)of->before_a), (float)(s * (double)of->before_a),
                        of->response_a, of->mass_a);
    b = kit_moving_mass(b, (float)(c * (double)of->before_b), (float)(s * (double)of->before_b),
                        of->response_b, of->mass_b);
    a.angle = b.angle = rects ? (float)angle : 0;
    a.restitution = of->restitution_a;
    b.restitution = of->restitution_b;
    graze_body_id first = kit_add(world, a);
    graze_body_id second = kit_add(world, b);
    kit_step(world, 0.5f);
    double after_a, after_b;
    expect_crash(of, &after_a, &after_b);
    kit_assert_velocity(world, first, c * after_a, s * after_a);
    kit_assert_velocity(world, second, c * after_b, s * after_b);
    const graze_contact *contact = kit_find_contact(world, first, second);
    assert_non_null(contact);
    assert_int_equal(contact->flags, GRAZE_CONTACT_BLOCKED);
    kit_assert_near(contact->time, gap / ((of->before_a - of->before_b) / 2), 1e-5f);
    for (int step = 0; step < 20; ++step) {
        kit_step(world, 0.5f);
        kit_assert_velocity(world, first, c * after_a, s * after_a);
        kit_assert_velocity(world, second, c * after_b, s * after_b);
    }
    graze_world_destroy(world);
}

static void two_bodies_trade_momentum_by_their_masses(void **state)
{
    (void)state;
    const crash crashes[] = {
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 1, 1, 1, 1, 4, 0},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 1, 1, 1, 0, 4, -3},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 1, 3, 1, 1, 4, 0},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 3, 1, 0.2f, 0.6f, 4, -2},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 1, 3, 0, 0, 4, -2},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 2, 5, 0.5f, 0.25f, 4, 3},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 0, 1, 1, 1, 4, -2},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 1, 0, 0.5f, 1, 4, -2},
        {GRAZE_BOUNCE, GRAZE_BOUNCE, 1000, 0.001f, 1, 1, 4, -2},
        {GRAZE_SLIDE, GRAZE_SLIDE, 1, 1, 1, 1, 4, 0},
        {GRAZE_SLIDE, GRAZE_SLIDE, 1, 3, 0, 0, 4, 0},
        {GRAZE_SLIDE, GRAZE_SLIDE, 1, 3, 0, 0, 4, -4},
        {GRAZE_SLIDE, GRAZE_SLIDE, 0, 3, 0, 0, 4, -4},
        {GRAZE_SLIDE, GRAZE_BOUNCE, 1, 3, 0.5f, 1, 4, -4},
        {GRAZE_BOUNCE, GRAZE_SLIDE, 2, 1, 0.5f, 0, 4, 0},
    };
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; ++i) {
        for (int turn = 0; turn < 12; ++turn) {
            assert_crash(&crashes[i], 0.01 + 0.53 * turn, false, 0.25f);
            assert_crash(&crashes[i], 0.01 + 0.53 * turn, true, 0.25f);
        }
    }
}

static void an_oblique_crash_trades_only_along_the_normal(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving_mass(kit_circle(0, 0, 0.5f), 4, 0, GRAZE_BOUNCE, 1);
    def.restitution = 1;
    graze_body_id first = kit_add(world, def);
    def = kit_moving_mass(kit_circle(2, 0.8f, 0.5f), 0, 0, GRAZE_BOUNCE, 1);
    graze_body_id second = kit_add(world, def);
    kit_step(world, 0.5f);
    // Centres 0.6 and 0.8 apart when they touch: normal (0.6, 0.8).
    kit_assert_velocity(world, first, 4 * 0.64, -4 * 0.48);
    kit_assert_velocity(world, second, 4 * 0.36, 4 * 0.48);
    graze_world_destroy(world);
}

static void what_passes_stops_or_has_no_mass_is_not_moved(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const struct {
        graze_response response;
        float mass;
    } rocks[] = {{GRAZE_PASS, 1}, {GRAZE_STOP, 1}, {GRAZE_SLIDE, 0}, {GRAZE_BOUNCE, 0}};
    graze_body_id ids[4][2];
    for (int i = 0; i < 4; ++i) {
        float y = 10 * (float)i;
        ids[i][0] = kit_add(
            world, kit_moving_mass(kit_circle(3, y, 0.5f), 0, 0, rocks[i].response, rocks[i].mass));
        graze_body_def def = kit_moving_mass(kit_circle(0, y, 0.5f), 8, 0, GRAZE_BOUNCE, 1000);
        def.restitution = 0.5f;
        ids[i][1] = kit_add(world, def);
    }
    for (int step = 0; step < 10; ++step) {
        kit_step(world, 0.1f);
    }
    for (int i = 0; i < 4; ++i) {
        kit_assert_near_vec2(graze_body_position(world, ids[i][0]), 3, 10 * (float)i, 0);
        kit_assert_velocity(world, ids[i][0], 0, 0);
        kit_assert_velocity(world, ids[i][1], -4, 0);
    }
    graze_world_destroy(world);
}

static void two_bodies_without_mass_pass_through_each_other(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def hits = kit_moving_mass(kit_circle(0, 0, 0.5f), 8, 0, GRAZE_BOUNCE, 0);
    graze_body_def stands = kit_moving_mass(kit_circle(3, 0, 0.5f), 0, 0, GRAZE_BOUNCE, 0);
    hits.restitution = 1;
    graze_body_id first = kit_add(world, hits);
    graze_body_id second = kit_add(world, stands);
    uint32_t contacts = 0;
    for (int step = 0; step < 10; ++step) {
        kit_step(world, 0.1f);
        contacts += kit_find_contact(world, first, second) != NULL;
    }
    assert_true(contacts > 1);
    kit_assert_near_vec2(graze_body_position(world, first), 8, 0, 1e-5f);
    kit_assert_near_vec2(graze_body_position(world, second), 3, 0, 0);
    kit_assert_velocity(world, first, 8, 0);
    kit_assert_velocity(world, second, 0, 0);
    graze_world_destroy(world);
}

// What has a fixed course drives the other as a wall that moves does; what stops gives its
// momentum, and sticks. No body deflects one of mass 0.
static void what_hits_without_giving_way_drives_or_sticks(void **state)
{
    (void)state;
    for (int variant = 0; variant < 8; ++variant) {
        graze_world *world = kit_world();
        const graze_response gives_way = variant & 1 ? GRAZE_BOUNCE : GRAZE_SLIDE;
        const graze_response does_not = variant & 2 ? GRAZE_STOP : GRAZE_PASS;
        const float mass = variant & 4 ? 1.0f : 0.0f;
        const double thrown = does_not == GRAZE_STOP ? 4 : gives_way == GRAZE_BOUNCE ? 16 : 8;
        graze_body_def stands = kit_moving_mass(kit_circle(3, 0, 0.5f), 0, 0, gives_way, mass);
        stands.restitution = 1;
        const graze_body_id driven = kit_add(world, stands);
        const graze_body_id hits =
            kit_add(world, kit_moving_mass(kit_circle(0, 0, 0.5f), 8, 0, does_not, 1));
        kit_step(world, 0.5f);
        kit_assert_velocity(world, hits, does_not == GRAZE_STOP ? 0 : 8, 0);
        kit_assert_velocity(world, driven, mass > 0 ? thrown : 0, 0);
        graze_world_destroy(world);
    }
}

static void what_is_caught_up_with_moves_towards_what_hits_it(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_body_id ahead =
        kit_add(world, kit_moving_mass(kit_circle(2, 0, 0.5f), 2, 0, GRAZE_STOP, 1));
    const graze_body_id behind =
        kit_add(world, kit_moving_mass(kit_circle(0, 0, 0.5f), 6, 0, GRAZE_PASS, 1));
    kit_step(world, 0.5f);
    kit_assert_velocity(world, ahead, 0, 0);
    kit_assert_near_vec2(graze_body_position(world, ahead), 2.5f, 0, 1e-5f);
    kit_assert_velocity(world, behind, 6, 0);
    graze_world_destroy(world);
}

static void sensors_move_nobody(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id ball =
        kit_add(world, kit_moving_mass(kit_circle(3, 0, 0.5f), 0, 0, GRAZE_BOUNCE, 1));
    graze_body_def ghost = kit_moving_mass(kit_circle(3, 5, 0.5f), 0, -30, GRAZE_BOUNCE, 1);
    ghost.sensor = true;
    graze_body_id seen = kit_add(world, ghost);
    kit_step(world, 0.2f);
    kit_assert_near_vec2(graze_body_position(world, ball), 3, 0, 0);
    kit_assert_velocity(world, ball, 0, 0);
    assert_non_null(kit_find_contact(world, ball, seen));
    graze_world_destroy(world);
}

// Its own course is known when the ray comes: its velocity changes for the next step.
static void a_ray_trades_momentum_with_what_it_hits(void **state)
{
    (void)state;
    static const struct {
        graze_response response;
        float restitution;
        double ray, ball;
    } shots[] = {{GRAZE_BOUNCE, 1, -10, 40},
                 {GRAZE_BOUNCE, 0, 20, 20},
                 {GRAZE_SLIDE, 1, 20, 20},
                 {GRAZE_STOP, 1, 0, 20},
                 {GRAZE_PASS, 1, 50, 0}};
    for (size_t i = 0; i < sizeof shots / sizeof *shots; ++i) {
        graze_world *world = kit_world();
        graze_body_id ball =
            kit_add(world, kit_moving_mass(kit_circle(3, 0, 0.5f), 0, 0, GRAZE_SLIDE, 3));
        graze_body_def bullet = kit_bullet(0, 0, 50, 0);
        bullet.response = shots[i].response;
        bullet.restitution = shots[i].restitution;
        bullet.hit_limit = 0;
        bullet.mass = 2;
        graze_body_id shot = kit_add(world, bullet);
        kit_step(world, 0.1f);
        assert_non_null(kit_find_contact(world, ball, shot));
        kit_assert_near_vec2(graze_body_position(world, ball), 3, 0, 0);
        kit_assert_velocity(world, ball, shots[i].ball, 0);
        kit_assert_velocity(world, shot, shots[i].ray, 0);
        graze_world_destroy(world);
    }
}

// --- Many bodies ---

// A ball hits a row of balls at rest: the last one leaves with all of its speed.
static void assert_cradle(int count, float gap, float radius)
{
    graze_world *world = kit_world();
    graze_body_id balls[16];
    for (int i = 0; i < count; ++i) {
        float x = i ? (2 * radius + gap) * (float)i + 1 : 0;
        graze_body_def def =
            kit_moving_mass(kit_circle(x, 0, radius), i ? 0 : 6, 0, GRAZE_BOUNCE, 1);
        def.restitution = 1;
        balls[i] = kit_add(world, def);
    }
    for (int step = 0; step < 120; ++step) {
        kit_step(world, 1.0f / 60);
    }
    for (int i = 0; i < count; ++i) {
        kit_assert_velocity(world, balls[i], i == count - 1 ? 6 : 0, 0);
    }
    graze_world_destroy(world);
}

static void newtons_cradle_passes_the_speed_on(void **state)
{
    (void)state;
    for (int count = 2; count <= 16; count += 7) {
        assert_cradle(count, 0, 0.5f);
        assert_cradle(count, 0.25f, 0.5f);
        assert_cradle(count, 0.01f, 0.375f);
    }
}

/// What is conserved, summed in double.
typedef struct sums {
    double momentum_x, momentum_y, energy;
    double scale; ///< Sum of the sizes of momenta.
} sums;

enum { GAS = 196, GAS_SIDE = 14 };

static sums sum_up(const graze_world *world, const graze_body_id *bodies, const float *masses)
{
    sums total = {0};
    for (int i = 0; i < GAS; ++i) {
        graze_vec2 velocity = graze_body_velocity(world, bodies[i]);
        double x = (double)velocity.x;
        double y = (double)velocity.y;
        double mass = (double)masses[i];
        total.momentum_x += mass * x;
        total.momentum_y += mass * y;
        total.energy += mass * (x * x + y * y) / 2;
        total.scale += mass * hypot(x, y);
    }
    return total;
}

/// A gas in a square, or in free space.
typedef struct gas {
    uint64_t seed;
    graze_response response;
    float restitution, speed;
    bool walls, rects;
} gas;

static graze_world *make_gas(const gas *of, graze_body_id *bodies, float *masses)
{
    random_state random = random_seed(of->seed);
    graze_world *world = kit_world();
    if (of->walls) {
        kit_square(world, 0, GAS_SIDE);
    }
    for (int i = 0; i < GAS; ++i) {
        float x = (float)(i % GAS_SIDE) + random_float(&random, 0.4f, 0.6f);
        float y = (float)(i / GAS_SIDE) + random_float(&random, 0.4f, 0.6f);
        masses[i] = random_float(&random, 0.5f, 4);
        graze_body_def def =
            of->rects && i % 3 == 0 ? kit_rect(x, y, 0.3f, 0.3f) : kit_circle(x, y, 0.35f);
        const float x_speed = random_float(&random, -of->speed, of->speed);
        const float y_speed = random_float(&random, -of->speed, of->speed);
        def = kit_moving_mass(def, x_speed, y_speed, of->response, masses[i]);
        def.restitution = of->restitution;
        bodies[i] = kit_add(world, def);
    }
    return world;
}

// Every velocity is rounded once a step in which it changes, by 2^-24 of its parts; the sums of
// that grow like a random walk.
static void assert_conserves(const gas *of, double tolerance)
{
    graze_body_id bodies[GAS];
    float masses[GAS];
    graze_world *world = make_gas(of, bodies, masses);
    sums before = sum_up(world, bodies, masses);
    kit_tally tally = {0};
    for (int step = 0; step < 40; ++step) {
        kit_step_and_count(world, 1.0f / 60, &tally);
        sums now = sum_up(world, bodies, masses);
        double fault =
            hypot(now.momentum_x - before.momentum_x, now.momentum_y - before.momentum_y);
        double energy = fabs(now.energy - before.energy) / before.energy;
        if ((!of->walls && !(fault <= tolerance * now.scale)) ||
            (of->restitution == 1 && !(energy <= tolerance)) ||
            now.energy > before.energy * 1.0001) {
            fail_msg("seed %u step %d: momentum off by %g of %g, energy by %g", (unsigned)of->seed,
                     step, fault, now.scale, energy);
        }
        assert_true(tally.depth < 1e-4f);
    }
    assert_true(tally.blocked > 200);
    graze_world_destroy(world);
}

static void a_gas_keeps_momentum_and_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1; ++seed) {
        const gas gases[] = {
            {seed, GRAZE_BOUNCE, 1, 10, false, false},  {seed, GRAZE_BOUNCE, 1, 10, false, true},
            {seed, GRAZE_BOUNCE, 1, 200, false, false}, {seed, GRAZE_BOUNCE, 1, 10, true, true},
            {seed, GRAZE_BOUNCE, 1, 100, true, false},  {seed, GRAZE_BOUNCE, 0.5f, 10, false, true},
            {seed, GRAZE_SLIDE, 0, 10, false, false},
        };
        for (size_t i = 0; i < sizeof gases / sizeof gases[0]; ++i) {
            assert_conserves(&gases[i], 2e-7);
        }
    }
}

// --- Bodies and walls ---

static double energy_of(const graze_world *world, const graze_body_id *bodies,
                        const graze_body_def *defs, uint32_t count)
{
    double energy = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double speed = kit_speed(world, bodies[i]);
        energy += (double)defs[i].mass * speed * speed / 2;
    }
    return energy;
}

// One slides along the floor and hits another from below: the floor takes only what is across it.
static void what_slips_along_a_wall_hits_with_its_own_mass(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        const double angle = (double)random_float(&random, 0.3f, 1.2f);
        const float mass = random_float(&random, 0.1f, 10);
        const graze_body_def defs[2] = {
            kit_moving_mass(kit_circle(0, 0.5f, 0.5f), 5, -1, GRAZE_SLIDE, 1),
            kit_moving_mass(crasher(false, 1.05 * cos(angle), 0.5 + 1.05 * sin(angle)), 0, 0,
                            GRAZE_SLIDE, mass)};
        graze_world *world = kit_world();
        kit_wall_at(world, 0, 0, 0, 10);
        const graze_body_id bodies[2] = {kit_add(world, defs[0]), kit_add(world, defs[1])};
        const double before = energy_of(world, bodies, defs, 2);
        kit_step(world, 0.1f);
        const graze_contact *hit = kit_find_contact(world, bodies[0], bodies[1]);
        assert_non_null(hit);
        const graze_vec2 first = graze_body_velocity(world, bodies[0]);
        const graze_vec2 second = graze_body_velocity(world, bodies[1]);
        kit_assert_near(first.x + mass * second.x, 5, 1e-5f);
        kit_assert_near(first.y, 0, 1e-5f);
        kit_assert_near(graze_vec2_dot(first, hit->normal), graze_vec2_dot(second, hit->normal),
                        1e-5f);
        assert_true(energy_of(world, bodies, defs, 2) <= before);
        graze_world_destroy(world);
    }
}

static graze_body_def any_body(random_state *random)
{
    const float half = random_float(random, 0.1f, 1);
    const float x = random_float(random, -5, 5);
    const float y = random_float(random, -5, 5);
    graze_body_def def =
        random_below(random, 2) ? kit_circle(x, y, half) : kit_rect(x, y, half, 0.6f * half);
    def.angle = def.shape.kind == GRAZE_SHAPE_RECT ? random_float(random, -3, 3) : 0;
    def.restitution = random_float(random, 0, 1);
    def.friction = random_below(random, 2) ? random_float(random, 0, 1) : 0;
    const float speed_x = random_float(random, -20, 20);
    const float speed_y = random_float(random, -20, 20);
    const graze_response response = random_below(random, 2) ? GRAZE_SLIDE : GRAZE_BOUNCE;
    return kit_moving_mass(def, speed_x, speed_y, response, random_float(random, 0.1f, 10));
}

// They squeeze each other against the walls, from all sides.
static void a_crowd_in_a_room_gains_no_energy(void **state)
{
    (void)state;
    enum { BODIES = 40 };
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        kit_square(world, -6, 6);
        graze_body_def defs[BODIES];
        graze_body_id bodies[BODIES];
        for (uint32_t i = 0; i < BODIES; ++i) {
            defs[i] = any_body(&random);
            bodies[i] = kit_add(world, defs[i]);
        }
        double energy = energy_of(world, bodies, defs, BODIES);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 0.05f);
            const double after = energy_of(world, bodies, defs, BODIES);
            if (after > energy * 1.001) {
                fail_msg("seed %d, step %d: energy %g to %g", (int)seed, step, energy, after);
            }
            energy = after;
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_trade_momentum_by_their_masses),
        cmocka_unit_test(an_oblique_crash_trades_only_along_the_normal),
        cmocka_unit_test(what_passes_stops_or_has_no_mass_is_not_moved),
        cmocka_unit_test(two_bodies_without_mass_pass_through_each_other),
        cmocka_unit_test(what_hits_without_giving_way_drives_or_sticks),
        cmocka_unit_test(what_is_caught_up_with_moves_towards_what_hits_it),
        cmocka_unit_test(sensors_move_nobody),
        cmocka_unit_test(a_ray_trades_momentum_with_what_it_hits),
        cmocka_unit_test(newtons_cradle_passes_the_speed_on),
        cmocka_unit_test(a_gas_keeps_momentum_and_energy),
        cmocka_unit_test(what_slips_along_a_wall_hits_with_its_own_mass),
        cmocka_unit_test(a_crowd_in_a_room_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
