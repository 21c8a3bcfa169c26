/// @file push_out.h
/// Bodies are pushed out of what they overlap.
#ifndef GRZ_PUSH_OUT_H
#define GRZ_PUSH_OUT_H

#include "state.h"

/// Notes how far the event's bodies are to be pushed out of each other after the step: `a` or `b`
/// is null where the other is not solid to it, or its course is fixed. Returns whether they overlap
/// deeper than they may.
bool grz_note_overlap(graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b);

/// Lets what is pushed out of a body that gives it no way, such as a lift, take along what lies on
/// it: once all overlaps are noted.
///
/// Cost       Proportional to what is close to each other in piles, in steps that have such a push.
void grz_pushes_carry(graze_world *world);

/// Moves the end of a motion by its push, which leads along the walls that are in its way, and not
/// into them: nowhere, where they leave it no way; that of a body that stops not at all where the
/// straight way to it from its start would cross a wall.
///
/// Cost       For a body that a wall is near, a search of walls; one more for each that is in the
///            way.
void grz_push_out(const graze_world *world, grz_motion *motion);

#endif
