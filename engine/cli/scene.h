/// @file scene.h
/// A scene: the contents of a world as a file describes them, and how to run and show it.
///
/// Memory     All in the scene's lists: cli_scene_free() frees everything.
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "common.h"
#include "options.h"
#include "world_log.h"

#include <graze/aabb.h>
#include <graze/body.h>
#include <graze/chain.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_MAX_STEPS = 1000000000 }; ///< Of a run.

/// Which side of a chain a picture fills as solid.
typedef enum cli_fill {
    CLI_FILL_AUTO,    ///< Open chains and sensors: none. Loops: the side where no body starts.
    CLI_FILL_NONE,    ///< An outline.
    CLI_FILL_INSIDE,  ///< A rock.
    CLI_FILL_OUTSIDE, ///< A room: what is not in any room is solid.
    CLI_FILL_HOLE     ///< An opening inside of a solid.
} cli_fill;

typedef struct cli_chain {
    graze_chain_def def; ///< Without its points.
    size_t first;        ///< Of its def.count points in the scene's list.
    cli_fill fill;
    uint32_t group;    ///< A hole is in the solids of its own group: those of a layer of tiles.
    const char *place; ///< Where in the file, for errors; the scene's.
} cli_chain;

typedef struct cli_body {
    graze_body_def def;
    const char *place;
} cli_body;

typedef struct cli_scene {
    graze_vec2 gravity; ///< Units per second squared. Default 0, 0.
    float dt;           ///< Seconds. Default 1/60.
    uint32_t steps;     ///< Default 60.
    uint32_t substeps;  ///< Default that of a world.
    bool y_down;        ///< In pictures. Default false.
    bool has_view;      ///< Whether `view` was given.
    graze_aabb view;    ///< What pictures show.
    graze_vec2 *points; ///< A list: all chains' points.
    graze_surface *
        *surfaces;     ///< A list of lists: those of the chains whose segments have their own.
    cli_chain *chains; ///< A list, in the file's order.
    cli_body *bodies;  ///< A list, in the file's order, repetitions one after the other.
    char **places;     ///< A list of texts.
    char **notes;      ///< A list of lines: what was left out, and why.
    char **files;      ///< A list: the files read besides the scene's own.
} cli_scene;

/// The surface of what a file gives none: all is 0.
static const graze_surface cli_plain_surface = {0, 0, 0, 0};

/// Returns the def of a body of which a file says nothing: GRAZE_PASS, with a plain surface.
graze_body_def cli_body_def(void);

/// An empty scene with all defaults.
void cli_scene_init(cli_scene *scene);
void cli_scene_free(cli_scene *scene);

/// Reads Graze's own JSON or a Tiled map; the path "-" is standard input. `solid` (may be null) has
/// names for maps. On failure the scene is empty.
bool cli_scene_read(cli_scene *scene, const char *path, const cli_names *solid, cli_error *error);

/// Keeps a copy of a text that names a place in the file.
const char *cli_scene_add_place(cli_scene *scene, const char *text);

/// Adds a line to the notes.
void cli_scene_add_note(cli_scene *scene, const char *format, ...) CLI_PRINTF(2, 3);

/// Adds a chain; its points are copied.
void cli_scene_add_chain(cli_scene *scene, cli_chain chain, const graze_vec2 *points, size_t count);

/// Returns whether a point lies inside a chain that is taken as a loop, by the even-odd rule.
bool cli_scene_chain_contains(const cli_scene *scene, const cli_chain *chain, graze_vec2 point);

/// Returns the box of a chain's points.
graze_aabb cli_scene_chain_box(const cli_scene *scene, const cli_chain *chain);

/// A world made from a scene, with the file's numbers of its ids.
typedef struct cli_stage {
    graze_world *world;
    graze_body_id *bodies;   ///< A list, in the order of scene.bodies.
    uint32_t *body_numbers;  ///< A list: [id.index] is the body's place in scene.bodies.
    uint32_t *chain_numbers; ///< Likewise for chains.
    cli_world_log log;       ///< The world's: a stage is not copied.
} cli_stage;

/// Makes the world; `path` is the scene's file, for errors. On failure there is nothing to free.
bool cli_stage_build(cli_stage *stage, const cli_scene *scene, const char *path, cli_error *error);
void cli_stage_free(cli_stage *stage);

#endif
