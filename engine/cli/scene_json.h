/// @file scene_json.h
/// Graze's own scene files. The format is described, key by key, in scene.md.
#ifndef CLI_SCENE_JSON_H
#define CLI_SCENE_JSON_H

#include "scene.h"

/// Adds what the file says to an empty scene: `size` bytes and a zero; every key is checked. The
/// error names the key.
bool cli_scene_from_json(cli_scene *scene, const char *path, const char *text, size_t size,
                         cli_error *error);

#endif
