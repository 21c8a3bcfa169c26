/// @file tolerance.h
/// How much of a touch may be rounding.
///
/// Tolerances that must agree, or must stay in this order, though they are in several files:
///
///   Of coordinates
///   2^-22  grz_position_tolerance here             two roundings
///   Of a body's size
///   2^-16  grz_overlap_tolerance  here             how deep a body may rest
///   2^-8   grz_sink_limit         here             rounding gets no deeper: above the overlap;
///                                                  what lands does, 16 times (joint.c)
///   2^-7   grz_clearance_margin   predict.h        no wall is so near to what is clear of walls
///   Of an overlap, per step
///   1/4    push_share             slide.c          out of what gives no way
///   Of a speed
///   1e-9   grz_speed_rounding     here             what a slide may lead into: far below the next
///   1e-6   grz_slide_tolerance    here             what deflects nothing; half where a body
///                                                  glides (impact_walls.c)
///   Sines of angles with a wall
///   1e-13  parallel_sine          impact_walls.c   what glides along a face: below the next
///   1e-12  rounding               joint.h          what is a touch of a face
///   1e-6   sine                   terrain_sweep.c  which side lies along a wall: as
///                                                  feature_pair.h of the narrowphase has it
#ifndef GRZ_TOLERANCE_H
#define GRZ_TOLERANCE_H

#include "vec2d.h"
#include "world/world_state.h"

static const double grz_position_tolerance = 0x1p-22; ///< Of the coordinates: two roundings.
static const double grz_overlap_tolerance = 0x1p-16;  ///< Of the size: how deep a body may rest.
static const double grz_sink_limit = 0x1p-8;    ///< Of the size: rounding alone gets no deeper.
static const double grz_slide_tolerance = 1e-6; ///< Of the speed: a smaller part is rounding,
static const double grz_speed_rounding = 1e-9;  ///< also of a speed that is computed anew.

// --- The solver of rigid bodies ---
static const double grz_contact_slop = 1.0 / 500; ///< Of the size: a shorter way is none.
static const double grz_round_core = 0.98;        ///< Of circles: what no other passes through;
static const double grz_thick_core = 0.9;         ///< and of rects, which turn on their way.
static const double grz_inner_core = 0.8;         ///< Of both, inside a heap.
static const double grz_deep = 0.03; ///< Of the size: cores that overlap by more come no nearer.
static const double grz_hold_depth = 0.25; ///< Of the size: what a body is so deep in holds it not.
static const double grz_longest_carry = 8; ///< Sizes a step: what is driven faster carries none.
static const double grz_contact_margin = 0.04; ///< Of the size: what is nearer is in contact.
static const double grz_slow_way = 1.0 / 64; ///< Of the size, in a step: what is no faster is slow.
static const double grz_same_normal = 0.98;  ///< Cosine: the last step's contact goes on,
static const double grz_same_point = 0.1;    ///< with points up to so far away, of the size.
static const double grz_push_rate = 6;       ///< Sizes a second: how fast overlaps are left.
static const float grz_contact_frequency = 0.125f; ///< Of contacts between bodies, a substep.
static const float grz_contact_damping = 10;       ///< Their damping ratio.
static const float grz_steps_in_mean = 64;         ///< Steps whose mean length stiffens them.
static const float grz_sleep_seconds = 0.5f;       ///< What has been slow so long falls asleep.
static const double grz_sleep_share = 0.02; ///< Of the speed of a fall by the size: that is slow.
static const double grz_sleep_rate = 0.1;   ///< Sizes a second: so is that.
static const double grz_sleep_slope = 0.02; ///< Sine: what goes down a steeper one does not sleep.

/// Cosine: what has a normal farther from gravity bears no weight, and carries nothing.
static const double grz_steepest_bearing = 0.5;

/// Returns how fast two may approach each other and still come to rest: no faster than gravity
/// accelerates in two steps. They do not bounce: so a ball comes to rest.
static inline double grz_sleep_speed(const graze_world *world)
{
    return 2 * length_of(widen(world->config.gravity)) * (double)world->call.dt;
}

/// Returns the smaller half size of a body.
static inline double grz_size_of(const graze_world *world, grz_row row)
{
    const graze_vec2 half = world->bodies.rows.half[row];
    return (double)(half.x < half.y ? half.x : half.y);
}

/// Returns how far rounding can move the ends of a path off a surface. Each coordinate is rounded
/// by itself: a large one has no effect on a surface that lies along its axis.
static inline double grz_blur_at(graze_vec2 at, graze_vec2d normal)
{
    const double x = absolute((double)at.x * normal.x);
    const double y = absolute((double)at.y * normal.y);
    return grz_position_tolerance * (x + y);
}

/// Returns how deep a body may stay in what it lies on.
static inline double grz_overlap_allowed(const graze_world *world, grz_row row, graze_vec2d normal)
{
    return grz_overlap_tolerance * grz_size_of(world, row) +
           grz_blur_at(world->bodies.rows.position[row], normal) / 2;
}

/// Returns how deep a body that begins the last piece of its trajectory may be, by rounding and by
/// how it rests, in what is on a side of it.
static inline double grz_overlap_room(const graze_world *world, const grz_trajectory *trajectory,
                                      graze_vec2d side)
{
    const double size = grz_size_of(world, trajectory->row);
    const double blur = grz_blur_at(trajectory->at[trajectory->count - 2], side);
    return min_double(grz_overlap_tolerance * size + blur, grz_sink_limit * size);
}

/// Returns how far along a surface, in the direction of `side`, it must be shifted for its corner,
/// sunk in as deep as it may rest, to come free of what continues the surface: four times as far as
/// it has sunk, which is enough where the side that rises from the corner leans by 15 degrees or
/// more.
static inline double grz_corner_room(const graze_world *world, const grz_trajectory *trajectory,
                                     graze_vec2d side)
{
    return 4 * grz_overlap_room(world, trajectory, side);
}

/// Returns how fast, in units per step, what leads along a surface may lead into it.
static inline double grz_slide_allowance(const graze_world *world, const grz_trajectory *trajectory)
{
    return grz_slide_tolerance * length_of(trajectory->slide.desired) * (double)world->call.dt;
}

#endif
