// Rays that stop, slide or bounce, among bodies that are deflected in the same step: they go as
// sensors of radius 0 do, whose turns come in order of time like those of other bodies.
#include "body_defs.h"
#include "random.h"
#include "response_kit.h"
#include "world_kit.h"

#include <math.h>

#define STEP (1.0f / 60)

enum { WORLDS = 60, STEPS = 120, BODIES = 24, PROBES = 40 };

static graze_body_def make_probe(bool is_ray)
{
    graze_body_def probe = test_body_def();
    probe.shape = is_ray ? graze_shape_ray() : graze_shape_circle(0);
    probe.sensor = !is_ray;
    probe.mass = 1e-12f; // A ray pushes what it hits, a sensor does not.
    return probe;
}

static graze_shape any_shape(random_state *random, float least, float most)
{
    const float x = random_float(random, least, most), y = random_float(random, least, most);
    return random_below(random, 2) ? graze_shape_circle(x) : graze_shape_rect(x, y);
}

static void add_bodies(graze_world *world, random_state *random)
{
    for (int i = 0; i < BODIES; ++i) {
        graze_body_def def = test_body_def();
        def.shape = any_shape(random, 0.2f, 0.8f);
        def.position.x = random_float(random, -5, 5);
        def.position.y = random_float(random, -5, 5);
        def.velocity.x = random_float(random, -8, 8);
        def.velocity.y = random_float(random, -8, 8);
        def.response = (graze_response)random_below(random, 4);
        def.restitution = random_float(random, 0, 1);
        const bool is_driven = def.response == GRAZE_PASS || !random_below(random, 5);
        def.mass = is_driven ? 0 : random_float(random, 0.2f, 3);
        kit_add(world, def);
    }
}

static void add_probes(graze_world *world, random_state *random, bool are_rays,
                       graze_body_id *probes)
{
    for (int i = 0; i < PROBES; ++i) {
        graze_body_def def = make_probe(are_rays);
        def.position.x = random_float(random, -6, 6);
        def.position.y = random_float(random, -6, 6);
        def.velocity.x = random_float(random, -20, 20);
        def.velocity.y = random_float(random, -20, 20);
        def.response = (graze_response)(1 + random_below(random, 3));
        def.restitution = random_float(random, 0, 1);
        def.friction = random_float(random, 0, 1);
        probes[i] = kit_add(world, def);
    }
}

/// Two worlds of the same bodies, with rays in one and points in the other.
typedef struct twins {
    graze_world *worlds[2];
    graze_body_id probes[2][PROBES];
} twins;

static twins make_twins(uint32_t seed)
{
    twins made;
    for (int k = 0; k < 2; ++k) {
        random_state random = random_seed(seed);
        made.worlds[k] = kit_world_with_gravity(0, seed % 2 ? -20 : 0);
        add_bodies(made.worlds[k], &random);
        add_probes(made.worlds[k], &random, k == 0, made.probes[k]);
    }
    return made;
}

// Puts the ray where the point is. Returns whether they had gone apart.
static bool compare(const twins *both, int probe)
{
    graze_world *rays = both->worlds[0], *points = both->worlds[1];
    const graze_body_id ray = both->probes[0][probe], point = both->probes[1][probe];
    const graze_vec2 at = graze_body_position(points, point);
    const graze_vec2 velocity = graze_body_velocity(points, point);
    const graze_vec2 ray_at = graze_body_position(rays, ray);
    const graze_vec2 ray_velocity = graze_body_velocity(rays, ray);
    graze_body_set_position(rays, ray, at);
    graze_body_set_velocity(rays, ray, velocity);
    return hypotf(at.x - ray_at.x, at.y - ray_at.y) > 1e-4f ||
           hypotf(velocity.x - ray_velocity.x, velocity.y - ray_velocity.y) > 1e-2f;
}

// Ten in ten thousand differ: of what happens at one time, rays come last, and points among
// others are the solver's. If they knew only the first touch, or only the last velocity, one in two
// hundred would.
static void rays_go_as_points_do(void **state)
{
    (void)state;
    uint32_t different = 0;
    for (uint32_t seed = 0; seed < WORLDS; ++seed) {
        const twins both = make_twins(seed);
        for (int step = 0; step < STEPS; ++step) {
            kit_step(both.worlds[0], STEP);
            kit_step(both.worlds[1], STEP);
            for (int i = 0; i < PROBES; ++i) {
                different += compare(&both, i);
            }
        }
        graze_world_destroy(both.worlds[0]);
        graze_world_destroy(both.worlds[1]);
    }
    if (different > WORLDS * STEPS * PROBES / 1100) {
        fail_msg("%u of %d differ", different, WORLDS * STEPS * PROBES);
    }
}

enum { RAYS = 8, CRATES = 3, RUNS = 300, FALL_STEPS = 240 };

static graze_response slides_or_bounces(random_state *random)
{
    return random_below(random, 2) ? GRAZE_SLIDE : GRAZE_BOUNCE;
}

static void drop_crates(graze_world *world, random_state *random)
{
    for (int i = 0; i < CRATES; ++i) {
        graze_body_def crate = test_body_def();
        crate.shape = any_shape(random, 0.3f, 0.5f);
        crate.position.x = 1.2f * (float)(i - 1);
        crate.position.y = random_float(random, 1, 4);
        crate.velocity.y = random_float(random, -15, 0);
        crate.response = slides_or_bounces(random);
        crate.restitution = random_float(random, 0, 1);
        kit_add(world, crate);
    }
}

static void drop_rays(graze_world *world, random_state *random, graze_body_id *rays)
{
    for (int i = 0; i < RAYS; ++i) {
        graze_body_def ray = make_probe(true);
        ray.position.x = random_float(random, -1.5f, 1.5f);
        ray.position.y = random_float(random, 0.3f, 2);
        ray.velocity.x = random_float(random, -1, 1);
        ray.velocity.y = random_float(random, -5, 0);
        ray.response = slides_or_bounces(random);
        ray.restitution = random_float(random, 0, 1);
        rays[i] = kit_add(world, ray);
    }
}

// Crates come down on the rays and on what these lie on, which gives way to nothing: a lift, which
// may wait for the crates, or a floor. In between a ray may be in both; when all have come to rest
// it lies on what gives no way.
static void rays_lie_on_bodies(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < RUNS; ++run) {
        random_state random = random_seed(run);
        graze_world *world = kit_world_with_gravity(0, -20);
        const float speed = run % 4 ? random_float(&random, -3, 3) : 0;
        graze_body_def def = kit_moving(kit_rect(0, 0, 500, 0.2f), 0, 0, GRAZE_PASS);
        def.response = run % 4 > 1 ? slides_or_bounces(&random) : GRAZE_PASS;
        def.mass = 0;
        const graze_body_id lift = kit_add(world, def);
        graze_body_id rays[RAYS];
        drop_crates(world, &random);
        drop_rays(world, &random, rays);
        for (int step = 0; step < FALL_STEPS; ++step) {
            const float ways[] = {speed, -speed, speed, 0};
            const graze_vec2 up = {0, ways[step / (FALL_STEPS / 4)]};
            graze_body_set_velocity(world, lift, up);
            kit_step(world, STEP);
        }
        const float top = graze_body_position(world, lift).y + 0.2f;
        for (int i = 0; i < RAYS; ++i) {
            const float y = graze_body_position(world, rays[i]).y;
            if (y < top - 0.01f) {
                fail_msg("run %u: ray %d at %g, the lift's top at %g", run, i, (double)y,
                         (double)top);
            }
        }
        graze_world_destroy(world);
    }
}

// Wherever it was created in a body, a ray has left it after a second.
static void rays_come_out_of_bodies(void **state)
{
    (void)state;
    random_state random = random_seed(7);
    for (uint32_t run = 0; run < RUNS; ++run) {
        graze_world *world = kit_world();
        const graze_response responses[] = {GRAZE_PASS, GRAZE_SLIDE, GRAZE_RIGID};
        kit_add(world, kit_moving(kit_rect(0, 0, 1, 1), 0, 0, responses[run % 3]));
        graze_body_def ray = make_probe(true);
        ray.position.x = random_float(&random, -0.9f, 0.9f);
        ray.position.y = random_float(&random, -0.9f, 0.9f);
        ray.response = slides_or_bounces(&random);
        const graze_body_id probe = kit_add(world, ray);
        for (int step = 0; step < 60; ++step) {
            kit_step(world, STEP);
        }
        const graze_vec2 at = graze_body_position(world, probe);
        assert_true(fmaxf(fabsf(at.x), fabsf(at.y)) > 0.99f);
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_go_as_points_do),
        cmocka_unit_test(rays_come_out_of_bodies),
        cmocka_unit_test(rays_lie_on_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
