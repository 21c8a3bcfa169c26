/// @file spare_bodies.h
/// A second set of the columns of bodies. A snapshot is copied into it while it is being checked;
/// if all of it is right, both sets change places, and the world was never touched if not.
///
/// It is taken for the first snapshot that is loaded, and holds what the world itself does: so each
/// can take the other's place for good.
#ifndef GRZ_SPARE_BODIES_H
#define GRZ_SPARE_BODIES_H

#include "state.h"

/// Makes room in world->spare for so many indices and rows and for what `needs` names, and for all
/// that the world has room for. What it held is lost. Returns false when there is no memory.
bool grz_spare_reserve(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs);

/// Lets the bodies of the world and of world->spare change places: all that is by row or by index,
/// and how many there are.
void grz_spare_exchange(graze_world *world);

void grz_spare_free(graze_world *world);

#endif
