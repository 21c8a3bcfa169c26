/// @file snapshot_blame.h
/// Finds what is wrong with a snapshot's bodies, once it is known that something is.
#ifndef GRZ_SNAPSHOT_BLAME_H
#define GRZ_SNAPSHOT_BLAME_H

#include "snapshot/snapshot.h"

/// Tells the log the first field that is wrong, and of which body. Returns FORMAT.
///
/// Cost       Tests one body after the other.
graze_status grz_snapshot_blame(const graze_world *world, const grz_snapshot *snapshot,
                                const grz_snapshot_loops *loops);

#endif
