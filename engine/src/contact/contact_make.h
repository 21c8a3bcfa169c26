/// @file contact_make.h
/// Makes the contacts that are reported of touches.
#ifndef GRZ_CONTACT_MAKE_H
#define GRZ_CONTACT_MAKE_H

#include "state.h"
#include "vec2d.h"

#include <float.h>

/// Returns a number as it is reported, which is finite: beyond the range of float it is the end of
/// the range.
static inline float grz_reported(double value)
{
    return (float)clamp(value, -(double)FLT_MAX, (double)FLT_MAX) + 0.0f;
}

static inline graze_vec2 grz_reported_vector(graze_vec2d v)
{
    const graze_vec2 reported = {grz_reported(v.x), grz_reported(v.y)};
    return reported;
}

/// Returns the contact for a touch; row_b is GRZ_NONE against terrain.
graze_contact grz_contact_of(const graze_world *world, uint32_t row_a, uint32_t row_b,
                             graze_segment_id segment, const grz_touch *touch);

/// Adds a contact to those of this step; row_b is GRZ_NONE against terrain. Returns false if memory
/// runs out.
bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch);

#endif
