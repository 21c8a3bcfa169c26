// Many rays: against terrain all together, GRZ_RAYS_AT_ONCE at a time.

#include "api/query_rays.h"

#include <graze/query.h>

#include "api/query_api.h"
#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "fp_environment.h"
#include "min_max.h"
#include "step/rays.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/message.h"
#include "world/rows.h"

#include <stdio.h>
#include <string.h>

#define NO_WALL 2.0 ///< Past any wall's time, which is at most 1.

/// Some rays, and the closest wall found so far for each; then the closest hit.
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
    double time[GRZ_RAYS_AT_ONCE]; ///< Of the hits, unrounded; above 1: none.
    graze_query_hit *hits;         ///< By ray. A wall comes before a body met at the same time.
} ray_batch;

static void cast_at_bodies(ray_batch *batch);

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

static bool meets_wall(const ray_batch *batch, const graze_segment_finds *finds, uint32_t place)
{
    const uint32_t index = finds->names[place]->owner;
    const grz_chain *chain = &batch->world->terrain.chains[index];
    if (grz_chain_is_plain(chain)) {
        return batch->meets_plain;
    }
    return grz_ray_meets(batch->world, &batch->mover, batch->from[finds->move[place]],
                         grz_found_wall(finds, place), index);
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

static void write_hits(ray_batch *batch)
{
    grz_wall_hits *walls = &batch->walls;
    grz_wall_points points;
    grz_wall_hits_resolve_ties(walls);
    grz_prefetch_chains(walls, batch->world->terrain.chains);
    batch->loops->locate(walls, batch->from, batch->to, &points);
    const graze_query_hit nothing = {.time = 1};
    for (uint32_t i = 0; i < batch->count; ++i) {
        batch->hits[i] = nothing;
        batch->hits[i].point = batch->to[i];
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
        batch->hits[ray] = hit;
    }
}

static void cast_alone(const ray_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; ++i) {
        if (batch->searched[i] == GRAZE_SEGMENT_SEARCH_NONE) {
            const graze_ray start = {batch->from[i], {0, 0}};
            grz_cast moving;
            grz_cast_begin_ray(&moving, batch->world, start, batch->filter);
            moving.to = batch->to[i];
            batch->hits[i] = grz_cast_closest(&moving);
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
    batch->hits = hits;
    batch->loops->load(rays, count, batch->from, batch->to);
    const graze_segment_search least =
        graze_segment_grid_find(&world->terrain.grid, batch->from, batch->to, batch->count,
                                batch->searched, keep_crossings, batch);
    write_hits(batch);
    if (world->bodies.count) {
        memcpy(batch->time, batch->walls.time, count * sizeof *batch->time);
        cast_at_bodies(batch);
    }
    if (least == GRAZE_SEGMENT_SEARCH_NONE) {
        cast_alone(batch);
    }
    for (uint32_t k = 0; k < batch->walls.count; ++k) { // Few rays have met a wall.
        batch->walls.time[batch->walls.rays[k]] = NO_WALL;
    }
    batch->walls.count = 0;
}

static graze_status check_rays(const graze_world *world, const graze_ray *rays, uint32_t count)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; !status && i < count; ++i) {
        char name[32];
        snprintf(name, sizeof name, "ray %u", (unsigned)i);
        status = grz_check_ray(world, "graze_query_ray_many", name, rays[i]);
    }
    return status;
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

// --- Rays against bodies, many at a time ---

/// Pairs collected for the lanes.
typedef struct candidate {
    ray_batch *rays;
    const grz_body_ray_loops *loops;
    bool all_filters_meet;
    grz_body_ray_pairs pairs;
    grz_body_ray_meets meets;
} candidate;

static void keep_hit(ray_batch *rays, uint32_t ray, grz_row row, double time, graze_vec2d point,
                     graze_vec2d normal)
{
    const graze_body_id body = grz_row_id(&rays->world->bodies.rows, row);
    graze_query_hit *closest = &rays->hits[ray];
    const bool is_tie = time == rays->time[ray] && closest->body.generation != 0;
    if (time < rays->time[ray] || (is_tie && body.index < closest->body.index)) {
        const graze_query_hit hit = {.body = body,
                                     .time = (float)time + 0.0f,
                                     .point = without_negative_zero(narrow(point)),
                                     .normal = without_negative_zero(narrow(negate(normal)))};
        rays->time[ray] = time;
        *closest = hit;
    }
}

// Casts one ray at one body, by the kernel of its kind.
static void meet_alone(ray_batch *rays, uint32_t ray, grz_row row)
{
    const grz_rows *rows = &rays->world->bodies.rows;
    const grz_figure point = {GRAZE_SHAPE_RAY, {0, 0}, {1, 0}};
    const grz_figure target = grz_figure_of(rows, row);
    const graze_vec2 centre = rows->position[row];
    const graze_sweep sweep = grz_sweep_figures(&point, &target, offset(rays->from[ray], centre),
                                                offset(rays->to[ray], rays->from[ray]));
    if (sweep.hit && grz_is_near_ray(rows, row, rays->from[ray], rays->to[ray])) {
        // In a turned rect it may start past the range of float: by the rotation's rounding.
        const graze_vec2 met = narrow_reported2(add(sweep.point, widen(centre)));
        keep_hit(rays, ray, row, sweep.time, widen(met), sweep.normal);
    }
}

// Without lanes each pair is cast alone.
const grz_body_ray_loops grz_body_ray_loops_scalar = {NULL};

static void meet_pairs(candidate *job)
{
    ray_batch *rays = job->rays;
    const grz_body_ray_meets *meets = &job->meets;
    const grz_body_ray_pairs *pairs = &job->pairs;
    const bool in_lanes = job->loops->meet != NULL;
    if (in_lanes) {
        job->loops->meet(&rays->world->bodies.rows, rays->from, rays->to, &job->pairs, &job->meets);
    }
    for (uint32_t i = 0; in_lanes && i < meets->met_count; ++i) {
        const uint32_t k = meets->met[i];
        const graze_vec2d point = {meets->x[k], meets->y[k]};
        const graze_vec2d normal = {meets->normal_x[k], meets->normal_y[k]};
        keep_hit(rays, pairs->ray[k], pairs->row[k], meets->time[k], point, normal);
    }
    for (uint32_t i = 0; i < (in_lanes ? meets->open_count : pairs->count); ++i) {
        const uint32_t k = in_lanes ? meets->open[i] : i;
        meet_alone(rays, pairs->ray[k], pairs->row[k]);
    }
    job->pairs.count = 0;
}

static void add_pair(candidate *job, uint32_t ray, grz_index index)
{
    const graze_world *world = job->rays->world;
    const grz_row row = world->bodies.row_of_index.data[index];
    if (row >= GRZ_NONE || (!job->all_filters_meet &&
                            !grz_filters_meet(job->rays->filter, *grz_filter_of(world, index)))) {
        return;
    }
    if (grz_kind_of(world->bodies.rows.traits[row]) != GRAZE_SHAPE_CIRCLE) {
        meet_alone(job->rays, ray, row);
        return;
    }
    job->pairs.ray[job->pairs.count] = ray;
    job->pairs.row[job->pairs.count] = row;
    if (++job->pairs.count == GRZ_BODY_RAY_PAIRS) {
        meet_pairs(job);
    }
}

// Bodies that were teleported are not where the grid says: they come as unsorted ones.
static void add_sorted(void *context, const graze_pair *pairs, uint32_t count)
{
    candidate *job = context;
    const graze_world *world = job->rays->world;
    const uint32_t *items = graze_grid_order(world->grid.cells);
    const uint32_t *index_of_item = graze_grid_read_notes(world->grid.cells);
    for (uint32_t i = 0; i < count; ++i) {
        const grz_index index = index_of_item[items[pairs[i].b]];
        if (!grz_index_set_has(&world->bodies.unsorted, index)) {
            add_pair(job, pairs[i].a, index);
        }
    }
}

static void add_still(void *context, const graze_pair *pairs, uint32_t count)
{
    candidate *job = context;
    for (uint32_t i = 0; i < count; ++i) {
        add_pair(job, pairs[i].a, grz_sleep_index_of_place(job->rays->world, pairs[i].b));
    }
}

static void add_loose(candidate *job)
{
    const grz_index_set *unsorted = &job->rays->world->bodies.unsorted;
    for (grz_index index = 0; (index = grz_index_set_next(unsorted, index)) != UINT32_MAX;
         ++index) {
        for (uint32_t ray = 0; ray < job->rays->count; ++ray) {
            add_pair(job, ray, index);
        }
    }
}

// A body in front of a ray's closest hit so far replaces it; of bodies at one time the one with the
// smallest index. Costs a test of the bodies that the grid finds near a ray, and of each unsorted
// body (bench: engine/query_ray_many/bullets-bodies).
static void cast_at_bodies(ray_batch *batch)
{
    static const grz_body_ray_loops *const tables[] = GRZ_WIDE_TABLES(grz_body_ray_loops);
    const graze_world *world = batch->world;
    candidate job;
    job.rays = batch;
    job.loops = tables[world->config.lanes];
    job.all_filters_meet =
        !world->bodies.filter_count && grz_filters_meet(batch->filter, graze_filter_default());
    job.pairs.count = 0;
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    graze_grid_find_rays(world->grid.cells, batch->from, batch->to, batch->count,
                         grz_list_sorted_kinds(world, batch->filter, kinds), add_sorted, &job);
    if (!grz_all_are_active(world)) {
        graze_grid_find_rays(world->sleep.grid, batch->from, batch->to, batch->count,
                             grz_list_still_kinds(world, batch->filter, kinds), add_still, &job);
    }
    add_loose(&job);
    meet_pairs(&job);
}
