/// @file pile_sort.h
/// The order in which the bodies of piles push each other.
#ifndef GRZ_PILE_SORT_H
#define GRZ_PILE_SORT_H

#include "state.h"

/// Makes the bodies from the motions that world->piles.keys lists, from the lowest up. Lists the
/// constraints in world->piles.order: by their upper body, then by kind (grz_constraint_kind), then
/// by id or, if the lower one gives way, by that. Of several constraints of a body with one wall
/// only the closest is listed. Returns false when there is no memory.
bool grz_piles_sort(graze_world *world);

#endif
