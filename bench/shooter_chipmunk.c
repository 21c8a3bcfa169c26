// Chipmunk 7 under hard shots. It has no continuous tests: its bodies meet if they overlap after a
// step.

#include "shooter.h"

#include "bench_memory.h"
#include "scenes.h"

#include <chipmunk/chipmunk.h>

#include <stdlib.h>

static cpVect widen(graze_vec2 v)
{
    return cpv((cpFloat)v.x, (cpFloat)v.y);
}

static cpVect find_end(graze_ray ray)
{
    return widen(graze_vec2_add(ray.origin, ray.delta));
}

static void *build_range(const shot_loop *loop)
{
    cpSpace *space = cpSpaceNew();
    cpBody *ground = cpSpaceGetStaticBody(space);
    for (uint32_t i = 0; i < loop->count; ++i) {
        cpVect from = widen(loop->points[i]);
        cpVect to = widen(loop->points[(i + 1) % loop->count]);
        cpSpaceAddShape(space, cpSegmentShapeNew(ground, from, to, 0));
    }
    return space;
}

static void list_shape(cpShape *shape, cpDataPointer user)
{
    cpShape ***end = user;
    *(*end)++ = shape;
}

static void free_shapes(cpSpace *space, uint32_t capacity)
{
    cpShape **shapes = bench_allocate(capacity, sizeof *shapes);
    cpShape **end = shapes;
    cpSpaceEachShape(space, list_shape, &end);
    cpSpaceFree(space);
    for (cpShape **shape = shapes; shape < end; ++shape) {
        cpShapeFree(*shape);
    }
    free(shapes);
}

static void destroy_range(void *range)
{
    free_shapes(range, SHOT_LOOP_CAPACITY);
}

static cpShape *find_first(cpSpace *space, graze_ray ray)
{
    return cpSpaceSegmentQueryFirst(space, widen(ray.origin), find_end(ray), 0, CP_SHAPE_FILTER_ALL,
                                    NULL);
}

static bool cast_ray(void *range, graze_ray ray)
{
    return find_first(range, ray) != NULL;
}

static void count_hit(cpShape *shape, cpVect point, cpVect normal, cpFloat alpha,
                      cpDataPointer user)
{
    (void)shape;
    (void)point;
    (void)normal;
    (void)alpha;
    ++*(uint32_t *)user;
}

static uint32_t count_hits(void *range, graze_ray ray)
{
    uint32_t hits = 0;
    cpSpaceSegmentQuery(range, widen(ray.origin), find_end(ray), 0, CP_SHAPE_FILTER_ALL, count_hit,
                        &hits);
    return hits;
}

/// A world of courses. Shapes know by user data whether they have met.
typedef struct flight {
    cpSpace *space;
    cpBody **bodies;
    uint32_t body_count;
} flight;

static cpBool note_contact(cpArbiter *arbiter, cpSpace *space, cpDataPointer user)
{
    (void)space;
    (void)user;
    CP_ARBITER_GET_SHAPES(arbiter, a, b);
    (void)b;
    *(bool *)cpShapeGetUserData(a) = true;
    return cpFalse;
}

static flight begin_flight(uint32_t count)
{
    flight begun = {.space = cpSpaceNew()};
    begun.bodies = bench_allocate(2 * (size_t)count, sizeof *begun.bodies);
    cpSpaceAddDefaultCollisionHandler(begun.space)->preSolveFunc = note_contact;
    return begun;
}

static void end_flight(flight *flown)
{
    free_shapes(flown->space, flown->body_count);
    for (uint32_t i = 0; i < flown->body_count; ++i) {
        cpBodyFree(flown->bodies[i]);
    }
    free(flown->bodies);
}

static void add_body(flight *flown, graze_vec2 position, graze_vec2 velocity, float radius,
                     bool *met)
{
    cpFloat moment = cpMomentForCircle(1, 0, (cpFloat)radius, cpvzero);
    cpBody *body = cpSpaceAddBody(flown->space, cpBodyNew(1, moment));
    cpBodySetPosition(body, widen(position));
    cpBodySetVelocity(body, widen(velocity));
    cpShape *shape = cpCircleShapeNew(body, (cpFloat)radius, cpvzero);
    cpShapeSetUserData(shape, met);
    cpSpaceAddShape(flown->space, shape);
    flown->bodies[flown->body_count++] = body;
}

static flight begin_with_targets(const course *courses, uint32_t count, bool *met)
{
    flight flown = begin_flight(count);
    for (uint32_t i = 0; i < count; ++i) {
        met[i] = false;
        add_body(&flown, courses[i].target, courses[i].target_velocity, COURSE_TARGET_RADIUS,
                 &met[i]);
    }
    return flown;
}

static void fly_courses(const course *courses, uint32_t count, bool *met)
{
    flight flown = begin_with_targets(courses, count, met);
    for (uint32_t i = 0; i < count; ++i) {
        add_body(&flown, courses[i].bullet, courses[i].bullet_velocity, COURSE_BULLET_RADIUS,
                 &met[i]);
    }
    for (uint32_t i = 0; i < COURSE_STEPS; ++i) {
        cpSpaceStep(flown.space, (cpFloat)SCENE_STEP);
    }
    end_flight(&flown);
}

static void fly_by_casts(const course *courses, uint32_t count, bool *met)
{
    flight flown = begin_with_targets(courses, count, met);
    graze_ray *rays = bench_allocate(count, sizeof *rays);
    for (uint32_t i = 0; i < count; ++i) {
        rays[i].origin = courses[i].bullet;
        rays[i].delta = graze_vec2_scale(courses[i].bullet_velocity, SCENE_STEP);
    }
    for (uint32_t step = 0; step < COURSE_STEPS; ++step) {
        cpSpaceStep(flown.space, (cpFloat)SCENE_STEP);
        for (uint32_t i = 0; i < count; ++i) {
            met[i] = met[i] || find_first(flown.space, rays[i]);
            rays[i].origin = graze_vec2_add(rays[i].origin, rays[i].delta);
        }
    }
    free(rays);
    end_flight(&flown);
}

const shooter shooter_chipmunk = {
    .title = "Chipmunk",
    .build = build_range,
    .destroy = destroy_range,
    .cast = cast_ray,
    .count_hits = count_hits,
    .fly = fly_courses,
    .fly_by_casts = fly_by_casts,
};
