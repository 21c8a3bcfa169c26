/// @file response.h
/// What a body does where it meets something solid.
///
/// An impulse along the normal changes the velocities, from what the two really do at that time.
/// The courses for the rest of the step follow the velocities, but never lead into what was met.
#ifndef GRZ_RESPONSE_H
#define GRZ_RESPONSE_H

#include "state.h"

/// Returns whether the event's touch throws back a body that bounces and is blocked by it, whose
/// motion this is: not one that rests on a wall or is pushed along.
bool grz_throws_back(const graze_world *world, const grz_event *event, const grz_motion *motion);

/// Turns the bodies that a touch blocks: `a` or `b` is null for one that is not blocked.
void grz_respond(const graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b);

/// Leaves a body that slides and is held from all sides where it was before the step, when all that
/// its turns led to is their rounding: so it rests to the last bit.
void grz_settle(const graze_world *world, grz_motion *motion);

#endif
