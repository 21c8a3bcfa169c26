/// @file feature_pair.h
/// The features by which two polygons touch: the reference face of one, and the incident edge of
/// the other, which faces it. Clipping the edge to the face gives the contact points.
///
/// The face belongs to the reference shape, whose side is the separating axis. Positions are
/// relative to that shape's centre.
#ifndef GRZ_FEATURE_PAIR_H
#define GRZ_FEATURE_PAIR_H

#include "face_tolerance.h"
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

/// The reference face and the incident edge, which touches it.
typedef struct feature_pair {
    graze_vec2d center; ///< Of the reference shape, where the caller counts from.
    graze_vec2d normal; ///< Unit, from a to b: the face's, or against it when the face is b's.
    face reference;
    edge incident; ///< Its half points to the left of the face's normal.
} feature_pair;

/// A part of an edge: from <= t <= to.
typedef struct interval {
    double from, to;
} interval;

/// Returns the side of a rect around `center` that faces against `normal`; u decides a tie.
static inline edge find_incident_edge(const rect_frame *rect, graze_vec2d center,
                                      graze_vec2d normal)
{
    const double along_u = dot(rect->u, normal);
    const double along_v = dot(rect->v, normal);
    if (absolute(along_u) >= absolute(along_v)) {
        const double out = along_u < 0 ? rect->half.x : -rect->half.x;
        const edge found = {along(center, rect->u, out), scale(rect->v, rect->half.y)};
        return found;
    }
    const double out = along_v < 0 ? rect->half.y : -rect->half.y;
    const edge found = {along(center, rect->v, out), scale(rect->u, rect->half.x)};
    return found;
}

static inline feature_pair pair_features(graze_vec2d center, graze_vec2d normal, face reference,
                                         edge incident)
{
    if (cross(reference.normal, incident.half) < 0) {
        incident.half = negate(incident.half);
    }
    const feature_pair features = {center, normal, reference, incident};
    return features;
}

/// Returns how far the face reaches to either side of its middle. For an edge that stands upright
/// on it, such as a wall on a rect, that is a little farther: at the end of the face its rounding
/// (of the rotation, to float) would else decide which part of that edge, or none, lies above. An
/// incident edge of a rect leans by at most 45 degrees, so the lanes of rects have no such case.
static inline double reach_of_face(const feature_pair *features, double half, double slope)
{
    const double width = features->reference.half_width;
    const bool is_upright = absolute(slope) > 2 * half;
    return is_upright ? width * (1 + 4 * grz_face_tolerance) : width;
}

/// Returns the part of the edge that lies straight above the face; if rounding leaves none, the end
/// nearest to it.
static inline interval clip_incident_edge(const feature_pair *features)
{
    const double middle = cross(features->reference.normal, features->incident.middle);
    const double half = cross(features->reference.normal, features->incident.half);
    const double slope = dot(features->reference.normal, features->incident.half);
    interval over = {-1, 1};
    if (half > 0) {
        const double inverse = 1 / half;
        const double reach = reach_of_face(features, half, slope);
        over.from = clamp((-reach - middle) * inverse, -1, 1);
        over.to = clamp((reach - middle) * inverse, -1, 1);
    }
    return over;
}

static inline graze_vec2d point_of_edge(const edge *incident, double t)
{
    return along(incident->middle, incident->half, t);
}

/// Returns the point that represents a touch: the deeper end of the edge, or the middle of its part
/// over the face if the two are parallel, to within a sine of 1e-6.
static inline graze_vec2d touching_point(const feature_pair *features)
{
    const interval over = clip_incident_edge(features);
    const double slope = dot(features->reference.normal, features->incident.half);
    double t = slope < 0 ? over.to : over.from;
    if (squared(slope) <= 1e-12 * dot(features->incident.half, features->incident.half)) {
        t = (over.from + over.to) / 2;
    }
    return add(features->center, point_of_edge(&features->incident, t));
}

#endif
