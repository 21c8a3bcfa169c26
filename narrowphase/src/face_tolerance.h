/// @file face_tolerance.h
/// The distance from a face at which a point touches it: one number for the single test and the
/// batch.
#ifndef GRZ_FACE_TOLERANCE_H
#define GRZ_FACE_TOLERANCE_H

/// Points above a face by at most this share of the shapes' size touch it: float coordinates
/// resolve no more.
static const double grz_face_tolerance = 1e-7;

#endif
