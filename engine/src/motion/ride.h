/// @file ride.h
/// What rises and gives no way, such as a lift, carries what lies on it.
///
/// Rise       A body that is carried rises at grz_motion.rise, the speed of the lift, against
///            gravity, also when it has used up its turns: if it stayed behind each time, the lift
///            would sink into it.
#ifndef GRZ_RIDE_H
#define GRZ_RIDE_H

#include "state.h"

/// Returns the direction against gravity, a unit vector; 0 without gravity.
graze_vec2d grz_up(const graze_world *world);

/// Returns the speed against gravity of a body on something that goes along `normal`, unit and into
/// that, at `speed`; 0 where the normal leans by more than 60 degrees, or it does not rise.
double grz_rise_on(const graze_world *world, graze_vec2d normal, double speed);

/// Returns where a body ends that has used up its turns, after `fraction` of the step from here: it
/// stands, or only rises if it is carried and no wall is in the way.
graze_vec2 grz_ride_end(const graze_world *world, const grz_motion *motion, graze_vec2 from,
                        double fraction);

#endif
