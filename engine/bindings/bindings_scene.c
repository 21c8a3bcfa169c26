// The scene that the tests of all bindings play, in C: each must get the hashes of hashes.txt.
//
//     bindings_scene             prints them
//     bindings_scene FILE        fails unless they are those of the file
//
// All its numbers are exact in float, so any language can compute them. Each line of the file has a
// step, the world's hash after it, and how many contacts and removals there were so far.

#include <graze/graze.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 1000, STEPS = 300, LINE = 100 };

static void require(bool fine, const char *what)
{
    if (!fine) {
        fprintf(stderr, "bindings_scene: %s\n", what);
        exit(1);
    }
}

static graze_world *make_world(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = (graze_vec2){0, -10};
    graze_world *world = graze_world_create(&def);
    require(world, "no world");
    return world;
}

static void add_bowl(graze_world *world)
{
    graze_vec2 points[] = {{-30, 30}, {-28, 0}, {0, -2}, {28, 0}, {30, 30}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 5;
    require(graze_chain_create(world, &def).generation, "no chain");
}

static graze_body_def make_body(uint32_t i)
{
    graze_body_def def = graze_body_def_default();
    def.position = (graze_vec2){(float)(i % 40) * 1.25f - 24.375f, 2 + (float)(i / 40) * 1.25f};
    def.user_data = i;
    if (i % 3 == 0) {
        def.shape = graze_shape_rect(0.5f, 0.375f);
        def.angle = (float)(i % 16) * 0.125f;
    } else if (i % 3 == 2) {
        def.shape = graze_shape_circle(0.375f);
        def.response = GRAZE_BOUNCE;
        def.surface.restitution = 0.5f;
    }
    return def;
}

static void add_bodies(graze_world *world)
{
    static graze_body_def defs[BODIES];
    for (uint32_t i = 0; i < BODIES; ++i) {
        defs[i] = make_body(i);
    }
    require(graze_body_create_many(world, defs, BODIES, NULL) == BODIES, "no bodies");
}

// A bullet every ten steps, from the left.
static void shoot(graze_world *world, uint32_t step)
{
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_ray();
    def.position = (graze_vec2){-25, 8};
    def.velocity = (graze_vec2){100, (float)(step / 10 % 8) * 4 - 20};
    def.mass = 0.125f;
    def.response = GRAZE_STOP;
    def.hit_limit = 1;
    def.lifetime = 2;
    require(graze_body_create(world, &def).generation, "no bullet");
}

// What stands in the middle goes away.
static void clear_middle(graze_world *world)
{
    static graze_body_id bodies[BODIES];
    graze_aabb middle = {{-5, -5}, {5, 5}};
    uint32_t count = graze_query_box(world, middle, graze_filter_default(), bodies, BODIES);
    for (uint32_t i = 0; i < count; ++i) {
        require(graze_body_destroy(world, bodies[i]) == GRAZE_OK, "a body cannot be destroyed");
    }
}

// The world goes on as another, which is loaded from its snapshot.
static graze_world *reload(graze_world *world)
{
    size_t size = graze_world_snapshot_size(world);
    void *bytes = malloc(size);
    graze_world *loaded = make_world();
    require(bytes && graze_world_save(world, bytes, size) == GRAZE_OK, "not saved");
    require(graze_world_load(loaded, bytes, size) == GRAZE_OK, "not loaded");
    free(bytes);
    graze_world_destroy(world);
    return loaded;
}

static graze_world *play_step(graze_world *world, uint32_t step)
{
    if (step % 10 == 1) {
        shoot(world, step);
    }
    if (step == 101) {
        graze_world_explode(world, (graze_vec2){0, 0}, 10, 20, graze_filter_default());
    }
    if (step == 151) {
        world = reload(world);
    }
    if (step == 201) {
        clear_middle(world);
    }
    require(graze_world_step(world, 1.0f / 64) == GRAZE_OK, "no step");
    return world;
}

static void report(const char *line, FILE *expected)
{
    char wanted[100] = "";
    if (!expected) {
        fputs(line, stdout);
        return;
    }
    require(fgets(wanted, sizeof wanted, expected), "the file is too short");
    for (size_t i = 0; line[i] || wanted[i]; ++i) {
        if (line[i] != wanted[i]) {
            fprintf(stderr, "bindings_scene: not %s but %s", wanted, line);
            exit(1);
        }
    }
}

int main(int argument_count, char **arguments)
{
    FILE *expected = argument_count > 1 ? fopen(arguments[1], "r") : NULL;
    require(argument_count < 2 || expected, "the file cannot be read");
    graze_world *world = make_world();
    add_bowl(world);
    add_bodies(world);
    uint32_t contacts = 0, removals = 0;
    for (uint32_t step = 1; step <= STEPS; ++step) {
        world = play_step(world, step);
        contacts += graze_world_contacts(world).count;
        removals += graze_world_removals(world).count;
        if (step % LINE == 0) {
            char line[100];
            snprintf(line, sizeof line, "%" PRIu32 " %016" PRIx64 " %" PRIu32 " %" PRIu32 "\n",
                     step, graze_world_hash(world), contacts, removals);
            report(line, expected);
        }
    }
    graze_world_destroy(world);
    if (expected) {
        fclose(expected);
    }
    return 0;
}
