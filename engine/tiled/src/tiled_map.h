/// @file tiled_map.h
/// Maps of the Tiled editor, in its JSON format. tiled.md describes what becomes of what.
///
/// Source     "JSON Map Format", the Tiled manual (T. Lindeijer and contributors), versions 1.0
/// to 1.11.
#ifndef GRZ_TILED_MAP_H
#define GRZ_TILED_MAP_H

#include "tiled_files.h"

#include <graze/tiled.h>

/// Fills an empty map from a file. What was left out, and why, goes to the notes.
bool grz_tiled_read_map(graze_tiled_map *map, grz_files *files, const grz_json *json);

/// Returns the allocator that a map is in.
graze_allocator grz_tiled_allocator(const graze_tiled_map *map);

#endif
