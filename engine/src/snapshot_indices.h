/// @file snapshot_indices.h
/// The indices of a snapshot, some hundred at a time.
#ifndef GRZ_SNAPSHOT_INDICES_H
#define GRZ_SNAPSHOT_INDICES_H

#include "snapshot.h"

/// Where reading stands.
typedef struct grz_index_reader {
    uint32_t next, end;                         ///< Indices.
    const unsigned char *vacancies;             ///< From the next index on.
    const unsigned char *retired, *retired_end; ///< The first that was not met; behind the last.
} grz_index_reader;

/// Indices that follow each other, from a multiple of 64 on, and a bit for each.
typedef struct grz_index_block {
    uint32_t first, count;
    uint64_t in_world[GRZ_INDICES_AT_ONCE / 64]; ///< Those of bodies in the world.
    uint64_t vacant[GRZ_INDICES_AT_ONCE / 64];
} grz_index_block;

/// Begins before the first index.
grz_index_reader grz_read_indices(const grz_snapshot *snapshot);

/// Reads the next indices, GRZ_INDICES_AT_ONCE or what is left, and returns true; false when none
/// is.
bool grz_read_block(grz_index_reader *from, grz_index_block *block);

#endif
