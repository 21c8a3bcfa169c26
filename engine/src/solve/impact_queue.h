/// @file impact_queue.h
/// The touches that are found in a step, in the order in which they happen: by time, then walls
/// before bodies, then by the ids of what touches. So the order is a function of the state alone.
#ifndef GRZ_IMPACT_QUEUE_H
#define GRZ_IMPACT_QUEUE_H

#include "asserts.h"
#include "world/world_state.h"

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

/// Makes room for one more event. Returns where it is to be filled in: a copy would have to wait
/// until all of it is stored. Null when there is no memory.
static inline grz_event *grz_event_room(grz_agenda *agenda)
{
    const bool has_room =
        grz_agenda_reserve(agenda, &agenda->events, (size_t)agenda->events.count + 1) &&
        grz_agenda_reserve(agenda, &agenda->heap, (size_t)agenda->heap.count + 1);
    return has_room ? &agenda->events.data[agenda->events.count] : NULL;
}

/// Adds the event that was filled in there.
void grz_event_add(const graze_world *world, grz_agenda *agenda);

static inline bool grz_events_are_left(const grz_agenda *agenda)
{
    return agenda->heap.count != 0;
}

/// Returns the event at a place of the heap: 0 is the first, 1 or 2 the next. Null if there is
/// none.
static inline const grz_event *grz_event_at(const grz_agenda *agenda, uint32_t place)
{
    return place < agenda->heap.count ? &agenda->events.data[agenda->heap.data[place].event] : NULL;
}

/// Takes out the first event, of at least one. It stays where it is until room is made for another.
const grz_event *grz_event_pop(grz_agenda *agenda);

/// Forgets all events.
static inline void grz_events_clear(grz_agenda *agenda)
{
    agenda->events.count = agenda->heap.count = 0;
}

#endif
