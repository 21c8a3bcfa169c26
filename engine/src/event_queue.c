#include "event_queue.h"

// A heap of places in the list of events: these stay where they are.

static bool is_before(const graze_world *world, const grz_event *first, const grz_event *second)
{
    const uint32_t *index = world->rows.index;
    if (first->touch.time != second->touch.time) {
        return first->touch.time < second->touch.time;
    }
    bool first_is_wall = first->row_b == GRZ_NONE;
    bool second_is_wall = second->row_b == GRZ_NONE;
    if (first_is_wall != second_is_wall) {
        return first_is_wall;
    }
    if (first->row_a != second->row_a) {
        return index[first->row_a] < index[second->row_a];
    }
    if (!first_is_wall && first->row_b != second->row_b) {
        return index[first->row_b] < index[second->row_b];
    }
    // The same touch, foreseen before a turn and again after it. Where several cells list a wall
    // its events are equal: they follow one another.
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

static void sift_up(graze_world *world, uint32_t place)
{
    uint32_t *queue = world->queue.data;
    const grz_event *events = world->events.data;
    uint32_t rising = queue[place];
    while (place > 0) {
        uint32_t parent = (place - 1) / 2;
        if (!is_before(world, &events[rising], &events[queue[parent]])) {
            break;
        }
        queue[place] = queue[parent];
        place = parent;
    }
    queue[place] = rising;
}

static void sift_down(graze_world *world, uint32_t sinking)
{
    uint32_t *queue = world->queue.data;
    const grz_event *events = world->events.data;
    uint32_t count = world->queue.count;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count &&
            is_before(world, &events[queue[child + 1]], &events[queue[child]])) {
            ++child;
        }
        if (!is_before(world, &events[queue[child]], &events[sinking])) {
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
    world->queue.data[world->queue.count] = world->events.count;
    world->events.data[world->events.count++] = *event;
    sift_up(world, world->queue.count++);
    return true;
}

grz_event grz_event_pop(graze_world *world)
{
    uint32_t first = world->queue.data[0];
    uint32_t last = world->queue.data[--world->queue.count];
    if (world->queue.count) {
        sift_down(world, last);
    }
    return world->events.data[first];
}
