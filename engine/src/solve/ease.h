/// @file ease.h
/// Touches of walls where rounding, and how deep bodies may rest, would decide what is met.
#ifndef GRZ_EASE_H
#define GRZ_EASE_H

#include "collide/terrain.h"
#include "world/world_state.h"

/// Eases a touch by which a wall would block a body. If it is of a rect's
/// corner, so that rounding decides which side of it meets the wall, then the side that takes least
/// of the motion does. If a circle touches the end of a wall that, but for how deep bodies may rest
/// in what they lie on, continues what the circle lies on, it meets the wall's face. `move` is the
/// last piece of the motion, and touch->time is of the move. Returns false where that changes
/// nothing.
bool grz_ease_touch(const graze_world *world, const grz_motion *motion, const grz_move *move,
                    graze_segment_id segment, grz_touch *touch);

#endif
