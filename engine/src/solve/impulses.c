#include "solve/impulses.h"

#include "collide/pair_sweep.h"
#include "fault.h"
#include "solve/exchange.h"
#include "solve/trajectory.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/run_sort.h"

bool grz_impulse_give(graze_world *world, const grz_impulse *impulse)
{
    const grz_row row = world->bodies.row_of_index.data[impulse->index];
    if (!grz_array_reserve_more(&world->impacts.impulses, &world->config.counting, 1) ||
        !(grz_is_solved(world->bodies.rows.traits[row]) || grz_trajectory_give(world, row))) {
        return false;
    }
    world->impacts.impulses.data[world->impacts.impulses.count++] = *impulse;
    return true;
}

static int compare_impulses(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_impulse *a = &world->impacts.impulses.data[first];
    const grz_impulse *b = &world->impacts.impulses.data[second];
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
    const uint32_t count = world->impacts.impulses.count;
    grz_numbers *places = &world->impacts.impulse_places;
    if (!grz_array_reserve(places, &world->config.counting, (size_t)count + count / 2 + 1)) {
        return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        places->data[k] = k;
    }
    grz_sort_run(world, places->data, places->data + count, count, compare_impulses);
    return true;
}

// By how much what it met since, until a time of the step, has changed the velocity of a body.
static graze_vec2d turned_since(const graze_world *world, const grz_impulse *impulse, double until)
{
    const grz_row row = world->bodies.row_of_index.data[impulse->index];
    const graze_vec2d turned =
        subtract(grz_course_at(world, row, until), grz_course_at(world, row, impulse->time));
    return scale(turned, 1 / (double)world->call.dt);
}

// The body may have gained a velocity since the impulse was found: the faster it moves ahead of
// what hits it, the weaker the impulse is. It is never stronger.
static void add_gain(const graze_world *world, const grz_impulse *impulse, double until,
                     grz_impulse_gain *gain)
{
    const grz_row row = world->bodies.row_of_index.data[impulse->index];
    const double mass = (double)grz_material_of(world, impulse->index).mass;
    const double strength = length_of(impulse->impulse);
    const graze_vec2d gained = add(along(gain->velocity, left_of(impulse->lever), gain->spin),
                                   turned_since(world, impulse, until));
    const double ahead = strength > 0 ? dot(gained, impulse->impulse) / strength : 0;
    const double left = clamp(1 - ahead / impulse->closing, 0, 1);
    GRZ_FAULT(rays_in_turn, left = 1);
    gain->velocity = along(gain->velocity, impulse->impulse, left / mass);
    gain->spin +=
        left * cross(impulse->lever, impulse->impulse) * grz_inverse_inertia_of(world, row);
}

// Rays come one after the other: so the last impulses are its own, in the order of time.
grz_impulse_gain grz_impulses_given(const graze_world *world, grz_row row, uint32_t ray,
                                    double time)
{
    const uint32_t by = world->bodies.rows.index[ray], index = world->bodies.rows.index[row];
    uint32_t first = world->impacts.impulses.count;
    while (first > 0 && world->impacts.impulses.data[first - 1].by == by) {
        --first;
    }
    grz_impulse_gain gain = {{0, 0}, 0};
    for (uint32_t k = first; k < world->impacts.impulses.count; ++k) {
        if (world->impacts.impulses.data[k].index == index) {
            add_gain(world, &world->impacts.impulses.data[k], time, &gain);
        }
    }
    return gain;
}

// A rigid body that is hit is awake from the next step on.
static grz_rigid_end *wake(graze_world *world, grz_row row)
{
    grz_rigid_end *end = &world->solve.ends.data[world->solve.slot_of_row.data[row]];
    end->asleep = false;
    end->quiet = 0;
    return end;
}

static void move_rigid(graze_world *world, grz_row row, const grz_impulse_gain *gain)
{
    grz_rigid_end *end = wake(world, row);
    const graze_vec2 velocity = world->bodies.rows.end_velocity[row];
    world->bodies.rows.end_velocity[row] = narrow_reported2(add(widen(velocity), gain->velocity));
    end->spin = narrow_reported((double)end->spin + gain->spin);
}

static void move_on(graze_world *world, grz_index index, const grz_impulse_gain *gain)
{
    const grz_row row = world->bodies.row_of_index.data[index];
    grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (trajectory && !trajectory->gone) {
        trajectory->velocity = add(trajectory->velocity, gain->velocity);
        trajectory->spin = narrow_reported((double)trajectory->spin + gain->spin);
        if (grz_is_rigid(world->bodies.rows.traits[row])) {
            wake(world, row);
        }
    } else if (row < world->bodies.active_count && grz_is_solved(world->bodies.rows.traits[row])) {
        move_rigid(world, row, gain);
    }
}

bool grz_impulses_apply(graze_world *world)
{
    if (world->impacts.impulses.count == 0) {
        return true;
    }
    if (!sort_impulses(world)) {
        return false;
    }
    const grz_impulse_gain none = {{0, 0}, 0};
    grz_impulse_gain gain = none;
    for (uint32_t k = 0; k < world->impacts.impulses.count; ++k) {
        const uint32_t *places = world->impacts.impulse_places.data + k;
        const grz_impulse *impulse = &world->impacts.impulses.data[*places];
        add_gain(world, impulse, 1, &gain);
        const bool is_last = k + 1 == world->impacts.impulses.count ||
                             world->impacts.impulses.data[places[1]].index != impulse->index;
        if (is_last) {
            move_on(world, impulse->index, &gain);
            gain = none;
        }
    }
    return true;
}
