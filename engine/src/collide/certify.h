/// @file certify.h
/// Points at which a mover may be put: those to which the move, as stored, crosses no wall. So
/// nothing ever leaks, whatever is rounded.
#ifndef GRZ_CERTIFY_H
#define GRZ_CERTIFY_H

#include "vec2d.h"
#include "world/world_state.h"

/// Returns the point at `fraction` (0 to 1) of the move from -> to.
static inline graze_vec2 grz_point_at(graze_vec2 from, graze_vec2 to, double fraction)
{
    return without_negative_zero(narrow(along(widen(from), offset(to, from), fraction)));
}

/// Half of all rounded points lie beyond the wall. Then a point a little earlier in the move is
/// tried: earlier by this fraction of the move, then by twice as much each time, and at last the
/// start, which is always allowed.
#define GRZ_MIN_LEFT_OUT (1.0 / (1 << 24))

/// Returns the point to try after `point`, which lies beyond a wall: the next one that differs, at
/// last `from`. `*left_out` is GRZ_MIN_LEFT_OUT at first.
graze_vec2 grz_next_point(graze_vec2 from, graze_vec2 to, double fraction, graze_vec2 point,
                          double *left_out);

/// Returns whether the known walls suffice to show that the move from -> to crosses none: each lies
/// beside the box around the move. If not, a search has to decide.
bool grz_is_far_from_walls(const graze_world *world, const grz_known_walls *known, graze_vec2 from,
                           graze_vec2 to);

/// Returns the point nearest to `fraction` (0 to 1) of the move from -> to such that the move from
/// `from` to it, as stored, crosses no solid wall that the mover meets; at last `from` itself.
graze_vec2 grz_certified_point(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                               graze_vec2 to, double fraction);

/// Returns the same at the end of a push. What comes through a one-sided wall may go back by
/// itself, but is not pushed back: a long body that turns into such a wall cannot be told from it.
graze_vec2 grz_certified_push(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                              graze_vec2 to);

#endif
