/// @file snapshot_blame.h
/// Says what is wrong with a snapshot's bodies, once it is known that something is.
#ifndef GRZ_SNAPSHOT_BLAME_H
#define GRZ_SNAPSHOT_BLAME_H

#include "snapshot/snapshot.h"

/// Tells the log which field of which body is the first that is wrong. Returns FORMAT.
///
/// Cost       Each body is looked at by itself.
graze_status grz_snapshot_blame(const graze_world *world, const grz_snapshot *snapshot,
                                const grz_snapshot_loops *loops);

#endif
