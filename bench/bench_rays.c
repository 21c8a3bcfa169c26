// The peers' rays, to compare with graze_query_ray_many (bench_query.c): the same rays into the
// same terrain, or among the same circles, nanoseconds a ray.
//
// A peer must hit what ours hits, except circles in which a ray begins, which some do not hit. They
// may differ, rarely, only if the ray passes an end of a segment or touches something to within
// rounding, which the independent hull.h confirms.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "engine_graze.h"
#include "engines.h"
#include "hull.h"
#include "ray_scenes.h"

#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    RAYS = 100000,
    ROUNDS = 3,
    RARE = 20,  ///< Of all rays.
    CASES = 16, ///< At least as many as are ever registered.
};

#define DOUBT 1e-3 ///< Units: smaller gaps may be decided either way.
#define REACH 6.0  ///< Segments are no longer.

typedef struct ray_case {
    const engine *measured;
    const ray_scene *on;
} ray_case;

/// The hits of ours, one ray after the other.
static bool *find_own_hits(const scene *place, const graze_ray *rays)
{
    bool *hits = bench_allocate(RAYS, sizeof *hits);
    void *run = engine_graze.create(place);
    (void)graze_world_sort(engine_graze_world(run));
    for (uint32_t i = 0; i < RAYS; ++i) {
        graze_query_hit hit;
        (void)graze_query_ray(engine_graze_world(run), rays[i], graze_filter_default(), &hit);
        hits[i] = hit.segment.chain.generation != 0 || hit.body.generation != 0;
    }
    engine_graze.destroy(run);
    return hits;
}

static bool is_far(graze_vec2 a, graze_vec2 b)
{
    return fabs((double)a.x - (double)b.x) > 2 * REACH ||
           fabs((double)a.y - (double)b.y) > 2 * REACH;
}

static bool nearly_touches_wall(const scene *place, graze_vec2 origin, const hull *way)
{
    for (uint32_t i = 0; i < place->chain_count; ++i) {
        const graze_vec2 *points = place->points + place->chains[i].first;
        for (uint32_t j = 1; j < place->chains[i].count; ++j) {
            graze_segment segment = {points[j - 1], points[j]};
            hull wall = hull_of_segment(segment);
            if (!is_far(origin, points[j]) && fabs(hull_gap(way, &wall)) < DOUBT) {
                return true;
            }
        }
    }
    return false;
}

static bool nearly_touches_circle(const scene *place, graze_vec2 origin, const hull *way)
{
    for (uint32_t i = 0; i < place->body_count; ++i) {
        graze_circle circle = {place->bodies[i].position, place->bodies[i].half.x};
        hull disc = hull_of_circle(circle);
        if (!is_far(origin, circle.center) && fabs(hull_gap(way, &disc)) < DOUBT) {
            return true;
        }
    }
    return false;
}

/// Returns whether something is nearly touched, or barely touched.
static bool is_doubtful(const scene *place, graze_ray ray)
{
    graze_segment way = {ray.origin, graze_vec2_add(ray.origin, ray.delta)};
    hull outline = hull_of_segment(way);
    return nearly_touches_wall(place, ray.origin, &outline) ||
           nearly_touches_circle(place, ray.origin, &outline);
}

static bool begins_inside(const scene *place, graze_ray ray)
{
    for (uint32_t i = 0; i < place->body_count; ++i) {
        graze_circle circle = {place->bodies[i].position, place->bodies[i].half.x};
        if (graze_overlap_point_circle(ray.origin, circle)) {
            return true;
        }
    }
    return false;
}

static bool check_hits(bench_state *state, const scene *place, const graze_ray *rays,
                       const peer_hit *hits)
{
    bool *own = find_own_hits(place, rays);
    uint32_t different = 0;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < RAYS; ++i) {
        bool differs = hits[i].hit != own[i] && !begins_inside(place, rays[i]);
        different += differs;
        wrong += differs && !is_doubtful(place, rays[i]);
    }
    free(own);
    if (wrong > 0 || different > RARE) {
        char message[80];
        snprintf(message, sizeof message, "%u hits unlike ours, %u of them beyond doubt", different,
                 wrong);
        bench_fail(state, message);
    }
    return wrong == 0 && different <= RARE;
}

static double find_hit_share(const peer_hit *hits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RAYS; ++i) {
        count += hits[i].hit;
    }
    return (double)count / RAYS;
}

static void measure(bench_state *state, const engine *measured, void *world, const graze_ray *rays,
                    peer_hit *hits)
{
    while (bench_next(state)) {
        bench_start(state);
        measured->cast(world, rays, RAYS, hits);
        bench_stop(state);
    }
    bench_set_items(state, RAYS);
    bench_set_counter(state, "hits", find_hit_share(hits));
}

static void run_case(bench_state *state, const void *argument)
{
    const ray_case *which = argument;
    scene place = ray_scene_make(which->on, 0);
    graze_ray *rays = ray_scene_draw(&place, RAYS);
    peer_hit *hits = bench_allocate(RAYS, sizeof *hits);
    void *world = which->measured->create(&place);
    which->measured->cast(world, rays, RAYS, hits);
    if (check_hits(state, &place, rays, hits)) {
        measure(state, which->measured, world, rays, hits);
    }
    which->measured->destroy(world);
    free(rays);
    free(hits);
    scene_free(&place);
}

static void register_case(const ray_case *which)
{
    static ray_case cases[CASES];
    static uint32_t count;
    char name[80];
    snprintf(name, sizeof name, "%s/query_ray_many/%s/%s", which->measured->name, which->on->name,
             which->on->size_name);
    cases[count] = *which;
    bench_register(name, run_case, &cases[count++], ROUNDS);
}

void bench_register_rays(bench_plan plan)
{
    for (uint32_t i = 0; i < RAY_SCENE_COUNT; ++i) {
        for (const engine *const *each = engines; *each; ++each) {
            ray_case wanted = {*each, &ray_scenes[i]};
            if ((*each)->cast && (!plan.quick || ray_scenes[i].quick)) {
                register_case(&wanted);
            }
        }
    }
}
