/// @file operands.h
/// Random shapes for benchmarks of kernels, each with its outline for the judge (hull.h).
///
/// Units      All lie within a few units of the origin and are 0.1 to 2 units big.
#ifndef GRAZE_BENCH_OPERANDS_H
#define GRAZE_BENCH_OPERANDS_H

#include "hull.h"
#include "random.h"

#include <graze/aabb.h>
#include <graze/shape.h>

#include <stddef.h>

typedef struct moving_circle {
    graze_circle circle;
    graze_vec2 delta;
} moving_circle;

typedef struct moving_rect {
    graze_rect rect;
    graze_vec2 delta;
} moving_rect;

/// A type of argument: its size, how to draw one at random, and its outline (for a moving one that
/// of its swept area).
typedef struct operand {
    size_t size;
    void (*draw)(random_state *random, void *value);
    hull (*outline)(const void *value);
} operand;

extern const operand operand_graze_vec2;
extern const operand operand_graze_circle;
extern const operand operand_graze_aabb;
extern const operand operand_graze_rect;
extern const operand operand_graze_segment;
extern const operand operand_graze_line;
extern const operand operand_graze_ray;
extern const operand operand_graze_polygon;
extern const operand operand_moving_circle;
extern const operand operand_moving_rect;

/// Returns a vector in double.
static inline graze_vec2d widen(graze_vec2 v)
{
    graze_vec2d wide = {(double)v.x, (double)v.y};
    return wide;
}

#endif
