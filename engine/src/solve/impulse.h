/// @file impulse.h
/// Impulses: what they depend on, what they do in an impact of rigid bodies, and those that bodies
/// receive on courses that do not change any more in the step, such as those of rays.
///
/// Source     A. Chatterjee, A. Ruina 1998, "A New Algebraic Rigid-Body Collision Law Based on
///            Impulse Space Considerations": restitution as I. Newton has it, friction as
///            C. Coulomb has it, and no impact gains energy.
#ifndef GRZ_IMPULSE_H
#define GRZ_IMPULSE_H

#include "collide/pair_sweep.h"
#include "solve/blocked.h"
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

/// Returns the spin of a body on the course that is known now.
double grz_spin_now(const graze_world *world, grz_row row);

/// Returns the velocity of a body at `time` of the step, of a wall (row GRZ_NONE) 0: as it is known
/// now, unless the body has turned since. Rays come after all others have.
graze_vec2d grz_velocity_at(const graze_world *world, grz_row row, double time);

/// What the masses of the two sides of an impact are worth.
typedef struct grz_impact_masses {
    double inverse_a, inverse_b; ///< 0: it gives no way. If both are, what is deflected takes all.
    bool sticks;                 ///< One of the two lands on the other.
} grz_impact_masses;

/// Returns how the surface of a body of an event moves where it touches another body, units per
/// second; at a wall, how its centre does.
graze_vec2d grz_surface_velocity(const graze_world *world, const grz_event *event, grz_row row);

/// Returns whether a touch is an impact of a rigid body, and of no ray.
bool grz_is_impact(const graze_world *world, const grz_event *event);

/// Returns how much faster the two of an event come together where they touch than their centres
/// do, because they turn, in units per step; 0 for rays, and at walls for what hits never turn.
double grz_turning_approach(const graze_world *world, const grz_event *event);

/// Changes the velocities and spins of those that a touch deflects, and their courses for the rest
/// of the step. A body that the solver moves goes on as it does; it begins the next step with what
/// the impact has changed.
void grz_impact(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b,
                const grz_impact_masses *masses);

/// Gives a body that gives way an impulse. Returns false when there is no memory.
bool grz_impulse_give(graze_world *world, const grz_impulse *impulse);

/// What impulses change: of a velocity and of a spin.
typedef struct grz_impulse_gain {
    graze_vec2d velocity;
    double spin;
} grz_impulse_gain;

/// Returns what a ray has given a body so far, as it is at `time` of the step; rows. The ray must
/// be the last that gave any.
grz_impulse_gain grz_impulses_given(const graze_world *world, grz_row row, uint32_t ray,
                                    double time);

/// Changes the velocities of the bodies that were given impulses, in the order of ids and of time:
/// the sum does not depend on the order in which they came. Of several impulses on one body each
/// finds the body as fast as those before have made it. Returns false when there is no memory.
bool grz_impulses_apply(graze_world *world);

#endif
