/// @file angle.h
/// Angles of bodies, in radians.
#ifndef GRZ_ANGLE_H
#define GRZ_ANGLE_H

/// The float nearest to pi, which is above it.
#define GRZ_PI 3.14159274f

/// Returns the angle within [-pi, pi]; 0 for one too large to have a direction (1e15 turns).
float grz_wrap_angle(float angle);

#endif
