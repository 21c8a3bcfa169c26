/// @file overlap.h
/// Overlap tests: do two stationary shapes touch? Shapes are closed sets: touching counts, and so
/// does one shape inside the other.
///
///     graze_circle ball = {{0, 2}, 0.5f};
///     graze_segment wall = {{-5, 0}, {5, 0}};
///     bool touches = graze_overlap_circle_segment(ball, wall); // False.
///
/// Units      The game's own.
/// Threads    Pure functions: any number of threads.
/// Errors     NaN or infinity anywhere: no overlap (except that boxes may be infinite). Radii and
///            half sizes must be >= 0 and rotations unit vectors; otherwise the result is
///            meaningless.
/// Cost       Constant. A polygon is linear in its vertices; two polygons are in the product. On
///            the machine of README's table a pair takes 1 to 25 ns where half of them touch, and
///            45 to 225 ns for polygons of six vertices. There is a benchmark for each function,
///            such as bench: narrowphase/overlap_rects
/// Exactness  Segments, polygons, points in polygons and boxes: exact. The others compare in
///            double, without divisions or square roots. They are exact if coordinates differ by a
///            few powers of ten at most and the case is representable (a 3-4-5 triangle, sides
///            parallel to the axes). Otherwise the error is about 1e-15 of the quantities compared.
///            But the rotation of a rect is rounded to float (shape.h) and used as it is. So its
///            sides are off by up to 2^-23 of its size and of the size of what it meets.
/// Source     As some functions state; the others follow from the definition of their shapes.
#ifndef GRAZE_OVERLAP_H
#define GRAZE_OVERLAP_H

#include <graze/aabb.h>
#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns whether the boxes share a point. Exact; sides may be infinite; false if a side is NaN.
/// Cost       Inline; four comparisons without a branch.
static inline bool graze_overlap_aabbs(graze_aabb a, graze_aabb b)
{
    return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
           (b.lower.y <= a.upper.y);
}

/// Returns whether the point is in the disc. Compares squared distances; takes no square root.
bool graze_overlap_point_circle(graze_vec2 point, graze_circle circle);

/// Returns whether the point is in the rect.
bool graze_overlap_point_rect(graze_vec2 point, graze_rect rect);

/// Returns whether the point is in the polygon. Exact.
///
/// polygon    Not null; convex; either winding. With 1 or 2 vertices, or all of them on one line,
///            it is a point or a segment. With none, or more than its capacity, nothing touches it.
/// Source     No two edges see a point inside on different sides.
bool graze_overlap_point_polygon(graze_vec2 point, const graze_polygon *polygon);

/// Returns whether the discs touch.
bool graze_overlap_circles(graze_circle a, graze_circle b);

/// Returns whether the disc touches the infinite line. A line whose two points are equal is that
/// point.
/// Source     The centre's distance from the line by the cross product, squared, so that nothing is
///            divided.
bool graze_overlap_circle_line(graze_circle circle, graze_line line);

/// Returns whether the disc touches the segment; a segment wholly inside the disc does.
/// Source     The projection of the centre onto the segment selects an end point or the line
///            between.
bool graze_overlap_circle_segment(graze_circle disc, graze_segment segment);

/// Returns whether the disc touches the rect, one inside the other included.
bool graze_overlap_circle_rect(graze_circle circle, graze_rect rect);

/// Returns whether the disc touches the polygon (see graze_overlap_point_polygon), one inside the
/// other included.
bool graze_overlap_circle_polygon(graze_circle circle, const graze_polygon *polygon);

/// Returns whether the rects touch.
/// Source     Separating axes: S. Gottschalk, M. C. Lin, D. Manocha 1996, "OBBTree: A Hierarchical
///            Structure for Rapid Interference Detection", here with the four axes of the plane.
bool graze_overlap_rects(graze_rect a, graze_rect b);

/// Returns whether the rect touches the segment; a segment wholly inside the rect does.
/// Source     Separating axes: the rect's two and the segment's normal.
bool graze_overlap_rect_segment(graze_rect rect, graze_segment segment);

/// Returns whether the segments share a point. Exact, for ends, collinear segments and segments
/// that are points, too.
/// Cost       Four comparisons if their boxes are apart, otherwise up to four orientations.
bool graze_overlap_segments(graze_segment a, graze_segment b);

/// Returns whether the polygons touch (see graze_overlap_point_polygon), one inside the other
/// included. Exact.
/// Cost       One box test per pair of edges, and an exact test where the boxes touch.
/// Source     Two convex sets touch if their borders do, or if one holds a point of the other.
bool graze_overlap_polygons(const graze_polygon *a, const graze_polygon *b);

/// Returns whether the segment touches the polygon (see graze_overlap_point_polygon); a segment
/// wholly inside does. Exact.
bool graze_overlap_polygon_segment(const graze_polygon *polygon, graze_segment segment);

#ifdef __cplusplus
}
#endif

#endif
