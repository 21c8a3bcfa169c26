/// @file find_impacts.h
/// Finds the touches that lie ahead of a body, along its trajectory as it is known now and those of
/// the others, and adds an event for each. Functions that return a bool return false when there is
/// no memory, unless they say otherwise.
///
/// Sensors    A dynamic body, no ray, and a kinematic sensor or ray never turn each other, and no
///            hit is counted: all that comes of their candidate pair is one contact, the first on
///            the way that the body really takes. So they need no event. When the body turns, the
///            sensors that it touched until then are looked up; when all turns are known, those
///            that it touches from its last one on. Most bodies never turn. The contacts are those
///            that events would give, to the last bit (test_sensors.c). A body with a hit_limit
///            needs events: what it meets at the very time at which it is removed is what comes
///            before that in their order.
#ifndef GRZ_FIND_IMPACTS_H
#define GRZ_FIND_IMPACTS_H

#include "world/rows.h"
#include "world/world_state.h"

/// Foresees what all bodies but dynamic rays and isolated ones meet in the step. To be called
/// before any event has happened to them.
bool grz_find_impacts_all(graze_world *world);

/// Foresees the touches of a candidate pair of slices that are in the slice under way: see
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
/// they are at its start, wherever that leads), and do not touch. grz_touch_moving finds out the
/// same at a higher cost.
bool grz_candidate_is_clear_miss(const graze_world *world, const grz_candidate *candidate);

/// Foresees which walls a dynamic body meets on the last piece of its trajectory, up to the first
/// that turns it, and adds an event for each. `is_first`: nothing has happened to it in this step.
/// If its trajectory is null, it gets one if it meets a wall: other trajectories may move in
/// memory. Returns false when there is no memory.
bool grz_find_impacts_walls(graze_world *world, grz_agenda *agenda, grz_row row,
                            grz_trajectory *trajectory, bool is_first);

/// Puts the candidate pairs of bodies over sensors behind the others: from
/// world->impacts.first_over_sensor on. To be called before candidate pairs are linked. Returns
/// false when there is no memory.
bool grz_sensors_set_apart(graze_world *world);

/// Adds the contacts of a body that has just turned with the sensors that it touched until then:
/// while world->impacts.courses still has its old course. Returns false when there is no memory.
bool grz_sensors_note_deflection(graze_world *world, const grz_trajectory *trajectory);

/// Adds the contacts of bodies with sensors on the last pieces of their trajectories: when all
/// turns are known. Returns false when there is no memory.
bool grz_sensors_note_ends(graze_world *world);

#endif
