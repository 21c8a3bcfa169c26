/// @file narrow_checks.h
/// What the target fuzz_narrowphase tries: each check draws shapes from the bytes and compares what
/// the kernels say with exact arithmetic, or with each other where that is the promise.
///
/// Errors     Whatever does not hold ends the program (FUZZ_CHECK).
#ifndef GRAZE_TESTS_NARROW_CHECKS_H
#define GRAZE_TESTS_NARROW_CHECKS_H

#include "fuzz_bytes.h"

#include <graze/shape.h>

typedef void narrow_check_fn(fuzz_bytes *bytes, const fuzz_ground *ground);

/// Sides of lines and crossings of walls: exact on all floats.
narrow_check_fn narrow_check_sides;

/// Closed ways cross closed chains an even number of times: on all floats.
narrow_check_fn narrow_check_parity;

/// Two segments, two lines: exact on all floats.
narrow_check_fn narrow_check_segments;

/// Convex polygons with points, segments, rays and each other: exact on all floats.
narrow_check_fn narrow_check_polygons;

/// Discs with everything, standing: exact on grids.
narrow_check_fn narrow_check_discs;

/// Rects with everything, standing: exact on grids.
narrow_check_fn narrow_check_rects;

/// Manifolds say the same as the standing tests, and lead out of the overlap.
narrow_check_fn narrow_check_manifolds;

/// Moving pairs: exact on grids, within rounding beside them.
narrow_check_fn narrow_check_sweeps;

/// Casts say the same as sweeps; rays against lines, discs and rects.
narrow_check_fn narrow_check_casts;

/// Any bits as floats: nothing that is not finite touches anything.
narrow_check_fn narrow_check_wild;

/// Draws a rect, on a grid by a quarter turn, elsewhere by any angle.
graze_rect narrow_draw_rect(fuzz_bytes *bytes, const fuzz_ground *ground);

graze_segment narrow_draw_segment(fuzz_bytes *bytes, const fuzz_ground *ground);

/// Draws a disc, now and then of radius 0.
graze_circle narrow_draw_circle(fuzz_bytes *bytes, const fuzz_ground *ground);

/// Draws a convex polygon of 1 to 6 points, in either winding, one of them perhaps twice.
graze_polygon narrow_draw_polygon(fuzz_bytes *bytes, const fuzz_ground *ground);

/// Ends the program unless the vector has length 1.
void narrow_expect_unit(double x, double y);

#endif
