// Contact manifolds of a disc and another shape.

#include <graze/collide.h>

#include "double2.h"

static inline graze_manifold apart(void)
{
    const graze_manifold none = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}};
    return none;
}

// A disc's deepest point is `radius` along the normal, the other surface is `depth` before that.
static inline graze_manifold touch_disc(graze_circle disc, double2 normal, double depth)
{
    const double midway = (double)disc.radius - depth / 2;
    const double2 point = add_double2(widen_double2(disc.center), scale_double2(normal, midway));
    const graze_manifold manifold = {
        1, {narrow_double2(point), {0, 0}}, {(float)depth, 0}, narrow_double2(normal)};
    return manifold;
}

// Whether a number is neither NaN nor infinite.
static inline scalar_mask has_limits(double number)
{
    return is_at_most(number - number, 0);
}

// HOT. bench: narrowphase/collide_circles
//
// Branch  One; whether the input is finite is tested after it.
graze_manifold graze_collide_circles(graze_circle a, graze_circle b)
{
    const double2 start = sub_double2(widen_double2(a.center), widen_double2(b.center));
    const double reach = (double)a.radius + (double)b.radius;
    const double gap = dot_double2(start, start);
    if (!(gap <= reach * reach) || !is_finite_sum(gap + reach)) {
        return apart();
    }
    const double distance = grz_sqrt(gap);
    if (!(distance > 0)) {
        return touch_disc(a, join_double2(vec2d(1, 0)), reach);
    }
    return touch_disc(a, scale_double2(start, -1 / distance), reach - distance);
}

// HOT. bench: narrowphase/collide_circle_segment
//
// Data    The nearest part of the segment (an end, or the line between) gives a vector toward it;
//         one root and two divisions serve all three parts.
// Branch  One: which part is nearest is as unpredictable as whether they touch. A centre at an end
//         is rare.
graze_manifold graze_collide_circle_segment(graze_circle a, graze_segment b)
{
    const double2 center = widen_double2(a.center), end_a = widen_double2(b.a),
                  end_b = widen_double2(b.b);
    const double2 wall = sub_double2(end_b, end_a);
    const double2 from_a = sub_double2(center, end_a), from_b = sub_double2(center, end_b);
    const double radius = (double)a.radius, square = squared(radius);
    const double height = cross_double2(wall, from_a);
    const double drop = squared(height) - square * dot_double2(wall, wall);
    const scalar_mask is_off_a = is_at_most(dot_double2(from_a, wall), 0);
    const scalar_mask is_off_b =
        scalar_mask_but_not(is_at_most(0, dot_double2(from_b, wall)), is_off_a);
    const scalar_mask is_off = scalar_mask_or(is_off_a, is_off_b);
    const double2 from_end = select_double2(is_off_a, from_a, from_b);
    const scalar_mask is_far = is_less(square, dot_double2(from_end, from_end));
    const scalar_mask is_near_line = scalar_mask_but_not(is_at_most(drop, 0), is_off);
    const scalar_mask is_near = scalar_mask_or(is_near_line, scalar_mask_but_not(is_off, is_far));
    if (!scalar_mask_is_set(scalar_mask_and(is_near, has_limits(drop)))) {
        return apart();
    }
    const double side = select_scalar(is_less(height, 0), 1, -1);
    const double2 across = scale_double2(left_of_double2(wall), side);
    const double2 to_end = sub_double2(fill_double2(0), from_end);
    const double2 toward = select_double2(is_off, to_end, across);
    const double length = grz_sqrt(dot_double2(toward, toward));
    const double distance = select_scalar(is_off, length, absolute(height) / length);
    const double depth = max_scalar(radius - distance, 0);
    if (!(length > 0)) {
        const graze_vec2d normal = unit_or(split_double2(across), vec2d(1, 0));
        return touch_disc(a, join_double2(normal), depth);
    }
    return touch_disc(a, scale_double2(toward, 1 / length), depth);
}

// HOT. bench: narrowphase/collide_circle_rect
//
// Branch  One: whether the centre is in the rect, and which side is nearest, is as unpredictable as
//         whether the two touch.
graze_manifold graze_collide_circle_rect(graze_circle a, graze_rect b)
{
    const graze_vec2 axis = {b.rotation.cosine, b.rotation.sine};
    const double2 u = widen_double2(axis), v = left_of_double2(u);
    const double2 offset = sub_double2(widen_double2(a.center), widen_double2(b.center));
    const double2 on_u = mul_double2(offset, u), on_v = mul_double2(offset, v);
    const double2 local = add_double2(xs_of_double2(on_u, on_v), ys_of_double2(on_u, on_v));
    const double radius = (double)a.radius;
    const double2 excess = sub_double2(absolute_double2(local), widen_double2(b.half));
    const double2 gap = sub_double2(excess, fill_double2(radius));
    const double2 beyond = max_double2(excess, fill_double2(0));
    const double square = dot_double2(beyond, beyond);
    const graze_vec2d gaps = split_double2(gap);
    const scalar_mask is_near =
        scalar_mask_and(is_at_most(square, squared(radius)), has_limits(gaps.x + gaps.y));
    const bool in_box = at_most_bits(gap, fill_double2(0)) == 3;
    if (!(scalar_mask_is_set(is_near) & in_box)) {
        return apart();
    }
    const double distance = grz_sqrt(square);
    const scalar_mask is_out = is_less(0, distance);
    const graze_vec2d sides = split_double2(excess);
    const scalar_mask by_x = is_at_most(sides.y, sides.x);
    const double depth =
        radius - select_scalar(is_out, distance, select_scalar(by_x, sides.x, sides.y));
    const double2 nearest =
        select_double2(by_x, join_double2(vec2d(1, 0)), join_double2(vec2d(0, 1)));
    const double2 way_out = select_double2(is_out, scale_double2(beyond, 1 / distance), nearest);
    const graze_vec2d turned = split_double2(copy_signs_double2(way_out, local));
    const double2 way_in = add_double2(scale_double2(u, -turned.x), scale_double2(v, -turned.y));
    const double2 normal = scale_double2(way_in, 1.5 - 0.5 * dot_double2(way_in, way_in));
    return touch_disc(a, normal, depth);
}
