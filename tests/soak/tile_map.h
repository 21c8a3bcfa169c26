/// @file tile_map.h
/// Maps of square tiles, solid or open, and where they keep a body.
#ifndef GRAZE_TESTS_TILE_MAP_H
#define GRAZE_TESTS_TILE_MAP_H

#include "soak_case.h"

#include <graze/vec2.h>
#include <graze/world.h>

enum { TILE_MAP_SIDE = 48 };

/// How walls are made from the sides between solid and open tiles.
typedef enum tile_walls {
    TILE_WALLS_SINGLE, ///< A chain a side.
    TILE_WALLS_RUNS,   ///< A chain with one segment for a straight run of sides.
    TILE_WALLS_STEPS,  ///< A chain with a segment a side for a straight run.
    TILE_WALLS_BLOCKS, ///< A closed chain around every solid tile.
    TILE_WALLS_COUNT
} tile_walls;

typedef struct tile_map {
    graze_vec2 origin; ///< Corner of tile (0, 0): whole multiples of `size`, exact as a float.
    float size;        ///< Of a tile, a power of two.
    uint32_t width, height;
    tile_walls walls;
    bool solid[TILE_MAP_SIDE][TILE_MAP_SIDE];       ///< By row, then column.
    uint32_t regions[TILE_MAP_SIDE][TILE_MAP_SIDE]; ///< Above 0: see tile_map_region().
} tile_map;

/// Draws a map.
void tile_map_pick(soak_case *test, tile_map *map);

/// Returns the region of a place as the fill rule of orient.h moves it by an infinitesimal: which
/// tile a place on a side belongs to is thereby decided. 0: off the map. Places have equal regions
/// just when a way that crosses no wall leads from one to the other.
uint32_t tile_map_region(const tile_map *map, graze_vec2 place);

/// Adds its walls to a world. Returns false when the world refuses one.
bool tile_map_build(const tile_map *map, graze_world *world);

#endif
