/// @file event_happen.h
/// What becomes of a touch when its time has come: a contact, hits that are counted, bodies that
/// are spent or turned, and new events for those.
#ifndef GRZ_EVENT_HAPPEN_H
#define GRZ_EVENT_HAPPEN_H

#include "state.h"

/// Lets an event happen that comes before all others, unless a turn has made it void. It may be
/// where the queue had it. Returns false when there is no memory.
bool grz_event_happen(graze_world *world, const grz_event *event);

/// Lets a resting contact (grz_event_is_resting) happen at once: it need not wait for its turn, as
/// it changes no course. Returns false when there is no memory.
bool grz_event_happen_at_once(graze_world *world, const grz_event *event);

#endif
