/// @file hull.h
/// A slow judge of geometry for checking benchmarks: the gap between two rounded convex shapes.
///
/// A hull is the convex hull of a few points, in any order, grown by a radius: a circle is one
/// point with a radius, a segment two points, a rect four; and the area that a shape sweeps in a
/// straight move is the hull of its points before and after. Shares nothing with the kernels that
/// it judges.
///
/// Units      As given.
/// Exactness  Double, to about 1e-12 of the coordinates.
/// Source     S. Gottschalk, M. C. Lin, D. Manocha 1996, "OBBTree" (separating axes), in all
///            directions given by two points of one hull.
#ifndef GRAZE_BENCH_HULL_H
#define GRAZE_BENCH_HULL_H

#include <graze/shape.h>

#include <stdint.h>

enum { HULL_CAPACITY = 8 };

typedef struct hull {
    graze_vec2d points[HULL_CAPACITY];
    uint32_t count; ///< At least 1.
    double radius;  ///< >= 0.
} hull;

/// Returns the distance between the two, or, if the hulls of their points overlap, minus a lower
/// bound of the depth; less the radii. At most 0: they touch.
double hull_gap(const hull *a, const hull *b);

/// Returns the hull of a's points here and displaced by delta; a has at most half the capacity.
hull hull_sweep(const hull *a, graze_vec2d delta);

/// Makes hulls of shapes.
hull hull_of_point(graze_vec2 point);
hull hull_of_circle(graze_circle circle);
hull hull_of_rect(graze_rect rect);
hull hull_of_segment(graze_segment segment);

#endif
