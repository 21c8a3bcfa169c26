// Plays one small scene, and gcov counts what ran. See walk.sh.
//
//   graze_walk SCENE
//
// The world is made before the count begins. Ends with 1 if the scene did not do what it should.
#include <graze/graze.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of libgcov: they set all counts to zero, and write them to the .gcda files.
void __gcov_reset(void);
void __gcov_dump(void);

static const float seconds = 1.0f / 60.0f;

typedef struct walk_scene {
    const char *name;
    graze_vec2 gravity;
    bool (*fill)(graze_world *world);
    bool (*play)(graze_world *world);
} walk_scene;

static bool add_wall(graze_world *world)
{
    const graze_vec2 points[] = {{8, -5}, {8, 5}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2;
    return graze_chain_is_valid(world, graze_chain_create(world, &def));
}

static bool add_circle(graze_world *world, graze_vec2 position, graze_vec2 velocity,
                       graze_response response)
{
    graze_body_def def = graze_body_def_default();
    def.position = position;
    def.velocity = velocity;
    def.response = response;
    return graze_body_is_valid(world, graze_body_create(world, &def));
}

static bool step(graze_world *world, int count)
{
    bool done = true;
    for (int i = 0; i < count && done; ++i) {
        done = graze_world_step(world, seconds) == GRAZE_OK;
    }
    return done;
}

// --- bullet: a ray that hits a wall in its only step ---

static bool fill_bullet(graze_world *world)
{
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.velocity = (graze_vec2){600, 60};
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    return add_wall(world) && graze_body_is_valid(world, graze_body_create(world, &bullet));
}

static bool play_bullet(graze_world *world)
{
    return step(world, 1) && graze_world_contacts(world).count == 1;
}

// --- bounce: two circles that fly at each other, until they have bounced ---

static bool fill_bounce(graze_world *world)
{
    return add_circle(world, (graze_vec2){-1, 0}, (graze_vec2){6, 0}, GRAZE_BOUNCE) &&
           add_circle(world, (graze_vec2){1, 0}, (graze_vec2){-6, 0}, GRAZE_BOUNCE);
}

static bool play_bounce(graze_world *world)
{
    for (int i = 0; i < 60; ++i) {
        if (!step(world, 1)) {
            return false;
        }
        if (graze_world_contacts(world).count > 0) {
            return true;
        }
    }
    return false;
}

// --- heap: fifteen discs that fall on each other in a bin, for thirty steps ---

static bool fill_heap(graze_world *world)
{
    const graze_vec2 corners[] = {{-3, 12}, {-3, 0}, {3, 0}, {3, 12}};
    graze_chain_def bin = graze_chain_def_default();
    bin.points = corners;
    bin.count = 4;
    bool done = graze_chain_is_valid(world, graze_chain_create(world, &bin));
    for (int i = 0; i < 15 && done; ++i) {
        const int row = i / 5;
        const float shift = row % 2 == 0 ? 0 : 0.3f;
        const graze_vec2 position = {-2.2f + (float)(i % 5) + shift, 0.6f + (float)row};
        done = add_circle(world, position, (graze_vec2){0, 0}, GRAZE_RIGID);
    }
    return done;
}

static bool play_heap(graze_world *world)
{
    return step(world, 30) && graze_world_contacts(world).count > 15;
}

// --- query: a ray that hits the bullet's wall, without a step ---

static bool fill_query(graze_world *world)
{
    return add_wall(world);
}

static bool play_query(graze_world *world)
{
    const graze_ray ray = {{0, 0}, {20, 2}};
    graze_query_hit hit;
    return graze_query_ray(world, ray, graze_filter_default(), &hit) == GRAZE_OK && hit.time < 1;
}

static const walk_scene scenes[] = {
    {"bullet", {0, 0}, fill_bullet, play_bullet},
    {"bounce", {0, 0}, fill_bounce, play_bounce},
    {"heap", {0, -10}, fill_heap, play_heap},
    {"query", {0, 0}, fill_query, play_query},
};

static const walk_scene *find_scene(const char *name)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        if (strcmp(scenes[i].name, name) == 0) {
            return &scenes[i];
        }
    }
    return NULL;
}

static bool walk(const walk_scene *scene)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = scene->gravity;
    graze_world *world = graze_world_create(&def);
    if (!world || !scene->fill(world)) {
        return false;
    }
    __gcov_reset();
    const bool done = scene->play(world);
    __gcov_dump();
    return done;
}

int main(int argc, char **argv)
{
    const walk_scene *scene = argc == 2 ? find_scene(argv[1]) : NULL;
    if (!scene) {
        fprintf(stderr, "usage: graze_walk bullet|bounce|heap|query\n");
        return 2;
    }
    const bool done = walk(scene);
    if (!done) {
        fprintf(stderr, "graze_walk: %s did not do what it should\n", scene->name);
    }
    _Exit(done ? 0 : 1); // Whatever runs at the end of a program is not counted.
}
