/// @file axes.h
/// The axes of a rotation, in double.
#ifndef GRZ_AXES_H
#define GRZ_AXES_H

#include <graze/shape.h>

#include "vec2d.h"

/// Returns the axis of a float rotation, normalised to 1e-14: it is so close to length 1 that one
/// Newton step suffices.
static inline graze_vec2d unit_axis(graze_vec2d axis)
{
    return scale(axis, 1.5 - 0.5 * dot(axis, axis));
}

/// The axes of a rotation: u is where x goes, v is where y goes.
static inline graze_vec2d axis_u(graze_rotation rotation)
{
    return vec2d((double)rotation.cosine, (double)rotation.sine);
}

static inline graze_vec2d axis_v(graze_rotation rotation)
{
    return vec2d(-(double)rotation.sine, (double)rotation.cosine);
}

#endif
