/// @file carry.h
/// What is driven moves what it meets as fast as it goes itself, be it at rest, and what lies
/// before that: it may be farther in a step than the boxes by which pairs were found. A step that
/// leaves such a body inside of what drives it is proposed anew, with boxes that reach as far as
/// bodies are carried. Else a flipper would go through the ball that lies on it.
#ifndef GRZ_CARRY_H
#define GRZ_CARRY_H

#include "world/world_state.h"

/// Returns whether what is driven, as the step is proposed, ends so deep in another body that it
/// does not hold it, and deeper than it was. Cost: a look at all candidate pairs.
bool grz_carry_is_needed(const graze_world *world);

/// Finds, by the candidate pairs, how far bodies are carried, and sets the column of carries. Sets
/// `*more`: some are carried farther than they reached before. Returns false when there is no
/// memory. Cost: a few looks at all candidate pairs.
bool grz_carry_find(graze_world *world, bool *more);

#endif
