/// @file blocked.h
/// Whether what a free body touches is in its way, or only beside it, but for rounding.
#ifndef GRZ_BLOCKED_H
#define GRZ_BLOCKED_H

#include "state.h"
#include "terrain/terrain.h"

/// Returns whether a free body is turned by something solid that it touches: a wall, or a body that
/// it comes closer to by `touch->approach` units per step. `speed` is how fast, in units per
/// second, it comes at what gives no way: a wall, or a body on a fixed course; 0 for all else.
bool grz_is_blocked(const graze_world *world, const grz_motion *motion, const grz_touch *touch,
                    double speed);

/// Returns whether the event's bodies, of which `motion` is one's, only pass each other along their
/// sides: a little to one side they would not touch at all. A little is what rounding can
/// do, and how deep bodies may rest in what they lie on.
bool grz_is_passed(const graze_world *world, const grz_event *event, const grz_motion *motion);

/// Eases a touch by which a wall would block a body that slides or bounces. If it is of a rect's
/// corner, so that rounding decides which side of it meets the wall, then the side that takes least
/// of the motion does. If a circle touches the end of a wall that, but for how deep bodies may rest
/// in what they lie on, continues what the circle lies on, it meets the wall's face. `move` is the
/// last piece of the motion, and touch->time is of the move. Returns false where that changes
/// nothing.
bool grz_ease_touch(const graze_world *world, const grz_motion *motion, const grz_move *move,
                    graze_segment_id segment, grz_touch *touch);

#endif
