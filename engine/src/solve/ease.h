/// @file ease.h
/// Touches of walls where rounding, and how deep bodies may rest, would decide what is met.
#ifndef GRZ_EASE_H
#define GRZ_EASE_H

#include "collide/terrain_sweep.h"
#include "world/world_state.h"

/// Eases a touch by which a wall would block a body. If it is of a rect's
/// corner, so that rounding decides which side of it meets the wall, then the side that takes least
/// of the trajectory does. If a circle touches the end of a wall that, but for how deep bodies may
/// rest in what they lie on, continues what the circle lies on, it meets the wall's face. `move` is
/// the last piece of the trajectory, and touch->time is of the move. Returns false where that
/// changes nothing.
bool grz_ease_touch(const graze_world *world, const grz_trajectory *trajectory,
                    const grz_move *move, graze_segment_id segment, grz_touch *touch);

#endif
