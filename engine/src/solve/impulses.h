/// @file impulses.h
/// Impulses that bodies receive on courses that do not change any more in the step, such as those
/// of rays, which come when all other courses are known: they change velocities from the next step
/// on.
#ifndef GRZ_IMPULSES_H
#define GRZ_IMPULSES_H

#include "vec2d.h"
#include "world/world_state.h"

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
