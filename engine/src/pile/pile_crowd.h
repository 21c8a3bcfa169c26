/// @file pile_crowd.h
/// Piles in a world without gravity: crowds, which a game steers, or gas that is compressed.
///
/// Nothing need hold a crowd, and none of its bodies lies lower than another. So impulses alone
/// change its velocities, in sweeps that first let gaps close, and then take the rest of an
/// approach where there is a touch. They keep momentum and add no energy; only what gives no way
/// takes more. How its bodies move in this step is found separately: those velocities also separate
/// what overlaps, but are not kept (split impulses).
///
/// Overlap    In a large crowd the sweeps do not converge. What they leave of an approach becomes
///            overlap, for the next step to separate. This is allowed only for bodies that are
///            squeezed: they overlap by more than a touch leaves, and move into each other again,
///            as when a game steers them. All others stop short of each other, and overlap by no
///            more than a 4096th of the smaller size: after they have met in free flight they do
///            not come together again.
#ifndef GRZ_PILE_CROWD_H
#define GRZ_PILE_CROWD_H

#include "state.h"

/// The largest gap at which two circles of a crowd push each other, as a part of the smaller size.
static const double grz_crowd_margin = 0x1p-1;

/// Returns whether piles are crowds.
static inline bool grz_piles_are_crowds(const graze_world *world)
{
    return world->gravity.x == 0 && world->gravity.y == 0;
}

/// Returns whether two bodies are squeezed that are `gap` units apart along the normal and approach
/// each other at the speed `into`; `size` is the smaller of theirs.
bool grz_crowd_squeezes(double gap, double into, double size, double dt);

/// Fills in the heights of the keys in world->piles: how far a body has the middle of its crowd
/// ahead of it, along its own velocity. So the bodies that the others press towards are the lowest.
/// The crowds are those that were found last. Returns false when there is no memory.
bool grz_crowds_find_heights(graze_world *world);

/// Changes world->piles.step_velocities, for this step alone: bodies, which have been pushed, part
/// where they overlap too deep, and come no closer than until they touch, but for what the sweeps
/// leave.
void grz_crowds_separate(graze_world *world);

/// Returns whether two bodies of crowds may come closer to each other by `distance` in the rest of
/// the step: see Overlap.
bool grz_crowd_bears(const graze_world *world, const grz_event *event, double distance);

#endif
