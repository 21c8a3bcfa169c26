#include "solve/impact_queue.h"

#include "asserts.h"
#include "bits.h"
#include "fault.h"
#include "min_max.h"

// A binary heap: it holds what tells most events apart, and the place of the event in `events`,
// where it stays. A heap of all events of a step would be deep, and far from the processor. So the
// step is cut into spans of equal length: the events of later ones wait, in no order, until the
// heap is empty.

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

static void rise(const grz_agenda *agenda, uint32_t place, grz_queued rising)
{
    grz_queued *queue = agenda->heap.data;
    while (place > 0) {
        const uint32_t parent = (place - 1) / 2;
        if (!is_before(agenda->events.data, &rising, &queue[parent])) {
            break;
        }
        queue[place] = queue[parent];
        place = parent;
    }
    queue[place] = rising;
}

static void push(const graze_world *world, grz_agenda *agenda, uint32_t number)
{
    const grz_event *event = &agenda->events.data[number];
    const grz_queued rising = {event->touch.time, rank_of(world, event), number};
    rise(agenda, agenda->heap.count++, rising);
}

static uint32_t span_of(const grz_event *event)
{
    return (uint32_t)min_double(event->touch.time * GRZ_SPANS, GRZ_SPANS - 1);
}

// The heap is not empty while any event is left.
void grz_event_add(const graze_world *world, grz_agenda *agenda)
{
    const uint32_t number = agenda->events.count++;
    grz_event *event = &agenda->events.data[number];
    const uint32_t span = span_of(event);
    const uint64_t bit = UINT64_C(1) << span;
    if (agenda->heap.count == 0) {
        agenda->span = span;
    }
    if (span <= agenda->span) {
        push(world, agenda, number);
        return;
    }
    event->next = agenda->waiting & bit ? agenda->firsts[span] : GRZ_NONE;
    agenda->firsts[span] = number;
    agenda->waiting |= bit;
}

static void go_on(const graze_world *world, grz_agenda *agenda)
{
    agenda->span = grz_lowest_bit(agenda->waiting);
    agenda->waiting &= agenda->waiting - 1;
    for (uint32_t number = agenda->firsts[agenda->span]; number != GRZ_NONE;
         number = agenda->events.data[number].next) {
        push(world, agenda, number);
    }
}

// What takes the place of the first was among the last: so it sinks to the bottom, and then rises.
const grz_event *grz_event_pop(const graze_world *world, grz_agenda *agenda)
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
    rise(agenda, place, queue[count]);
    if (count == 0 && agenda->waiting) {
        go_on(world, agenda);
    }
    return first;
}
