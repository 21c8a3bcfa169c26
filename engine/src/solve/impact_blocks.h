/// @file impact_blocks.h
/// Which of the two bodies of a touch are blocked by it, when its time has come.
#ifndef GRZ_IMPACT_BLOCKS_H
#define GRZ_IMPACT_BLOCKS_H

#include "world/world_state.h"

/// One side of a touch.
typedef struct grz_side {
    grz_row row;                ///< GRZ_NONE: a wall.
    grz_trajectory *trajectory; ///< Null: its course is fixed, or the other is not solid.
    uint32_t version;           ///< The trajectory's, before the touch changed it.
    bool blocked;               ///< The touch deflects it, unless it removes it.
    bool passes;                ///< The two pass through each other: a filter says so.
    bool hit;                   ///< The touch counts as a hit of it,
    bool spent;                 ///< its last, which removes it.
} grz_side;

/// Finds both sides of an event that happens now, and which of them are blocked. No hit is counted
/// yet.
void grz_event_find_blocks(const graze_world *world, const grz_event *event, grz_side *a,
                           grz_side *b);

#endif
