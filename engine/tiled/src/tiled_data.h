/// @file tiled_data.h
/// The data of tile layers: which tile is in which cell.
#ifndef GRZ_TILED_DATA_H
#define GRZ_TILED_DATA_H

#include "json_reader.h"

#include <graze/tiled.h>

#include <stdbool.h>
#include <stdint.h>

/// The largest gid: the bits above flip the tile.
enum { GRZ_LAST_GID = (1 << 28) - 1 };

/// The bits of a gid that flip a tile: along the falling diagonal first, then left to right, then
/// upside down.
enum { GRZ_TILE_FLIPPED_X = 8, GRZ_TILE_FLIPPED_Y = 4, GRZ_TILE_FLIPPED_DIAGONAL = 2 };

/// Cells of compressed data, in all layers of a map together: small files may announce more.
#define GRZ_MOST_COMPRESSED_CELLS (UINT64_C(1) << 27)

/// Appends the layer's chunks to the list `chunks`; a layer of a fixed size is one. Their gids live
/// as long as the map.
bool grz_tiled_read_chunks(const grz_json *json, const cJSON *layer, graze_tiled_chunk **chunks);

#endif
