/// @file snapshot_rows.h
/// The rows of a snapshot's bodies, made while what it says of them is checked.
///
/// Of a row, its index, generation and traits follow from what else a world has. So they are
/// written into the columns of the world before all is checked, where there is room, and made what
/// they were if the snapshot is refused.
#ifndef GRZ_SNAPSHOT_ROWS_H
#define GRZ_SNAPSHOT_ROWS_H

#include "snapshot_indices.h"

/// Rows being made.
typedef struct grz_row_maker {
    const grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    const grz_rows *rows;  ///< Where they go. Null: nowhere, they are only checked.
    uint32_t next;         ///< The first that has not been made.
    uint32_t wrong;        ///< Not 0 when some body is.
    grz_kind_counts kinds; ///< Of what was checked.
    uint32_t spare[3][GRZ_ROWS_MADE];
} grz_row_maker;

/// Begins before the first block. Rows have room for all bodies in the world, or are null.
void grz_row_maker_begin(grz_row_maker *maker, const grz_snapshot *snapshot,
                         const grz_snapshot_loops *loops, const grz_rows *rows);

/// Makes the rows of the next block, and checks what is kept of them.
void grz_row_maker_add(grz_row_maker *maker, const grz_index_block *block);

/// Checks what is kept of the retired.
void grz_row_maker_check_retired(grz_row_maker *maker);

/// Makes the columns again what follows from the rest of the world.
void grz_snapshot_restore_rows(const graze_world *world);

#endif
