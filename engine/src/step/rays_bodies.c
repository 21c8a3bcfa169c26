#include "step/rays_bodies.h"

#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/rows.h"

/// Pairs collected for the lanes.
typedef struct candidate {
    const grz_body_rays *rays;
    const grz_body_ray_loops *loops;
    bool all_filters_meet;
    grz_body_ray_pairs pairs;
    grz_body_ray_meets meets;
} candidate;

// As narrow_reported2(), but without a clamp: a ray meets a circle between its own ends.
static graze_vec2 narrow_on_ray(graze_vec2d v)
{
    const graze_vec2 single = {(float)v.x + 0.0f, (float)v.y + 0.0f};
    return single;
}

static void keep_hit(const grz_body_rays *rays, uint32_t ray, grz_row row, double time,
                     graze_vec2d point, graze_vec2d normal)
{
    const graze_body_id body = grz_row_id(&rays->world->bodies.rows, row);
    graze_query_hit *closest = &rays->hits[ray];
    const bool is_tie = time == rays->time[ray] && closest->body.generation != 0;
    if (time < rays->time[ray] || (is_tie && body.index < closest->body.index)) {
        const graze_query_hit hit = {.body = body,
                                     .time = (float)time + 0.0f,
                                     .point = narrow_on_ray(point),
                                     .normal = narrow_on_ray(negate(normal))};
        rays->time[ray] = time;
        *closest = hit;
    }
}

// Casts one ray at one body, by the kernel of its kind.
static void meet_alone(const grz_body_rays *rays, uint32_t ray, grz_row row)
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

static void leave_open(const grz_rows *rows, const graze_vec2 *from, const graze_vec2 *to,
                       grz_body_ray_pairs *pairs, grz_body_ray_meets *meets)
{
    (void)rows;
    (void)from;
    (void)to;
    meets->met_count = 0;
    meets->open_count = pairs->count;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        meets->open[i] = i;
    }
}

const grz_body_ray_loops grz_body_ray_loops_scalar = {leave_open};

static void meet_pairs(candidate *job)
{
    const grz_body_rays *rays = job->rays;
    const grz_body_ray_meets *meets = &job->meets;
    const grz_body_ray_pairs *pairs = &job->pairs;
    job->loops->meet(&rays->world->bodies.rows, rays->from, rays->to, &job->pairs, &job->meets);
    for (uint32_t i = 0; i < meets->met_count; ++i) {
        const uint32_t k = meets->met[i];
        const graze_vec2d point = {meets->x[k], meets->y[k]};
        const graze_vec2d normal = {meets->normal_x[k], meets->normal_y[k]};
        keep_hit(rays, pairs->ray[k], pairs->row[k], meets->time[k], point, normal);
    }
    for (uint32_t i = 0; i < meets->open_count; ++i) {
        meet_alone(rays, pairs->ray[meets->open[i]], pairs->row[meets->open[i]]);
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
        if (!grz_index_set_has(&world->grid.unsorted, index)) {
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
    const grz_index_set *unsorted = &job->rays->world->grid.unsorted;
    for (grz_index index = 0; (index = grz_index_set_next(unsorted, index)) != UINT32_MAX;
         ++index) {
        for (uint32_t ray = 0; ray < job->rays->count; ++ray) {
            add_pair(job, ray, index);
        }
    }
}

void grz_rays_meet_bodies(const grz_body_rays *rays)
{
    static const grz_body_ray_loops *const tables[] = GRZ_WIDE_TABLES(grz_body_ray_loops);
    const graze_world *world = rays->world;
    candidate job;
    job.rays = rays;
    job.loops = tables[world->config.lanes];
    job.all_filters_meet =
        !world->bodies.filter_count && grz_filters_meet(rays->filter, graze_filter_default());
    job.pairs.count = 0;
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    graze_grid_find_rays(world->grid.cells, rays->from, rays->to, rays->count,
                         grz_list_sorted_kinds(world, rays->filter, kinds), add_sorted, &job);
    if (!grz_all_are_active(world)) {
        graze_grid_find_rays(world->sleep.grid, rays->from, rays->to, rays->count,
                             grz_list_still_kinds(world, rays->filter, kinds), add_still, &job);
    }
    add_loose(&job);
    meet_pairs(&job);
}
