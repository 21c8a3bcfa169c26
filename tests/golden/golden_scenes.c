#include "golden_scenes.h"

#include "scene_defs.h"

#include <stdlib.h>

enum {
    STEPS = 2000,
    ROOM_STEPS = 1000,
    CROWD_STEPS = 60,
    CROWD_MOVERS = 8000,
    CROWD_BULLETS = 8000,
    STEPS_TO_RELOAD = 300
};

#define CROWD_SHRINK 0.3f

/// A scene in a world, body for body.
typedef struct cast_of_scene {
    scene place;
    graze_world_def def;
    graze_world *world;
    graze_body_id *ids; ///< place.body_count.
    random_state random;
} cast_of_scene;

/// Gives a body of the scene what the scene does not say.
typedef void finish_fn(graze_body_def *def, const scene_body *body, uint32_t number);

static void leave_plain(graze_body_def *def, const scene_body *body, uint32_t number)
{
    (void)def;
    (void)body;
    (void)number;
}

static void put_body(tape *run, cast_of_scene *cast, uint32_t number, finish_fn *finish)
{
    const scene_body *body = &cast->place.bodies[number];
    graze_body_def def = scene_body_def(body);
    def.user_data = number;
    finish(&def, body, number);
    cast->ids[number] = graze_body_create(cast->world, &def);
    tape_require(run, cast->ids[number].generation != 0, "a body was refused");
}

static void put_chain(tape *run, cast_of_scene *cast, const graze_vec2 *points, uint32_t count,
                      bool one_sided)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.one_sided = one_sided;
    graze_chain_id chain = graze_chain_create(cast->world, &def);
    tape_require(run, chain.generation != 0, "a chain was refused");
}

static cast_of_scene set_up(tape *run, scene place, float gravity, finish_fn *finish)
{
    cast_of_scene cast = {.place = place, .random = random_seed(99)};
    cast.def = tape_world_def(run);
    cast.def.gravity.y = gravity;
    cast.world = graze_world_create(&cast.def);
    cast.ids = calloc(place.body_count, sizeof *cast.ids);
    tape_require(run, cast.world && cast.ids, "no memory");
    for (uint32_t i = 0; i < place.body_count; ++i) {
        put_body(run, &cast, i, finish);
    }
    for (uint32_t i = 0; i < place.chain_count; ++i) {
        scene_chain chain = place.chains[i];
        put_chain(run, &cast, place.points + chain.first, chain.count, i % 4 == 3);
    }
    return cast;
}

static void take_down(cast_of_scene *cast)
{
    graze_world_destroy(cast->world);
    free(cast->ids);
    scene_free(&cast->place);
}

// At times the world goes on from a snapshot of itself, in the middle from one that may be another
// machine's.
static void step_scene(tape *run, cast_of_scene *cast, uint32_t step_count)
{
    tape_step_surely(run, cast->world, SCENE_STEP);
    if (run->steps == step_count / 2) {
        cast->world = tape_exchange(run, cast->world, &cast->def);
    }
    if (run->steps % tape_length(run, STEPS_TO_RELOAD) == 0) {
        cast->world = tape_reload(run, cast->world, &cast->def);
    }
}

// The walls of a scene: movers that leave its bounds are turned back.
static void turn_back(cast_of_scene *cast)
{
    uint32_t movers = cast->place.body_count - cast->place.bullet_count;
    for (uint32_t i = 0; i < movers; ++i) {
        graze_vec2 velocity = graze_body_velocity(cast->world, cast->ids[i]);
        graze_vec2 position = graze_body_position(cast->world, cast->ids[i]);
        if (scene_turn_back(&cast->place, position, &velocity)) {
            graze_body_set_velocity(cast->world, cast->ids[i], velocity);
        }
    }
}

static void run_gas(tape *run, scene place)
{
    cast_of_scene cast = set_up(run, place, 0, leave_plain);
    const uint32_t step_count = tape_length(run, STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        step_scene(run, &cast, step_count);
        turn_back(&cast);
    }
    take_down(&cast);
}

void golden_gas(tape *run)
{
    run_gas(run, scene_make_gas(1, 500));
}

void golden_gas_mixed(tape *run)
{
    run_gas(run, scene_make_gas_mixed(2, 300));
}

// The scene is as wide as a large world; this makes it as dense as a fight.
static void shrink(scene *place, float factor)
{
    place->bounds.lower = graze_vec2_scale(place->bounds.lower, factor);
    place->bounds.upper = graze_vec2_scale(place->bounds.upper, factor);
    for (uint32_t i = 0; i < place->point_count; ++i) {
        place->points[i] = graze_vec2_scale(place->points[i], factor);
    }
    for (uint32_t i = 0; i < place->body_count; ++i) {
        place->bodies[i].position = graze_vec2_scale(place->bodies[i].position, factor);
    }
}

static void arm(graze_body_def *def, const scene_body *body, uint32_t number)
{
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_BOUNCE, GRAZE_SLIDE};
    if (body->kind != SCENE_BULLET) {
        def->response = responses[number % 4];
        def->restitution = 0.5f;
        return;
    }
    def->response = number % 3 ? GRAZE_STOP : responses[number % 4];
    def->hit_limit = 1 + number % 3;
    def->lifetime = number % 5 ? 0 : 1.5f;
}

static void replace_spent_bullets(tape *run, cast_of_scene *cast)
{
    scene *place = &cast->place;
    for (uint32_t i = place->body_count - place->bullet_count; i < place->body_count; ++i) {
        graze_body_id bullet = cast->ids[i];
        bool valid = graze_body_is_valid(cast->world, bullet);
        if (valid && scene_is_inside(place, graze_body_position(cast->world, bullet))) {
            continue;
        }
        if (valid) {
            graze_body_destroy(cast->world, bullet);
        }
        place->bodies[i] = scene_new_bullet(place, &cast->random);
        put_body(run, cast, i, arm);
    }
}

// One of the chains goes, and comes back a little elsewhere.
static void edit_terrain(tape *run, cast_of_scene *cast)
{
    const scene *place = &cast->place;
    graze_vec2 points[256];
    uint32_t number = random_below(&cast->random, place->chain_count);
    float x = random_float(&cast->random, -1, 1);
    float y = random_float(&cast->random, -1, 1);
    scene_chain chain = place->chains[number];
    tape_require(run, chain.count <= 256, "a chain is too long");
    for (uint32_t i = 0; i < chain.count; ++i) {
        points[i].x = place->points[chain.first + i].x + x;
        points[i].y = place->points[chain.first + i].y + y;
    }
    graze_chain_id id = {number, 1};
    while (!graze_chain_is_valid(cast->world, id)) {
        ++id.generation;
    }
    graze_chain_destroy(cast->world, id);
    put_chain(run, cast, points, chain.count, number % 4 == 3);
}

void golden_bullet_hell(tape *run)
{
    scene place = scene_make_bullet_hell(3, 150, 250, 600);
    shrink(&place, 0.1f);
    cast_of_scene cast = set_up(run, place, 0, arm);
    const uint32_t step_count = tape_length(run, STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        step_scene(run, &cast, step_count);
        turn_back(&cast);
        replace_spent_bullets(run, &cast);
        if (step % 4 == 3) {
            edit_terrain(run, &cast);
        }
    }
    take_down(&cast);
}

// Enough bodies for several blocks, and few steps.
void golden_crowd(tape *run)
{
    scene place = scene_make_bullet_hell(5, CROWD_MOVERS, CROWD_BULLETS, 2000);
    shrink(&place, CROWD_SHRINK);
    cast_of_scene cast = set_up(run, place, 0, arm);
    const uint32_t step_count = tape_length(run, CROWD_STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        step_scene(run, &cast, step_count);
        if (step == step_count / 4) {
            cast.world = tape_reload(run, cast.world, &cast.def);
        }
        turn_back(&cast);
        replace_spent_bullets(run, &cast);
    }
    take_down(&cast);
}

static void make_lively(graze_body_def *def, const scene_body *body, uint32_t number)
{
    (void)body;
    def->response = number % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
    def->restitution = 0.125f * (float)(number % 9);
    def->friction = 0.25f * (float)(number % 5);
    def->mass = 0.5f * (float)(number % 7);
}

void golden_room(tape *run)
{
    scene place = scene_make_gas_mixed(4, 120);
    cast_of_scene cast = set_up(run, place, -10, make_lively);
    graze_aabb box = place.bounds;
    const graze_vec2 walls[] = {{box.lower.x - 1, box.upper.y + 1},
                                {box.lower.x - 1, box.lower.y - 1},
                                {0, box.lower.y - 2},
                                {box.upper.x + 1, box.lower.y - 1},
                                {box.upper.x + 1, box.upper.y + 1},
                                {box.lower.x - 1, box.upper.y + 1}};
    put_chain(run, &cast, walls, 6, false);
    const uint32_t step_count = tape_length(run, ROOM_STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        step_scene(run, &cast, step_count);
    }
    take_down(&cast);
}
