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
/// Threads    A def and a map belong to one thread at a time. There is no other state.
/// Errors     graze_tiled_load() returns null and fills a graze_tiled_error.
#ifndef GRAZE_TILED_H
#define GRAZE_TILED_H

#include <graze/allocator.h>
#include <graze/body.h>
#include <graze/chain.h>
#include <graze/status.h>
#include <graze/vec2.h>

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
    graze_chain_def chain;       ///< All chains begin as this. Default graze_chain_def_default().
    graze_body_def body;         ///< All bodies begin as this. Default graze_body_def_default().
    uint32_t cookie;             ///< Set by graze_tiled_def_default().
} graze_tiled_def;

/// Returns a definition with all defaults; a path or data must be added.
graze_tiled_def graze_tiled_def_default(void);

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
} graze_tiled_chain;

/// An object that moves.
typedef struct graze_tiled_body {
    graze_body_def def;
    const char *place; ///< Where in the file, for messages.
} graze_tiled_body;

/// A part of a tile layer, `width` x `height` cells of which (x, y) is the upper left. A layer of a
/// fixed size is one chunk.
typedef struct graze_tiled_chunk {
    int32_t x, y; ///< Cells; may be negative in infinite maps.
    uint32_t width, height;
    const uint32_t *gids; ///< Row by row, with the bits that flip tiles; 0: empty.
} graze_tiled_chunk;

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
    const graze_vec2 *things; ///< Where points and tile objects are that became nothing.
    uint32_t thing_count;
    const char *const *notes; ///< Lines: what was left out, and why.
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

/// Frees a map and all that it owns; null does nothing.
void graze_tiled_free(graze_tiled_map *map);

#ifdef __cplusplus
}
#endif

#endif
