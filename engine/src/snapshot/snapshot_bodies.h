/// @file snapshot_bodies.h
/// Replaces a world's bodies by those of a snapshot.
#ifndef GRZ_SNAPSHOT_BODIES_H
#define GRZ_SNAPSHOT_BODIES_H

#include "snapshot/snapshot.h"

/// Replaces the world's bodies by those of a checked snapshot; cannot fail. There is room for the
/// retired. All are unsorted, and none is at rest.
void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot);

#endif
