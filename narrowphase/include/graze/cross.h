/// @file cross.h
/// Crossing points of lines, segments and circumferences.
///
///     graze_segment a = {{0, 0}, {4, 4}}, b = {{0, 4}, {4, 0}};
///     graze_crossing crossing = graze_cross_segments(a, b); // One point, at 2, 2.
///
/// Units      The game's own; angles in radians.
/// Exactness  Whether segments meet and whether lines are parallel or coincide is decided exactly.
///            Parameters and points are computed in double and rounded to float; at an end of a
///            segment they are exactly that end.
/// Threads    Pure functions: any number of threads.
/// Errors     NaN or infinity anywhere: no crossing, all fields 0. There is no division by 0.
/// Cost       Constant: 25 to 50 ns a pair where half of them cross, on the machine of README's
///            table. There is a benchmark for each function, such as bench: narrowphase/cross_lines
/// Source     As each function states.
#ifndef GRAZE_CROSS_H
#define GRAZE_CROSS_H

#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The points that two curves share. Elements from `count` on are 0.
typedef struct graze_crossing {
    uint32_t count;       ///< 0, 1 or 2 points, ordered along a.
    graze_vec2 points[2]; ///< The game's units.
    float along_a[2];     ///< Parameter on a: 0 at a.a, 1 at a.b; in [0, 1] for segments.
    float along_b[2];     ///< Likewise on b; for a circle the angle from its centre, in radians, in
                          ///< [-pi, pi].
    bool parallel;        ///< Directions are parallel, or a line or segment has length 0. Exact.
    bool coincident;      ///< Parallel and on the same line. Exact.
} graze_crossing;

/// Returns the point where two infinite lines cross.
///
/// Parallel lines have no such point, even if they coincide: count is 0 and the flags say why. A
/// line whose two points are equal counts as parallel to all lines, and as coincident with those
/// through that point. Two points coincide only if they are equal. A crossing past the float range
/// is not reported: count is 0 and `parallel` is false.
///
/// Source     Cramer's rule, on determinants whose sign is exact.
graze_crossing graze_cross_lines(graze_line a, graze_line b);

/// Returns the points that two segments share, ends included: count > 0 exactly if
/// graze_overlap_segments returns true.
///
/// Collinear segments (parallel and coincident) that overlap give the two ends of what they share,
/// or one point if they only touch.
/// Source     As graze_cross_lines.
graze_crossing graze_cross_segments(graze_segment a, graze_segment b);

/// Returns the points that a segment, ends included, and a circumference share. They come in the
/// order in which the segment meets them from a.a to a.b.
///
/// The circumference is the rim only. A segment meets it exactly if its nearest point is within the
/// radius and its farthest point is not inside. So a segment wholly inside does not. A tangent
/// gives one point. With radius 0 the rim is a point, with angle 0. `parallel` and `coincident` are
/// false.
///
/// The radius must be >= 0. Decisions are made in double: exact if all intermediate results are
/// representable.
/// Cost       One square root.
/// Source     The quadratic formula, in the form without cancellation.
graze_crossing graze_cross_segment_circle(graze_segment segment, graze_circle circumference);

#ifdef __cplusplus
}
#endif

#endif
