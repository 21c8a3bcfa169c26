/// @file snapshot_rows.h
/// The rows of a snapshot's bodies, made while what it says of them is copied and checked: a row's
/// index, generation and traits follow from what else there is, and so does what leads from indices
/// to it.
#ifndef GRZ_SNAPSHOT_ROWS_H
#define GRZ_SNAPSHOT_ROWS_H

#include "snapshot/snapshot.h"

/// What was found.
typedef struct grz_row_findings {
    uint32_t wrong;        ///< Not 0 when some body is.
    grz_kind_counts kinds; ///< Of the bodies in the world.
    bool any_rects;        ///< Among all that are kept.
} grz_row_findings;

/// Makes the rows, in columns of `to`, and what leads to them. Copies and adds whole blocks of what
/// checks go through besides: bodies, lives, and of all that are kept halves, angles and spins.
grz_row_findings grz_snapshot_make_rows(const grz_snapshot *snapshot,
                                        const grz_snapshot_loops *loops, grz_snapshot_sums *sums,
                                        graze_world *to);

#endif
