/// @file motion.h
/// The motions of free bodies, while Respond finds them.
#ifndef GRZ_MOTION_H
#define GRZ_MOTION_H

#include "collide/meet.h"
#include "world/world_state.h"

/// Begins the motions of the free bodies that may meet walls, or that may stand still. Rays, and
/// all other bodies, get theirs when they touch something: a free body without a motion goes
/// straight to its end, and is clear of walls (clearance.h). Most need none. Returns false when
/// there is no memory.
bool grz_motions_start(graze_world *world);

/// Gives a free body a motion straight through the step. Returns null when there is no memory.
/// Other motions may move in memory.
grz_motion *grz_motion_begin(graze_world *world, uint32_t row);

/// Stores the last piece of a motion where tests against it look for it, after it has changed. If
/// the body turned in the middle of the step, the sensors that it touched on the piece before must
/// have been looked up (grz_sensors_note_turn): that piece is not kept.
void grz_motion_note_course(graze_world *world, const grz_motion *motion);

/// Gives a free body a motion if it has none. Returns false when there is no memory.
static inline bool grz_motion_give(graze_world *world, uint32_t row)
{
    return grz_motion_of(world, row) || grz_motion_begin(world, row);
}

/// Returns whether a touch at `time` that was foreseen under `version` still happens. Touches at
/// the very time at which the motion last changed still do, unless the body is gone.
static inline bool grz_motion_is_in_force(const grz_motion *motion, uint32_t version, double time)
{
    if (!motion || motion->version == version) {
        return true;
    }
    return !motion->gone && version >= motion->old_version && time == motion->turn_time;
}

/// Ends the last piece at `time`; from there the body moves with the velocity `course`, in units
/// per step, to the end of the step. A body that has used up its turns, or goes nowhere, stands.
void grz_motion_turn(const graze_world *world, grz_motion *motion, double time, graze_vec2d course);

/// Returns whether the changes of a motion have made 1024 touches or more to be foreseen anew. With
/// its next change the body stands for the rest of the step: so a step foresees at most five
/// touches a pair and 1024 a body, however many lie on each other. Sensors that need no events do
/// not count (sensors.h), nor do long moves that pass each other (grid.h).
bool grz_motion_is_worn_out(const grz_motion *motion);

/// Removes a piece of the motion that takes no time, if there is one once the last piece ends at
/// `time`: so a body that is deflected again and again at one time uses up no turns. At most
/// sixteen times per step.
void grz_motion_spare_turn(grz_motion *motion, double time);

/// Changes the velocity of the last piece, which has just begun: nothing is foreseen of it yet.
void grz_motion_redirect(grz_motion *motion, graze_vec2d course);

/// Takes back the speed that gravity gave a body for a time in which it did not move, because it
/// has used up its turns, or is jammed between others: otherwise it would get faster with every
/// such step.
void grz_motion_drop_rest(const graze_world *world, grz_motion *motion);

/// Removes the body at `time`.
void grz_motion_end(const graze_world *world, grz_motion *motion, double time);

#endif
