/// @file tiled_map.h
/// Maps of the Tiled editor, in its JSON format. tiled.md describes what becomes of what.
///
/// Source     "JSON Map Format", the Tiled manual (T. Lindeijer and contributors), versions 1.0
/// to 1.11.
#ifndef CLI_TILED_MAP_H
#define CLI_TILED_MAP_H

#include "json_reader.h"
#include "scene.h"

/// Adds what the map says to an empty scene. What was left out, and why, goes to the notes.
bool cli_scene_from_tiled(cli_scene *scene, const cli_json *json);

#endif
