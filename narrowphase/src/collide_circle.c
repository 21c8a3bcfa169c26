// Contact manifolds of a disc and another shape.

#include <graze/collide.h>

#include "pair.h"

static inline graze_manifold apart(void)
{
    const graze_manifold none = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}};
    return none;
}

// A disc's deepest point is `radius` along the normal, the other surface is `depth` before that.
static inline graze_manifold touch_disc(graze_circle disc, pair normal, double depth)
{
    const double midway = (double)disc.radius - depth / 2;
    const pair point = add_pairs(widen_pair(disc.center), scale_pair(normal, midway));
    const graze_manifold manifold = {
        1, {narrow_pair(point), {0, 0}}, {(float)depth, 0}, narrow_pair(normal)};
    return manifold;
}

// Whether a number is neither NaN nor infinite.
static inline scalar_mask has_limits(double number)
{
    return is_at_most(number - number, 0);
}

// HOT. bench: narrowphase/collide_circles
//
// Branch  One; whether the input is finite is asked after it.
graze_manifold graze_collide_circles(graze_circle a, graze_circle b)
{
    const pair start = sub_pairs(widen_pair(a.center), widen_pair(b.center));
    const double reach = (double)a.radius + (double)b.radius;
    const double gap = dot_pairs(start, start);
    if (!(gap <= reach * reach) || !is_finite_sum(gap + reach)) {
        return apart();
    }
    const double distance = grz_sqrt(gap);
    if (!(distance > 0)) {
        return touch_disc(a, join_pair(vec2d(1, 0)), reach);
    }
    return touch_disc(a, scale_pair(start, -1 / distance), reach - distance);
}

// HOT. bench: narrowphase/collide_circle_segment
//
// Data    Of both ends and the line between, the part of the segment that is nearest gives a vector
//         toward it; one root and two divisions serve all three.
// Branch  One: which part is nearest is as random as whether they touch. A centre at an end is
//         rare.
graze_manifold graze_collide_circle_segment(graze_circle a, graze_segment b)
{
    const pair center = widen_pair(a.center), end_a = widen_pair(b.a), end_b = widen_pair(b.b);
    const pair wall = sub_pairs(end_b, end_a);
    const pair from_a = sub_pairs(center, end_a), from_b = sub_pairs(center, end_b);
    const double radius = (double)a.radius, square = squared(radius);
    const double height = cross_pairs(wall, from_a);
    const double drop = squared(height) - square * dot_pairs(wall, wall);
    const scalar_mask is_off_a = is_at_most(dot_pairs(from_a, wall), 0);
    const scalar_mask is_off_b =
        scalar_mask_but_not(is_at_most(0, dot_pairs(from_b, wall)), is_off_a);
    const scalar_mask is_off = scalar_mask_or(is_off_a, is_off_b);
    const pair from_end = select_pair(is_off_a, from_a, from_b);
    const scalar_mask is_far = is_less(square, dot_pairs(from_end, from_end));
    const scalar_mask is_near_line = scalar_mask_but_not(is_at_most(drop, 0), is_off);
    const scalar_mask is_near = scalar_mask_or(is_near_line, scalar_mask_but_not(is_off, is_far));
    if (!scalar_mask_is_set(scalar_mask_and(is_near, has_limits(drop)))) {
        return apart();
    }
    const double side = select_scalar(is_less(height, 0), 1, -1);
    const pair across = scale_pair(left_of_pair(wall), side);
    const pair to_end = sub_pairs(keep_pair(is_off_b, wall), from_a);
    const pair toward = select_pair(is_off, to_end, across);
    const double length = grz_sqrt(dot_pairs(toward, toward));
    const double distance = select_scalar(is_off, length, absolute(height) / length);
    const double depth = greater_scalar(radius - distance, 0);
    if (!(length > 0)) {
        const graze_vec2d normal = unit_or(split_pair(across), vec2d(1, 0));
        return touch_disc(a, join_pair(normal), depth);
    }
    return touch_disc(a, scale_pair(toward, 1 / length), depth);
}

// HOT. bench: narrowphase/collide_circle_rect
//
// Branch  One: the centre is in the rect or out of it, and nearest to one side or another, as
//         randomly as the two touch.
graze_manifold graze_collide_circle_rect(graze_circle a, graze_rect b)
{
    const graze_vec2 axis = {b.rotation.cosine, b.rotation.sine};
    const pair u = widen_pair(axis), v = left_of_pair(u);
    const pair offset = sub_pairs(widen_pair(a.center), widen_pair(b.center));
    const pair on_u = mul_pairs(offset, u), on_v = mul_pairs(offset, v);
    const pair local = add_pairs(first_of_pairs(on_u, on_v), second_of_pairs(on_u, on_v));
    const double radius = (double)a.radius;
    const pair excess = sub_pairs(absolute_pair(local), widen_pair(b.half));
    const pair gap = sub_pairs(excess, fill_pair(radius));
    const pair beyond = greater_pair(excess, fill_pair(0));
    const double square = dot_pairs(beyond, beyond);
    const graze_vec2d gaps = split_pair(gap);
    const scalar_mask is_near =
        scalar_mask_and(is_at_most(square, squared(radius)), has_limits(gaps.x + gaps.y));
    if (!scalar_mask_is_set(scalar_mask_and(is_near, is_at_most_pair(gap, fill_pair(0))))) {
        return apart();
    }
    const double distance = grz_sqrt(square);
    const scalar_mask is_out = is_less(0, distance);
    const graze_vec2d sides = split_pair(excess);
    const scalar_mask by_x = is_at_most(sides.y, sides.x);
    const double depth =
        radius - select_scalar(is_out, distance, select_scalar(by_x, sides.x, sides.y));
    const pair nearest = select_pair(by_x, join_pair(vec2d(1, 0)), join_pair(vec2d(0, 1)));
    const pair way_out = select_pair(is_out, scale_pair(beyond, 1 / distance), nearest);
    const graze_vec2d turned = split_pair(turn_pair(way_out, local));
    const pair way_in = add_pairs(scale_pair(u, -turned.x), scale_pair(v, -turned.y));
    const pair normal = scale_pair(way_in, 1.5 - 0.5 * dot_pairs(way_in, way_in));
    return touch_disc(a, normal, depth);
}
