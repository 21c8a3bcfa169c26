/// @file spare_bodies.h
/// A second set of the columns of bodies. A snapshot is copied into it while it is being checked;
/// if all of it is right, the two sets are swapped; if not, the world is untouched.
///
/// It is allocated when the first snapshot is loaded, with as much room as the world itself has: so
/// that each can replace the other.
#ifndef GRZ_SPARE_BODIES_H
#define GRZ_SPARE_BODIES_H

#include "world/world_state.h"

/// Makes room in world->bodies.spare for these numbers of indices and rows, for what `needs`
/// names, and for all that the world has room for. Its contents are lost. Returns false if memory
/// runs out.
bool grz_spare_reserve(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs);

/// Swaps the bodies of the world and of world->bodies.spare: all columns by row or by index, and
/// the counts.
void grz_spare_exchange(graze_world *world);

void grz_spare_free(graze_world *world);

#endif
