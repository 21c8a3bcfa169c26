#include <graze/orient.h>
#include <graze/sweep.h>

#include "determinant.h"
#include "sweep_disc.h"

// A determinant that is more than this share of its products has a relative error below 2^-31, so
// both its sign and its value can be used.
static const double clear_share = 1.0 / 1048576.0;

typedef struct side_value {
    double value;
    bool is_clear;
} side_value;

static inline side_value side_of(graze_vec2d a, graze_vec2d b)
{
    const double left = a.x * b.y;
    const double right = a.y * b.x;
    const double value = left - right;
    const side_value side = {value,
                             absolute(value) > clear_share * (absolute(left) + absolute(right))};
    return side;
}

// `before` and `after` are the determinants of the move's ends with the wall: of different sign,
// or one of them 0.
static graze_sweep cross_wall(graze_vec2 from, graze_vec2 to, graze_segment wall, double before,
                              double after)
{
    const bool is_from_left = before > 0 || after < 0;
    const graze_vec2d direction = offset(wall.b, wall.a);
    const double length = grz_sqrt(dot(direction, direction));
    graze_sweep sweep = {true, before / (before - after), {0, 0}, {0, 0}, 0};
    sweep.point = along(widen(from), offset(to, from), sweep.time);
    sweep.normal = scale(left_of(direction), (is_from_left ? -1 : 1) / length);
    return sweep;
}

static graze_sweep cross_wall_exactly(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    if (!graze_crosses(from, to, wall)) {
        return miss();
    }
    return cross_wall(from, to, wall, grz_orient_value(wall.a, wall.b, from),
                      grz_orient_value(wall.a, wall.b, to));
}

// HOT. bench: narrowphase/sweep_point_segment
//
// Data    The four determinants share the four differences between ends of move and ends of wall.
// Branch  None until all four are there: early exits cost more in wrong guesses than they save.
graze_sweep graze_sweep_point_segment(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    const graze_vec2d a_from = offset(wall.a, from);
    const graze_vec2d b_from = offset(wall.b, from);
    const graze_vec2d a_to = offset(wall.a, to);
    const graze_vec2d b_to = offset(wall.b, to);
    const side_value before = side_of(a_from, b_from);
    const side_value after = side_of(a_to, b_to);
    const side_value at_a = side_of(a_from, a_to);
    const side_value at_b = side_of(b_from, b_to);
    if (!(before.is_clear & after.is_clear & at_a.is_clear & at_b.is_clear)) {
        return cross_wall_exactly(from, to, wall);
    }
    const bool changes_side = (before.value > 0) != (after.value > 0);
    const bool passes_between = (at_a.value > 0) != (at_b.value > 0);
    if (!(changes_side & passes_between)) {
        return miss();
    }
    return cross_wall(from, to, wall, before.value, after.value);
}
