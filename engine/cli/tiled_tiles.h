/// @file tiled_tiles.h
/// Tilesets, and the tiles that they list.
#ifndef CLI_TILED_TILES_H
#define CLI_TILED_TILES_H

#include "json_reader.h"
#include "scene.h"
#include "tiled_object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_tileset {
    cli_json json;       ///< The file it is in: its own, or the map's.
    char *path;          ///< Of its own file; null when it is embedded.
    const cJSON *node;   ///< Null if its file cannot be read.
    size_t place;        ///< Among the map's tilesets.
    uint32_t first_gid;  ///< Its tiles count from here.
    uint32_t tile_count; ///< Its tilecount; 0 if it has none, or an image for each tile: their ids
                         ///< may have gaps.
    double tile_width, tile_height;
    double offset_x, offset_y; ///< Pixels that its tiles are shifted by.
} cli_tileset;

/// A tile that its tileset lists, because it has shapes, a class or properties.
typedef struct cli_tile {
    uint32_t gid;
    size_t tileset;       ///< Its place in the tilesets' list.
    const cJSON *node;    ///< Its entry in the tileset.
    const cJSON *shapes;  ///< The collision shapes' array; null if none of them becomes terrain.
    cli_role role;        ///< Its own.
    bool solid;           ///< By its role, or a true property `solid`, `collides` or the like.
    double width, height; ///< Pixels.
} cli_tile;

typedef struct cli_tilesets {
    cli_tileset *list; ///< By first_gid, then as in the map.
    cli_tile *tiles;   ///< A list of those tiles, by gid.
    bool collide;      ///< Some tiles are solid or have shapes.
    uint32_t left_out; ///< Collision shapes that are none: points, texts, templates.
} cli_tilesets;

/// Reads the map's tilesets, the embedded ones and those in JSON files beside the map. A tileset in
/// XML gets a note and has no tiles.
bool cli_tilesets_read(cli_tilesets *sets, cli_scene *scene, const cli_json *map);
void cli_tilesets_free(cli_tilesets *sets);

/// Returns the tileset that a gid (without flags) belongs to; null when there is none.
const cli_tileset *cli_tilesets_find(const cli_tilesets *sets, uint32_t gid);

/// Returns whether a tileset may have the tile; no if its id is beyond the tileset's tilecount.
bool cli_tilesets_have(const cli_tilesets *sets, uint32_t gid);

/// Returns a tile; null if its tileset does not list it: it has neither shapes nor properties.
const cli_tile *cli_tilesets_find_tile(const cli_tilesets *sets, uint32_t gid);

#endif
