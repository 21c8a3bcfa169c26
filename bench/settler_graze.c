// Ours: bodies that slide, bounce, or are rigid.

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
    bool longer;  ///< The next step.
    float turned; ///< The drum, radians.
} graze_heap;

static float mass_of(const scene_body *from)
{
    return from->kind == SCENE_RECT ? 4 * from->half.x * from->half.y
                                    : 3.14159265f * from->half.x * from->half.x;
}

static graze_body_def make_def(const heap_scene *heap, uint32_t number)
{
    const scene_body *from = &heap->place.bodies[number];
    const bool is_sensor = number >= heap->place.body_count - heap->sensor_count;
    const bool is_drum = number >= heap->place.body_count - heap->drum_count;
    graze_body_def def = scene_body_def(from);
    def.response = heap->turns ? GRAZE_RIGID : heap->bounces ? GRAZE_BOUNCE : GRAZE_SLIDE;
    def.mass = heap->turns ? mass_of(from) : 1;
    def.restitution = heap->bounces && !heap->lands ? 1 : 0;
    def.friction = heap->has_friction ? HEAP_FRICTION : 0;
    def.never_sleeps = !heap->sleeps;
    def.filter.category = SETTLER_BODY;
    def.filter.mask = SETTLER_BODY | SETTLER_TERRAIN;
    if (is_sensor) {
        def.response = GRAZE_PASS;
        def.sensor = true;
    }
    if (is_drum) {
        def.response = GRAZE_PASS;
        def.mass = 0;
        def.spin = heap->drum_spin;
        def.filter.category = SETTLER_TERRAIN;
        def.filter.mask = SETTLER_BODY;
    }
    return def;
}

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
    graze_chain_def box = scene_chain_def(&heap->place, 0);
    box.surface.friction = heap->has_friction ? HEAP_FRICTION : 0;
    box.filter.category = SETTLER_TERRAIN;
    box.filter.mask = SETTLER_BODY;
    const graze_chain_id chain = graze_chain_create(made->world, &box);
    engine_graze_require(graze_chain_is_valid(made->world, chain), "no chain");
    for (uint32_t i = 0; i < heap->place.body_count; ++i) {
        const graze_body_def body = make_def(heap, i);
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

// The walls of the drum go where the next step has them turn.
static void turn_drum(graze_heap *made, float dt)
{
    const uint32_t count = made->place->body_count;
    made->turned += made->heap->drum_spin * dt;
    const float x = cosf(made->turned);
    const float y = sinf(made->turned);
    for (uint32_t i = count - made->heap->drum_count; i < count; ++i) {
        const graze_vec2 start = made->place->bodies[i].position;
        const graze_vec2 now = graze_body_position(made->world, made->ids[i]);
        const graze_vec2 velocity = {(x * start.x - y * start.y - now.x) / dt,
                                     (y * start.x + x * start.y - now.y) / dt};
        const graze_status status = graze_body_set_velocity(made->world, made->ids[i], velocity);
        engine_graze_require(status == GRAZE_OK, "the drum is stuck");
    }
}

// Bodies that slide or bounce sleep only if steps are equally long: if none is to sleep, every
// second step is longer, by a rounding.
static void step_world(void *world)
{
    graze_heap *made = world;
    made->longer = !made->longer && !made->heap->sleeps;
    const float dt = made->longer ? nextafterf(SCENE_STEP, 1) : SCENE_STEP;
    turn_drum(made, dt);
    engine_graze_require(graze_world_step(made->world, dt) == GRAZE_OK, "no step");
}

static void read_bodies(const void *world, scene_body *bodies)
{
    const graze_heap *made = world;
    for (uint32_t i = 0; i < made->place->body_count; ++i) {
        bodies[i] = made->place->bodies[i];
        bodies[i].position = graze_body_position(made->world, made->ids[i]);
        bodies[i].velocity = graze_body_velocity(made->world, made->ids[i]);
        bodies[i].angle = graze_body_angle(made->world, made->ids[i]);
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
