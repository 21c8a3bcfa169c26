#include "solve/impact_queue.h"

#include "fault.h"

// A binary heap: it holds what tells most events apart, and the place of the event in `events`,
// where it stays.

// Walls come before bodies; then by the ids of what touches.
static uint64_t rank_of(const graze_world *world, const grz_event *event)
{
    const uint32_t a = world->bodies.rows.index[event->row_a];
    return event->row_b == GRZ_NONE ? a : grz_touch_rank(a, world->bodies.rows.index[event->row_b]);
}

// Of two events of the same time and rank: the same touch, found before a turn and again after
// it, or walls. Where several cells list a wall its events are equal: they follow one another.
static bool is_foreseen_before(const grz_event *first, const grz_event *second)
{
    if (first->version_a != second->version_a) {
        return first->version_a < second->version_a;
    }
    if (first->version_b != second->version_b) {
        return first->version_b < second->version_b;
    }
    if (first->segment.chain.index != second->segment.chain.index) {
        return first->segment.chain.index < second->segment.chain.index;
    }
    GRZ_FAULT(first_hit_ties, return first->segment.index > second->segment.index);
    return first->segment.index < second->segment.index;
}

// Which of two comes first cannot be predicted: no branch but for the rare ones that are alike.
static inline bool is_before(const grz_event *events, const grz_queued *first,
                             const grz_queued *second)
{
    const bool same_time = first->time == second->time;
    if (same_time && first->rank == second->rank) {
        return is_foreseen_before(&events[first->event], &events[second->event]);
    }
    return (first->time < second->time) | (same_time & (first->rank < second->rank));
}

// Puts one in at a place where none is, or above it.
static inline void rise(const grz_event *events, grz_queued *queue, uint32_t place,
                        grz_queued rising)
{
    while (place > 0) {
        const uint32_t parent = (place - 1) / 2;
        if (!is_before(events, &rising, &queue[parent])) {
            break;
        }
        queue[place] = queue[parent];
        place = parent;
    }
    queue[place] = rising;
}

void grz_event_add(const graze_world *world, grz_agenda *agenda)
{
    const grz_event *events = agenda->events.data, *event = &events[agenda->events.count];
    const grz_queued rising = {event->touch.time, rank_of(world, event), agenda->events.count++};
    rise(events, agenda->heap.data, agenda->heap.count++, rising);
}

// The last one takes the first one's place: it belongs near the bottom, so all on the way there
// move up first.
const grz_event *grz_event_pop(grz_agenda *agenda)
{
    GRZ_ASSERT(grz_events_are_left(agenda));
    const grz_event *events = agenda->events.data;
    grz_queued *queue = agenda->heap.data;
    const grz_event *first = &events[queue[0].event];
    const uint32_t count = --agenda->heap.count;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && is_before(events, &queue[child + 1], &queue[child]);
        queue[place] = queue[child];
    }
    rise(events, queue, place, queue[count]);
    return first;
}
