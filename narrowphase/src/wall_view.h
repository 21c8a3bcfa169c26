/// @file wall_view.h
/// A wall in the coordinates of a rect, and its projections on the three separating axes: axis 0 is
/// the wall's normal, not normalized; 1 and 2 are the rect's u and v.
#ifndef GRZ_WALL_VIEW_H
#define GRZ_WALL_VIEW_H

#include "feature_pair.h"
#include "separating_axis.h"

/// Everything is relative to the rect's centre and in its own axes.
typedef struct wall_view {
    rect_frame rect;
    graze_vec2d a, b;  ///< The wall's ends.
    graze_vec2d delta; ///< The rect's motion.
} wall_view;

static inline wall_view view_wall(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                  graze_rotation rotation, graze_segment wall)
{
    wall_view view = {frame_of(half, rotation), {0, 0}, {0, 0}, {0, 0}};
    view.a = into_frame(&view.rect, subtract(widen(wall.a), start));
    view.b = into_frame(&view.rect, subtract(widen(wall.b), start));
    view.delta = into_frame(&view.rect, delta);
    return view;
}

/// The sums are those of touches_box_segment, term by term.
static inline projection project_on_wall(const wall_view *view, int axis)
{
    const graze_vec2d half = view->rect.half;
    if (axis == 0) {
        const graze_vec2d wall = subtract(view->b, view->a);
        const double line = cross(wall, view->a);
        const double reach = half.x * absolute(wall.y) + half.y * absolute(wall.x);
        const projection on_axis = {line, line, reach, cross(wall, view->delta)};
        return on_axis;
    }
    const bool is_x = axis == 1;
    const double a = is_x ? view->a.x : view->a.y;
    const double b = is_x ? view->b.x : view->b.y;
    const projection on_axis = {min_double(a, b), max_double(a, b), is_x ? half.x : half.y,
                                is_x ? view->delta.x : view->delta.y};
    return on_axis;
}

static inline double wall_length(const wall_view *view)
{
    const graze_vec2d wall = subtract(view->b, view->a);
    return length_of(wall);
}

/// Returns the shallowest way out of an overlap; across the wall if that is as shallow.
static inline penetration find_least_penetration(const wall_view *view, double length)
{
    penetration best = no_penetration();
    if (length > 0) {
        consider_penetration(&best, project_on_wall(view, 0), length, 0);
    }
    consider_penetration(&best, project_on_wall(view, 1), 1, 1);
    consider_penetration(&best, project_on_wall(view, 2), 1, 2);
    return best;
}

static inline bool is_finite_view(const wall_view *view)
{
    const graze_vec2d sum = add(add(view->a, view->b), add(view->delta, view->rect.half));
    return is_finite_sum(sum.x + sum.y);
}

static inline feature_pair features_on_wall(const wall_view *view, double length,
                                            graze_vec2d center, double toward)
{
    const graze_vec2d half = scale(subtract(view->b, view->a), 0.5);
    const graze_vec2d middle = add(view->a, half);
    const graze_vec2d normal = scale(left_of(half), 2 * toward / length);
    const face wall = {negate(normal), 0, length / 2};
    const rect_frame box = {{1, 0}, {0, 1}, view->rect.half};
    const edge side = find_incident_edge(&box, subtract(center, middle), wall.normal);
    return pair_features(middle, normal, wall, side);
}

static inline feature_pair features_on_rect(const wall_view *view, graze_vec2d center, int axis,
                                            double toward)
{
    const graze_vec2d half = scale(subtract(view->b, view->a), 0.5);
    const edge wall = {subtract(add(view->a, half), center), half};
    const graze_vec2d box = view->rect.half;
    if (axis == 1) {
        const face reference = {{toward, 0}, box.x, box.y};
        return pair_features(center, reference.normal, reference, wall);
    }
    const face reference = {{0, toward}, box.y, box.x};
    return pair_features(center, reference.normal, reference, wall);
}

/// Returns the features that touch on an axis, in world axes but relative to the rect's start;
/// `center` is its displacement since. Axis 0 needs a wall of some length.
static inline feature_pair features_of_wall(const wall_view *view, double length,
                                            graze_vec2d center, int axis, double toward)
{
    const rect_frame *rect = &view->rect;
    const feature_pair local = axis == 0 ? features_on_wall(view, length, center, toward)
                                         : features_on_rect(view, center, axis, toward);
    feature_pair turned = local;
    turned.center = out_of_frame(rect, local.center);
    turned.normal = unit_axis(out_of_frame(rect, local.normal));
    turned.reference.normal = axis == 0 ? negate(turned.normal) : turned.normal;
    turned.incident.middle = out_of_frame(rect, local.incident.middle);
    turned.incident.half = out_of_frame(rect, local.incident.half);
    return turned;
}

#endif
