#include "solve/blocked.h"

#include "collide/pair_sweep.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/impulse.h"
#include "solve/trajectory.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/rows.h"

// The move decides, but for its rounding. Against what gives no way the velocity does as well,
// which is exact: far from the origin the move could be rounded to nothing while gravity adds up.
static bool comes_into(const graze_world *world, const grz_trajectory *trajectory,
                       const grz_touch *touch, double speed)
{
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

// Whether they would not touch if one were shifted to a side, or as far to the other.
static bool is_passed_at(const graze_world *world, const grz_event *event, graze_vec2d side,
                         double room)
{
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

// Returns whether the event's bodies only pass each other along their sides: if one were a little
// to the side, they would not touch at all. A corner in a row of bodies that continue each other
// sticks out by rounding, and what slides along the row is sunk into it, as deep as it may rest.
// `trajectory` is that of either body. A point that stops has no side.
static bool is_passed(const graze_world *world, const grz_event *event,
                      const grz_trajectory *trajectory)
{
    const graze_response response = grz_response_of(world, trajectory);
    if (response == GRAZE_STOP && grz_size_of(world, trajectory->row) == 0) {
        return false;
    }
    const uint32_t other = trajectory->row == event->row_a ? event->row_b : event->row_a;
    bool grazes =
        response == GRAZE_STOP || (response == GRAZE_SLIDE && grz_is_driving(world, other));
    GRZ_FAULT(stopping_in_passing, grazes = false);
    const graze_vec2d side = left_of(event->touch.normal);
    if (is_passed_at(world, event, side, grz_corner_room(world, trajectory, side))) {
        return true;
    }
    if (!grazes) {
        return false;
    }
    const graze_vec2d across = find_side_of_way(world, event);
    return is_passed_at(world, event, across, grz_overlap_room(world, trajectory, across));
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

// --- Both sides ---

static bool is_current(const grz_trajectory *trajectory, uint32_t version)
{
    return !trajectory || trajectory->version == version;
}

// Returns how fast the two approach each other: as found, unless one of them has been deflected
// at this very time. The found value is not computed again: impact_walls.c has used it to judge
// where the trajectory changes, and another rounding could disagree.
static double find_approach_of_centres(const graze_world *world, const grz_event *event)
{
    const bool is_of_wall = event->row_b == GRZ_NONE;
    const grz_trajectory *a = grz_trajectory_of(world, event->row_a);
    const grz_trajectory *b = is_of_wall ? NULL : grz_trajectory_of(world, event->row_b);
    if (is_current(a, event->version_a) && is_current(b, event->version_b)) {
        return event->touch.approach;
    }
    graze_vec2d relative = grz_course_at(world, event->row_a, event->touch.time);
    if (!is_of_wall) {
        relative = subtract(relative, grz_course_at(world, event->row_b, event->touch.time));
    }
    return dot(relative, event->touch.normal);
}

// Of a rigid body only what its turn adds: another impact in this step may take the turn away.
static double find_approach(const graze_world *world, const grz_event *event)
{
    const double turning = grz_turning_approach(world, event);
    return find_approach_of_centres(world, event) +
           (grz_is_impact(world, event) ? max_double(turning, 0) : turning);
}

grz_side grz_side_of(const graze_world *world, grz_row row, bool other_is_solid)
{
    grz_trajectory *trajectory = other_is_solid ? grz_trajectory_of(world, row) : NULL;
    const grz_side side = {
        .row = row, .trajectory = trajectory, .version = trajectory ? trajectory->version : 0};
    return side;
}

// Returns how fast a body approaches something that gives no way; 0 if the other may.
static double speed_against(const graze_world *world, const grz_event *event,
                            const grz_trajectory *trajectory)
{
    const uint32_t other = trajectory->row == event->row_a ? event->row_b : event->row_a;
    GRZ_FAULT(held_by_fixed_bodies, return 0);
    if (!grz_is_driving(world, other)) {
        return 0;
    }
    const graze_vec2d velocity_a = grz_surface_velocity(world, event, event->row_a);
    const graze_vec2d velocity_b = grz_surface_velocity(world, event, event->row_b);
    return dot(subtract(velocity_a, velocity_b), event->touch.normal);
}

// If the trajectory has changed since the touch was found, its `crosses` says nothing. Most have
// not, and need no changed copy.
static bool is_blocked_now(const graze_world *world, const grz_event *event, double approach,
                           double speed, const grz_side *side)
{
    const bool crosses = event->touch.crosses && event->version_a == side->version;
    if (crosses == event->touch.crosses && approach == event->touch.approach) {
        return grz_is_blocked(world, side->trajectory, &event->touch, speed);
    }
    grz_touch touch = event->touch;
    touch.approach = approach;
    touch.crosses = crosses;
    return grz_is_blocked(world, side->trajectory, &touch, speed);
}

// Whether the touch was found for the course that the body still has: then it is known whether it
// blocks the body. What stands may have another velocity since, what stops goes by when it is, and
// what is rigid may turn into the wall.
static bool is_known_block(const graze_world *world, const grz_event *event, const grz_side *side)
{
    if (world->config.no_shortcuts) {
        return false;
    }
    GRZ_FAULT(blocked_as_found, return true);
    return event->version_a == side->version && !side->trajectory->stands &&
           !grz_is_impact(world, event) && grz_response_of(world, side->trajectory) != GRAZE_STOP;
}

void grz_event_find_wall_block(const graze_world *world, const grz_event *event, grz_side *side)
{
    *side =
        grz_side_of(world, event->row_a, !world->terrain.chains[event->segment.chain.index].sensor);
    const grz_trajectory *trajectory = side->trajectory;
    const bool is_known = trajectory && is_known_block(world, event, side);
    side->blocked = is_known && event->touch.blocks;
    side->passes =
        !side->blocked && grz_chain_lets_pass(world, event->segment.chain.index, event->row_a);
    if (trajectory && !side->passes && !is_known) {
        side->blocked = is_blocked_now(world, event, find_approach(world, event),
                                       dot(trajectory->velocity, event->touch.normal), side);
    }
}

// Whether the last hit of a body that passes is of one that the solver moves: that responds to
// nothing in the order of time, but gets the impulse.
static bool is_last_hit(const graze_world *world, const grz_event *event, const grz_side *side)
{
    const uint32_t *traits = world->bodies.rows.traits;
    const uint32_t other = traits[event->row_a ^ event->row_b ^ side->row];
    const uint32_t last = GRZ_TRAIT_LAST, responds = GRZ_TRAIT_RESPONDS;
    return (other & (last | responds)) == last && grz_is_solved(traits[side->row]) &&
           grz_gives_way(world, side->row);
}

static void find_block(const graze_world *world, const grz_event *event, double approach,
                       grz_side *side)
{
    if (side->trajectory && !grz_is_driving(world, side->row)) {
        const double speed = speed_against(world, event, side->trajectory);
        side->blocked = is_blocked_now(world, event, approach, speed, side) ||
                        (is_last_hit(world, event, side) &&
                         comes_into(world, side->trajectory, &event->touch, speed));
    }
}

static bool gives_way(const graze_world *world, const grz_side *side)
{
    return side->trajectory && grz_gives_way(world, side->row);
}

// A body is not blocked by a side or corner that it only passes. If one of two bodies that give way
// is blocked, both are: otherwise an impulse would be lost.
static void agree_on_turns(const graze_world *world, const grz_event *event, grz_side *a,
                           grz_side *b)
{
    if (!a->blocked && !b->blocked) {
        return;
    }
    const bool passed = is_passed(world, event, a->blocked ? a->trajectory : b->trajectory);
    a->blocked = !passed && (a->blocked || gives_way(world, a));
    b->blocked = !passed && (b->blocked || gives_way(world, b));
}

// A body that is driven by one that no body deflects has the speed of that already, but may not go
// as far in this step: another deflection would change nothing.
static bool is_driven(const graze_world *world, const grz_event *event, const grz_side *a,
                      const grz_side *b)
{
    const bool a_drives = !a->trajectory || grz_is_driving(world, event->row_a);
    const bool b_drives = !b->trajectory || grz_is_driving(world, event->row_b);
    const grz_trajectory *driven = a_drives ? b->trajectory : a->trajectory;
    if (a_drives == b_drives || !driven || !driven->hurries) {
        return false;
    }
    const graze_vec2d velocity_a = grz_surface_velocity(world, event, event->row_a);
    const graze_vec2d velocity_b = grz_surface_velocity(world, event, event->row_b);
    const double rounding = grz_speed_rounding * (length_of(velocity_a) + length_of(velocity_b));
    return dot(subtract(velocity_a, velocity_b), event->touch.normal) <= rounding;
}

void grz_event_find_blocks(const graze_world *world, const grz_event *event, grz_side *a,
                           grz_side *b)
{
    const uint32_t *traits = world->bodies.rows.traits;
    *a = grz_side_of(world, event->row_a, grz_is_solid(traits[event->row_b]));
    *b = grz_side_of(world, event->row_b, grz_is_solid(traits[event->row_a]));
    a->passes = b->passes = grz_bodies_pass(world, event->row_a, event->row_b);
    GRZ_FAULT(letting_pass, a->passes = b->passes = false);
    if (a->passes || is_driven(world, event, a, b)) {
        return;
    }
    const double approach = find_approach(world, event);
    find_block(world, event, approach, a);
    find_block(world, event, approach, b);
    agree_on_turns(world, event, a, b);
}
