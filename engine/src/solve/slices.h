/// @file slices.h
/// Bodies that others stop or turn, found slice by slice of a step in which many of them are fast.
///
/// What moves far in a step, and may be thrown in any direction, could meet all in a circle as wide
/// as its way: pairs found for the whole step grow with the square of the speed. So the step is cut
/// into slices. Each of them pairs the bodies by where they are then, and how far they come in it.
/// The world's grid does not pair them. A touch happens in the slice in which its time lies. All
/// else, such as walls and kinematic bodies, is found for the whole step.
///
/// A touch is a function of the courses of the two: so the number of slices changes what a step
/// costs, and not what happens in it. It is a function of the state. But bodies that are pressed
/// together are the solver's, and it knows the pairs of the first slice alone. From others that it
/// moves they are held back where they touch: what their masses share they share in the next step.
///
/// Source     Slices instead of cells: D. C. Rapaport 1980, "The Event Scheduling Problem in
///            Molecular Dynamic Simulation", whose cells bound what a body can meet next.
#ifndef GRZ_SLICES_H
#define GRZ_SLICES_H

#include "world/adjacency.h"
#include "world/world_state.h"

/// Decides into how many slices a step is cut, and tells the grid which bodies it leaves to them.
/// To be called at the end of Predict. Returns false when there is no memory.
bool grz_slices_plan(graze_world *world);

/// Returns how many bodies but rays move about as far as their half width in the step, or farther.
uint32_t grz_slices_count_quick(const graze_world *world);

/// Adds the pairs in the first slice to the candidate pairs. To be called at the end of Pairs.
/// Returns false when there is no memory.
bool grz_slices_begin(graze_world *world);

/// Goes on to the next slice: replaces the candidate pairs of the last one, and finds what happens
/// in it. Returns false when there is no memory.
bool grz_slices_next(graze_world *world);

/// Forgets the candidate pairs of the last slice.
void grz_slices_end(graze_world *world);

#endif
