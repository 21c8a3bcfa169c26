#include "solve/exchange.h"

#include "collide/tolerance.h"

// Before its last turn only its course is known. That is what a ray has to keep away from.
graze_vec2d grz_velocity_at(const graze_world *world, grz_row row, double time)
{
    const grz_trajectory *trajectory = row == GRZ_NONE ? NULL : grz_trajectory_of(world, row);
    if (trajectory && time < trajectory->time[trajectory->count - 2]) {
        return scale(grz_course_at(world, row, time), 1 / (double)world->call.dt);
    }
    return grz_velocity_of(world, row);
}

bool grz_is_movable(const graze_world *world, const grz_trajectory *trajectory)
{
    return trajectory && grz_response_of(world, trajectory) != GRAZE_STOP;
}
