/// @file snapshot_reports.h
/// What met in the step before a snapshot: its contacts, and the keys of what they are of.
#ifndef GRZ_SNAPSHOT_REPORTS_H
#define GRZ_SNAPSHOT_REPORTS_H

#include "snapshot/snapshot.h"

/// Returns whether the snapshot's keys and contacts are such that a world can have them.
bool grz_snapshot_reports_are_right(const grz_snapshot *snapshot, const grz_snapshot_loops *loops);

/// Gives the world the snapshot's contacts and keys, in room that was made for them; cannot fail.
void grz_snapshot_fill_reports(graze_world *world, const grz_snapshot *snapshot);

#endif
