/// @file box.h
/// Boxes around trajectories, a little larger than exact, so that rounding never separates what
/// touches.
#ifndef GRZ_BOX_H
#define GRZ_BOX_H

#include <graze/aabb.h>
#include <graze/orient.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "double2.h"

/// Returns a number without its sign, as a maximum: compilers need no branch, which could not be
/// predicted.
static inline float grz_magnitude(float number)
{
    return number > -number ? number : -number;
}

/// The margin of a side, as a share of its size. Rounding moves it by at most half a unit in the
/// last place, 2^-24 of its size: this covers that of the sum and of the margin itself.
#define GRZ_SIDE_MARGIN 0x1p-22f

/// Returns the lower side of a box around `centre`: so far from it, and the margin; finite.
static inline float grz_lower_side(float centre, float extent)
{
    float side = centre - extent;
    side -= grz_magnitude(side) * GRZ_SIDE_MARGIN;
    return side > -FLT_MAX ? side : -FLT_MAX;
}

/// Returns its upper side, likewise.
static inline float grz_upper_side(float centre, float extent)
{
    float side = centre + extent;
    side += grz_magnitude(side) * GRZ_SIDE_MARGIN;
    return side < FLT_MAX ? side : FLT_MAX;
}

/// A turned rect's extent with its margin, as a share of it: its rounding is below 2^-21.
#define GRZ_ROTATION_MARGIN (1 + 2 * GRZ_SIDE_MARGIN)

/// And an absolute margin, because rounding of denormal numbers exceeds any share.
static const float grz_least_margin = FLT_MIN;

/// Returns a box around the whole trajectory of a shape of these half extents, rounding included;
/// clamped to the range of float.
static inline graze_aabb grz_swept_box(graze_vec2 from, graze_vec2 to, graze_vec2 extent)
{
    graze_aabb box = {
        {grz_lower_side(from.x < to.x ? from.x : to.x, extent.x),
         grz_lower_side(from.y < to.y ? from.y : to.y, extent.y)},
        {grz_upper_side(from.x > to.x ? from.x : to.x, extent.x),
         grz_upper_side(from.y > to.y ? from.y : to.y, extent.y)},
    };
    return box;
}

/// Returns whether a side of the box has a->b beyond it. Most walls of a cell lie beside a way:
/// comparisons alone reject them, before any arithmetic. One branch: which side it is that they lie
/// beyond would be a guess.
static inline bool grz_is_outside(graze_vec2 a, graze_vec2 b, const graze_aabb *box)
{
    const graze_vec2 low = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y};
    const graze_vec2 high = {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y};
    return (high.x < box->lower.x) | (low.x > box->upper.x) | (high.y < box->lower.y) |
           (low.y > box->upper.y);
}

/// As grz_line_meets_box, by orientations alone. A line that has all four corners on one side does
/// not. Two opposite ones suffice, the farthest to either side: for a rising line the upper left
/// and the lower right one.
static inline bool grz_line_parts_corners(graze_vec2 a, graze_vec2 b, const graze_aabb *box)
{
    const bool rises = (a.x <= b.x) == (a.y <= b.y);
    const graze_vec2 left = {box->lower.x, rises ? box->upper.y : box->lower.y};
    const graze_vec2 right = {box->upper.x, rises ? box->lower.y : box->upper.y};
    const int side = graze_orient(a, b, left);
    return side == 0 || graze_orient(a, b, right) != side;
}

/// Returns whether the line through a and b meets the box, or they are one point. Exact. Most meet
/// it clearly: they pass its middle by less than it reaches across them. (Both are twice as long
/// here.) Rounding is below 10 * 2^-53 of the terms.
static inline bool grz_line_meets_box(graze_vec2 a, graze_vec2 b, const graze_aabb *box)
{
    const double2 start = widen_double2(a), way = sub_double2(widen_double2(b), start);
    const double2 lower = widen_double2(box->lower), upper = widen_double2(box->upper);
    const double2 sum = add_double2(lower, upper), twice = add_double2(start, start);
    const double2 size = sub_double2(upper, lower), across = swap_double2(absolute_double2(way));
    const double2 terms =
        add_double2(add_double2(absolute_double2(sum), absolute_double2(twice)), size);
    const double clearly = dot_double2(across, size) - 0x1p-49 * dot_double2(across, terms);
    return fabs(cross_double2(way, sub_double2(sum, twice))) < clearly ||
           grz_line_parts_corners(a, b, box);
}

/// Returns whether a and b are both less than both c and d.
static inline bool grz_are_all_less(float a, float b, float c, float d)
{
    return a < c && a < d && b < c && b < d;
}

/// Returns whether a line along an axis separates a move and a wall: so they do not cross, whatever
/// the infinitesimal shift.
static inline bool grz_are_apart(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    return grz_are_all_less(wall.a.y, wall.b.y, from.y, to.y) ||
           grz_are_all_less(from.y, to.y, wall.a.y, wall.b.y) ||
           grz_are_all_less(wall.a.x, wall.b.x, from.x, to.x) ||
           grz_are_all_less(from.x, to.x, wall.a.x, wall.b.x);
}

/// Returns whether no part of `inner` lies outside of `box`.
static inline bool grz_holds_box(const graze_aabb *box, const graze_aabb *inner)
{
    return box->lower.x <= inner->lower.x && inner->upper.x <= box->upper.x &&
           box->lower.y <= inner->lower.y && inner->upper.y <= box->upper.y;
}

#endif
