// Ours: a shot is a ray that stops at its first hit and is spent there, and also a query. On a
// course everything passes and is reported.

#include "shooter.h"

#include "bench_memory.h"
#include "body_defs.h"
#include "engine_graze.h"
#include "scenes.h"

#include <graze/graze.h>

#include <stdlib.h>

static graze_world *make_world(void)
{
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    engine_graze_require(world, "no world");
    return world;
}

static void *build_range(const shot_loop *loop)
{
    graze_world *world = make_world();
    graze_chain_def def = graze_chain_def_default();
    def.points = loop->points;
    def.count = loop->count;
    def.loop = true;
    graze_chain_id chain = graze_chain_create(world, &def);
    engine_graze_require(graze_chain_is_valid(world, chain), "no chain");
    return world;
}

static void destroy_range(void *range)
{
    graze_world_destroy(range);
}

static uint32_t count_hits(void *range, graze_ray ray)
{
    return graze_query_ray_all(range, ray, graze_filter_default(), NULL, 0);
}

/// By both queries.
static bool cast_ray(void *range, graze_ray ray)
{
    graze_query_hit closest;
    graze_status status = graze_query_ray(range, ray, graze_filter_default(), &closest);
    engine_graze_require(status == GRAZE_OK, "no query");
    return closest.segment.chain.generation != 0 && count_hits(range, ray) > 0;
}

static graze_body_def define_shot(graze_ray shot)
{
    graze_body_def def = test_body_def();
    def.shape = graze_shape_ray();
    def.position = shot.origin;
    def.velocity = shot.delta;
    def.response = GRAZE_STOP;
    def.hit_limit = 1;
    return def;
}

/// With steps of one second a velocity is a step's delta.
static void run_steps(graze_world *world, uint32_t steps, float seconds)
{
    for (uint32_t i = 0; i < steps; ++i) {
        engine_graze_require(graze_world_step(world, seconds) == GRAZE_OK, "no step");
    }
}

static void fire_shots(void *range, const graze_ray *shots, uint32_t count, uint32_t steps,
                       bool *stopped)
{
    graze_body_id *ids = bench_allocate(count, sizeof *ids);
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_def def = define_shot(shots[i]);
        ids[i] = graze_body_create(range, &def);
        engine_graze_require(graze_body_is_valid(range, ids[i]), "no bullet");
    }
    run_steps(range, steps, 1.0f);
    for (uint32_t i = 0; i < count; ++i) {
        stopped[i] = !graze_body_is_valid(range, ids[i]);
    }
    free(ids);
}

static void add_body(graze_world *world, graze_shape shape, graze_vec2 position,
                     graze_vec2 velocity, uint32_t lane)
{
    graze_body_def def = test_body_def();
    def.shape = shape;
    def.position = position;
    def.velocity = velocity;
    def.user_data = lane;
    engine_graze_require(graze_body_is_valid(world, graze_body_create(world, &def)), "no body");
}

static void note_contacts(const graze_world *world, bool *met)
{
    graze_contact_list list = graze_world_contacts(world);
    for (uint32_t i = 0; i < list.count; ++i) {
        met[graze_body_user_data(world, list.data[i].a)] = true;
    }
}

static void fly_courses(const course *courses, uint32_t count, bool *met)
{
    graze_world *world = make_world();
    for (uint32_t i = 0; i < count; ++i) {
        const course *one = &courses[i];
        met[i] = false;
        add_body(world, graze_shape_ray(), one->bullet, one->bullet_velocity, i);
        add_body(world, graze_shape_circle(COURSE_TARGET_RADIUS), one->target, one->target_velocity,
                 i);
    }
    for (uint32_t i = 0; i < COURSE_STEPS; ++i) {
        run_steps(world, 1, SCENE_STEP);
        note_contacts(world, met);
    }
    graze_world_destroy(world);
}

const shooter shooter_graze = {
    .title = "Graze",
    .build = build_range,
    .destroy = destroy_range,
    .cast = cast_ray,
    .count_hits = count_hits,
    .fire = fire_shots,
    .fly = fly_courses,
};
