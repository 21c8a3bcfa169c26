// A point swept against a wall, decided by exact signs.

#include <graze/orient.h>
#include <graze/sweep.h>

#include "determinant.h"
#include "sweep_disc.h"
#include "sweep_point.h"

point_sweep grz_sweep_point_exactly(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    if (!graze_crosses(from, to, wall)) {
        return pass_wall(false);
    }
    const double before = grz_orient_value(wall.a, wall.b, from);
    const double after = grz_orient_value(wall.a, wall.b, to);
    const bool is_from_left = before > 0 || after < 0;
    return cross_wall(widen_double2(from), widen_double2(to), wall, before, after,
                      is_from_left ? -1 : 1);
}

// HOT. bench: narrowphase/sweep_point_segment
graze_sweep graze_sweep_point_segment(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    point_sweep crossing = sweep_point(widen_double2(from), widen_double2(to), wall);
    if (crossing.unclear) {
        crossing = grz_sweep_point_exactly(from, to, wall);
    }
    graze_sweep sweep = miss();
    if (crossing.hit) {
        sweep.hit = true;
        sweep.time = crossing.time;
        sweep.point = split_double2(crossing.point);
        sweep.normal = split_double2(crossing.normal);
    }
    return sweep;
}
