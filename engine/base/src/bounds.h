/// @file bounds.h
/// Boxes around points, and around boxes.
#ifndef GRZ_BOUNDS_H
#define GRZ_BOUNDS_H

#include <graze/aabb.h>

#include "min_max.h"

/// Returns the box of a single point.
static inline graze_aabb box_of_point(graze_vec2 point)
{
    const graze_aabb box = {point, point};
    return box;
}

/// Extends a box so that it holds another, too.
static inline void extend_by_box(graze_aabb *box, graze_aabb added)
{
    box->lower.x = min_float(added.lower.x, box->lower.x);
    box->lower.y = min_float(added.lower.y, box->lower.y);
    box->upper.x = max_float(added.upper.x, box->upper.x);
    box->upper.y = max_float(added.upper.y, box->upper.y);
}

/// Extends a box so that it holds a point, too.
static inline void extend_by_point(graze_aabb *box, graze_vec2 point)
{
    extend_by_box(box, box_of_point(point));
}

/// Returns what a box has in common with others' bounds; inverted if that is nothing. A NaN in
/// `box` stays: min_float and max_float return the second of a NaN and a number.
static inline graze_aabb clip_box(graze_aabb box, graze_aabb bounds)
{
    const graze_aabb clipped = {
        {max_float(bounds.lower.x, box.lower.x), max_float(bounds.lower.y, box.lower.y)},
        {min_float(bounds.upper.x, box.upper.x), min_float(bounds.upper.y, box.upper.y)}};
    return clipped;
}

#endif
