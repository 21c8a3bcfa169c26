/// @file tile_blob.h
/// The data of tile layers as files have it, decoded while they are parsed: a map's tree has one
/// node for a layer's data, not one for each cell.
///
/// Memory     4 bytes a tile of CSV or of a JSON array, 3 for 4 digits of base64.
#ifndef GRZ_TILE_BLOB_H
#define GRZ_TILE_BLOB_H

#include "tiled_memory.h"

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum grz_blob_kind {
    GRZ_BLOB_NUMBERS, ///< Raw gids.
    GRZ_BLOB_BASE64   ///< Bytes, which may be compressed.
} grz_blob_kind;

/// One layer's data, or one chunk's.
typedef struct grz_blob {
    grz_blob_kind kind;
    uint32_t *numbers;    ///< A list.
    unsigned char *bytes; ///< A list.
    bool is_taken;        ///< The list is the map's.
    const char *problem;  ///< What is wrong with the text; null: nothing.
    size_t line, column;  ///< Where, if a parser says so; 0: the node's place counts.
    uint64_t number;      ///< Being read,
    unsigned digit_count; ///< of so many digits.
    bool is_separated;    ///< A number may follow: after a comma, or in the beginning.
    uint32_t bits;        ///< Of base64, being read,
    int bit_count;        ///< so many of them.
    bool is_padded;       ///< Only = may follow.
} grz_blob;

/// The blobs of a file.
typedef struct grz_blobs {
    grz_memory *memory;
    grz_blob *list;
    uint64_t compressed_cells; ///< Taken out so far.
} grz_blobs;

/// Returns an empty set, which is released when the reading ends.
grz_blobs *grz_blobs_create(grz_memory *memory);

/// Begins a blob and returns its number.
size_t grz_blobs_begin(grz_blobs *blobs, grz_blob_kind kind);

/// Makes room for all of a text in the last blob, so that it need not grow. May be left out.
void grz_blobs_expect(grz_blobs *blobs, const char *text, size_t size);

/// Reads a piece of the last blob's text: numbers between commas with blanks where one likes, or
/// base64. What is wrong is kept as its problem.
void grz_blobs_feed(grz_blobs *blobs, const char *text, size_t size);

/// Appends a number to the last blob.
void grz_blobs_add(grz_blobs *blobs, uint32_t number);

/// Ends the last blob.
void grz_blobs_end(grz_blobs *blobs);

/// Removes the last blob.
void grz_blobs_drop(grz_blobs *blobs);

enum { GRZ_LONGEST_MARK = 24 };

/// Writes the text that stands in the tree for a blob. No text of a file is like it: it begins with
/// a byte that UTF-8 does not have.
void grz_blob_mark(size_t number, char mark[GRZ_LONGEST_MARK]);

/// Returns whether a node stands for a blob.
bool grz_blob_is_mark(const cJSON *node);

/// Returns the blob that a node stands for; null when it is another node. `blobs` may be null.
grz_blob *grz_blobs_find(const grz_blobs *blobs, const cJSON *node);

#endif
