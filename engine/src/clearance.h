/// @file clearance.h
/// Which free bodies have no wall within reach: they need no search of terrain, however often they
/// turn in the step, and no motion until something touches them.
#ifndef GRZ_CLEARANCE_H
#define GRZ_CLEARANCE_H

#include "state.h"

/// A body's surroundings reach so far beyond its own reach, of its smaller half size.
static const double grz_clearance_margin = 0x1p-7;

enum { GRZ_CLEARANCES_AT_ONCE = 64 };

/// Finds the clearances of at most GRZ_CLEARANCES_AT_ONCE rows, all of them free bodies with a
/// size, at the start of a step. It is GRZ_UNKNOWN where it takes a search by itself.
void grz_clearances_find(const graze_world *world, const uint32_t *rows, uint32_t count,
                         grz_clearance *clearances);

/// Finds the clearance of the body of a motion, if it is still unknown, and returns whether it is
/// clear.
bool grz_clearance_find(const graze_world *world, grz_motion *motion);

#endif
