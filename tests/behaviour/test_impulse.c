// Bodies that hit each other: impulses, momentum and energy.

#include "frame_kit.h"
#include "response_kit.h"

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

// --- Bullets ---

/// A bullet, and what it flies at.
typedef struct shot {
    int kind; ///< 0: a disc, 1: a rect, 2: a ray.
    graze_response response, target;
    uint32_t hit_limit;
    double mass, target_mass, target_speed;
    bool is_first; ///< Created before its target.
} shot;

enum { SHOT_SPEED = 500 };

static graze_body_id add_bullet(const kit_frame *frame, graze_world *world, const shot *of)
{
    const kit_xy at = {0, 0}, velocity = {SHOT_SPEED, 0};
    const graze_shape shapes[] = {kit_frame_circle(frame, 0.05), kit_frame_rect(frame, 0.1, 0.05),
                                  graze_shape_ray()};
    graze_body_def def = kit_frame_body(frame, shapes[of->kind], at, velocity, of->response);
    def.mass = (float)of->mass;
    def.hit_limit = of->hit_limit;
    return kit_add(world, def);
}

static graze_body_id add_target(const kit_frame *frame, graze_world *world, const shot *of)
{
    const kit_xy at = {10, 0}, velocity = {of->target_speed, 0};
    graze_body_def def =
        kit_frame_body(frame, kit_frame_rect(frame, 1, 1), at, velocity, of->target);
    def.mass = (float)of->target_mass;
    return kit_add(world, def);
}

// The two come together as far as their masses say, and no further. What stops, and stays, holds
// what still runs into it.
static double expect_speed(const shot *of)
{
    const double closing = SHOT_SPEED - of->target_speed;
    const double speed = of->target_speed + closing * of->mass / (of->mass + of->target_mass);
    const bool stays = of->response == GRAZE_STOP && of->hit_limit != 1 && of->kind != 2;
    return stays && speed < 0 ? 0 : speed;
}

static void assert_shot(const kit_frame *frame, const shot *of)
{
    graze_world *world = kit_world();
    graze_body_id bullet = {0, 0};
    if (of->is_first) {
        bullet = add_bullet(frame, world, of);
    }
    const graze_body_id target = add_target(frame, world, of);
    if (!of->is_first) {
        bullet = add_bullet(frame, world, of);
    }
    kit_step(world, 1.0f / 60);
    kit_step(world, 1.0f / 60);
    const kit_xy expected = {expect_speed(of), 0};
    kit_frame_assert_near(frame, "what is shot", kit_frame_velocity(frame, world, target), expected,
                          1e-3 * fabs(expected.x - of->target_speed) +
                              1e-5 * fabs(of->target_speed));
    assert_int_equal(graze_body_is_valid(world, bullet), of->hit_limit != 1);
    graze_world_destroy(world);
}

static void a_bullet_gives_the_impulse_of_its_mass(void **state)
{
    (void)state;
    static const double masses[][2] = {{0.001, 1000}, {1, 1}, {2, 0.5}};
    static const double speeds[] = {0, -10, 20};
    for (int k = 0; k < KIT_FRAMES * 3 * 3 * 2 * 3; ++k) {
        const int f = k % KIT_FRAMES, kind = k / KIT_FRAMES % 3;
        const int response = k / KIT_FRAMES / 3 % 3, target = k / KIT_FRAMES / 9 % 2;
        for (int variant = 0; variant < 18; ++variant) {
            const double *pair = masses[k / KIT_FRAMES / 18];
            const shot one = {.kind = kind,
                              .response = (graze_response)(GRAZE_STOP + response),
                              .target = target ? GRAZE_BOUNCE : GRAZE_SLIDE,
                              .hit_limit = (uint32_t)variant / 2 % 3,
                              .mass = pair[0],
                              .target_mass = pair[1],
                              .target_speed = speeds[variant / 6],
                              .is_first = variant % 2};
            assert_shot(&kit_frames[f], &one);
        }
    }
}

// What sticks gives all of its momentum; what slides or bounces only that along the normal.
static void a_bullet_beside_the_centre_gives_what_it_loses(void **state)
{
    (void)state;
    for (int variant = 0; variant < 12; ++variant) {
        const graze_response response = (graze_response)(GRAZE_STOP + variant % 3);
        const bool is_ray = variant / 3 % 2;
        graze_world *world = kit_world();
        const graze_body_id target =
            kit_add(world, kit_moving_mass(kit_circle(10, 0, 1), 0, 0, GRAZE_SLIDE, 3));
        graze_body_def def = is_ray ? kit_bullet(0, 0.6f, 50, 0) : kit_circle(0, 0.6f, 0);
        def = kit_moving_mass(def, 50, 0, response, 1);
        def.hit_limit = variant / 6 ? 1 : 0;
        kit_add(world, def);
        kit_step(world, 0.5f);
        kit_step(world, 0.5f);
        const double along = response == GRAZE_STOP ? 12.5 : 12.5 * 0.64;
        const double across = response == GRAZE_STOP ? 0 : -12.5 * 0.48;
        kit_assert_velocity(world, target, along, across);
        graze_world_destroy(world);
    }
}

// However many rays hit a body in a step, it gets no faster than they are, and the sum does not
// depend on their order.
static void many_rays_drive_no_body_faster_than_they_are(void **state)
{
    (void)state;
    enum { RAYS = 40 };
    graze_vec2 velocities[2];
    for (int order = 0; order < 2; ++order) {
        graze_world *world = kit_world();
        const graze_body_id target =
            kit_add(world, kit_moving_mass(kit_rect(10, 0, 1, 9), 0, 0, GRAZE_SLIDE, 1));
        for (int i = 0; i < RAYS; ++i) {
            const int place = order ? RAYS - 1 - i : i;
            kit_add(world, kit_bullet(0.2f * (float)(place % 5), 0.2f * (float)place - 4, 100, 0));
        }
        kit_step(world, 0.25f);
        assert_int_equal(graze_world_get_stats(world).removed_count, RAYS);
        velocities[order] = graze_body_velocity(world, target);
        assert_true(velocities[order].x > 99.9f && velocities[order].x <= 100);
        graze_world_destroy(world);
    }
    kit_assert_same_vec2(velocities[0], velocities[1]);
}

// A body at rest that is hit by a ray moves on, also if it slept.
static void a_ray_wakes_what_it_hits(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -90, 0, 90, 0);
    const graze_body_id crate =
        kit_add(world, kit_moving_mass(kit_rect(10, 0.5f, 0.5f, 0.5f), 0, 0, GRAZE_SLIDE, 1));
    for (int step = 0; step < 300; ++step) {
        kit_step(world, 1.0f / 60);
    }
    graze_body_def def = kit_bullet(0, 0.5f, 400, 0);
    def.mass = 0.01f;
    kit_add(world, def);
    for (int step = 0; step < 60; ++step) {
        kit_step(world, 1.0f / 60);
    }
    assert_true(graze_body_position(world, crate).x > 13);
    graze_world_destroy(world);
}

// By its own speed it gives what its mass is worth; what runs into it is held as by a wall.
static void what_passes_is_worth_its_mass_at_its_last_hit(void **state)
{
    (void)state;
    static const struct {
        float speed, ball_speed, after;
    } hits[] = {{500, 0, 0.001f}, {0, -8, 8}, {0, -8, 8}, {-1, -8, 6}, {500, -8, 8.001f}};
    for (size_t i = 0; i < sizeof hits / sizeof *hits; ++i) {
        graze_world *world = kit_world();
        graze_body_def ball =
            kit_moving_mass(kit_circle(3, 0, 0.5f), hits[i].ball_speed, 0, GRAZE_BOUNCE, 1000);
        ball.restitution = 1;
        graze_body_def brick =
            kit_moving_mass(kit_rect(0, 0, 0.5f, 0.5f), hits[i].speed, 0, GRAZE_PASS, 0.001f);
        brick.hit_limit = 1;
        const graze_body_id thrown = kit_add(world, ball), gone = kit_add(world, brick);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
        }
        assert_false(graze_body_is_valid(world, gone));
        kit_assert_near(graze_body_velocity(world, thrown).x, hits[i].after, 1e-4f);
        graze_world_destroy(world);
    }
}

// At any angle and off the centre, with friction and restitution: what a ray loses, its target has.
static void a_ray_that_goes_on_gives_what_it_loses(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        const bool turns = seed % 3 != 0;
        graze_body_def target =
            turns || seed % 2 ? kit_rect(0, 0, 0.5f, 0.5f) : kit_circle(0, 0, 0.5f);
        target.response = turns ? GRAZE_RIGID : GRAZE_SLIDE;
        target.mass = random_float(&random, 0.5f, 4);
        target.friction = random_float(&random, 0, 1);
        const graze_body_id hit = kit_add(world, target);
        const float y = random_float(&random, -0.3f, 0.3f);
        const float up = random_float(&random, -80, 80);
        graze_body_def ray = kit_bullet(-0.6f, y - up * 0.001f, 120, up);
        ray.hit_limit = 0;
        ray.response = (graze_response)(GRAZE_SLIDE + seed / 6 % 3);
        ray.mass = random_float(&random, 0.05f, 0.5f);
        ray.friction = random_float(&random, 0, 1);
        ray.restitution = seed / 18 % 2 ? 0.5f : 0;
        const graze_body_id by = kit_add(world, ray);
        kit_step(world, 1.0f / 60);
        const graze_vec2 left = graze_body_velocity(world, by);
        const graze_vec2 got = graze_body_velocity(world, hit);
        const float spin = graze_body_spin(world, hit), inertia = graze_body_inertia(world, hit);
        assert_true(got.x > 0);
        kit_assert_near(ray.mass * (120 - left.x), target.mass * got.x, 1e-3f);
        kit_assert_near(ray.mass * (up - left.y), target.mass * got.y, 1e-3f);
        assert_true(ray.mass * (left.x * left.x + left.y * left.y) +
                        target.mass * (got.x * got.x + got.y * got.y) + inertia * spin * spin <=
                    ray.mass * (120 * 120 + up * up) * 1.0001f);
        graze_world_destroy(world);
    }
}

// --- What squeezes ---

/// Two bodies between a wall, or what has stopped, and a bumper.
typedef struct squeeze {
    random_state random;
    const kit_frame *frame;
    graze_world *world;
    graze_body_id bodies[2];
    double masses[2];
} squeeze;

static void add_squeezed(squeeze *of, bool are_rects)
{
    const kit_xy still = {0, 0};
    for (int i = 0; i < 3; ++i) {
        const kit_xy at = {1.2 * i, 0};
        const kit_xy velocity = {(double)random_float(&of->random, -100, 100), 0};
        const bool bounces = i == 2 || random_below(&of->random, 2);
        const graze_shape shape =
            are_rects ? kit_frame_rect(of->frame, 0.6, 0.6) : kit_frame_circle(of->frame, 0.6);
        graze_body_def def = kit_frame_body(of->frame, shape, at, i < 2 ? velocity : still,
                                            bounces ? GRAZE_BOUNCE : GRAZE_SLIDE);
        def.restitution = random_float(&of->random, 0, 0.95f);
        def.mass = i < 2 ? random_float(&of->random, 0.2f, 3) : 0;
        const graze_body_id body = kit_add(of->world, def);
        if (i < 2) {
            of->bodies[i] = body;
            of->masses[i] = (double)def.mass;
        }
    }
}

static double energy_left(const squeeze *of)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        const kit_xy v = kit_frame_velocity(of->frame, of->world, of->bodies[i]);
        sum += of->masses[i] * (v.x * v.x + v.y * v.y) / 2;
    }
    return sum;
}

// All restitutions are below 1, and nothing else moves.
static void nothing_squeezes_energy_out_of_two_that_give_no_way(void **state)
{
    (void)state;
    static const kit_xy wall[] = {{-0.6, -9}, {-0.6, 9}};
    for (uint32_t seed = 0; seed < 600; ++seed) {
        squeeze one = {.random = random_seed(seed),
                       .frame = &kit_frames[seed % KIT_FRAMES],
                       .world = kit_world()};
        if (seed % 2) {
            kit_frame_chain(one.frame, one.world, wall, 2, false, graze_filter_default());
        } else {
            const kit_xy at = {-1.2, 0}, still = {0, 0};
            graze_body_def def = kit_frame_body(one.frame, kit_frame_rect(one.frame, 0.6, 0.6), at,
                                                still, GRAZE_STOP);
            def.restitution = 0.7f;
            kit_add(one.world, def);
        }
        add_squeezed(&one, seed / 2 % 2);
        const double pushed = seed % 2 ? 0.018 : 0; // What overlaps at a wall is pushed apart.
        double before = energy_left(&one);
        for (int step = 0; step < 60; ++step) {
            kit_step(one.world, 1.0f / 60);
            const double after = energy_left(&one);
            if (!(after <= before * 1.0001 + pushed + 1e-9)) {
                fail_msg("seed %u, %s, step %d: energy %g after %g", seed, one.frame->name, step,
                         after, before);
            }
            before = after;
        }
        graze_world_destroy(one.world);
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
        assert_true(tally.depth < (of->response == GRAZE_BOUNCE ? 1e-4f : 0.0175f));
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
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        kit_square(world, -6, 6);
        graze_body_def defs[BODIES];
        graze_body_id bodies[BODIES];
        for (uint32_t i = 0; i < BODIES; ++i) {
            defs[i] = any_body(&random);
            bodies[i] = kit_add(world, defs[i]);
        }
        const double start = energy_of(world, bodies, defs, BODIES);
        double energy = start, least = start;
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 0.05f);
            const double after = energy_of(world, bodies, defs, BODIES);
            if (after > energy * 1.001 || after > least + 1e-5 * start) {
                fail_msg("seed %d, step %d: energy %g to %g, least %g", (int)seed, step, energy,
                         after, least);
            }
            energy = after;
            least = fmin(least, after);
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
        cmocka_unit_test(a_bullet_gives_the_impulse_of_its_mass),
        cmocka_unit_test(a_bullet_beside_the_centre_gives_what_it_loses),
        cmocka_unit_test(many_rays_drive_no_body_faster_than_they_are),
        cmocka_unit_test(a_ray_wakes_what_it_hits),
        cmocka_unit_test(what_passes_is_worth_its_mass_at_its_last_hit),
        cmocka_unit_test(a_ray_that_goes_on_gives_what_it_loses),
        cmocka_unit_test(nothing_squeezes_energy_out_of_two_that_give_no_way),
        cmocka_unit_test(newtons_cradle_passes_the_speed_on),
        cmocka_unit_test(a_gas_keeps_momentum_and_energy),
        cmocka_unit_test(what_slips_along_a_wall_hits_with_its_own_mass),
        cmocka_unit_test(a_crowd_in_a_room_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
