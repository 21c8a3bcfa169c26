// Rays cast into a world that stands still: nanoseconds a ray.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "scenes.h"

#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    SEED = 1,
    RAY_SEED = 2, ///< Not the terrain's: rays drawn alike would begin on its ends and lie in it.
    RAYS = 100000,
    ROUNDS = 10,
    SAMPLE = 200 ///< Rays that are checked against all segments.
};

typedef struct query_stage {
    const char *size_name;
    uint32_t size;
    bool quick;
} query_stage;

static const query_stage stages[] = {
    {"1k", 1000, false},
    {"10k", 10000, true},
    {"100k", 100000, false},
};

enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

static graze_ray *make_rays(const scene *place)
{
    graze_ray *rays = bench_allocate(RAYS, sizeof *rays);
    random_state random = random_seed(RAY_SEED);
    for (uint32_t i = 0; i < RAYS; ++i) {
        scene_body bullet = scene_new_bullet(place, &random);
        rays[i].origin = bullet.position;
        rays[i].delta = graze_vec2_scale(bullet.velocity, SCENE_STEP);
    }
    return rays;
}

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

static bool is_hit(const graze_query_hit *hit)
{
    return hit->segment.chain.generation != 0;
}

static void check_hits(bench_state *state, const scene *place, const graze_ray *rays,
                       const graze_query_hit *hits)
{
    for (uint32_t i = 0; i < SAMPLE; ++i) {
        if (is_hit(&hits[i]) != crosses_any(place, rays[i])) {
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
    graze_ray *rays = make_rays(place);
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
    const query_stage *on = argument;
    scene place = scene_make_bullets_terrain(SEED, on->size, 0);
    void *run = engine_graze.create(&place);
    cast_rays(state, engine_graze_world(run), &place);
    engine_graze.destroy(run);
    scene_free(&place);
}

void bench_register_query(bench_plan plan)
{
    for (uint32_t i = 0; i < STAGE_COUNT; ++i) {
        if (!plan.quick || stages[i].quick) {
            char name[80];
            snprintf(name, sizeof name, "engine/query_ray_many/bullets-terrain/%s",
                     stages[i].size_name);
            bench_register(name, run_rays, &stages[i], ROUNDS);
        }
    }
}
