/// @file event_queue.h
/// The touches that are foreseen in a step, in the order in which they happen: by time, then walls
/// before bodies, then by the ids of what touches. So the order is a function of the state alone.
#ifndef GRZ_EVENT_QUEUE_H
#define GRZ_EVENT_QUEUE_H

#include "state.h"

/// Returns the rank, among touches of one time, of two bodies whose ids have these indices, a the
/// smaller: by a, then by b. A wall that a touches has the rank a.
static inline uint64_t grz_touch_rank(uint32_t a, uint32_t b)
{
    return ((uint64_t)a + 1) << 32 | b;
}

/// Makes room for `wanted` elements in one of its arrays. Yields false if there is none.
#define grz_agenda_reserve(agenda, array, wanted)                                                  \
    ((wanted) <= (array)->capacity ||                                                              \
     ((agenda)->allocator && grz_array_reserve((array), (agenda)->allocator, (wanted))))

/// Forgets all events: to be called before the first is added.
void grz_events_clear(grz_agenda *agenda);

/// Makes room for one more event. Returns where it is to be filled in: a copy would have to wait
/// until all of it is stored. Null when there is no memory.
grz_event *grz_event_room(grz_agenda *agenda);

/// Adds the event that was filled in there.
void grz_event_add(const graze_world *world, grz_agenda *agenda);

/// Sorts the events: to be called before the first one is taken out; more may be added after that.
/// Returns false when there is no memory.
bool grz_events_sort(grz_agenda *agenda);

bool grz_events_are_left(const grz_agenda *agenda);

/// Returns the event that is `ahead` places behind the first of the sorted ones that are left. Null
/// if there is none.
const grz_event *grz_event_ahead(const grz_agenda *agenda, uint32_t ahead);

/// Returns the time of the first event, of at least one.
double grz_event_next_time(const grz_agenda *agenda);

/// Takes out the first event, of at least one. It stays where it is until room is made for another.
const grz_event *grz_event_pop(grz_agenda *agenda);

#endif
