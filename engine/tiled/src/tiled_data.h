/// @file tiled_data.h
/// The data of tile layers: which tile is in which cell.
#ifndef GRZ_TILED_DATA_H
#define GRZ_TILED_DATA_H

#include "json_reader.h"
#include "outline.h"

#include <stdbool.h>
#include <stdint.h>

/// The largest gid: the bits above flip the tile.
enum { GRZ_LAST_GID = (1 << 28) - 1 };

/// The bits of a gid that flip a tile: along the falling diagonal first, then left to right, then
/// upside down.
enum { GRZ_TILE_FLIPPED_X = 8, GRZ_TILE_FLIPPED_Y = 4, GRZ_TILE_FLIPPED_DIAGONAL = 2 };

/// One cell of a tile layer that is not empty.
typedef struct grz_tile_cell {
    grz_cell at;
    uint32_t gid;   ///< Without flags.
    uint32_t flips; ///< The flags above.
} grz_tile_cell;

/// Appends the layer's cells, also of all its chunks, to the list `cells`.
bool grz_tiled_read_cells(const grz_json *json, const cJSON *layer, grz_tile_cell **cells);

#endif
