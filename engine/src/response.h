/// @file response.h
/// What a body does where it meets something solid.
///
/// Velocities change by what the two really do at that time: an impulse along the normal. Courses,
/// the ways of the rest of the step, follow, but never lead into what was met.
#ifndef GRZ_RESPONSE_H
#define GRZ_RESPONSE_H

#include "state.h"

/// Returns whether a free body that goes `course` (units per step) is turned by something solid
/// in this touch: `touch->approach` is in units per step.
bool grz_is_blocked(const graze_world *world, const grz_motion *motion, graze_vec2d course,
                    const grz_touch *touch);

/// Turns the bodies that a touch blocks: `a` or `b` is null for one that is not blocked.
void grz_respond(graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b);

/// Notes how far the event's bodies are to be pushed out of each other after the step.
void grz_note_overlap(graze_world *world, const grz_event *event);

#endif
