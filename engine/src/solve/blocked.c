#include "solve/blocked.h"

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/exchange.h"
#include "vec2d.h"

// The move decides, but for its rounding. Against what gives no way the velocity does as well,
// which is exact: far from the origin the move could be rounded to nothing while gravity adds up.
static bool comes_into(const graze_world *world, const grz_trajectory *trajectory,
                       const grz_touch *touch, double speed)
{
    if (grz_is_clearly_into(world, trajectory, speed)) {
        return true;
    }
    const double allowance = grz_slide_allowance(world, trajectory);
    if (speed * (double)world->call.dt > allowance) {
        return true;
    }
    const uint32_t last = trajectory->count - 2;
    const double rest = 1 - trajectory->time[last];
    return (touch->approach - allowance) * rest > grz_blur_at(trajectory->at[last], touch->normal);
}

// What stops is not pushed out, so it may go along a surface, but for rounding, only as long as it
// has not sunk in. A point has no surface to go along. At the very end of the step the move leads
// no further in: then the velocity does, unless it is a rotation that touches.
static bool is_stopped(const graze_world *world, const grz_trajectory *trajectory,
                       const grz_touch *touch, double speed)
{
    const double size = grz_size_of(world, trajectory->row);
    const uint32_t last = trajectory->count - 2;
    const double rest = 1 - trajectory->time[last];
    const double allowed = grz_slide_allowance(world, trajectory) * rest +
                           grz_blur_at(trajectory->at[last], touch->normal);
    const bool sunk = !(touch->depth < grz_sink_limit * size);
    const bool spins = (world->bodies.rows.traits[trajectory->row] & GRZ_TRAIT_SPINS) != 0;
    const bool at_end = touch->time >= 1 && touch->approach == 0 && !spins;
    GRZ_FAULT(stopping_at_the_end, at_end = false);
    const double approach = at_end ? speed * (double)world->call.dt : touch->approach;
    return approach > 0 && (sunk || approach * rest > allowed);
}

// A corner in a row of bodies that continue each other sticks out by rounding, and what slides
// along the row is sunk into it, as deep as it may rest.
static bool is_passed_at(const graze_world *world, const grz_event *event,
                         const grz_trajectory *trajectory, graze_vec2d side)
{
    const double room = grz_corner_room(world, trajectory, side);
    return grz_pass_aside(world, event->row_a, event->row_b, event->touch.time, scale(side, room));
}

// Across the way that one goes past the other: what is round touches a corner that it only grazes
// with any normal.
static graze_vec2d find_side_of_way(const graze_world *world, const grz_event *event)
{
    const double time = event->touch.time;
    const graze_vec2d way = subtract(grz_course_at(world, event->row_a, time),
                                     grz_course_at(world, event->row_b, time));
    const double length = length_of(way);
    return length > 0 ? scale(left_of(way), 1 / length) : left_of(event->touch.normal);
}

// A point that stops has no side.
bool grz_is_passed(const graze_world *world, const grz_event *event,
                   const grz_trajectory *trajectory)
{
    const bool stops = grz_response_of(world, trajectory) == GRAZE_STOP;
    if (stops && grz_size_of(world, trajectory->row) == 0) {
        return false;
    }
    GRZ_FAULT(stopping_in_passing, stops = false);
    return is_passed_at(world, event, trajectory, left_of(event->touch.normal)) ||
           (stops && is_passed_at(world, event, trajectory, find_side_of_way(world, event)));
}

bool grz_is_blocked(const graze_world *world, const grz_trajectory *trajectory,
                    const grz_touch *touch, double speed)
{
    if (touch->passes || !(world->bodies.rows.traits[trajectory->row] & GRZ_TRAIT_RESPONDS)) {
        return false;
    }
    if (grz_response_of(world, trajectory) == GRAZE_STOP) {
        return !trajectory->stands &&
               (touch->crosses || is_stopped(world, trajectory, touch, speed));
    }
    return touch->crosses || comes_into(world, trajectory, touch, speed);
}
