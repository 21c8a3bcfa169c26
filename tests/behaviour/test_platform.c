// One-sided chains, and bodies that come up through them.
#include "response_kit.h"

#include <graze/orient.h>

#include <math.h>
#include <stdlib.h>

static const float step_time = 1.0f / 60;

enum { CIRCLE, RECT, TURNED_RECT, SHAPES };

/// They go through (0, 0), and one can stand above.
enum { LEVEL, SLOPED, JOINED, TILED, HILL, PLATFORMS, NO_PLATFORM };

static const char *const shape_names[SHAPES] = {"circle", "rect", "turned rect"};
static const char *const platform_names[PLATFORMS] = {"level", "sloped", "joined", "tiled", "hill"};

static graze_body_def shape_at(int kind, float x, float y)
{
    graze_body_def def = kind == CIRCLE ? kit_circle(x, y, 0.5f) : kit_rect(x, y, 0.3f, 0.5f);
    def.angle = kind == TURNED_RECT ? 0.4f : 0;
    return def;
}

static graze_vec2 point(float x, float y)
{
    const graze_vec2 made = {x, y};
    return made;
}

static void add_platform(graze_world *world, int platform)
{
    const graze_vec2 level[] = {{-5, 0}, {5, 0}};
    const graze_vec2 sloped[] = {{-5, -2}, {5, 2}};
    const graze_vec2 joined[] = {{-5, 0}, {-1, 0}, {-0.2f, 0}, {0.1f, 0}, {2, 0}, {5, 0}};
    const graze_vec2 hill[] = {{-5, -1}, {0, 0}, {5, -1}};
    if (platform == TILED) {
        for (int x = -5; x < 5; ++x) {
            const graze_vec2 tile[] = {point((float)x, 0), point((float)x + 1, 0)};
            kit_chain(world, tile, 2, false, true);
        }
        return;
    }
    const graze_vec2 *points[] = {level, sloped, joined, NULL, hill};
    const uint32_t counts[] = {2, 2, 6, 0, 3};
    kit_chain(world, points[platform], counts[platform], false, true);
}

static graze_world *make_world(int platform)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    if (platform != NO_PLATFORM) {
        add_platform(world, platform);
    }
    return world;
}

// Replaces the world by one that goes on from its snapshot.
static graze_world *reload(graze_world *world, int platform)
{
    size_t size;
    void *bytes = kit_save(world, &size);
    graze_world_destroy(world);
    world = make_world(platform);
    kit_load(world, bytes, size);
    free(bytes);
    return world;
}

// --- Coming through ---

static float deepest_contact(const graze_world *world)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    float depth = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        depth = fmaxf(depth, contacts.data[i].depth);
    }
    return depth;
}

static float height_of(int platform, float x)
{
    return platform == SLOPED ? 0.4f * x : platform == HILL ? -0.2f * fabsf(x) : 0;
}

// Whether a body that moved so has left the platform, or is about to.
static bool has_left(int platform, graze_vec2 before, graze_vec2 at)
{
    const float above = at.y - height_of(platform, at.x);
    return above > (at.y < before.y ? 0.4f : 0.9f);
}

// The body moves as if the platform were not there, until it has left it or is below it again.
static void assert_passes(int kind, int platform, float speed_x, float speed_y, bool with_reloads)
{
    graze_world *world = make_world(platform);
    graze_world *alone = make_world(NO_PLATFORM);
    const graze_body_def def =
        kit_moving(shape_at(kind, 0.3f, -2.5f), speed_x, speed_y, GRAZE_SLIDE);
    const graze_body_id body = kit_add(world, def);
    const graze_body_id free_body = kit_add(alone, def);
    graze_vec2 before = def.position;
    for (int step = 0; step < 200; ++step) {
        if (with_reloads && step % 3 == 1) {
            world = reload(world, platform);
        }
        kit_step(world, step_time);
        kit_step(alone, step_time);
        const graze_vec2 at = graze_body_position(world, body);
        const graze_vec2 expected = graze_body_position(alone, free_body);
        if (at.x != expected.x || at.y != expected.y || deepest_contact(world) > 1e-4f) {
            fail_msg("%s, %s platform, speed %g, step %d: (%.9g, %.9g), alone (%.9g, %.9g)",
                     shape_names[kind], platform_names[platform], (double)speed_y, step,
                     (double)at.x, (double)at.y, (double)expected.x, (double)expected.y);
        }
        if (has_left(platform, before, at) || at.y < -4) {
            break;
        }
        before = at;
    }
    graze_world_destroy(world);
    graze_world_destroy(alone);
}

static void what_jumps_through_from_below_is_not_pushed(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (int platform = 0; platform < PLATFORMS; ++platform) {
            for (float speed = 9.5f; speed < 16; speed += 0.25f) {
                assert_passes(kind, platform, 0, speed, false);
                assert_passes(kind, platform, 0.5f, speed, true);
                assert_passes(kind, platform, 3, speed, false);
                assert_passes(kind, platform, -3, speed, false);
            }
        }
    }
}

// Returns how far a spinning rect that jumps through a platform departs, at most while it rises,
// from the path that it would take without one.
static double find_shift(graze_body_def def, float speed)
{
    graze_world *worlds[] = {make_world(LEVEL), make_world(NO_PLATFORM)};
    graze_body_id bodies[2];
    double shift = 0;
    for (int i = 0; i < 2; ++i) {
        bodies[i] = kit_add(worlds[i], kit_moving(def, 0.3f, speed, GRAZE_SLIDE));
    }
    while (graze_body_velocity(worlds[1], bodies[1]).y > 0) {
        kit_step(worlds[0], step_time);
        kit_step(worlds[1], step_time);
        const graze_vec2 at = graze_body_position(worlds[0], bodies[0]);
        const graze_vec2 free = graze_body_position(worlds[1], bodies[1]);
        shift = fmax(shift, hypot((double)at.x - (double)free.x, (double)at.y - (double)free.y));
    }
    graze_world_destroy(worlds[0]);
    graze_world_destroy(worlds[1]);
    return shift;
}

// Its corners may still be in the platform when the circle within it has left it: it is lifted by
// as much as that, and no more.
static void what_spins_comes_through_but_for_its_corners(void **state)
{
    (void)state;
    const float halves[][2] = {{0.5f, 0.5f}, {0.5f, 0.3f}, {0.1f, 0.5f}};
    for (int variant = 0; variant < 120; ++variant) {
        const float *half = halves[variant % 3];
        graze_body_def def = kit_rect(0, -2, half[0], half[1]);
        def.angle = 0.157f * (float)variant;
        def.spin = 3 + (float)(variant % 7);
        const double shift = find_shift(def, 6.5f + 0.05f * (float)(variant / 2));
        const double corners =
            hypot((double)half[0], (double)half[1]) - (double)fminf(half[0], half[1]);
        if (shift > corners + 0.02) {
            fail_msg("variant %d: shifted by %g, its corners reach %g", variant, shift, corners);
        }
    }
}

// At the top of its flight the centre is above the platform, its lower part below.
static void what_turns_around_halfway_falls_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (int platform = 0; platform < PLATFORMS; ++platform) {
            for (float speed = 7.2f; speed < 7.5f; speed += 0.02f) {
                assert_passes(kind, platform, 0, speed, false);
                assert_passes(kind, platform, 0.5f, speed, true);
                assert_passes(kind, platform, 3, speed, false);
                assert_passes(kind, platform, -3, speed, false);
            }
        }
    }
}

static void what_has_come_through_lands(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (int platform = 0; platform < PLATFORMS; ++platform) {
            for (float speed = 8.8f; speed < 14; speed += 0.1f) {
                graze_world *world = make_world(platform);
                graze_body_def def = shape_at(kind, 0.3f, -2.5f);
                def.friction = 1;
                const graze_body_id body = kit_add(world, kit_moving(def, 0, speed, GRAZE_SLIDE));
                for (int step = 0; step < 200; ++step) {
                    kit_step(world, step_time);
                }
                assert_true(graze_body_position(world, body).y > 0.25f);
                assert_true(kit_count_contacts(world, body) > 0);
                graze_world_destroy(world);
            }
        }
    }
}

// The body jumps beside the platform, and moves in with its centre above it and its lower part
// below.
static void what_comes_at_the_end_from_the_side_passes(void **state)
{
    (void)state;
    for (float height = 0.01f; height < 0.46f; height += 0.01f) {
        graze_world *world = kit_world();
        add_platform(world, LEVEL);
        const graze_body_def def = kit_moving(shape_at(RECT, -6, height), 4, 0, GRAZE_SLIDE);
        const graze_body_id body = kit_add(world, def);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, step_time);
        }
        kit_assert_near_vec2(graze_body_position(world, body), -2, height, 1e-5f);
        graze_world_destroy(world);
    }
}

// The walls of a spike are chains of their own: it is no open end, and its tip lets nothing in.
static void the_tip_of_a_spike_lets_nothing_in(void **state)
{
    (void)state;
    const graze_vec2 spike[] = {{5, -0.2f}, {0, 0}, {5, 0.2f}, {5, -0.2f}};
    for (int kind = 0; kind < SHAPES; ++kind) {
        for (float height = -0.4f; height < 0.4f; height += 0.007f) {
            graze_world *world = kit_world_with_gravity(0, height < 0 ? 0.3f : -0.3f);
            for (int i = 0; i < 3; ++i) {
                kit_chain(world, &spike[i], 2, false, true);
            }
            const graze_body_def def = shape_at(kind, -1, height);
            const graze_body_id body = kit_add(world, kit_moving(def, 2, 0, GRAZE_SLIDE));
            for (int step = 0; step < 120; ++step) {
                kit_step(world, step_time);
                const graze_vec2 at = graze_body_position(world, body);
                assert_true(at.x < 0 || at.x > 5 || fabsf(at.y) > 0.04f * at.x);
            }
            graze_world_destroy(world);
        }
    }
}

// The body turns around while it still reaches a little through the platform.
static void what_has_all_but_left_is_set_on_top(void **state)
{
    (void)state;
    for (int kind = CIRCLE; kind <= RECT; ++kind) {
        graze_world *world = make_world(LEVEL);
        const graze_body_def def = shape_at(kind, 0, 0.49f);
        const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
        kit_step(world, step_time);
        kit_assert_near_vec2(graze_body_position(world, body), 0, 0.5f, 1e-4f);
        assert_int_equal(kit_count_contacts(world, body), 1);
        graze_world_destroy(world);
    }
}

static void what_was_let_through_by_its_filter_falls_on(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPES; ++kind) {
        graze_world *world = make_world(LEVEL);
        graze_body_def def = shape_at(kind, 0, 0.6f);
        const graze_filter through = {1, 0, 0, 0};
        const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
        for (int step = 0; step < 60; ++step) {
            if (step == 30 || step == 45) {
                graze_body_set_filter(world, body, step == 30 ? through : def.filter);
            }
            kit_step(world, step_time);
        }
        assert_true(graze_body_position(world, body).y < -0.6f);
        graze_world_destroy(world);
    }
}

// --- Rows and outlines of separate chains ---

/// A straight row through the origin of chains of one wall each, and what jumps at it.
typedef struct row_jump {
    float slope;
    float least, most; ///< Length of a wall along x.
    graze_body_def body;
} row_jump;

static void add_row(graze_world *world, const row_jump *jump, random_state random)
{
    float x = -6;
    while (x < 6) {
        const float next = x + random_float(&random, jump->least, jump->most);
        const graze_vec2 wall[] = {point(x, jump->slope * x), point(next, jump->slope * next)};
        kit_chain(world, wall, 2, false, true);
        x = next;
    }
}

static row_jump random_jump(random_state *random)
{
    static const float slopes[] = {0, 0.4f, -1.2f, 1};
    static const float lengths[][2] = {{0.9f, 1.1f}, {0.1f, 1}, {0.05f, 0.15f}};
    const float *length = lengths[random_below(random, 3)];
    row_jump jump = {
        .slope = slopes[random_below(random, 4)], .least = length[0], .most = length[1]};
    const int kind = (int)random_below(random, SHAPES);
    const float x = random_float(random, -1, 1), y = jump.slope * x - 2.5f;
    const float half = random_float(random, 0.2f, 0.6f);
    graze_body_def def = kind == CIRCLE ? kit_circle(x, y, half)
                                        : kit_rect(x, y, half, random_float(random, 0.2f, 0.6f));
    def.angle = kind == TURNED_RECT ? random_float(random, -3, 3) : 0;
    const float speed = random_float(random, -5, 5);
    jump.body = kit_moving(def, speed, random_float(random, 6.9f, 7.6f), GRAZE_SLIDE);
    return jump;
}

// How deep the body reaches into the row, as a share of its size; infinite when its centre is
// below.
static float share_below(const row_jump *jump, graze_vec2 at)
{
    const graze_shape shape = jump->body.shape;
    const float length = sqrtf(1 + jump->slope * jump->slope);
    const graze_vec2 normal = {-jump->slope / length, 1 / length};
    float reach = shape.radius, size = shape.radius;
    if (shape.kind == GRAZE_SHAPE_RECT) {
        const float c = cosf(jump->body.angle), s = sinf(jump->body.angle);
        reach = shape.half.x * fabsf(c * normal.x + s * normal.y) +
                shape.half.y * fabsf(c * normal.y - s * normal.x);
        size = fminf(shape.half.x, shape.half.y);
    }
    const float above = (at.y - jump->slope * at.x) / length;
    return above > 0 ? (reach - above) / size : INFINITY;
}

// Follows the body from when its centre is above the row until it may land, or its centre is below
// again. Until then it must move as if the row were not there. Returns whether it turned around.
static bool check_jump(const row_jump *jump, random_state random, uint64_t seed)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_world *alone = kit_world_with_gravity(0, -10);
    add_row(world, jump, random);
    const graze_body_id body = kit_add(world, jump->body);
    const graze_body_id free_body = kit_add(alone, jump->body);
    bool is_halfway = false, turns = false;
    for (int step = 0; step < 100 && !turns; ++step) {
        if (seed % 8 == 0 && step % 3 == 1) {
            size_t size;
            void *bytes = kit_save(world, &size);
            kit_load(world, bytes, size);
            free(bytes);
        }
        const float below = share_below(jump, graze_body_position(world, body));
        kit_step(world, step_time);
        kit_step(alone, step_time);
        const graze_vec2 at = graze_body_position(world, body);
        const graze_vec2 expected = graze_body_position(alone, free_body);
        if (below < 0.064f) {
            break;
        }
        if (at.x != expected.x || at.y != expected.y) {
            fail_msg("seed %lu, slope %g, step %d: (%.9g, %.9g), alone (%.9g, %.9g)",
                     (unsigned long)seed, (double)jump->slope, step, (double)at.x, (double)at.y,
                     (double)expected.x, (double)expected.y);
        }
        const bool is_above = isfinite(share_below(jump, at));
        turns = is_halfway && !is_above;
        is_halfway = is_above;
    }
    graze_world_destroy(world);
    graze_world_destroy(alone);
    return turns;
}

static void a_row_of_chains_catches_nothing_that_turns_around_halfway(void **state)
{
    (void)state;
    uint32_t turned = 0;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        random_state random = random_seed(seed);
        const row_jump jump = random_jump(&random);
        turned += check_jump(&jump, random, seed);
    }
    assert_in_range(turned, 400, 2000);
}

/// An outline of three walls around the origin, which keeps out what is on their left.
typedef struct wedge {
    graze_vec2 points[4]; ///< The last is the first.
} wedge;

// The tip, at the origin, has an angle between 90 and 180 degrees, and points to the right.
static wedge random_wedge(random_state *random)
{
    const float turn = random_float(random, 0.1f, 1.57f);
    const float upper = random_float(random, 0.02f, 1.55f);
    const float lower = fminf(fmaxf(turn + upper - 1.5707964f, -1.4f), 1.4f);
    const graze_vec2 top = {-4 * cosf(upper), 4 * sinf(upper)};
    const graze_vec2 bottom = {-4 * sinf(lower), -4 * cosf(lower)};
    const wedge made = {{top, {0, 0}, bottom, top}};
    return made;
}

static bool is_inside(const wedge *outline, graze_vec2 at)
{
    bool is_right = true;
    for (int i = 0; i < 3; ++i) {
        is_right = is_right && graze_orient(outline->points[i], outline->points[i + 1], at) < 0;
    }
    return is_right;
}

static void an_outline_of_chains_keeps_out_what_one_of_one_chain_does(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12000; ++seed) {
        random_state random = random_seed(seed);
        const wedge outline = random_wedge(&random);
        graze_world *world = kit_world();
        for (int i = 0; i < 3; ++i) {
            kit_chain(world, &outline.points[i], 2, false, true);
        }
        const float half_x = random_float(&random, 0.1f, 1), y = random_float(&random, -1, 1.5f);
        graze_body_def def = kit_rect(5.5f, y, half_x, random_float(&random, 0.1f, 1));
        def.angle = random_below(&random, 2) ? random_float(&random, -3, 3) : 0;
        const float speed = -random_float(&random, 10, 30);
        const graze_body_id body = kit_add(world, kit_moving(def, speed, 0, GRAZE_SLIDE));
        for (int step = 0; step < 60; ++step) {
            graze_body_set_velocity(world, body, point(speed, 0));
            kit_step(world, step_time);
            if (is_inside(&outline, graze_body_position(world, body))) {
                fail_msg("seed %lu, step %d", (unsigned long)seed, step);
            }
        }
        graze_world_destroy(world);
    }
}

// A wall that rises by less than it goes to the side, even by less than double can tell, leans more
// than 45 degrees from the side of an upright rect: so the rect passes its end from the side.
static void what_leans_more_than_45_degrees_is_exact(void **state)
{
    (void)state;
    const float tiny = 0x1p-60f;
    const struct {
        graze_vec2 a;
        bool passes;
    } ends[] = {{{0, 0}, false},     {{0, tiny}, true},      {{0, -tiny}, false},
                {{tiny, 0}, false},  {{-tiny, 0}, true},     {{tiny, tiny}, false},
                {{0, 0.1f}, true},   {{0.1f, 0}, false},     {{-tiny, -tiny}, false},
                {{0, -0.1f}, false}, {{tiny, -tiny}, false}, {{-tiny, tiny}, true}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        for (int turned = 0; turned < 2; ++turned) {
            // The rect comes from the left to the lower end; or, mirrored at the diagonal, from
            // above to the
            // other.
            const graze_vec2 mirrored[] = {point(-1, -1), point(-ends[i].a.y, -ends[i].a.x)};
            const graze_vec2 wall[] = {ends[i].a, point(1, 1)};
            graze_world *world = kit_world();
            kit_chain(world, turned ? mirrored : wall, 2, false, true);
            graze_body_def def = kit_rect(-0.5f, 0.2f, 0.3f, 0.4f);
            graze_vec2 velocity = {0.5f, 0};
            if (turned) {
                def = kit_rect(-0.2f, 0.5f, 0.4f, 0.3f);
                velocity = point(0, -0.5f);
            }
            const graze_body_id body =
                kit_add(world, kit_moving(def, velocity.x, velocity.y, GRAZE_STOP));
            kit_step(world, 1);
            const graze_vec2 at = graze_body_position(world, body);
            const bool passed =
                at.x == def.position.x + velocity.x && at.y == def.position.y + velocity.y;
            if (passed != ends[i].passes) {
                fail_msg("end %d, turned %d: (%g, %g)", (int)i, turned, (double)at.x, (double)at.y);
            }
            graze_world_destroy(world);
        }
    }
}

// --- Staying on top ---

static void a_stack_on_a_platform_stays_above_it(void **state)
{
    (void)state;
    enum { HIGH = 8 };
    for (int kind = CIRCLE; kind <= RECT; ++kind) {
        for (int platform = 0; platform < PLATFORMS; ++platform) {
            graze_world *world = make_world(platform);
            graze_body_id bodies[HIGH];
            for (int i = 0; i < HIGH; ++i) {
                graze_body_def def = shape_at(kind, 0.01f * (float)i, 0.7f + 0.9f * (float)i);
                def.friction = 1;
                def.mass = i == HIGH - 1 ? 50 : 1;
                bodies[i] = kit_add(world, kit_moving(def, 0, -5, GRAZE_SLIDE));
            }
            for (int step = 0; step < 300; ++step) {
                if (step % 7 == 3) {
                    world = reload(world, platform);
                }
                kit_step(world, step_time);
                for (int i = 0; i < HIGH; ++i) {
                    const graze_vec2 at = graze_body_position(world, bodies[i]);
                    assert_true(fabsf(at.x) > 5 || at.y > height_of(platform, at.x));
                }
            }
            graze_world_destroy(world);
        }
    }
}

// A press that nothing stops comes down on the body, and over it: the platform still holds it.
static void what_is_pressed_into_a_platform_stays_on_its_side(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPES; ++kind) {
        graze_world *world = make_world(LEVEL);
        graze_body_def def = shape_at(kind, 0, 0.6f);
        const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
        graze_body_def press = kit_rect(0, 3, 4, 0.5f);
        press.mass = 0;
        const graze_body_id heavy = kit_add(world, kit_moving(press, 0, -1, GRAZE_PASS));
        for (int step = 0; step < 150; ++step) {
            kit_step(world, step_time);
            assert_true(graze_body_position(world, body).y > 0);
        }
        graze_body_destroy(world, heavy);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, step_time);
        }
        assert_true(graze_body_position(world, body).y > 0.25f);
        graze_world_destroy(world);
    }
}

// The corners turn into the platform while the rect spins; when it stops, one may be deep in it.
static void what_stops_spinning_on_a_platform_stays_on_it(void **state)
{
    (void)state;
    for (int spun = 30; spun < 60; ++spun) {
        graze_world *world = make_world(LEVEL);
        const graze_body_id body =
            kit_add(world, kit_moving(kit_rect(0, 0.6f, 0.5f, 0.3f), 0, 0, GRAZE_SLIDE));
        graze_body_set_spin(world, body, 20);
        for (int step = 0; step < spun + 60; ++step) {
            if (step == spun) {
                graze_body_set_spin(world, body, 0);
            }
            kit_step(world, step_time);
        }
        assert_true(graze_body_position(world, body).y > 0.25f);
        graze_world_destroy(world);
    }
}

// The body hovers above the platform, and another body is put into it from above.
static void a_push_leads_into_no_platform(void **state)
{
    (void)state;
    for (int kind = CIRCLE; kind <= RECT; ++kind) {
        for (int i = 0; i < 40; ++i) {
            graze_world *world = kit_world();
            add_platform(world, LEVEL);
            const graze_body_def def = shape_at(kind, 0, 0.5f + 0.005f * (float)i);
            const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
            const graze_body_def other = shape_at(kind, 0, 0.6f + 0.005f * (float)i);
            kit_add(world, kit_moving_mass(other, 0, 0, GRAZE_SLIDE, 1000));
            for (int step = 0; step < 30; ++step) {
                kit_step(world, step_time);
                graze_body_set_velocity(world, body, point(0, -0.1f));
                assert_true(graze_body_position(world, body).y > 0.49f);
            }
            graze_world_destroy(world);
        }
    }
}

// The body hovers above the platform, and for one step a ceiling reaches into it from above.
static void a_ceiling_pushes_into_no_platform(void **state)
{
    (void)state;
    for (int kind = CIRCLE; kind <= RECT; ++kind) {
        for (int i = 0; i < 40; ++i) {
            graze_world *world = kit_world();
            add_platform(world, LEVEL);
            const float y = 0.5f + 0.004f * (float)i;
            const graze_body_def def = shape_at(kind, 0, y);
            const graze_body_id body = kit_add(world, kit_moving(def, 0, 0, GRAZE_SLIDE));
            const graze_chain_id ceiling = kit_wall(world, -5, y + 0.3f, 5, y + 0.3f);
            kit_step(world, step_time);
            assert_int_equal(graze_chain_destroy(world, ceiling), GRAZE_OK);
            for (int step = 0; step < 30; ++step) {
                assert_true(graze_body_position(world, body).y > 0.49f);
                graze_body_set_velocity(world, body, point(0, -0.1f));
                kit_step(world, step_time);
            }
            graze_world_destroy(world);
        }
    }
}

// --- Platforms that sag ---

enum { SAG_POINTS = 12, SAG_JUMPS = 2000 };

static const float sag_half = 5;

// Fills in points on a parabola through (-sag_half, 4) and (sag_half, 4). Returns its depth.
static float make_sag(random_state *random, graze_vec2 *points, uint32_t count)
{
    const float depth = random_float(random, 0.3f, 2);
    for (uint32_t i = 0; i < count; ++i) {
        const float t = 2 * (float)i / (float)(count - 1) - 1;
        points[i] = point(sag_half * t, 4 + depth * (t * t - 1));
    }
    return depth;
}

static void add_sag(graze_world *world, const graze_vec2 *points, uint32_t count, bool in_one)
{
    for (uint32_t i = 0; !in_one && i + 1 < count; ++i) {
        kit_chain(world, points + i, 2, false, true);
    }
    if (in_one) {
        kit_chain(world, points, count, false, true);
    }
}

// A body on the left of one wall alone: to it the other one is not there, but where the two make a
// sharp corner that is no open end. Chains of their own do the same.
static void the_tip_of_a_sharp_valley_stops_what_rises_at_it(void **state)
{
    (void)state;
    const graze_vec2 valley[] = {{-0.5f, 2}, {0, 0}, {0.5f, 2}};
    for (int kind = 0; kind < 2 * 2; ++kind) {
        graze_world *world = kit_world();
        add_sag(world, valley, 3, kind / 2);
        graze_body_def def = kit_rect(-0.4f, -1.2f, 0.5f, 0.5f);
        def.response = kind % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
        def.velocity.y = 2;
        const graze_body_id body = kit_add(world, def);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, step_time);
        }
        assert_true(graze_body_position(world, body).y < -0.49f);
        graze_world_destroy(world);
    }
}

// While it still comes through one wall it meets the next from the side, at the joint: as long as
// it rises away from all of them, it flies as if none were there.
static void what_jumps_through_a_platform_that_sags_is_not_pushed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4 * SAG_JUMPS; ++seed) {
        random_state random = random_seed(seed / 2);
        graze_world *world = make_world(NO_PLATFORM), *free_world = make_world(NO_PLATFORM);
        graze_vec2 points[SAG_POINTS];
        const uint32_t count = 4 + random_below(&random, SAG_POINTS - 3);
        const float depth = make_sag(&random, points, count);
        add_sag(world, points, count, seed % 2);
        graze_body_def def = shape_at(random_below(&random, 2) ? CIRCLE : RECT, 0, 0);
        def.position.x = random_float(&random, 1 - sag_half, sag_half - 1);
        def.position.y = 3.4f - depth;
        const float speed_x = random_float(&random, -6, 6);
        const float least = (speed_x < 0 ? -speed_x : speed_x) * 2 * depth / sag_half + 0.2f;
        def = kit_sliding(def, (double)speed_x, (double)random_float(&random, least, 14));
        const graze_body_id body = kit_add(world, def), free_body = kit_add(free_world, def);
        while (graze_body_velocity(free_world, free_body).y > least) {
            kit_step(world, step_time);
            kit_step(free_world, step_time);
            kit_assert_same_vec2(graze_body_position(world, body),
                                 graze_body_position(free_world, free_body));
        }
        graze_world_destroy(world);
        graze_world_destroy(free_world);
    }
}

// Returns how deep the first of two discs comes into the edge that they go over. They are solved
// together, because they all but touch.
static float go_over_edge(graze_response response, float speed, uint32_t points)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    const graze_vec2 ledge[] = {{-40, 0}, {0, 0}, {0, -40}};
    kit_chain(world, ledge, points, false, true);
    graze_body_def def = kit_moving(kit_circle(-1, 0.5f, 0.5f), speed, 0, response);
    def.spin = -speed / 0.5f;
    def.friction = response == GRAZE_RIGID ? 0.6f : 0;
    const graze_body_id first = kit_add(world, def);
    def.position.x -= 1.005f;
    kit_add(world, def);
    float deepest = 0;
    for (int k = 0; k < 300; ++k) {
        kit_step(world, step_time);
        const graze_vec2 at = graze_body_position(world, first);
        const float apart = hypotf(fmaxf(at.x, 0), at.y);
        deepest = at.y > 0 ? fmaxf(deepest, 0.5f - apart) : deepest;
    }
    graze_world_destroy(world);
    return deepest;
}

static void discs_go_over_an_edge_together_and_not_into_it(void **state)
{
    (void)state;
    for (int k = 1; k <= 30; ++k) {
        const graze_response response = k % 2 ? GRAZE_RIGID : GRAZE_SLIDE;
        for (uint32_t points = 2; points <= 3; ++points) {
            assert_true(go_over_edge(response, 0.1f * (float)k, points) < 0.005f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_jumps_through_from_below_is_not_pushed),
        cmocka_unit_test(what_spins_comes_through_but_for_its_corners),
        cmocka_unit_test(what_comes_at_the_end_from_the_side_passes),
        cmocka_unit_test(the_tip_of_a_spike_lets_nothing_in),
        cmocka_unit_test(what_has_all_but_left_is_set_on_top),
        cmocka_unit_test(what_leans_more_than_45_degrees_is_exact),
        cmocka_unit_test(what_was_let_through_by_its_filter_falls_on),
        cmocka_unit_test(a_stack_on_a_platform_stays_above_it),
        cmocka_unit_test(what_is_pressed_into_a_platform_stays_on_its_side),
        cmocka_unit_test(what_stops_spinning_on_a_platform_stays_on_it),
        cmocka_unit_test(a_push_leads_into_no_platform),
        cmocka_unit_test(a_ceiling_pushes_into_no_platform),
        cmocka_unit_test(the_tip_of_a_sharp_valley_stops_what_rises_at_it),
        cmocka_unit_test(discs_go_over_an_edge_together_and_not_into_it),
        cmocka_unit_test(what_has_come_through_lands),
        cmocka_unit_test(what_turns_around_halfway_falls_back),
        cmocka_unit_test(a_row_of_chains_catches_nothing_that_turns_around_halfway),
        cmocka_unit_test(what_jumps_through_a_platform_that_sags_is_not_pushed),
        cmocka_unit_test(an_outline_of_chains_keeps_out_what_one_of_one_chain_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
