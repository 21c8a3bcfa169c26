/// @file sweep.h
/// Swept tests in relative motion and in double: when does `a`, which moves in a straight line,
/// first touch `b`, which stands still? The step of a world is built on these. cast.h is the more
/// convenient interface to them; sweep_turn.h is for shapes that turn.
///
///     graze_vec2d start = {-3, 0}, delta = {4, 0}; // Of a, relative to b.
///     graze_sweep sweep = graze_sweep_circles(start, delta, 0.5, 0.5); // At time 0.5.
///
/// Units      The game's own. `delta` is the displacement of a minus that of b over the step. For
///            two bodies `start` is the centre of a minus the centre of b at the start of the step.
///            Subtract in double, so that no precision is lost far from the origin. Values must be
///            within the range of float, sizes >= 0, and rotations unit vectors (they are used as
///            given).
/// Threads    Pure functions: any number of threads.
/// Errors     Input that is not finite: no hit.
/// Cost       Constant: 5 to 75 ns a pair where half of them hit, on the machine of README's table.
///            There is a benchmark for each function, such as bench: narrowphase/sweep_circles
/// Exactness  graze_sweep_point_segment decides exactly. The others compute in double, without
///            iteration. If the products of the inputs are exact in double, exact touches (such as
///            a 3-4-5 triangle) are recognised as such. Overlap at the start is decided by the same
///            sums as in overlap.h. The error of a time is about 1e-15 of the path if the motion is
///            perpendicular to the surface. It grows as the motion becomes parallel to the surface.
///            A rect is the one that its rotation, rounded to float, makes of it: see overlap.h.
/// Source     G. van den Bergen 2003, "Collision Detection in Interactive 3D Environments" (a
///            moving pair as a ray against the Minkowski sum); D. Eberly 2001, "Intersection of
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

/// The result of a swept test. Without a hit all fields are 0.
typedef struct graze_sweep {
    /// Whether they touch anywhere along the motion. Shapes are closed sets: touching counts.
    bool hit;
    /// Time of impact, 0 to 1 of the motion; 0 if they overlap at the start.
    double time;
    /// A point of both at that time. If b is a body it is relative to b's centre; if b is a segment
    /// it is absolute. For circles it is the point of b nearest to a's centre. Where a rect touches
    /// along an edge, it is the middle of the part that touches. If a rect overlaps at the start,
    /// it is the corner that is deepest inside. In a deep overlap that may lie outside the other
    /// shape.
    graze_vec2d point;
    /// Unit vector from a to b. If they overlap at the start, -normal is the shortest way out for
    /// a.
    graze_vec2d normal;
    /// How far a would have to move along -normal for the two to just touch. 0 unless they overlap
    /// at the start.
    double depth;
} graze_sweep;

/// Sweeps a circle against a circle. A bullet is a circle of radius 0.
///
/// If both centres are equal at the start, the normal is (1, 0).
graze_sweep graze_sweep_circles(graze_vec2d start, graze_vec2d delta, double radius_a,
                                double radius_b);

/// Sweeps a circle (radius 0: a bullet) against a rect, given by its half sizes and its rotation.
///
/// If the centre starts inside the rect, the normal is that of the nearest side.
graze_sweep graze_sweep_circle_rect(graze_vec2d start, graze_vec2d delta, double radius,
                                    graze_vec2 half, graze_rotation rotation);

/// Sweeps a rect against a rect; neither turns.
graze_sweep graze_sweep_rects(graze_vec2d start, graze_vec2d delta, graze_vec2 half_a,
                              graze_rotation rotation_a, graze_vec2 half_b,
                              graze_rotation rotation_b);

/// Sweeps a circle against a wall: a segment, ends included, or a point if they coincide.
///
/// start      The circle's centre, absolute.
/// delta      The circle's displacement; the wall stands still.
///
/// A centre that starts exactly on the wall is taken to lie to the left of a->b; if the wall is a
/// point, the normal is then (1, 0).
graze_sweep graze_sweep_circle_segment(graze_vec2d start, graze_vec2d delta, double radius,
                                       graze_segment wall);

/// Sweeps a rect, which does not turn, against a wall; arguments as in graze_sweep_circle_segment.
graze_sweep graze_sweep_rect_segment(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                     graze_rotation rotation, graze_segment wall);

/// Returns whether graze_sweep_rect_segment finds a hit, and writes its normal to `normal` (not
/// null). Without a hit `normal` stays as it is.
///
/// Cost       Less than that of graze_sweep_rect_segment: where they touch is not computed.
bool graze_sweep_rect_segment_normal(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                     graze_rotation rotation, graze_segment wall,
                                     graze_vec2d *normal);

/// Sweeps a point against a wall, watertight: a hit exactly if graze_crosses(from, to, wall).
///
/// So the rule of graze_crosses holds instead of "touching counts": of the moves that end on a wall
/// and continue from there, exactly one hits. The time is computed from determinants whose signs
/// are exact. It is 0 exactly if the move starts on the wall. It is 1 if the move ends there, or
/// too close to it for double to tell. The normal is perpendicular to the wall and points away from
/// the side that the mover comes from. The depth is 0.
graze_sweep graze_sweep_point_segment(graze_vec2 from, graze_vec2 to, graze_segment wall);

#ifdef __cplusplus
}
#endif

#endif
