#include <graze/cast.h>
#include <graze/sweep.h>

#include "determinant.h"
#include "vec2d.h"

// Turns a sweep around: the answer's normal is the surface's. 0 - x, not -x: it makes no -0.
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

graze_hit graze_cast_ray_segment(graze_ray ray, graze_segment segment)
{
    const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    const graze_sweep sweep = graze_sweep_point_segment(ray.origin, end, segment);
    return hit_of(&sweep, vec2d(0, 0));
}

graze_hit graze_cast_circle_segment(graze_circle mover, graze_vec2 delta, graze_segment wall)
{
    const graze_sweep sweep =
        graze_sweep_circle_segment(widen(mover.center), widen(delta), (double)mover.radius, wall);
    return hit_of(&sweep, vec2d(0, 0));
}

graze_hit graze_cast_circle_circle(graze_circle mover, graze_vec2 delta, graze_circle target)
{
    const graze_sweep sweep = graze_sweep_circles(offset(mover.center, target.center), widen(delta),
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

static graze_circle point_at(graze_vec2 place)
{
    const graze_circle point = {place, 0};
    return point;
}

graze_hit graze_cast_ray_circle(graze_ray ray, graze_circle circle)
{
    return graze_cast_circle_circle(point_at(ray.origin), ray.delta, circle);
}

graze_hit graze_cast_ray_rect(graze_ray ray, graze_rect rect)
{
    return graze_cast_circle_rect(point_at(ray.origin), ray.delta, rect);
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
