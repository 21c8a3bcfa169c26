/// @file exchange.h
/// Materials, friction and inverse masses of two things that touch: what an impulse depends on.
#ifndef GRZ_EXCHANGE_H
#define GRZ_EXCHANGE_H

#include "collide/pair_sweep.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/world_state.h"

/// How the two sides of a touch share an impulse.
typedef struct grz_shares {
    double a, b; ///< Parts of the change of their speeds, 1 in all; 0: this side is not moved.
} grz_shares;

/// Returns the material of a body.
static inline grz_material grz_material_at(const graze_world *world, grz_row row)
{
    return grz_material_of(world, world->bodies.rows.index[row]);
}

/// Returns how a dynamic body responds: a rigid ray as one that bounces, or slides if it has no
/// restitution.
static inline graze_response grz_response_at(const graze_world *world, grz_index index)
{
    const graze_response response = (graze_response)world->bodies.cold.data[index].response;
    if (response != GRAZE_RIGID ||
        grz_is_rigid(world->bodies.rows.traits[world->bodies.row_of_index.data[index]])) {
        return response;
    }
    const bool throws = grz_material_of(world, index).surface.restitution > 0;
    return throws ? GRAZE_BOUNCE : GRAZE_SLIDE;
}

/// Returns the response of a dynamic body.
static inline graze_response grz_response_of(const graze_world *world,
                                             const grz_trajectory *trajectory)
{
    return grz_response_at(world, trajectory->index);
}

/// Returns whether a body bounces: `trajectory` is null for one that nothing deflects.
static inline bool grz_bounces(const graze_world *world, const grz_trajectory *trajectory)
{
    return trajectory && grz_response_of(world, trajectory) == GRAZE_BOUNCE;
}

/// Returns whether a body can be moved by others: `trajectory` is null for a kinematic one.
bool grz_is_movable(const graze_world *world, const grz_trajectory *trajectory);

/// Returns whether no other body deflects a body: it is kinematic, or has mass 0.
static inline bool grz_is_driving(const graze_world *world, grz_row row)
{
    return !grz_trajectory_of(world, row) ||
           (world->bodies.rows.traits[row] & GRZ_TRAIT_INFINITE_MASS);
}

/// Returns whether a body is moved by what hits it: it slides or bounces, or is rigid, and has a
/// finite mass.
static inline bool grz_gives_way(const graze_world *world, grz_row row)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    return (traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID)) && !(traits & GRZ_TRAIT_INFINITE_MASS);
}

/// Returns the velocity of a body as it is known now, of a wall (row GRZ_NONE) 0.
static inline graze_vec2d grz_velocity_of(const graze_world *world, grz_row row)
{
    if (row == GRZ_NONE) {
        return vec2d(0, 0);
    }
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    return trajectory ? trajectory->velocity : widen(world->bodies.rows.end_velocity[row]);
}

/// Returns the velocity of a body at `time` of the step, of a wall (row GRZ_NONE) 0: as it is known
/// now, unless the body has turned since. Rays come after all others have.
graze_vec2d grz_velocity_at(const graze_world *world, grz_row row, double time);

#endif
