// Many rays: against terrain all together, GRZ_RAYS_AT_ONCE at a time.

#include <graze/query.h>

#include "api/query_api.h"
#include "collide/pair_sweep.h"
#include "fp_environment.h"
#include "min_max.h"
#include "step/rays.h"
#include "step/rays_bodies.h"
#include "world/message.h"

#include <stdio.h>
#include <string.h>

#define NO_WALL 2.0 ///< Past any wall's time, which is at most 1.

/// Some rays, and the closest wall found so far for each.
typedef struct ray_batch {
    const graze_world *world;
    const grz_ray_loops *loops;
    graze_filter filter;
    grz_mover mover;
    bool meets_plain; ///< Chains for which grz_chain_is_plain holds.
    bool meets_all;   ///< All chains are such.
    uint32_t count;
    graze_vec2 from[GRZ_RAYS_AT_ONCE], to[GRZ_RAYS_AT_ONCE];
    uint8_t searched[GRZ_RAYS_AT_ONCE];
    grz_wall_hits walls;
} ray_batch;

static void begin_batch(ray_batch *batch, const graze_world *world, uint32_t ray_count,
                        graze_filter filter)
{
    const grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &batch->filter};
    batch->world = world;
    batch->loops = grz_ray_loops_for(world->config.lanes);
    batch->filter = filter;
    batch->mover = ray;
    batch->meets_plain = grz_filters_meet(filter, graze_filter_default());
    batch->meets_all = batch->meets_plain && !world->terrain.odd_chain_count;
    batch->walls.count = 0;
    batch->walls.tie_count = 0;
    for (uint32_t i = 0; i < ray_count && i < GRZ_RAYS_AT_ONCE; ++i) {
        batch->walls.time[i] = NO_WALL;
    }
}

// Clears the walls found. Few rays have met one, so only those are visited.
static void forget_walls(ray_batch *batch)
{
    for (uint32_t k = 0; k < batch->walls.count; ++k) {
        batch->walls.time[batch->walls.rays[k]] = NO_WALL;
    }
    batch->walls.count = 0;
}

static bool meets_wall(const ray_batch *batch, const graze_segment_finds *finds, uint32_t place)
{
    const grz_index index = finds->names[place]->owner;
    const grz_chain *chain = &batch->world->terrain.chains[index];
    if (grz_chain_is_plain(chain)) {
        return batch->meets_plain;
    }
    const graze_segment wall = {{finds->ax[place], finds->ay[place]},
                                {finds->bx[place], finds->by[place]}};
    const graze_vec2 from = batch->from[finds->move[place]];
    return grz_ray_meets(batch->world, &batch->mover, from, wall, index);
}

// If all chains are plain, chains need not be read before all walls have been found.
static void keep_crossings(void *context, const graze_segment_finds *finds)
{
    ray_batch *batch = context;
    grz_crossings crossings;
    const uint32_t count = batch->loops->sift(finds, batch->from, batch->to, &crossings);
    grz_prefetch_names(finds, crossings.places, count,
                       batch->meets_all ? NULL : batch->world->terrain.chains);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        if (batch->meets_all || meets_wall(batch, finds, place)) {
            grz_wall_hits_keep(&batch->walls, finds, place, crossings.times[place]);
        }
    }
}

static void write_hits(ray_batch *batch, graze_query_hit *hits)
{
    grz_wall_hits *walls = &batch->walls;
    grz_wall_points points;
    grz_wall_hits_resolve_ties(walls);
    grz_prefetch_chains(walls, batch->world->terrain.chains);
    batch->loops->locate(walls, batch->from, batch->to, &points);
    const graze_query_hit nothing = {.time = 1};
    for (uint32_t i = 0; i < batch->count; ++i) {
        hits[i] = nothing;
        hits[i].point = batch->to[i];
    }
    for (uint32_t k = 0; k < walls->count; ++k) {
        const uint32_t ray = walls->rays[k];
        const graze_segment_name name = *walls->names[ray];
        const graze_query_hit hit = {
            .segment = {{name.owner, batch->world->terrain.chains[name.owner].generation},
                        name.item},
            .time = (float)walls->time[ray] + 0.0f,
            .point = points.point[k],
            .normal = points.normal[k],
        };
        hits[ray] = hit;
    }
}

static void begin_single(grz_cast *moving, const ray_batch *batch, uint32_t ray)
{
    const graze_ray start = {batch->from[ray], {0, 0}};
    grz_cast_begin_ray(moving, batch->world, start, batch->filter);
    moving->to = batch->to[ray];
    moving->capacity = 1;
}

// Searches the bodies for one in front of the closest wall.
static void cast_at_bodies(const ray_batch *batch, graze_query_hit *hits)
{
    double time[GRZ_RAYS_AT_ONCE];
    memcpy(time, batch->walls.time, batch->count * sizeof *time);
    const grz_body_rays rays = {batch->world, batch->filter, batch->from, batch->to,
                                batch->count, time,          hits};
    grz_rays_meet_bodies(&rays);
}

static void cast_alone(const ray_batch *batch, graze_query_hit *hits)
{
    for (uint32_t i = 0; i < batch->count; ++i) {
        if (batch->searched[i] == GRAZE_SEGMENT_SEARCH_NONE) {
            grz_cast moving;
            begin_single(&moving, batch, i);
            hits[i] = grz_cast_closest(&moving);
        }
    }
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    16 bytes of a ray read, 40 of a hit written, both in sequence; the grid's cells and what
//         lies in them, prefetched (segment_grid_find.c).
// Branch  None per ray, except for long ones: all rays pass each stage together.
// Order   As they come. Sorted by cell beforehand, 100k rays on as many segments took at most 12 ns
//         less each: sorting would have to take less than that.
static void cast_batch(ray_batch *batch, const graze_ray *rays, uint32_t count,
                       graze_query_hit *hits)
{
    const graze_world *world = batch->world;
    batch->count = count;
    batch->loops->load(rays, count, batch->from, batch->to);
    const graze_segment_search least =
        graze_segment_grid_find(&world->terrain.grid, batch->from, batch->to, batch->count,
                                batch->searched, keep_crossings, batch);
    write_hits(batch, hits);
    if (world->bodies.count) {
        cast_at_bodies(batch, hits);
    }
    if (least == GRAZE_SEGMENT_SEARCH_NONE) {
        cast_alone(batch, hits);
    }
    forget_walls(batch);
}

static graze_status check_rays(const graze_world *world, const graze_ray *rays, uint32_t count)
{
    static const char call[] = "graze_query_ray_many";
    for (uint32_t i = 0; i < count; ++i) {
        if (!grz_is_finite_ray(rays[i])) {
            char name[32];
            snprintf(name, sizeof name, "ray %u", (unsigned)i);
            return grz_refuse_ray(world, call, name, rays[i]);
        }
    }
    return GRAZE_OK;
}

static graze_status find_ray_hits(const graze_world *world, const graze_ray *rays, uint32_t count,
                                  graze_filter filter, graze_query_hit *hits)
{
    if (count && (!rays || !hits)) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many: %s is null",
                        rays ? "hits" : "rays");
    }
    ray_batch batch;
    begin_batch(&batch, world, count, filter);
    if (!batch.loops->are_finite(rays, count)) {
        return check_rays(world, rays, count);
    }
    for (uint32_t first = 0; first < count; first += GRZ_RAYS_AT_ONCE) {
        const uint32_t rest = count - first;
        cast_batch(&batch, rays + first, min_u32(rest, GRZ_RAYS_AT_ONCE), hits + first);
    }
    return GRAZE_OK;
}

graze_status graze_query_ray_many(const graze_world *world, const graze_ray *rays, uint32_t count,
                                  graze_filter filter, graze_query_hit *hits)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = find_ray_hits(world, rays, count, filter, hits);
    grz_fp_leave(caller);
    return status;
}
