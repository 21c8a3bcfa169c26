/// @file sides.h
/// The contact of two polygons: the reference face of one, and the incident edge of the other,
/// which faces it. Clipping the edge to the face gives the contact points.
///
/// The face belongs to the reference shape, whose side is the separating axis. Positions are
/// relative to that shape's centre.
#ifndef GRZ_SIDES_H
#define GRZ_SIDES_H

#include "touch.h"

typedef struct face {
    graze_vec2d normal; ///< Unit; out of the reference shape.
    double distance;    ///< From the centre to the face.
    double half_width;
} face;

/// The points middle + half * t for -1 <= t <= 1.
typedef struct edge {
    graze_vec2d middle, half;
} edge;

/// A face and the edge that touches it.
typedef struct sides {
    graze_vec2d center; ///< Of the reference shape, where the caller counts from.
    graze_vec2d normal; ///< Unit, from a to b: the face's, or against it when the face is b's.
    face front;
    edge facing; ///< Its half points to the left of the face's normal.
} sides;

/// A part of an edge: from <= t <= to.
typedef struct stretch {
    double from, to;
} stretch;

/// Returns the side of a rect around `center` that faces against `normal`; u decides a tie.
static inline edge side_facing(const rect_frame *rect, graze_vec2d center, graze_vec2d normal)
{
    const double along_u = dot(rect->u, normal);
    const double along_v = dot(rect->v, normal);
    if (absolute(along_u) >= absolute(along_v)) {
        const double out = along_u < 0 ? rect->half.x : -rect->half.x;
        const edge side = {along(center, rect->u, out), scale(rect->v, rect->half.y)};
        return side;
    }
    const double out = along_v < 0 ? rect->half.y : -rect->half.y;
    const edge side = {along(center, rect->v, out), scale(rect->u, rect->half.x)};
    return side;
}

static inline sides sides_of(graze_vec2d center, graze_vec2d normal, face front, edge facing)
{
    if (cross(front.normal, facing.half) < 0) {
        facing.half = negate(facing.half);
    }
    const sides pair = {center, normal, front, facing};
    return pair;
}

/// Returns the part of the edge that lies straight above the face. Where rounding leaves none, the
/// end of the edge that is nearest to that.
static inline stretch clip_edge(const sides *pair)
{
    const double middle = cross(pair->front.normal, pair->facing.middle);
    const double half = cross(pair->front.normal, pair->facing.half);
    stretch over = {-1, 1};
    if (half > 0) {
        const double inverse = 1 / half;
        over.from = clamp((-pair->front.half_width - middle) * inverse, -1, 1);
        over.to = clamp((pair->front.half_width - middle) * inverse, -1, 1);
    }
    return over;
}

static inline graze_vec2d point_of_edge(const edge *side, double t)
{
    return along(side->middle, side->half, t);
}

/// Returns the one point that stands for a touch: the end of the edge that is deeper, or the middle
/// of what lies over the face when the two are parallel, to within a sine of 1e-6.
static inline graze_vec2d touching_point(const sides *pair)
{
    const stretch over = clip_edge(pair);
    const double slope = dot(pair->front.normal, pair->facing.half);
    double t = slope < 0 ? over.to : over.from;
    if (squared(slope) <= 1e-12 * dot(pair->facing.half, pair->facing.half)) {
        t = (over.from + over.to) / 2;
    }
    return add(pair->center, point_of_edge(&pair->facing, t));
}

#endif
