/// @file event_foresee.h
/// Finds the touches that lie ahead of a body, along its motion as it is known now and those of the
/// others, and adds an event for each. Functions that return a bool return false when there is no
/// memory, unless they say otherwise.
#ifndef GRZ_EVENT_FORESEE_H
#define GRZ_EVENT_FORESEE_H

#include "world/world_state.h"

/// Foresees what all bodies but free rays and lone ones meet in the step. To be called before any
/// event has happened to them.
bool grz_foresee_all(graze_world *world);

/// Foresees the touches of a meeting of fast bodies that are in the slice under way: see slices.h.
/// Returns false when there is no memory.
bool grz_foresee_in_slice(graze_world *world, uint32_t meeting);

/// Foresees what a body with a motion meets from `time` on, after its motion has changed there.
/// Leaves out the meeting at place `known`, which has been foreseen (GRZ_NONE: none). Gives motions
/// to what it meets: other motions may move in memory. Walls go to this agenda, bodies to the
/// world's.
bool grz_foresee_anew(graze_world *world, grz_agenda *agenda, uint32_t row, double time,
                      uint32_t known);

/// Foresees what a free ray meets in the step. Touches that Decide has found become meetings.
bool grz_foresee_ray(graze_world *world, uint32_t row);

/// Returns whether the two are round, go straight through the step as far as is known (from where
/// they are at its start, wherever that leads), and do not touch. grz_meeting_touches finds out the
/// same at a higher cost.
bool grz_meeting_is_clear_miss(const graze_world *world, const grz_meeting *meeting);

/// Finds the first touch of the two at `*from` (0 to 1 of the step) or later, along their motions
/// as they are known now. Returns whether there is one, and sets `*from` to when one of them turns
/// after it; 1: neither does.
bool grz_meeting_touches(const graze_world *world, const grz_meeting *meeting, double *from,
                         grz_touch *touch);

#endif
