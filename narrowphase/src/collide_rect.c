// Contact manifolds of a rect with a rect or a segment: the axis of least overlap says which two
// sides touch; one is clipped to the other.

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

static inline double size_of(const sides *pair)
{
    const graze_vec2d half = pair->facing.half;
    return pair->front.distance + pair->front.half_width + absolute(half.x) + absolute(half.y);
}

static inline contact_point contact_at(const sides *pair, double t)
{
    const graze_vec2d on_edge = point_of_edge(&pair->facing, t);
    const double depth = pair->front.distance - dot(pair->front.normal, on_edge);
    const graze_vec2d midway = along(on_edge, pair->front.normal, depth / 2);
    const contact_point point = {add(pair->center, midway), depth};
    return point;
}

static inline void add_point(graze_manifold *manifold, graze_vec2d origin, contact_point point)
{
    manifold->points[manifold->count] = narrow(add(origin, point.place));
    manifold->depths[manifold->count] = (float)greater(point.depth, 0);
    ++manifold->count;
}

// `origin` is where the coordinates of `pair` begin. The points come in order to the left of the
// normal. There is always one: if the clipped edge were above the face all along, the edge's own
// axis would part the shapes; so the deeper end counts even where rounding lifts it.
static graze_manifold clip_sides(const sides *pair, graze_vec2d origin)
{
    graze_manifold manifold = apart();
    manifold.normal = narrow(pair->normal);
    const stretch over = clip_edge(pair);
    const bool is_forward = dot(pair->normal, pair->front.normal) > 0;
    const contact_point first = contact_at(pair, is_forward ? over.from : over.to);
    const contact_point second = contact_at(pair, is_forward ? over.to : over.from);
    const double least =
        lesser(greater(first.depth, second.depth), -grz_face_tolerance * size_of(pair));
    const bool is_stretch = over.from < over.to && dot(pair->facing.half, pair->facing.half) > 0;
    if (first.depth >= least) {
        add_point(&manifold, origin, first);
    }
    if (second.depth >= least && (is_stretch || manifold.count == 0)) {
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
    const sides touching = sides_of_rects(&pair, start, best.axis, best.toward);
    return clip_sides(&touching, widen(b.center));
}

graze_manifold graze_collide_rect_segment(graze_rect a, graze_segment b)
{
    const wall_view view = view_wall(widen(a.center), vec2d(0, 0), a.half, a.rotation, b);
    const double length = wall_length(&view);
    const penetration best = leave_wall(&view, length);
    if (!(best.depth >= 0) || !is_finite_view(&view)) {
        return apart();
    }
    const sides touching = sides_of_wall(&view, length, vec2d(0, 0), best.axis, best.toward);
    return clip_sides(&touching, widen(a.center));
}
