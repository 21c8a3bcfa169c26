#include "api/query_cast.h"

#include "api/query_visit.h"
#include "collide/box.h"
#include "collide/near.h"
#include "collide/pair_sweep.h"
#include "fp_environment.h"
#include "vec2d.h"
#include "world/body_check.h"
#include "world/contact_keys.h"
#include "world/message.h"
#include "world/rows.h"

static int compare_hits(const grz_cast_hit *first, const grz_cast_hit *second)
{
    if (first->time != second->time) {
        return first->time < second->time ? -1 : 1;
    }
    const bool first_is_wall = first->hit.segment.chain.generation != 0;
    const bool second_is_wall = second->hit.segment.chain.generation != 0;
    if (first_is_wall != second_is_wall) {
        return first_is_wall ? -1 : 1;
    }
    if (!first_is_wall) {
        return grz_compare_ids(first->hit.body, second->hit.body);
    }
    return grz_compare_segments(first->hit.segment, second->hit.segment);
}

// Keeps the hit if it is among the first in order. An equal hit is the same wall, found twice.
static void keep_hit(grz_cast *moving, const grz_cast_hit *hit)
{
    if (moving->after && compare_hits(hit, moving->after) <= 0) {
        return;
    }
    uint32_t place = moving->count;
    int order = 1;
    while (place > 0 && (order = compare_hits(&moving->hits[place - 1], hit)) > 0) {
        --place;
    }
    if (place == moving->capacity || (place > 0 && order == 0)) {
        return;
    }
    moving->count += moving->count < moving->capacity;
    for (uint32_t k = moving->count - 1; k > place; --k) {
        moving->hits[k] = moving->hits[k - 1];
    }
    moving->hits[place] = *hit;
}

static double time_of_last(const grz_cast *moving)
{
    return moving->count == moving->capacity ? moving->hits[moving->count - 1].time : 1;
}

static grz_cast_hit make_hit(double time, graze_vec2d point, graze_vec2d normal)
{
    const grz_cast_hit hit = {
        .time = time,
        .hit = {.time = (float)time + 0.0f,
                .point = narrow_reported2(point),
                .normal = narrow_reported2(negate(normal))},
    };
    return hit;
}

static graze_aabb box_of_way(const grz_cast *moving)
{
    return grz_swept_box(moving->from, moving->to, moving->mover.extent);
}

static bool is_near_way(const grz_cast *moving, uint32_t row)
{
    const grz_rows *rows = &moving->world->bodies.rows;
    return moving->mover.kind == GRAZE_SHAPE_RAY
               ? grz_is_near_ray(rows, row, moving->from, moving->to)
               : grz_is_near(rows, row, box_of_way(moving));
}

static void cast_at_body(void *context, uint32_t row)
{
    grz_cast *moving = context;
    const grz_rows *rows = &moving->world->bodies.rows;
    const grz_figure mover = {moving->mover.kind, moving->mover.half, moving->mover.rotation};
    const grz_figure target = grz_figure_of(rows, row);
    const graze_vec2 centre = rows->position[row];
    const graze_vec2d start = offset(moving->from, centre);
    const graze_vec2d delta = offset(moving->to, moving->from);
    const graze_sweep sweep = grz_sweep_figures(&mover, &target, start, delta);
    if (sweep.hit && is_near_way(moving, row)) {
        grz_cast_hit hit = make_hit(sweep.time, add(sweep.point, widen(centre)), sweep.normal);
        hit.hit.body = grz_row_id(rows, row);
        keep_hit(moving, &hit);
    }
}

static void cast_at_terrain(grz_cast *moving)
{
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, moving->world, &moving->mover, moving->from, moving->to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, time_of_last(moving), &touch, &segment)) {
        grz_cast_hit hit = make_hit(touch.time, touch.point, touch.normal);
        hit.hit.segment = segment;
        keep_hit(moving, &hit);
    }
}

static void cast_at_bodies(grz_cast *moving)
{
    const grz_visitor bodies = {moving->world, moving->filter, cast_at_body, moving};
    if (moving->mover.kind == GRAZE_SHAPE_RAY) {
        grz_visit_ray(&bodies, moving->from, moving->to);
    } else {
        grz_visit_box(&bodies, box_of_way(moving));
    }
}

static void cast_at_all(grz_cast *moving)
{
    cast_at_terrain(moving);
    cast_at_bodies(moving);
}

static void begin_cast(grz_cast *moving, const graze_world *world, grz_figure shape,
                       graze_filter filter)
{
    moving->world = world;
    moving->after = NULL;
    moving->count = 0;
    const grz_mover mover = {
        .kind = shape.kind,
        .half = shape.half,
        .rotation = shape.rotation,
        .extent = grz_extent_of_figure(&shape),
        .filter = &moving->filter,
    };
    moving->filter = filter;
    moving->mover = mover;
}

void grz_cast_begin_ray(grz_cast *moving, const graze_world *world, graze_ray ray,
                        graze_filter filter)
{
    const grz_figure point = {GRAZE_SHAPE_RAY, {0, 0}, {1, 0}};
    begin_cast(moving, world, point, filter);
    moving->from = ray.origin;
    moving->to = graze_vec2_add(ray.origin, ray.delta);
}

graze_query_hit grz_cast_closest(grz_cast *moving)
{
    moving->capacity = 1;
    cast_at_all(moving);
    if (moving->count) {
        return moving->hits[0].hit;
    }
    const graze_query_hit nothing = {.time = 1, .point = moving->to};
    return nothing;
}

bool grz_is_finite_ray(graze_ray ray)
{
    return is_finite(ray.origin) && is_finite(ray.delta) &&
           is_finite(graze_vec2_add(ray.origin, ray.delta));
}

graze_status grz_refuse_ray(const graze_world *world, const char *call, const char *what,
                            graze_ray ray)
{
    return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                    "%s: %s is (%g, %g) + (%g, %g); both ends must be finite", call, what,
                    (double)ray.origin.x, (double)ray.origin.y, (double)ray.delta.x,
                    (double)ray.delta.y);
}

static graze_status find_ray_hit(const graze_world *world, graze_ray ray, graze_filter filter,
                                 graze_query_hit *closest)
{
    static const char call[] = "graze_query_ray";
    if (!closest) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: closest is null", call);
    }
    if (!grz_is_finite_ray(ray)) {
        return grz_refuse_ray(world, call, "ray", ray);
    }
    grz_cast moving;
    grz_cast_begin_ray(&moving, world, ray, filter);
    *closest = grz_cast_closest(&moving);
    return GRAZE_OK;
}

// Each pass finds a few hits that come after the last hit of the pass before: so any number of hits
// is listed in order, without memory.
static uint32_t list_ray_hits(const graze_world *world, graze_ray ray, graze_filter filter,
                              graze_query_hit *hits, uint32_t capacity)
{
    if (!grz_is_finite_ray(ray)) {
        grz_refuse_ray(world, "graze_query_ray_all", "ray", ray);
        return 0;
    }
    if (!hits && capacity) {
        grz_fail(world, GRAZE_ERROR_ARGUMENT, "graze_query_ray_all: hits is null; capacity is %u",
                 (unsigned)capacity);
        return 0;
    }
    uint32_t total = 0;
    grz_cast_hit last;
    grz_cast moving;
    grz_cast_begin_ray(&moving, world, ray, filter);
    moving.capacity = GRZ_HITS_AT_ONCE;
    do {
        moving.count = 0;
        cast_at_all(&moving);
        for (uint32_t i = 0; i < moving.count; ++i, ++total) {
            if (total < capacity) {
                hits[total] = moving.hits[i].hit;
            }
        }
        if (moving.count) {
            last = moving.hits[moving.count - 1];
            moving.after = &last;
        }
    } while (moving.count == GRZ_HITS_AT_ONCE);
    return total;
}

static grz_figure figure_of(graze_shape shape, float angle)
{
    const bool is_rect = shape.kind == GRAZE_SHAPE_RECT;
    const graze_rotation upright = {1, 0};
    const grz_figure figure = {shape.kind, grz_half_of(shape),
                               is_rect ? graze_rotation_from_angle(angle) : upright};
    return figure;
}

static graze_status find_cast_hit(const graze_world *world, graze_shape shape, graze_vec2 from,
                                  float angle, graze_vec2 delta, graze_filter filter,
                                  graze_query_hit *closest)
{
    static const char call[] = "graze_query_cast";
    const graze_ray ray = {from, delta};
    const grz_value_source source = {.world = world, .call = call};
    if (!closest) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: closest is null", call);
    }
    const graze_status shape_status = grz_check_shape(&source, shape);
    const graze_status status =
        shape_status ? shape_status : grz_check_finite(&source, "angle", angle);
    if (status) {
        return status;
    }
    if (!grz_is_finite_ray(ray)) {
        return grz_refuse_ray(world, call, "from + delta", ray);
    }
    grz_cast moving;
    begin_cast(&moving, world, figure_of(shape, angle), filter);
    moving.from = from;
    moving.to = graze_vec2_add(from, delta);
    *closest = grz_cast_closest(&moving);
    return GRAZE_OK;
}

graze_status graze_query_ray(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *closest)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = find_ray_hit(world, ray, filter, closest);
    grz_fp_leave(caller);
    return status;
}

uint32_t graze_query_ray_all(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *hits, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    const uint32_t total = list_ray_hits(world, ray, filter, hits, capacity);
    grz_fp_leave(caller);
    return total;
}

graze_status graze_query_cast(const graze_world *world, graze_shape shape, graze_vec2 from,
                              float angle, graze_vec2 delta, graze_filter filter,
                              graze_query_hit *closest)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = find_cast_hit(world, shape, from, angle, delta, filter, closest);
    grz_fp_leave(caller);
    return status;
}
