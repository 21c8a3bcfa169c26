/// @file glide.h
/// Bodies that go on along the wall that has turned them: what most bodies on terrain do.
#ifndef GRZ_GLIDE_H
#define GRZ_GLIDE_H

#include "respond/meet.h"

/// Returns whether all that a body may still meet on the last piece of its motion, which the wall
/// that it met last has begun, is the face of that same wall, and that does not turn it: then what
/// it would touch there says nothing new (event_happen.c), and need not be looked for. Only of a
/// body whose walls are known, that may meet no other, and of which no events are left. False where
/// it takes a search to tell.
bool grz_glides(const graze_world *world, const grz_motion *motion, const grz_mover *mover,
                const grz_piece *piece);

#endif
