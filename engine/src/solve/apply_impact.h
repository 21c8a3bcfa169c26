/// @file apply_impact.h
/// What a touch leads to when its time has come: a contact, hits that are counted, bodies that are
/// removed or deflected, and new events for these.
#ifndef GRZ_APPLY_IMPACT_H
#define GRZ_APPLY_IMPACT_H

#include "world/world_state.h"

/// Makes an event happen that comes before all others, unless a change of a motion has made it
/// void. `event` may still point into the queue. Returns false when there is no memory.
bool grz_apply_impact(graze_world *world, grz_agenda *agenda, const grz_event *event);

enum { GRZ_BLOCK_TRAJECTORIES = 256 }; ///< A block of trajectories.

/// Makes all happen to isolated bodies that have trajectories. Returns false when there is no
/// memory.
bool grz_respond_isolated(graze_world *world);

/// Makes events of the contacts that the solver has reported of bodies whose hits are counted,
/// before the place `end`: hits are counted in the order of time, and what is gone has no contacts.
/// Returns false when there is no memory.
bool grz_foresee_reported(graze_world *world, uint32_t end);

/// Drops those that came too late, when all events have happened.
void grz_drop_void(graze_world *world);

#endif
