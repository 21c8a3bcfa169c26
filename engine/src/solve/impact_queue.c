#include "solve/impact_queue.h"

#include "asserts.h"
#include "fault.h"
#include "min_max.h"

#include <string.h>

enum { RUN = 8 }; ///< Events that are sorted by insertion, before runs of them are merged.

// A priority queue in two parts. Most events are found before the first one happens: these are
// sorted by merging (list), which takes far fewer steps than to take them out of a heap.
// Those that come later go to a heap (heap). Both hold what tells most events apart, and the
// place of the event in `events`, where it stays.

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

// --- The sorted list ---

static void sort_run(const grz_agenda *agenda, grz_queued *run, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const grz_queued moved = run[i];
        uint32_t k = i;
        for (; k > 0 && is_before(agenda->events.data, &moved, &run[k - 1]); --k) {
            run[k] = run[k - 1];
        }
        run[k] = moved;
    }
}

// Merges two halves that are in order.
static void merge(const grz_agenda *agenda, const grz_queued *from, uint32_t half, uint32_t count,
                  grz_queued *to)
{
    const grz_event *events = agenda->events.data;
    const grz_queued *left = from;
    const grz_queued *right = from + half;
    const grz_queued *left_end = right;
    const grz_queued *right_end = from + count;
    while (left < left_end && right < right_end) {
        const bool takes_right = is_before(events, right, left);
        const grz_queued *first = takes_right ? right : left;
        *to++ = *first;
        right += takes_right;
        left += !takes_right;
    }
    memcpy(to, left, (size_t)(left_end - left) * sizeof *to);
    memcpy(to + (left_end - left), right, (size_t)(right_end - right) * sizeof *to);
}

// Nothing is in the heap yet: its memory is what it takes to merge.
bool grz_events_sort(grz_agenda *agenda)
{
    const uint32_t count = agenda->list.count;
    agenda->sorted = true;
    if (count <= RUN) {
        sort_run(agenda, agenda->list.data, count);
        return true;
    }
    if (!grz_agenda_reserve(agenda, &agenda->heap, count)) {
        return false;
    }
    for (uint32_t k = 0; k < count; k += RUN) {
        sort_run(agenda, agenda->list.data + k, min_u32(RUN, count - k));
    }
    grz_queued *from = agenda->list.data;
    grz_queued *to = agenda->heap.data;
    for (uint32_t half = RUN; half < count; half *= 2) {
        for (uint32_t k = 0; k < count; k += 2 * half) {
            const uint32_t all = min_u32(2 * half, count - k);
            merge(agenda, from + k, min_u32(half, all), all, to + k);
        }
        grz_queued *other = from;
        from = to;
        to = other;
    }
    if (from != agenda->list.data) {
        memcpy(agenda->list.data, from, (size_t)count * sizeof *from);
    }
    return true;
}

// --- The heap ---

static void add_to_heap(grz_agenda *agenda, grz_queued rising)
{
    grz_queued *queue = agenda->heap.data;
    uint32_t place = agenda->heap.count++;
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

static void sift_down(grz_agenda *agenda, grz_queued sinking)
{
    grz_queued *queue = agenda->heap.data;
    const grz_event *events = agenda->events.data;
    const uint32_t count = agenda->heap.count;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && is_before(events, &queue[child + 1], &queue[child]);
        if (!is_before(events, &queue[child], &sinking)) {
            break;
        }
        queue[place] = queue[child];
    }
    queue[place] = sinking;
}

static uint32_t take_from_heap(grz_agenda *agenda)
{
    const uint32_t first = agenda->heap.data[0].event;
    const grz_queued last = agenda->heap.data[--agenda->heap.count];
    if (agenda->heap.count) {
        sift_down(agenda, last);
    }
    return first;
}

// --- Both ---

void grz_event_add(const graze_world *world, grz_agenda *agenda)
{
    const grz_event *event = &agenda->events.data[agenda->events.count];
    const grz_queued queued = {event->touch.time, rank_of(world, event), agenda->events.count++};
    if (agenda->sorted) {
        add_to_heap(agenda, queued);
    } else {
        agenda->list.data[agenda->list.count++] = queued;
    }
}

static bool comes_from_heap(const grz_agenda *agenda)
{
    return agenda->next == agenda->list.count ||
           (agenda->heap.count && is_before(agenda->events.data, &agenda->heap.data[0],
                                            &agenda->list.data[agenda->next]));
}

double grz_event_next_time(const grz_agenda *agenda)
{
    return comes_from_heap(agenda) ? agenda->heap.data[0].time
                                   : agenda->list.data[agenda->next].time;
}

const grz_event *grz_event_pop(grz_agenda *agenda)
{
    GRZ_ASSERT(grz_events_are_left(agenda));
    const uint32_t first =
        comes_from_heap(agenda) ? take_from_heap(agenda) : agenda->list.data[agenda->next++].event;
    return &agenda->events.data[first];
}

const grz_event *grz_event_ahead(const grz_agenda *agenda, uint32_t ahead)
{
    const uint32_t left = agenda->list.count - agenda->next;
    return ahead < left ? &agenda->events.data[agenda->list.data[agenda->next + ahead].event]
                        : NULL;
}

void grz_events_clear(grz_agenda *agenda)
{
    agenda->events.count = 0;
    agenda->list.count = 0;
    agenda->next = 0;
    agenda->sorted = false;
    agenda->heap.count = 0;
}
