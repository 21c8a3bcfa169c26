/// @file motion_planes.h
/// The surfaces that a body slides along for the rest of a step: each forbids velocities that lead
/// farther into it than it goes itself.
#ifndef GRZ_MOTION_PLANES_H
#define GRZ_MOTION_PLANES_H

#include "respond/motion_state.h"

/// Adds a surface that lets the body go no faster than `limit` along `normal`, into it. Of surfaces
/// with one normal the lowest limit counts.
void grz_planes_add(grz_slide *slide, graze_vec2d normal, double limit);

/// Returns the velocity nearest to the desired one that all the surfaces allow; 0 where they leave
/// no way out.
graze_vec2d grz_planes_slide(const grz_slide *slide);

/// The same of a push, in units, out of surfaces that do not move: where they are a wedge, the way
/// out of it is longer than out of each of them, by no more than `most`.
graze_vec2d grz_planes_push(const grz_slide *slide, double most);

#endif
