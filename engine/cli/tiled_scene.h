/// @file tiled_scene.h
/// Tiled maps as scenes. engine/tiled/tiled.md describes what becomes of what.
#ifndef CLI_TILED_SCENE_H
#define CLI_TILED_SCENE_H

#include "options.h"
#include "scene.h"
#include "text_file.h"

#include <graze/tiled.h>

/// Loads a map: `size` bytes; files beside it are looked for on the disk. `solid` (may be null) has
/// the names of --solid. Free it with graze_tiled_free().
graze_tiled_map *cli_tiled_load(const char *path, const char *text, size_t size,
                                const cli_names *solid, cli_error *error);

/// Adds what a map says to an empty scene: `size` bytes and a zero; files beside it are looked for
/// on the disk. What was left out, and why, goes to the notes.
bool cli_scene_from_tiled(cli_scene *scene, const char *path, const char *text, size_t size,
                          cli_error *error);

/// The same with the names of --solid.
bool cli_scene_from_map(cli_scene *scene, const char *path, const cli_text *text,
                        const cli_names *solid, cli_error *error);

#endif
