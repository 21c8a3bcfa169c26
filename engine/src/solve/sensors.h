/// @file sensors.h
/// Free bodies over sensors: what turns nobody need not wait for its turn.
///
/// A dynamic body, no ray, and a kinematic sensor or ray never turn each other, and no hit is
/// counted: all that comes of their candidate pair is one contact, the first on the way that the
/// body really takes. So they need no event. When the body turns, the sensors that it touched until
/// then are looked up; when all turns are known, those that it touches from its last one on. Most
/// bodies never turn. The contacts are those that events would give, to the last bit
/// (test_sensors.c).
///
/// A body with a hit_limit needs events: what it meets at the very time at which it is removed is
/// what comes before that in their order.
#ifndef GRZ_SENSORS_H
#define GRZ_SENSORS_H

#include "world/rows.h"
#include "world/world_state.h"

/// Returns whether a candidate pair is of a kinematic sensor or ray and a dynamic body, no ray,
/// that has no hit_limit.
bool grz_is_over_sensor(const graze_world *world, const grz_candidate *candidate);

/// Puts all such candidate pairs behind the others: from world->impacts.first_over_sensor on. To be
/// called before candidate pairs are linked. Returns false when there is no memory.
bool grz_sensors_set_apart(graze_world *world);

/// Adds the contacts of a body that has just turned with the sensors that it touched until then:
/// while world->impacts.courses still has its old course. Returns false when there is no memory.
bool grz_sensors_note_deflection(graze_world *world, const grz_trajectory *trajectory);

/// Adds the contacts of bodies with sensors on the last pieces of their trajectories: when all
/// turns are known. Returns false when there is no memory.
bool grz_sensors_note_ends(graze_world *world);

#endif
