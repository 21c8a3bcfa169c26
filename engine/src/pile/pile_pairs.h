/// @file pile_pairs.h
/// The constraints of two bodies. Functions that return a bool return false when there is no
/// memory.
#ifndef GRZ_PILE_PAIRS_H
#define GRZ_PILE_PAIRS_H

#include "state.h"

/// Adds a constraint for each meeting of two that are close, unless they bounce off each other.
/// Without gravity, two that do not press on each other get none, but their meeting is noted in
/// world->piles.loose.
bool grz_pile_pairs_add(graze_world *world);

/// Adds the constraints of the noted meetings of which both bodies are in piles, be it in different
/// ones.
bool grz_pile_pairs_add_loose(graze_world *world);

#endif
