/// @file impact_walls.h
/// Foresees which walls a body meets.
#ifndef GRZ_IMPACT_WALLS_H
#define GRZ_IMPACT_WALLS_H

#include "world/world_state.h"

/// Foresees which walls a dynamic body meets on the last piece of its trajectory, up to the first
/// that turns it, and adds an event for each. `is_first`: nothing has happened to it in this step.
/// Gives it a trajectory if it meets one: other trajectories may move in memory. Returns false when
/// there is no memory.
bool grz_find_impacts_walls(graze_world *world, grz_agenda *agenda, grz_row row, bool is_first);

#endif
