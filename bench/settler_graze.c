// Ours: bodies that slide, or bounce.

#include "settler.h"

#include "bench_memory.h"
#include "engine_graze.h"
#include "scene_defs.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>

typedef struct graze_heap {
    const heap_scene *heap;
    const scene *place;
    graze_world *world;
    graze_body_id *ids;
    bool longer; ///< The next step.
} graze_heap;

static void *make_world(const heap_scene *heap)
{
    graze_heap *made = bench_allocate(1, sizeof *made);
    graze_world_def def = graze_world_def_default();
    def.gravity.y = heap->bounces ? 0 : -HEAP_GRAVITY;
    made->heap = heap;
    made->place = &heap->place;
    made->ids = bench_allocate(heap->place.body_count, sizeof *made->ids);
    made->world = graze_world_create(&def);
    engine_graze_require(made->world, "no world");
    const graze_chain_def box = scene_chain_def(&heap->place, 0);
    const graze_chain_id chain = graze_chain_create(made->world, &box);
    engine_graze_require(graze_chain_is_valid(made->world, chain), "no chain");
    for (uint32_t i = 0; i < heap->place.body_count; ++i) {
        graze_body_def body = scene_body_def(&heap->place.bodies[i]);
        body.response = heap->bounces ? GRAZE_BOUNCE : GRAZE_SLIDE;
        body.restitution = heap->bounces ? 1 : 0;
        body.friction = heap->has_friction ? HEAP_FRICTION : 0;
        if (i >= heap->place.body_count - heap->sensor_count) {
            body.response = GRAZE_PASS;
            body.sensor = true;
        }
        made->ids[i] = graze_body_create(made->world, &body);
        engine_graze_require(graze_body_is_valid(made->world, made->ids[i]), "no body");
    }
    return made;
}

static void destroy_world(void *world)
{
    graze_heap *made = world;
    graze_world_destroy(made->world);
    free(made->ids);
    free(made);
}

// Bodies sleep only if steps are equally long: if none is to sleep, every second step is longer, by
// a rounding.
static void step_world(void *world)
{
    graze_heap *made = world;
    made->longer = !made->longer && !made->heap->sleeps;
    const float dt = made->longer ? nextafterf(SCENE_STEP, 1) : SCENE_STEP;
    engine_graze_require(graze_world_step(made->world, dt) == GRAZE_OK, "no step");
}

static void read_bodies(const void *world, scene_body *bodies)
{
    const graze_heap *made = world;
    for (uint32_t i = 0; i < made->place->body_count; ++i) {
        bodies[i] = made->place->bodies[i];
        bodies[i].position = graze_body_position(made->world, made->ids[i]);
        bodies[i].velocity = graze_body_velocity(made->world, made->ids[i]);
    }
}

static uint32_t count_seen(const void *world)
{
    const graze_heap *made = world;
    const graze_contact_list list = graze_world_contacts(made->world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < list.count; ++i) {
        count += graze_body_is_sensor(made->world, list.data[i].a) !=
                 graze_body_is_sensor(made->world, list.data[i].b);
    }
    return count;
}

const settler settler_graze = {"engine",   make_world,  destroy_world,
                               step_world, read_bodies, count_seen};
