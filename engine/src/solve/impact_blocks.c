#include "solve/impact_blocks.h"

#include "collide/pair_sweep.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/blocked.h"
#include "solve/exchange.h"
#include "solve/impulse_theory.h"
#include "solve/trajectory.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/rows.h"

static const double velocity_rounding = 1e-9; ///< Of the speeds.

static bool is_current(const grz_trajectory *trajectory, uint32_t version)
{
    return !trajectory || trajectory->version == version;
}

// Returns how fast the two approach each other: as found, unless one of them has been deflected
// at this very time. The found value is not computed again: impact_walls.c has used it to judge
// where the trajectory changes, and another rounding could disagree.
static double find_approach(const graze_world *world, const grz_event *event)
{
    const grz_trajectory *a = grz_trajectory_of(world, event->row_a);
    const grz_trajectory *b =
        event->row_b == GRZ_NONE ? NULL : grz_trajectory_of(world, event->row_b);
    if (is_current(a, event->version_a) && is_current(b, event->version_b)) {
        return event->touch.approach;
    }
    graze_vec2d relative = grz_course_at(world, event->row_a, event->touch.time);
    if (event->row_b != GRZ_NONE) {
        relative = subtract(relative, grz_course_at(world, event->row_b, event->touch.time));
    }
    return dot(relative, event->touch.normal);
}

static bool is_solid_to_a(const graze_world *world, const grz_event *event)
{
    return event->row_b == GRZ_NONE ? !world->terrain.chains[event->segment.chain.index].sensor
                                    : grz_is_solid(world->bodies.rows.traits[event->row_b]);
}

static bool is_let_pass(const graze_world *world, const grz_event *event)
{
    if (event->row_b != GRZ_NONE) {
        return grz_bodies_pass(world, event->row_a, event->row_b);
    }
    return (world->bodies.filter_count || world->terrain.odd_chain_count) &&
           grz_chain_lets_pass(world, event->segment.chain.index, event->row_a);
}

static grz_side make_side(const graze_world *world, grz_row row, bool other_is_solid)
{
    grz_trajectory *trajectory =
        row == GRZ_NONE || !other_is_solid ? NULL : grz_trajectory_of(world, row);
    const grz_side side = {
        .row = row, .trajectory = trajectory, .version = trajectory ? trajectory->version : 0};
    return side;
}

// Returns how fast a body approaches something that gives no way; 0 if the other may.
static double speed_against(const graze_world *world, const grz_event *event,
                            const grz_trajectory *trajectory)
{
    if (event->row_b == GRZ_NONE) {
        return dot(trajectory->velocity, event->touch.normal);
    }
    const uint32_t other = trajectory->row == event->row_a ? event->row_b : event->row_a;
    GRZ_FAULT(held_by_fixed_bodies, return 0);
    if (!grz_is_driving(world, other)) {
        return 0;
    }
    const graze_vec2d velocity_a = grz_velocity_at(world, event->row_a, event->touch.time);
    const graze_vec2d velocity_b = grz_velocity_at(world, event->row_b, event->touch.time);
    return dot(subtract(velocity_a, velocity_b), event->touch.normal);
}

// If the trajectory has changed since the touch was found, its `crosses` says nothing. Most have
// not, and need no changed copy.
static void find_block(const graze_world *world, const grz_event *event, double approach,
                       grz_side *side)
{
    if (!side->trajectory || (event->row_b != GRZ_NONE && grz_is_driving(world, side->row))) {
        return;
    }
    const double speed = speed_against(world, event, side->trajectory);
    if (event->version_a == side->version && approach == event->touch.approach) {
        side->blocked = grz_is_blocked(world, side->trajectory, &event->touch, speed);
        return;
    }
    grz_touch touch = event->touch;
    touch.approach = approach;
    touch.crosses = touch.crosses && event->version_a == side->version;
    side->blocked = grz_is_blocked(world, side->trajectory, &touch, speed);
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
    const bool passed = grz_is_passed(world, event, a->blocked ? a->trajectory : b->trajectory);
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
    const graze_vec2d velocity_a = grz_velocity_at(world, event->row_a, event->touch.time);
    const graze_vec2d velocity_b = grz_velocity_at(world, event->row_b, event->touch.time);
    const double rounding = velocity_rounding * (length_of(velocity_a) + length_of(velocity_b));
    return dot(subtract(velocity_a, velocity_b), event->touch.normal) <= rounding;
}

void grz_event_find_blocks(const graze_world *world, const grz_event *event, grz_side *a,
                           grz_side *b)
{
    const bool a_is_solid = grz_is_solid(world->bodies.rows.traits[event->row_a]);
    *a = make_side(world, event->row_a, is_solid_to_a(world, event));
    *b = make_side(world, event->row_b, a_is_solid);
    a->passes = b->passes = is_let_pass(world, event);
    GRZ_FAULT(letting_pass, a->passes = b->passes = false);
    if (a->passes) {
        return;
    }
    const double centres = find_approach(world, event);
    const double approach = centres + max_double(grz_turning_approach(world, event), 0);
    if (event->row_b == GRZ_NONE) {
        find_block(world, event, approach, a);
        return;
    }
    if (is_driven(world, event, a, b)) {
        return;
    }
    find_block(world, event, approach, a);
    find_block(world, event, approach, b);
    agree_on_turns(world, event, a, b);
}
