// No ghost collisions: what slides along a smooth chain does not feel its joints.
#include "response_kit.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { POINTS = 4001, SHAPES = 3 };

/// A chain and a mover that slides along it.
typedef struct ride {
    graze_vec2 points[POINTS];
    uint32_t count;
    bool loop, one_sided;
    double side; ///< 1: the mover is left of the chain.
    graze_world *world;
    graze_body_id body;
    kit_tally tally;
    double slowest; ///< Speed.
    uint32_t standstills;
} ride;

static const char *const shape_names[SHAPES] = {"circle", "rect", "turned rect"};

static graze_body_def shape_at(int kind, double x, double y)
{
    graze_body_def def =
        kind == 0 ? kit_circle((float)x, (float)y, 0.5f) : kit_rect((float)x, (float)y, 0.6f, 0.4f);
    def.angle = kind == 2 ? 0.3f : 0;
    return def;
}

// How far each of them reaches down.
static double reach_of(int kind)
{
    const double reach[SHAPES] = {0.5, 0.4, 0.4 * cos(0.3) + 0.6 * sin(0.3)};
    return reach[kind];
}

static void start(ride *of, int kind, double x, double y, double velocity_x, double velocity_y,
                  float gravity)
{
    const kit_tally none = {0};
    graze_body_def def = shape_at(kind, x, y);
    of->world = kit_world_with_gravity(0, gravity);
    kit_chain(of->world, of->points, of->count, of->loop, of->one_sided);
    of->body =
        kit_add(of->world, kit_moving(def, (float)velocity_x, (float)velocity_y, GRAZE_SLIDE));
    of->tally = none;
    of->slowest = (double)INFINITY;
    of->standstills = 0;
}

// The direction into the chain across segment i; 0, 0 when there is no such segment.
static graze_vec2 normal_of(const ride *of, uint32_t i)
{
    uint32_t segments = of->count - !of->loop;
    graze_vec2 normal = {0, 0};
    if (i < segments) {
        graze_vec2 a = of->points[i];
        graze_vec2 b = of->points[(i + 1) % of->count];
        double x = (double)b.x - (double)a.x;
        double y = (double)b.y - (double)a.y;
        double scale = of->side / hypot(x, y);
        normal.x = (float)(y * scale);
        normal.y = (float)(-x * scale);
    }
    return normal;
}

static double angle_between(graze_vec2 a, graze_vec2 b)
{
    double cross = (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y;
    return fabs(atan2(cross, dot));
}

static bool is_between(graze_vec2 normal, graze_vec2 first, graze_vec2 second)
{
    if (second.x == 0 && second.y == 0) {
        return angle_between(normal, first) < 1e-6;
    }
    return angle_between(normal, first) + angle_between(normal, second) <
           angle_between(first, second) + 2e-6;
}

// Whether the normal is between those of its wall and of a wall that shares an end with it.
static void assert_normal_is_of_the_chain(const ride *of, const graze_contact *contact)
{
    uint32_t segments = of->count - !of->loop;
    uint32_t i = contact->segment.index;
    uint32_t before = i > 0 ? i - 1 : of->loop ? segments - 1 : segments;
    uint32_t after = of->loop ? (i + 1) % segments : i + 1;
    graze_vec2 own = normal_of(of, i);
    if (!is_between(contact->normal, own, normal_of(of, before)) &&
        !is_between(contact->normal, own, normal_of(of, after))) {
        fail_msg("segment %u, time %g: normal (%.9g, %.9g), the wall's is (%.9g, %.9g)",
                 (unsigned)i, (double)contact->time, (double)contact->normal.x,
                 (double)contact->normal.y, (double)own.x, (double)own.y);
    }
}

static void step_ride(ride *of)
{
    graze_vec2 before = graze_body_position(of->world, of->body);
    kit_step_and_count(of->world, 1.0f / 60, &of->tally);
    graze_contact_list contacts = graze_world_contacts(of->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        assert_normal_is_of_the_chain(of, &contacts.data[i]);
    }
    graze_vec2 after = graze_body_position(of->world, of->body);
    double speed = kit_speed(of->world, of->body);
    double way = hypot((double)after.x - (double)before.x, (double)after.y - (double)before.y);
    of->slowest = fmin(of->slowest, speed);
    of->standstills += way < speed / 60 / 2 && speed > 0.1;
}

static void ride_along(ride *of, int steps)
{
    for (int step = 0; step < steps; ++step) {
        step_ride(of);
    }
}

static void finish(ride *of)
{
    assert_int_equal(of->standstills, 0);
    graze_world_destroy(of->world);
}

// --- Collinear seams ---

static void make_line(ride *of, double x, double y, double dx, double dy)
{
    of->count = POINTS;
    of->loop = false;
    for (uint32_t i = 0; i < of->count; ++i) {
        of->points[i].x = (float)(x + dx * i);
        of->points[i].y = (float)(y + dy * i);
    }
}

static void thousands_of_collinear_seams_cost_no_speed(void **state)
{
    (void)state;
    static ride of;
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (int variant = 0; variant < 8; ++variant) {
            bool backwards = variant & 1;
            bool below = variant & 2;
            double speed = backwards ? -20 : 20;
            double up = below ? -1 : 1;
            make_line(&of, 0, 0, below ? -0.37 : 0.37, 0);
            of.one_sided = variant & 4;
            of.side = 1;
            double x = (backwards ? 1100 : 300) - (below ? 1400 : 0);
            start(&of, kind, x, up * (reach_of(kind) + 0.01), speed, -up * 3, 0);
            ride_along(&of, 2100);
            graze_vec2 end = graze_body_velocity(of.world, of.body);
            kit_assert_near_vec2(end, (float)speed, 0, 1e-12f);
            kit_assert_near(graze_body_position(of.world, of.body).x, (float)(x + speed * 35),
                            0.1f);
            assert_true(of.tally.begins > 1800);
            assert_int_equal(of.tally.dropped, 0);
            finish(&of);
        }
    }
}

// The points of a slope are rounded: it turns by a millionth at every seam, this way and that.
static void a_slope_of_rounded_points_is_as_fast_as_an_exact_one(void **state)
{
    (void)state;
    static ride of;
    of.one_sided = false;
    of.side = 1;
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (int slope = 1; slope <= 6; ++slope) {
            double fall = 0.14 * slope;
            make_line(&of, 0, 0, 0.37, -0.37 * fall);
            start(&of, kind, 3, 1.5, 5, 0, -10);
            ride_along(&of, 600);
            double gain = 10 * fall / (1 + fall * fall);
            double expected = (5 + gain * 10) * sqrt(1 + fall * fall);
            double speed = kit_speed(of.world, of.body);
            if (!(speed > 0.9 * expected && speed < 1.1 * expected)) {
                fail_msg("%s, slope %g: speed %g, not %g", shape_names[kind], fall, speed,
                         expected);
            }
            assert_int_equal(of.tally.dropped, 0);
            finish(&of);
        }
    }
}

// A rect that lies on a slope with its whole side touches all walls below it at once, which
// rounding has tilted by up to a hundredth: it meets one after the other, and must come away from
// them. Some carry one or two others.
static void a_rect_slides_along_a_slope_that_its_side_lies_on(void **state)
{
    (void)state;
    static ride of;
    of.one_sided = false;
    of.side = 1;
    for (uint64_t seed = 1; seed <= 120; ++seed) {
        random_state random = random_seed(seed);
        const double origin = seed % 3 ? seed % 3 == 1 ? 100 : 10000 : 0;
        const double angle = (double)random_float(&random, -0.6f, 0.6f);
        const double wall = (double)random_float(&random, 0.1f, 0.5f);
        const double speed = (double)random_float(&random, 5, 30) * (seed % 2 ? 1 : -1);
        const double half = (double)random_float(&random, 0.2f, 1);
        const double x = cos(angle);
        const double y = sin(angle);
        const double far = wall * (POINTS - 1) / 2;
        make_line(&of, origin - far * x, origin - far * y, wall * x, wall * y);
        const graze_response response = seed % 5 ? GRAZE_SLIDE : GRAZE_BOUNCE;
        graze_body_def def =
            kit_rect((float)(origin - (half + 0.001) * y), (float)(origin + (half + 0.001) * x),
                     (float)(1.3 * half), (float)half);
        def.angle = (float)angle;
        def = kit_moving(def, (float)(speed * x), (float)(speed * y), response);
        graze_world *world = kit_world_with_gravity((float)(10 * y), (float)(-10 * x));
        kit_chain(world, of.points, of.count, of.loop, of.one_sided);
        const graze_body_id body = kit_add(world, def);
        for (uint64_t carried = 0; carried < seed % 4 / 2 + seed % 2; ++carried) {
            def.position.x -= (float)((2 * half + 0.001) * y);
            def.position.y += (float)((2 * half + 0.001) * x);
            kit_add(world, def);
        }
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const graze_vec2 end = graze_body_position(world, body);
        const double way = ((double)end.x - origin) * x + ((double)end.y - origin) * y;
        const double kept = kit_speed(world, body) / fabs(speed);
        if (!(kept > 0.98) || !(way / (2 * speed) > 0.98)) {
            fail_msg("seed %llu: walls of %g at %g: %g of the speed is left, %g of the way made",
                     (unsigned long long)seed, wall, origin, kept, way / (2 * speed));
        }
        graze_world_destroy(world);
    }
}

// --- Turning ---

// A curve whose direction changes by at most `bend` at every point.
static void make_curve(ride *of, uint64_t seed, double bend)
{
    random_state random = random_seed(seed);
    double x = 0;
    double y = 0;
    double angle = 0;
    of->count = POINTS;
    of->loop = false;
    for (uint32_t i = 0; i < of->count; ++i) {
        of->points[i].x = (float)x;
        of->points[i].y = (float)y;
        double step = (double)random_float(&random, 0.02f, 0.6f);
        x += step * cos(angle);
        y += step * sin(angle);
        angle = 0.99 * angle + (double)random_float(&random, (float)-bend, (float)bend);
    }
}

static void curves_are_ridden_without_a_stop(void **state)
{
    (void)state;
    static ride of;
    const double bends[] = {3e-8, 3e-7, 3e-6, 3e-5, 3e-4, 3e-3, 2e-2};
    of.side = 1;
    for (size_t i = 0; i < sizeof bends / sizeof bends[0]; ++i) {
        for (int kind = 0; kind < SHAPES; ++kind) {
            for (uint64_t seed = 1; seed <= 2; ++seed) {
                make_curve(&of, seed, bends[i]);
                of.one_sided = seed % 2;
                start(&of, kind, 2, 2, 12, -4, -10);
                ride_along(&of, 600);
                assert_true(of.tally.contacts > 100);
                assert_true(of.slowest > 6 || bends[i] > 1e-3);
                finish(&of);
            }
        }
    }
}

static void make_hills(ride *of, double x, double spacing)
{
    of->count = POINTS;
    of->loop = false;
    for (uint32_t i = 0; i < of->count; ++i) {
        double along = spacing * i;
        of->points[i].x = (float)(x + along);
        of->points[i].y = (float)(3 * sin(0.08 * along) + sin(0.31 * along));
    }
}

static void hills_and_valleys_have_no_ghosts(void **state)
{
    (void)state;
    static ride of;
    const double places[] = {0, 1000, -1e5};
    of.side = 1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        for (int kind = 0; kind < SHAPES; ++kind) {
            for (int one_sided = 0; one_sided < 2; ++one_sided) {
                make_hills(&of, places[i], 0.25);
                of.one_sided = one_sided;
                start(&of, kind, places[i] + 5, 6, 15, 0, -60);
                for (int step = 0; step < 700; ++step) {
                    step_ride(&of);
                }
                assert_true(of.tally.contacts > 300);
                graze_world_destroy(of.world);
            }
        }
    }
}

static void make_loop(ride *of, uint32_t count, double radius, bool clockwise)
{
    of->count = count;
    of->loop = true;
    for (uint32_t i = 0; i < count; ++i) {
        double angle = (clockwise ? -2 : 2) * pi * i / count;
        of->points[i].x = (float)(radius * cos(angle));
        of->points[i].y = (float)(radius * sin(angle));
    }
    of->side = clockwise ? -1 : 1;
}

// In a wheel of n corners each corner multiplies the speed by the cosine of its angle.
static void inside_a_wheel_only_the_corners_turns_cost_speed(void **state)
{
    (void)state;
    static ride of;
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (int variant = 0; variant < 3; ++variant) {
            make_loop(&of, 720, 50, variant == 1);
            of.one_sided = variant == 2;
            start(&of, kind, 0, -49, 10, 0, 0);
            double speed = 10;
            for (int step = 0; step < 1500; ++step) {
                step_ride(&of);
                graze_vec2 at = graze_body_position(of.world, of.body);
                assert_true(hypot((double)at.x, (double)at.y) < 50);
            }
            double turns = 10 * 25 / (49.5 * 2 * pi / 720);
            speed *= pow(cos(2 * pi / 720), turns);
            assert_true(kit_speed(of.world, of.body) > 0.9 * speed);
            assert_true(of.tally.begins > 300);
            finish(&of);
        }
    }
}

// A body goes around the outside of a wheel, pulled to the middle in every step.
static void around_a_wheel_the_corners_are_rolled_over(void **state)
{
    (void)state;
    static ride of;
    for (int variant = 0; variant < 3; ++variant) {
        make_loop(&of, 720, 20, variant == 1);
        of.side = -of.side;
        of.one_sided = variant == 1;
        start(&of, 0, 0, 20.52, 10, 0, 0);
        for (int step = 0; step < 800; ++step) {
            graze_vec2 at = graze_body_position(of.world, of.body);
            graze_vec2 velocity = graze_body_velocity(of.world, of.body);
            float pull = 20 / 60.0f / 20.5f;
            velocity.x -= at.x * pull;
            velocity.y -= at.y * pull;
            graze_body_set_velocity(of.world, of.body, velocity);
            step_ride(&of);
            at = graze_body_position(of.world, of.body);
            double distance = hypot((double)at.x, (double)at.y);
            assert_true(distance > 20.49 && distance < 20.53);
        }
        assert_true(of.slowest > 9);
        assert_true(of.tally.begins > 300);
        finish(&of);
    }
}

// --- Corners and ends ---

static void the_inner_vertex_of_a_turn_is_met_with_a_normal_of_its_walls(void **state)
{
    (void)state;
    static ride of;
    for (uint64_t seed = 1; seed <= 600; ++seed) {
        random_state random = random_seed(seed);
        of.count = 6;
        of.loop = false;
        of.side = 1;
        of.one_sided = seed % 2;
        float y = 0;
        for (uint32_t i = 0; i < of.count; ++i) {
            of.points[i].x = 2 * (float)i - 5;
            of.points[i].y = y;
            y += random_float(&random, -1, 1);
        }
        int kind = (int)(seed % SHAPES);
        const double speed_x = (double)random_float(&random, 0, 40);
        const double speed_y = (double)random_float(&random, -40, -10);
        start(&of, kind, -4, 5, speed_x, speed_y, 0);
        for (int step = 0; step < 20; ++step) {
            step_ride(&of);
            graze_vec2 at = graze_body_position(of.world, of.body);
            if (at.x > 4) {
                break;
            }
        }
        graze_world_destroy(of.world);
    }
}

// Two walls that meet at the origin; the front of each is its left, and the inner side of the turn.
static void make_inner_corner(random_state *random, graze_vec2 points[3])
{
    const double first = (double)random_float(random, -4, 4);
    const double second = first + (double)random_float(random, 0.2f, 2.9f);
    const graze_vec2 corner[3] = {{(float)(-20 * cos(first)), (float)(-20 * sin(first))},
                                  {0, 0},
                                  {(float)(20 * cos(second)), (float)(20 * sin(second))}};
    memcpy(points, corner, sizeof corner);
}

// Makes one step of a mover that comes from in front of wall `kept` and from behind the other.
static graze_contact_list meet_end(graze_world *world, const graze_vec2 points[3], uint32_t first,
                                   uint32_t count, const graze_body_def *mover)
{
    kit_chain(world, points + first, count, false, true);
    kit_add(world, *mover);
    kit_step(world, 1);
    return graze_world_contacts(world);
}

static void a_wall_ends_where_its_neighbour_is_met_from_behind(void **state)
{
    (void)state;
    uint32_t met = 0;
    for (uint64_t seed = 1; seed <= 2000; ++seed) {
        random_state random = random_seed(seed);
        graze_vec2 points[3];
        make_inner_corner(&random, points);
        const uint32_t kept = seed % 2;
        const graze_vec2 from = {random_float(&random, -2, 2), random_float(&random, -2, 2)};
        graze_body_def mover = shape_at((int)(seed % SHAPES), (double)from.x, (double)from.y);
        const bool front_of_first = graze_orient(points[0], points[1], mover.position) > 0;
        const bool front_of_second = graze_orient(points[1], points[2], mover.position) > 0;
        if (front_of_first != !kept || front_of_second != !!kept) {
            continue;
        }
        mover = kit_moving(mover, -mover.position.x, -mover.position.y, (graze_response)(seed % 3));
        graze_world *both = kit_world();
        graze_world *alone = kit_world();
        graze_contact_list corner = meet_end(both, points, 0, 3, &mover);
        graze_contact_list end = meet_end(alone, points, kept, 2, &mover);
        if (end.count > 0) { // Else it overlaps the wall, or the end lets it pass from the side.
            assert_true(corner.count > 0);
            assert_int_equal(corner.data[0].segment.index, kept);
            assert_true(corner.data[0].time == end.data[0].time);
            kit_assert_near(corner.data[0].normal.x, end.data[0].normal.x, 1e-6f);
            kit_assert_near(corner.data[0].normal.y, end.data[0].normal.y, 1e-6f);
            ++met;
        }
        graze_world_destroy(both);
        graze_world_destroy(alone);
    }
    assert_true(met > 300);
}

// The mover's lower corner comes down on the floor before a step in it, while its centre is beyond
// that step. It must meet the floor from above, however the normal is rounded.
static void a_rect_that_leans_over_a_step_does_not_fall_through_the_floor(void **state)
{
    (void)state;
    const graze_vec2 stairs[] = {{0, 0}, {10, 0}, {10, 1}, {20, 1}};
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        kit_chain(world, stairs, 4, false, seed % 2);
        graze_body_def def = kit_rect(0, 0, 3, 0.5f);
        def.angle = random_float(&random, 1, 1.12f);
        const graze_rotation turn = graze_rotation_from_angle(def.angle);
        def.position.x = 9.35f + 3 * turn.cosine - 0.5f * turn.sine;
        def.position.y = 0.2f + 3 * turn.sine + 0.5f * turn.cosine;
        graze_body_id body = kit_add(world, kit_moving(def, 0, -1, GRAZE_STOP));
        kit_step(world, 1);
        kit_assert_near(graze_body_position(world, body).y, def.position.y - 0.2f, 1e-5f);
        graze_contact_list contacts = graze_world_contacts(world);
        assert_int_equal(contacts.count, 1);
        kit_assert_near(contacts.data[0].normal.x, 0, 1e-6f);
        kit_assert_near(contacts.data[0].normal.y, -1, 1e-6f);
        graze_world_destroy(world);
    }
}

// Stacked boxes are no chain, but a body that slides down their sides passes the joints. A circle
// feels a corner that it overlaps by a rounding r of its size as a slope of sqrt(2 r).
static void a_stack_of_boxes_is_slid_along(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        for (uint64_t seed = 1; seed <= 10; ++seed) {
            random_state random = random_seed(seed);
            graze_world *world = kit_world();
            float x = random_float(&random, -50, 50);
            float half = random_float(&random, 0.3f, 2);
            for (int i = 0; i < 60; ++i) {
                kit_add(world, kit_rect(x, -2 * half * (float)i, half, half));
            }
            graze_body_def def = shape_at(kind, (double)x + (double)half + 0.8, -2);
            graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
            const graze_vec2 push = {-5, -10};
            for (int step = 0; step < 120; ++step) {
                graze_body_set_velocity(world, body, push);
                kit_step(world, 1.0f / 60);
            }
            kit_assert_near(graze_body_position(world, body).y, -22, 1e-2f);
            graze_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_collinear_seams_cost_no_speed),
        cmocka_unit_test(a_slope_of_rounded_points_is_as_fast_as_an_exact_one),
        cmocka_unit_test(a_rect_slides_along_a_slope_that_its_side_lies_on),
        cmocka_unit_test(curves_are_ridden_without_a_stop),
        cmocka_unit_test(hills_and_valleys_have_no_ghosts),
        cmocka_unit_test(inside_a_wheel_only_the_corners_turns_cost_speed),
        cmocka_unit_test(around_a_wheel_the_corners_are_rolled_over),
        cmocka_unit_test(the_inner_vertex_of_a_turn_is_met_with_a_normal_of_its_walls),
        cmocka_unit_test(a_wall_ends_where_its_neighbour_is_met_from_behind),
        cmocka_unit_test(a_rect_that_leans_over_a_step_does_not_fall_through_the_floor),
        cmocka_unit_test(a_stack_of_boxes_is_slid_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
