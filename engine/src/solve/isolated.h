/// @file isolated.h
/// The events of isolated bodies, which only walls can deflect. What becomes of one depends on
/// nothing but itself and the terrain: so all its events are processed before the next body, and
/// bodies that are over no sensor in blocks, in parallel.
///
/// A block has room of its own for events and contacts. Where that is too little, its last body is
/// put back to where it began, and the rest of the block is left: these bodies come after all
/// blocks, one after the other, as all do if the step runs on one thread. The contacts of the
/// blocks are joined in their order; which order that is makes no difference to the step.
#ifndef GRZ_ISOLATED_H
#define GRZ_ISOLATED_H

#include "world/world_state.h"

enum { GRZ_BLOCK_TRAJECTORIES = 256 }; ///< A block of trajectories.

/// Makes all happen to isolated bodies that have trajectories. Returns false when there is no
/// memory.
bool grz_respond_isolated(graze_world *world);

#endif
