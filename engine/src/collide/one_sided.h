/// @file one_sided.h
/// One-sided walls: what comes from the right passes until it has left the wall (chain.h, One
/// side).
///
/// No state is kept of bodies on their way through. A body whose centre is on the left either comes
/// through or lies on the wall: how deep it is in the wall, and what it met in the last step,
/// decide.
#ifndef GRZ_ONE_SIDED_H
#define GRZ_ONE_SIDED_H

#include "collide/terrain_sweep.h"

/// Returns whether a point is left of a wall's a->b. One on its line counts as the fill rule of
/// orient.h says: the same side in this step and in the next.
bool grz_is_on_left(graze_segment wall, graze_vec2 point);

/// Returns whether a body (no ray) that touches a one-sided wall, with its centre on the left,
/// comes through it from the right, and so does not meet it.
bool grz_is_coming_through(const grz_move *move, const grz_wall *wall, const grz_touch *touch);

#endif
