/// @file shape.h
/// The shapes that all tests of this module take, by value.
///
///     graze_circle ball = {{0, 2}, 0.5f}; // Its centre, and its radius.
///     graze_rect crate = {{3, 0}, {1, 1}, graze_rotation_from_angle(0.5f)};
///     graze_shape shape = graze_shape_rect(1, 1); // Of a body, without a position.
///
/// Units      The game's own; angles in radians. The y axis may point either way.
/// Exactness  Rotations: cosine and sine are the true values for the angle, rounded once to float.
///            All else is stored as given.
/// Threads    Pure functions: any number of threads.
/// Errors     As each function states. Shapes are plain values, which are not checked when they are
///            made. The tests state how they treat sizes that are negative or not finite. Calls on
///            a world refuse such sizes.
/// Cost       Constant.
/// Rounding   The tests compute under the caller's rounding mode and flush-to-zero setting. What
///            they promise holds for the default: round to nearest, denormals kept. (A program that
///            gcc links with -ffast-math flushes: coordinates below 1.2e-38 then count as 0. Calls
///            on a world set their own.)
#ifndef GRAZE_SHAPE_H
#define GRAZE_SHAPE_H

#include <graze/status.h>
#include <graze/vec2.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of vertices of a polygon.
#define GRAZE_POLYGON_CAPACITY 8

/// A rotation, given by the direction to which it turns the x axis: {1, 0} is no rotation. Tests
/// use it as it is. So it must be a unit vector to the precision of float; {0, 0} is invalid.
typedef struct graze_rotation {
    float cosine, sine;
} graze_rotation;

/// A disc, which some tests take as its rim alone. With radius 0 it is a point.
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

/// A segment, ends included. If a == b it is a point.
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
    uint32_t count; ///< 1 to GRAZE_POLYGON_CAPACITY. 1 is a point, 2 a segment; 0 is empty.
} graze_polygon;

/// The kind of a body's shape.
typedef enum graze_shape_kind {
    GRAZE_SHAPE_CIRCLE,
    GRAZE_SHAPE_RECT,
    GRAZE_SHAPE_RAY
} graze_shape_kind;

/// The shape of a body, without a position. Fields that the kind does not use are 0.
typedef struct graze_shape {
    graze_shape_kind kind;
    float radius;    ///< Circles: >= 0; a point if 0.
    graze_vec2 half; ///< Rects: half the width and half the height, both > 0.
} graze_shape;

/// Returns the shape of a circle; radius finite, >= 0.
graze_shape graze_shape_circle(float radius);

/// Returns the shape of a rect, from half its width and half its height, both finite and > 0.
graze_shape graze_shape_rect(float half_x, float half_y);

/// Returns the shape of a ray: a bullet, a point that is tested along the line it travels.
graze_shape graze_shape_ray(void);

/// Returns the rotation by an angle, counter-clockwise when the y axis points up.
///
/// radians    Any float. NaN and infinity give {1, 0}.
/// Returns    Cosine and sine, the same bits on every machine. Each is within 0.51 ulp of the true
///            value for every finite angle, however large. Multiples of pi/2 are not representable,
///            so only 0 gives a component that is exactly 0.
/// Cost       Two polynomials of a few terms; no division, no square root.
/// Source     Taylor polynomials after reduction by multiples of pi/2; for large angles by the
///            digits of 2/pi (M. H. Payne, R. N. Hanek 1983, "Radian Reduction for Trigonometric
///            Functions").
graze_rotation graze_rotation_from_angle(float radians);

/// Writes the four corners of a rect, in order around it. In the rect's own axes they come in this
/// order: (-half.x, -half.y), (+half.x, -half.y), (+half.x, +half.y), (-half.x, +half.y). Each is
/// computed in double and rounded once; past the range of float it is infinite.
///
/// vertices   Room for four points, not null; the caller's.
void graze_rect_get_vertices(graze_rect rect, graze_vec2 vertices[4]);

/// Makes a rect from its four corners, given in order around it, in either winding. Its x axis
/// points from vertex 0 to vertex 1.
///
/// vertices   Four points, not null.
/// rect       Not null; written only on success.
/// Accepts    The corners need not form a perfect rectangle. They are accepted if there is a
///            rectangle whose corners are each near enough. Near enough is 1e-5 of the longer side,
///            plus two rounding steps of the largest coordinate (2^-22 of it). Beyond twice that
///            distance they are always refused.
/// Returns    GRAZE_OK, or GRAZE_ERROR_ARGUMENT if
///              - a coordinate is not finite;
///              - the corners form no rectangle, or are not in order around it;
///              - its area is zero (also if a side rounds to 0);
///              - half a side is past the float range.
graze_status graze_rect_from_vertices(const graze_vec2 vertices[4], graze_rect *rect);

#ifdef __cplusplus
}
#endif

#endif
