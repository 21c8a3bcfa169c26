// Contact manifolds of a rect with a rect or a segment: the axis of least overlap gives the
// reference face, to which the incident edge is clipped.

#include <graze/collide.h>

#include "face_tolerance.h"
#include "rect_pair.h"
#include "wall_view.h"

static inline graze_manifold apart(void)
{
    const graze_manifold none = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}};
    return none;
}

typedef struct contact_point {
    graze_vec2d place;
    double depth;
} contact_point;

static inline double size_of(const feature_pair *features)
{
    const graze_vec2d half = features->incident.half;
    return features->reference.distance + features->reference.half_width + absolute(half.x) +
           absolute(half.y);
}

static inline contact_point contact_at(const feature_pair *features, double t)
{
    const graze_vec2d on_edge = point_of_edge(&features->incident, t);
    const double depth = features->reference.distance - dot(features->reference.normal, on_edge);
    const graze_vec2d midway = along(on_edge, features->reference.normal, depth / 2);
    const contact_point point = {add(features->center, midway), depth};
    return point;
}

static inline void add_point(graze_manifold *manifold, graze_vec2d origin, contact_point point)
{
    manifold->points[manifold->count] = narrow(add(origin, point.place));
    manifold->depths[manifold->count] = (float)max_double(point.depth, 0);
    ++manifold->count;
}

// The coordinates of the features begin at `origin`. The points come in order to the left of the
// normal. There is always one: if the whole clipped edge were above the face, the edge's own axis
// would separate the shapes; so the deeper end counts even if rounding lifts it above.
static graze_manifold clip_features(const feature_pair *features, graze_vec2d origin)
{
    graze_manifold manifold = apart();
    manifold.normal = narrow(features->normal);
    const interval over = clip_incident_edge(features);
    const bool is_forward = dot(features->normal, features->reference.normal) > 0;
    const contact_point first = contact_at(features, is_forward ? over.from : over.to);
    const contact_point second = contact_at(features, is_forward ? over.to : over.from);
    const double least =
        min_double(max_double(first.depth, second.depth), -grz_face_tolerance * size_of(features));
    const bool has_length =
        over.from < over.to && dot(features->incident.half, features->incident.half) > 0;
    if (first.depth >= least) {
        add_point(&manifold, origin, first);
    }
    if (second.depth >= least && (has_length || manifold.count == 0)) {
        add_point(&manifold, origin, second);
    }
    return manifold;
}

// HOT. bench: narrowphase/collide_rects
graze_manifold graze_collide_rects(graze_rect a, graze_rect b)
{
    const rect_pair pair = pair_of(a.half, a.rotation, b.half, b.rotation);
    const graze_vec2d start = offset(a.center, b.center);
    penetration best = no_penetration();
    for (int axis = 0; axis < 4; ++axis) {
        consider_penetration(&best, project_rects(&pair, start, vec2d(0, 0), axis), 1, axis);
        if (!(best.depth >= 0)) {
            return apart();
        }
    }
    if (!is_finite_pair(&pair, start, vec2d(0, 0))) {
        return apart();
    }
    const feature_pair features = features_of_rects(&pair, start, best.axis, best.toward);
    return clip_features(&features, widen(b.center));
}

graze_manifold graze_collide_rect_segment(graze_rect a, graze_segment b)
{
    const wall_view view = view_wall(widen(a.center), vec2d(0, 0), a.half, a.rotation, b);
    const double length = wall_length(&view);
    const penetration best = find_least_penetration(&view, length);
    if (!(best.depth >= 0) || !is_finite_view(&view)) {
        return apart();
    }
    const feature_pair features =
        features_of_wall(&view, length, vec2d(0, 0), best.axis, best.toward);
    return clip_features(&features, widen(a.center));
}
