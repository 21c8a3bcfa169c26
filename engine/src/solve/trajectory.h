/// @file trajectory.h
/// The trajectories of dynamic bodies, while Respond finds them: how they begin, change and end.
#ifndef GRZ_TRAJECTORY_H
#define GRZ_TRAJECTORY_H

#include "collide/pair_sweep.h"
#include "world/world_state.h"

/// Begins the trajectories of the dynamic bodies that may meet walls, or that may stand still.
/// Rays, and all other bodies, get theirs when they touch something: a dynamic body without a
/// trajectory goes straight to its end, and has no wall within reach. Most need none.
/// Returns false when there is no memory.
bool grz_trajectories_start(graze_world *world);

/// Gives a dynamic body, which has none, a trajectory straight through the step. Returns false when
/// there is no memory. Other trajectories may move in memory.
bool grz_trajectory_begin(graze_world *world, grz_row row);

/// Stores the last piece of a trajectory where tests against it look for it, after it has changed.
/// If the body turned in the middle of the step, the sensors that it touched on the piece before
/// must have been looked up (grz_sensors_note_deflection): that piece is not kept.
static inline void grz_trajectory_note_course(graze_world *world, const grz_trajectory *trajectory)
{
    if (grz_is_free_shape(world->bodies.rows.traits[trajectory->row])) {
        world->impacts.courses.data[trajectory->row] = grz_course_of_trajectory(trajectory);
    }
}

/// Gives a dynamic body a trajectory if it has none. Returns false when there is no memory.
static inline bool grz_trajectory_give(graze_world *world, grz_row row)
{
    return grz_trajectory_of(world, row) || grz_trajectory_begin(world, row);
}

/// Returns whether a touch at `time` that was found under `version` still happens. Touches at
/// the very time at which the trajectory last changed still do, unless the body is gone.
static inline bool grz_trajectory_is_in_force(const grz_trajectory *trajectory, uint32_t version,
                                              double time)
{
    if (!trajectory || trajectory->version == version) {
        return true;
    }
    return !trajectory->gone && version >= trajectory->old_version &&
           time == trajectory->deflection_time;
}

/// Ends the last piece at `time`; from there the body moves with the velocity `course`, in units
/// per step, to the end of the step. A body that has used up its turns, or goes nowhere, stands.
void grz_trajectory_deflect(const graze_world *world, grz_trajectory *trajectory, double time,
                            graze_vec2d course);

/// Turns at another rate, radians per second, from `time` to the end of the step of `dt`. To be
/// called before the last piece ends at that time.
static inline void grz_trajectory_turn_at(grz_trajectory *trajectory, float dt, double time,
                                          float rate)
{
    if (trajectory->deflection_time != time) {
        trajectory->old_turn = trajectory->turn;
        trajectory->old_rate = trajectory->rate;
    }
    trajectory->turn += (rate - trajectory->rate) * (dt * (float)(1 - time));
    trajectory->rate = rate;
}

/// Returns whether the changes of a trajectory have made 1024 touches or more to be found anew.
/// With its next change the body stands for the rest of the step: so a step finds at most five
/// touches a pair and 1024 a body, however many lie on each other. Sensors that need no events do
/// not count (find_impacts.h), nor do long moves that pass each other (grid.h).
bool grz_trajectory_is_worn_out(const grz_trajectory *trajectory);

/// Removes a piece of the trajectory that takes no time, if there is one once the last piece ends
/// at `time`: so a body that is deflected again and again at one time uses up no turns. At most
/// sixteen times per step.
void grz_trajectory_spare_deflection(grz_trajectory *trajectory, double time);

/// Changes the velocity of the last piece, which has just begun: nothing is found of it yet.
void grz_trajectory_redirect(grz_trajectory *trajectory, graze_vec2d course);

/// Takes back the speed that gravity gave a body for a time in which it did not move, because it
/// has used up its turns, or is jammed between others: otherwise it would get faster with every
/// such step.
void grz_trajectory_drop_rest(const graze_world *world, grz_trajectory *trajectory);

/// Removes the body at `time`.
void grz_trajectory_end(const graze_world *world, grz_trajectory *trajectory, double time);

/// Returns a box around all that a body that may be deflected can reach in a step, in either of its
/// rotations, with the margins of predict.h: a bit larger than grz_predicted_box.
graze_aabb grz_surroundings_of(const grz_rows *rows, grz_row row, graze_vec2 gravity_step,
                               float dt);

/// Lists in world->sleep.standing the bodies that the next step would leave as they are, too, if
/// nothing new came near. To be called once Respond knows all trajectories; does nothing in steps
/// after which no body may become still. Returns false when there is no memory.
///
/// Cost       Proportional to the trajectories and candidate pairs, in those steps alone.
bool grz_standstill_find(graze_world *world);

#endif
