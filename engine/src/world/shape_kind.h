/// @file shape_kind.h
/// What a kind of shape means to columns and snapshots: sizes, rotation, inertia. A new kind is
/// added here; engine/DESIGN.md has the list of those that know its geometry.
#ifndef GRZ_SHAPE_KIND_H
#define GRZ_SHAPE_KIND_H

#include "vec2d.h"
#include "world/body_state.h"

/// The kinds in the order of their numbers: snapshots refuse greater ones.
enum { GRZ_LAST_SHAPE_KIND = GRAZE_SHAPE_RAY };

/// Returns the kind that a row's traits tell.
static inline graze_shape_kind grz_kind_of(uint32_t traits)
{
    return (graze_shape_kind)(traits & GRZ_TRAIT_KIND);
}

/// Returns whether shapes of this kind have half extents of their own, which turn with the body:
/// others look the same however they are turned.
static inline bool grz_kind_has_sides(uint32_t kind)
{
    return kind == GRAZE_SHAPE_RECT;
}

/// Returns the same for a row with these traits.
static inline bool grz_has_sides(uint32_t traits)
{
    return grz_kind_has_sides(traits & GRZ_TRAIT_KIND);
}

/// Returns whether a body of this kind and response has an angle and a spin.
static inline bool grz_has_rotation(uint32_t kind, uint32_t response)
{
    return grz_kind_has_sides(kind) ||
           (kind == GRAZE_SHAPE_CIRCLE && response == (uint32_t)GRAZE_RIGID);
}

/// Returns the same for a row with these traits: a rect, or a circle with
/// GRAZE_RIGID.
static inline bool grz_row_has_rotation(uint32_t traits)
{
    const uint32_t kind = traits & GRZ_TRAIT_KIND;
    return traits & (GRZ_TRAIT_RIGID | GRZ_TRAIT_BLOCK) ? kind != GRAZE_SHAPE_RAY
                                                        : grz_kind_has_sides(kind);
}

/// Returns whether a body of this kind and response slides, bounces or is rigid, and is no ray.
static inline bool grz_is_dynamic(uint32_t kind, uint32_t response)
{
    return kind != GRAZE_SHAPE_RAY && response >= (uint32_t)GRAZE_SLIDE;
}

/// Returns the half extents of a shape: of a circle its radius twice, of a ray 0, 0. Never -0.
static inline graze_vec2 grz_half_of(graze_shape shape)
{
    const graze_vec2 round = {shape.radius + 0.0f, shape.radius + 0.0f};
    const graze_vec2 none = {0, 0};
    return grz_kind_has_sides(shape.kind)  ? shape.half
           : shape.kind == GRAZE_SHAPE_RAY ? none
                                           : round;
}

/// Returns the shape that has these.
static inline graze_shape grz_shape_of(graze_shape_kind kind, graze_vec2 half)
{
    graze_shape shape = {kind, 0, {0, 0}};
    if (kind == GRAZE_SHAPE_CIRCLE) {
        shape.radius = half.x;
    } else {
        shape.half = half;
    }
    return shape;
}

/// Returns 1 if a shape of this kind may have these half extents, which are finite and >= 0; else
/// 0. Without a branch: snapshots ask of all bodies.
static inline uint32_t grz_size_fits(uint32_t kind, graze_vec2 half)
{
    const uint32_t has_sides = grz_kind_has_sides(kind), is_ray = kind == GRAZE_SHAPE_RAY;
    const uint32_t sized = (half.x > 0) & (half.y > 0), round = half.x == half.y;
    return (has_sides & sized) | ((has_sides ^ 1) & round & ((is_ray ^ 1) | (half.x == 0)));
}

/// Returns the inertia of a shape that is solid, by its kind and half extents. Without a branch, as
/// the next: heaps are of both kinds.
static inline double grz_solid_inertia(uint32_t kind, graze_vec2 half, double mass)
{
    const double x = (double)half.x, y = (double)half.y, sides = grz_kind_has_sides(kind);
    return mass * (x * x + y * y * sides) / (2 + sides);
}

#endif
