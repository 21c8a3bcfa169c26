/// @file blocked.h
/// Whether something that a dynamic body touches is in its way, or only beside it, apart from
/// rounding.
#ifndef GRZ_BLOCKED_H
#define GRZ_BLOCKED_H

#include "world/world_state.h"

/// Returns whether a dynamic body is deflected by something solid that it touches: a wall, or a
/// body that it approaches by `touch->approach` units per step. `speed` is how fast, in units per
/// second, it approaches something that gives no way: a wall, or a kinematic body; 0
/// otherwise.
bool grz_is_blocked(const graze_world *world, const grz_trajectory *trajectory,
                    const grz_touch *touch, double speed);

/// Returns whether the event's bodies only pass each other along their sides: if one were a little
/// to the side, they would not touch at all. A little is the sum of what rounding can do, and of
/// how deep bodies may rest in each other. `trajectory` is that of either body.
bool grz_is_passed(const graze_world *world, const grz_event *event,
                   const grz_trajectory *trajectory);

#endif
