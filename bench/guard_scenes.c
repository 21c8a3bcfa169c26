#include "guard_scenes.h"

#include "bench_memory.h"
#include "engine_graze.h"
#include "operands.h"
#include "ray_scenes.h"
#include "settler.h"

#include <graze/graze.h>
#include <graze/sweep.h>

#include <stdlib.h>

enum {
    SEED = 1,
    KEEP_SEED = 2, ///< Not the scene's, or bullets would begin on ends of its terrain.
    WARM_UP_STEPS = 5,
    BODIES = 10000,
    BULLETS = 10000,
    SEGMENTS = 10000,
    SMALL = 1000,       ///< Movers and segments of the small bullet hell.
    HEAP = 200,         ///< Bodies of a heap,
    SETTLE_STEPS = 100, ///< and steps in which it nearly comes to rest.
    CRATES = 820,       ///< A pyramid of 40 rows.
    LARGE = 100000,     ///< Bodies of the large gas, bullets of the large bullet hell.
    PAIRS = 4096,
    SEARCHES = 100,
    SEARCH_RADIUS = 20
};

// --- steps ---

static scene make_terrain(uint64_t seed, uint32_t size)
{
    return scene_make_bullets_terrain(seed, size, 0);
}

static scene make_bullets_terrain(uint64_t seed, uint32_t size)
{
    return scene_make_bullets_terrain(seed, size, BULLETS);
}

static scene make_bullets_bodies(uint64_t seed, uint32_t size)
{
    return scene_make_bullets_bodies(seed, size, BULLETS);
}

static scene make_bullet_hell(uint64_t seed, uint32_t size)
{
    return scene_make_bullet_hell(seed, size, BULLETS, size);
}

static scene make_large_bullet_hell(uint64_t seed, uint32_t size)
{
    return scene_make_bullet_hell(seed, size, LARGE, size);
}

// One after the other, each between two marks.
static void run_tasks(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                      void *user)
{
    (void)user;
    for (uint32_t i = 0; i < count; ++i) {
        guard_run_task(task, context, i);
    }
    guard_end_tasks();
}

static void run_steps(const guard_scene *which)
{
    random_state random = random_seed(KEEP_SEED);
    scene_make_fn *const *make = which->detail;
    scene place = (*make)(SEED, which->size);
    if (which->workers > 1) {
        engine_graze_use_parallel(run_tasks, NULL, which->workers);
    }
    void *world = engine_graze.create(&place);
    for (uint32_t i = 0; i < WARM_UP_STEPS + which->rounds; ++i) {
        if (i < WARM_UP_STEPS) {
            engine_graze.step(world);
        } else {
            guard_measured(engine_graze.step, world);
        }
        engine_graze.keep(world, &random);
    }
    engine_graze.destroy(world);
    scene_free(&place);
}

// --- steps of bodies that push each other ---

static void run_settler(const guard_scene *which)
{
    heap_make_fn *const *make = which->detail;
    heap_scene heap = (*make)(which->size);
    void *world = settler_graze.create(&heap);
    const bool at_once = heap.bursts || heap.lands || heap.drum_count;
    const uint32_t warm_up = at_once ? 0 : heap.bounces ? WARM_UP_STEPS : SETTLE_STEPS;
    for (uint32_t i = 0; i < warm_up; ++i) {
        settler_graze.step(world);
    }
    for (uint32_t i = 0; i < which->rounds; ++i) {
        guard_measured(settler_graze.step, world);
    }
    settler_graze.destroy(world);
    scene_free(&heap.place);
}

// --- rays ---

typedef struct ray_batch {
    const graze_world *world;
    graze_ray *rays;
    graze_query_hit *hits;
    uint32_t count;
} ray_batch;

static void cast_rays(void *context)
{
    const ray_batch *batch = context;
    (void)graze_query_ray_many(batch->world, batch->rays, batch->count, graze_filter_default(),
                               batch->hits);
}

static void find_nearest(void *context)
{
    const ray_batch *batch = context;
    graze_body_id nearest;
    for (uint32_t i = 0; i < batch->count; ++i) {
        (void)graze_query_nearest(batch->world, batch->rays[i].origin, SEARCH_RADIUS,
                                  graze_filter_default(), &nearest, 1);
    }
}

static void run_queries(const guard_scene *which, void (*ask)(void *))
{
    scene_make_fn *const *make = which->detail;
    scene place = (*make)(SEED, which->size);
    void *run = engine_graze.create(&place);
    (void)graze_world_sort(engine_graze_world(run));
    ray_batch batch = {.world = engine_graze_world(run), .count = which->items};
    batch.rays = ray_scene_draw(&place, batch.count);
    batch.hits = bench_allocate(batch.count, sizeof *batch.hits);
    guard_measured(ask, &batch);
    free(batch.rays);
    free(batch.hits);
    engine_graze.destroy(run);
    scene_free(&place);
}

static void run_rays(const guard_scene *which)
{
    run_queries(which, cast_rays);
}

static void run_searches(const guard_scene *which)
{
    run_queries(which, find_nearest);
}

// --- kernels ---

/// Pairs for a kernel, and how many of them it finds to be hits.
typedef struct kernel_pairs {
    moving_rect a[PAIRS];
    graze_rect b[PAIRS];
    uint32_t hits;
} kernel_pairs;

typedef void kernel_loop(void *pairs);

static void collide_rects(void *context)
{
    kernel_pairs *pairs = context;
    for (uint32_t i = 0; i < PAIRS; ++i) {
        pairs->hits += graze_collide_rects(pairs->a[i].rect, pairs->b[i]).count > 0;
    }
}

static void collide_circle_rect(void *context)
{
    kernel_pairs *pairs = context;
    for (uint32_t i = 0; i < PAIRS; ++i) {
        graze_circle circle = {pairs->a[i].rect.center, pairs->a[i].rect.half.x};
        pairs->hits += graze_collide_circle_rect(circle, pairs->b[i]).count > 0;
    }
}

static void sweep_rects(void *context)
{
    kernel_pairs *pairs = context;
    for (uint32_t i = 0; i < PAIRS; ++i) {
        const graze_rect *a = &pairs->a[i].rect;
        const graze_rect *b = &pairs->b[i];
        graze_vec2d start = {(double)a->center.x - (double)b->center.x,
                             (double)a->center.y - (double)b->center.y};
        graze_vec2d delta = {(double)pairs->a[i].delta.x, (double)pairs->a[i].delta.y};
        pairs->hits +=
            graze_sweep_rects(start, delta, a->half, a->rotation, b->half, b->rotation).hit;
    }
}

static void collide_rects_many(void *context)
{
    static graze_rect a[PAIRS];
    static graze_manifold manifolds[PAIRS];
    kernel_pairs *pairs = context;
    for (uint32_t i = 0; i < PAIRS; ++i) {
        a[i] = pairs->a[i].rect;
    }
    pairs->hits += graze_collide_rects_many(a, pairs->b, PAIRS, manifolds);
}

static void run_kernel(const guard_scene *which)
{
    random_state random = random_seed(SEED);
    kernel_loop *const *loop = which->detail;
    kernel_pairs *pairs = bench_allocate(1, sizeof *pairs);
    for (uint32_t i = 0; i < PAIRS; ++i) {
        operand_moving_rect.draw(&random, &pairs->a[i]);
        operand_graze_rect.draw(&random, &pairs->b[i]);
    }
    guard_measured(*loop, pairs);
    free(pairs);
}

// --- all ---

// Pointers to functions cannot be kept in a pointer to void, pointers to them can.
static scene_make_fn *const gas = scene_make_gas;
static scene_make_fn *const gas_mixed = scene_make_gas_mixed;
static scene_make_fn *const gas_fast = scene_make_gas_fast;
static scene_make_fn *const clusters = scene_make_clusters;
static scene_make_fn *const rest = scene_make_rest;
static scene_make_fn *const terrain = make_terrain;
static scene_make_fn *const bullets_terrain = make_bullets_terrain;
static scene_make_fn *const bullets_bodies = make_bullets_bodies;
static scene_make_fn *const bullet_hell = make_bullet_hell;
static scene_make_fn *const large_bullet_hell = make_large_bullet_hell;
static heap_make_fn *const bouncing = heap_make_bouncing;
static heap_make_fn *const bouncing_fast = heap_make_bouncing_fast;
static heap_make_fn *const sensors = heap_make_sensors;
static heap_make_fn *const bursts = heap_make_bursts;
static heap_make_fn *const walkers = heap_make_walkers;
static heap_make_fn *const heap_rough = heap_make_rough;
static heap_make_fn *const pyramid = heap_make_pyramid;
static heap_make_fn *const rigid_pyramid = rigid_make_pyramid;
static heap_make_fn *const rigid_mixed = rigid_make_mixed;
static heap_make_fn *const mill = rigid_make_mill;
static heap_make_fn *const landing = rigid_make_landing;
static kernel_loop *const collide_rects_loop = collide_rects;
static kernel_loop *const collide_rects_many_loop = collide_rects_many;
static kernel_loop *const collide_circle_rect_loop = collide_circle_rect;
static kernel_loop *const sweep_rects_loop = sweep_rects;

// The gas takes enough rounds to include work that is done once in some tens of steps.
const guard_scene guard_scenes[] = {
    {"step/gas/10k", 40, BODIES, 1, BODIES, &gas, run_steps},
    {"step/gas-mixed/10k", 20, BODIES, 1, BODIES, &gas_mixed, run_steps},
    {"step/gas-fast/10k", 10, BODIES, 1, BODIES, &gas_fast, run_steps},
    {"step/clusters/10k", 5, BODIES, 1, BODIES, &clusters, run_steps},
    {"step/rest/10k", 20, BODIES, 1, BODIES, &rest, run_steps},
    {"step/bullets-terrain/10k", 10, BULLETS, 1, SEGMENTS, &bullets_terrain, run_steps},
    {"step/bullets-bodies/1k", 5, BULLETS, 1, SMALL, &bullets_bodies, run_steps},
    {"step/bullet-hell/1k", 10, BULLETS, 1, SMALL, &bullet_hell, run_steps},
    {"step/gas-bounce/10k", 10, BODIES, 1, BODIES, &bouncing, run_settler},
    {"step/gas-bounce-fast/1k", 5, SMALL, 1, SMALL, &bouncing_fast, run_settler},
    {"step/sensors/10k", 5, BODIES, 1, BODIES, &sensors, run_settler},
    {"step/burst/200", 10, HEAP, 1, HEAP, &bursts, run_settler},
    {"step/walkers/1k", 10, SMALL, 1, SMALL, &walkers, run_settler},
    {"step/heap-rough/200", 20, HEAP, 1, HEAP, &heap_rough, run_settler},
    {"step/pyramid/200", 20, HEAP, 1, HEAP, &pyramid, run_settler},
    {"step/pyramid/40", 10, CRATES, 1, CRATES, &rigid_pyramid, run_settler},
    {"step/mixed-rigid/1k", 5, SMALL, 1, SMALL, &rigid_mixed, run_settler},
    {"step/mill/1k", 3, SMALL, 1, SMALL, &mill, run_settler},
    {"step/landing-1000/1k", 3, SMALL, 1, SMALL, &landing, run_settler},
    {"span/gas/100k/workers:1", 4, LARGE, 1, LARGE, &gas, run_steps},
    {"span/gas/100k/workers:2", 4, LARGE, 2, LARGE, &gas, run_steps},
    {"span/bullet-hell/10k/workers:1", 4, LARGE, 1, BODIES, &large_bullet_hell, run_steps},
    {"span/bullet-hell/10k/workers:2", 4, LARGE, 2, BODIES, &large_bullet_hell, run_steps},
    {"query_ray_many/bullets-terrain/10k", 1, BULLETS, 1, SEGMENTS, &terrain, run_rays},
    {"query_ray_many/bullets-bodies/10k", 1, BULLETS, 1, BODIES, &gas, run_rays},
    {"query_nearest/gas/10k", 1, SEARCHES, 1, BODIES, &gas, run_searches},
    {"collide_rects", 1, PAIRS, 1, 0, &collide_rects_loop, run_kernel},
    {"collide_rects_many", 1, PAIRS, 1, 0, &collide_rects_many_loop, run_kernel},
    {"collide_circle_rect", 1, PAIRS, 1, 0, &collide_circle_rect_loop, run_kernel},
    {"sweep_rects", 1, PAIRS, 1, 0, &sweep_rects_loop, run_kernel},
    {0},
};
