/// @file inflate_cells.h
/// Decompresses the data of tile layers, cell by cell.
///
/// Memory     A window of some 64 KiB and what the library needs, whatever is announced: no more
///            than `count` cells are ever taken out, so small files cannot become large.
#ifndef GRZ_INFLATE_CELLS_H
#define GRZ_INFLATE_CELLS_H

#include "tiled_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum grz_compression {
    GRZ_COMPRESSION_NONE,
    GRZ_COMPRESSION_ZLIB, ///< Or gzip: the first bytes say which.
    GRZ_COMPRESSION_ZSTD
} grz_compression;

/// Gets the next `count` cells, raw gids. Returns whether to go on.
typedef bool grz_cells_fn(const uint32_t *cells, size_t count, void *user);

/// What was taken out.
typedef struct grz_inflated {
    uint64_t count;      ///< Whole cells, at most those that were announced.
    unsigned rest;       ///< Bytes after the last whole cell.
    bool has_more;       ///< There is more than was announced.
    bool is_stopped;     ///< `found` did not want to go on.
    const char *problem; ///< What is wrong with the data; null: nothing.
} grz_inflated;

/// Finds the compression of a name as Tiled writes it: "", "zlib", "gzip" or "zstd". False if it is
/// another.
bool grz_compression_find(const char *name, grz_compression *compression);

/// Takes `wanted` cells of 4 bytes, the lowest first, out of `size` bytes that are compressed, and
/// hands them to `found`.
grz_inflated grz_inflate_cells(grz_memory *memory, grz_compression compression,
                               const unsigned char *bytes, size_t size, uint64_t wanted,
                               grz_cells_fn *found, void *user);

#endif
