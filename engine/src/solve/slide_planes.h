/// @file slide_planes.h
/// The surfaces that a body slides along for the rest of a step: each forbids velocities that lead
/// farther into it than it goes itself.
#ifndef GRZ_SLIDE_PLANES_H
#define GRZ_SLIDE_PLANES_H

#include "world/impact_state.h"

/// Adds a surface that lets the body move no faster than `limit` along `normal`, which points into
/// it. Of surfaces with the same normal the lowest limit counts.
void grz_planes_add(grz_slide *slide, graze_vec2d normal, double limit);

/// Returns the velocity nearest to the desired one that all surfaces allow; 0 if there is none, or
/// if two of them would squeeze the body out: if they change its velocity by more than twice as
/// much as both would alone. So what is pushed against a wall moves along it at up to 60 degrees to
/// the push.
graze_vec2d grz_planes_slide(const grz_slide *slide);

/// The same for a push, in units, out of surfaces that do not move. The way out of a wedge may be
/// longer than that, by up to `most`.
graze_vec2d grz_planes_push(const grz_slide *slide, double most);

#endif
