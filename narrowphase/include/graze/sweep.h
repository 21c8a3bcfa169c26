/// @file sweep.h
/// Swept tests in relative motion and in double: when does `a`, which moves straight, first touch
/// `b`, which stands still? The step of a world is made of these; cast.h has the friendlier form.
///
/// Units      The game's own. `delta` is the displacement of a minus that of b over the step. For
///            two bodies `start` is the centre of a minus the centre of b when the step begins,
///            subtracted in double, so that nothing is lost far from the origin. Values must be
///            within the range of float, sizes >= 0, rotations unit vectors (they are used as
///            given).
/// Exactness  graze_sweep_point_segment decides exactly. The others compute in double, without
///            iteration, and where products of the inputs are exact in double, ties such as a
///            3-4-5 graze come out as ties. At the start they decide by the same sums as overlap.h.
///            Times are good to about 1e-15 of the path divided by how steeply it meets the
///            surface.
/// Threads    Pure functions: any number of threads.
/// Errors     Input that is not finite: no hit.
/// Source     G. van den Bergen 2003, "Collision Detection in Interactive 3D Environments" (a pair
///            that moves as a ray against the Minkowski sum); D. Eberly 2001, "Intersection of
///            Convex Objects: The Method of Separating Axes" (with constant velocities); M. Cyrus,
///            J. Beck 1978, "Generalized Two- and Three-Dimensional Clipping" (entry and exit as
///            fractions).
#ifndef GRAZE_SWEEP_H
#define GRAZE_SWEEP_H

#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The answer of a moving test. Without a hit all fields are 0.
typedef struct graze_sweep {
    /// Whether they touch anywhere along the motion. Shapes are closed: touching counts.
    bool hit;
    /// 0..1 of the motion: the first touch; 0 when they overlap at the start.
    double time;
    /// A point of both at that time. When b is a body: relative to b's centre. When b is a segment:
    /// absolute. For circles it is the point of b that is nearest to a's centre; where a rect
    /// touches along an edge, the middle of what touches; where a rect overlaps at the start, the
    /// corner that is deepest in, which a deep overlap can put outside the other shape.
    graze_vec2d point;
    /// Unit vector from a to b. At the start of an overlap: -normal is the shortest way out for a.
    graze_vec2d normal;
    /// How far a has to go along -normal to just touch. 0 unless they overlap at the start.
    double depth;
} graze_sweep;

/// Sweeps a circle against a circle. A bullet is a circle of radius 0.
///
/// Two circles with one centre at the start have the normal (1, 0).
graze_sweep graze_sweep_circles(graze_vec2d start, graze_vec2d delta, double radius_a,
                                double radius_b);

/// Sweeps a circle (radius 0: a bullet) against a rect, given by its half sides and its rotation.
///
/// A centre that starts inside the rect leaves through the nearest side.
graze_sweep graze_sweep_circle_rect(graze_vec2d start, graze_vec2d delta, double radius,
                                    graze_vec2 half, graze_rotation rotation);

/// Sweeps a rect against a rect; neither turns.
graze_sweep graze_sweep_rects(graze_vec2d start, graze_vec2d delta, graze_vec2 half_a,
                              graze_rotation rotation_a, graze_vec2 half_b,
                              graze_rotation rotation_b);

/// Sweeps a circle against a wall: a segment with both its ends, or a point when they coincide.
///
/// start      Where the circle's centre is, absolute.
/// delta      The circle's displacement; the wall stands still.
/// A centre that starts exactly on the wall is taken to lie left of a->b; on a wall that is a point
/// it has the normal (1, 0).
graze_sweep graze_sweep_circle_segment(graze_vec2d start, graze_vec2d delta, double radius,
                                       graze_segment wall);

/// Sweeps a rect, which does not turn, against a wall; arguments like graze_sweep_circle_segment.
graze_sweep graze_sweep_rect_segment(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                     graze_rotation rotation, graze_segment wall);

/// Sweeps a point against a wall, watertight: a hit exactly when graze_crosses(from, to, wall).
///
/// So the fill rule of graze_crosses holds instead of "touching counts": of the moves that end on a
/// wall and go on from there, exactly one is a hit.
/// The time is made of determinants whose signs are exact: it is 0 exactly when the move starts on
/// the wall, 1 when it ends there or as near to it as double can tell.
/// The normal is perpendicular to the wall and points away from the side that the mover comes from.
/// The depth is 0.
graze_sweep graze_sweep_point_segment(graze_vec2 from, graze_vec2 to, graze_segment wall);

#ifdef __cplusplus
}
#endif

#endif
