/// @file solid.h
/// An oracle for shapes that move: signed gaps between convex solids, from their corners, in long
/// double. Slow, plain, and independent of the library.
#ifndef GRAZE_TESTS_SOLID_H
#define GRAZE_TESTS_SOLID_H

#include <graze/shape.h>

typedef struct solid_point {
    long double x, y;
} solid_point;

/// The convex hull of 1, 2 or 4 corners, grown by a radius.
typedef struct solid {
    int count;
    solid_point corners[4];
    long double radius;
} solid;

solid solid_of_circle(graze_circle circle);

/// The rect {p: |p.u| <= half.x, |p.v| <= half.y}, u and v being the float axes as they are.
solid solid_of_rect(graze_rect rect);

solid solid_of_segment(graze_segment segment);

/// Returns the solid moved by factor * delta.
solid solid_moved(solid shape, graze_vec2 delta, long double factor);

/// Returns the distance between two solids; if they overlap, minus the shortest way apart.
long double solid_gap(const solid *a, const solid *b);

#endif
