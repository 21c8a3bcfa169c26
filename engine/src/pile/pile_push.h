/// @file pile_push.h
/// How the bodies of piles push each other.
#ifndef GRZ_PILE_PUSH_H
#define GRZ_PILE_PUSH_H

#include "state.h"
#include "vec2d.h"

/// Finds the impulses of the constraints in world->piles, which is sorted, and the velocities that
/// they leave the bodies, in its step_velocities. Returns false when there is no memory.
bool grz_piles_push(graze_world *world);

/// Returns whether what lies lower bears the weight of the upper body: where there is gravity, and
/// the normal leans by no more than 60 degrees from it.
bool grz_constraint_bears(const graze_world *world, const grz_constraint *constraint);

/// Returns how fast the two may come together, units per second: in a step of dt seconds until they
/// touch beyond any rounding.
static inline double grz_constraint_max_approach(const grz_constraint *constraint, double dt)
{
    const double max_approach = constraint->gap > -constraint->slack / 2
                                    ? max_double(constraint->gap + constraint->slack, 0)
                                    : 0;
    return max_approach / dt;
}

/// The same where the two, if both give way and overlap too deep, are to part: by this share of the
/// overlap in the step.
static inline double grz_constraint_parting_approach(const grz_constraint *constraint, double share,
                                                     double dt)
{
    const bool is_deep =
        constraint->kind == GRZ_CONSTRAINT_BODY && constraint->gap < -constraint->parting;
    return is_deep ? share * (constraint->gap + constraint->slack) / dt
                   : grz_constraint_max_approach(constraint, dt);
}

#endif
