/// @file position_correction.h
/// Pushes bodies out of what they overlap.
#ifndef GRZ_POSITION_CORRECTION_H
#define GRZ_POSITION_CORRECTION_H

#include "world/world_state.h"

/// Notes how far the event's bodies are to be pushed out of each other after the step, if they
/// overlap deeper than they may. `a` or `b` is null if the other is not solid to it, or if its
/// course is fixed.
void grz_note_overlap(const graze_world *world, const grz_event *event, grz_trajectory *a,
                      grz_trajectory *b);

/// Moves the end of a trajectory by its push. The push leads along walls that are in its way, not
/// into them; if they leave it no way it leads nowhere. A body that stops is not moved at all if
/// the straight path from its start to there would cross a wall.
///
/// Cost       For a body near a wall, a search of walls; one more for each wall in the way.
void grz_correct_position(const graze_world *world, grz_trajectory *trajectory);

#endif
