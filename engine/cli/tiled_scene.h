/// @file tiled_scene.h
/// Tiled maps as scenes. engine/tiled/tiled.md describes what becomes of what.
#ifndef CLI_TILED_SCENE_H
#define CLI_TILED_SCENE_H

#include "scene.h"

/// Adds what a map says to an empty scene: `size` bytes and a zero; files beside it are looked for
/// on the disk. What was left out, and why, goes to the notes.
bool cli_scene_from_tiled(cli_scene *scene, const char *path, const char *text, size_t size,
                          cli_error *error);

#endif
