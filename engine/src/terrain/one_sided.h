/// @file one_sided.h
/// One-sided walls: what comes from the right passes until it has left the wall (chain.h, One
/// side).
///
/// Nothing is kept of what is on its way through. A body whose centre is on the left is told from
/// one that lies on the wall by how deep it reaches into it, and by what it met in the last step.
#ifndef GRZ_ONE_SIDED_H
#define GRZ_ONE_SIDED_H

#include "terrain/terrain.h"

/// Returns whether a point is left of a wall's a->b. One on its line counts as the fill rule of
/// orient.h says: the same side in this step and in the next.
bool grz_is_on_left(graze_segment wall, graze_vec2 point);

/// Returns whether a body that is no ray, whose centre is on the left of a one-sided wall and which
/// touches it, comes through it from the right, and so does not meet it.
bool grz_is_coming_through(const grz_move *move, const grz_wall *wall, const grz_touch *touch);

#endif
