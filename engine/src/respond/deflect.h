/// @file deflect.h
/// What a body does where it meets something solid.
///
/// An impulse along the normal changes the velocities that the two have at that time. Their paths
/// for the rest of the step follow the velocities, but never lead into what was met.
#ifndef GRZ_DEFLECT_H
#define GRZ_DEFLECT_H

#include "state.h"

/// Returns whether a body that bounces, and that the event's touch blocks, bounces off: not if it
/// rests on a wall or is pushed along. `motion` is the body's.
bool grz_throws_back(const graze_world *world, const grz_event *event, const grz_motion *motion);

/// Deflects the bodies that a touch blocks: `a` or `b` is null for one that is not blocked.
void grz_respond(const graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b);

/// Leaves a body that slides and is held from all sides where it was before the step, if it has
/// moved by no more than rounding: so it rests to the last bit.
void grz_undo_rounding(const graze_world *world, grz_motion *motion);

#endif
