/// @file sweep_point.h
/// A moving point against a wall: the core of the watertight tests.
#ifndef GRZ_SWEEP_POINT_H
#define GRZ_SWEEP_POINT_H

#include <graze/sweep.h>

#include "double2.h"
#include "vec2d.h"

typedef struct point_sweep {
    bool hit;
    bool unclear; ///< Not decided: needs the exact test.
    double time;
    double2 point, normal; ///< As in graze_sweep.
} point_sweep;

/// The same without a filter, where determinants are not clear.
point_sweep grz_sweep_point_exactly(graze_vec2 from, graze_vec2 to, graze_segment wall);

static inline point_sweep pass_wall(bool unclear)
{
    const point_sweep none = {false, unclear, 0, {0, 0}, {0, 0}};
    return none;
}

/// `before` and `after` are the determinants of the move's ends with the wall: of different sign,
/// or one of them 0. `turn` is -1 when the move comes from the left, else 1.
static inline point_sweep cross_wall(double2 from, double2 to, graze_segment wall, double before,
                                     double after, double turn)
{
    const double2 direction = sub_double2(widen_double2(wall.b), widen_double2(wall.a));
    const double length = grz_sqrt(dot_double2(direction, direction));
    const double time = before / (before - after);
    const double2 path = sub_double2(to, from);
    const point_sweep sweep = {true, false, time, add_double2(from, scale_double2(path, time)),
                               scale_double2(left_of_double2(direction), turn / length)};
    return sweep;
}

/// Returns two determinants a.x * b.y - a.y * b.x, and whether both are clear.
static inline double2 determinants(double2 a_x, double2 a_y, double2 b_x, double2 b_y, bool *clear)
{
    const double2 left = mul_double2(a_x, b_y);
    const double2 right = mul_double2(a_y, b_x);
    const double2 values = sub_double2(left, right);
    const double2 products = add_double2(absolute_double2(left), absolute_double2(right));
    *clear = less_bits(scale_double2(products, grz_clear_share), absolute_double2(values)) == 3;
    return values;
}

/// See graze_sweep_point_segment; `p` and `q` are floats, widened.
///
/// Data    The four determinants share the four differences between ends of move and ends of wall;
///         two are computed at a time.
/// Branch  None before all four are computed: early exits cost more in mispredictions than they
///         save (bench: narrowphase/sweep_point_segment).
static inline point_sweep sweep_point(double2 p, double2 q, graze_segment wall)
{
    const double2 a = widen_double2(wall.a), b = widen_double2(wall.b);
    const double2 move_x = xs_of_double2(p, q), move_y = ys_of_double2(p, q);
    const double2 a_x = sub_double2(xs_of_double2(a, a), move_x);
    const double2 a_y = sub_double2(ys_of_double2(a, a), move_y);
    const double2 b_x = sub_double2(xs_of_double2(b, b), move_x);
    const double2 b_y = sub_double2(ys_of_double2(b, b), move_y);
    bool ends_are_clear, wall_is_clear;
    const double2 of_ends = determinants(a_x, a_y, b_x, b_y, &ends_are_clear);
    const double2 of_wall =
        determinants(xs_of_double2(a_x, b_x), xs_of_double2(a_y, b_y), ys_of_double2(a_x, b_x),
                     ys_of_double2(a_y, b_y), &wall_is_clear);
    if (!(ends_are_clear & wall_is_clear)) {
        return pass_wall(true);
    }
    if (!scalar_mask_is_set(scalar_mask_and(differs_in_sign(of_ends), differs_in_sign(of_wall)))) {
        return pass_wall(false);
    }
    const graze_vec2d sides = split_double2(of_ends);
    return cross_wall(p, q, wall, sides.x, sides.y, select_scalar(is_less(0, sides.x), -1, 1));
}

#endif
