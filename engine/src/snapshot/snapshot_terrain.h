/// @file snapshot_terrain.h
/// Replaces a world's terrain by that of a snapshot; changes only what differs.
#ifndef GRZ_SNAPSHOT_TERRAIN_H
#define GRZ_SNAPSHOT_TERRAIN_H

#include "snapshot/snapshot.h"

/// A line of segments that the world does not have under this index.
typedef struct grz_new_line {
    uint32_t index;     ///< Of its chain.
    graze_vec2 *points; ///< A list.
    bool loop;
} grz_new_line;

/// The changes of a snapshot to the terrain.
typedef struct grz_terrain_change {
    grz_new_line *lines;      ///< A list, by index; null when nothing is new.
    graze_surface **surfaces; ///< A list of lists, by index, of all chains that have them.
} grz_terrain_change;

/// Returns whether the snapshot's chains equal the world's in every field, point and surface. The
/// world's image must have all of its chains.
bool grz_terrain_is_same(const graze_world *world, const grz_snapshot *snapshot);

/// Returns how many segments the snapshot's chains have.
uint64_t grz_snapshot_segment_count(const grz_snapshot *snapshot);

// The next three functions are for terrain that differs.

/// Allocates all memory that the snapshot's terrain needs, and adds the new lines to the grid,
/// beside the old ones. Returns OK; or OUT_OF_MEMORY or LIMIT, the terrain as it was.
graze_status grz_terrain_prepare(graze_world *world, const grz_snapshot *snapshot,
                                 grz_terrain_change *change);

/// Undoes what was prepared.
void grz_terrain_cancel(graze_world *world, grz_terrain_change *change);

/// Removes the old lines from the grid, and gives the chains their new state; cannot fail.
void grz_terrain_commit(graze_world *world, const grz_snapshot *snapshot,
                        grz_terrain_change *change);

#endif
