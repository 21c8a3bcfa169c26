// A rect swept against a rect or a wall: separating axes with a velocity (separating_axis.h).

#include <graze/sweep.h>

#include "rect_pair.h"
#include "sweep_disc.h"
#include "wall_view.h"

static inline graze_sweep touch_features(const feature_pair *features, double time, double depth)
{
    const graze_sweep sweep = {true, time, touching_point(features), features->normal, depth};
    return sweep;
}

// The least of all axes; below 0 if they do not overlap at the start.
static inline penetration find_penetration(const rect_pair *pair, graze_vec2d start)
{
    penetration best = no_penetration();
    for (int axis = 0; axis < 4; ++axis) {
        consider_penetration(&best, project_rects(pair, start, vec2d(0, 0), axis), 1, axis);
    }
    return best;
}

// Of two that do not overlap at the start. Returns false if they never do.
static inline bool find_entry(const rect_pair *pair, graze_vec2d start, graze_vec2d delta,
                              window *open)
{
    *open = whole_motion();
    for (int axis = 0; axis < 4; ++axis) {
        if (!narrow_window(open, project_rects(pair, start, delta, axis), axis)) {
            return false;
        }
    }
    return is_open(open);
}

// HOT. bench: narrowphase/sweep_rects
//
// Branch  Whether they overlap at the start, as what lies on each other does in every step. These
//         take one projection on each axis, and no window.
graze_sweep graze_sweep_rects(graze_vec2d start, graze_vec2d delta, graze_vec2 half_a,
                              graze_rotation rotation_a, graze_vec2 half_b,
                              graze_rotation rotation_b)
{
    const rect_pair pair = pair_of(half_a, rotation_a, half_b, rotation_b);
    penetration met = find_penetration(&pair, start);
    graze_vec2d center = start;
    double time = 0;
    if (met.depth < 0) {
        window open;
        if (!find_entry(&pair, start, delta, &open)) {
            return miss();
        }
        time = open.enter / open.enter_per;
        center = along(start, delta, time);
        met = (penetration){0, open.axis, open.toward};
    }
    if (!is_finite_pair(&pair, start, delta)) {
        return miss();
    }
    const feature_pair features = features_of_rects(&pair, center, met.axis, met.toward);
    return touch_features(&features, time, met.depth);
}

static graze_sweep enter_wall(const wall_view *view, const window *open)
{
    const double length = wall_length(view);
    if (open->axis >= 0) {
        const double time = open->enter / open->enter_per;
        const graze_vec2d center = scale(view->delta, time);
        const feature_pair features =
            features_of_wall(view, length, center, open->axis, open->toward);
        return touch_features(&features, time, 0);
    }
    const penetration best = find_least_penetration(view, length);
    const feature_pair features =
        features_of_wall(view, length, vec2d(0, 0), best.axis, best.toward);
    return touch_features(&features, 0, best.depth);
}

// HOT. bench: narrowphase/sweep_rect_segment
graze_sweep graze_sweep_rect_segment(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                     graze_rotation rotation, graze_segment wall)
{
    const wall_view view = view_wall(start, delta, half, rotation, wall);
    window open = whole_motion();
    for (int axis = 0; axis < 3; ++axis) {
        if (!narrow_window(&open, project_on_wall(&view, axis), axis)) {
            return miss();
        }
    }
    if (!is_open(&open) || !is_finite_view(&view)) {
        return miss();
    }
    graze_sweep sweep = enter_wall(&view, &open);
    sweep.point = add(start, sweep.point);
    return sweep;
}
