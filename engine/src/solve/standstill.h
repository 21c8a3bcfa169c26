/// @file standstill.h
/// Which dynamic bodies a step leaves as they were: see sleep.h.
#ifndef GRZ_STANDSTILL_H
#define GRZ_STANDSTILL_H

#include "world/world_state.h"

/// Lists in world->sleep.standing the bodies that the next step would leave as they are, too, if
/// nothing new came near. To be called once Respond knows all trajectories; does nothing in steps
/// after which no body may become still. Returns false when there is no memory.
///
/// Cost       Proportional to the trajectories and candidate pairs, in those steps alone.
bool grz_standstill_find(graze_world *world);

#endif
