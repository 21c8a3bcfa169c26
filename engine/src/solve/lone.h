/// @file lone.h
/// The events of lone bodies, which only walls can deflect. What becomes of one depends on nothing
/// but itself and the terrain: so all its events are processed before the next body, and bodies
/// that are over no sensor in blocks, in parallel.
///
/// A block has room of its own for events and contacts. Where that is too little, its last body is
/// put back to where it began, and the rest of the block is left: these bodies come after all
/// blocks, one after the other, as all do if the step runs on one thread. The contacts of the
/// blocks are joined in their order; which order that is makes no difference to the step.
#ifndef GRZ_LONE_H
#define GRZ_LONE_H

#include "world/world_state.h"

enum { GRZ_BLOCK_MOTIONS = 256 }; ///< A block of motions.

/// Makes all happen to lone bodies that have motions. Returns false when there is no memory.
bool grz_respond_lone(graze_world *world);

#endif
