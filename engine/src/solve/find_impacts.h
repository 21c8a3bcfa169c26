/// @file find_impacts.h
/// Finds the touches that lie ahead of a body, along its trajectory as it is known now and those of
/// the others, and adds an event for each. Functions that return a bool return false when there is
/// no memory, unless they say otherwise.
#ifndef GRZ_FIND_IMPACTS_H
#define GRZ_FIND_IMPACTS_H

#include "world/world_state.h"

/// Foresees what all bodies but dynamic rays and isolated ones meet in the step. To be called
/// before any event has happened to them.
bool grz_find_impacts_all(graze_world *world);

/// Foresees the touches of a candidate pair of fast bodies that are in the slice under way: see
/// slices.h. Returns false when there is no memory.
bool grz_find_impacts_in_slice(graze_world *world, uint32_t candidate);

/// Foresees what a body with a trajectory meets from `time` on, after its trajectory has changed
/// there. Leaves out the candidate pair at place `known`, which has been found (GRZ_NONE: none).
/// Gives trajectories to what it meets: other trajectories may move in memory. Walls go to this
/// agenda, bodies to the world's.
bool grz_find_impacts_anew(graze_world *world, grz_agenda *agenda, grz_row row, double time,
                           uint32_t known);

/// Foresees what a dynamic ray meets in the step. Touches that Decide has found become candidate
/// pairs.
bool grz_find_impacts_ray(graze_world *world, grz_row row);

/// Returns whether the two are round, go straight through the step as far as is known (from where
/// they are at its start, wherever that leads), and do not touch. grz_candidate_touches finds out
/// the same at a higher cost.
bool grz_candidate_is_clear_miss(const graze_world *world, const grz_candidate *candidate);

/// Finds the first touch of the two at `*from` (0 to 1 of the step) or later, along their
/// trajectories as they are known now. Returns whether there is one, and sets `*from` to when one
/// of them turns after it; 1: neither does.
bool grz_candidate_touches(const graze_world *world, const grz_candidate *candidate, double *from,
                           grz_touch *touch);

#endif
