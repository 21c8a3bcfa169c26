// The casts of cast.h, as sweeps relative to the target; rays against segments and lines by exact
// signs.

#include <graze/cast.h>
#include <graze/sweep.h>

#include "determinant.h"
#include "sweep_disc.h"
#include "sweep_point.h"

static inline graze_hit no_hit(void)
{
    const graze_hit none = {false, 0, {0, 0}, {0, 0}};
    return none;
}

// Makes a hit of a sweep: its normal is the surface's. 0 - x, not -x: that makes no -0.
static graze_hit hit_of(const graze_sweep *sweep, graze_vec2d origin)
{
    graze_hit hit = {false, 0, {0, 0}, {0, 0}};
    if (sweep->hit) {
        hit.hit = true;
        hit.time = (float)sweep->time;
        hit.point = narrow(add(origin, sweep->point));
        hit.normal = narrow(subtract(vec2d(0, 0), sweep->normal));
    }
    return hit;
}

// HOT. bench: narrowphase/cast_ray_segment
graze_hit graze_cast_ray_segment(graze_ray ray, graze_segment segment)
{
    const double2 end = widen_sum(ray.origin, ray.delta);
    point_sweep crossing = sweep_point(widen_double2(ray.origin), end, segment);
    if (crossing.unclear) {
        crossing = grz_sweep_point_exactly(ray.origin, narrow_double2(end), segment);
    }
    if (!crossing.hit) {
        return no_hit();
    }
    const double2 zero = fill_double2(0);
    const graze_hit hit = {true, (float)crossing.time,
                           narrow_double2(add_double2(zero, crossing.point)),
                           narrow_double2(sub_double2(zero, crossing.normal))};
    return hit;
}

graze_hit graze_cast_circle_segment(graze_circle mover, graze_vec2 delta, graze_segment wall)
{
    const graze_sweep sweep =
        graze_sweep_circle_segment(widen(mover.center), widen(delta), (double)mover.radius, wall);
    return hit_of(&sweep, vec2d(0, 0));
}

graze_hit graze_cast_circle_circle(graze_circle mover, graze_vec2 delta, graze_circle target)
{
    const graze_sweep sweep = sweep_discs(offset(mover.center, target.center), widen(delta),
                                          (double)mover.radius, (double)target.radius);
    return hit_of(&sweep, widen(target.center));
}

graze_hit graze_cast_circle_rect(graze_circle mover, graze_vec2 delta, graze_rect target)
{
    const graze_sweep sweep =
        graze_sweep_circle_rect(offset(mover.center, target.center), widen(delta),
                                (double)mover.radius, target.half, target.rotation);
    return hit_of(&sweep, widen(target.center));
}

graze_hit graze_cast_rect_segment(graze_rect mover, graze_vec2 delta, graze_segment wall)
{
    const graze_sweep sweep = graze_sweep_rect_segment(widen(mover.center), widen(delta),
                                                       mover.half, mover.rotation, wall);
    return hit_of(&sweep, vec2d(0, 0));
}

graze_hit graze_cast_rect_rect(graze_rect mover, graze_vec2 delta, graze_rect target)
{
    const graze_sweep sweep =
        graze_sweep_rects(offset(mover.center, target.center), widen(delta), mover.half,
                          mover.rotation, target.half, target.rotation);
    return hit_of(&sweep, widen(target.center));
}

// A ray that starts inside is hit at its own origin: subtracting and adding the shape's centre
// could round it.
static graze_hit hit_of_ray(const graze_sweep *sweep, graze_ray ray, graze_vec2 center)
{
    graze_hit hit = hit_of(sweep, widen(center));
    if (sweep->hit && !(sweep->time > 0)) {
        hit.point = ray.origin;
    }
    return hit;
}

static graze_hit cast_point(graze_ray ray, graze_circle target)
{
    const graze_sweep sweep =
        sweep_discs(offset(ray.origin, target.center), widen(ray.delta), 0, (double)target.radius);
    return hit_of_ray(&sweep, ray, target.center);
}

// HOT. bench: narrowphase/cast_ray_circle
//
// Data    The sums of sweep_discs, two at a time: gap and path, dot and side; of the chord's two
//         only y is used. The normal's division does not wait for the root.
// Branch  Hit or miss cannot be predicted, so it is decided as early as possible: once the chord's
//         sign is known, three operations on bits are left. The rest is rare: a start inside, no
//         radius, a grazing ray whose chord rounds below 0.
graze_hit graze_cast_ray_circle(graze_ray ray, graze_circle circle)
{
    const double2 center = widen_double2(circle.center);
    const double2 start = sub_double2(widen_double2(ray.origin), center);
    const double2 delta = widen_double2(ray.delta), left = left_of_double2(delta);
    const double2 end = add_double2(start, delta);
    const double2 zero = fill_double2(0);
    const double radius = (double)circle.radius;
    const double2 reach = fill_double2(squared(radius));
    const double2 x = xs_of_double2(start, delta), y = ys_of_double2(start, delta);
    const double2 gap_path = add_double2(mul_double2(x, x), mul_double2(y, y));
    const double2 dot_side = sub_double2(mul_double2(xs_of_double2(start, start), delta),
                                         mul_double2(ys_of_double2(start, start), left));
    const double2 approach = sub_double2(zero, dot_side);
    const double2 chord =
        sub_double2(mul_double2(reach, gap_path), mul_double2(dot_side, dot_side));

    // Touches and ends_before, is_ahead and is_beyond, any and passes.
    const uint32_t near = at_most_bits(gap_path, xs_of_double2(reach, approach));
    const uint32_t far = less_bits(xs_of_double2(zero, reach),
                                   xs_of_double2(approach, dots_of_double2(end, end, end, end)));
    const uint32_t passes = less_bits(chord, zero);
    if (near & 1) {
        return cast_point(ray, circle);
    }
    if ((far ^ 1) & (near | 1 | passes)) {
        return no_hit();
    }
    const double2 root = sqrt_double2(ys_of_double2(chord, chord));
    const double outside = split_double2(sub_double2(gap_path, reach)).x;
    const double time = outside / split_double2(add_double2(root, approach)).x;
    if (!(time >= 0 && radius > 0)) {
        return cast_point(ray, circle);
    }
    const double inverse = 1 / (split_double2(gap_path).y * radius);
    const double2 side = ys_of_double2(dot_side, dot_side);
    const double2 inward = add_double2(mul_double2(delta, root), mul_double2(left, side));
    const double2 normal = scale_double2(inward, inverse);
    const double2 point = sub_double2(center, scale_double2(normal, radius));
    const graze_hit hit = {true, (float)min_scalar(time, 1), narrow_double2(point),
                           narrow_double2(sub_double2(zero, normal))};
    return hit;
}

graze_hit graze_cast_ray_rect(graze_ray ray, graze_rect rect)
{
    const graze_sweep sweep = graze_sweep_circle_rect(
        offset(ray.origin, rect.center), widen(ray.delta), 0, rect.half, rect.rotation);
    return hit_of_ray(&sweep, ray, rect.center);
}

static int sign_of(double value)
{
    return (value > 0) - (value < 0);
}

graze_hit graze_cast_ray_line(graze_ray ray, graze_line line)
{
    const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    const double before = grz_orient_value(line.a, line.b, ray.origin);
    const double after = grz_orient_value(line.a, line.b, end);
    const graze_vec2d left = left_of(offset(line.b, line.a));
    graze_sweep sweep = {false, 0, {0, 0}, {0, 0}, 0};
    if (dot(left, left) > 0 && is_finite_sum(before + after)) {
        const int from_side = sign_of(before) != 0 ? sign_of(before) : -sign_of(after);
        sweep.hit = before == 0 || sign_of(before) != sign_of(after);
        sweep.time = before == 0 ? 0 : before / (before - after);
        sweep.point = along(widen(ray.origin), widen(ray.delta), sweep.time);
        sweep.normal = unit_or(from_side < 0 ? left : negate(left), left);
    }
    return hit_of(&sweep, vec2d(0, 0));
}
