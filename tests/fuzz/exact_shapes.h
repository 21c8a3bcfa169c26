/// @file exact_shapes.h
/// Whether shapes touch, still or moving, in exact arithmetic: all is made of the segments, sides
/// and distances of exact.h.
#ifndef GRAZE_TESTS_EXACT_SHAPES_H
#define GRAZE_TESTS_EXACT_SHAPES_H

#include "moving_pair.h"

#include <graze/shape.h>

#include <stdbool.h>

/// Writes the convex hull of `count` points: the polygon's capacity of them at most. It has no
/// three vertices on one line.
graze_polygon exact_hull(const graze_vec2 *points, int count);

/// Returns whether two closed convex polygons share a point; they may be segments or points.
bool exact_polygons_meet(const graze_polygon *a, const graze_polygon *b);

/// Returns the sign of (distance between the polygons) - radius, -1 when they overlap; radius >= 0.
int exact_compare_gap(const graze_polygon *a, const graze_polygon *b, double radius);

/// Returns the rect as a polygon; its rotation must be a quarter turn, and its corners floats.
graze_polygon exact_rect(const graze_rect *rect);

/// Returns whether the two touch at any time of the motion, or (still) before it. Rects must be as
/// exact_rect() wants them, and all corners at start and end floats.
bool exact_pair_meets(const moving_pair *pair, bool still);

#endif
