/// @file shots.h
/// Hard shots: common in games, and known to pass through walls and bodies in engines.
///
/// Bullets fly inside loops of walls that are strictly convex, so that a bullet that gets from
/// inside to outside has crossed a wall; both are checked with a margin that leaves no doubt.
/// "Whole" shots have whole coordinates only, so that no engine can blame rounding: they go exactly
/// where they are aimed, in float and in double.
///
/// Units      The game's own; velocities a second.
/// Exactness  Drawn by + - * / alone: the same bits on every machine.
/// Threads    No global state.
#ifndef GRAZE_BENCH_SHOTS_H
#define GRAZE_BENCH_SHOTS_H

#include "random.h"

#include <graze/shape.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

enum { SHOT_LOOP_CAPACITY = 16, SHOT_GRID = 5 };

/// Walls from each point to the next and from the last to the first; counterclockwise.
typedef struct shot_loop {
    graze_vec2 points[SHOT_LOOP_CAPACITY];
    uint32_t count;
    graze_vec2 center; ///< Of the circle that the points are near.
    float radius;
    bool whole; ///< Coordinates are multiples of SHOT_GRID: fifths of walls are whole, too.
} shot_loop;

/// Draws a loop within 100 units of the origin, of whole coordinates.
shot_loop shot_draw_whole_loop(random_state *random);

/// Draws a loop within 20 units of the origin.
shot_loop shot_draw_near_loop(random_state *random);

/// Draws a loop within 1000 units of the origin, on each axis.
shot_loop shot_draw_far_loop(random_state *random);

/// Draws a box with walls along the axes, as in tile maps, within 20 units of the origin.
shot_loop shot_draw_box(random_state *random);

/// Draws a shot from inside the loop at one of its points, and as far again past it: the delta
/// leads out of the loop.
graze_ray shot_draw_at_vertex(random_state *random, const shot_loop *loop);

/// Draws a shot from inside the loop that lands on a wall (to within rounding; exactly, if the loop
/// is whole): twice the delta leads out of the loop.
graze_ray shot_draw_onto_wall(random_state *random, const shot_loop *loop);

#define COURSE_SPEED         200.0f ///< Of a bullet.
#define COURSE_TARGET_RADIUS 0.5f
#define COURSE_BULLET_RADIUS 0.05f ///< For engines that have no points.
#define COURSE_LANE          64.0f ///< Courses do not leave the square of this side around theirs.

enum { COURSE_STEPS = 6 }; ///< After which every bullet has met its target.

/// A bullet and a target that both fly straight, begin apart and meet, centre on centre.
typedef struct course {
    graze_vec2 bullet, bullet_velocity;
    graze_vec2 target, target_velocity;
} course;

/// Draws `count` courses, each in a lane of its own: targets fly at `speed` in all directions.
void shot_draw_courses(random_state *random, float speed, course *courses, uint32_t count);

#endif
