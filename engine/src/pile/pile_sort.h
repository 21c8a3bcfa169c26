/// @file pile_sort.h
/// The order in which the bodies of piles push each other.
#ifndef GRZ_PILE_SORT_H
#define GRZ_PILE_SORT_H

#include "state.h"

/// Makes the bodies of the motions that world->piles.keys lists, from the lowest up, and puts the
/// constraints, all of these bodies, in order by the upper one: see grz_constraint_kind, and then
/// by id, or from the lowest up. Of several constraints with one wall the closest stays in it.
/// Returns false when there is no memory.
bool grz_piles_sort(graze_world *world);

#endif
