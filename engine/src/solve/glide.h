/// @file glide.h
/// Bodies that go on along the wall that has deflected them, as most bodies on terrain do.
#ifndef GRZ_GLIDE_H
#define GRZ_GLIDE_H

#include "collide/pair_sweep.h"

/// Returns whether a body that has been deflected can meet nothing on the last piece of its
/// trajectory but the face of the wall that it met last, and is not deflected by that again: then
/// its touches are nothing new (is_old in apply_impact.c), and need not be searched for. Returns
/// false if only a search can tell: if its walls are not known, if it may meet other bodies, or if
/// events of it are left.
bool grz_glides(const graze_world *world, const grz_agenda *agenda,
                const grz_trajectory *trajectory, const grz_mover *mover, const grz_piece *piece);

#endif
