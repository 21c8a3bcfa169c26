/// @file determinant.h
/// Determinants of float points, as doubles whose sign is exact: orient.h decides by the sign;
/// crossings and casts also divide them to find positions on a segment.
///
/// Source     J. R. Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
///            Geometric Predicates".
#ifndef GRZ_DETERMINANT_H
#define GRZ_DETERMINANT_H

#include <graze/shape.h>

/// Returns twice the area of the triangle a, b, p, positive when p lies left of a->b: the sign is
/// exact and the relative error at most 2^-32. NaN when a coordinate is not finite.
double grz_orient_value(graze_vec2 a, graze_vec2 b, graze_vec2 p);

/// Returns the cross product of a's direction and b's: the sign is exact and the relative error at
/// most 2^-32. NaN when a coordinate is not finite.
double grz_cross_value(graze_segment a, graze_segment b);

#endif
