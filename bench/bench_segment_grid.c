// The grid of terrain: nanoseconds a segment to build it, and nanoseconds a bullet to walk the
// cells along its whole move.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "ray_scenes.h"

#include <graze/orient.h>
#include <graze/segment_grid.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BULLETS = 100000,
    SAMPLE = 200 ///< Bullets whose walks are checked against all segments.
};

static void require(graze_status status)
{
    if (status != GRAZE_OK) {
        fprintf(stderr, "graze_bench: segment grid: %s\n", graze_status_text(status));
        exit(1);
    }
}

static void build_grid(graze_segment_grid *grid, const scene *place)
{
    require(graze_segment_grid_init(grid, NULL));
    for (uint32_t i = 0; i < place->chain_count; ++i) {
        graze_polyline line = {place->points + place->chains[i].first, place->chains[i].count,
                               false};
        require(graze_segment_grid_add(grid, i, line));
    }
}

static graze_vec2 end_of(const scene_body *bullet)
{
    return graze_vec2_add(bullet->position, graze_vec2_scale(bullet->velocity, SCENE_STEP));
}

/// Marks in `seen`, by the index of their first point, the segments that the walk returns.
static void mark_walk(const graze_segment_grid *grid, const scene *place, const scene_body *bullet,
                      bool *seen)
{
    graze_segment_walk walk = graze_segment_grid_walk_ray(grid, bullet->position, end_of(bullet));
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1.0, &span)) {
        for (uint32_t i = 0; i < span.count; ++i) {
            seen[place->chains[span.names[i].owner].first + span.names[i].item] = true;
        }
    }
}

static uint32_t count_missed(const scene *place, const scene_body *bullet, const bool *seen)
{
    uint32_t missed = 0;
    for (uint32_t i = 0; i < place->chain_count; ++i) {
        scene_chain chain = place->chains[i];
        for (uint32_t j = chain.first; j + 1 < chain.first + chain.count; ++j) {
            graze_segment wall = {place->points[j], place->points[j + 1]};
            missed += !seen[j] && graze_crosses(bullet->position, end_of(bullet), wall);
        }
    }
    return missed;
}

static void check_walks(bench_state *state, const graze_segment_grid *grid, const scene *place)
{
    bool *seen = bench_allocate(place->point_count, sizeof *seen);
    uint32_t missed = 0;
    for (uint32_t i = 0; i < SAMPLE; ++i) {
        memset(seen, 0, place->point_count * sizeof *seen);
        mark_walk(grid, place, &place->bodies[i], seen);
        missed += count_missed(place, &place->bodies[i], seen);
    }
    free(seen);
    if (missed > 0 || graze_segment_grid_count(grid) != place->segment_count) {
        bench_fail(state, "a walk leaves out segments that are crossed");
    }
}

static void run_build(bench_state *state, const void *argument)
{
    const ray_scene *on = argument;
    scene place = ray_scene_make(on, SAMPLE);
    graze_segment_grid grid;
    build_grid(&grid, &place);
    check_walks(state, &grid, &place);
    graze_segment_grid_free(&grid);
    while (bench_next(state)) {
        bench_start(state);
        build_grid(&grid, &place);
        bench_stop(state);
        graze_segment_grid_free(&grid);
    }
    bench_set_items(state, on->size);
    scene_free(&place);
}

typedef struct walk_counts {
    uint64_t spans, segments;
} walk_counts;

static walk_counts walk_all(const graze_segment_grid *grid, const scene *place)
{
    walk_counts counts = {0, 0};
    for (uint32_t i = 0; i < place->bullet_count; ++i) {
        const scene_body *bullet = &place->bodies[i];
        graze_segment_walk walk =
            graze_segment_grid_walk_ray(grid, bullet->position, end_of(bullet));
        graze_segment_span span;
        while (graze_segment_walk_next(&walk, 1.0, &span)) {
            ++counts.spans;
            counts.segments += span.count;
        }
    }
    return counts;
}

static void run_walks(bench_state *state, const void *argument)
{
    const ray_scene *on = argument;
    scene place = ray_scene_make(on, BULLETS);
    graze_segment_grid grid;
    build_grid(&grid, &place);
    check_walks(state, &grid, &place);
    walk_counts counts = {0, 0};
    while (bench_next(state)) {
        bench_start(state);
        counts = walk_all(&grid, &place);
        bench_stop(state);
    }
    graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
    bench_set_items(state, BULLETS);
    bench_set_counter(state, "spans", (double)counts.spans / BULLETS);
    bench_set_counter(state, "segments", (double)counts.segments / BULLETS);
    bench_set_counter(state, "copies", (double)stats.copy_count / on->size);
    bench_set_counter(state, "bytes", (double)stats.memory_bytes / on->size);
    graze_segment_grid_free(&grid);
    scene_free(&place);
}

static void register_stage(const char *operation, bench_function *function, uint32_t rounds,
                           const ray_scene *on)
{
    char name[80];
    snprintf(name, sizeof name, "broadphase/%s/bullets-terrain/%s", operation, on->size_name);
    bench_register(name, function, on, rounds);
}

void bench_register_segment_grid(bench_plan plan)
{
    for (uint32_t i = 0; i < RAY_TERRAIN_COUNT; ++i) {
        if (!plan.quick || ray_scenes[i].quick) {
            register_stage("build_terrain", run_build, 1000000 / ray_scenes[i].size,
                           &ray_scenes[i]);
            register_stage("walk_rays", run_walks, 20, &ray_scenes[i]);
        }
    }
}
