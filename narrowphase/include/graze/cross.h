/// @file cross.h
/// Where do two curves cross: lines, segments, a circumference?
///
/// Units      The game's own; angles in radians.
/// Exactness  Whether segments meet, whether lines are parallel or one: exact. Parameters and
///            points are computed in double and rounded to float; at an end of a segment they are
///            that end.
/// Threads    Pure functions: any number of threads.
/// Errors     NaN or infinity anywhere: nothing crosses, all fields 0. Nothing divides by 0.
#ifndef GRAZE_CROSS_H
#define GRAZE_CROSS_H

#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The points that two curves share. Entries from `count` on are 0.
typedef struct graze_crossing {
    uint32_t count; ///< 0, 1 or 2 points, ordered along a.
    graze_vec2 points[2];
    float along_a[2]; ///< Where on a: 0 at a.a, 1 at a.b; in [0, 1] for segments.
    float along_b[2]; ///< Where on b, likewise; for a circle the angle from its centre, [-pi, pi].
    bool parallel;    ///< Directions are parallel, or a line or segment has length 0. Exact.
    bool coincident;  ///< parallel, and both lie on one line. Exact.
} graze_crossing;

/// Returns the point where two infinite lines cross.
///
/// Parallel lines have none, also when they coincide: count 0, and the flags say so. So has a line
/// whose two points are the same: parallel to all, coincident with those that it lies on. A
/// crossing past the float range is none either: count 0, not parallel.
/// Source     Cramer's rule, on determinants whose sign is exact.
graze_crossing graze_cross_lines(graze_line a, graze_line b);

/// Returns the points that two closed segments share: count > 0 exactly when
/// graze_overlap_segments.
///
/// Collinear segments (parallel, coincident) that overlap give the two ends of what they share, or
/// one point where they only touch.
/// Source     As graze_cross_lines.
graze_crossing graze_cross_segments(graze_segment a, graze_segment b);

/// Returns the points that a closed segment and a circumference share, as a crosses from a.a to
/// a.b.
///
/// The circumference is the rim only: a segment that is wholly inside does not meet it (one does
/// exactly when its nearest point is within the radius and its farthest point is not inside). A
/// tangent gives one point. A radius of 0 makes the rim a point, with the angle 0. `parallel` and
/// `coincident` are false.
///
/// The radius must be >= 0. Decisions are in double, exact for representable cases.
/// Cost       One square root.
/// Source     The quadratic equation, in the form without cancellation.
graze_crossing graze_cross_segment_circle(graze_segment segment, graze_circle circumference);

#ifdef __cplusplus
}
#endif

#endif
