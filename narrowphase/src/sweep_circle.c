// A circle swept against a circle, and against a rect: two sides and a rounded corner.

#include <graze/sweep.h>

#include "sweep_disc.h"
#include "touch.h"

// HOT. bench: narrowphase/sweep_circles
graze_sweep graze_sweep_circles(graze_vec2d start, graze_vec2d delta, double radius_a,
                                double radius_b)
{
    return sweep_discs(start, delta, radius_a, radius_b);
}

/// A circle's centre and its motion in the axes of a rect, turned so that x and y are both >= 0 at
/// the start: only one corner and two sides remain.
typedef struct quadrant {
    graze_vec2d x, y; ///< The axes, in world coordinates.
    graze_vec2d half;
    graze_vec2d start, delta;
} quadrant;

static inline quadrant look_from_above(graze_vec2d start, graze_vec2d delta,
                                       const rect_frame *frame)
{
    const graze_vec2d local = into_frame(frame, start);
    const graze_vec2d x = local.x < 0 ? negate(frame->u) : frame->u;
    const graze_vec2d y = local.y < 0 ? negate(frame->v) : frame->v;
    const quadrant view = {
        x, y, frame->half, {absolute(local.x), absolute(local.y)}, {dot(delta, x), dot(delta, y)}};
    return view;
}

static inline quadrant swap_axes(const quadrant *view)
{
    const quadrant swapped = {view->y,
                              view->x,
                              {view->half.y, view->half.x},
                              {view->start.y, view->start.x},
                              {view->delta.y, view->delta.x}};
    return swapped;
}

static inline graze_vec2d out_of_quadrant(const quadrant *view, graze_vec2d local)
{
    return add(scale(view->x, local.x), scale(view->y, local.y));
}

// Returns the direction out of the rect, of length 1, for a circle that touches it; writes the
// distance.
static graze_vec2d find_way_out_of_rect(graze_vec2d excess, graze_vec2d beyond, double radius,
                                        double *depth)
{
    const double distance = length_of(beyond);
    if (distance > 0) {
        *depth = radius - distance;
        return scale(beyond, 1 / distance);
    }
    const bool by_x = excess.x >= excess.y;
    *depth = radius - (by_x ? excess.x : excess.y);
    return by_x ? vec2d(1, 0) : vec2d(0, 1);
}

static graze_sweep initial_overlap_with_rect(const quadrant *view, double radius)
{
    const graze_vec2d excess = subtract(view->start, view->half);
    const graze_vec2d beyond = {max_double(excess.x, 0), max_double(excess.y, 0)};
    graze_sweep sweep = miss();
    const graze_vec2d way_out = find_way_out_of_rect(excess, beyond, radius, &sweep.depth);
    sweep.hit = true;
    sweep.normal = unit_axis(out_of_quadrant(view, negate(way_out)));
    sweep.point = out_of_quadrant(view, subtract(view->start, beyond));
    return sweep;
}

static graze_sweep enter_corner(const quadrant *view, graze_vec2d corner, double radius)
{
    graze_sweep sweep = enter_disc(subtract(view->start, corner), view->delta, radius);
    if (sweep.hit) {
        sweep.normal = unit_axis(out_of_quadrant(view, sweep.normal));
        sweep.point = out_of_quadrant(view, corner);
    }
    return sweep;
}

// The centre crosses the line of the side x = half.x, grown by radius, at gap / -delta.x. Whether
// that is at the side, above it or below it is decided before any division.
static inline graze_sweep enter_side(const quadrant *view, double gap, double radius)
{
    const double speed = -view->delta.x;
    const double drift = gap * view->delta.y;
    if ((view->start.y - view->half.y) * speed + drift > 0) {
        return enter_corner(view, view->half, radius);
    }
    if ((view->start.y + view->half.y) * speed + drift < 0) {
        return enter_corner(view, vec2d(view->half.x, -view->half.y), radius);
    }
    const double time = gap / speed;
    const double y = clamp(view->start.y + view->delta.y * time, -view->half.y, view->half.y);
    const graze_sweep sweep = {true, time, out_of_quadrant(view, vec2d(view->half.x, y)),
                               unit_axis(negate(view->x)), 0};
    return sweep;
}

// HOT. bench: narrowphase/sweep_circle_rect
//
// The rect grown by the radius is a box with round corners. A path enters that box through the one
// of the two lines facing the start that it reaches last. There it hits the flat side, or else only
// the nearest corner can be hit, because the corner's disc covers the rest of the rect from there.
graze_sweep graze_sweep_circle_rect(graze_vec2d start, graze_vec2d delta, double radius,
                                    graze_vec2 half, graze_rotation rotation)
{
    const rect_frame frame = frame_of(half, rotation);
    const quadrant view = look_from_above(start, delta, &frame);
    const graze_vec2d gap = {(view.start.x - view.half.x) - radius,
                             (view.start.y - view.half.y) - radius};
    if (gap.x > max_double(-view.delta.x, 0) || gap.y > max_double(-view.delta.y, 0)) {
        return miss();
    }
    if (!is_finite_sum(gap.x + gap.y + view.delta.x + view.delta.y)) {
        return miss();
    }
    if (touches_disc_box(view.start, radius, view.half)) {
        return initial_overlap_with_rect(&view, radius);
    }
    if (gap.x > 0 && !(gap.y > 0 && gap.y * view.delta.x < gap.x * view.delta.y)) {
        return enter_side(&view, gap.x, radius);
    }
    if (gap.y > 0) {
        const quadrant swapped = swap_axes(&view);
        return enter_side(&swapped, gap.y, radius);
    }
    return enter_corner(&view, view.half, radius);
}
