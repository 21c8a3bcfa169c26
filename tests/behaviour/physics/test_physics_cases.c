// Small scenes that physics engines get wrong, in many frames: mirrored, with axes swapped, scaled,
// and far from the origin.
#include "physics_kit.h"

/// How the scene is laid into the world: mirrored, turned by a right angle, scaled, shifted.
typedef struct frame {
    const char *name;
    double mirror; ///< 1 or -1.
    bool turned;
    double scale, x, y;
} frame;

static const frame frames[] = {
    {"plain", 1, false, 1, 0, 0},           {"mirrored", -1, false, 1, 0, 0},
    {"axes swapped", 1, true, 1, 0, 0},     {"mirrored, axes swapped", -1, true, 1, 0, 0},
    {"a thousandth", 1, false, 1e-3, 0, 0}, {"times a thousand", 1, false, 1e3, 0, 0},
    {"far away", 1, false, 1, 4096, -2048}, {"mirrored, far away", -1, false, 1, -4096, 2048},
};

enum { FRAMES = sizeof frames / sizeof *frames };

static graze_vec2 vector_in(const frame *in, double x, double y)
{
    const double across = in->mirror * x * in->scale, up = y * in->scale;
    const graze_vec2 v = {(float)(in->turned ? up : across), (float)(in->turned ? across : up)};
    return v;
}

static graze_vec2 place_in(const frame *in, double x, double y)
{
    const graze_vec2 v = vector_in(in, x, y);
    const graze_vec2 place = {(float)((double)v.x + in->x), (float)((double)v.y + in->y)};
    return place;
}

static double across_of(const frame *in, graze_vec2 place)
{
    const double x = (double)place.x - in->x, y = (double)place.y - in->y;
    return (in->turned ? y : x) * in->mirror / in->scale;
}

static double up_of(const frame *in, graze_vec2 place)
{
    const double x = (double)place.x - in->x, y = (double)place.y - in->y;
    return (in->turned ? x : y) / in->scale;
}

static graze_world *world_in(const frame *in)
{
    const graze_vec2 gravity = vector_in(in, 0, -10);
    return kit_world_with_gravity(gravity.x, gravity.y);
}

static void floor_in(const frame *in, graze_world *world, double left, double right, double y)
{
    const graze_vec2 points[2] = {place_in(in, left, y), place_in(in, right, y)};
    physics_chain(world, points, 2, false, physics_surface(0.6, 0));
}

static graze_body_def body_in(const frame *in, double x, double y, double half_x, double half_y,
                              double mass)
{
    graze_body_def def = graze_body_def_default();
    const double width = in->scale * (in->turned ? half_y : half_x);
    const double height = in->scale * (in->turned ? half_x : half_y);
    def.shape = half_y > 0 ? graze_shape_rect((float)width, (float)height)
                           : graze_shape_circle((float)(in->scale * half_x));
    def.position = place_in(in, x, y);
    def.mass = (float)mass;
    def.response = mass > 0 ? GRAZE_RIGID : GRAZE_PASS;
    return def;
}

// A heavy body on a light one, with restitution: both come to rest, and say no other velocity.
static void heavy_on_light_says_that_it_rests(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * FRAMES; ++k) {
        const frame *in = &frames[k % FRAMES];
        const bool round = k / FRAMES % 2;
        const double mass = k / FRAMES / 2 ? 100 : 20;
        graze_world *world = world_in(in);
        floor_in(in, world, -20, 20, 0);
        graze_body_def light = body_in(in, 0, 0.5, 0.5, round ? 0 : 0.5, 1);
        graze_body_def heavy = body_in(in, 0, 1.6, 0.5, round ? 0 : 0.5, mass);
        light.surface = heavy.surface = physics_surface(0.6, 0.5);
        const graze_body_id lower = kit_add(world, light), upper = kit_add(world, heavy);
        physics_run(world, 600);
        const double still = hypot((double)graze_body_velocity(world, upper).x,
                                   (double)graze_body_velocity(world, upper).y) +
                             hypot((double)graze_body_velocity(world, lower).x,
                                   (double)graze_body_velocity(world, lower).y);
        if (!(still <= 0.1 * in->scale)) {
            fail_msg("%s, %s of %g: speed %g", in->name, round ? "disc" : "box", mass, still);
        }
        graze_world_destroy(world);
    }
}

// A box slides over a row of others at 4 units a second, without friction.
static void a_box_slides_over_a_row(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * FRAMES; ++k) {
        const frame *in = &frames[k % FRAMES];
        for (int backwards = 0; backwards < 2; ++backwards) {
            graze_world *world = world_in(in);
            for (int i = 0; i < 12; ++i) {
                const int at = backwards ? 11 - i : i;
                kit_add(world, body_in(in, at - 5.5, -0.5, 0.5, 0.5, 0));
            }
            graze_body_def def = body_in(in, k / FRAMES ? -3 : -2.5, 0.5, 0.5, 0.5, 1);
            def.surface = physics_surface(0, 0);
            def.velocity = vector_in(in, 4, 0);
            const graze_body_id box = kit_add(world, def);
            const double start = across_of(in, graze_body_position(world, box));
            physics_run(world, 60);
            const double way = across_of(in, graze_body_position(world, box)) - start;
            if (!(fabs(way - 4) < 0.02)) {
                fail_msg("%s: it goes %g, not 4", in->name, way);
            }
            graze_world_destroy(world);
        }
    }
}

// A ball passes a passage of hardly more than its own height between rows of rects, and loses a
// third of its speed, until it rolls.
static void a_ball_passes_a_passage(void **state)
{
    (void)state;
    for (int k = 0; k < 3 * FRAMES; ++k) {
        const frame *in = &frames[k % FRAMES];
        const double room = k / FRAMES == 0 ? 1e-4 : k / FRAMES == 1 ? 1e-3 : 1e-2;
        graze_world *world = world_in(in);
        for (int i = 0; i < 10; ++i) {
            kit_add(world, body_in(in, i - 4.5, -0.5, 0.5, 0.5, 0));
            kit_add(world, body_in(in, i - 4.5, 1 + room + 0.5, 0.5, 0.5, 0));
        }
        graze_body_def def = body_in(in, -4, 0.5, 0.5, 0, 1);
        def.velocity = vector_in(in, 4, 0);
        const graze_body_id ball = kit_add(world, def);
        physics_run(world, 60);
        const double x = across_of(in, graze_body_position(world, ball));
        if (!(fabs(x + 1.19) < 0.01)) {
            fail_msg("%s, room %g: it comes to %g", in->name, room, x);
        }
        graze_world_destroy(world);
    }
}

// A plank of 4 in a slot of 2 does not turn through its walls, however it is spun.
static void a_plank_stays_in_its_slot(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * FRAMES; ++k) {
        const frame *in = &frames[k % FRAMES];
        graze_world *world = world_in(in);
        const graze_vec2 points[4] = {place_in(in, -6, -1), place_in(in, 6, -1), place_in(in, 6, 1),
                                      place_in(in, -6, 1)};
        physics_chain(world, points, 4, true, physics_surface(0.5, k % 3 ? 0.5 : 0));
        graze_body_def def = body_in(in, 0, 0, 2, 0.1, 1);
        def.spin = (float)(5 * (1 + k / FRAMES));
        const graze_body_id plank = kit_add(world, def);
        const float before = graze_body_angle(world, plank);
        for (int step = 0; step < 120; ++step) {
            kit_step(world, physics_dt);
            const double turned = fabs((double)(graze_body_angle(world, plank) - before));
            if (!(turned < 1)) {
                fail_msg("%s, spin %g, step %d: turned by %g", in->name, (double)def.spin, step,
                         turned);
            }
        }
        graze_world_destroy(world);
    }
}

// A ball of restitution 1 on a floor of restitution 0 and the other way round: it keeps its height.
static void a_trampoline_throws(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * FRAMES; ++k) {
        const frame *in = &frames[k % FRAMES];
        graze_world *world = world_in(in);
        const graze_vec2 points[2] = {place_in(in, -20, 0), place_in(in, 20, 0)};
        physics_chain(world, points, 2, false, physics_surface(0.5, k / FRAMES ? 1 : 0));
        graze_body_def def = body_in(in, 0, 4, 0.5, 0, 1);
        def.surface = physics_surface(0.5, k / FRAMES ? 0 : 1);
        const graze_body_id ball = kit_add(world, def);
        double highest = 0;
        for (int step = 0; step < 600; ++step) {
            kit_step(world, physics_dt);
            const double height = up_of(in, graze_body_position(world, ball));
            highest = step > 480 ? fmax(highest, height) : 0;
        }
        if (!(fabs(highest - 4) < 0.05)) {
            fail_msg("%s: after ten seconds it comes up to %g, not 4", in->name, highest);
        }
        graze_world_destroy(world);
    }
}

// Bodies that are created in one point are apart within five seconds.
static void what_is_created_in_one_point_comes_apart(void **state)
{
    (void)state;
    for (int count = 20; count <= 40; count += 5) {
        graze_world *world = kit_world_with_gravity(0, -10);
        physics_floor(world, -50, 0, 50, 0);
        for (int i = 0; i < count; ++i) {
            kit_add(world, i % 2 ? physics_disc(0, 2, 0.4, 1) : physics_box(0, 2, 0.4, 0.4, 1));
        }
        physics_run(world, 300);
        double deepest = 0;
        const graze_contact_list contacts = graze_world_contacts(world);
        for (uint32_t i = 0; i < contacts.count; ++i) {
            deepest = fmax(deepest, (double)contacts.data[i].depth);
        }
        if (!(deepest < 0.04)) {
            fail_msg("%d bodies: still %g deep", count, deepest);
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_on_light_says_that_it_rests),
        cmocka_unit_test(a_box_slides_over_a_row),
        cmocka_unit_test(a_ball_passes_a_passage),
        cmocka_unit_test(a_plank_stays_in_its_slot),
        cmocka_unit_test(a_trampoline_throws),
        cmocka_unit_test(what_is_created_in_one_point_comes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
