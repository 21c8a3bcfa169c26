/// @file tiled_reader.h
/// Shared by the parts that read a Tiled map.
#ifndef CLI_TILED_READER_H
#define CLI_TILED_READER_H

#include "scene.h"
#include "tiled_object.h"
#include "tiled_tiles.h"

#include <stdbool.h>
#include <stdint.h>

/// The state of reading a map.
typedef struct cli_map_reader {
    cli_scene *scene;
    const cli_json *json; ///< The map's.
    cli_tilesets sets;
    double tile_width, tile_height;           ///< Of a cell, in pixels.
    bool has_terrain_layer;                   ///< Some object layer is called terrain, or the like.
    bool has_solid_tiles;                     ///< Some tiles or tile layers collide.
    graze_vec2 *things;                       ///< A list: positions of points and tile objects.
    uint32_t left_out[CLI_OBJECT_KIND_COUNT]; ///< Objects that became nothing, for the notes.
    uint32_t short_chains;
    uint32_t strange_layers; ///< Of unknown type.
    uint32_t strange_tiles;  ///< Cells with a tile that no tileset has,
    uint32_t strange_gid;    ///< and the gid of the first.
} cli_map_reader;

/// A layer, or a group of layers, with what it inherits from the groups around it.
typedef struct cli_layer_view {
    cli_scope scope;
    cli_role role;
    double offset_x, offset_y; ///< Pixels.
    char place[160];
} cli_layer_view;

/// Rounds a point to float; false if it is beyond float's range.
bool cli_tiled_round(graze_vec2d exact, graze_vec2 *point);

/// Reverses a list of points.
void cli_tiled_reverse(graze_vec2d *points);

/// Returns whether a layer, by its role, is terrain as a whole.
bool cli_tiled_is_solid(const cli_layer_view *layer);

/// Returns whether a node has a property of its own that chains use.
bool cli_tiled_has_chain_property(const cJSON *node);

/// Begins a chain from the properties in a scope; its points follow.
bool cli_tiled_start_chain(cli_map_reader *reader, const cli_scope *scope, bool is_sensor,
                           const char *place, cli_chain *chain);

/// Adds a chain of the points of a list, which are in the layer's coordinates; it may reverse them.
/// Loops are directed so that one-sided ones are solid from outside: rocks.
bool cli_tiled_add_chain(cli_map_reader *reader, const cli_layer_view *layer, cli_chain chain,
                         graze_vec2d *points);

/// Adds the scope's innermost object as a body.
bool cli_tiled_add_body(cli_map_reader *reader, const cli_layer_view *layer, const cli_scope *scope,
                        const char *place);

/// Reads an object layer, or a tile layer.
bool cli_tiled_read_objects(cli_map_reader *reader, const cli_layer_view *layer);
bool cli_tiled_read_tiles(cli_map_reader *reader, const cli_layer_view *layer);

#endif
