/// @file tiled.h
/// Maps of the Tiled editor: terrain and bodies for a world, and what a game itself looks for.
///
///     graze_tiled_def def = graze_tiled_def_default();
///     def.path = "levels/cave.tmj";
///     graze_tiled_error error;
///     graze_tiled_map *map = graze_tiled_load(&def, &error);
///     if (!map) {
///         char line[512];
///         graze_tiled_error_text(&error, line, sizeof line);
///         fprintf(stderr, "%s\n", line);
///     }
///
/// Units      Pixels; y points down. Angles are radians, clockwise on the screen.
/// Ownership  A map owns everything that its pointers lead to, until graze_tiled_free().
/// Memory     All of a map is in the allocator of its def. While it is read, the parsers (cJSON,
///            expat) take memory of malloc as well.
/// Threads    A def and a map belong to one thread at a time. Load one map at a time all the same:
///            cJSON keeps the place of its last error in a variable of the program.
/// Errors     graze_tiled_load() returns null and fills a graze_tiled_error.
#ifndef GRAZE_TILED_H
#define GRAZE_TILED_H

#include <graze/allocator.h>
#include <graze/body.h>
#include <graze/chain.h>
#include <graze/id.h>
#include <graze/status.h>
#include <graze/vec2.h>
#include <graze/world.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRAZE_TILED_NONE UINT32_MAX ///< As an index or a number: there is none.

/// What is wrong with a file, and where. All texts are one line of plain text, cut off where they
/// do not fit.
typedef struct graze_tiled_error {
    graze_status status;   ///< FORMAT: a file. ARGUMENT: the def. OUT_OF_MEMORY.
    uint32_t line, column; ///< Of a text that cannot be parsed, from 1; 0: `place` says where.
    char file[4096];       ///< The path, as the def or the map names it.
    char place[256];       ///< For example `layers[2 "ground"].objects[0].x`; may be empty.
    char message[1024];    ///< What is wrong, and with which value.
} graze_tiled_error;

/// Writes "FILE: PLACE: MESSAGE" or "FILE:LINE:COLUMN: MESSAGE" into `text`, of `size` bytes, zero
/// included. Returns the length that the whole line has.
size_t graze_tiled_error_text(const graze_tiled_error *error, char *text, size_t size);

/// A file in memory.
typedef struct graze_tiled_file {
    const void *data; ///< `size` bytes, until graze_tiled_close_fn is called. May be null if 0.
    size_t size;
    const char *reason; ///< Why it could not be opened; null: no reason is known.
    void *handle;       ///< The game's own.
} graze_tiled_file;

/// A function of the game that opens a file: a tileset, say. `path` is the path of the map's def
/// with the name that the map has beside it ("levels/cave.tmj" and "../sets/rock.tsj" give
/// "levels/../sets/rock.tsj"). Returns false if there is none.
typedef bool graze_tiled_open_fn(const char *path, graze_tiled_file *file, void *user);

/// A function of the game that is called once for each file that was opened.
typedef void graze_tiled_close_fn(graze_tiled_file *file, void *user);

/// What to load, and how. Start from graze_tiled_def_default().
typedef struct graze_tiled_def {
    const char *path; ///< The map's, for errors, and to find files beside it. Default "".
    const void *data; ///< The map itself, `size` bytes. Default null: the path is opened.
    size_t size;
    graze_tiled_open_fn *open;   ///< Default null: files on the disk, at most 256 MiB each.
    graze_tiled_close_fn *close; ///< Default null: nothing to do.
    void *file_user;             ///< Passed to both; may be null.
    graze_allocator allocator;   ///< Default all zero: malloc and free.
    /// What is solid: `solid_count` exact names of layers, of classes of objects and tiles, or of
    /// properties that are true. "@shapes" stands for the collision shapes of tiles. Then nothing
    /// else is solid, but what has a property or class `graze`; and a name that nothing in the map
    /// has is an error. Default null and 0: what names that are known by themselves say (tiled.md).
    const char *const *solid;
    uint32_t solid_count;
    graze_chain_def chain; ///< All chains begin as this. Default graze_chain_def_default().
    graze_body_def body;   ///< All bodies begin as this. Default graze_body_def_default().
    uint32_t cookie;       ///< Set by graze_tiled_def_default().
} graze_tiled_def;

/// Returns a definition with all defaults; a path or data must be added.
graze_tiled_def graze_tiled_def_default(void);

/// The type of a property's value.
typedef enum graze_tiled_type {
    GRAZE_TILED_STRING,
    GRAZE_TILED_BOOL,
    GRAZE_TILED_INT,
    GRAZE_TILED_FLOAT,
    GRAZE_TILED_COLOR,            ///< A text: "#AARRGGBB", or "" where none was chosen.
    GRAZE_TILED_FILE,             ///< A text: a path, relative to the file that it stands in.
    GRAZE_TILED_OBJECT_REFERENCE, ///< The id of an object; 0: none.
    GRAZE_TILED_CLASS,            ///< Properties of its own.
    GRAZE_TILED_LIST              ///< Values without names.
} graze_tiled_type;

/// A property of the author's own.
typedef struct graze_tiled_property {
    const char *name; ///< Never null.
    graze_tiled_type type;
    const char *class_name; ///< Of an enum or a class that the author defined; otherwise "".
    const char *text;       ///< Of STRING, COLOR and FILE; otherwise "".
    double number;          ///< Of INT, FLOAT and OBJECT_REFERENCE; of BOOL 0 or 1; otherwise 0.
    const struct graze_tiled_property *members; ///< Of CLASS and LIST.
    uint32_t member_count;
} graze_tiled_property;

/// The properties of a map, a layer, an object, a tileset, in the file's order.
typedef struct graze_tiled_properties {
    const graze_tiled_property *list;
    uint32_t count;
} graze_tiled_properties;

/// Returns a property; null if there is none of this name.
const graze_tiled_property *graze_tiled_find(graze_tiled_properties properties, const char *name);

/// Return the value of a property; `otherwise` if there is none of this name and type. Numbers and
/// truth may stand in texts ("2", "true"), as they do in old maps.
const char *graze_tiled_text(graze_tiled_properties properties, const char *name,
                             const char *otherwise);
double graze_tiled_number(graze_tiled_properties properties, const char *name, double otherwise);
bool graze_tiled_flag(graze_tiled_properties properties, const char *name, bool otherwise);

/// What a layer is of.
typedef enum graze_tiled_layer_kind {
    GRAZE_TILED_TILES,
    GRAZE_TILED_OBJECTS,
    GRAZE_TILED_IMAGE,
    GRAZE_TILED_GROUP, ///< Its layers follow it; their `parent` is its index.
    GRAZE_TILED_UNKNOWN
} graze_tiled_layer_kind;

/// A part of a tile layer, `width` x `height` cells of which (x, y) is the upper left. A layer of a
/// fixed size is one chunk.
typedef struct graze_tiled_chunk {
    int32_t x, y; ///< Cells; may be negative in infinite maps.
    uint32_t width, height;
    const uint32_t *gids; ///< Row by row, with the bits that flip tiles; 0: empty.
} graze_tiled_chunk;

#define GRAZE_TILED_GID_MASK 0x0FFFFFFFu ///< Of a gid: which tile it is.
#define GRAZE_TILED_FLIP_X   0x80000000u ///< It is flipped left to right,
#define GRAZE_TILED_FLIP_Y   0x40000000u ///< upside down,
#define GRAZE_TILED_DIAGONAL 0x20000000u ///< along the falling diagonal, before the other two.

/// A layer.
typedef struct graze_tiled_layer {
    const char *name;       ///< May be "".
    const char *class_name; ///< May be "".
    graze_tiled_layer_kind kind;
    uint32_t parent;   ///< The index of its group; GRAZE_TILED_NONE: it is in none.
    graze_vec2 offset; ///< Pixels, with those of its groups.
    bool visible;      ///< Its own; a group may hide it.
    bool solid;        ///< It became terrain as a whole, by its name or by a property.
    const graze_tiled_chunk *chunks; ///< Of TILES.
    uint32_t chunk_count;
    uint32_t first_object; ///< Of OBJECTS: the index of the first in the map's objects,
    uint32_t object_count; ///< and their number.
    graze_tiled_properties properties;
} graze_tiled_layer;

/// What an object is.
typedef enum graze_tiled_object_kind {
    GRAZE_TILED_RECT,
    GRAZE_TILED_ELLIPSE,
    GRAZE_TILED_CAPSULE,
    GRAZE_TILED_POLYGON,
    GRAZE_TILED_POLYLINE,
    GRAZE_TILED_POINT, ///< Also a rect without any size, as old maps have them.
    GRAZE_TILED_TILE,
    GRAZE_TILED_TEXT
} graze_tiled_object_kind;

/// An object: a spawn, a door, a wall.
typedef struct graze_tiled_object {
    uint32_t id; ///< Its own in the map; 0: it has none.
    const char *name;
    const char *class_name; ///< In some versions called type; of a tile object, else its tile's.
    graze_tiled_object_kind kind;
    uint32_t layer;      ///< The index of its layer.
    graze_vec2 position; ///< Pixels, with the layer's offset: its x and y, around which it turns.
    graze_vec2 center;   ///< Pixels: of its rectangle; of a polygon or polyline, of its box.
    graze_vec2 size;     ///< Pixels; 0, 0 of points, polygons and polylines.
    float angle;         ///< Radians, clockwise on the screen.
    bool visible;
    uint32_t gid;             ///< Of a tile, with the bits that flip it; otherwise 0.
    const char *text;         ///< Of TEXT; otherwise "".
    const graze_vec2 *points; ///< Of POLYGON and POLYLINE: corners in the map's pixels.
    uint32_t point_count;
    graze_tiled_properties properties; ///< Its own.
    uint32_t chain;                    ///< The first chain that it became; GRAZE_TILED_NONE: none.
    uint32_t body;                     ///< The body that it became; GRAZE_TILED_NONE: none.
} graze_tiled_object;

/// A tileset.
typedef struct graze_tiled_tileset {
    const char *name;
    const char *path;         ///< Of its file; "": it is in the map.
    const char *image;        ///< As the file says; "": each tile has its own, or it is missing.
    uint32_t first_gid;       ///< Its tiles are numbered from here.
    uint32_t tile_count;      ///< 0: unknown.
    uint32_t columns;         ///< Of the image; 0: unknown.
    uint32_t margin, spacing; ///< Pixels around the tiles, and between them.
    graze_vec2 tile_size;     ///< Pixels.
    graze_tiled_properties properties;
} graze_tiled_tileset;

/// A tile of which its tileset says something: a class, properties, collision shapes, an animation.
typedef struct graze_tiled_tile {
    uint32_t gid; ///< In this map, without bits.
    const char *class_name;
    const char *image; ///< Of its own, as the file says; "": it is part of its tileset's.
    graze_vec2 size;   ///< Pixels.
    bool solid;        ///< It is terrain wherever it is: as a whole, or its shapes are.
    graze_tiled_properties properties;
} graze_tiled_tile;

/// What a chain is around.
typedef enum graze_tiled_fill {
    GRAZE_TILED_LINE,    ///< Nothing: it is open, or a sensor.
    GRAZE_TILED_OUTLINE, ///< It does not say: a loop that someone drew. A rock, or a room.
    GRAZE_TILED_SOLID,   ///< Solid tiles.
    GRAZE_TILED_HOLE     ///< An opening in solid tiles.
} graze_tiled_fill;

/// Terrain.
typedef struct graze_tiled_chain {
    graze_chain_def def; ///< With its points, which are the map's.
    graze_tiled_fill fill;
    const char *place; ///< Where in the file, for messages.
    uint32_t layer;    ///< The index of its layer.
    uint32_t object;   ///< The index of the object that it was; GRAZE_TILED_NONE: it is of tiles.
} graze_tiled_chain;

/// An object that moves.
typedef struct graze_tiled_body {
    graze_body_def def;
    const char *place; ///< Where in the file, for messages.
    uint32_t object;   ///< The index of the object that it was.
} graze_tiled_body;

/// A map. All arrays are in the file's order.
typedef struct graze_tiled_map {
    graze_vec2 size;      ///< Pixels; 0, 0 if the map is infinite.
    graze_vec2 tile_size; ///< Pixels.
    graze_vec2 gravity;   ///< Pixels per second squared: of the properties gravity_x and gravity_y.
    float dt;             ///< Seconds per step: the property dt; 0: none.
    uint32_t steps;       ///< The property steps; GRAZE_TILED_NONE: none.
    const graze_tiled_chain *chains;
    uint32_t chain_count;
    const graze_tiled_body *bodies;
    uint32_t body_count;
    const graze_tiled_object *objects;
    uint32_t object_count;
    const graze_tiled_layer *layers; ///< Groups before what is in them.
    uint32_t layer_count;
    const graze_tiled_tileset *tilesets; ///< By first_gid.
    uint32_t tileset_count;
    const graze_tiled_tile *tiles; ///< By gid.
    uint32_t tile_count;
    graze_tiled_properties properties;
    const char *const *notes; ///< Lines: what was left out or guessed, and why.
    uint32_t note_count;
    const char *const *files; ///< Paths of the files that were opened besides the map's own.
    uint32_t file_count;
} graze_tiled_map;

/// Returns whether bytes look like a Tiled file, in XML or JSON; they need not be valid.
bool graze_tiled_is_map(const void *data, size_t size);

/// Loads a map. Returns null, and fills `error` (may be null), if that is not possible. A map is
/// freed by graze_tiled_free().
///
/// Cost       Linear in the size of the files, and n log n in solid tiles.
graze_tiled_map *graze_tiled_load(const graze_tiled_def *def, graze_tiled_error *error);

/// Adds the chains and the bodies of a map to a world, and stores their ids in `chains`
/// (map->chain_count of them) and `bodies` (map->body_count), each of which may be null. If that
/// fails, what was added is removed again, and the ids are none. Returns what
/// graze_world_last_status() says of the call that failed.
///
/// Cost       That of graze_chain_create() and graze_body_create(), once each.
graze_status graze_tiled_add_to_world(const graze_tiled_map *map, graze_world *world,
                                      graze_chain_id *chains, graze_body_id *bodies);

/// Returns the gid of a cell of a tile layer, with its flipping bits; 0 outside of it, or if the
/// layer is no tile layer. Cost: linear in its chunks.
uint32_t graze_tiled_gid_at(const graze_tiled_layer *layer, int32_t x, int32_t y);

/// Returns what is said about a tile of this gid, whose flipping bits do not matter; null if
/// nothing is. Cost: the logarithm of the number of tiles.
const graze_tiled_tile *graze_tiled_find_tile(const graze_tiled_map *map, uint32_t gid);

/// Returns the first object with this class; of this name; null if there is none.
const graze_tiled_object *graze_tiled_find_class(const graze_tiled_map *map, const char *name);
const graze_tiled_object *graze_tiled_find_object(const graze_tiled_map *map, const char *name);

/// Frees a map and all that it owns; null does nothing.
void graze_tiled_free(graze_tiled_map *map);

#ifdef __cplusplus
}
#endif

#endif
