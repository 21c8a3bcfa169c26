/// @file face_tolerance.h
/// How close to a face a point touches it: one number for the single test and for the batch.
#ifndef GRZ_FACE_TOLERANCE_H
#define GRZ_FACE_TOLERANCE_H

/// Points above a face by no more than this share of the shapes' size touch it: float coordinates
/// cannot say more.
static const double grz_face_tolerance = 1e-7;

#endif
