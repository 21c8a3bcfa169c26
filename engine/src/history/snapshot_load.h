/// @file snapshot_load.h
/// Parts of graze_world_load. Reading checks a part of a snapshot whose checksum is right, and
/// tells the log of `world` what is wrong: OK or FORMAT. Filling changes the world, which has room
/// for all of it, and cannot fail.
#ifndef GRZ_SNAPSHOT_LOAD_H
#define GRZ_SNAPSHOT_LOAD_H

#include "history/snapshot.h"

/// Tells the log. Returns FORMAT.
graze_status grz_snapshot_refuse(const graze_world *world, const char *what);

/// Returns the first field that is wrong in any element of a section; null if none is.
const grz_field *grz_snapshot_find_wrong(const grz_snapshot *snapshot, grz_section section);

/// Copies the bodies into the columns of world->bodies.spare, which have room for them, and makes
/// rows.
graze_status grz_snapshot_read_bodies(const graze_world *world, const grz_snapshot *snapshot);

/// Replaces the bodies by these. All are unsorted, and none is at rest.
void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot);

/// The reports of the last step, and what the solver keeps of contacts: when bodies and terrain are
/// right.
graze_status grz_snapshot_read_contacts(const graze_world *world, const grz_snapshot *snapshot);
void grz_snapshot_fill_contacts(graze_world *world, const grz_snapshot *snapshot);

graze_status grz_snapshot_read_terrain(const graze_world *world, const grz_snapshot *snapshot);

/// Returns whether the snapshot's chains equal the world's in every field, point and surface.
bool grz_terrain_is_same(const graze_world *world, const grz_snapshot *snapshot);

/// Returns how many segments the snapshot's chains have.
uint64_t grz_snapshot_segment_count(const grz_snapshot *snapshot);

/// For terrain that differs: makes a list of its chains, with all memory that they need, and adds
/// their new lines to the grid, beside the old ones. Returns OK; or OUT_OF_MEMORY or LIMIT, the
/// terrain as it was.
graze_status grz_terrain_prepare(graze_world *world, const grz_snapshot *snapshot,
                                 grz_chain **chains);

/// Removes the lines of these chains from the grid, and frees the list.
void grz_terrain_free(graze_world *world, grz_chain *chains);

/// Removes the old lines from the grid, and replaces the chains. Lines that are the same stay.
void grz_terrain_commit(graze_world *world, const grz_snapshot *snapshot, grz_chain *chains);

#endif
