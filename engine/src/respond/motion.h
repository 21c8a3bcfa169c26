/// @file motion.h
/// The courses of free bodies while a step finds them out.
#ifndef GRZ_MOTION_H
#define GRZ_MOTION_H

#include "prefetch.h"
#include "respond/meet.h"
#include "state.h"

#include <stddef.h>

/// Begins the motions of the free bodies that may meet walls, or stand. Rays get theirs when they
/// touch something, and so do all others: a free body without a motion goes straight to its end,
/// and is clear of walls (clearance.h). Most need none. Returns false when there is no memory.
bool grz_motions_start(graze_world *world);

/// Gives a free body a motion straight through the step. Returns null when there is no memory; it
/// may move those there are.
grz_motion *grz_motion_begin(graze_world *world, uint32_t row);

/// Makes the last piece of a motion known to others, after something has changed it.
void grz_motion_note_course(graze_world *world, const grz_motion *motion);

/// Gives a free body a motion if it has none. Returns false when there is no memory.
static inline bool grz_motion_give(graze_world *world, uint32_t row)
{
    return grz_motion_of(world, row) || grz_motion_begin(world, row);
}

/// Starts to load what a motion is when its body is pushed, before it is needed: for loops over
/// motions in another order than theirs.
static inline void grz_motion_prefetch(const graze_world *world, uint32_t motion)
{
    grz_prefetch_lines(&world->motions.data[motion], offsetof(grz_motion, slide.planes));
}

/// Returns whether a touch at `time` that was foreseen under `version` still happens. A motion
/// keeps what it met at the very time of its last turn, unless it is gone.
static inline bool grz_motion_is_in_force(const grz_motion *motion, uint32_t version, double time)
{
    if (!motion || motion->version == version) {
        return true;
    }
    return !motion->gone && version >= motion->old_version && time == motion->turn_time;
}

/// Ends the straight piece under way at `time`; from there the body goes `course`, in units per
/// step, to the end of the step. One that has used up its turns, or goes nowhere, stands.
void grz_motion_turn(const graze_world *world, grz_motion *motion, double time, graze_vec2d course);

/// Returns whether a motion has changed so often, among so many others, that 1024 touches or more
/// had to be foreseen anew. With its next change it stands for the rest of the step: so a step
/// foresees at most five touches a pair and 1024 a body, however many lie on each other.
bool grz_motion_is_worn_out(const grz_motion *motion);

/// Forgets a piece of the motion that takes no time, if there is one when the last ends at `time`:
/// what turns a body again and again at one time then uses up no turn. At most sixteen times.
void grz_motion_spare_turn(grz_motion *motion, double time);

/// Changes the course of the last piece, which the last turn began: nothing is foreseen of it yet.
void grz_motion_redirect(grz_motion *motion, graze_vec2d course);

/// Lets the course of a body of a pile change at `time`: grz_motion_redirect does that. It may do
/// so any number of times at once, but if it has often been stopped, or turned, it stands.
void grz_motion_stop_short(const graze_world *world, grz_motion *motion, double time);

/// Takes back what gravity gave a body for a time in which it did not move: because it has used up
/// its turns, or is jammed between others. It would else be faster with every such step. A body of
/// a pile loses all speed with which it did not move.
void grz_motion_drop_rest(const graze_world *world, grz_motion *motion);

/// Removes the body at `time`.
void grz_motion_end(const graze_world *world, grz_motion *motion, double time);

/// Removes the body at `time`, at a point that is certified.
void grz_motion_end_at(grz_motion *motion, double time, graze_vec2 point);

#endif
