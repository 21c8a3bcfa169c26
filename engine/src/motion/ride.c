#include "motion/ride.h"

#include "body/rows.h"
#include "meet/tolerance.h"
#include "terrain/certified.h"
#include "terrain/terrain.h"
#include "vec2d.h"

graze_vec2d grz_up(const graze_world *world)
{
    const graze_vec2d gravity = widen(world->gravity);
    const double pull = length_of(gravity);
    return pull > 0 ? scale(gravity, -1 / pull) : vec2d(0, 0);
}

double grz_rise_on(const graze_world *world, graze_vec2d normal, double speed)
{
    const double down = -dot(normal, grz_up(world));
    return down >= grz_steepest_bearing && speed < 0 ? -speed / down : 0;
}

static bool is_in_the_way(const grz_touch *touch, graze_vec2 from, double length)
{
    const double rounding = grz_blur_at(from, touch->normal) + grz_slide_tolerance * length;
    return touch->crosses || touch->approach > rounding;
}

// Nothing is foreseen of a body that has used up its turns.
static bool is_free_way(const graze_world *world, const grz_motion *motion, graze_vec2 from,
                        graze_vec2 to)
{
    if (!world->segment_count || motion->clearance == GRZ_CLEAR) {
        return true;
    }
    grz_mover mover;
    grz_mover_fill(world, motion->row, &mover);
    const double length = length_of(offset(to, from));
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &mover, from, to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        if (grz_chain_stops(world, segment, mover.filter) && is_in_the_way(&touch, from, length)) {
            return false;
        }
    }
    return is_same_point(grz_certified_point(world, &mover, from, to, 1), to);
}

graze_vec2 grz_ride_end(const graze_world *world, const grz_motion *motion, graze_vec2 from,
                        double fraction)
{
    if (!(motion->rise > 0)) {
        return from;
    }
    const double rise =
        min_double((double)motion->rise * (double)world->dt, motion->reach) * fraction;
    const graze_vec2d to = along(widen(from), grz_up(world), rise);
    const graze_vec2 end = {(float)to.x + 0.0f, (float)to.y + 0.0f};
    return is_free_way(world, motion, from, end) ? end : from;
}
