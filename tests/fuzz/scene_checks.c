#include "scene_checks.h"

#include "fuzz_bytes.h"

#include <graze/world.h>

#include <stdlib.h>
#include <string.h>

/// Larger scenes are read, but not run.
enum { MAX_THINGS = 400, STEPS = 3 };

/// What errors call the file; tilesets are looked for beside it.
static const char path[] = "no_such_folder/fuzz.json";

static void expect_line(const cli_error *error)
{
    const size_t length = strlen(error->text);
    FUZZ_CHECK(length > 0, "an error of %zu bytes", length);
    for (size_t i = 0; i < length; ++i) {
        const unsigned char letter = (unsigned char)error->text[i];
        FUZZ_CHECK(letter >= 32 && letter != 127, "byte %zu of an error is %u", i, letter);
    }
}

static void run_scene(const cli_scene *scene)
{
    cli_stage stage;
    cli_error error = {{0}};
    if (!cli_stage_build(&stage, scene, path, &error)) {
        expect_line(&error);
        return;
    }
    for (int i = 0; i < STEPS; ++i) {
        const graze_status status = graze_world_step(stage.world, scene->dt);
        FUZZ_CHECK(status == GRAZE_OK, "a step has status %d", (int)status);
    }
    cli_stage_free(&stage);
}

static void check_chains(const cli_scene *scene)
{
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        const cli_chain *chain = &scene->chains[i];
        FUZZ_CHECK(chain->first + chain->def.count <= grz_list_count(scene->points),
                   "chain %zu has %u points", i, (unsigned)chain->def.count);
        const graze_aabb box = cli_scene_chain_box(scene, chain);
        FUZZ_CHECK(box.lower.x <= box.upper.x && box.lower.y <= box.upper.y, "chain %zu has no box",
                   i);
    }
}

static void try_text(scene_reader_fn *read, const char *text, size_t length)
{
    cli_scene scene;
    cli_error error = {{0}};
    cli_scene_init(&scene);
    if (read(&scene, path, text, length, &error)) {
        check_chains(&scene);
        if (grz_list_count(scene.bodies) + grz_list_count(scene.points) <= MAX_THINGS) {
            run_scene(&scene);
        }
    } else {
        expect_line(&error);
    }
    cli_scene_free(&scene);
}

// Files with a zero byte are refused before they get to the parser.
void scene_check_text(scene_reader_fn *read, const uint8_t *data, size_t size)
{
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t length = zero ? (size_t)(zero - data) : size;
    char *text = malloc(length + 1);
    if (!text) {
        exit(2);
    }
    memcpy(text, length > 0 ? data : (const uint8_t *)"", length);
    text[length] = 0;
    try_text(read, text, length);
    free(text);
}
