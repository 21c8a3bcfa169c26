#include <graze/collide.h>
#include <graze/sweep.h>

#include "touch.h"

static inline graze_manifold apart(void)
{
    const graze_manifold none = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}};
    return none;
}

// A disc's deepest point is `radius` along the normal, the other surface is `depth` before that.
static inline graze_manifold touch_disc(graze_circle disc, graze_vec2d normal, double depth)
{
    graze_manifold manifold = apart();
    const double midway = (double)disc.radius - depth / 2;
    manifold.count = 1;
    manifold.points[0] = narrow(along(widen(disc.center), normal, midway));
    manifold.depths[0] = (float)depth;
    manifold.normal = narrow(normal);
    return manifold;
}

// HOT. bench: narrowphase/collide_circles
graze_manifold graze_collide_circles(graze_circle a, graze_circle b)
{
    const graze_vec2d start = offset(a.center, b.center);
    const double reach = (double)a.radius + (double)b.radius;
    if (!touches_disc(start, reach) || !is_finite_sum(reach + start.x + start.y)) {
        return apart();
    }
    const double distance = grz_sqrt(dot(start, start));
    const graze_vec2d normal = distance > 0 ? scale(start, -1 / distance) : vec2d(1, 0);
    return touch_disc(a, normal, reach - distance);
}

graze_manifold graze_collide_circle_segment(graze_circle a, graze_segment b)
{
    const graze_vec2d start = widen(a.center);
    const graze_sweep rest = graze_sweep_circle_segment(start, vec2d(0, 0), (double)a.radius, b);
    return rest.hit ? touch_disc(a, rest.normal, rest.depth) : apart();
}

graze_manifold graze_collide_circle_rect(graze_circle a, graze_rect b)
{
    const graze_vec2d start = offset(a.center, b.center);
    const graze_sweep rest =
        graze_sweep_circle_rect(start, vec2d(0, 0), (double)a.radius, b.half, b.rotation);
    return rest.hit ? touch_disc(a, rest.normal, rest.depth) : apart();
}
