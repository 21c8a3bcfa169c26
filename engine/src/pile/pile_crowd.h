/// @file pile_crowd.h
/// Piles where no gravity draws: crowds, which a game steers, or a gas that thickens.
///
/// Nothing need hold a crowd, and none of its bodies lies lower than another. So impulses alone
/// change its velocities, in sweeps that first let gaps close, and then take the rest of an
/// approach where there is a touch. They keep momentum and add no energy; only what gives no way
/// takes more. How its bodies move in this step is found separately: those velocities also separate
/// what overlaps, but are not kept (split impulses).
///
/// Overlap    Sweeps do not come to an end in a large crowd, and what they leave of an approach is
///            overlap, for the next step to part. Bodies bear it only where they are squeezed: they
///            overlap by more than a touch leaves, and are sent into each other again, as by a game
///            that steers them. All others stop short of each other, and overlap by no more than a
///            4096th of the smaller size: what has met in free flight does not come together again.
#ifndef GRZ_PILE_CROWD_H
#define GRZ_PILE_CROWD_H

#include "state.h"

/// Of the smaller size of two circles: the largest gap at which two of a crowd push each other.
static const double grz_crowd_margin = 0x1p-1;

/// Returns whether piles are crowds.
static inline bool grz_piles_are_crowds(const graze_world *world)
{
    return world->gravity.x == 0 && world->gravity.y == 0;
}

/// Returns whether two that are `gap` units apart along the normal and come together at the speed
/// `into` are squeezed; `size` is the smaller of theirs.
bool grz_crowd_squeezes(double gap, double into, double size, double dt);

/// Fills in the heights of the keys in world->piles: how far a body is behind the middle of its
/// crowd, as it looks ahead. So those that all press towards lie lowest. The crowds are those that
/// were found last. Returns false when there is no memory.
bool grz_crowds_find_heights(graze_world *world);

/// Changes world->piles.step_velocities, for this step alone: bodies, which have been pushed, part
/// where they overlap too deep, and come no closer than until they touch, but for what the sweeps
/// leave.
void grz_crowds_separate(graze_world *world);

/// Returns whether two of crowds, which come closer to each other by `distance` until the step
/// ends, may do so: see Overlap.
bool grz_crowd_bears(const graze_world *world, const grz_event *event, double distance);

#endif
