// Chipmunk 7's kernels: two shapes by cpShapesCollide(), a ray by cpShapeSegmentQuery(). Shapes are
// at their pairs' positions; one body serves all.

#include "peer_kernels.h"

#include "bench_memory.h"

#include <graze/shape.h>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

#include <stdlib.h>

typedef struct way {
    cpVect from, to;
} way;

typedef struct prepared_pairs {
    cpBody *body;
    char *first, *second; ///< count shapes each; null: ways instead.
    size_t first_size, second_size;
    way *ways; ///< count, or null.
    uint32_t count;
} prepared_pairs;

static cpVect widen(graze_vec2 v)
{
    return cpv((cpFloat)v.x, (cpFloat)v.y);
}

static void make_circle(void *shape, cpBody *body, const void *value)
{
    const graze_circle *circle = value;
    cpCircleShapeInit(shape, body, (cpFloat)circle->radius, widen(circle->center));
    cpShapeUpdate(shape, cpTransformIdentity);
}

static void make_rect(void *shape, cpBody *body, const void *value)
{
    const graze_rect *rect = value;
    cpFloat cosine = (cpFloat)rect->rotation.cosine;
    cpFloat sine = (cpFloat)rect->rotation.sine;
    cpVect center = widen(rect->center);
    cpBoxShapeInit(shape, body, 2 * (cpFloat)rect->half.x, 2 * (cpFloat)rect->half.y, 0);
    cpShapeUpdate(shape, cpTransformNewTranspose(cosine, -sine, center.x, sine, cosine, center.y));
}

static void make_segment(void *shape, cpBody *body, const void *value)
{
    const graze_segment *segment = value;
    cpSegmentShapeInit(shape, body, widen(segment->a), widen(segment->b), 0);
    cpShapeUpdate(shape, cpTransformIdentity);
}

/// A shape made from one of our types.
typedef struct maker {
    size_t own_size, size;
    void (*make)(void *shape, cpBody *body, const void *value);
} maker;

static const maker circles = {sizeof(graze_circle), sizeof(cpCircleShape), make_circle};
static const maker rects = {sizeof(graze_rect), sizeof(cpPolyShape), make_rect};
static const maker segments = {sizeof(graze_segment), sizeof(cpSegmentShape), make_segment};

static prepared_pairs *begin_pairs(uint32_t count)
{
    prepared_pairs *pairs = bench_allocate(1, sizeof *pairs);
    pairs->body = cpBodyNewStatic();
    pairs->count = count;
    return pairs;
}

static char *make_shapes(const prepared_pairs *pairs, const maker *type, const void *values)
{
    char *shapes = bench_allocate(pairs->count, type->size);
    for (uint32_t i = 0; i < pairs->count; ++i) {
        const char *value = (const char *)values + i * type->own_size;
        type->make(shapes + i * type->size, pairs->body, value);
    }
    return shapes;
}

static void *prepare_shapes(const maker *first_type, const void *first, const maker *second_type,
                            const void *second, uint32_t count)
{
    prepared_pairs *pairs = begin_pairs(count);
    pairs->first_size = first_type->size;
    pairs->second_size = second_type->size;
    pairs->first = make_shapes(pairs, first_type, first);
    pairs->second = make_shapes(pairs, second_type, second);
    return pairs;
}

static void *prepare_rays(const maker *type, const void *rays, const void *values, uint32_t count)
{
    const graze_ray *ray = rays;
    prepared_pairs *pairs = begin_pairs(count);
    pairs->second_size = type->size;
    pairs->second = make_shapes(pairs, type, values);
    pairs->ways = bench_allocate(count, sizeof *pairs->ways);
    for (uint32_t i = 0; i < count; ++i, ++ray) {
        pairs->ways[i].from = widen(ray->origin);
        pairs->ways[i].to = widen(graze_vec2_add(ray->origin, ray->delta));
    }
    return pairs;
}

static void *prepare_circles(const void *first, const void *second, uint32_t count)
{
    return prepare_shapes(&circles, first, &circles, second, count);
}

static void *prepare_circle_rect(const void *first, const void *second, uint32_t count)
{
    return prepare_shapes(&circles, first, &rects, second, count);
}

static void *prepare_rects(const void *first, const void *second, uint32_t count)
{
    return prepare_shapes(&rects, first, &rects, second, count);
}

static void *prepare_circle_segment(const void *first, const void *second, uint32_t count)
{
    return prepare_shapes(&circles, first, &segments, second, count);
}

static void *prepare_ray_segment(const void *first, const void *second, uint32_t count)
{
    return prepare_rays(&segments, first, second, count);
}

static void *prepare_ray_circle(const void *first, const void *second, uint32_t count)
{
    return prepare_rays(&circles, first, second, count);
}

static uint32_t collide_shapes(void *prepared)
{
    const prepared_pairs *pairs = prepared;
    const char *first = pairs->first;
    const char *second = pairs->second;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        hits += cpShapesCollide((const cpShape *)first, (const cpShape *)second).count > 0;
        first += pairs->first_size;
        second += pairs->second_size;
    }
    return hits;
}

static uint32_t cast_rays(void *prepared)
{
    const prepared_pairs *pairs = prepared;
    const char *second = pairs->second;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        cpSegmentQueryInfo info;
        hits += cpShapeSegmentQuery((const cpShape *)second, pairs->ways[i].from, pairs->ways[i].to,
                                    0, &info);
        second += pairs->second_size;
    }
    return hits;
}

static void destroy_shapes(const prepared_pairs *pairs, char *shapes, size_t size)
{
    for (uint32_t i = 0; shapes && i < pairs->count; ++i) {
        cpShapeDestroy((cpShape *)(shapes + i * size));
    }
    free(shapes);
}

static void release_pairs(void *prepared)
{
    prepared_pairs *pairs = prepared;
    destroy_shapes(pairs, pairs->first, pairs->first_size);
    destroy_shapes(pairs, pairs->second, pairs->second_size);
    cpBodyFree(pairs->body);
    free(pairs->ways);
    free(pairs);
}

#define KERNEL(name, prepare, run)                                                                 \
    {                                                                                              \
        "chipmunk", name, prepare, run, release_pairs                                              \
    }

const peer_kernel chipmunk_kernels[PEER_KERNEL_COUNT] = {
    KERNEL("collide_circles", prepare_circles, collide_shapes),
    KERNEL("collide_circle_rect", prepare_circle_rect, collide_shapes),
    KERNEL("collide_rects", prepare_rects, collide_shapes),
    KERNEL("collide_circle_segment", prepare_circle_segment, collide_shapes),
    KERNEL("cast_ray_segment", prepare_ray_segment, cast_rays),
    KERNEL("cast_ray_circle", prepare_ray_circle, cast_rays),
};
