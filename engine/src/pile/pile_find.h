/// @file pile_find.h
/// Which bodies lie on each other when a step begins.
#ifndef GRZ_PILE_FIND_H
#define GRZ_PILE_FIND_H

#include "state.h"

/// Finds the piles: fills in the constraints in world->piles, and lists the motions of the bodies
/// of piles in its keys. No events may have been foreseen yet. Returns false when there is no
/// memory.
bool grz_piles_find(graze_world *world);

#endif
