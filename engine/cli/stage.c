// Builds a world from a scene.

#include "scene.h"

#include <graze/world.h>

#include <string.h>

static bool fail_status(const cli_stage *stage, const char *path, const char *place,
                        cli_error *error)
{
    const char *status = graze_status_text(graze_world_last_status(stage->world));
    const char *text = stage->log.text;
    return cli_fail(error, "%s: %s: %s", path, place, text[0] ? text : status);
}

static void note_number(uint32_t **numbers, uint32_t index, uint32_t number)
{
    while (grz_list_count(*numbers) <= index) {
        cli_push(*numbers, 0);
    }
    (*numbers)[index] = number;
}

static bool build_chains(cli_stage *stage, const cli_scene *scene, const char *path,
                         cli_error *error)
{
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        const cli_chain *chain = &scene->chains[i];
        graze_chain_def def = chain->def;
        def.points = scene->points + chain->first;
        graze_chain_id id = graze_chain_create(stage->world, &def);
        if (id.generation == 0) {
            return fail_status(stage, path, chain->place, error);
        }
        note_number(&stage->chain_numbers, id.index, (uint32_t)i);
    }
    return true;
}

static bool build_bodies(cli_stage *stage, const cli_scene *scene, const char *path,
                         cli_error *error)
{
    for (size_t i = 0; i < grz_list_count(scene->bodies); ++i) {
        graze_body_id id = graze_body_create(stage->world, &scene->bodies[i].def);
        if (id.generation == 0) {
            return fail_status(stage, path, scene->bodies[i].place, error);
        }
        cli_push(stage->bodies, id);
        note_number(&stage->body_numbers, id.index, (uint32_t)i);
    }
    return true;
}

bool cli_stage_build(cli_stage *stage, const cli_scene *scene, const char *path, cli_error *error)
{
    memset(stage, 0, sizeof *stage);
    graze_world_def def = graze_world_def_default();
    def.gravity = scene->gravity;
    def.substeps = scene->substeps;
    def.log = cli_world_log_keep;
    def.log_user = &stage->log;
    stage->world = graze_world_create(&def);
    cli_require_memory(stage->world);
    bool done = build_chains(stage, scene, path, error) && build_bodies(stage, scene, path, error);
    if (!done) {
        cli_stage_free(stage);
    }
    return done;
}

void cli_stage_free(cli_stage *stage)
{
    graze_world_destroy(stage->world);
    grz_list_free(stage->bodies);
    grz_list_free(stage->body_numbers);
    grz_list_free(stage->chain_numbers);
    memset(stage, 0, sizeof *stage);
}
