// Chipmunk 7 as a peer, used as well as it can be.
//
// Movers    Dynamic bodies with one solid shape each. The default collision handler counts a
//           contact in its preSolve and returns false: by then the manifold exists, and nothing is
//           solved. (Sensors cost the same, but segment queries do not see them.) One iteration, no
//           sleeping, no gravity, and contacts do not persist, which is fastest.
// Bullets   cpSpaceSegmentQueryFirst() for each, which gives shape, point, normal and time. A ray
//           that begins inside a circle hits it at once, as ours does.
// Moment    Bodies are moved first and tested where they arrive; nothing in between is detected.
// Hash      Cell sizes and counts are the fastest of those tried on these scenes: see tune_hash().

#include "peer_chipmunk.h"

#include "bench_memory.h"
#include "peer_bullets.h"

#include <chipmunk/chipmunk.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct chipmunk_run {
    const scene *place;
    cpSpace *space;
    cpBody **bodies; ///< One a mover.
    cpShape **shapes;
    uint32_t mover_count, shape_count;
    uint64_t contact_count;
    peer_bullets bullets;
} chipmunk_run;

static cpVect widen(graze_vec2 v)
{
    return cpv((cpFloat)v.x, (cpFloat)v.y);
}

static graze_vec2 narrow(cpVect v)
{
    graze_vec2 narrowed = {(float)v.x, (float)v.y};
    return narrowed;
}

static cpBool count_contact(cpArbiter *arbiter, cpSpace *space, cpDataPointer user)
{
    (void)arbiter;
    (void)space;
    chipmunk_run *run = user;
    ++run->contact_count;
    return cpFalse;
}

static void add_shape(chipmunk_run *run, cpShape *shape)
{
    run->shapes[run->shape_count++] = cpSpaceAddShape(run->space, shape);
}

static void add_mover(chipmunk_run *run, const scene_body *mover)
{
    cpFloat width = 2 * (cpFloat)mover->half.x;
    cpFloat height = 2 * (cpFloat)mover->half.y;
    bool is_rect = mover->kind == SCENE_RECT;
    cpFloat moment = is_rect ? cpMomentForBox(1, width, height)
                             : cpMomentForCircle(1, 0, (cpFloat)mover->half.x, cpvzero);
    cpBody *body = cpSpaceAddBody(run->space, cpBodyNew(1, moment));
    cpBodySetPosition(body, widen(mover->position));
    cpBodySetVelocity(body, widen(mover->velocity));
    cpBodySetAngle(body, (cpFloat)mover->angle);
    cpBodySetAngularVelocity(body, (cpFloat)mover->spin);
    run->bodies[run->mover_count++] = body;
    add_shape(run, is_rect ? cpBoxShapeNew(body, width, height, 0)
                           : cpCircleShapeNew(body, (cpFloat)mover->half.x, cpvzero));
}

static void add_terrain(chipmunk_run *run)
{
    cpBody *ground = cpSpaceGetStaticBody(run->space);
    for (uint32_t i = 0; i < run->place->chain_count; ++i) {
        scene_chain chain = run->place->chains[i];
        const graze_vec2 *points = run->place->points + chain.first;
        for (uint32_t j = 1; j < chain.count; ++j) {
            add_shape(run, cpSegmentShapeNew(ground, widen(points[j - 1]), widen(points[j]), 0));
        }
    }
}

static void set_up_space(chipmunk_run *run)
{
    cpSpaceSetIterations(run->space, 1);
    cpSpaceSetCollisionPersistence(run->space, 0);
    cpCollisionHandler *handler = cpSpaceAddDefaultCollisionHandler(run->space);
    handler->preSolveFunc = count_contact;
    handler->userData = run;
}

static cpFloat find_mean_diameter(const scene *place, uint32_t movers)
{
    cpFloat sum = 0;
    for (uint32_t i = 0; i < movers; ++i) {
        sum += 2 * (cpFloat)place->bodies[i].half.x;
    }
    return sum / movers;
}

/// Cells of 0.4 times the mean distance of segments, 4 to 8 units.
static cpFloat find_terrain_cell(const scene *place)
{
    cpFloat side = (cpFloat)(place->bounds.upper.x - place->bounds.lower.x);
    return cpfclamp(0.4 * side / cpfsqrt((cpFloat)place->segment_count), 4, 8);
}

/// Cells of two mean diameters, four times as many as movers; or cells for terrain, eight times as
/// many as segments.
static void tune_hash(chipmunk_run *run)
{
    const scene *place = run->place;
    uint32_t movers = place->body_count - place->bullet_count;
    if (movers) {
        cpSpaceUseSpatialHash(run->space, 2 * find_mean_diameter(place, movers), (int)(4 * movers));
    } else {
        int count = (int)(8 * place->segment_count);
        cpSpaceUseSpatialHash(run->space, find_terrain_cell(place), count);
    }
}

static chipmunk_run *make_empty(const scene *place)
{
    chipmunk_run *run = bench_allocate(1, sizeof *run);
    uint32_t movers = place->body_count - place->bullet_count;
    run->place = place;
    run->space = cpSpaceNew();
    run->bodies = bench_allocate(movers, sizeof *run->bodies);
    run->shapes = bench_allocate(movers + place->segment_count, sizeof *run->shapes);
    run->bullets = peer_bullets_create(place);
    set_up_space(run);
    return run;
}

static void fill(chipmunk_run *run)
{
    uint32_t movers = run->place->body_count - run->place->bullet_count;
    for (uint32_t i = 0; i < movers; ++i) {
        add_mover(run, &run->place->bodies[i]);
    }
    add_terrain(run);
}

static void *make_tree_world(const scene *place)
{
    chipmunk_run *run = make_empty(place);
    fill(run);
    return run;
}

static void *make_hash_world(const scene *place)
{
    chipmunk_run *run = make_empty(place);
    tune_hash(run);
    fill(run);
    return run;
}

/// The space goes first: removing shapes one by one would search all contacts for each.
static void destroy_world(void *world)
{
    chipmunk_run *run = world;
    cpSpaceFree(run->space);
    for (uint32_t i = 0; i < run->shape_count; ++i) {
        cpShapeFree(run->shapes[i]);
    }
    for (uint32_t i = 0; i < run->mover_count; ++i) {
        cpBodyFree(run->bodies[i]);
    }
    peer_bullets_destroy(&run->bullets);
    free(run->bodies);
    free(run->shapes);
    free(run);
}

static bool cast_ray(cpSpace *space, graze_vec2 from, graze_vec2 to, peer_hit *hit)
{
    cpSegmentQueryInfo info;
    cpShape *shape =
        cpSpaceSegmentQueryFirst(space, widen(from), widen(to), 0, CP_SHAPE_FILTER_ALL, &info);
    hit->hit = shape != NULL;
    if (shape) {
        hit->time = (float)info.alpha;
        hit->point = narrow(info.point);
        hit->normal = narrow(info.normal);
    }
    return hit->hit;
}

static void cast_bullet(chipmunk_run *run, uint32_t bullet)
{
    run->bullets.hit_count +=
        cast_ray(run->space, run->bullets.bodies[bullet].position,
                 peer_bullets_end(&run->bullets, bullet), &run->bullets.hits[bullet]);
}

static void step_world(void *world)
{
    chipmunk_run *run = world;
    run->contact_count = 0;
    run->bullets.hit_count = 0;
    cpSpaceStep(run->space, (cpFloat)SCENE_STEP);
    for (uint32_t i = 0; i < run->bullets.count; ++i) {
        cast_bullet(run, i);
    }
}

static engine_counts count_findings(const void *world)
{
    const chipmunk_run *run = world;
    engine_counts counts = {.contacts = run->contact_count, .hits = run->bullets.hit_count};
    return counts;
}

static bool was_bullet_hit(const void *world, uint32_t bullet)
{
    const chipmunk_run *run = world;
    return run->bullets.hits[bullet].hit;
}

static void read_bodies(const void *world, scene_body *bodies)
{
    const chipmunk_run *run = world;
    for (uint32_t i = 0; i < run->mover_count; ++i) {
        bodies[i] = run->place->bodies[i];
        bodies[i].position = narrow(cpBodyGetPosition(run->bodies[i]));
        bodies[i].velocity = narrow(cpBodyGetVelocity(run->bodies[i]));
        bodies[i].angle = (float)cpBodyGetAngle(run->bodies[i]);
    }
    for (uint32_t i = 0; i < run->bullets.count; ++i) {
        bodies[run->mover_count + i] = run->bullets.bodies[i];
    }
}

static void keep_going(void *world, random_state *random)
{
    chipmunk_run *run = world;
    for (uint32_t i = 0; i < run->mover_count; ++i) {
        graze_vec2 velocity = narrow(cpBodyGetVelocity(run->bodies[i]));
        graze_vec2 position = narrow(cpBodyGetPosition(run->bodies[i]));
        if (scene_turn_back(run->place, position, &velocity)) {
            cpBodySetVelocity(run->bodies[i], widen(velocity));
        }
    }
    peer_bullets_keep(&run->bullets, random);
}

static void cast_rays(void *world, const graze_ray *rays, uint32_t count, peer_hit *hits)
{
    const chipmunk_run *run = world;
    for (uint32_t i = 0; i < count; ++i) {
        graze_vec2 end = graze_vec2_add(rays[i].origin, rays[i].delta);
        (void)cast_ray(run->space, rays[i].origin, end, &hits[i]);
    }
}

static const char *tell_version(void)
{
    static char text[40];
    snprintf(text, sizeof text, "Chipmunk %s", cpVersionString);
    return text;
}

// Both indexes: nothing else differs.
#define CHIPMUNK_ENGINE(ENGINE_NAME, CREATE)                                                       \
    {                                                                                              \
        .name = ENGINE_NAME, .moment = ENGINE_END, .create = CREATE, .destroy = destroy_world,     \
        .step = step_world, .count = count_findings, .was_hit = was_bullet_hit,                    \
        .read = read_bodies, .keep = keep_going, .cast = cast_rays, .version = tell_version,       \
    }

const engine engine_chipmunk_tree = CHIPMUNK_ENGINE("chipmunk-tree", make_tree_world);
const engine engine_chipmunk_hash = CHIPMUNK_ENGINE("chipmunk-hash", make_hash_world);
