/// @file snapshot_foreign.h
/// Snapshots of machines of the other byte order.
#ifndef GRZ_SNAPSHOT_FOREIGN_H
#define GRZ_SNAPSHOT_FOREIGN_H

#include "snapshot/snapshot.h"

/// Returns whether `size` bytes begin like a snapshot of the other byte order.
bool grz_snapshot_is_foreign(const void *bytes, size_t size);

/// Makes a copy of the snapshot in this machine's byte order; its size is in its header, and its
/// numbers are still to be checked. Returns OK, with a copy from the world's allocator that the
/// caller releases; or OUT_OF_MEMORY or FORMAT, after telling the log.
graze_status grz_snapshot_translate(graze_world *world, const void *bytes, size_t size,
                                    unsigned char **translated);

#endif
