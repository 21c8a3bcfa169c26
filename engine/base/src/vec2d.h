/// @file vec2d.h
/// Vectors in double, for every module's own computing.
///
/// Differences of floats are nearly always exact in double, and so are products of two floats: so
/// ties, such as a 3-4-5 touch, stay ties.
#ifndef GRZ_VEC2D_H
#define GRZ_VEC2D_H

#include <graze/vec2.h>

#include "min_max.h"
#include "root.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static inline graze_vec2d vec2d(double x, double y)
{
    const graze_vec2d v = {x, y};
    return v;
}

static inline graze_vec2d widen(graze_vec2 v)
{
    return vec2d((double)v.x, (double)v.y);
}

/// Rounds to float; values past the float range become infinite.
static inline graze_vec2 narrow(graze_vec2d v)
{
    const graze_vec2 rounded = {(float)v.x, (float)v.y};
    return rounded;
}

/// Returns the same with zeros that have no sign: as bits they are one number.
static inline graze_vec2 without_negative_zero(graze_vec2 v)
{
    const graze_vec2 clean = {v.x + 0.0f, v.y + 0.0f};
    return clean;
}

static inline graze_vec2d add(graze_vec2d a, graze_vec2d b)
{
    return vec2d(a.x + b.x, a.y + b.y);
}

static inline graze_vec2d subtract(graze_vec2d a, graze_vec2d b)
{
    return vec2d(a.x - b.x, a.y - b.y);
}

/// Returns a - b, computed in double from floats.
static inline graze_vec2d offset(graze_vec2 a, graze_vec2 b)
{
    return subtract(widen(a), widen(b));
}

static inline graze_vec2d scale(graze_vec2d v, double factor)
{
    return vec2d(v.x * factor, v.y * factor);
}

/// Returns base + v * factor.
static inline graze_vec2d along(graze_vec2d base, graze_vec2d v, double factor)
{
    return add(base, scale(v, factor));
}

static inline graze_vec2d negate(graze_vec2d v)
{
    return vec2d(-v.x, -v.y);
}

/// Returns v turned by +90 degrees (y axis up).
static inline graze_vec2d left_of(graze_vec2d v)
{
    return vec2d(-v.y, v.x);
}

static inline double dot(graze_vec2d a, graze_vec2d b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double cross(graze_vec2d a, graze_vec2d b)
{
    return a.x * b.y - a.y * b.x;
}

/// A determinant, such as that, of more than this share of its products has a relative error below
/// 2^-31: both its sign and its value can be used.
static const double grz_clear_share = 0x1p-20;

static inline double squared(double value)
{
    return value * value;
}

/// Every compiler makes fabs one instruction without a branch.
static inline double absolute(double value)
{
    return fabs(value);
}

static inline double clamp(double value, double low, double high)
{
    return min_double(max_double(value, low), high);
}

/// Rounds a reported value to float, clamped to the range of float; zeros have no sign.
static inline float narrow_reported(double value)
{
    return min_float(max_float((float)value + 0.0f, -FLT_MAX), FLT_MAX);
}

static inline graze_vec2 narrow_reported2(graze_vec2d v)
{
    const graze_vec2 single = {narrow_reported(v.x), narrow_reported(v.y)};
    return single;
}

static inline bool is_same_point(graze_vec2 a, graze_vec2 b)
{
    return a.x == b.x && a.y == b.y;
}

/// Returns whether v is neither NaN nor infinite in any component.
static inline bool is_finite(graze_vec2 v)
{
    return (v.x - v.x) + (v.y - v.y) == 0;
}

/// Returns whether a number or a sum, and with it each of its terms, is finite; terms in the range
/// of float cannot overflow it.
static inline bool is_finite_sum(double sum)
{
    return sum - sum == 0;
}

static inline double length_of(graze_vec2d v)
{
    return grz_sqrt(dot(v, v));
}

/// Returns true only if v is shorter than `length`; perhaps false if it is nearly as long. Takes no
/// root: a branch on that would wait for it.
static inline bool is_surely_shorter(graze_vec2d v, double length)
{
    return (length > 0) & (dot(v, v) < squared(length) * (1 - 0x1p-40));
}

/// Returns v at length 1; `fallback` for a zero vector. No branch waits for the root.
static inline graze_vec2d unit_or(graze_vec2d v, graze_vec2d fallback)
{
    const double square = dot(v, v);
    return square > 0 ? scale(v, 1 / grz_sqrt(square)) : fallback;
}

#endif
