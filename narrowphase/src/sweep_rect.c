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
// Branch  Whether they overlap at the start, as bodies that lie on each other do in every step.
//         That takes one projection per axis, and no window.
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

/// When, how deep and on which axis a rect touches a wall.
typedef struct wall_entry {
    bool hit;
    double time, depth;
    graze_vec2d center; ///< The rect's then, from where it started.
    double length;      ///< Of the wall.
    int axis;
    double toward;
} wall_entry;

static inline bool overlap_at_start(const wall_view *view)
{
    for (int axis = 0; axis < 3; ++axis) {
        const projection shapes = project_on_wall(view, axis);
        if ((shapes.low > shapes.reach) | (shapes.high < -shapes.reach)) {
            return false;
        }
    }
    return true;
}

// Of two that do not overlap at the start. Returns false if they never do.
static inline bool find_entry_on_wall(const wall_view *view, window *open)
{
    *open = whole_motion();
    for (int axis = 0; axis < 3; ++axis) {
        if (!narrow_window(open, project_on_wall(view, axis), axis)) {
            return false;
        }
    }
    return is_open(open);
}

// What is not finite counts as an overlap at the start, or opens no window.
static inline wall_entry find_wall_entry(const wall_view *view)
{
    wall_entry entry = {.hit = false};
    if (overlap_at_start(view)) {
        entry.length = wall_length(view);
        const penetration best = find_least_penetration(view, entry.length);
        entry.depth = best.depth;
        entry.axis = best.axis;
        entry.toward = best.toward;
    } else {
        window open;
        if (!find_entry_on_wall(view, &open)) {
            return entry;
        }
        entry.length = wall_length(view);
        entry.time = open.enter / open.enter_per;
        entry.center = scale(view->delta, entry.time);
        entry.axis = open.axis;
        entry.toward = open.toward;
    }
    entry.hit = is_finite_view(view);
    return entry;
}

static inline feature_pair features_at_entry(const wall_view *view, const wall_entry *entry)
{
    return features_of_wall(view, entry->length, entry->center, entry->axis, entry->toward);
}

// HOT. bench: narrowphase/sweep_rect_segment
//
// Branch  As in graze_sweep_rects: whether they overlap at the start.
graze_sweep graze_sweep_rect_segment(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                     graze_rotation rotation, graze_segment wall)
{
    const wall_view view = view_wall(start, delta, half, rotation, wall);
    const wall_entry entry = find_wall_entry(&view);
    if (!entry.hit) {
        return miss();
    }
    const feature_pair features = features_at_entry(&view, &entry);
    graze_sweep sweep = touch_features(&features, entry.time, entry.depth);
    sweep.point = add(start, sweep.point);
    return sweep;
}

bool graze_sweep_rect_segment_normal(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                     graze_rotation rotation, graze_segment wall,
                                     graze_vec2d *normal)
{
    const wall_view view = view_wall(start, delta, half, rotation, wall);
    const wall_entry entry = find_wall_entry(&view);
    if (entry.hit) {
        *normal = features_at_entry(&view, &entry).normal;
    }
    return entry.hit;
}
