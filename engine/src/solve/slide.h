/// @file slide.h
/// The surfaces that a body slides along for the rest of a step: each forbids velocities that lead
/// farther into it than it goes itself. And pushes of bodies out of what they overlap.
#ifndef GRZ_SLIDE_H
#define GRZ_SLIDE_H

#include "collide/tolerance.h"
#include "world/impact_state.h"
#include "world/world_state.h"

/// Adds a surface that lets the body move no faster than `limit` along `normal`, which points into
/// it. Of surfaces with the same normal the lowest limit counts.
void grz_planes_add(grz_slide *slide, graze_vec2d normal, double limit);

/// Returns the velocity nearest to the desired one that all surfaces allow; 0 if there is none, or
/// if two of them would squeeze the body out: if they change its velocity by more than twice as
/// much as both would alone. So what is pushed against a wall moves along it at up to 60 degrees to
/// the push. The way out of a wedge may be longer than that, by up to `most`: for a push, in units,
/// out of surfaces that do not move.
graze_vec2d grz_planes_slide(const grz_slide *slide, double most);

/// Notes how far the event's bodies are to be pushed out of each other after the step, if they
/// overlap deeper than they may. `a` or `b` is null if the other is not solid to it, or if its
/// course is fixed.
void grz_push_apart(const graze_world *world, const grz_event *event, grz_trajectory *a,
                    grz_trajectory *b);

/// Does the same at a lower cost where a body may rest as deep anywhere: most overlap no deeper.
static inline void grz_note_overlap(const graze_world *world, const grz_event *event,
                                    grz_trajectory *a, grz_trajectory *b)
{
    if (event->touch.depth > grz_overlap_tolerance * grz_size_of(world, event->row_a)) {
        grz_push_apart(world, event, a, b);
    }
}

/// Moves the end of a trajectory by its push. The push leads along walls that are in its way, not
/// into them; if they leave it no way it leads nowhere. A body that stops is not moved at all if
/// the straight path from its start to there would cross a wall.
///
/// Cost       For a body near a wall, a search of walls; one more for each wall in the way.
void grz_correct_position(const graze_world *world, grz_trajectory *trajectory);

#endif
