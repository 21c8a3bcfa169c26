/// @file blocked.h
/// Whether something that a dynamic body touches is in its way, or only beside it, apart from
/// rounding; and which of the two bodies of a touch are blocked by it, when its time has come.
#ifndef GRZ_BLOCKED_H
#define GRZ_BLOCKED_H

#include "world/world_state.h"

/// Returns whether a dynamic body is deflected by something solid that it touches: a wall, or a
/// body that it approaches by `touch->approach` units per step. `speed` is how fast, in units per
/// second, it approaches something that gives no way: a wall, or a kinematic body; 0
/// otherwise.
bool grz_is_blocked(const graze_world *world, const grz_trajectory *trajectory,
                    const grz_touch *touch, double speed);

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

/// Returns a side of a touch, of which nothing else is known yet.
grz_side grz_side_of(const graze_world *world, grz_row row, bool other_is_solid);

/// Finds both sides of an event of two bodies that happens now, and which of them are blocked. No
/// hit is counted yet.
void grz_event_find_blocks(const graze_world *world, const grz_event *event, grz_side *a,
                           grz_side *b);

/// Finds the side of the body of an event with a wall, likewise.
void grz_event_find_wall_block(const graze_world *world, const grz_event *event, grz_side *side);

#endif
