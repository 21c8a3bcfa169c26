/// @file snapshot_indices.h
/// The indices of a snapshot, some hundred at a time.
#ifndef GRZ_SNAPSHOT_INDICES_H
#define GRZ_SNAPSHOT_INDICES_H

#include "snapshot/snapshot.h"

/// The position of reading.
typedef struct grz_index_reader {
    uint32_t next, end;                         ///< Indices.
    uint32_t at_once;                           ///< How many.
    const unsigned char *vacancies;             ///< From the next index on.
    const unsigned char *retired, *retired_end; ///< The first not met yet; past the last.
} grz_index_reader;

/// Indices that follow each other, from a multiple of 64 on, and a bit for each.
typedef struct grz_index_block {
    uint32_t first, count;
    uint64_t in_world[GRZ_INDICES_AT_ONCE / 64]; ///< Those of bodies in the world.
    uint64_t vacant[GRZ_INDICES_AT_ONCE / 64];
    uint64_t retired[GRZ_INDICES_AT_ONCE / 64]; ///< All others.
} grz_index_block;

/// Begins before the first index. Blocks have `at_once` indices: a multiple of 64, at most
/// GRZ_INDICES_AT_ONCE.
grz_index_reader grz_read_indices(const grz_snapshot *snapshot, uint32_t at_once);

/// Reads the next block, which may be shorter at the end. Returns false if none is left.
bool grz_read_block(grz_index_reader *from, grz_index_block *block);

#endif
