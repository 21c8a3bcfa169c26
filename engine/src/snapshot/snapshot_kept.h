/// @file snapshot_kept.h
/// What the solver keeps of contacts, in a snapshot: grz_cached_contact as it is, by key.
#ifndef GRZ_SNAPSHOT_KEPT_H
#define GRZ_SNAPSHOT_KEPT_H

#include "snapshot/snapshot_writer.h"

/// Writes all of it.
void grz_snapshot_put_kept(grz_writer *writer);

/// Returns whether a world can have kept these contacts. To be called when all bodies, which are
/// read from the spare columns, and all chains are right.
bool grz_snapshot_kept_are_right(const graze_world *world, const grz_snapshot *snapshot);

#endif
