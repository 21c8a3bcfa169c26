/// @file collide.h
/// Contact manifolds: where two stationary shapes touch or overlap, and how deep.
///
///     graze_manifold manifold = graze_collide_circle_rect(ball, crate);
///     for (uint32_t i = 0; i < manifold.count; ++i) {
///         ... manifold.points[i], manifold.depths[i], and manifold.normal from ball to crate ...
///     }
///
/// Units      The game's own.
/// Exactness  The decision uses the same sums in double as overlap.h: `count > 0` exactly if the
///            overlap test returns true. Points, depths and normals are computed in double and
///            rounded once to float.
/// Threads    Pure functions: any number of threads.
/// Errors     Input that is not finite: count 0. Radii and half sizes must be >= 0 and rotations
///            unit vectors; otherwise the result is meaningless. A point or depth beyond the range
///            of float comes out as infinity.
/// Cost       Constant: 3 to 75 ns a pair where half of them touch, on the machine of README's
///            table. There is a benchmark for each function, such as
///            bench: narrowphase/collide_circles
/// Source     S. Gottschalk 1996, "Separating Axis Theorem" (which axis); I. Sutherland, G. Hodgman
///            1974, "Reentrant Polygon Clipping" (edges of rects against the sides of the other).
#ifndef GRAZE_COLLIDE_H
#define GRAZE_COLLIDE_H

#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A contact manifold. Elements from `count` on are 0.
typedef struct graze_manifold {
    uint32_t count;       ///< 0 if apart, else 1 or 2. Touching counts.
    graze_vec2 points[2]; ///< Midway between the two surfaces, along the normal.
    float depths[2];      ///< >= 0: from surface to surface at that point.
    graze_vec2 normal;    ///< Unit, from a to b: a is pushed out along -normal.
} graze_manifold;

/// Collides two discs: one point. If the centres are equal the normal is (1, 0).
graze_manifold graze_collide_circles(graze_circle a, graze_circle b);

/// Collides a disc and a segment, ends included (a point if they coincide): one point.
///
/// The normal points from the centre to the nearest point of the segment. A centre exactly on the
/// segment is taken to lie to the left of a->b; if the segment is a point, the normal is then (1,
/// 0).
graze_manifold graze_collide_circle_segment(graze_circle a, graze_segment b);

/// Collides a disc and a rect: one point. A centre inside the rect is pushed out through the
/// nearest side. If several are equally near, the rect's x axis comes before its y axis, and the
/// positive direction before the negative one.
graze_manifold graze_collide_circle_rect(graze_circle a, graze_rect b);

/// Collides two rects: one or two points; two are ordered to the left of the normal.
///
/// The normal is the axis of least overlap. Of equal ones it is the first in the order a's x, a's
/// y, b's x, b's y. The side on that axis is the reference side. The side of the other rect that
/// faces it is clipped to its width. The points come from those ends that lie below the reference
/// side, or above it by at most 1e-7 of the sizes of both rects (then with depth 0).
///
/// Cost       With that of a rect and a segment the dearest of these tests: 60 and 70 ns.
///            bench: narrowphase/collide_rects, narrowphase/collide_rect_segment
graze_manifold graze_collide_rects(graze_rect a, graze_rect b);

/// Collides a rect and a segment: one or two points, as for rects. The normal is the axis of least
/// overlap. Of equal ones it is the first in the order across the segment, the rect's x, the rect's
/// y. Two points may be equal, where an end touches a corner. Or they may lie on one line along the
/// normal, where the segment stands upright on a side.
graze_manifold graze_collide_rect_segment(graze_rect a, graze_segment b);

#ifdef __cplusplus
}
#endif

#endif
