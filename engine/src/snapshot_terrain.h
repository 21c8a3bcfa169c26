/// @file snapshot_terrain.h
/// The terrain of a snapshot put in the place of a world's: only what differs is touched.
#ifndef GRZ_SNAPSHOT_TERRAIN_H
#define GRZ_SNAPSHOT_TERRAIN_H

#include "list.h"
#include "prefetch.h"
#include "snapshot.h"

enum {
    GRZ_CHAINS_AHEAD = 16 ///< So far ahead points are asked for.
};

/// A line of segments that the world does not have under this index.
typedef struct grz_new_line {
    uint32_t index;     ///< Of its chain.
    graze_vec2 *points; ///< A list.
    bool loop;
} grz_new_line;

/// What a snapshot changes in the terrain.
typedef struct grz_terrain_change {
    grz_new_line *lines; ///< A list, by index; null when nothing is new.
} grz_terrain_change;

/// Returns how many points a chain has; 0 when it is not in the world.
static inline uint32_t grz_terrain_point_count(const grz_chain *chain)
{
    return chain->in_world ? chain->segment_count + !chain->loop : 0;
}

/// Returns what a snapshot says of a chain.
static inline grz_chain_record grz_terrain_record(const grz_chain *chain)
{
    grz_chain_record record = {.generation = chain->generation};
    if (chain->in_world) {
        record.user_data = chain->user_data;
        record.filter = chain->filter;
        record.point_count = grz_terrain_point_count(chain);
        record.form = chain->loop * (uint32_t)GRZ_CHAIN_LOOP +
                      chain->one_sided * (uint32_t)GRZ_CHAIN_ONE_SIDED +
                      chain->sensor * (uint32_t)GRZ_CHAIN_SENSOR;
    }
    return record;
}

/// Asks for the points of a chain that comes some way behind this one.
static inline void grz_terrain_ask_for(const graze_world *world, uint32_t index)
{
    const size_t next = (size_t)index + GRZ_CHAINS_AHEAD;
    if (next < grz_list_count(world->chains)) {
        GRZ_PREFETCH(world->chains[next].points);
    }
}

/// Returns whether the snapshot's chains are the world's, all that is said of them and every point.
bool grz_terrain_is_same(const graze_world *world, const grz_snapshot *snapshot);

/// Returns how many segments the snapshot's chains have.
uint64_t grz_snapshot_segment_count(const grz_snapshot *snapshot);

// The three that follow are for terrain that differs.

/// Takes all memory that the snapshot's terrain needs, and adds the new lines to the grid, beside
/// the old ones. Returns OK; or OUT_OF_MEMORY or LIMIT, the terrain as it was.
graze_status grz_terrain_prepare(graze_world *world, const grz_snapshot *snapshot,
                                 grz_terrain_change *change);

/// Undoes what was prepared.
void grz_terrain_cancel(graze_world *world, grz_terrain_change *change);

/// Takes the old lines out of the grid, and gives the chains their new state; cannot fail.
void grz_terrain_commit(graze_world *world, const grz_snapshot *snapshot,
                        grz_terrain_change *change);

#endif
