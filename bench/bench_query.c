// Rays cast into a world that stands still: nanoseconds a ray.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "ray_scenes.h"

#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    RAYS = 100000,
    ROUNDS = 10,
    SAMPLE = 200 ///< Rays that are checked against everything.
};

static bool crosses_any(const scene *place, graze_ray ray)
{
    graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    for (uint32_t i = 0; i < place->chain_count; ++i) {
        scene_chain chain = place->chains[i];
        for (uint32_t j = chain.first; j + 1 < chain.first + chain.count; ++j) {
            graze_segment wall = {place->points[j], place->points[j + 1]};
            if (graze_crosses(ray.origin, end, wall)) {
                return true;
            }
        }
    }
    return false;
}

static bool enters_any(const scene *place, graze_ray ray)
{
    for (uint32_t i = 0; i < place->body_count; ++i) {
        const graze_circle circle = {place->bodies[i].position, place->bodies[i].half.x};
        if (graze_cast_ray_circle(ray, circle).hit) {
            return true;
        }
    }
    return false;
}

static bool is_hit(const graze_query_hit *hit)
{
    return hit->segment.chain.generation != 0 || hit->body.generation != 0;
}

static void check_hits(bench_state *state, const scene *place, const graze_ray *rays,
                       const graze_query_hit *hits)
{
    for (uint32_t i = 0; i < SAMPLE; ++i) {
        if (is_hit(&hits[i]) != (crosses_any(place, rays[i]) || enters_any(place, rays[i]))) {
            char message[80];
            snprintf(message, sizeof message, "ray %u %s, wrongly", i,
                     is_hit(&hits[i]) ? "hit" : "missed");
            bench_fail(state, message);
            return;
        }
    }
}

static double find_hit_share(const graze_query_hit *hits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RAYS; ++i) {
        count += is_hit(&hits[i]);
    }
    return (double)count / RAYS;
}

static void cast_rays(bench_state *state, const graze_world *world, const scene *place)
{
    graze_ray *rays = ray_scene_draw(place, RAYS);
    graze_query_hit *hits = bench_allocate(RAYS, sizeof *hits);
    graze_filter filter = graze_filter_default();
    (void)graze_query_ray_many(world, rays, RAYS, filter, hits);
    check_hits(state, place, rays, hits);
    while (bench_next(state)) {
        bench_start(state);
        (void)graze_query_ray_many(world, rays, RAYS, filter, hits);
        bench_stop(state);
    }
    bench_set_items(state, RAYS);
    bench_set_counter(state, "hits", find_hit_share(hits));
    free(rays);
    free(hits);
}

static void run_rays(bench_state *state, const void *argument)
{
    scene place = ray_scene_make(argument, 0);
    void *run = engine_graze.create(&place);
    (void)graze_world_sort(engine_graze_world(run));
    cast_rays(state, engine_graze_world(run), &place);
    engine_graze.destroy(run);
    scene_free(&place);
}

void bench_register_query(bench_plan plan)
{
    for (uint32_t i = 0; i < RAY_SCENE_COUNT; ++i) {
        if (!plan.quick || ray_scenes[i].quick) {
            char name[80];
            snprintf(name, sizeof name, "engine/query_ray_many/%s/%s", ray_scenes[i].name,
                     ray_scenes[i].size_name);
            bench_register(name, run_rays, &ray_scenes[i], ROUNDS);
        }
    }
}
