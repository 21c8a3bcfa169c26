/// @file deflect.h
/// What a body does where it meets something solid.
///
/// An impulse along the normal changes the velocities that the two have at that time. Their paths
/// for the rest of the step follow the velocities, but never lead into what was met.
#ifndef GRZ_DEFLECT_H
#define GRZ_DEFLECT_H

#include "solve/blocked.h"
#include "world/world_state.h"

/// Returns whether a body that bounces, and that the event's touch blocks, bounces off: not if it
/// rests on a wall or is pushed along. `trajectory` is the body's.
bool grz_throws_back(const graze_world *world, const grz_event *event,
                     const grz_trajectory *trajectory);

/// Deflects the bodies that their touch blocks, unless it removes them, and gives what they hit the
/// impulse of their masses. What their hits count is known. The other side of a wall's touch has no
/// row. Returns false when there is no memory.
bool grz_respond(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b);

/// Lets two bodies that the solver moves go no farther into each other, where an impact has cut one
/// of them short.
void grz_hold_solved(const graze_world *world, const grz_event *event);

/// Gives a body that gives way the impulse of a ray that stops at it, and that has no trajectory:
/// its first hit has removed it. Returns false when there is no memory.
bool grz_push_by_ray(graze_world *world, uint32_t ray, const grz_candidate *candidate);

/// Leaves a body that slides and is held from all sides where it was before the step, if it has
/// moved by no more than rounding: so it rests to the last bit.
void grz_undo_rounding(const graze_world *world, grz_trajectory *trajectory);

#endif
