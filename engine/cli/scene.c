#include "scene.h"

#include "scene_json.h"
#include "text_file.h"
#include "tiled_scene.h"

#include <graze/tiled.h>
#include <graze/world.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

graze_body_def cli_body_def(void)
{
    graze_body_def def = graze_body_def_default();
    def.response = GRAZE_PASS;
    def.surface = cli_plain_surface;
    return def;
}

void cli_scene_init(cli_scene *scene)
{
    memset(scene, 0, sizeof *scene);
    scene->dt = 1.0f / 60.0f;
    scene->steps = 60;
    scene->substeps = graze_world_def_default().substeps;
}

static void free_texts(char **texts)
{
    for (size_t i = 0; i < grz_list_count(texts); ++i) {
        free(texts[i]);
    }
    grz_list_free(texts);
}

void cli_scene_free(cli_scene *scene)
{
    grz_list_free(scene->points);
    for (size_t i = 0; i < grz_list_count(scene->surfaces); ++i) {
        grz_list_free(scene->surfaces[i]);
    }
    grz_list_free(scene->surfaces);
    grz_list_free(scene->chains);
    grz_list_free(scene->bodies);
    free_texts(scene->places);
    free_texts(scene->notes);
    free_texts(scene->files);
    cli_scene_init(scene);
}

bool cli_scene_read(cli_scene *scene, const char *path, const cli_names *solid, cli_error *error)
{
    cli_scene_init(scene);
    cli_text text;
    if (!cli_bytes_read(path, CLI_LARGEST_FILE, &text, error)) {
        return false;
    }
    bool done = graze_tiled_is_map(text.data, text.size)
                    ? cli_scene_from_map(scene, path, &text, solid, error)
                    : cli_text_check(path, &text, error) &&
                          cli_scene_from_json(scene, path, text.data, text.size, error);
    free(text.data);
    if (!done) {
        cli_scene_free(scene);
    }
    return done;
}

const char *cli_scene_add_place(cli_scene *scene, const char *text)
{
    char *copy = cli_copy_text(text);
    cli_push(scene->places, copy);
    return copy;
}

void cli_scene_add_note(cli_scene *scene, const char *format, ...)
{
    char text[sizeof(cli_error)];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    char *copy = cli_copy_text(text);
    cli_push(scene->notes, copy);
}

void cli_scene_add_chain(cli_scene *scene, cli_chain chain, const graze_vec2 *points, size_t count)
{
    chain.first = grz_list_count(scene->points);
    chain.def.count = (uint32_t)count;
    for (size_t i = 0; i < count; ++i) {
        cli_push(scene->points, points[i]);
    }
    cli_push(scene->chains, chain);
}

bool cli_scene_chain_contains(const cli_scene *scene, const cli_chain *chain, graze_vec2 point)
{
    bool inside = false;
    const graze_vec2 *points = scene->points + chain->first;
    graze_vec2 a = points[chain->def.count - 1];
    for (uint32_t i = 0; i < chain->def.count; ++i) {
        graze_vec2 b = points[i];
        if ((a.y > point.y) != (b.y > point.y)) {
            double part = ((double)point.y - (double)a.y) / ((double)b.y - (double)a.y);
            double x = (double)a.x + part * ((double)b.x - (double)a.x);
            inside ^= (double)point.x < x;
        }
        a = b;
    }
    return inside;
}

graze_aabb cli_scene_chain_box(const cli_scene *scene, const cli_chain *chain)
{
    const graze_vec2 *points = scene->points + chain->first;
    graze_aabb box = {points[0], points[0]};
    for (uint32_t i = 1; i < chain->def.count; ++i) {
        box.lower.x = points[i].x < box.lower.x ? points[i].x : box.lower.x;
        box.lower.y = points[i].y < box.lower.y ? points[i].y : box.lower.y;
        box.upper.x = points[i].x > box.upper.x ? points[i].x : box.upper.x;
        box.upper.y = points[i].y > box.upper.y ? points[i].y : box.upper.y;
    }
    return box;
}
