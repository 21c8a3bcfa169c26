#include <graze/query.h>

#include <graze/overlap.h>

#include "bodies.h"
#include "box.h"
#include "fp_environment.h"
#include "list.h"
#include "meet.h"
#include "message.h"
#include "prefetch.h"
#include "rays.h"
#include "rest.h"
#include "root.h"
#include "rows.h"
#include "terrain.h"
#include "vec2d.h"

enum { PLACES_AT_ONCE = 64, HITS_AT_ONCE = 64 };

// Candidates
//
// The grid knows where the last step's bodies are: their boxes then held the whole way, so they
// hold where it ended. Bodies made or moved by hand since are in the list of loose ones.

typedef void visit_fn(void *context, uint32_t row);

/// Who looks at candidates, and which ones it wants to see.
typedef struct visitor {
    const graze_world *world;
    graze_filter filter;
    visit_fn *visit;
    void *context;
} visitor;

static void visit_body(const visitor *to, uint32_t index)
{
    uint32_t row = to->world->row_of_index.data[index];
    if (row != GRZ_NONE && grz_filters_meet(to->filter, to->world->bodies.data[index].filter)) {
        to->visit(to->context, row);
    }
}

static void visit_places(const visitor *to, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t index = grz_index_of_place(to->world, places[i]);
        if (!to->world->bodies.data[index].loose) {
            visit_body(to, index);
        }
    }
}

static void visit_still(const visitor *to, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        visit_body(to, grz_rest_index_of_place(to->world, places[i]));
    }
}

static void visit_still_in_box(const visitor *to, graze_aabb box)
{
    if (grz_rest_is_empty(to->world)) {
        return;
    }
    const graze_grid *grid = to->world->rest.grid;
    graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_box(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_still(to, places, count);
    }
}

static void visit_still_on_ray(const visitor *to, graze_vec2 from, graze_vec2 end)
{
    if (grz_rest_is_empty(to->world)) {
        return;
    }
    const graze_grid *grid = to->world->rest.grid;
    graze_grid_cursor cursor = graze_grid_begin_ray(grid, from, end);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_ray(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_still(to, places, count);
    }
}

static void visit_loose(const visitor *to)
{
    for (size_t i = 0; i < grz_list_count(to->world->loose); ++i) {
        visit_body(to, to->world->loose[i]);
    }
}

static void visit_box(const visitor *to, graze_aabb box)
{
    const graze_grid *grid = to->world->grid;
    graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_box(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_places(to, places, count);
    }
    visit_still_in_box(to, box);
    visit_loose(to);
}

static void visit_ray(const visitor *to, graze_vec2 from, graze_vec2 end)
{
    const graze_grid *grid = to->world->grid;
    graze_grid_cursor cursor = graze_grid_begin_ray(grid, from, end);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t count; (count = graze_grid_next_ray(grid, &cursor, places, PLACES_AT_ONCE));) {
        visit_places(to, places, count);
    }
    visit_still_on_ray(to, from, end);
    visit_loose(to);
}

// Casts: a shape, or a ray, moves through a world that stands still.

/// A hit with its time unrounded, so that hits are ordered as exactly as they are known.
typedef struct cast_hit {
    double time;
    graze_query_hit hit;
} cast_hit;

/// The hits found so far: the first ones, in order, of those after `after`.
typedef struct cast {
    const graze_world *world;
    graze_filter filter;
    grz_mover mover;
    graze_vec2 from, to;
    const cast_hit *after; ///< Null: all hits are wanted.
    uint32_t capacity;
    uint32_t count;
    cast_hit hits[HITS_AT_ONCE];
} cast;

static int compare_numbers(uint32_t first, uint32_t second)
{
    return (first > second) - (first < second);
}

static int compare_hits(const cast_hit *first, const cast_hit *second)
{
    if (first->time != second->time) {
        return first->time < second->time ? -1 : 1;
    }
    bool first_is_wall = first->hit.segment.chain.generation != 0;
    bool second_is_wall = second->hit.segment.chain.generation != 0;
    if (first_is_wall != second_is_wall) {
        return first_is_wall ? -1 : 1;
    }
    if (!first_is_wall) {
        return compare_numbers(first->hit.body.index, second->hit.body.index);
    }
    int order = compare_numbers(first->hit.segment.chain.index, second->hit.segment.chain.index);
    return order ? order : compare_numbers(first->hit.segment.index, second->hit.segment.index);
}

// Keeps the hit if it is among the first; one that is there already is the same wall met again.
static void keep_hit(cast *moving, const cast_hit *hit)
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

static double time_of_last(const cast *moving)
{
    return moving->count == moving->capacity ? moving->hits[moving->count - 1].time : 1;
}

static graze_vec2 rounded(graze_vec2d v)
{
    graze_vec2 single = {(float)v.x + 0.0f, (float)v.y + 0.0f};
    return single;
}

static cast_hit make_hit(double time, graze_vec2d point, graze_vec2d normal)
{
    cast_hit hit = {
        .time = time,
        .hit = {.time = (float)time + 0.0f,
                .point = rounded(point),
                .normal = rounded(negate(normal))},
    };
    return hit;
}

static void cast_at_body(void *context, uint32_t row)
{
    cast *moving = context;
    const grz_rows *rows = &moving->world->rows;
    grz_figure mover = {moving->mover.kind, moving->mover.half, moving->mover.rotation};
    grz_figure target = grz_figure_of(rows, row);
    graze_vec2 centre = rows->position[row];
    graze_vec2d start = offset(moving->from, centre);
    graze_vec2d delta = offset(moving->to, moving->from);
    graze_sweep sweep = grz_sweep_figures(&mover, &target, start, delta);
    if (sweep.hit) {
        cast_hit hit = make_hit(sweep.time, add(sweep.point, widen(centre)), sweep.normal);
        hit.hit.body = grz_row_id(rows, row);
        keep_hit(moving, &hit);
    }
}

static void cast_at_terrain(cast *moving)
{
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, moving->world, &moving->mover, moving->from, moving->to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, time_of_last(moving), &touch, &segment)) {
        cast_hit hit = make_hit(touch.time, touch.point, touch.normal);
        hit.hit.segment = segment;
        keep_hit(moving, &hit);
    }
}

static void cast_at_all(cast *moving)
{
    visitor bodies = {moving->world, moving->filter, cast_at_body, moving};
    cast_at_terrain(moving);
    if (moving->mover.kind == GRAZE_SHAPE_RAY) {
        visit_ray(&bodies, moving->from, moving->to);
    } else {
        visit_box(&bodies, grz_swept_box(moving->from, moving->to, moving->mover.extent));
    }
}

static void begin_cast(cast *moving, const graze_world *world, grz_figure shape,
                       graze_filter filter)
{
    moving->world = world;
    moving->after = NULL;
    moving->count = 0;
    grz_mover mover = {
        .kind = shape.kind,
        .half = shape.half,
        .rotation = shape.rotation,
        .end_rotation = shape.rotation,
        .extent = grz_extent_of_figure(&shape),
        .filter = &moving->filter,
    };
    moving->filter = filter;
    moving->mover = mover;
}

static void begin_ray(cast *moving, const graze_world *world, graze_ray ray, graze_filter filter)
{
    const grz_figure point = {GRAZE_SHAPE_RAY, {0, 0}, {1, 0}};
    begin_cast(moving, world, point, filter);
    moving->from = ray.origin;
    moving->to = graze_vec2_add(ray.origin, ray.delta);
}

static graze_query_hit closest_hit(cast *moving)
{
    moving->capacity = 1;
    cast_at_all(moving);
    if (moving->count) {
        return moving->hits[0].hit;
    }
    graze_query_hit nothing = {.time = 1, .point = moving->to};
    return nothing;
}

static bool is_finite_ray(graze_ray ray)
{
    return grz_is_finite_vec2(ray.origin) && grz_is_finite_vec2(ray.delta) &&
           grz_is_finite_vec2(graze_vec2_add(ray.origin, ray.delta));
}

static graze_status refuse_ray(const graze_world *world, const char *call, uint32_t place,
                               graze_ray ray)
{
    return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                    "%s: ray %u is (%g, %g) + (%g, %g); both ends must be finite", call,
                    (unsigned)place, (double)ray.origin.x, (double)ray.origin.y,
                    (double)ray.delta.x, (double)ray.delta.y);
}

static graze_status find_ray_hit(const graze_world *world, graze_ray ray, graze_filter filter,
                                 graze_query_hit *closest)
{
    static const char call[] = "graze_query_ray";
    if (!closest) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: closest is null", call);
    }
    if (!is_finite_ray(ray)) {
        return refuse_ray(world, call, 0, ray);
    }
    cast moving;
    begin_ray(&moving, world, ray, filter);
    *closest = closest_hit(&moving);
    return GRAZE_OK;
}

// Many rays: against terrain all together, GRZ_RAYS_AT_ONCE at a time.

/// Some rays, and the closest wall that each has been found to meet.
typedef struct ray_batch {
    const graze_world *world;
    const grz_ray_loops *loops;
    graze_filter filter;
    grz_mover mover;
    bool meets_plain; ///< Chains that have no filter, and are solid from both sides.
    uint32_t count;
    graze_vec2 from[GRZ_RAYS_AT_ONCE], to[GRZ_RAYS_AT_ONCE];
    uint8_t searched[GRZ_RAYS_AT_ONCE];
    grz_wall_hits walls;
} ray_batch;

static void begin_batch(ray_batch *batch, const graze_world *world, graze_filter filter)
{
    const grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &batch->filter};
    batch->world = world;
    batch->loops = grz_ray_loops_for(world->lanes);
    batch->filter = filter;
    batch->mover = ray;
    batch->meets_plain = grz_filters_meet(filter, graze_filter_default());
}

static void load_rays(ray_batch *batch, const graze_ray *rays, uint32_t count)
{
    batch->count = count;
    batch->walls.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        batch->from[i] = rays[i].origin;
        batch->to[i] = graze_vec2_add(rays[i].origin, rays[i].delta);
    }
    for (uint32_t i = 0; i < count; ++i) {
        batch->walls.time[i] = 2;
    }
}

// Most chains are plain: then the filters need no look.
static bool meets_wall(const ray_batch *batch, const graze_segment_finds *finds, uint32_t place)
{
    const grz_chain *chain = &batch->world->chains[finds->owner[place]];
    if (!chain->one_sided & grz_filter_is_default(chain->filter)) {
        return batch->meets_plain;
    }
    const graze_segment wall = {{finds->ax[place], finds->ay[place]},
                                {finds->bx[place], finds->by[place]}};
    const graze_vec2 from = batch->from[finds->move[place]];
    return grz_ray_meets(batch->world, &batch->mover, from, wall, finds->owner[place]);
}

static void keep_crossings(void *context, const graze_segment_finds *finds)
{
    ray_batch *batch = context;
    grz_crossings crossings;
    const uint32_t count = batch->loops->sift(finds, batch->from, batch->to, &crossings);
    for (uint32_t i = 0; i < count; ++i) {
        GRZ_PREFETCH(&batch->world->chains[finds->owner[crossings.places[i]]]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        if (meets_wall(batch, finds, place)) {
            grz_wall_hits_keep(&batch->walls, finds, place, crossings.times[place]);
        }
    }
}

static void write_hits(ray_batch *batch, graze_query_hit *hits)
{
    grz_wall_hits *walls = &batch->walls;
    grz_wall_points points;
    batch->loops->locate(walls, batch->from, batch->to, &points);
    const graze_query_hit nothing = {.time = 1};
    for (uint32_t i = 0; i < batch->count; ++i) {
        hits[i] = nothing;
        hits[i].point = batch->to[i];
    }
    for (uint32_t k = 0; k < walls->count; ++k) {
        const uint32_t ray = walls->rays[k];
        const uint32_t chain = (uint32_t)(walls->id[ray] >> 32);
        const graze_query_hit hit = {
            .segment = {{chain, batch->world->chains[chain].generation}, (uint32_t)walls->id[ray]},
            .time = (float)walls->time[ray] + 0.0f,
            .point = points.point[k],
            .normal = points.normal[k],
        };
        hits[ray] = hit;
    }
}

static void begin_single(cast *moving, const ray_batch *batch, uint32_t ray)
{
    const graze_ray start = {batch->from[ray], {0, 0}};
    begin_ray(moving, batch->world, start, batch->filter);
    moving->to = batch->to[ray];
    moving->capacity = 1;
}

// Goes on from the closest wall: what is in front of it is looked for among the bodies.
static void cast_at_bodies(const ray_batch *batch, graze_query_hit *hits)
{
    for (uint32_t i = 0; i < batch->count; ++i) {
        cast moving;
        begin_single(&moving, batch, i);
        const cast_hit wall = {batch->walls.time[i], hits[i]};
        moving.hits[0] = wall;
        moving.count = wall.time <= 1;
        visitor bodies = {batch->world, batch->filter, cast_at_body, &moving};
        visit_ray(&bodies, moving.from, moving.to);
        hits[i] = moving.count ? moving.hits[0].hit : hits[i];
    }
}

static void cast_alone(const ray_batch *batch, graze_query_hit *hits)
{
    for (uint32_t i = 0; i < batch->count; ++i) {
        if (batch->searched[i] == GRAZE_NOT_SEARCHED) {
            cast moving;
            begin_single(&moving, batch, i);
            hits[i] = closest_hit(&moving);
        }
    }
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    16 bytes of a ray read, 40 of a hit written, both in sequence; the grid's cells and what
//         lies in them, asked for ahead (segment_grid_find.c).
// Branch  Rays go through each stage together: none is taken by ray but for those that are long.
// Order   As they come. Rays sorted by cell took no less time, with 100k of them and as many
//         segments: what is asked for ahead comes in time from anywhere in the cache.
static void cast_batch(ray_batch *batch, graze_query_hit *hits)
{
    const graze_world *world = batch->world;
    const graze_segment_search least =
        graze_segment_grid_find(&world->terrain, batch->from, batch->to, batch->count,
                                batch->searched, keep_crossings, batch);
    write_hits(batch, hits);
    if (world->body_count) {
        cast_at_bodies(batch, hits);
    }
    if (least == GRAZE_NOT_SEARCHED) {
        cast_alone(batch, hits);
    }
}

static graze_status check_rays(const graze_world *world, const graze_ray *rays, uint32_t count)
{
    static const char call[] = "graze_query_ray_many";
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_finite_ray(rays[i])) {
            return refuse_ray(world, call, i, rays[i]);
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
    begin_batch(&batch, world, filter);
    if (!batch.loops->are_finite(rays, count)) {
        return check_rays(world, rays, count);
    }
    for (uint32_t first = 0; first < count; first += GRZ_RAYS_AT_ONCE) {
        uint32_t rest = count - first;
        load_rays(&batch, rays + first, rest < GRZ_RAYS_AT_ONCE ? rest : GRZ_RAYS_AT_ONCE);
        cast_batch(&batch, hits + first);
    }
    return GRAZE_OK;
}

// A handful of hits a pass, each pass after the last hit of the one before: any number of hits in
// order, without memory.
static uint32_t list_ray_hits(const graze_world *world, graze_ray ray, graze_filter filter,
                              graze_query_hit *hits, uint32_t capacity)
{
    if (!is_finite_ray(ray)) {
        refuse_ray(world, "graze_query_ray_all", 0, ray);
        return 0;
    }
    uint32_t total = 0;
    cast_hit last;
    cast moving;
    begin_ray(&moving, world, ray, filter);
    moving.capacity = HITS_AT_ONCE;
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
    } while (moving.count == HITS_AT_ONCE);
    return total;
}

static bool is_usable_shape(graze_shape shape)
{
    switch (shape.kind) {
    case GRAZE_SHAPE_CIRCLE:
        return grz_is_finite(shape.radius) && shape.radius >= 0;
    case GRAZE_SHAPE_RECT:
        return grz_is_finite_vec2(shape.half) && shape.half.x > 0 && shape.half.y > 0;
    case GRAZE_SHAPE_RAY:
        return true;
    }
    return false;
}

static grz_figure figure_of(graze_shape shape, float angle)
{
    grz_figure figure = {shape.kind, {0, 0}, {1, 0}};
    if (shape.kind == GRAZE_SHAPE_CIRCLE) {
        figure.half.x = figure.half.y = shape.radius;
    } else if (shape.kind == GRAZE_SHAPE_RECT) {
        figure.half = shape.half;
        figure.rotation = graze_rotation_from_angle(angle);
    }
    return figure;
}

static graze_status find_cast_hit(const graze_world *world, graze_shape shape, graze_vec2 from,
                                  float angle, graze_vec2 delta, graze_filter filter,
                                  graze_query_hit *closest)
{
    static const char call[] = "graze_query_cast";
    graze_ray way = {from, delta};
    if (!closest) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: closest is null", call);
    }
    if (!is_usable_shape(shape)) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                        "%s: shape is of kind %d, radius %g, half (%g, %g); it has no size", call,
                        (int)shape.kind, (double)shape.radius, (double)shape.half.x,
                        (double)shape.half.y);
    }
    if (!is_finite_ray(way) || !grz_is_finite(angle)) {
        return refuse_ray(world, call, 0, way);
    }
    cast moving;
    begin_cast(&moving, world, figure_of(shape, angle), filter);
    moving.from = from;
    moving.to = graze_vec2_add(from, delta);
    *closest = closest_hit(&moving);
    return GRAZE_OK;
}

// Lists: the first `capacity` bodies of an order, however many there are.

typedef struct listing {
    const graze_world *world;
    graze_vec2 point;
    graze_aabb box;
    double radius;
    bool by_distance;
    graze_body_id *bodies; ///< While it fills a heap, the last of the order on top.
    uint32_t capacity;
    uint32_t total;
} listing;

// The squared distance of the point from a body's shape; 0 inside.
static double distance_squared(const listing *list, uint32_t row)
{
    const grz_rows *rows = &list->world->rows;
    grz_figure shape = grz_figure_of(rows, row);
    graze_vec2d from_centre = offset(list->point, rows->position[row]);
    if (shape.kind != GRAZE_SHAPE_RECT) {
        double gap = greater(grz_sqrt(dot(from_centre, from_centre)) - (double)shape.half.x, 0);
        return gap * gap;
    }
    double c = (double)shape.rotation.cosine;
    double s = (double)shape.rotation.sine;
    double u = greater(absolute(c * from_centre.x + s * from_centre.y) - (double)shape.half.x, 0);
    double v = greater(absolute(c * from_centre.y - s * from_centre.x) - (double)shape.half.y, 0);
    return u * u + v * v;
}

static bool is_listed_after(const listing *list, graze_body_id first, graze_body_id second)
{
    if (list->by_distance) {
        const uint32_t *row = list->world->row_of_index.data;
        double a = distance_squared(list, row[first.index]);
        double b = distance_squared(list, row[second.index]);
        if (a != b) {
            return a > b;
        }
    }
    return first.index > second.index;
}

static void sink(const listing *list, uint32_t count, graze_body_id body)
{
    graze_body_id *heap = list->bodies;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && is_listed_after(list, heap[child + 1], heap[child]);
        if (!is_listed_after(list, heap[child], body)) {
            break;
        }
        heap[place] = heap[child];
    }
    heap[place] = body;
}

static void rise(const listing *list, uint32_t place, graze_body_id body)
{
    graze_body_id *heap = list->bodies;
    while (place > 0 && is_listed_after(list, body, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = body;
}

static void list_body(listing *list, uint32_t row)
{
    graze_body_id body = grz_row_id(&list->world->rows, row);
    uint32_t place = list->total++;
    if (place < list->capacity) {
        rise(list, place, body);
    } else if (list->capacity && is_listed_after(list, list->bodies[0], body)) {
        sink(list, list->capacity, body);
    }
}

// Takes the last of the order off the heap again and again.
static uint32_t finish_list(const listing *list)
{
    uint32_t count = list->total < list->capacity ? list->total : list->capacity;
    while (count > 1) {
        graze_body_id last = list->bodies[0];
        --count;
        sink(list, count, list->bodies[count]);
        list->bodies[count] = last;
    }
    return list->total;
}

static graze_circle circle_of(const grz_rows *rows, uint32_t row)
{
    graze_circle circle = {rows->position[row], rows->half[row].x};
    return circle;
}

static graze_rect rect_of(const grz_rows *rows, uint32_t row)
{
    graze_rect rect = {rows->position[row], rows->half[row], rows->rotation[row]};
    return rect;
}

static void list_if_over_point(void *context, uint32_t row)
{
    listing *list = context;
    const grz_rows *rows = &list->world->rows;
    bool rect = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    if (rect ? graze_overlap_point_rect(list->point, rect_of(rows, row))
             : graze_overlap_point_circle(list->point, circle_of(rows, row))) {
        list_body(list, row);
    }
}

static uint32_t list_over_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                                graze_body_id *bodies, uint32_t capacity)
{
    if (!grz_is_finite_vec2(point)) {
        return 0;
    }
    listing list = {.world = world, .point = point, .bodies = bodies, .capacity = capacity};
    visitor to = {world, filter, list_if_over_point, &list};
    graze_aabb box = {point, point};
    visit_box(&to, box);
    return finish_list(&list);
}

// Clamping the centre to the box gives its nearest point.
static bool circle_touches_box(graze_circle circle, graze_aabb box)
{
    graze_vec2 nearest = circle.center;
    nearest.x = nearest.x < box.lower.x ? box.lower.x : nearest.x;
    nearest.x = nearest.x > box.upper.x ? box.upper.x : nearest.x;
    nearest.y = nearest.y < box.lower.y ? box.lower.y : nearest.y;
    nearest.y = nearest.y > box.upper.y ? box.upper.y : nearest.y;
    return graze_overlap_point_circle(nearest, circle);
}

static bool interval_touches(float centre, float half, float lower, float upper)
{
    return (double)centre - (double)half <= (double)upper &&
           (double)centre + (double)half >= (double)lower;
}

static bool rect_touches_box(graze_rect rect, graze_aabb box)
{
    if (rect.rotation.sine == 0) {
        return interval_touches(rect.center.x, rect.half.x, box.lower.x, box.upper.x) &&
               interval_touches(rect.center.y, rect.half.y, box.lower.y, box.upper.y);
    }
    graze_polygon turned = {.count = 4};
    graze_rect_get_vertices(rect, turned.vertices);
    graze_polygon aligned = {
        .vertices = {box.lower, {box.upper.x, box.lower.y}, box.upper, {box.lower.x, box.upper.y}},
        .count = 4,
    };
    return graze_overlap_polygons(&turned, &aligned);
}

static void list_if_in_box(void *context, uint32_t row)
{
    listing *list = context;
    const grz_rows *rows = &list->world->rows;
    bool rect = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    if (rect ? rect_touches_box(rect_of(rows, row), list->box)
             : circle_touches_box(circle_of(rows, row), list->box)) {
        list_body(list, row);
    }
}

static uint32_t list_in_box(const graze_world *world, graze_aabb box, graze_filter filter,
                            graze_body_id *bodies, uint32_t capacity)
{
    if (!grz_is_finite_vec2(box.lower) || !grz_is_finite_vec2(box.upper) ||
        box.lower.x > box.upper.x || box.lower.y > box.upper.y) {
        return 0;
    }
    listing list = {.world = world, .box = box, .bodies = bodies, .capacity = capacity};
    visitor to = {world, filter, list_if_in_box, &list};
    visit_box(&to, box);
    return finish_list(&list);
}

static void list_if_near(void *context, uint32_t row)
{
    listing *list = context;
    if (distance_squared(list, row) <= list->radius * list->radius) {
        list_body(list, row);
    }
}

static uint32_t list_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity)
{
    if (!grz_is_finite_vec2(point) || !grz_is_finite(radius) || radius < 0) {
        return 0;
    }
    listing list = {
        .world = world,
        .point = point,
        .radius = (double)radius,
        .by_distance = true,
        .bodies = bodies,
        .capacity = capacity,
    };
    visitor to = {world, filter, list_if_near, &list};
    graze_vec2 extent = {radius, radius};
    visit_box(&to, grz_swept_box(point, point, extent));
    return finish_list(&list);
}

// The calls themselves.

graze_status graze_query_ray(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *closest)
{
    const grz_fp_environment caller = grz_fp_enter();
    graze_status status = find_ray_hit(world, ray, filter, closest);
    grz_fp_leave(caller);
    return status;
}

graze_status graze_query_ray_many(const graze_world *world, const graze_ray *rays, uint32_t count,
                                  graze_filter filter, graze_query_hit *hits)
{
    const grz_fp_environment caller = grz_fp_enter();
    graze_status status = find_ray_hits(world, rays, count, filter, hits);
    grz_fp_leave(caller);
    return status;
}

uint32_t graze_query_ray_all(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *hits, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t total = list_ray_hits(world, ray, filter, hits, capacity);
    grz_fp_leave(caller);
    return total;
}

graze_status graze_query_cast(const graze_world *world, graze_shape shape, graze_vec2 from,
                              float angle, graze_vec2 delta, graze_filter filter,
                              graze_query_hit *closest)
{
    const grz_fp_environment caller = grz_fp_enter();
    graze_status status = find_cast_hit(world, shape, from, angle, delta, filter, closest);
    grz_fp_leave(caller);
    return status;
}

uint32_t graze_query_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                           graze_body_id *bodies, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t total = list_over_point(world, point, filter, bodies, capacity);
    grz_fp_leave(caller);
    return total;
}

uint32_t graze_query_box(const graze_world *world, graze_aabb box, graze_filter filter,
                         graze_body_id *bodies, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t total = list_in_box(world, box, filter, bodies, capacity);
    grz_fp_leave(caller);
    return total;
}

uint32_t graze_query_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t total = list_nearest(world, point, radius, filter, bodies, capacity);
    grz_fp_leave(caller);
    return total;
}
