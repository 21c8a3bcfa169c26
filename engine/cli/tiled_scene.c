#include "tiled_scene.h"

#include "probes.h"

#include <graze/tiled.h>

static void take_chains(cli_scene *scene, const graze_tiled_map *map)
{
    static const cli_fill fills[] = {CLI_FILL_NONE, CLI_FILL_AUTO, CLI_FILL_INSIDE, CLI_FILL_HOLE};
    for (uint32_t i = 0; i < map->chain_count; ++i) {
        const graze_tiled_chain *from = &map->chains[i];
        const cli_chain chain = {from->def, 0, fills[from->fill], from->layer,
                                 cli_scene_add_place(scene, from->place)};
        cli_scene_add_chain(scene, chain, from->def.points, from->def.count);
    }
}

static void take_bodies(cli_scene *scene, const graze_tiled_map *map)
{
    for (uint32_t i = 0; i < map->body_count; ++i) {
        const cli_body body = {map->bodies[i].def,
                               cli_scene_add_place(scene, map->bodies[i].place)};
        cli_push(scene->bodies, body);
    }
}

static void take_settings(cli_scene *scene, const graze_tiled_map *map)
{
    scene->y_down = true;
    scene->gravity = map->gravity;
    scene->dt = map->dt > 0 ? map->dt : scene->dt;
    scene->steps = map->steps != GRAZE_TILED_NONE ? map->steps : scene->steps;
    scene->has_view = map->size.x > 0 && map->size.y > 0;
    scene->view.upper = map->size;
}

static void take_lines(cli_scene *scene, const graze_tiled_map *map)
{
    for (uint32_t i = 0; i < map->note_count; ++i) {
        cli_scene_add_note(scene, "%s", map->notes[i]);
    }
    for (uint32_t i = 0; i < map->file_count; ++i) {
        cli_push(scene->files, cli_copy_text(map->files[i]));
    }
}

graze_tiled_map *cli_tiled_load(const char *path, const char *text, size_t size,
                                const cli_names *solid, cli_error *error)
{
    graze_tiled_def def = graze_tiled_def_default();
    def.path = path;
    def.data = text;
    def.size = size;
    def.chain.surface = cli_plain_surface;
    def.body = cli_body_def();
    def.solid = solid ? solid->names : NULL;
    def.solid_count = solid ? solid->count : 0;
    graze_tiled_error cause;
    graze_tiled_map *map = graze_tiled_load(&def, &cause);
    if (!map) {
        cli_require_memory(cause.status != GRAZE_ERROR_OUT_OF_MEMORY);
        graze_tiled_error_text(&cause, error->text, sizeof error->text);
    }
    return map;
}

bool cli_scene_from_map(cli_scene *scene, const char *path, const cli_text *text,
                        const cli_names *solid, cli_error *error)
{
    graze_tiled_map *map = cli_tiled_load(path, text->data, text->size, solid, error);
    if (!map) {
        return false;
    }
    take_settings(scene, map);
    take_chains(scene, map);
    take_bodies(scene, map);
    take_lines(scene, map);
    cli_probes_add(scene, map);
    graze_tiled_free(map);
    return true;
}

bool cli_scene_from_tiled(cli_scene *scene, const char *path, const char *text, size_t size,
                          cli_error *error)
{
    const cli_text whole = {(char *)text, size};
    return cli_scene_from_map(scene, path, &whole, NULL, error);
}
