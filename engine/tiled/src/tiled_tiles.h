/// @file tiled_tiles.h
/// Tilesets, and the tiles that they list.
#ifndef GRZ_TILED_TILES_H
#define GRZ_TILED_TILES_H

#include "json_reader.h"
#include "tiled_files.h"
#include "tiled_object.h"
#include "tiled_solid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct grz_tileset {
    grz_json json;       ///< The file it is in: its own, or the map's.
    const cJSON *node;   ///< Null if its file cannot be read.
    size_t place;        ///< Among the map's tilesets.
    uint32_t first_gid;  ///< Its tiles count from here.
    uint32_t tile_count; ///< Its tilecount; 0 if it has none, or an image for each tile: their ids
                         ///< may have gaps.
    double tile_width, tile_height;
    double offset_x, offset_y; ///< Pixels that its tiles are shifted by.
} grz_tileset;

/// A tile that its tileset lists, because it has shapes, a class or properties.
typedef struct grz_tile {
    uint32_t gid;
    size_t tileset;       ///< Its place in the tilesets' list.
    const cJSON *node;    ///< Its entry in the tileset.
    const cJSON *shapes;  ///< The collision shapes' array; null if none of them becomes terrain.
    grz_role role;        ///< Its own.
    bool solid;           ///< By its role, its class or a property such as `solid`.
    bool open;            ///< A property says that it is not.
    double width, height; ///< Pixels.
} grz_tile;

typedef struct grz_tilesets {
    grz_tileset *list; ///< By first_gid, then as in the map.
    grz_tile *tiles;   ///< A list of those tiles, by gid.
    uint32_t *places;  ///< A list: [gid] is 1 more than the tile's place in `tiles`; 0: none.
    grz_solid *solid;  ///< What is asked for.
    bool take_shapes;  ///< Collision shapes count wherever the tile is.
    bool collide;      ///< Some tiles are solid or have shapes.
    uint32_t left_out; ///< Collision shapes that are none: points, texts, templates.
} grz_tilesets;

/// Reads the map's tilesets, the embedded ones and those in files beside the map. sets->solid and
/// sets->take_shapes are set.
bool grz_tilesets_read(grz_tilesets *sets, grz_files *files, const grz_json *map);

/// Returns whether a tile (may be null) collides whatever its layer is.
bool grz_tile_collides(const grz_tilesets *sets, const grz_tile *tile);

/// Returns the tileset that a gid (without flags) belongs to; null when there is none.
const grz_tileset *grz_tilesets_find(const grz_tilesets *sets, uint32_t gid);

/// Returns whether a tileset may have the tile; no if its id is beyond the tileset's tilecount.
bool grz_tilesets_have(const grz_tilesets *sets, uint32_t gid);

/// Returns a tile; null if its tileset does not list it: it has neither shapes nor properties.
const grz_tile *grz_tilesets_find_tile(const grz_tilesets *sets, uint32_t gid);

#endif
