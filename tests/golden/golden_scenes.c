#include "golden_scenes.h"

#include "scene_defs.h"

#include <stdlib.h>

enum {
    STEPS = 2000,
    ROOM_STEPS = 1000,
    CROWD_STEPS = 60,
    CROWD_MOVERS = 8000,
    CROWD_BULLETS = 8000,
    PYRAMID_STEPS = 300,
    PYRAMID_ROWS = 20,
    PIT_STEPS = 500,
    PIT_BODIES = 200,
    PIT_POUR = 10, ///< Bodies in every other step.
    FLIPPERS_STEPS = 300,
    FLIPPERS_TURN = 12, ///< Steps to go one way.
    FLIPPERS_DISCS = 20,
    TUMBLER_STEPS = 300,
    TUMBLER_BODIES = 64,
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

// --- Rigid bodies ---

// A world without a scene: its bodies are added one by one.
static cast_of_scene set_up_rigid(tape *run)
{
    cast_of_scene cast = {.random = random_seed(77)};
    cast.def = tape_world_def(run);
    cast.def.gravity.y = -10;
    cast.world = graze_world_create(&cast.def);
    tape_require(run, cast.world != NULL, "no memory");
    return cast;
}

static graze_body_def disc_at(float x, float y, float radius)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_circle(radius);
    def.position.x = x;
    def.position.y = y;
    return def;
}

static graze_body_def box_at(float x, float y, float half_width, float half_height)
{
    graze_body_def def = disc_at(x, y, 0);
    def.shape = graze_shape_rect(half_width, half_height);
    return def;
}

static graze_body_id add_body(tape *run, cast_of_scene *cast, const graze_body_def *def)
{
    graze_body_id id = graze_body_create(cast->world, def);
    tape_require(run, id.generation != 0, "a body was refused");
    return id;
}

static void build_pyramid(tape *run, cast_of_scene *cast)
{
    for (uint32_t row = 0; row < PYRAMID_ROWS; ++row) {
        for (uint32_t i = row; i < PYRAMID_ROWS; ++i) {
            const float x = (float)i - 0.5f * (float)(PYRAMID_ROWS - 1 + row);
            const graze_body_def def = box_at(x, 0.5f + (float)row, 0.5f, 0.5f);
            add_body(run, cast, &def);
        }
    }
}

void golden_pyramid(tape *run)
{
    const graze_vec2 ground[] = {{-40, 30}, {-40, 0}, {-3, 0}, {4, 0}, {40, 0}, {40, 30}};
    cast_of_scene cast = set_up_rigid(run);
    put_chain(run, &cast, ground, 6, false);
    build_pyramid(run, &cast);
    graze_body_def ball = disc_at(-18, 5, 1);
    ball.velocity.x = 60;
    ball.mass = 50;
    add_body(run, &cast, &ball);
    const uint32_t step_count = tape_length(run, PYRAMID_STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        step_scene(run, &cast, step_count);
    }
    take_down(&cast);
}

// Most are rigid discs and boxes. A few bounce or slide, or are rays that stop: they have a
// lifetime, so that the others can fall asleep.
static graze_body_def draw_pit_body(random_state *random, uint32_t number)
{
    const float x = random_float(random, -8, 8);
    const float y = random_float(random, 6, 12);
    const float width = random_float(random, 0.15f, 0.6f);
    const float height = random_float(random, 0.15f, 0.6f);
    graze_body_def def = number % 2 ? disc_at(x, y, width) : box_at(x, y, width, height);
    def.angle = random_float(random, -3, 3);
    def.spin = random_float(random, -4, 4);
    def.velocity.y = -6;
    def.mass = 4 * width * height;
    def.restitution = number % 5 ? 0 : 0.25f;
    def.surface.rolling_resistance = 0.2f;
    if (number % 20 == 7) {
        def.response = number % 40 == 7 ? GRAZE_BOUNCE : GRAZE_SLIDE;
        def.lifetime = 2.5f;
    }
    if (number % 20 == 13) {
        def.shape = graze_shape_ray();
        def.response = GRAZE_STOP;
        def.velocity.y = -20;
        def.lifetime = 2.5f;
    }
    return def;
}

static void pour(tape *run, cast_of_scene *cast, uint32_t first)
{
    for (uint32_t i = first; i < first + PIT_POUR && i < PIT_BODIES; ++i) {
        const graze_body_def def = draw_pit_body(&cast->random, i);
        add_body(run, cast, &def);
    }
}

static uint32_t count_sleepers(const graze_world *world)
{
    uint32_t count, asleep = 0;
    const uint32_t *indices = graze_world_indices(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        asleep += graze_body_is_asleep(world, graze_world_body_at(world, indices[i]));
    }
    return asleep;
}

static void put_bowl(tape *run, cast_of_scene *cast)
{
    const graze_vec2 left[] = {{-12, 40}, {-11, 6}, {-8, 2}, {-3, 0.25f}};
    const graze_vec2 middle[] = {{-3, 0.25f}, {0, 0}, {3, 0.25f}};
    const graze_vec2 right[] = {{3, 0.25f}, {8, 2}, {11, 6}, {12, 40}};
    put_chain(run, cast, left, 4, false);
    put_chain(run, cast, middle, 3, true);
    put_chain(run, cast, right, 4, false);
}

void golden_pit(tape *run)
{
    cast_of_scene cast = set_up_rigid(run);
    put_bowl(run, &cast);
    const uint32_t step_count = tape_length(run, PIT_STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        if (step % 2 == 0) {
            pour(run, &cast, step / 2 * PIT_POUR);
        }
        step_scene(run, &cast, step_count);
    }
    tape_require(run, run->is_short || count_sleepers(cast.world) > PIT_BODIES / 2,
                 "the pit does not sleep");
    take_down(&cast);
}

static graze_body_id put_flipper(tape *run, cast_of_scene *cast, float x)
{
    graze_body_def def = box_at(x, 1, 2.5f, 0.25f);
    def.mass = 0;
    return add_body(run, cast, &def);
}

static void put_bumpers(tape *run, cast_of_scene *cast)
{
    for (uint32_t i = 0; i < 5; ++i) {
        const float x = 3 * (float)i - 6;
        graze_body_def def = disc_at(x, i % 2 ? 6 : 8, 0.75f);
        def.mass = 0;
        def.restitution = 1;
        add_body(run, cast, &def);
    }
}

static void put_discs(tape *run, cast_of_scene *cast)
{
    for (uint32_t i = 0; i < FLIPPERS_DISCS; ++i) {
        const float x = random_float(&cast->random, -0.25f, 0.25f);
        const float radius = random_float(&cast->random, 0.2f, 0.5f);
        graze_body_def def = disc_at(x + 1.25f * (float)(i % 10) - 5.5f, i < 10 ? 11 : 13, radius);
        def.velocity.x = random_float(&cast->random, -5, 5);
        def.velocity.y = random_float(&cast->random, -15, 0);
        def.restitution = 0.5f;
        add_body(run, cast, &def);
    }
}

// They go up and down in turn: the left one starts up, the right one as in a mirror.
static void turn_flippers(tape *run, cast_of_scene *cast, const graze_body_id *flippers, bool up)
{
    for (uint32_t i = 0; i < 2; ++i) {
        const float spin = up == (i == 0) ? 5 : -5;
        const float rise = up ? 4 : -4;
        const graze_vec2 velocity = {0, rise};
        const graze_status turned = graze_body_set_spin(cast->world, flippers[i], spin);
        const graze_status moved = graze_body_set_velocity(cast->world, flippers[i], velocity);
        tape_require(run, turned == GRAZE_OK && moved == GRAZE_OK, "a flipper does not turn");
    }
}

void golden_flippers(tape *run)
{
    const graze_vec2 walls[] = {{-7, 15}, {-7, 2}, {0, -1}, {7, 2}, {7, 15}, {-7, 15}};
    cast_of_scene cast = set_up_rigid(run);
    put_chain(run, &cast, walls, 6, false);
    const graze_body_id left = put_flipper(run, &cast, -3.5f);
    const graze_body_id flippers[] = {left, put_flipper(run, &cast, 3.5f)};
    put_bumpers(run, &cast);
    put_discs(run, &cast);
    const uint32_t step_count = tape_length(run, FLIPPERS_STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        if (step % FLIPPERS_TURN == 0) {
            turn_flippers(run, &cast, flippers, step / FLIPPERS_TURN % 2 == 0);
        }
        step_scene(run, &cast, step_count);
    }
    take_down(&cast);
}

// Four rects of mass 0 around the middle: their velocities lead to where they turn in the step.
static void turn_drum(tape *run, cast_of_scene *cast, const graze_body_id *walls, graze_vec2 out)
{
    const float half = 6, per_second = 60;
    for (uint32_t i = 0; i < 4; ++i) {
        const graze_vec2 at = graze_body_position(cast->world, walls[i]);
        const graze_vec2 velocity = {(half * out.x - at.x) * per_second,
                                     (half * out.y - at.y) * per_second};
        const graze_status moved = graze_body_set_velocity(cast->world, walls[i], velocity);
        tape_require(run, moved == GRAZE_OK, "the drum does not turn");
        const graze_vec2 next = {-out.y, out.x};
        out = next;
    }
}

static void put_drum(tape *run, cast_of_scene *cast, graze_body_id *walls)
{
    const graze_vec2 places[] = {{6, 0}, {0, 6}, {-6, 0}, {0, -6}};
    for (uint32_t i = 0; i < 4; ++i) {
        graze_body_def def =
            i % 2 ? box_at(places[i].x, places[i].y, 7, 1) : box_at(places[i].x, places[i].y, 1, 7);
        def.mass = 0;
        def.spin = 1;
        walls[i] = add_body(run, cast, &def);
    }
}

static void put_tumbled(tape *run, cast_of_scene *cast)
{
    for (uint32_t i = 0; i < TUMBLER_BODIES; ++i) {
        const float x = 1.1f * (float)(i % 8) - 3.85f, y = 1.1f * (float)(i / 8) - 3.85f;
        const float size = random_float(&cast->random, 0.25f, 0.5f);
        graze_body_def def = i % 3 ? box_at(x, y, size, 0.4f) : disc_at(x, y, size);
        def.restitution = i % 5 ? 0 : 0.5f;
        add_body(run, cast, &def);
    }
}

// The corners of the drum are 8.5 from its middle.
static bool is_all_within(const graze_world *world)
{
    uint32_t count;
    const graze_vec2 *at = graze_world_positions(world, &count);
    bool within = true;
    for (uint32_t i = 0; i < count; ++i) {
        within = within && at[i].x * at[i].x + at[i].y * at[i].y < 8.5f * 8.5f;
    }
    return within;
}

void golden_tumbler(tape *run)
{
    cast_of_scene cast = set_up_rigid(run);
    graze_body_id walls[4];
    put_drum(run, &cast, walls);
    put_tumbled(run, &cast);
    // A radian a second: the sine and cosine of a 60th of one.
    const float sine = 1.0f / 60 - 1.0f / (6 * 60 * 60 * 60), cosine = 1 - 1.0f / (2 * 60 * 60);
    graze_vec2 out = {1, 0};
    const uint32_t step_count = tape_length(run, TUMBLER_STEPS);
    for (uint32_t step = 0; step < step_count; ++step) {
        const float x = out.x * cosine;
        const float y = out.y * cosine;
        const float turned_x = out.y * sine;
        const float turned_y = out.x * sine;
        out.x = x - turned_x;
        out.y = y + turned_y;
        turn_drum(run, &cast, walls, out);
        step_scene(run, &cast, step_count);
    }
    tape_require(run, is_all_within(cast.world), "something left the drum");
    take_down(&cast);
}
