/// @file terrain_image.h
/// An image of the terrain in the form that snapshots hold, kept beside the chains: saving copies
/// it, and loading compares the snapshot with it.
///
/// The image covers the first chains only. Destroying a chain, or reusing its index, cuts the image
/// back to the chains before it, so that editing a large map costs in proportion to the change.
/// Each chain that is created extends the image by a few chains, and loading completes it. Memory
/// for all chains is reserved when they are created, so that extending cannot fail.
#ifndef GRZ_TERRAIN_IMAGE_H
#define GRZ_TERRAIN_IMAGE_H

#include "state.h"

/// Returns how many points a chain has; 0 when it is not in the world.
static inline uint32_t grz_terrain_point_count(const grz_chain *chain)
{
    return chain->in_world ? chain->segment_count + !chain->loop : 0;
}

/// Returns a chain's header in a snapshot.
static inline grz_chain_record grz_terrain_record(const grz_chain *chain)
{
    grz_chain_record record = {.generation = chain->generation};
    if (chain->in_world) {
        record.user_data = chain->user_data;
        record.filter = chain->filter;
        record.point_count = grz_terrain_point_count(chain);
        record.form = chain->loop * (uint32_t)GRZ_CHAIN_LOOP +
                      chain->one_sided * (uint32_t)GRZ_CHAIN_ONE_SIDED +
                      chain->sensor * (uint32_t)GRZ_CHAIN_SENSOR +
                      (chain->surfaces != NULL) * (uint32_t)GRZ_CHAIN_SURFACES;
        record.surface = chain->surface;
    }
    return record;
}

/// Makes room for these numbers of chains, points and surfaces in all. Returns false, with nothing
/// lost, if memory runs out.
bool grz_terrain_image_reserve(graze_world *world, size_t chains, size_t points, size_t surfaces);

/// Adds the next chains, at most `most`. There is room for all.
void grz_terrain_image_extend(graze_world *world, uint32_t most);

/// Cuts the image back to the chains before this one.
void grz_terrain_image_cut(graze_world *world, uint32_t index);

/// An image in the form of a snapshot.
typedef struct grz_image_source {
    const void *records, *points, *surfaces;
    uint32_t record_count, point_count, surface_count;
} grz_image_source;

/// Replaces the image by another. There is room for it.
void grz_terrain_image_replace(graze_world *world, const grz_image_source *source);

void grz_terrain_image_free(graze_world *world);

#endif
