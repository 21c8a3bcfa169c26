#include "respond/impulses.h"

#include "body/bodies.h"
#include "meet/meet.h"
#include "motion/exchange.h"
#include "motion/motion.h"
#include "run_sort.h"
#include "vec2d.h"

bool grz_impulse_give(graze_world *world, const grz_impulse *impulse)
{
    if (!grz_array_reserve_more(&world->impulses, &world->counting, 1) ||
        !grz_motion_give(world, world->row_of_index.data[impulse->index])) {
        return false;
    }
    world->impulses.data[world->impulses.count++] = *impulse;
    return true;
}

static int compare_impulses(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_impulse *a = &world->impulses.data[first];
    const grz_impulse *b = &world->impulses.data[second];
    if (a->index != b->index) {
        return a->index < b->index ? -1 : 1;
    }
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a->by > b->by) - (a->by < b->by);
}

static bool sort_impulses(graze_world *world)
{
    const uint32_t count = world->impulses.count;
    grz_numbers *places = &world->impulse_places;
    if (!grz_array_reserve(places, &world->counting, (size_t)count + count / 2 + 1)) {
        return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        places->data[k] = k;
    }
    grz_sort_run(world, places->data, places->data + count, count, compare_impulses);
    return true;
}

// The body has gained a velocity since the impulse was found: the faster it moves ahead of what
// hits it, the weaker the impulse is.
static graze_vec2d find_change(const graze_world *world, const grz_impulse *impulse,
                               graze_vec2d gained)
{
    const double mass = (double)grz_material_of(world, impulse->index).mass;
    const double strength = length_of(impulse->impulse);
    const double ahead = strength > 0 ? dot(gained, impulse->impulse) / strength : 0;
    const double left = max_double(1 - ahead / impulse->closing, 0);
    return scale(impulse->impulse, left / mass);
}

static void move_on(graze_world *world, uint32_t index, graze_vec2d gained)
{
    grz_motion *motion = grz_motion_of(world, world->row_of_index.data[index]);
    if (!motion->gone) {
        motion->velocity = add(motion->velocity, gained);
    }
}

bool grz_impulses_apply(graze_world *world)
{
    if (world->impulses.count == 0) {
        return true;
    }
    if (!sort_impulses(world)) {
        return false;
    }
    graze_vec2d gained = {0, 0};
    for (uint32_t k = 0; k < world->impulses.count; ++k) {
        const uint32_t *places = world->impulse_places.data + k;
        const grz_impulse *impulse = &world->impulses.data[*places];
        gained = add(gained, find_change(world, impulse, gained));
        const bool is_last = k + 1 == world->impulses.count ||
                             world->impulses.data[places[1]].index != impulse->index;
        if (is_last) {
            move_on(world, impulse->index, gained);
            gained = vec2d(0, 0);
        }
    }
    return true;
}
