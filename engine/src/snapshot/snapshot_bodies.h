/// @file snapshot_bodies.h
/// The bodies of a snapshot put in the place of a world's.
#ifndef GRZ_SNAPSHOT_BODIES_H
#define GRZ_SNAPSHOT_BODIES_H

#include "snapshot/snapshot.h"

/// Gives the world the bodies of a snapshot that was checked, and no others; cannot fail. There is
/// room for the retired. All are unsorted, and none is at rest.
void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot);

#endif
