/// @file cast.h
/// Casts, also called swept or continuous tests: when does a shape that moves straight first touch
/// another, which stands still?
///
/// Units      The game's own; `delta` is the displacement over the step. Where both move, give the
///            displacement of the mover minus that of the target: time and normal hold as they are,
///            the point goes with the target.
/// Exactness  Rays against segments, lines and polygons that have an area: decided exactly, on the
///            ray's end as it is in float. The others decide in double, see sweep.h. Answers are
///            rounded once to float, so a time that is very near 0 or 1 may come out as 0 or 1.
/// Threads    Pure functions: any number of threads.
/// Errors     Input that is not finite, or a ray whose end is not: no hit. With a delta of 0 each
///            is the overlap test, except graze_cast_ray_segment, which then never hits.
/// Source     As in sweep.h; for the polygon M. Cyrus, J. Beck 1978, "Generalized Two- and
///            Three-Dimensional Clipping".
#ifndef GRAZE_CAST_H
#define GRAZE_CAST_H

#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The answer of a cast. Without a hit all fields are 0.
typedef struct graze_hit {
    bool hit;          ///< Touching counts, except where graze_cast_ray_segment says otherwise.
    float time;        ///< 0..1 of delta: the first touch; 0 when they overlap at the start.
    graze_vec2 point;  ///< Where they touch, in world coordinates.
    graze_vec2 normal; ///< Unit: the surface's own, facing the mover.
} graze_hit;

/// When does a ray meet the infinite line through line.a and line.b?
///
/// A ray that starts on the line, or runs along it, meets it at time 0; one that is parallel beside
/// it never does. When line.a == line.b there is no line and no hit. The normal of a ray that runs
/// along the line is the one to the left of a->b.
graze_hit graze_cast_ray_line(graze_ray ray, graze_line line);

/// When does a ray cross a segment? The watertight one: a hit exactly when
/// graze_crosses(ray.origin, ray.origin + ray.delta as floats, segment).
///
/// When a path of rays, each beginning where the one before ended, goes through a segment, exactly
/// one of them crosses it, and a loop of segments lets none through at its vertices. A ray along
/// the segment, or of length 0, does not cross it.
graze_hit graze_cast_ray_segment(graze_ray ray, graze_segment segment);

/// When does a ray enter a disc? One that starts inside it: at time 0, at its own origin, with the
/// normal pointing from the centre to there, or {-1, 0} from the centre itself.
graze_hit graze_cast_ray_circle(graze_ray ray, graze_circle circle);

/// When does a ray enter a rect? One that starts inside it: at time 0, at its own origin, with the
/// normal of the nearest side.
graze_hit graze_cast_ray_rect(graze_ray ray, graze_rect rect);

/// When does a ray enter a convex polygon? One that starts inside it: at time 0, at its own origin,
/// with the normal of the nearest side.
///
/// polygon    Not null; in either winding; neighbours may coincide or be collinear. One that has no
///            area is the segment, or the point, that it covers; with no vertices, or more than its
///            capacity, nothing touches it.
graze_hit graze_cast_ray_polygon(graze_ray ray, const graze_polygon *polygon);

/// When does a disc touch a segment with both its ends (a point when they coincide)?
graze_hit graze_cast_circle_segment(graze_circle mover, graze_vec2 delta, graze_segment wall);

/// When does a disc touch another?
graze_hit graze_cast_circle_circle(graze_circle mover, graze_vec2 delta, graze_circle target);

/// When does a disc touch a rect?
graze_hit graze_cast_circle_rect(graze_circle mover, graze_vec2 delta, graze_rect target);

/// When does a rect, which does not turn, touch a segment? See sweep.h for the point.
graze_hit graze_cast_rect_segment(graze_rect mover, graze_vec2 delta, graze_segment wall);

/// When does a rect touch a rect, neither turning? See sweep.h for the point.
graze_hit graze_cast_rect_rect(graze_rect mover, graze_vec2 delta, graze_rect target);

#ifdef __cplusplus
}
#endif

#endif
