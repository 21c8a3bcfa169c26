#include "event_queue.h"

#include "meet.h"
#include "motion.h"
#include "rows.h"

// A heap of what tells most events apart: these stay where they are in their list.

// Walls come before bodies; then by the ids of what touches.
static uint64_t rank_of(const graze_world *world, const grz_event *event)
{
    const uint64_t a = world->rows.index[event->row_a];
    return event->row_b == GRZ_NONE ? a : (a + 1) << 32 | world->rows.index[event->row_b];
}

// Of two events of the same time and rank: the same touch, foreseen before a turn and again after
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
    return first->segment.index < second->segment.index;
}

// Which of two comes first is a coin-toss: no branch but for the rare ones that are alike.
static inline bool is_before(const grz_event *events, const grz_queued *first,
                             const grz_queued *second)
{
    const bool same_time = first->time == second->time;
    if (same_time && first->rank == second->rank) {
        return is_foreseen_before(&events[first->event], &events[second->event]);
    }
    return (first->time < second->time) | (same_time & (first->rank < second->rank));
}

static void sift_up(graze_world *world, uint32_t place)
{
    grz_queued *queue = world->queue.data;
    const grz_queued rising = queue[place];
    while (place > 0) {
        uint32_t parent = (place - 1) / 2;
        if (!is_before(world->events.data, &rising, &queue[parent])) {
            break;
        }
        queue[place] = queue[parent];
        place = parent;
    }
    queue[place] = rising;
}

static void sift_down(graze_world *world, grz_queued sinking)
{
    grz_queued *queue = world->queue.data;
    const grz_event *events = world->events.data;
    uint32_t count = world->queue.count;
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

bool grz_event_push(graze_world *world, const grz_event *event)
{
    if (!grz_array_reserve_more(&world->events, &world->counting, 1) ||
        !grz_array_reserve_more(&world->queue, &world->counting, 1)) {
        return false;
    }
    const grz_queued queued = {event->touch.time, rank_of(world, event), world->events.count};
    world->queue.data[world->queue.count] = queued;
    world->events.data[world->events.count++] = *event;
    sift_up(world, world->queue.count++);
    return true;
}

grz_event grz_event_pop(graze_world *world)
{
    const uint32_t first = world->queue.data[0].event;
    const grz_queued last = world->queue.data[--world->queue.count];
    if (world->queue.count) {
        sift_down(world, last);
    }
    return world->events.data[first];
}

static bool is_in_force(const graze_world *world, const grz_event *event)
{
    const grz_motion *a = grz_motion_of(world, event->row_a);
    const grz_motion *b = event->row_b == GRZ_NONE ? NULL : grz_motion_of(world, event->row_b);
    const double time = event->touch.time;
    return grz_motion_is_in_force(a, event->version_a, time) &&
           grz_motion_is_in_force(b, event->version_b, time);
}

void grz_events_drop_void(graze_world *world)
{
    const uint32_t count = world->queue.count;
    world->queue.count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const grz_queued queued = world->queue.data[k];
        if (is_in_force(world, &world->events.data[queued.event])) {
            world->queue.data[world->queue.count] = queued;
            sift_up(world, world->queue.count++);
        }
    }
}
