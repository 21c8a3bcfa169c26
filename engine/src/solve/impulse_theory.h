/// @file impulse_theory.h
/// Impacts of rigid bodies: impulses at the points where they touch, which turn them.
///
/// Source     A. Chatterjee, A. Ruina 1998, "A New Algebraic Rigid-Body Collision Law Based on
///            Impulse Space Considerations": restitution as I. Newton has it, friction as
///            C. Coulomb has it, and no impact gains energy.
#ifndef GRZ_IMPULSE_THEORY_H
#define GRZ_IMPULSE_THEORY_H

#include "solve/impact_blocks.h"
#include "world/world_state.h"

/// What the masses of the two sides of an impact are worth.
typedef struct grz_impact_masses {
    double inverse_a, inverse_b; ///< 0: it gives no way. If both are, what is deflected takes all.
    bool sticks;                 ///< One of the two lands on the other.
} grz_impact_masses;

/// Returns whether a touch is an impact of a rigid body, and of no ray.
bool grz_is_impact(const graze_world *world, const grz_event *event);

/// Returns how much faster the two of an event come together where they touch than their centres
/// do, because they turn, in units per step; 0 if it is no impact of a rigid body.
double grz_turning_approach(const graze_world *world, const grz_event *event);

/// Changes the velocities and spins of those that a touch deflects, and their courses for the rest
/// of the step. A body that the solver moves goes on as it does; it begins the next step with what
/// the impact has changed.
void grz_impact(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b,
                const grz_impact_masses *masses);

#endif
