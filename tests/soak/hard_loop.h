/// @file hard_loop.h
/// Closed chains, and places beside them, on which inexact decisions go wrong.
///
/// Exactness  All points are exact as fixed_vec2 (fixed_point.h).
#ifndef GRAZE_TESTS_HARD_LOOP_H
#define GRAZE_TESTS_HARD_LOOP_H

#include "soak_case.h"

#include <graze/vec2.h>

enum { HARD_LOOP_CAPACITY = 12 };

/// Where single points come from.
typedef enum ground_kind {
    GROUND_GRID,     ///< Small integers times a power of two: ties all the time.
    GROUND_ROUNDED,  ///< Small integers times 0.1 and a power of two: ties spoilt by rounding.
    GROUND_FAR_GRID, ///< A small grid up to 1e6 from the origin.
    GROUND_LINE,     ///< On one line as well as float can tell, or a rounding step beside it.
    GROUND_STEPS,    ///< A grid of rounding steps around one point, and few far points in line.
    GROUND_SPREAD,   ///< On lines through one point, exactly or nearly, up to 2^30 apart in size.
    GROUND_UNIFORM,  ///< Anywhere up to some power of ten.
    GROUND_MIXED,    ///< Any sizes from 2^-17 to 2^19 next to each other.
    GROUND_KIND_COUNT
} ground_kind;

typedef struct ground {
    ground_kind kind;
    graze_vec2 origin, direction;
    float unit; ///< What the grid's integers, or the reach, are multiplied by.
} ground;

typedef struct hard_loop {
    graze_vec2 points[HARD_LOOP_CAPACITY];
    uint32_t count; ///< At least 3.
} hard_loop;

/// Draws a kind and its numbers.
ground ground_pick(soak_case *test);

graze_vec2 ground_point(soak_case *test, const ground *place);

/// Draws a closed chain: any points, and among them points again, neighbours of others by a
/// rounding step, ways back, and points in line with the last two.
void hard_loop_pick(soak_case *test, const ground *place, hard_loop *loop);

/// Draws a point that is hard for the chain: one of its points, on a wall or a wall's line, a
/// rounding step beside these, or where the way from `last` goes on through one of its points.
graze_vec2 hard_loop_aim(soak_case *test, const ground *place, const hard_loop *loop,
                         graze_vec2 last);

#endif
