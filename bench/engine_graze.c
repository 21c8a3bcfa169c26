// Ours: movers are PASS bodies; a bullet is a ray that stops at its first hit and is spent there.

#include "engine_graze.h"

#include "bench_memory.h"
#include "scene_defs.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct graze_run {
    const scene *place;
    graze_world *world;
    graze_body_id *ids; ///< Of the scene's bodies.
} graze_run;

/// For worlds created later.
static struct {
    graze_parallel_fn *parallel;
    void *user;
    uint32_t count;
} crew = {NULL, NULL, 1};

void engine_graze_use_parallel(graze_parallel_fn *parallel, void *user, uint32_t count)
{
    crew.parallel = parallel;
    crew.user = user;
    crew.count = count;
}

void engine_graze_use_workers(worker_pool *pool, uint32_t count)
{
    engine_graze_use_parallel(pool ? worker_pool_run : NULL, pool, count);
}

void engine_graze_require(bool succeeded, const char *what)
{
    if (!succeeded) {
        fprintf(stderr, "graze_bench: Graze: %s\n", what);
        exit(1);
    }
}

static graze_body_def define_body(const scene_body *body)
{
    graze_body_def def = scene_body_def(body);
    if (body->kind == SCENE_BULLET) {
        def.response = GRAZE_STOP;
        def.hit_limit = 1;
    }
    return def;
}

static void create_bodies(graze_run *run)
{
    uint32_t count = run->place->body_count;
    graze_body_def *defs = bench_allocate(count, sizeof *defs);
    for (uint32_t i = 0; i < count; ++i) {
        defs[i] = define_body(&run->place->bodies[i]);
    }
    uint32_t made = graze_body_create_many(run->world, defs, count, run->ids);
    engine_graze_require(made == count, "no bodies");
    free(defs);
}

static void create_terrain(graze_run *run)
{
    for (uint32_t i = 0; i < run->place->chain_count; ++i) {
        const graze_chain_def def = scene_chain_def(run->place, i);
        graze_chain_id chain = graze_chain_create(run->world, &def);
        engine_graze_require(graze_chain_is_valid(run->world, chain), "no chain");
    }
}

static void *make_world(const scene *place)
{
    graze_run *run = bench_allocate(1, sizeof *run);
    graze_world_def def = graze_world_def_default();
    def.parallel = crew.parallel;
    def.parallel_user = crew.user;
    def.worker_count = crew.count;
    run->place = place;
    run->ids = bench_allocate(place->body_count, sizeof *run->ids);
    run->world = graze_world_create(&def);
    engine_graze_require(run->world, "no world");
    create_bodies(run);
    create_terrain(run);
    return run;
}

static void destroy_world(void *world)
{
    graze_run *run = world;
    graze_world_destroy(run->world);
    free(run->ids);
    free(run);
}

static void step_world(void *world)
{
    graze_run *run = world;
    engine_graze_require(graze_world_step(run->world, SCENE_STEP) == GRAZE_OK, "no step");
}

/// Contacts between movers are those of two bodies of which neither was spent.
static engine_counts count_findings(const void *world)
{
    const graze_run *run = world;
    graze_contact_list list = graze_world_contacts(run->world);
    graze_world_stats stats = graze_world_get_stats(run->world);
    engine_counts counts = {.pairs = stats.pair_count, .bytes = stats.byte_count};
    for (uint32_t i = 0; i < list.count; ++i) {
        bool spent = list.data[i].flags & GRAZE_CONTACT_SPENT;
        bool between_bodies = list.data[i].b.generation != 0;
        counts.contacts += between_bodies && !spent;
        counts.hits += spent || !between_bodies;
    }
    return counts;
}

static bool was_bullet_hit(const void *world, uint32_t bullet)
{
    const graze_run *run = world;
    uint32_t first = run->place->body_count - run->place->bullet_count;
    return !graze_body_is_valid(run->world, run->ids[first + bullet]);
}

static void read_bodies(const void *world, scene_body *bodies)
{
    const graze_run *run = world;
    for (uint32_t i = 0; i < run->place->body_count; ++i) {
        bodies[i] = run->place->bodies[i];
        bodies[i].position = graze_body_position(run->world, run->ids[i]);
        bodies[i].velocity = graze_body_velocity(run->world, run->ids[i]);
        bodies[i].angle = graze_body_angle(run->world, run->ids[i]);
    }
}

static void turn_mover(graze_run *run, graze_body_id id)
{
    graze_vec2 velocity = graze_body_velocity(run->world, id);
    if (scene_turn_back(run->place, graze_body_position(run->world, id), &velocity)) {
        (void)graze_body_set_velocity(run->world, id, velocity);
    }
}

static void replace_bullet(graze_run *run, graze_body_id *id, random_state *random)
{
    bool alive = graze_body_is_valid(run->world, *id);
    if (alive && scene_is_inside(run->place, graze_body_position(run->world, *id))) {
        return;
    }
    if (alive) {
        (void)graze_body_destroy(run->world, *id);
    }
    scene_body bullet = scene_new_bullet(run->place, random);
    graze_body_def def = define_body(&bullet);
    *id = graze_body_create(run->world, &def);
    engine_graze_require(graze_body_is_valid(run->world, *id), "no bullet");
}

static void keep_going(void *world, random_state *random)
{
    graze_run *run = world;
    uint32_t movers = run->place->body_count - run->place->bullet_count;
    for (uint32_t i = 0; i < movers; ++i) {
        turn_mover(run, run->ids[i]);
    }
    for (uint32_t i = movers; i < run->place->body_count; ++i) {
        replace_bullet(run, &run->ids[i], random);
    }
}

static const char *tell_version(void)
{
    static char text[40];
    snprintf(text, sizeof text, "Graze %d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR,
             GRAZE_VERSION_PATCH);
    return text;
}

graze_world *engine_graze_world(void *world)
{
    graze_run *run = world;
    return run->world;
}

const engine engine_graze = {
    .name = "engine",
    .moment = ENGINE_SWEPT,
    .create = make_world,
    .destroy = destroy_world,
    .step = step_world,
    .count = count_findings,
    .was_hit = was_bullet_hit,
    .read = read_bodies,
    .keep = keep_going,
    .version = tell_version,
};
