/// @file tiled_reader.h
/// Shared by the parts that read a Tiled map. First all layers are listed, with their tiles
/// (tiled_layers.c); then it is decided which of them are solid (tiled_decide.c); then chains,
/// bodies and objects are made of them.
#ifndef GRZ_TILED_READER_H
#define GRZ_TILED_READER_H

#include "tiled_files.h"
#include "tiled_object.h"
#include "tiled_solid.h"
#include "tiled_tiles.h"

#include <graze/tiled.h>

#include <stdbool.h>
#include <stdint.h>

/// A layer, or a group of layers, with what it inherits from the groups around it. It stays where
/// it is: scopes point to it.
typedef struct grz_layer {
    grz_scope scope;
    grz_role role;
    double offset_x, offset_y; ///< Pixels.
    const char *place;
    const struct grz_layer *outer;
    uint32_t index; ///< In the map's layers; GRAZE_TILED_NONE: the map itself.
    graze_tiled_layer_kind kind;
    graze_tiled_chunk *chunks; ///< A list.
    grz_rank rank;             ///< Of its name, its class, its properties, or its group's.
    size_t filled, cells;      ///< Of tiles: those that are not empty, and all.
    bool has_solid_tiles;      ///< Some of its tiles collide, whatever it is called.
    uint32_t first_object;     ///< Of objects: the place of the first in the map's,
    uint32_t object_count;     ///< how many there are,
    uint32_t nameless;         ///< those with an outline that have no name and no class,
    uint32_t named;            ///< and those that have a name and no class.
    bool has_kinds;            ///< Two objects or more, all of classes that are no spawns.
} grz_layer;

/// The state of reading a map.
typedef struct grz_map_reader {
    const graze_tiled_def *def;
    graze_tiled_map *map; ///< Its arrays are set in the end: they are the lists below.
    grz_memory *memory;
    const grz_json *json; ///< The map's.
    grz_files *files;
    graze_tiled_chain *chains;   ///< A list, without points:
    size_t *firsts;              ///< [i] is the first of chain i in
    graze_vec2 *points;          ///< the list of all points.
    graze_tiled_body *bodies;    ///< A list.
    graze_tiled_object *objects; ///< A list.
    grz_layer **layers;          ///< A list.
    grz_solid solid;
    grz_tilesets sets;
    double tile_width, tile_height;           ///< Of a cell, in pixels.
    grz_rank least;                           ///< From which names of objects count.
    uint32_t object;                          ///< That is being read; GRAZE_TILED_NONE: tiles are.
    uint32_t left_out[GRZ_OBJECT_KIND_COUNT]; ///< Objects that became nothing, for the notes.
    uint32_t short_chains;
    uint32_t strange_layers; ///< Of unknown type.
    uint32_t strange_tiles;  ///< Cells with a tile that no tileset has,
    uint32_t strange_gid;    ///< and the gid of the first.
} grz_map_reader;

/// Lists the map's layers, groups before what is in them, with their tiles.
bool grz_tiled_list_layers(grz_map_reader *reader);

/// Decides which layers are solid, and sets their roles. Notes what was guessed.
bool grz_tiled_decide(grz_map_reader *reader);

/// Notes what there is in a map in which nothing is solid, and how to say what is.
void grz_tiled_note_nothing(grz_map_reader *reader);

/// Returns the rank that an object has, by its properties, its class, or its name if it has no
/// class and is in no layer of spawns or the like.
grz_rank grz_tiled_rank_object(const grz_map_reader *reader, const grz_layer *layer,
                               const cJSON *object);

/// Rounds a point to float; false if it is beyond float's range.
bool grz_tiled_round(graze_vec2d exact, graze_vec2 *point);

/// Reverses a list of points.
void grz_tiled_reverse(graze_vec2d *points);

/// Returns whether a layer, by its role, is terrain as a whole.
bool grz_tiled_is_solid(const grz_layer *layer);

/// Returns whether a node has a property of its own that chains use.
bool grz_tiled_has_chain_property(const cJSON *node);

/// Begins a chain from the properties in a scope; its points follow.
bool grz_tiled_start_chain(grz_map_reader *reader, const grz_scope *scope, bool is_sensor,
                           const char *place, graze_tiled_chain *chain);

/// Adds a chain of the points of a list, which are in the layer's coordinates; it may reverse them.
/// Loops are directed so that one-sided ones are solid from outside: rocks.
bool grz_tiled_add_chain(grz_map_reader *reader, const grz_layer *layer, graze_tiled_chain chain,
                         graze_vec2d *points);

/// Adds the scope's innermost object as a body.
bool grz_tiled_add_body(grz_map_reader *reader, const grz_layer *layer, const grz_scope *scope,
                        const char *place);

/// Finds the middle of a rectangle, an ellipse or a tile object, in the layer's coordinates.
graze_vec2d grz_tiled_find_center(const grz_map_reader *reader, const cJSON *object,
                                  const grz_frame *frame);

/// Adds what the collision shapes of a tile object's tile are, or else its rectangle.
bool grz_tiled_add_tile_object(grz_map_reader *reader, const grz_layer *layer,
                               const grz_scope *scope, bool is_sensor, const char *place);

/// Reads an object layer, or a tile layer.
bool grz_tiled_read_objects(grz_map_reader *reader, const grz_layer *layer);
bool grz_tiled_read_tiles(grz_map_reader *reader, const grz_layer *layer);

#endif
