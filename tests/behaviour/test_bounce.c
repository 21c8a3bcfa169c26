#include "response_kit.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static graze_body_def bouncing(graze_body_def def, double velocity_x, double velocity_y,
                               float restitution)
{
    def = kit_moving(def, (float)velocity_x, (float)velocity_y, GRAZE_BOUNCE);
    def.restitution = restitution;
    return def;
}

// --- One wall ---

// The wall goes through the origin, turned by `turn`; the mover comes from 2 units above it at
// `slope` below the wall.
static void assert_reflects(int kind, double turn, double slope, float restitution)
{
    graze_world *world = kit_world();
    float x = (float)(100 * cos(turn));
    float y = (float)(100 * sin(turn));
    graze_chain_id wall = kit_wall(world, -x, -y, x, y);
    double distance = 2 + kit_reach[kind];
    graze_body_def def = kit_shape_at(kind, -distance * sin(turn), distance * cos(turn), turn);
    def = bouncing(def, 8 * cos(turn - slope), 8 * sin(turn - slope), restitution);
    graze_body_id body = kit_add(world, def);
    kit_step(world, 1);
    double along = 8 * cos(slope);
    double out = 8 * sin(slope) * (double)restitution;
    double time = 2 / (8 * sin(slope));
    graze_vec2 end = graze_body_position(world, body);
    graze_vec2 velocity = graze_body_velocity(world, body);
    kit_assert_near((float)kit_along(end, turn), (float)along, 2e-5f);
    kit_assert_near((float)kit_along(end, turn + pi / 2),
                    (float)(kit_reach[kind] + out * (1 - time)), 2e-5f);
    kit_assert_near((float)kit_along(velocity, turn), (float)along, 2e-6f);
    kit_assert_near((float)kit_along(velocity, turn + pi / 2), (float)out, 2e-6f);
    const graze_contact *contact = kit_find_wall_contact(world, body, wall);
    assert_non_null(contact);
    kit_assert_near(contact->time, (float)time, 1e-5f);
    kit_assert_near((float)kit_along(contact->normal, turn - pi / 2), 1, 1e-6f);
    assert_int_equal(contact->flags, GRAZE_CONTACT_BLOCKED);
    graze_world_destroy(world);
}

static void a_wall_gives_back_its_share_of_the_speed(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (int turn = 0; turn < 24; ++turn) {
            for (double slope = 0.3; slope < pi / 2; slope += 0.25) {
                for (float restitution = 0; restitution <= 1; restitution += 0.25f) {
                    assert_reflects(kind, turn * pi / 12 + 0.01, slope, restitution);
                }
            }
        }
    }
}

// --- Several bounces in a step ---

// A body goes up and down between walls at 1 and -1, `speed` units a step. Finds by arithmetic
// where it is and which way it goes then; returns how many bounces there were.
static int fold(double room, double speed, double *height, double *way)
{
    int bounces = 0;
    double left = speed;
    for (;;) {
        double until = *way > 0 ? room - *height : room + *height;
        if (until >= left || bounces == 4) {
            *height += bounces == 4 ? 0 : *way * left;
            return bounces;
        }
        *height = *way * room;
        *way = -*way;
        left -= until;
        ++bounces;
    }
}

static void assert_bounces_between_walls(int kind, double speed, double start)
{
    graze_world *world = kit_world();
    kit_wall(world, -1000, 1, 1000, 1);
    kit_wall(world, 1000, -1, -1000, -1);
    double room = 1 - kit_reach[kind];
    graze_body_id body =
        kit_add(world, bouncing(kit_shape_at(kind, 0, start * room, 0), 1, speed, 1));
    kit_step(world, 1);
    double height = start * room;
    double way = 1;
    int bounces = fold(room, speed, &height, &way);
    graze_contact_list contacts = graze_world_contacts(world);
    assert_int_equal(contacts.count, bounces);
    for (int i = 0; i < bounces; ++i) {
        const graze_contact *contact = &contacts.data[i];
        double time = (room * (1 - start) + 2 * room * i) / speed;
        kit_assert_near(contact->time, (float)time, 1e-5f);
        kit_assert_near_vec2(contact->normal, 0, i % 2 ? -1 : 1, 1e-6f);
        kit_assert_near_vec2(contact->point, (float)time, i % 2 ? -1 : 1, 1e-5f);
        assert_int_equal((contact->flags & GRAZE_CONTACT_DROPPED) != 0, i == 3);
        assert_true(contact->flags & GRAZE_CONTACT_BLOCKED);
    }
    kit_assert_near(graze_body_position(world, body).y, (float)height, 1e-5f);
    kit_assert_near_vec2(graze_body_velocity(world, body), 1, (float)(way * speed), 1e-5f);
    graze_world_destroy(world);
}

static void every_bounce_of_a_step_is_a_contact_with_its_time(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (double speed = 0.25; speed < 14; speed += 0.37) {
            assert_bounces_between_walls(kind, speed, 0.125);
            assert_bounces_between_walls(kind, speed, -0.75);
        }
    }
}

static void a_fifth_bounce_is_left_to_the_next_step(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, -1000, 1, 1000, 1);
    kit_wall(world, 1000, -1, -1000, -1);
    graze_body_id body = kit_add(world, bouncing(kit_shape_at(2, 0, 0, 0), 0, 100, 1));
    kit_tally tally = {0};
    for (int step = 0; step < 100; ++step) {
        kit_step_and_count(world, 1, &tally);
        graze_vec2 at = graze_body_position(world, body);
        assert_true(at.y >= -1 && at.y <= 1);
    }
    assert_int_equal(tally.blocked, 400);
    assert_int_equal(tally.dropped, 100);
    kit_assert_near((float)kit_speed(world, body), 100, 1e-4f);
    graze_world_destroy(world);
}

// --- Energy ---

// Every bounce rounds both parts of the velocity once, by 2^-24 of them at most.
static void assert_energy_is_kept(int kind, double x, double y, double size, uint64_t seed)
{
    random_state random = random_seed(seed);
    graze_vec2 corners[5];
    for (int i = 0; i < 5; ++i) {
        double angle = 2 * pi * (i + (double)random_float(&random, -0.3f, 0.3f)) / 5;
        corners[i].x = (float)(x + size * cos(angle));
        corners[i].y = (float)(y + size * sin(angle));
    }
    graze_world *world = kit_world();
    kit_loop(world, corners, 5);
    double angle = (double)random_float(&random, -3, 3);
    double speed = 5 * size;
    graze_body_id body = kit_add(
        world, bouncing(kit_shape_at(kind, x, y, 0), speed * cos(angle), speed * sin(angle), 1));
    speed = kit_speed(world, body);
    kit_tally tally = {0};
    for (int step = 0; step < 1200; ++step) {
        kit_step_and_count(world, 1.0f / 60, &tally);
        double fault = fabs(kit_speed(world, body) / speed - 1);
        if (!(fault <= tally.blocked * 0x1p-23)) {
            fail_msg("%s at (%g, %g), seed %u: speed off by %g after %u bounces",
                     kit_shape_names[kind], x, y, (unsigned)seed, fault, (unsigned)tally.blocked);
        }
    }
    assert_true(tally.blocked > 30);
    graze_world_destroy(world);
}

static void restitution_1_keeps_the_energy(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            assert_energy_is_kept(kind, 0, 0, 6, seed);
            assert_energy_is_kept(kind, 1e3, -1e3, 6, seed);
            assert_energy_is_kept(kind, -1e6, 1e6, 500, seed);
        }
    }
}

// --- In closed rooms ---

// A room whose corners go in and out: star-shaped around its middle.
static uint32_t make_star(random_state *random, graze_vec2 corners[24])
{
    uint32_t count = 5 + random_below(random, 19);
    for (uint32_t i = 0; i < count; ++i) {
        double angle = 2 * pi * i / count;
        double radius = (double)random_float(random, 2.5f, 9);
        corners[i].x = (float)(radius * cos(angle));
        corners[i].y = (float)(radius * sin(angle));
    }
    return count;
}

static bool is_inside(const graze_vec2 *corners, uint32_t count, graze_vec2 point)
{
    const graze_vec2 far_away = {31.4f, 1000};
    bool inside = false;
    for (uint32_t i = 0; i < count; ++i) {
        graze_segment wall = {corners[i], corners[(i + 1) % count]};
        inside ^= graze_crosses(point, far_away, wall);
    }
    return inside;
}

static void whatever_slides_or_bounces_in_a_closed_room_stays_in_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 25; ++seed) {
        random_state random = random_seed(seed);
        graze_vec2 corners[24];
        uint32_t count = make_star(&random, corners);
        graze_world *world = kit_world_with_gravity(0, seed % 3 ? 0 : -30);
        kit_loop(world, corners, count);
        graze_body_id bodies[12];
        for (int i = 0; i < 12; ++i) {
            float size = random_float(&random, 0.05f, 1);
            graze_body_def def = i % 3 == 0   ? kit_circle(0, 0, size)
                                 : i % 3 == 1 ? kit_rect(0, 0, size, 0.3f)
                                              : kit_bullet(0, 0, 0, 0);
            def.hit_limit = 0;
            def.filter.group = -1;
            def.spin = i % 6 == 1 ? 5 : 0;
            def.response = i < 6 ? GRAZE_SLIDE : GRAZE_BOUNCE;
            def.restitution = 1;
            def.velocity.x = random_float(&random, -300, 300);
            def.velocity.y = random_float(&random, -300, 300);
            bodies[i] = kit_add(world, def);
        }
        for (int step = 0; step < 50; ++step) {
            for (int i = 0; i < 6; ++i) {
                graze_vec2 velocity = {random_float(&random, -300, 300),
                                       random_float(&random, -300, 300)};
                graze_body_set_velocity(world, bodies[i], velocity);
            }
            kit_step(world, 1.0f / 30);
            for (int i = 0; i < 12; ++i) {
                graze_vec2 at = graze_body_position(world, bodies[i]);
                if (!is_inside(corners, count, at)) {
                    fail_msg("seed %u step %d body %d: out at (%.9g, %.9g)", (unsigned)seed, step,
                             i, (double)at.x, (double)at.y);
                }
            }
        }
        graze_world_destroy(world);
    }
}

// --- Hits ---

static void the_last_of_n_bounces_removes_the_body(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (uint32_t limit = 1; limit <= 13; ++limit) {
            graze_world *world = kit_world();
            const graze_vec2 corridor[4] = {{-1000, -1}, {1000, -1}, {1000, 1}, {-1000, 1}};
            kit_loop(world, corridor, 4);
            double room = 1 - kit_reach[kind];
            graze_body_def def = bouncing(kit_shape_at(kind, 0, 0, 0), 0, 3.2 * room, 1);
            def.hit_limit = limit;
            graze_body_id body = kit_add(world, def);
            uint32_t bounces = 0;
            while (graze_body_is_valid(world, body)) {
                kit_tally tally = {0};
                kit_step_and_count(world, 1, &tally);
                bounces += tally.blocked;
                assert_true(bounces <= limit);
            }
            assert_int_equal(bounces, limit);
            graze_contact_list contacts = graze_world_contacts(world);
            assert_true(contacts.data[contacts.count - 1].flags & GRAZE_CONTACT_SPENT);
            float height = (float)(limit % 2 ? room : -room);
            kit_assert_near(graze_body_position(world, body).y, height, 1e-5f);
            graze_world_destroy(world);
        }
    }
}

static void a_bullet_ricochets_off_bodies_too(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id left = kit_add(world, kit_rect(-3, 0, 1, 10));
    graze_body_id right = kit_add(world, kit_circle(12, 0, 10));
    graze_body_def def = bouncing(kit_shape_at(2, 0, 0, 0), 5.5, 0, 1);
    def.hit_limit = 3;
    graze_body_id bullet = kit_add(world, def);
    kit_step(world, 1);
    const graze_contact *first = kit_find_contact(world, bullet, right);
    assert_non_null(first);
    assert_null(kit_find_contact(world, bullet, left));
    kit_assert_near(first->time, 2 / 5.5f, 1e-6f);
    kit_assert_near_vec2(graze_body_position(world, bullet), -1.5f, 0, 1e-5f);
    kit_step(world, 1);
    assert_non_null(kit_find_contact(world, bullet, left));
    assert_false(graze_body_is_valid(world, bullet));
    kit_assert_near_vec2(graze_body_position(world, bullet), 2, 0, 1e-5f);
    kit_assert_near_vec2(graze_body_position(world, right), 12, 0, 0);
    kit_assert_near_vec2(graze_body_position(world, left), -3, 0, 0);
    graze_world_destroy(world);
}

// --- Rest ---

static void assert_comes_to_rest(int kind, double slope, float restitution, float friction)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    float x = (float)(100 * cos(slope));
    float y = (float)(100 * sin(slope));
    kit_wall(world, -x, -y, x, y);
    kit_wall(world, 30, -50, 30, 50);
    kit_wall(world, -30, -50, -30, 50);
    graze_body_def def = bouncing(kit_shape_at(kind, 0, 3, slope), 0, 0, restitution);
    def.friction = friction;
    graze_body_id body = kit_add(world, def);
    kit_tally tally = {0};
    for (int step = 0; step < 2500; ++step) {
        kit_step_and_count(world, 1.0f / 60, &tally);
    }
    assert_int_equal(tally.begins, tally.ends + 1);
    char name[80];
    snprintf(name, sizeof name, "%s, restitution %g", kit_shape_names[kind], (double)restitution);
    kit_assert_held(world, body, NULL, 300, name);
    graze_world_destroy(world);
}

static void a_ball_comes_to_rest(void **state)
{
    (void)state;
    const float restitutions[] = {0, 0.3f, 0.6f, 0.9f};
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (size_t i = 0; i < sizeof restitutions / sizeof restitutions[0]; ++i) {
            assert_comes_to_rest(kind, 0, restitutions[i], 0);
        }
    }
}

enum { BALLS = 48 };

// Balls fall side by side from different heights: so they touch the floor at all times of a step.
static graze_world *drop_balls(int kind, float restitution, graze_body_id balls[BALLS],
                               double heights[BALLS])
{
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -10, 0, 2 * BALLS + 10, 0);
    for (int i = 0; i < BALLS; ++i) {
        heights[i] = 1 + (double)i / 12;
        const graze_body_def def =
            kit_shape_at(kind, 2 * (double)i, heights[i] + kit_reach[kind], 0);
        balls[i] = kit_add(world, bouncing(def, 0, 0, restitution));
    }
    return world;
}

static void a_ball_comes_to_rest_from_any_height(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (float restitution = 0.5f; restitution < 0.96f; restitution += 0.05f) {
            graze_body_id balls[BALLS];
            double heights[BALLS];
            graze_world *world = drop_balls(kind, restitution, balls, heights);
            for (int step = 0; step < 3600; ++step) {
                kit_step(world, 1.0f / 60);
            }
            for (int i = 0; i < BALLS; ++i) {
                const graze_vec2 at = graze_body_position(world, balls[i]);
                if (!(fabs((double)at.y - kit_reach[kind]) < 1e-4)) {
                    fail_msg("%s of restitution %g from %g still bounces, at %g",
                             kit_shape_names[kind], (double)restitution, heights[i], (double)at.y);
                }
                kit_assert_velocity(world, balls[i], 0, 0);
            }
            graze_world_destroy(world);
        }
    }
}

// The floor holds a crate that lies on it: gravity adds to the speed of the ball alone.
static void a_ball_comes_to_rest_on_a_crate(void **state)
{
    (void)state;
    for (int mass = 1; mass <= 100; mass *= 100) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -10, 0, 6 * BALLS, 0);
        graze_body_id balls[BALLS];
        for (int i = 0; i < BALLS; ++i) {
            const float x = 6 * (float)i;
            graze_body_def crate = kit_moving(kit_rect(x, 0.5f, 1, 0.5f), 0, 0, GRAZE_SLIDE);
            crate.mass = (float)mass;
            crate.friction = 0.5f;
            kit_add(world, crate);
            const graze_body_def ball = kit_circle(x, 2.5f + (float)i / 16, 0.25f);
            balls[i] = kit_add(world, bouncing(ball, 0, 0, 0.9f));
        }
        for (int step = 0; step < 3600; ++step) {
            kit_step(world, 1.0f / 60);
        }
        for (int i = 0; i < BALLS; ++i) {
            kit_assert_near(graze_body_position(world, balls[i]).y, 1.25f, 7e-4f);
            kit_assert_near(graze_body_velocity(world, balls[i]).y, 0, 1e-4f);
        }
        graze_world_destroy(world);
    }
}

// For a minute the ball rises as high as it fell from, to 2 %: it neither gains nor loses, whether
// bounces come early or late in a step.
static void a_ball_of_restitution_1_keeps_its_height(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        graze_body_id balls[BALLS];
        double heights[BALLS];
        double highest[BALLS] = {0};
        graze_world *world = drop_balls(kind, 1, balls, heights);
        for (int step = 0; step < 3600; ++step) {
            kit_step(world, 1.0f / 60);
            for (int i = 0; step >= 3400 && i < BALLS; ++i) {
                const graze_vec2 at = graze_body_position(world, balls[i]);
                highest[i] = fmax(highest[i], (double)at.y - kit_reach[kind]);
            }
        }
        for (int i = 0; i < BALLS; ++i) {
            kit_assert_near((float)(highest[i] / heights[i]), 1, 0.02f);
        }
        graze_world_destroy(world);
    }
}

// The ball lies on both walls of a notch, and touches both in every step.
static void a_ball_comes_to_rest_between_two_walls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        random_state random = random_seed(seed);
        const double left = (double)random_float(&random, 0.3f, 1.2f);
        const double right = (double)random_float(&random, 0.3f, 1.2f);
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -(float)cos(left) * 20, (float)sin(left) * 20, 0, 0);
        kit_wall(world, 0, 0, (float)cos(right) * 20, (float)sin(right) * 20);
        graze_body_def def = kit_shape_at((int)(seed % 2), 0, 4, 0);
        const float restitution = random_float(&random, 0, 0.7f);
        def = bouncing(def, (double)random_float(&random, -2, 2), 0, restitution);
        graze_body_id body = kit_add(world, def);
        for (int i = 0; i < 1200; ++i) {
            kit_step(world, 1.0f / 60);
        }
        kit_tally tally = {0};
        const graze_vec2 start = graze_body_position(world, body);
        for (int i = 0; i < 120; ++i) {
            kit_step_and_count(world, 1.0f / 60, &tally);
            kit_assert_velocity(world, body, 0, 0);
        }
        assert_int_equal(tally.contacts, 2 * 120);
        assert_int_equal(tally.begins + tally.ends, 0);
        kit_assert_near_vec2(graze_body_position(world, body), start.x, start.y, 1e-5f);
        graze_world_destroy(world);
    }
}

static void without_restitution_a_bounce_is_a_slide(void **state)
{
    (void)state;
    graze_vec2 ends[2];
    for (int i = 0; i < 2; ++i) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -100, 30, 100, -30);
        graze_body_def def = bouncing(kit_shape_at(0, 0, 3, 0), 0, 0, 0);
        def.response = i ? GRAZE_SLIDE : GRAZE_BOUNCE;
        graze_body_id body = kit_add(world, def);
        for (int step = 0; step < 200; ++step) {
            kit_step(world, 1.0f / 60);
        }
        ends[i] = graze_body_position(world, body);
        graze_world_destroy(world);
    }
    kit_assert_near_vec2(ends[0], ends[1].x, ends[1].y, 1e-3f);
}

// A ball hardly moves when it stops rising, as if it were jammed; it makes no difference whether a
// wall is near. Gravity takes 1/8 a step: after three steps all are within a 256th of rest.
static void a_ball_falls_from_the_top_of_its_flight_as_if_it_met_nothing(void **state)
{
    (void)state;
    for (int k = -40; k <= 40; ++k) {
        graze_world *world = kit_world_with_gravity(0, -8);
        kit_wall(world, -100, 1.5f, -50, 1.5f);
        kit_wall(world, 0, 1.5f, 0, 20);
        const float speed = 3 * 0.125f + (float)k / 40 * 0x1p-11f;
        graze_body_id bodies[3];
        for (int i = 0; i < 3; ++i) {
            graze_body_def def = kit_circle(i < 2 ? 0.503f : 100, 3, 0.5f);
            def = bouncing(def, 0, (double)speed, 1);
            def.response = i ? GRAZE_BOUNCE : GRAZE_PASS;
            def.filter.group = -1;
            bodies[i] = kit_add(world, def);
        }
        for (int step = 0; step < 20; ++step) {
            kit_step(world, 1.0f / 64);
            for (int i = 1; i < 3; ++i) {
                const graze_vec2 velocity = graze_body_velocity(world, bodies[i]);
                kit_assert_same_vec2(velocity, graze_body_velocity(world, bodies[0]));
            }
        }
        graze_world_destroy(world);
    }
}

// The larger restitution counts, but what gives no way is not thrown back.
static void what_slides_bounces_off_nothing_that_gives_no_way(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 20; ++k) {
        graze_world *world = kit_world();
        graze_body_def block =
            kit_moving_mass(kit_rect(2, 0, 0.5f, 0.5f), 0, 0, (graze_response)(k % 5), 0);
        block.restitution = 0.75f;
        kit_add(world, block);
        graze_body_def def = k / 5 % 2 ? kit_rect(0, 0, 0.5f, 0.5f) : kit_circle(0, 0, 0.5f);
        def = kit_moving(def, k / 10 ? 3 : 30, 0, GRAZE_SLIDE);
        def.restitution = 0.5f;
        const graze_body_id body = kit_add(world, def);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
        }
        kit_assert_near(graze_body_position(world, body).x, 1, 0.02f);
        kit_assert_near(graze_body_velocity(world, body).x, 0, 1e-3f);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_gives_back_its_share_of_the_speed),
        cmocka_unit_test(every_bounce_of_a_step_is_a_contact_with_its_time),
        cmocka_unit_test(a_fifth_bounce_is_left_to_the_next_step),
        cmocka_unit_test(restitution_1_keeps_the_energy),
        cmocka_unit_test(whatever_slides_or_bounces_in_a_closed_room_stays_in_it),
        cmocka_unit_test(the_last_of_n_bounces_removes_the_body),
        cmocka_unit_test(a_bullet_ricochets_off_bodies_too),
        cmocka_unit_test(a_ball_comes_to_rest),
        cmocka_unit_test(a_ball_comes_to_rest_from_any_height),
        cmocka_unit_test(a_ball_comes_to_rest_on_a_crate),
        cmocka_unit_test(a_ball_of_restitution_1_keeps_its_height),
        cmocka_unit_test(a_ball_comes_to_rest_between_two_walls),
        cmocka_unit_test(without_restitution_a_bounce_is_a_slide),
        cmocka_unit_test(what_slides_bounces_off_nothing_that_gives_no_way),
        cmocka_unit_test(a_ball_falls_from_the_top_of_its_flight_as_if_it_met_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
