/// @file snapshot_column_lanes.h
/// Part of snapshot_wide.h: columns that are copied while they are checked.
#ifndef GRZ_SNAPSHOT_COLUMN_LANES_H
#define GRZ_SNAPSHOT_COLUMN_LANES_H

#include "checksum/checksum_lanes.h"
#include "prefetch.h"
#include "snapshot/snapshot_loops.h"

// Prefetches elements some parts of 64 ahead: between two parts a machine computes more than it
// looks ahead, so it would wait at each part (bench: engine/snapshot_load).
static inline void fetch_ahead(const unsigned char *next, size_t size)
{
    enum { AHEAD = 256, LINE = 64 };
    for (size_t at = 0; at < GRZ_WIDTH * size; at += LINE) {
        GRZ_PREFETCH(next + AHEAD * size + at);
    }
}

// Some blocks of a column, from a byte on.
static inline void pass_column(const grz_column_copy *column, size_t place, uint32_t blocks,
                               ints *seen)
{
    const block_source source = {column->from + place, NULL};
    const word_use use = {true, NULL, seen};
    pass_blocks(column->sum, column->to + place, &source, blocks, FROM_BYTES, use);
}

#endif
