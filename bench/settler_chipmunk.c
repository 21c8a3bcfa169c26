// Chipmunk 7 with heaps: its default of ten iterations. It multiplies the frictions of two shapes.
// Bodies that may sleep do so after half a second, as in its own demos, below its default idle
// speed.

#include "settler.h"

#include "bench_memory.h"

#include <chipmunk/chipmunk.h>

#include <math.h>
#include <stdlib.h>

#define SLEEP_TIME 0.5 ///< Seconds.

typedef struct chipmunk_heap {
    const heap_scene *heap;
    cpSpace *space;
    cpBody **bodies;
    cpShape **shapes; ///< Of the bodies, then of the terrain.
    uint32_t shape_count;
    uint32_t body_count; ///< Different ones.
} chipmunk_heap;

static cpVect widen(graze_vec2 v)
{
    return cpv((cpFloat)v.x, (cpFloat)v.y);
}

static graze_vec2 narrow(cpVect v)
{
    const graze_vec2 narrowed = {(float)v.x, (float)v.y};
    return narrowed;
}

static void add_shape(chipmunk_heap *made, cpShape *shape)
{
    cpShapeSetFriction(shape, made->heap->has_friction ? sqrt((double)HEAP_FRICTION) : 0);
    cpShapeSetElasticity(shape, made->heap->bounces && !made->heap->lands ? 1 : 0);
    const bool is_body = cpBodyGetType(cpShapeGetBody(shape)) == CP_BODY_TYPE_DYNAMIC;
    const cpBitmask category = is_body ? SETTLER_BODY : SETTLER_TERRAIN;
    const cpBitmask mask = is_body ? SETTLER_BODY | SETTLER_TERRAIN : SETTLER_BODY;
    cpShapeSetFilter(shape, cpShapeFilterNew(CP_NO_GROUP, category, mask));
    made->shapes[made->shape_count++] = cpSpaceAddShape(made->space, shape);
}

// Those that do not turn have mass 1, others that of their area.
static cpBody *new_body(const chipmunk_heap *made, const scene_body *from)
{
    const cpFloat x = (cpFloat)from->half.x;
    const cpFloat y = (cpFloat)from->half.y;
    if (!made->heap->turns) {
        return cpBodyNew(1, (cpFloat)INFINITY);
    }
    if (from->kind == SCENE_RECT) {
        return cpBodyNew(4 * x * y, cpMomentForBox(4 * x * y, 2 * x, 2 * y));
    }
    const cpFloat mass = cpAreaForCircle(0, x);
    return cpBodyNew(mass, cpMomentForCircle(mass, 0, x, cpvzero));
}

static void add_body(chipmunk_heap *made, uint32_t number)
{
    const scene_body *from = &made->heap->place.bodies[number];
    const cpFloat radius = (cpFloat)from->half.x;
    cpBody *body = cpSpaceAddBody(made->space, new_body(made, from));
    cpBodySetPosition(body, widen(from->position));
    cpBodySetVelocity(body, widen(from->velocity));
    cpBodySetAngle(body, (cpFloat)from->angle);
    made->bodies[number] = body;
    add_shape(made, from->kind == SCENE_RECT
                        ? cpBoxShapeNew(body, 2 * radius, 2 * (cpFloat)from->half.y, 0)
                        : cpCircleShapeNew(body, radius, cpvzero));
}

// The walls of a drum are one body.
static void add_drum(chipmunk_heap *made)
{
    const scene *place = &made->heap->place;
    cpBody *drum = cpSpaceAddBody(made->space, cpBodyNewKinematic());
    cpBodySetAngularVelocity(drum, (cpFloat)made->heap->drum_spin);
    for (uint32_t i = made->body_count; i < place->body_count; ++i) {
        const scene_body *from = &place->bodies[i];
        const cpVect center = widen(from->position);
        const cpVect half = widen(from->half);
        const cpBB box = cpBBNewForExtents(center, half.x, half.y);
        made->bodies[i] = drum;
        add_shape(made, cpBoxShapeNew2(drum, box, 0));
    }
    ++made->body_count;
}

static void add_terrain(chipmunk_heap *made)
{
    const scene *place = &made->heap->place;
    cpBody *ground = cpSpaceGetStaticBody(made->space);
    for (uint32_t i = 1; i < place->point_count; ++i) {
        add_shape(made, cpSegmentShapeNew(ground, widen(place->points[i - 1]),
                                          widen(place->points[i]), 0));
    }
}

static chipmunk_heap *make_empty(const heap_scene *heap)
{
    const scene *place = &heap->place;
    chipmunk_heap *made = bench_allocate(1, sizeof *made);
    made->heap = heap;
    made->space = cpSpaceNew();
    made->bodies = bench_allocate(place->body_count, sizeof *made->bodies);
    made->shapes =
        bench_allocate((size_t)place->body_count + place->segment_count, sizeof *made->shapes);
    cpSpaceSetGravity(made->space, cpv(0, heap->bounces ? 0 : -(cpFloat)HEAP_GRAVITY));
    cpSpaceSetSleepTimeThreshold(made->space, heap->sleeps ? SLEEP_TIME : (cpFloat)INFINITY);
    return made;
}

static void *fill(chipmunk_heap *made)
{
    made->body_count = made->heap->place.body_count - made->heap->drum_count;
    for (uint32_t i = 0; i < made->body_count; ++i) {
        add_body(made, i);
    }
    if (made->heap->drum_count) {
        add_drum(made);
    }
    add_terrain(made);
    return made;
}

static void *make_tree_world(const heap_scene *heap)
{
    return fill(make_empty(heap));
}

/// Cells of two diameters and four times as many as there are bodies: see peer_chipmunk.c.
static void *make_hash_world(const heap_scene *heap)
{
    chipmunk_heap *made = make_empty(heap);
    cpSpaceUseSpatialHash(made->space, 2, (int)(4 * heap->place.body_count));
    return fill(made);
}

static void destroy_world(void *world)
{
    chipmunk_heap *made = world;
    cpSpaceFree(made->space);
    for (uint32_t i = 0; i < made->shape_count; ++i) {
        cpShapeFree(made->shapes[i]);
    }
    for (uint32_t i = 0; i < made->body_count; ++i) {
        cpBodyFree(made->bodies[i]);
    }
    free(made->bodies);
    free(made->shapes);
    free(made);
}

static void step_world(void *world)
{
    const chipmunk_heap *made = world;
    cpSpaceStep(made->space, (cpFloat)SCENE_STEP);
}

static void read_bodies(const void *world, scene_body *bodies)
{
    const chipmunk_heap *made = world;
    for (uint32_t i = 0; i < made->heap->place.body_count; ++i) {
        bodies[i] = made->heap->place.bodies[i];
        bodies[i].position = narrow(cpBodyGetPosition(made->bodies[i]));
        bodies[i].velocity = narrow(cpBodyGetVelocity(made->bodies[i]));
        bodies[i].angle = (float)cpBodyGetAngle(made->bodies[i]);
    }
}

const settler settler_chipmunk_tree = {"chipmunk-tree", make_tree_world, destroy_world,
                                       step_world,      read_bodies,     NULL};
const settler settler_chipmunk_hash = {"chipmunk-hash", make_hash_world, destroy_world,
                                       step_world,      read_bodies,     NULL};
