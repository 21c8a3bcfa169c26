/// @file snapshot_rows.h
/// Makes the rows of a snapshot's bodies while copying and checking their columns: a row's index,
/// generation and traits follow from these, and so does the row of each index.
#ifndef GRZ_SNAPSHOT_ROWS_H
#define GRZ_SNAPSHOT_ROWS_H

#include "snapshot/snapshot.h"

/// Findings.
typedef struct grz_row_findings {
    uint32_t wrong;        ///< Not 0 when some body is.
    grz_kind_counts kinds; ///< Of the bodies in the world.
    bool any_rotations;    ///< Among all that are kept.
    bool any_dynamic;      ///< Likewise.
} grz_row_findings;

/// Makes the rows, in columns of `to`, and the row of each index. Also copies whole blocks of the
/// columns that it checks, and adds them to their sums: bodies, lives, and of all kept bodies
/// halves, angles and spins.
grz_row_findings grz_snapshot_make_rows(const grz_snapshot *snapshot,
                                        const grz_snapshot_loops *loops, grz_snapshot_sums *sums,
                                        graze_world *to);

#endif
