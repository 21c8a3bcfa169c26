/// @file tiled_reader.h
/// Shared by the parts that read a Tiled map.
#ifndef GRZ_TILED_READER_H
#define GRZ_TILED_READER_H

#include "tiled_files.h"
#include "tiled_object.h"
#include "tiled_tiles.h"

#include <graze/tiled.h>

#include <stdbool.h>
#include <stdint.h>

/// The state of reading a map.
typedef struct grz_map_reader {
    const graze_tiled_def *def;
    graze_tiled_map *map; ///< Its arrays are set in the end: they are the lists below.
    grz_memory *memory;
    const grz_json *json; ///< The map's.
    grz_files *files;
    graze_tiled_chain *chains; ///< A list, without points:
    size_t *firsts;            ///< [i] is the first of chain i in
    graze_vec2 *points;        ///< the list of all points.
    graze_tiled_body *bodies;  ///< A list.
    grz_tilesets sets;
    double tile_width, tile_height;           ///< Of a cell, in pixels.
    bool has_terrain_layer;                   ///< Some object layer is called terrain, or the like.
    bool has_solid_tiles;                     ///< Some tiles or tile layers collide.
    graze_vec2 *things;                       ///< A list: positions of points and tile objects.
    uint32_t left_out[GRZ_OBJECT_KIND_COUNT]; ///< Objects that became nothing, for the notes.
    uint32_t short_chains;
    uint32_t strange_layers; ///< Of unknown type.
    uint32_t strange_tiles;  ///< Cells with a tile that no tileset has,
    uint32_t strange_gid;    ///< and the gid of the first.
} grz_map_reader;

/// A layer, or a group of layers, with what it inherits from the groups around it.
typedef struct grz_layer_view {
    grz_scope scope;
    grz_role role;
    double offset_x, offset_y; ///< Pixels.
    const char *place;
} grz_layer_view;

/// Rounds a point to float; false if it is beyond float's range.
bool grz_tiled_round(graze_vec2d exact, graze_vec2 *point);

/// Reverses a list of points.
void grz_tiled_reverse(graze_vec2d *points);

/// Returns whether a layer, by its role, is terrain as a whole.
bool grz_tiled_is_solid(const grz_layer_view *layer);

/// Returns whether a node has a property of its own that chains use.
bool grz_tiled_has_chain_property(const cJSON *node);

/// Begins a chain from the properties in a scope; its points follow.
bool grz_tiled_start_chain(grz_map_reader *reader, const grz_scope *scope, bool is_sensor,
                           const char *place, graze_tiled_chain *chain);

/// Adds a chain of the points of a list, which are in the layer's coordinates; it may reverse them.
/// Loops are directed so that one-sided ones are solid from outside: rocks.
bool grz_tiled_add_chain(grz_map_reader *reader, const grz_layer_view *layer,
                         graze_tiled_chain chain, graze_vec2d *points);

/// Adds the scope's innermost object as a body.
bool grz_tiled_add_body(grz_map_reader *reader, const grz_layer_view *layer, const grz_scope *scope,
                        const char *place);

/// Reads an object layer, or a tile layer.
bool grz_tiled_read_objects(grz_map_reader *reader, const grz_layer_view *layer);
bool grz_tiled_read_tiles(grz_map_reader *reader, const grz_layer_view *layer);

#endif
