/// @file probes.h
/// Something that moves, for maps in which nothing does: so their terrain shows.
#ifndef CLI_PROBES_H
#define CLI_PROBES_H

#include "scene.h"

#include <graze/tiled.h>

/// Adds small circles all over the open parts of a scene that has terrain and no bodies, and
/// gravity if it has none. A note says so.
void cli_probes_add(cli_scene *scene, const graze_tiled_map *map);

#endif
