/// @file snapshot_foreign.h
/// Snapshots of machines whose byte order is the other one.
#ifndef GRZ_SNAPSHOT_FOREIGN_H
#define GRZ_SNAPSHOT_FOREIGN_H

#include "snapshot/snapshot.h"

/// Returns whether `size` bytes begin like a snapshot of the other byte order.
bool grz_snapshot_is_foreign(const void *bytes, size_t size);

/// Makes a copy of the snapshot in this machine's byte order, whose size is in its header; its
/// numbers are still to be checked. Returns OK, the copy in the world's memory and for the caller
/// to give back; or OUT_OF_MEMORY or FORMAT, which the log was told.
graze_status grz_snapshot_translate(graze_world *world, const void *bytes, size_t size,
                                    unsigned char **translated);

#endif
