/// @file shape.h
/// The shapes that every test in this module takes, by value.
///
/// Units      The game's own; angles in radians. The y axis may point either way.
/// Exactness  Rotations: cosine and sine are the true values of the angle, rounded once to float.
///            The rest stores what it is given.
/// Threads    Pure functions: any number of threads.
/// Errors     Where a function says so. Shapes are plain values: the tests state what they do with
///            sizes that are negative or not finite.
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include <graze/status.h>
#include <graze/vec2.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most vertices that a polygon can have.
#define GRAZE_POLYGON_CAPACITY 8

/// A rotation, as the direction that the x axis turns into. {1, 0} turns nothing. Tests use it as
/// it is, so it must be a unit vector, as far as float can tell; {0, 0} is no rotation.
typedef struct graze_rotation {
    float cosine, sine;
} graze_rotation;

/// A disc. Radius 0 is a point.
typedef struct graze_circle {
    graze_vec2 center;
    float radius; ///< >= 0.
} graze_circle;

/// An oriented rectangle.
typedef struct graze_rect {
    graze_vec2 center;
    graze_vec2 half; ///< Half the width and half the height, both > 0, before it is rotated.
    graze_rotation rotation;
} graze_rect;

/// A segment with both its ends. a == b is a point.
typedef struct graze_segment {
    graze_vec2 a, b;
} graze_segment;

/// The infinite line through a and b, which must differ.
typedef struct graze_line {
    graze_vec2 a, b;
} graze_line;

/// A moving point, such as a bullet: it goes from `origin` to `origin + delta`.
typedef struct graze_ray {
    graze_vec2 origin, delta;
} graze_ray;

/// A convex polygon, its vertices in order, in either winding. Neighbours may be collinear.
typedef struct graze_polygon {
    graze_vec2 vertices[GRAZE_POLYGON_CAPACITY];
    uint32_t count; ///< 1 to GRAZE_POLYGON_CAPACITY; 1 is a point, 2 a segment, 0 is nothing.
} graze_polygon;

/// What a body is.
typedef enum graze_shape_kind {
    GRAZE_SHAPE_CIRCLE,
    GRAZE_SHAPE_RECT,
    GRAZE_SHAPE_RAY
} graze_shape_kind;

/// A body's shape without its place. Fields that the kind does not use are 0.
typedef struct graze_shape {
    graze_shape_kind kind;
    float radius;    ///< Circles: >= 0; 0 is a point.
    graze_vec2 half; ///< Rects: half the width and half the height, both > 0.
} graze_shape;

/// Returns a circle's shape; radius >= 0.
graze_shape graze_shape_circle(float radius);

/// Returns a rect's shape from half its width and half its height, both > 0.
graze_shape graze_shape_rect(float half_x, float half_y);

/// Returns a ray's shape: a bullet, a point that is tested along the line it travels.
graze_shape graze_shape_ray(void);

/// Returns the rotation by an angle, counter-clockwise when the y axis points up.
///
/// radians    Any float. NaN and infinity give {1, 0}.
/// Returns    Cosine and sine, each within 0.51 ulp of the true value for every finite angle,
///            however large; the same bits on every machine. Multiples of pi/2 are not
///            representable, so only 0 gives a component that is exactly 0.
/// Cost       Two polynomials of a few terms; no division, no root.
/// Source     Taylor polynomials after reduction by multiples of pi/2; for large angles by the
///            digits of 2/pi (M. H. Payne, R. N. Hanek 1983, "Radian Reduction for Trigonometric
///            Functions").
graze_rotation graze_rotation_from_angle(float radians);

/// Writes the four corners of a rect, in order around it, beginning at (-half.x, -half.y) and going
/// to (+half.x, -half.y) in the rect's own axes. Each is computed in double and rounded once.
void graze_rect_get_vertices(graze_rect rect, graze_vec2 vertices[4]);

/// Makes a rect from its four corners, in order around it, in either winding. Its x axis points
/// from vertex 0 to vertex 1.
///
/// The corners may miss a true rectangle by a little: they are taken when there is one whose own
/// are each at most 1e-5 of the longer side, plus two rounding steps of the largest coordinate
/// (2^-22 of it), away; from twice that on they are refused.
///
/// vertices   Four points, not null.
/// rect       Not null; written only on success.
/// Returns    GRAZE_OK, or GRAZE_ERROR_ARGUMENT when a coordinate is not finite, the corners form
///            no rectangle or come out of order, its area is zero (a side that rounds to 0
///            included), or half a side is past the float range.
graze_status graze_rect_from_vertices(const graze_vec2 vertices[4], graze_rect *rect);

#ifdef __cplusplus
}
#endif

#endif
