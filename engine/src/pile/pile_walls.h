/// @file pile_walls.h
/// The constraints of bodies and walls.
#ifndef GRZ_PILE_WALLS_H
#define GRZ_PILE_WALLS_H

#include "state.h"

/// Adds the constraints of the bodies that lie together in sets large enough for a pile (see
/// pile_sets.h), with the walls that they are close to. Returns false when there is no memory.
bool grz_pile_walls_add(graze_world *world);

#endif
