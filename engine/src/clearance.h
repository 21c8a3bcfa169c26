/// @file clearance.h
/// Which free bodies have no wall within reach: they need no search of terrain, however often they
/// turn in the step.
#ifndef GRZ_CLEARANCE_H
#define GRZ_CLEARANCE_H

#include "state.h"

/// A body's surroundings reach so far beyond its own reach, of its smaller half size.
static const double grz_clearance_margin = 0x1p-7;

/// Finds the clearance of each motion that there is, where many can be looked up together. All are
/// of bodies with a size, at the start of a step.
void grz_clearances_find(graze_world *world);

/// Finds the clearance of one of them, if it is still unknown, and returns whether it is clear.
bool grz_clearance_find(const graze_world *world, grz_motion *motion);

#endif
