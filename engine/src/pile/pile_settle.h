/// @file pile_settle.h
/// What the impulses leave of an approach is taken from the upper bodies (shock propagation).
#ifndef GRZ_PILE_SETTLE_H
#define GRZ_PILE_SETTLE_H

#include "state.h"

/// Finds the velocity that each body in world->piles keeps, and the one that it has in this step
/// alone, once all have been pushed: none comes closer to what it lies on than it may, but for
/// those that are stuck. Returns false when there is no memory.
bool grz_piles_settle(graze_world *world);

/// Returns whether a body that goes from `start` to `end` in a step, and keeps this velocity, only
/// creeps: see Rest in pile.h. `fall` is what gravity adds to a speed in the step, above 0.
bool grz_piles_creep(const grz_pile_body *body, graze_vec2 start, graze_vec2 end,
                     graze_vec2d velocity, double fall);

#endif
