// Floors of many chains: what slides over them is not caught where two of them join.
#include "response_kit.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { PIECES = 60 };

/// A floor along the x axis turned by `angle`, its pieces as long as a tile.
typedef struct floor_plan {
    graze_vec2 origin;
    double angle, tile;
    bool of_tiles; ///< Squares, which meet with two corners each; else single walls.
    bool backwards;
} floor_plan;

static graze_vec2 place_on(const floor_plan *plan, double along, double above)
{
    const double c = cos(plan->angle);
    const double s = sin(plan->angle);
    const graze_vec2 place = {(float)((double)plan->origin.x + c * along - s * above),
                              (float)((double)plan->origin.y + s * along + c * above)};
    return place;
}

static void lay_floor(graze_world *world, const floor_plan *plan)
{
    for (int i = 0; i < PIECES; ++i) {
        const int place = plan->backwards ? PIECES - 1 - i : i;
        const double start = plan->tile * place;
        const double end = plan->tile * (place + 1);
        const graze_vec2 corners[4] = {place_on(plan, end, 0), place_on(plan, start, 0),
                                       place_on(plan, start, -plan->tile),
                                       place_on(plan, end, -plan->tile)};
        kit_chain(world, corners, plan->of_tiles ? 4 : 2, plan->of_tiles, false);
    }
}

static double lowest_of(const graze_body_def *rect, double floor_angle)
{
    const double turn = (double)rect->angle - floor_angle;
    return (double)rect->shape.half.x * fabs(sin(turn)) +
           (double)rect->shape.half.y * fabs(cos(turn));
}

static void a_rect_slides_over_the_joints_of_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        const floor_plan plan = {
            .origin = {random_float(&random, -100, 100), random_float(&random, -100, 100)},
            .angle = 0,
            .tile = (double)random_float(&random, 0.3f, 2),
            .of_tiles = seed % 2};
        graze_world *world = kit_world_with_gravity(0, -10);
        lay_floor(world, &plan);
        graze_body_def def = kit_rect(0, 0, 0.5f, random_float(&random, 0.1f, 0.5f));
        def.angle = seed % 3 ? random_float(&random, 0.3f, 1.3f) : 0;
        def.position = place_on(&plan, 2 * plan.tile, lowest_of(&def, 0) + 0.3);
        def = kit_moving(def, 5, 0, seed % 5 ? GRAZE_SLIDE : GRAZE_BOUNCE);
        graze_body_id body = kit_add(world, def);
        const float end = place_on(&plan, 56 * plan.tile, 0).x;
        for (int i = 0; i < 1500 && graze_body_position(world, body).x < end; ++i) {
            kit_step(world, 1.0f / 60);
            kit_assert_near(graze_body_velocity(world, body).x, 5, 1e-5f);
        }
        assert_true(graze_body_position(world, body).x >= end);
        graze_world_destroy(world);
    }
}

static void a_point_slides_over_the_joints_of_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        const floor_plan plan = {.origin = {(float)random_below(&random, 200), -3},
                                 .angle = 0,
                                 .tile = 1,
                                 .of_tiles = seed % 2,
                                 .backwards = seed % 3 == 0};
        graze_world *world = kit_world_with_gravity(0, -10);
        lay_floor(world, &plan);
        graze_body_def def = kit_circle(plan.origin.x + 2.3f, plan.origin.y + 0.001f, 0);
        const float speed = random_float(&random, 1, 90) * (seed % 5 ? 1.0f : -1.0f);
        def.position.x += speed < 0 ? 55 : 0;
        def = kit_moving(def, speed, 0, seed % 4 ? GRAZE_SLIDE : GRAZE_BOUNCE);
        graze_body_id body = kit_add(world, def);
        for (int i = 0; i < 30; ++i) {
            const float x = graze_body_position(world, body).x;
            kit_step(world, 1.0f / 60);
            const graze_vec2 at = graze_body_position(world, body);
            const float now = graze_body_velocity(world, body).x;
            if (now != speed || fabsf(at.x - x - speed / 60) > 1e-4f || at.y < plan.origin.y) {
                fail_msg("seed %u, step %d: at (%.9g, %.9g), speed %.9g instead of %.9g",
                         (unsigned)seed, i, (double)at.x, (double)at.y, (double)now, (double)speed);
            }
        }
        graze_world_destroy(world);
    }
}

// The body sinks in a little where it lies, so that the ends of the next walls are in its way.
static void a_circle_slides_over_the_joints_of_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        random_state random = random_seed(seed);
        const floor_plan plan = {
            .origin = {random_float(&random, -100, 100), random_float(&random, -100, 100)},
            .angle = seed % 3 ? (double)random_float(&random, -3, 3) : 0,
            .tile = (double)random_float(&random, 0.3f, 2),
            .of_tiles = seed % 2};
        const graze_vec2 course = place_on(&(floor_plan){.angle = plan.angle}, 5, 0);
        graze_world *world = kit_world_with_gravity(2 * course.y, -2 * course.x);
        lay_floor(world, &plan);
        graze_body_def def = kit_circle(0, 0, random_float(&random, 0.1f, 1));
        def.position = place_on(&plan, 2 * plan.tile, (double)def.shape.radius + 0.3);
        def = kit_moving(def, course.x, course.y, seed % 5 ? GRAZE_SLIDE : GRAZE_BOUNCE);
        const graze_body_id body = kit_add(world, def);
        const double least = plan.angle == 0 ? 1 - 1e-6 : 0.999;
        double speed = 5;
        for (int i = 0; i < 1500; ++i) {
            kit_step(world, 1.0f / 60);
            const double now = kit_along(graze_body_velocity(world, body), plan.angle);
            const graze_vec2 way = graze_vec2_sub(graze_body_position(world, body), plan.origin);
            if (kit_along(way, plan.angle) > 56 * plan.tile) {
                break;
            }
            if (!(now >= least * speed) || i == 1499) {
                fail_msg("seed %d, step %d: speed %.9g after %.9g", (int)seed, i, now, speed);
            }
            speed = now;
        }
        graze_world_destroy(world);
    }
}

// The game sets a body's velocity before each step, to the right and against one side of a passage,
// until the body is at end_x. In each step it goes right by no less and no more than allowed.
static void assert_goes_along(graze_world *world, graze_body_id body, graze_vec2 push, float end_x,
                              float allowed, uint64_t seed)
{
    for (int i = 0; i < 60 && graze_body_position(world, body).x < end_x; ++i) {
        const float before = graze_body_position(world, body).x;
        graze_body_set_velocity(world, body, push);
        kit_step(world, 1.0f / 60);
        const float way = graze_body_position(world, body).x - before;
        if (fabsf(way - push.x / 60) > allowed) {
            fail_msg("seed %u, step %d: went %.9g instead of %.9g", (unsigned)seed, i, (double)way,
                     (double)push.x / 60);
        }
    }
}

// Two rows of tiles that are `tile` apart: of their sides along the passage, or of all four.
static void lay_passage(graze_world *world, float x, float y, float tile, bool all_sides)
{
    const uint32_t count = all_sides ? 4 : 2;
    for (int i = 0; i < 20; ++i) {
        const float start = x + tile * (float)i;
        const float end = start + tile;
        const graze_vec2 below[] = {{end, y}, {start, y}, {start, y - tile}, {end, y - tile}};
        const graze_vec2 above[] = {
            {start, y + tile}, {end, y + tile}, {end, y + 2 * tile}, {start, y + 2 * tile}};
        kit_chain(world, below, count, all_sides, false);
        kit_chain(world, above, count, all_sides, false);
    }
}

static void assert_goes_through(uint64_t seed, random_state *random, float tile, graze_body_def def)
{
    const float x = tile * (float)random_below(random, 20);
    const float y = tile * (float)random_below(random, 20);
    graze_world *world = kit_world_with_gravity(0, seed % 3 ? -20 : 0);
    lay_passage(world, x, y, tile, seed % 5 == 0);
    def.position.x = x + 2 * tile;
    def.position.y = y + tile / 2;
    const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
    const graze_vec2 push = {tile * (float)(1 + 3 * random_below(random, 5)),
                             tile * (float)((int)random_below(random, 5) - 2)};
    assert_goes_along(world, body, push, x + 18 * tile, 1e-3f * tile, seed);
    graze_world_destroy(world);
}

// The body touches both walls all the way. Pushed at one of them, it must not be held by the joints
// of the other.
static void a_rect_slides_through_a_passage_that_it_fits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; ++seed) {
        random_state random = random_seed(seed);
        const float tile = seed % 2 ? 1 : 16;
        const float half = tile * (float)(1 + random_below(&random, 15)) / 16;
        assert_goes_through(seed, &random, tile, kit_rect(0, 0, half, tile / 2));
    }
}

// The circle must not be lifted at the joints of one wall into the other, and stand between them.
static void a_circle_slides_through_a_passage_of_little_room(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; ++seed) {
        random_state random = random_seed(seed);
        const float tile = seed % 2 ? 1 : 16;
        const float room = seed % 7 ? powf(10, random_float(&random, -7, -1.5f)) : 0;
        assert_goes_through(seed, &random, tile, kit_circle(0, 0, tile / 2 * (1 - room)));
    }
}

// While the body comes through, the shortest way out leads back, off the end of the wall.
static void a_rect_comes_through_a_one_sided_wall_near_its_end(void **state)
{
    (void)state;
    const graze_vec2 points[] = {{4.15415f, 9.09632f}, {8.41254f, 5.40641f}, {10, 0}};
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        kit_chain(world, points, 3, false, true);
        const graze_response response = seed % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
        const float half_y = random_float(&random, 0.1f, 1.5f);
        const float half_x = random_float(&random, 0.1f, 1.5f);
        const float y = random_float(&random, 4, 5);
        graze_body_def def = kit_rect(random_float(&random, 7.5f, 8.5f), y, half_x, half_y);
        def.angle = seed % 3 ? 0 : random_float(&random, -3, 3);
        graze_body_id body = kit_add(world, kit_moving(def, 30, 17, response));
        for (int i = 0; i < 40; ++i) {
            kit_step(world, 1.0f / 60);
        }
        const graze_vec2 velocity = graze_body_velocity(world, body);
        const float way = graze_body_position(world, body).x - def.position.x;
        if (velocity.x != 30 || velocity.y != 17 || way <= 19) {
            fail_msg("seed %u: went %.9g, velocity (%.9g, %.9g)", (unsigned)seed, (double)way,
                     (double)velocity.x, (double)velocity.y);
        }
        graze_world_destroy(world);
    }
}

static void a_rect_slides_over_a_level_row_of_bodies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        random_state random = random_seed(seed);
        const float half = random_float(&random, 0.1f, 1);
        const graze_vec2 origin = {random_float(&random, -1000, 1000), 0};
        graze_world *world = kit_world_with_gravity(0, -10);
        for (int i = 0; i < PIECES; ++i) {
            const float x = origin.x + half * (2 * (float)i + 1);
            graze_body_def tile = kit_rect(x, -0.5f, half, 0.5f);
            tile.mass = 0;
            kit_add(world, tile);
        }
        graze_body_def def = kit_rect(origin.x + 2, 0.4f, 0.5f, 0.3f);
        def = kit_moving(def, 5, 0, seed % 5 ? GRAZE_SLIDE : GRAZE_BOUNCE);
        const graze_body_id body = kit_add(world, def);
        const float end = origin.x + 1.8f * half * PIECES;
        for (int i = 0; i < 1500 && graze_body_position(world, body).x < end; ++i) {
            kit_step(world, 1.0f / 60);
            kit_assert_near(graze_body_velocity(world, body).x, 5, 1e-5f);
        }
        assert_true(graze_body_position(world, body).x >= end);
        graze_world_destroy(world);
    }
}

// The part of its speed that a body keeps at a joint: each of its steps passes one at most.
static void assert_keeps_speed(graze_body_def def, const floor_plan *plan, float share)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    lay_floor(world, plan);
    graze_body_id body = kit_add(world, kit_moving(def, 5, 0, GRAZE_SLIDE));
    const float end = place_on(plan, 56 * plan->tile, 0).x;
    float speed = 5;
    for (int i = 0; i < 1500 && graze_body_position(world, body).x < end; ++i) {
        kit_step(world, 1.0f / 60);
        const float now = graze_body_velocity(world, body).x;
        assert_true(now >= share * speed && now <= 5.00001f);
        speed = now;
    }
    assert_true(graze_body_position(world, body).x >= end);
    graze_world_destroy(world);
}

static void what_joints_cost_others_is_bounded(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        random_state random = random_seed(seed);
        const floor_plan plan = {
            .origin = {random_float(&random, -100, 100), random_float(&random, -100, 100)},
            .tile = (double)random_float(&random, 0.3f, 2),
            .of_tiles = seed % 2};
        graze_body_def leaning = kit_rect(0, 0, 0.5f, random_float(&random, 0.1f, 0.5f));
        leaning.angle = random_float(&random, 0.01f, 0.26f);
        leaning.position = place_on(&plan, 2 * plan.tile, lowest_of(&leaning, 0) + 0.3);
        assert_keeps_speed(leaning, &plan, 0.93f);
    }
}

// The leading side is in line with a joint, or a rounding step beside it. The game sets the body's
// velocity before each step.
static void a_rect_that_stands_at_a_joint_goes_on(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < 240; ++variant) {
        const floor_plan plan = {.angle = variant % 4 * pi / 2,
                                 .tile = variant % 3 == 0 ? 1 : 0.3,
                                 .of_tiles = variant / 4 % 2,
                                 .backwards = variant / 8 % 2};
        const graze_vec2 down = place_on(&plan, 0, -10);
        graze_world *world = kit_world_with_gravity(down.x, down.y);
        lay_floor(world, &plan);
        graze_body_def def = kit_rect(0, 0, 0.5f, 0.4f);
        def.angle = (float)plan.angle;
        const double beside = (variant / 16 % 5 - 2.0) * 1e-7;
        def.position = place_on(&plan, plan.tile * 8 - 0.5 + beside, 0.4);
        def.response = variant / 80 % 2 ? GRAZE_BOUNCE : GRAZE_SLIDE;
        graze_body_id body = kit_add(world, def);
        for (int i = 0; i < 60; ++i) {
            const graze_vec2 fall = graze_body_velocity(world, body);
            const double sinking = -kit_along(fall, plan.angle + pi / 2);
            const graze_vec2 speed = {(float)(2 * cos(plan.angle) + sinking * sin(plan.angle)),
                                      (float)(2 * sin(plan.angle) - sinking * cos(plan.angle))};
            graze_body_set_velocity(world, body, speed);
            kit_step(world, 1.0f / 60);
        }
        graze_vec2 moved = graze_vec2_sub(graze_body_position(world, body), def.position);
        kit_assert_near((float)kit_along(moved, plan.angle), 2, 1e-3f);
        graze_world_destroy(world);
    }
}

// The body is pushed at the wall, mostly from where one of its ends is in line with a joint.
static void a_rect_that_is_pushed_at_a_wall_goes_along_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; ++seed) {
        random_state random = random_seed(seed);
        const floor_plan plan = {.origin = {(float)(seed % 7 * 40), (float)(seed % 5 * 16)},
                                 .angle = (double)(seed % 4) * pi / 2 + (seed % 3 ? 0 : 0.3),
                                 .tile = seed % 9 < 4 ? 1 : 16,
                                 .of_tiles = seed / 4 % 2,
                                 .backwards = seed / 8 % 2};
        const double half =
            plan.tile * (seed / 16 % 2 ? 0.5 : (double)random_float(&random, 0.2f, 1));
        const double sense = seed / 32 % 2 ? 1 : -1;
        graze_world *world = kit_world();
        lay_floor(world, &plan);
        graze_body_def def = kit_rect(0, 0, (float)half, (float)plan.tile * 0.5f);
        def.angle = (float)plan.angle;
        const double beside = plan.tile * (double)random_float(&random, -1e-7f, 1e-7f);
        def.position = place_on(&plan, plan.tile * 24 - sense * half + beside, plan.tile * 0.5);
        def.response = seed / 64 % 2 ? GRAZE_BOUNCE : GRAZE_SLIDE;
        graze_body_id body = kit_add(world, def);
        const double speed = sense * plan.tile * (double)random_float(&random, 0.5f, 4);
        const double push = fabs(speed) * (double)random_float(&random, 0.1f, 3);
        const double c = cos(plan.angle);
        const double s = sin(plan.angle);
        for (int i = 0; i < 60; ++i) {
            const graze_vec2 velocity = {(float)(speed * c + push * s),
                                         (float)(speed * s - push * c)};
            graze_body_set_velocity(world, body, velocity);
            kit_step(world, 1.0f / 60);
        }
        graze_vec2 moved = graze_vec2_sub(graze_body_position(world, body), def.position);
        if (fabs(kit_along(moved, plan.angle) - speed) > 2e-3 * plan.tile) {
            fail_msg("seed %d: it went %g, not %g", (int)seed, kit_along(moved, plan.angle), speed);
        }
        graze_world_destroy(world);
    }
}

// The lowest steps that are more than rounding.
static void a_step_of_the_floor_stops_a_rect(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < 8; ++variant) {
        const floor_plan plan = {.tile = 1, .of_tiles = variant & 1};
        graze_world *world = kit_world_with_gravity(0, -10);
        lay_floor(world, &plan);
        const float height = variant & 2 ? 0.5f : 0.0005f;
        kit_wall(world, 12, variant & 4 ? -height : 0, 12, height);
        graze_body_def def = kit_rect(10, 0.4f, 0.5f, 0.4f);
        graze_body_id body = kit_add(world, kit_moving(def, 5, 0, GRAZE_SLIDE));
        for (int i = 0; i < 60; ++i) {
            kit_step(world, 1.0f / 60);
        }
        kit_assert_near_vec2(graze_body_position(world, body), 11.5f, 0.4f, 1e-5f);
        kit_assert_near(graze_body_velocity(world, body).x, 0, 1e-6f);
        graze_world_destroy(world);
    }
}

static void a_circle_slides_over_a_low_step_of_the_floor(void **state)
{
    (void)state;
    const float heights[] = {0.0005f, 0.01f, 0.2f};
    for (int i = 0; i < 3; ++i) {
        const graze_vec2 points[4] = {{0, 0}, {12, 0}, {12, heights[i]}, {30, heights[i]}};
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_chain(world, points, 4, false, false);
        const graze_body_def def = kit_circle(10, 0.5f, 0.5f);
        const graze_body_id body = kit_add(world, kit_moving(def, 5, 0, GRAZE_SLIDE));
        for (int step = 0; step < 90; ++step) {
            kit_step(world, 1.0f / 60);
        }
        assert_true(graze_body_position(world, body).x > 12.5f);
        kit_assert_near(graze_body_position(world, body).y, 0.5f + heights[i], 1e-4f);
        assert_true(graze_body_velocity(world, body).x < 5);
        graze_world_destroy(world);
    }
}

// --- Bodies that continue each other ---

// Far from the origin, gravity leads into the lower row by less in a step than rounding may.
static void what_fits_goes_through_between_rows_of_bodies(void **state)
{
    (void)state;
    static const float distances[] = {0, 300, 30000, 100000};
    for (uint64_t seed = 1; seed <= 800; ++seed) {
        random_state random = random_seed(seed);
        const float distance = distances[seed % 4];
        const float x = distance + (float)random_below(&random, 200);
        const float y = distance * (float)random_integer(&random, -1, 1);
        graze_world *world = kit_world_with_gravity(0, seed % 3 ? -20 : 0);
        for (int i = 0; i < 40; ++i) {
            graze_body_def tile =
                kit_rect(x + (float)(i / 2) + 0.5f, y + (i % 2 ? 1.5f : -0.5f), 0.5f, 0.5f);
            tile.mass = 0;
            kit_add(world, tile);
        }
        const float half = (float)(1 + random_below(&random, 15)) / 16;
        const graze_body_def def = seed / 4 % 2 ? kit_rect(x + 2, y + 0.5f, half, 0.5f)
                                                : kit_circle(x + 2, y + 0.5f, 0.5f);
        const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
        const graze_vec2 push = {(float)(1 + 3 * random_below(&random, 5)),
                                 (float)random_integer(&random, -2, 2)};
        const float allowed = 0.01f * push.x / 60 + 0x1p-22f * distance;
        assert_goes_along(world, body, push, x + 18, allowed, seed);
        graze_world_destroy(world);
    }
}

// Rects side by side, as a bridge, that nothing moves; and one that is pressed at them and slides.
static double slowest_on_bridge(int kind, double angle, double distance)
{
    const double along_x = cos(angle), along_y = sin(angle);
    graze_world *world = kit_world_with_gravity((float)(10 * along_y), (float)(-10 * along_x));
    for (int i = 0; i < 40; ++i) {
        graze_body_def plank =
            kit_rect((float)(distance + i * along_x), (float)(distance + i * along_y), 0.5f, 0.25f);
        plank.angle = (float)angle;
        plank.mass = 0;
        kit_add(world, plank);
    }
    const float x = (float)(distance + 2 * along_x - 0.57 * along_y);
    const float y = (float)(distance + 2 * along_y + 0.57 * along_x);
    graze_body_def def = kind ? kit_rect(x, y, 0.4f, 0.3f) : kit_circle(x, y, 0.3f);
    def.angle = kind == 2 ? (float)angle + 0.3f : (float)angle * (float)kind;
    const graze_body_id body = kit_add(world, kit_sliding(def, 5 * along_x, 5 * along_y));
    double slowest = 5;
    for (int step = 0; step < 360; ++step) {
        kit_step(world, 1.0f / 60);
        slowest = fmin(slowest, kit_along(graze_body_velocity(world, body), angle));
    }
    graze_world_destroy(world);
    return slowest;
}

static void a_bridge_of_turned_rects_is_slid_over(void **state)
{
    (void)state;
    const double least[] = {4.9, 4.999, 3}; // A rect that leans may lose a tenth at a joint.
    for (int kind = 0; kind < 3; ++kind) {
        for (int i = -40; i <= 40; ++i) {
            const double angle = 0.035 * i;
            const double slowest = slowest_on_bridge(kind, angle, i % 2 ? 0 : 100);
            if (slowest < least[kind]) {
                fail_msg("shape %d, angle %g: %g", kind, angle, slowest);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_goes_through_between_rows_of_bodies),
        cmocka_unit_test(a_rect_slides_over_the_joints_of_chains),
        cmocka_unit_test(a_point_slides_over_the_joints_of_chains),
        cmocka_unit_test(a_circle_slides_over_the_joints_of_chains),
        cmocka_unit_test(a_rect_slides_through_a_passage_that_it_fits),
        cmocka_unit_test(a_circle_slides_through_a_passage_of_little_room),
        cmocka_unit_test(a_rect_comes_through_a_one_sided_wall_near_its_end),
        cmocka_unit_test(a_rect_slides_over_a_level_row_of_bodies),
        cmocka_unit_test(what_joints_cost_others_is_bounded),
        cmocka_unit_test(a_rect_that_stands_at_a_joint_goes_on),
        cmocka_unit_test(a_rect_that_is_pushed_at_a_wall_goes_along_it),
        cmocka_unit_test(a_step_of_the_floor_stops_a_rect),
        cmocka_unit_test(a_circle_slides_over_a_low_step_of_the_floor),
        cmocka_unit_test(a_bridge_of_turned_rects_is_slid_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
