// A circle swept against a wall: against the two sides and two round ends of a capsule.

#include <graze/sweep.h>

#include "sweep_disc.h"
#include "touch.h"

/// A circle and a wall; everything is turned so that the centre starts left of the wall or on it.
typedef struct capsule {
    graze_vec2d from_a, from_b; ///< The centre relative to the wall's ends.
    graze_vec2d wall;           ///< From a to b.
    graze_vec2d delta;
    double side;    ///< 1, or -1 when the centre is really on the right.
    double height;  ///< Distance to the line times |wall|; >= 0.
    double descent; ///< How much of that height the motion takes away.
} capsule;

static inline capsule place_on_left(graze_vec2d start, graze_vec2d delta, graze_segment wall)
{
    const graze_vec2d direction = offset(wall.b, wall.a);
    const graze_vec2d from_a = subtract(start, widen(wall.a));
    const double height = cross(direction, from_a);
    const double side = height < 0 ? -1 : 1;
    const capsule placed = {from_a,        subtract(start, widen(wall.b)), direction, delta, side,
                            side * height, -side * cross(direction, delta)};
    return placed;
}

/// The point of a wall that is nearest to the centre, and the way there.
typedef struct nearest_point {
    graze_vec2d at, toward;
    double distance;
} nearest_point;

// From each end by its own way, so that the length of the wall costs no accuracy.
static nearest_point nearest_on_wall(const capsule *pair, graze_segment wall)
{
    const graze_vec2d here = {0, 0};
    const graze_vec2d to_a = subtract(here, pair->from_a), to_b = subtract(here, pair->from_b);
    const double along_wall = dot(pair->from_a, pair->wall);
    if (along_wall <= 0) {
        const nearest_point end = {widen(wall.a), to_a, length_of(to_a)};
        return end;
    }
    if (dot(pair->from_b, pair->wall) >= 0) {
        const nearest_point end = {widen(wall.b), to_b, length_of(to_b)};
        return end;
    }
    const graze_vec2d from_a = scale(pair->wall, along_wall / dot(pair->wall, pair->wall));
    const nearest_point inner = {add(widen(wall.a), from_a),
                                 scale(left_of(pair->wall), -pair->side),
                                 pair->height / length_of(pair->wall)};
    return inner;
}

static graze_sweep initial_overlap_with_wall(const capsule *pair, double radius, graze_segment wall)
{
    const nearest_point nearest = nearest_on_wall(pair, wall);
    const graze_vec2d right = scale(left_of(pair->wall), -pair->side);
    graze_sweep sweep = {true, 0, nearest.at, {0, 0}, max_double(radius - nearest.distance, 0)};
    sweep.normal = unit_or(nearest.toward, unit_or(right, vec2d(1, 0)));
    return sweep;
}

static graze_sweep enter_cap(graze_vec2d from_end, graze_vec2d delta, double radius, graze_vec2 end)
{
    graze_sweep sweep = enter_disc(from_end, delta, radius);
    if (sweep.hit) {
        sweep.point = widen(end);
    }
    return sweep;
}

// A centre that starts above the band around the wall's line enters it at drop / (descent * (height
// + radius * |wall|)). Whether it does so beside the wall or off its ends is decided before any
// division; off an end, only that end's disc can be hit.
static graze_sweep enter_band(const capsule *pair, double radius, double drop, graze_segment wall)
{
    const double length = length_of(pair->wall);
    const double divisor = pair->descent * (pair->height + radius * length);
    const double drift = drop * dot(pair->delta, pair->wall);
    if (dot(pair->from_a, pair->wall) * divisor + drift < 0) {
        return enter_cap(pair->from_a, pair->delta, radius, wall.a);
    }
    if (dot(pair->from_b, pair->wall) * divisor + drift > 0) {
        return enter_cap(pair->from_b, pair->delta, radius, wall.b);
    }
    const double time = min_double(drop / divisor, 1);
    graze_sweep sweep = {true, time, {0, 0}, {0, 0}, 0};
    sweep.normal = scale(left_of(pair->wall), -pair->side / length);
    const graze_vec2d center = add(widen(wall.a), along(pair->from_a, pair->delta, time));
    sweep.point = along(center, sweep.normal, radius);
    return sweep;
}

// HOT. bench: narrowphase/sweep_circle_segment
//
// The wall grown by the radius is a band with a disc at each end. Two products reject what stays
// above the band or moves away from it, before the root for the wall's length is taken. Straight
// out from an end the disc there decides, as in touches_disc_segment: by rounding it may be touched
// from above the band.
graze_sweep graze_sweep_circle_segment(graze_vec2d start, graze_vec2d delta, double radius,
                                       graze_segment wall)
{
    const capsule pair = place_on_left(start, delta, wall);
    const double band = squared(radius) * dot(pair.wall, pair.wall);
    const double drop = squared(pair.height) - band;
    const double lowest = pair.height - max_double(pair.descent, 0);
    const bool stays_above = drop > 0 && lowest > 0 && squared(lowest) > band;
    if (stays_above && !touches_disc(pair.from_a, radius) && !touches_disc(pair.from_b, radius)) {
        return miss();
    }
    if (!is_finite_sum(drop + pair.descent + delta.x + delta.y)) {
        return miss();
    }
    if (touches_disc_segment(pair.from_a, pair.from_b, radius, pair.wall)) {
        return initial_overlap_with_wall(&pair, radius, wall);
    }
    if (stays_above) {
        return miss();
    }
    if (drop > 0) {
        return enter_band(&pair, radius, drop, wall);
    }
    return dot(pair.from_a, pair.wall) <= 0 ? enter_cap(pair.from_a, delta, radius, wall.a)
                                            : enter_cap(pair.from_b, delta, radius, wall.b);
}
