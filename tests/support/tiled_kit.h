/// @file tiled_kit.h
/// Tiled maps as texts, and functions shared by the tests of their reader.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_TILED_KIT_H
#define GRAZE_TESTS_TILED_KIT_H

#include "scene_reader.h"

#define MAP_START                                                                                  \
    "{\"type\": \"map\", \"orientation\": \"orthogonal\", \"width\": 4, \"height\": 3,"            \
    "\"tilewidth\": 10, \"tileheight\": 10, \"layers\": ["

/// A map of 4 x 3 tiles of 10 x 10 pixels with one object layer of this name.
#define OBJECTS(name, objects)                                                                     \
    MAP_START "{\"type\": \"objectgroup\", \"name\": \"" name "\", \"objects\": [" objects "]}]}"

/// A tileset: tile 1 is a triangle, the upper left half; tile 2 is solid; tile 3 has no properties;
/// tile 4 is a whole rect.
#define TILESETS                                                                                   \
    "\"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10, \"tiles\": ["         \
    "{\"id\": 0, \"objectgroup\": {\"objects\": [{\"x\": 0, \"y\": 0,"                             \
    "\"polygon\": [{\"x\": 0, \"y\": 0}, {\"x\": 8, \"y\": 0}, {\"x\": 0, \"y\": 4}]}]}},"         \
    "{\"id\": 1, \"properties\": [{\"name\": \"solid\", \"type\": \"bool\", \"value\": true}]},"   \
    "{\"id\": 3, \"objectgroup\": {\"objects\":"                                                   \
    "[{\"x\": 0, \"y\": 0, \"width\": 10, \"height\": 10}]}}]}]"

/// A map of 2 x 2 tiles with one tile layer.
#define TILES(layer)                                                                               \
    "{\"type\": \"map\", \"width\": 2, \"height\": 2, \"tilewidth\": 10, \"tileheight\": 10,"      \
    "\"layers\": [{\"type\": \"tilelayer\", \"name\": \"t\", " layer "}], " TILESETS "}"

/// Reads Tiled maps as if from the file m.tmj.
extern const scene_reader tiled_reader;

/// Returns the scene of a map; fails the test if it is refused.
cli_scene tiled_read(const char *text);

/// Returns how many chains the scene has.
size_t tiled_chain_count(const cli_scene *scene);

/// Fails the test unless the chain is a loop of exactly these corners (count pairs of x and y) in
/// this direction, whichever comes first.
void tiled_assert_loop(const cli_scene *scene, size_t index, const float *expected, uint32_t count);

#endif
