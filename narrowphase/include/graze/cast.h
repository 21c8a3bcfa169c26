/// @file cast.h
/// Casts, also known as swept or continuous tests: when does a shape that moves in a straight line
/// first touch another one that stands still?
///
///     graze_ray shot = {{0, 0}, {10, 0}}; // From, and by how much.
///     graze_circle target = {{5, 0}, 1};
///     graze_hit hit = graze_cast_ray_circle(shot, target); // At time 0.4, at 4, 0.
///
/// Units      The game's own; `delta` is the displacement over the step. If both shapes move, pass
///            the mover's displacement minus the target's. Time and normal hold as they are; the
///            point moves with the target.
/// Threads    Pure functions: any number of threads.
/// Errors     Input that is not finite gives no hit. Nor does a ray against a segment, line or
///            polygon if its end, rounded to float, is not finite. Radii and half sizes must be >=
///            0 and rotations unit vectors; otherwise the result is meaningless. A point beyond the
///            range of float comes out as infinity.
/// Standing   With a delta of 0 a cast is the overlap test. But graze_cast_ray_segment never hits
///            then.
/// Cost       Constant, and for a polygon linear in its vertices. On the machine of README's table
///            a pair takes 5 to 80 ns where half of them hit, and 200 ns for a polygon. There is a
///            benchmark for each function, such as bench: narrowphase/cast_ray_circle
/// Exactness  Rays against segments, lines and polygons that have an area are decided exactly, for
///            the ray whose end is rounded to float. The others are decided in double (see
///            sweep.h). Results are rounded once to float. So a time very close to 0 or 1 may come
///            out as 0 or 1.
/// Source     As in sweep.h; polygons: M. Cyrus, J. Beck 1978, "Generalized Two- and
///            Three-Dimensional Clipping".
#ifndef GRAZE_CAST_H
#define GRAZE_CAST_H

#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of a cast. Without a hit all fields are 0.
typedef struct graze_hit {
    bool hit;          ///< Touching counts, except where graze_cast_ray_segment says otherwise.
    float time;        ///< First touch, 0 to 1 of delta; 0 if they overlap at the start.
    graze_vec2 point;  ///< Where they touch.
    graze_vec2 normal; ///< Unit, of the target's surface, facing the mover.
} graze_hit;

/// Casts a ray against the infinite line through line.a and line.b.
///
/// A ray that starts on the line, or runs along it, hits it at time 0. One that is parallel to it
/// and not on it never does. If line.a == line.b there is no line and no hit. For a ray along the
/// line the normal points to the left of a->b.
graze_hit graze_cast_ray_line(graze_ray ray, graze_line line);

/// Casts a ray against a segment, watertight: hits exactly if graze_crosses(ray.origin, ray.origin
/// + ray.delta as floats, segment).
///
/// Take a path of rays, each of which starts where the one before ended. If the path passes through
/// a segment, exactly one of them hits it. A closed loop of segments lets nothing through at its
/// vertices. A ray along the segment, or of length 0, does not hit it.
graze_hit graze_cast_ray_segment(graze_ray ray, graze_segment segment);

/// Casts a ray against a disc. A ray that starts inside hits at time 0, at its own origin. Its
/// normal points from the centre to the origin, or is {-1, 0} if they coincide. A disc of radius 0
/// is a point. A ray that comes to it gets the normal against the ray; one that starts there gets
/// {-1, 0}.
graze_hit graze_cast_ray_circle(graze_ray ray, graze_circle circle);

/// Casts a ray against a rect. A ray that starts inside hits at time 0, at its own origin, with the
/// normal of the nearest side.
graze_hit graze_cast_ray_rect(graze_ray ray, graze_rect rect);

/// Casts a ray against a convex polygon. A ray that starts inside hits at time 0, at its own
/// origin, with the normal of the nearest side.
///
/// polygon    Not null; either winding. Neighbouring vertices may coincide or be collinear, but for
///            rounding. A polygon without area is the segment or point that it covers. One with no
///            vertices, or more than its capacity, is never hit.
graze_hit graze_cast_ray_polygon(graze_ray ray, const graze_polygon *polygon);

/// Casts a disc against a segment, ends included (a point if they coincide).
graze_hit graze_cast_circle_segment(graze_circle mover, graze_vec2 delta, graze_segment wall);

/// Casts a disc against a disc.
graze_hit graze_cast_circle_circle(graze_circle mover, graze_vec2 delta, graze_circle target);

/// Casts a disc against a rect.
graze_hit graze_cast_circle_rect(graze_circle mover, graze_vec2 delta, graze_rect target);

/// Casts a rect, which does not turn, against a segment. sweep.h says which point is returned.
graze_hit graze_cast_rect_segment(graze_rect mover, graze_vec2 delta, graze_segment wall);

/// Casts a rect against a rect; neither turns. sweep.h says which point is returned.
graze_hit graze_cast_rect_rect(graze_rect mover, graze_vec2 delta, graze_rect target);

#ifdef __cplusplus
}
#endif

#endif
