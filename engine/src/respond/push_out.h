/// @file push_out.h
/// Bodies are pushed out of what they overlap.
#ifndef GRZ_PUSH_OUT_H
#define GRZ_PUSH_OUT_H

#include "state.h"

/// Notes how far the event's bodies are to be pushed out of each other after the step: `a` or `b`
/// is null where the other is not solid to it, or its course is fixed. Returns
/// whether they overlap deeper than they may.
bool grz_note_overlap(graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b);

#endif
