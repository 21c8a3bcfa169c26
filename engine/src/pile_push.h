/// @file pile_push.h
/// How the bodies of piles push each other.
#ifndef GRZ_PILE_PUSH_H
#define GRZ_PILE_PUSH_H

#include "state.h"

/// Finds the velocity and the course of each body in world->piles, which is sorted: none comes
/// closer to what it lies on than it may, but for those that are stuck.
void grz_piles_push(graze_world *world);

#endif
