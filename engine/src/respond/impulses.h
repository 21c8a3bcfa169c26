/// @file impulses.h
/// Impulses that bodies receive on courses that do not change any more in the step, such as those
/// of rays, which come when all other courses are known: they change velocities from the next step
/// on.
#ifndef GRZ_IMPULSES_H
#define GRZ_IMPULSES_H

#include "state.h"

/// Gives a body that gives way an impulse. Returns false when there is no memory.
bool grz_impulse_give(graze_world *world, const grz_impulse *impulse);

/// Changes the velocities of the bodies that were given impulses, in the order of ids and of time:
/// the sum does not depend on the order in which they came. Of several impulses on one body each
/// finds the body as fast as those before have made it. Returns false when there is no memory.
bool grz_impulses_apply(graze_world *world);

#endif
