// Bodies that slide: along one wall and many, far from the origin, and along other bodies.

#include "response_kit.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// --- One wall ---

// The wall turned by `turn`; the mover comes from 2 units above it at `slope` below the wall.
static void assert_slides(int kind, double turn, double slope)
{
    graze_world *world = kit_world();
    graze_chain_id wall = kit_wall_at(world, 0, 0, turn, 100);
    double speed = 8;
    double distance = 2 + kit_reach[kind];
    graze_body_def def = kit_shape_at(kind, -distance * sin(turn), distance * cos(turn), turn);
    def = kit_sliding(def, speed * cos(turn - slope), speed * sin(turn - slope));
    graze_body_id body = kit_add(world, def);
    kit_step(world, 1);
    graze_vec2 end = graze_body_position(world, body);
    graze_vec2 velocity = graze_body_velocity(world, body);
    float tolerance = 1e-5f;
    kit_assert_near((float)kit_along(end, turn), (float)(speed * cos(slope)), tolerance);
    kit_assert_near((float)kit_along(end, turn + pi / 2), (float)kit_reach[kind], tolerance);
    kit_assert_near((float)kit_along(velocity, turn), (float)(speed * cos(slope)), tolerance);
    kit_assert_near((float)kit_along(velocity, turn + pi / 2), 0, tolerance);
    const graze_contact *contact = kit_find_wall_contact(world, body, wall);
    assert_non_null(contact);
    kit_assert_near(contact->time, (float)(2 / (speed * sin(slope))), 1e-5f);
    assert_int_equal(contact->flags, GRAZE_CONTACT_BLOCKED);
    graze_world_destroy(world);
}

static void the_rest_of_the_way_goes_along_the_wall(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (int turn = 0; turn < 24; ++turn) {
            for (double slope = 0.3; slope < pi / 2; slope += 0.2) {
                assert_slides(kind, turn * pi / 12 + 0.01, slope);
            }
        }
    }
}

static void straight_into_a_wall_nothing_is_left(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        graze_world *world = kit_world();
        kit_wall_at(world, 0, 0, 0, 100);
        graze_body_id body = kit_add(world, kit_sliding(kit_shape_at(kind, 3, 2, 0), 0, -8));
        kit_step(world, 1);
        const graze_vec2 rest = {0, 0};
        kit_assert_same_vec2(graze_body_velocity(world, body), rest);
        kit_assert_near_vec2(graze_body_position(world, body), 3, (float)kit_reach[kind], 1e-6f);
        graze_world_destroy(world);
    }
}

static void friction_takes_what_the_surface_took_times_itself(void **state)
{
    (void)state;
    const struct {
        float velocity_x, velocity_y, friction, end_x;
    } table[] = {
        {10, -4, 0, 10},        {10, -4, 0.5f, 8}, {-10, -4, 0.5f, -8}, {10, -4, 1, 6},
        {3, -4, 0.5f, 1},       {2, -4, 0.5f, 0},  {1, -4, 1, 0},       {-1, -4, 1, 0},
        {10, -0.01f, 1, 9.99f}, {0, -4, 1, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        for (int kind = 0; kind < KIT_SHAPES; ++kind) {
            graze_world *world = kit_world();
            kit_wall_at(world, 0, 0, 0, 100);
            graze_body_def def = kit_shape_at(kind, 0, kit_reach[kind], 0);
            def = kit_sliding(def, (double)table[i].velocity_x, (double)table[i].velocity_y);
            def.friction = kit_friction_on_walls((double)table[i].friction);
            graze_body_id body = kit_add(world, def);
            kit_step(world, 1);
            kit_assert_near_vec2(graze_body_velocity(world, body), table[i].end_x, 0, 1e-6f);
            kit_assert_near(graze_body_position(world, body).x, table[i].end_x, 1e-5f);
            graze_world_destroy(world);
        }
    }
}

// On a slope of angle s, gravity g adds g * (sin s - friction * cos s) along it, in every step.
static void a_slope_drives_a_body_by_what_friction_leaves(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        for (double slope = 0.1; slope < 1.4; slope += 0.3) {
            for (double friction = 0; friction <= 1; friction += 0.25) {
                graze_world *world = kit_world_with_gravity(0, -10);
                kit_wall_at(world, 0, 0, -slope, 500);
                graze_body_def def = kit_shape_at(kind, kit_reach[kind] * sin(slope) + 1e-5,
                                                  kit_reach[kind] * cos(slope) + 1e-5, -slope);
                def = kit_sliding(def, 0, 0);
                def.friction = kit_friction_on_walls(friction);
                graze_body_id body = kit_add(world, def);
                for (int step = 0; step < 120; ++step) {
                    kit_step(world, 1.0f / 60);
                }
                double gain = sin(slope) - friction * cos(slope);
                double speed = gain > 0 ? 2 * 10 * gain : 0;
                kit_assert_near((float)kit_speed(world, body), (float)speed, 2e-3f);
                graze_world_destroy(world);
            }
        }
    }
}

// --- Many walls in one step ---

// The velocity nearest to the desired one that leads out of no wall: the desired one itself, one
// along a wall, or 0. An implementation of its own, for the walls of a convex room seen from
// inside.
static void nearest_velocity(const double wish[2], const double normals[][2], int count,
                             double velocity[2])
{
    double best = 0;
    velocity[0] = velocity[1] = 0;
    bool wish_is_free = true;
    for (int i = 0; i < count; ++i) {
        wish_is_free = wish_is_free && wish[0] * normals[i][0] + wish[1] * normals[i][1] <= 1e-9;
        for (int sign = -1; sign <= 1; sign += 2) {
            double way[2] = {-sign * normals[i][1], sign * normals[i][0]};
            double speed = wish[0] * way[0] + wish[1] * way[1];
            bool is_free = speed > best;
            for (int k = 0; k < count; ++k) {
                is_free = is_free && way[0] * normals[k][0] + way[1] * normals[k][1] <= 1e-9;
            }
            if (is_free) {
                best = speed;
                velocity[0] = way[0] * speed;
                velocity[1] = way[1] * speed;
            }
        }
    }
    if (wish_is_free) {
        velocity[0] = wish[0];
        velocity[1] = wish[1];
    }
}

/// A convex room around the origin: walls at this distance in these directions.
typedef struct room {
    int count;
    double angles[12];
    double distance;
} room;

static graze_vec2 room_corner(const room *of, int i)
{
    double a = of->angles[i];
    double b = of->angles[(i + 1) % of->count];
    double length = of->distance / cos((b - a) / 2 + (b < a ? pi : 0));
    double middle = (a + b) / 2 + (b < a ? pi : 0);
    graze_vec2 corner = {(float)(length * cos(middle)), (float)(length * sin(middle))};
    return corner;
}

// Slides a point in the room, whose walls are `gap` nearer, with at most four deflections.
static int slide_in_room(const room *of, double gap, double position[2], double velocity[2])
{
    double wish[2] = {velocity[0], velocity[1]};
    double normals[4][2];
    double left = 1;
    int turns = 0;
    while (left > 0 && turns < 4) {
        double first = left;
        int wall = -1;
        for (int i = 0; i < of->count; ++i) {
            double x = cos(of->angles[i]);
            double y = sin(of->angles[i]);
            double into = velocity[0] * x + velocity[1] * y;
            double room_left = of->distance - gap - position[0] * x - position[1] * y;
            if (into > 1e-6 && room_left / into < first) {
                first = room_left > 0 ? room_left / into : 0;
                wall = i;
            }
        }
        position[0] += velocity[0] * first;
        position[1] += velocity[1] * first;
        left -= first;
        if (wall < 0) {
            break;
        }
        normals[turns][0] = cos(of->angles[wall]);
        normals[turns][1] = sin(of->angles[wall]);
        nearest_velocity(wish, (const double(*)[2])normals, ++turns, velocity);
    }
    return turns;
}

static void slide_in_random_room(uint64_t seed, uint32_t turn_counts[5])
{
    random_state random = random_seed(seed);
    room of = {.count = random_integer(&random, 3, 12), .distance = 10};
    for (int i = 0; i < of.count; ++i) {
        double jitter = (double)random_float(&random, -0.2f, 0.2f);
        of.angles[i] = (i + jitter) * 2 * pi / of.count;
    }
    graze_vec2 corners[12];
    for (int i = 0; i < of.count; ++i) {
        corners[i] = room_corner(&of, i);
    }
    graze_world *world = kit_world();
    graze_chain_id chain = kit_loop(world, corners, (uint32_t)of.count);
    double gap = seed % 2 ? 0.5 : 0;
    double position[2] = {(double)random_float(&random, -5, 5),
                          (double)random_float(&random, -5, 5)};
    double angle = (double)random_float(&random, -4, 4);
    double velocity[2] = {80 * cos(angle), 80 * sin(angle)};
    graze_body_def def = kit_shape_at(seed % 2 ? 0 : 2, position[0], position[1], 0);
    graze_body_id body = kit_add(world, kit_sliding(def, velocity[0], velocity[1]));
    kit_step(world, 1);
    int turns = slide_in_room(&of, gap, position, velocity);
    ++turn_counts[turns];
    graze_vec2 end = graze_body_position(world, body);
    graze_vec2 speed = graze_body_velocity(world, body);
    double off = hypot((double)end.x - position[0], (double)end.y - position[1]);
    double fault = hypot((double)speed.x - velocity[0], (double)speed.y - velocity[1]);
    if (!(off < 2e-4) || !(fault < 2e-4)) {
        fail_msg("seed %u, %d turns: at (%.9g, %.9g) not (%.9g, %.9g), velocity (%.9g, %.9g) not "
                 "(%.9g, %.9g)",
                 (unsigned)seed, turns, (double)end.x, (double)end.y, position[0], position[1],
                 (double)speed.x, (double)speed.y, velocity[0], velocity[1]);
    }
    assert_true(turns == 0 || kit_find_wall_contact(world, body, chain) != NULL);
    graze_world_destroy(world);
}

static void the_planes_of_a_step_are_solved_together(void **state)
{
    (void)state;
    uint32_t turn_counts[5] = {0};
    for (uint64_t seed = 1; seed <= 1500; ++seed) {
        slide_in_random_room(seed, turn_counts);
    }
    for (int turns = 1; turns < 4; ++turns) {
        assert_true(turn_counts[turns] > 10);
    }
}

// --- Far from the origin ---

// A body slides along a wall, pressed against it or not. It must go on in every step, and stay as
// near to the wall as floats allow. At a million units the ends of the wall are rounded, so that
// its direction is off by 4e-5.
static void assert_never_sticks(int kind, double x, double y, double turn, bool pressed)
{
    graze_world *world = kit_world();
    kit_wall_at(world, x, y, turn, 1000);
    graze_vec2 velocity = {(float)(60 * cos(turn - 0.5)), (float)(60 * sin(turn - 0.5))};
    double distance = 1 + kit_reach[kind];
    double start_x = x - 500 * cos(turn) - distance * sin(turn);
    double start_y = y - 500 * sin(turn) + distance * cos(turn);
    graze_body_def def = kit_shape_at(kind, start_x, start_y, turn);
    graze_body_id body = kit_add(world, kit_sliding(def, (double)velocity.x, (double)velocity.y));
    for (int step = 0; step < 200; ++step) {
        graze_vec2 before = graze_body_position(world, body);
        if (pressed) {
            graze_body_set_velocity(world, body, velocity);
        }
        kit_step(world, 1.0f / 60);
        graze_vec2 after = graze_body_position(world, body);
        graze_vec2 way = {after.x - before.x, after.y - before.y};
        if (!(kit_along(way, turn) > 0.1 * cos(0.5))) {
            fail_msg("%s at (%g, %g), wall %g: stuck in step %d", kit_shape_names[kind], x, y, turn,
                     step);
        }
    }
    kit_assert_near((float)kit_along(graze_body_velocity(world, body), turn),
                    (float)(60 * cos(0.5)), 2e-3f);
    graze_world_destroy(world);
}

static void a_body_that_slides_far_from_the_origin_never_sticks(void **state)
{
    (void)state;
    const double places[][2] = {{0, 0}, {1e3, 1e3}, {1e5, -1e5}, {1e6, 0}, {1e6, 1e6}, {0, -1e6}};
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
            for (int turn = 0; turn < 6; ++turn) {
                assert_never_sticks(kind, places[i][0], places[i][1], 1.05 * turn + 0.3 * kind,
                                    turn % 2 == 0);
            }
        }
    }
}

// --- Points ---

// A point lies on a wall at 45 degrees exactly, which is neither side of it. `side` is 1 where it
// comes from the wall's left.
static void assert_slides_on(graze_shape shape, int turn, int side)
{
    const double angle = 0.78539816339744831 * turn;
    const float x = roundf((float)cos(angle)), y = roundf((float)sin(angle)); // -1, 0 or 1.
    graze_world *world = kit_world();
    kit_wall(world, 3 - 100 * x, 7 - 100 * y, 3 + 100 * x, 7 + 100 * y);
    const float away = (float)side * 0.37f;
    graze_body_def def = kit_circle(3 - away * y, 7 + away * x, 0);
    def.shape = shape;
    const graze_body_id body = kit_add(world, kit_sliding(def, 0, 0));
    double way = 0;
    for (int step = 0; step < 100; ++step) {
        const graze_vec2 before = graze_body_position(world, body);
        const graze_vec2 velocity = {5 * x + 3 * (float)side * y, 5 * y - 3 * (float)side * x};
        graze_body_set_velocity(world, body, velocity);
        kit_step(world, 1.0f / 60);
        const graze_vec2 after = graze_body_position(world, body);
        const graze_vec2 piece = {after.x - before.x, after.y - before.y};
        way += kit_along(piece, angle);
    }
    const double whole = 5 * hypot((double)x, (double)y) * 100 / 60;
    if (!(way > 0.95 * whole)) {
        fail_msg("turn %d, side %d: %g of %g", turn, side, way, whole);
    }
    graze_world_destroy(world);
}

static void a_point_slides_along_walls_from_both_of_their_sides(void **state)
{
    (void)state;
    for (int turn = 0; turn < 8; ++turn) {
        for (int side = -1; side <= 1; side += 2) {
            assert_slides_on(graze_shape_circle(0), turn, side);
            assert_slides_on(graze_shape_ray(), turn, side);
        }
    }
}

// --- Bodies in the way ---

static void a_body_that_cannot_be_moved_is_slid_along_like_a_wall(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        graze_world *world = kit_world();
        graze_body_id floor = kit_add(world, kit_rect(0, -5, 50, 5));
        graze_body_def def = kit_shape_at(kind, 0, 2 + kit_reach[kind], 0);
        graze_body_id body = kit_add(world, kit_sliding(def, 6, -8));
        kit_step(world, 1);
        kit_assert_near_vec2(graze_body_position(world, body), 6, (float)kit_reach[kind], 1e-5f);
        kit_assert_near_vec2(graze_body_velocity(world, body), 6, 0, 1e-6f);
        const graze_contact *contact = kit_find_contact(world, body, floor);
        assert_non_null(contact);
        kit_assert_near(contact->time, 0.25f, 1e-6f);
        kit_assert_near_vec2(graze_body_position(world, floor), 0, -5, 0);
        graze_world_destroy(world);
    }
}

static void a_corner_of_two_bodies_holds(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        graze_world *world = kit_world();
        kit_add(world, kit_rect(0, -5, 50, 5));
        kit_add(world, kit_circle(58, 0.5f, 50));
        graze_body_id body = kit_add(world, kit_sliding(kit_shape_at(kind, 0, 2, 0), 0, 0));
        const graze_vec2 push = {20, -7};
        for (int step = 0; step < 300; ++step) {
            graze_body_set_velocity(world, body, push);
            kit_step(world, 1.0f / 60);
        }
        kit_assert_held(world, body, &push, 1000, kit_shape_names[kind]);
        graze_world_destroy(world);
    }
}

// More platforms close in on a body than it may be deflected in a step, and leave it no way out.
static graze_vec2 squeeze(uint64_t seed, float unit)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    graze_body_id body = kit_add(world, kit_sliding(kit_circle(0, 0, 0.5f * unit), 0, 0));
    for (int i = 0; i < 8; ++i) {
        const double angle = (double)random_float(&random, 0, 6.28f);
        const float x = unit * (float)cos(angle);
        const float y = unit * (float)sin(angle);
        const float away = random_float(&random, 1, 1.1f);
        const float speed = random_float(&random, 2, 30);
        kit_add(world, kit_moving(kit_circle(x * away, y * away, 0.5f * unit), -x * speed,
                                  -y * speed, GRAZE_PASS));
    }
    for (int i = 0; i < 10; ++i) {
        kit_step(world, 1.0f / 60);
    }
    const graze_vec2 end = graze_body_position(world, body);
    graze_world_destroy(world);
    return graze_vec2_scale(end, 1 / unit);
}

static void what_is_closed_in_on_goes_the_same_way_in_any_units(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        const graze_vec2 end = squeeze(seed, 1);
        kit_assert_same_vec2(squeeze(seed, 0x1p-7f), end);
        kit_assert_same_vec2(squeeze(seed, 0x1p7f), end);
    }
}

static void a_platform_that_moves_carries_and_pushes(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_moving(kit_rect(0, 0, 2, 0.5f), 0, 3, GRAZE_PASS));
    kit_add(world, kit_moving(kit_rect(-20, 0, 1, 5), 4, 0, GRAZE_PASS));
    graze_body_id lifted = kit_add(world, kit_sliding(kit_circle(0.5f, 1, 0.5f), 0, 0));
    graze_body_id pushed = kit_add(world, kit_sliding(kit_rect(-18, 1, 1, 1), 0, 0));
    for (int step = 0; step < 60; ++step) {
        kit_step(world, 1.0f / 60);
    }
    kit_assert_near_vec2(graze_body_position(world, lifted), 0.5f, 4, 1e-4f);
    kit_assert_near_vec2(graze_body_position(world, pushed), -14, 1, 1e-4f);
    kit_assert_near_vec2(graze_body_velocity(world, lifted), 0, 3, 1e-5f);
    graze_world_destroy(world);
}

// A body that stands still has no speed with which rounding could be compared.
static void what_stands_still_takes_the_speed_of_what_hits_it(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIT_SHAPES; ++kind) {
        for (int place = -6; place <= 6; ++place) {
            graze_world *world = kit_world();
            const graze_body_id striker =
                kit_add(world, kit_moving(kit_circle(0, 0, 1), 10, 1, GRAZE_PASS));
            const graze_body_def def = kit_shape_at(kind, 3, 0.1 * place, 0.3);
            const graze_body_id body = kit_add(world, kit_sliding(def, 0, 0));
            kit_step(world, 1);
            const graze_contact *contact = kit_find_contact(world, striker, body);
            assert_non_null(contact);
            const graze_vec2 n = contact->normal;
            const float into = 10 * n.x + n.y;
            const graze_vec2 velocity = graze_body_velocity(world, body);
            kit_assert_near_vec2(velocity, into * n.x, into * n.y, 1e-5f);
            graze_world_destroy(world);
        }
    }
}

// --- Hits ---

static void a_slide_counts_the_beginning_of_each_touch(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_wall(world, -100, 0, 100, 0);
    kit_wall(world, 20, -1, 20, 5);
    graze_body_def def = kit_sliding(kit_circle(0, 2, 0.5f), 60, -60);
    def.hit_limit = 2;
    graze_body_id body = kit_add(world, def);
    int steps = 0;
    for (; graze_body_is_valid(world, body); ++steps) {
        assert_true(steps < 60);
        kit_step(world, 1.0f / 60);
    }
    assert_int_equal(steps, 20);
    kit_assert_near_vec2(graze_body_position(world, body), 19.5f, 0.5f, 1e-4f);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_of_the_way_goes_along_the_wall),
        cmocka_unit_test(straight_into_a_wall_nothing_is_left),
        cmocka_unit_test(friction_takes_what_the_surface_took_times_itself),
        cmocka_unit_test(a_slope_drives_a_body_by_what_friction_leaves),
        cmocka_unit_test(the_planes_of_a_step_are_solved_together),
        cmocka_unit_test(a_body_that_slides_far_from_the_origin_never_sticks),
        cmocka_unit_test(a_point_slides_along_walls_from_both_of_their_sides),
        cmocka_unit_test(a_body_that_cannot_be_moved_is_slid_along_like_a_wall),
        cmocka_unit_test(a_corner_of_two_bodies_holds),
        cmocka_unit_test(what_is_closed_in_on_goes_the_same_way_in_any_units),
        cmocka_unit_test(a_platform_that_moves_carries_and_pushes),
        cmocka_unit_test(what_stands_still_takes_the_speed_of_what_hits_it),
        cmocka_unit_test(a_slide_counts_the_beginning_of_each_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
