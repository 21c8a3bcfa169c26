/// @file pile_pairs.h
/// The constraints of two bodies. Functions that return a bool return false when there is no
/// memory.
#ifndef GRZ_PILE_PAIRS_H
#define GRZ_PILE_PAIRS_H

#include "state.h"

/// Adds the constraints of all meetings of two that are close, unless they are thrown back. Of two
/// in no gravity that do not press on each other only the meeting is noted, in world->piles.loose.
bool grz_pile_pairs_add(graze_world *world);

/// Adds those of the noted meetings of which both bodies are in piles: what two bodies of different
/// crowds are to each other they still are.
bool grz_pile_pairs_add_loose(graze_world *world);

#endif
