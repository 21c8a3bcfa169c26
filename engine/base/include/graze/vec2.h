/// @file vec2.h
/// Two-dimensional vectors.
///
/// Units      The game's own. The y axis may point either way; nothing here depends on it.
/// Exactness  Each operation rounds as float arithmetic does. `graze_vec2_length`,
///            `graze_vec2_normalize` and `graze_vec2_angle` compute in double and round once.
///            Inline functions are compiled with the caller's flags: where these contract
///            multiply-adds, results may differ here in the last bit, but never inside the library.
/// Threads    Pure functions: any number of threads.
/// Errors     None. NaN and infinity propagate as IEEE 754 specifies, unless a function says
///            otherwise.
/// Cost       Constant. The inline functions are the two to four operations that they name.
#ifndef GRAZE_VEC2_H
#define GRAZE_VEC2_H

#ifdef __cplusplus
extern "C" {
#endif

/// A point or a displacement.
typedef struct graze_vec2 {
    float x, y;
} graze_vec2;

/// The same in double, in which swept tests are computed: differences of floats are nearly always
/// exact there.
typedef struct graze_vec2d {
    double x, y;
} graze_vec2d;

/// Returns a + b.
static inline graze_vec2 graze_vec2_add(graze_vec2 a, graze_vec2 b)
{
    graze_vec2 sum = {a.x + b.x, a.y + b.y};
    return sum;
}

/// Returns a - b: the displacement that leads from b to a.
static inline graze_vec2 graze_vec2_sub(graze_vec2 a, graze_vec2 b)
{
    graze_vec2 difference = {a.x - b.x, a.y - b.y};
    return difference;
}

/// Returns v scaled by factor.
static inline graze_vec2 graze_vec2_scale(graze_vec2 v, float factor)
{
    graze_vec2 scaled = {v.x * factor, v.y * factor};
    return scaled;
}

/// Returns the dot product: positive when a and b point the same way, zero when perpendicular.
static inline float graze_vec2_dot(graze_vec2 a, graze_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/// Returns the cross product's z: positive when b lies counter-clockwise of a (y axis up).
static inline float graze_vec2_cross(graze_vec2 a, graze_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/// Returns the length of v. Error at most 1 ulp; infinite only if the length itself is past the
/// float range.
float graze_vec2_length(graze_vec2 v);

/// Returns v scaled to length 1, or {0, 0} for a zero vector. Error at most 1 ulp a component.
graze_vec2 graze_vec2_normalize(graze_vec2 v);

/// Returns the signed angle in radians, in [-pi, pi], that turns a's direction into b's; 0 if
/// either is a zero vector. It is the same on every machine, because no libm is involved.
///
/// Cost       Two square roots, a division and a polynomial of ten terms.
/// Source     Arctangent by argument halving and a Taylor polynomial, in double.
float graze_vec2_angle(graze_vec2 a, graze_vec2 b);

#ifdef __cplusplus
}
#endif

#endif
