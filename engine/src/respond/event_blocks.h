/// @file event_blocks.h
/// Which of the two sides of a touch are in each other's way when its time has come.
#ifndef GRZ_EVENT_BLOCKS_H
#define GRZ_EVENT_BLOCKS_H

#include "state.h"

/// One side of a touch.
typedef struct grz_side {
    grz_motion *motion; ///< Null: its course is fixed, or the other is not solid.
    uint32_t version;   ///< The motion's, before it answered.
    bool blocked;       ///< It is turned, unless the touch spends it.
} grz_side;

/// Finds both sides of an event that happens now, and which of them are blocked.
void grz_event_find_blocks(const graze_world *world, const grz_event *event, grz_side *a,
                           grz_side *b);

/// Returns whether a touch that is foreseen before anything has happened is a resting contact of
/// two bodies of a pile, as most are there: it began earlier, turns none, and parts them by no
/// pushes but such as may come in any order.
bool grz_event_is_resting(const graze_world *world, const grz_event *event);

#endif
