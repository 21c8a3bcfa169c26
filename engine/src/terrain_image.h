/// @file terrain_image.h
/// The terrain as snapshots hold it, kept beside the chains: what is saved is copied from it at
/// once, and what is loaded is compared with it.
///
/// It is of the first chains, and is cut before one that is destroyed or takes the place of one that
/// was: so to edit a large map costs what changes. Each chain that is created brings it some chains
/// forward again, and loading brings it to the end. There is room in it for all chains: this cannot
/// fail.
#ifndef GRZ_TERRAIN_IMAGE_H
#define GRZ_TERRAIN_IMAGE_H

#include "state.h"

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

/// Makes room for so many chains and points in all. Returns false, with nothing lost, when there is
/// no memory.
bool grz_terrain_image_reserve(graze_world *world, size_t chains, size_t points);

/// Takes in the next chains, `most` of them or what is left. There is room for all.
void grz_terrain_image_extend(graze_world *world, uint32_t most);

/// Leaves only the chains before this one.
void grz_terrain_image_cut(graze_world *world, uint32_t index);

/// Puts another terrain in its place, given as a snapshot holds it. There is room for it.
void grz_terrain_image_replace(graze_world *world, const void *records, uint32_t chains,
                               const void *points, uint32_t point_count);

void grz_terrain_image_free(graze_world *world);

#endif
