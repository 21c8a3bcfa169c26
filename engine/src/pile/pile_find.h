/// @file pile_find.h
/// Which bodies lie on each other when a step begins.
#ifndef GRZ_PILE_FIND_H
#define GRZ_PILE_FIND_H

#include "state.h"

/// Finds the piles: fills in the constraints in world->piles, and lists the motions of the bodies
/// in its keys; none where there is no pile. Nothing may have been foreseen yet. Returns false when
/// there is no memory.
bool grz_piles_find(graze_world *world);

/// Returns a number that is the same for two bodies if they are of one pile: that of a motion.
uint32_t grz_pile_of(grz_piles *piles, uint32_t motion);

#endif
