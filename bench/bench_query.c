// Queries of a world that stands still: nanoseconds a ray, or a search for the nearest.

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
    SEARCHES = 1000,
    SAMPLE = 200 ///< Queries that are checked against everything.
};

static const float search_radius = 20;

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

static void check_nearest(bench_state *state, const scene *place, graze_vec2 point, uint32_t found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < place->body_count; ++i) {
        const float reach = search_radius + place->bodies[i].half.x;
        const graze_circle around = {place->bodies[i].position, reach};
        count += graze_overlap_point_circle(point, around);
    }
    if (count != found) {
        char message[80];
        snprintf(message, sizeof message, "%u circles are near, %u were found", count, found);
        bench_fail(state, message);
    }
}

// Of all that are near, the nearest is asked for, and how many there are.
static void search(bench_state *state, const graze_world *world, const scene *place)
{
    graze_ray *rays = ray_scene_draw(place, SEARCHES);
    const graze_filter filter = graze_filter_default();
    graze_body_id nearest;
    uint64_t found = 0;
    while (bench_next(state)) {
        found = 0;
        bench_start(state);
        for (uint32_t i = 0; i < SEARCHES; ++i) {
            found += graze_query_nearest(world, rays[i].origin, search_radius, filter, &nearest, 1);
        }
        bench_stop(state);
    }
    for (uint32_t i = 0; i < SAMPLE; ++i) {
        const uint32_t count =
            graze_query_nearest(world, rays[i].origin, search_radius, filter, &nearest, 1);
        check_nearest(state, place, rays[i].origin, count);
    }
    bench_set_items(state, SEARCHES);
    bench_set_counter(state, "found", (double)found / SEARCHES);
    free(rays);
}

static void run_queries(bench_state *state, const ray_scene *of,
                        void (*ask)(bench_state *, const graze_world *, const scene *))
{
    scene place = ray_scene_make(of, 0);
    void *run = engine_graze.create(&place);
    (void)graze_world_sort(engine_graze_world(run));
    ask(state, engine_graze_world(run), &place);
    engine_graze.destroy(run);
    scene_free(&place);
}

static void run_rays(bench_state *state, const void *argument)
{
    run_queries(state, argument, cast_rays);
}

static void run_search(bench_state *state, const void *argument)
{
    run_queries(state, argument, search);
}

void bench_register_query(bench_plan plan)
{
    if (!plan.quick) {
        bench_register("engine/query_nearest/gas/10k", run_search, &ray_scenes[RAY_TERRAIN_COUNT],
                       ROUNDS);
    }
    for (uint32_t i = 0; i < RAY_SCENE_COUNT; ++i) {
        if (!plan.quick || ray_scenes[i].quick) {
            char name[80];
            snprintf(name, sizeof name, "engine/query_ray_many/%s/%s", ray_scenes[i].name,
                     ray_scenes[i].size_name);
            bench_register(name, run_rays, &ray_scenes[i], ROUNDS);
        }
    }
}
