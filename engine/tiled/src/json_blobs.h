/// @file json_blobs.h
/// Takes the data of tile layers out of a JSON text, before it is parsed: a parser spends 64 bytes
/// on each number.
#ifndef GRZ_JSON_BLOBS_H
#define GRZ_JSON_BLOBS_H

#include "tile_blob.h"

#include <stddef.h>

/// A piece of the text that a mark replaces.
typedef struct grz_json_cut {
    size_t from, to; ///< Bytes of the text.
    size_t mark;     ///< The first byte of the mark, in the shorter text.
    size_t mark_end; ///< The byte after it.
} grz_json_cut;

/// A text without its tile data.
typedef struct grz_json_short {
    const char *text; ///< `size` bytes and a zero; the whole text if nothing could be taken out.
    size_t size;
    char *own;          ///< A list: the text, if it is another.
    grz_json_cut *cuts; ///< A list.
} grz_json_short;

/// Takes out every value of a key "data" that an element of an array has, as layers and chunks are:
/// an array of nothing but whole numbers up to 4294967295, or a text of nothing but base64. All
/// else stays for the parser. Costs one pass over the text (`size` bytes and a zero).
grz_json_short grz_json_shorten(grz_blobs *blobs, const char *text, size_t size);

/// Frees the shorter text.
void grz_json_short_free(grz_json_short *made);

/// Returns the byte of the whole text that a byte of the shorter one comes from.
size_t grz_json_short_origin(const grz_json_short *made, size_t byte);

#endif
