/// @file sweep_point.h
/// A moving point against a wall: the core of the watertight tests.
#ifndef GRZ_SWEEP_POINT_H
#define GRZ_SWEEP_POINT_H

#include <graze/sweep.h>

#include "pair.h"

typedef struct point_sweep {
    bool hit;
    bool unclear; ///< Not decided: to be asked exactly.
    double time;
    pair point, normal; ///< As in graze_sweep.
} point_sweep;

/// The same decided without a filter: for what clear determinants cannot tell.
point_sweep grz_sweep_point_exactly(graze_vec2 from, graze_vec2 to, graze_segment wall);

static inline point_sweep pass_wall(bool unclear)
{
    const point_sweep none = {false, unclear, 0, {0, 0}, {0, 0}};
    return none;
}

/// `before` and `after` are the determinants of the move's ends with the wall: of different sign,
/// or one of them 0. `turn` is -1 when the move comes from the left, else 1.
static inline point_sweep cross_wall(pair from, pair to, graze_segment wall, double before,
                                     double after, double turn)
{
    const pair direction = sub_pairs(widen_pair(wall.b), widen_pair(wall.a));
    const double length = grz_sqrt(dot_pairs(direction, direction));
    const double time = before / (before - after);
    const pair path = sub_pairs(to, from);
    const point_sweep sweep = {true, false, time, add_pairs(from, scale_pair(path, time)),
                               scale_pair(left_of_pair(direction), turn / length)};
    return sweep;
}

/// A determinant that is more than this share of its products has a relative error below 2^-31, so
/// both its sign and its value can be used.
#define GRZ_CLEAR_SHARE (1.0 / 1048576.0)

/// Returns two determinants a.x * b.y - a.y * b.x, and whether both are clear.
static inline pair determinants(pair a_x, pair a_y, pair b_x, pair b_y, bool *clear)
{
    const pair left = mul_pairs(a_x, b_y);
    const pair right = mul_pairs(a_y, b_x);
    const pair values = sub_pairs(left, right);
    const pair products = add_pairs(absolute_pair(left), absolute_pair(right));
    *clear = is_less_pair(scale_pair(products, GRZ_CLEAR_SHARE), absolute_pair(values));
    return values;
}

/// See graze_sweep_point_segment; `p` and `q` are floats, widened.
///
/// Data    The four determinants share the four differences between ends of move and ends of wall;
///         two are computed at a time.
/// Branch  None until all four are there: early exits cost more in wrong guesses than they save.
static inline point_sweep sweep_point(pair p, pair q, graze_segment wall)
{
    const pair a = widen_pair(wall.a), b = widen_pair(wall.b);
    const pair move_x = first_of_pairs(p, q), move_y = second_of_pairs(p, q);
    const pair a_x = sub_pairs(first_of_pairs(a, a), move_x);
    const pair a_y = sub_pairs(second_of_pairs(a, a), move_y);
    const pair b_x = sub_pairs(first_of_pairs(b, b), move_x);
    const pair b_y = sub_pairs(second_of_pairs(b, b), move_y);
    bool ends_are_clear, wall_is_clear;
    const pair of_ends = determinants(a_x, a_y, b_x, b_y, &ends_are_clear);
    const pair of_wall =
        determinants(first_of_pairs(a_x, b_x), first_of_pairs(a_y, b_y), second_of_pairs(a_x, b_x),
                     second_of_pairs(a_y, b_y), &wall_is_clear);
    if (!(ends_are_clear & wall_is_clear)) {
        return pass_wall(true);
    }
    if (!scalar_mask_is_set(scalar_mask_and(differs_in_sign(of_ends), differs_in_sign(of_wall)))) {
        return pass_wall(false);
    }
    const graze_vec2d sides = split_pair(of_ends);
    return cross_wall(p, q, wall, sides.x, sides.y, select_scalar(is_less(0, sides.x), -1, 1));
}

#endif
