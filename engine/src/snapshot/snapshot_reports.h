/// @file snapshot_reports.h
/// The reports of the step before a snapshot: its contacts, and their keys.
#ifndef GRZ_SNAPSHOT_REPORTS_H
#define GRZ_SNAPSHOT_REPORTS_H

#include "snapshot/snapshot.h"

/// Returns whether a world can have the snapshot's keys and contacts.
bool grz_snapshot_reports_are_right(const grz_snapshot *snapshot, const grz_snapshot_loops *loops);

/// Stores the snapshot's contacts and keys in the world, which has room for them; cannot fail.
void grz_snapshot_fill_reports(graze_world *world, const grz_snapshot *snapshot);

#endif
