/// @file glide.h
/// Bodies that go on along the wall that has turned them: what most bodies on terrain do.
#ifndef GRZ_GLIDE_H
#define GRZ_GLIDE_H

#include "respond/meet.h"

/// Returns whether a body that has been turned can meet nothing on the last piece of its motion but
/// the face of the wall that it met last, and that wall does not turn it again: then what it would
/// touch there says nothing new (is_old in event_happen.c), and need not be looked for. Returns
/// false where it takes a search to tell: of a body whose walls are not known, that may meet
/// others, or of which events are left.
bool grz_glides(const graze_world *world, const grz_motion *motion, const grz_mover *mover,
                const grz_piece *piece);

#endif
