/// @file scene_json.h
/// Graze's own scene files. The format is described, key by key, in scene.md.
#ifndef CLI_SCENE_JSON_H
#define CLI_SCENE_JSON_H

#include "json_reader.h"
#include "scene.h"

/// Adds what the file says to an empty scene; every key is checked. The error names the key.
bool cli_scene_from_json(cli_scene *scene, const cli_json *json);

#endif
