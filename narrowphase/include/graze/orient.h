/// @file orient.h
/// The exact predicates: on which side of a line is a point, and does a move cross a wall? The
/// watertightness of terrain rests on these two.
///
///     int side = graze_orient((graze_vec2){0, 0}, (graze_vec2){4, 0}, (graze_vec2){2, 1}); // 1.
///     bool through = graze_crosses(from, to, wall);
///
/// Units      The game's own.
/// Exactness  Exact for every finite input, from denormals to 3e38: the results are those of real
///            arithmetic on the given floats. (shape.h says under which rounding.)
/// Threads    Pure functions: any number of threads.
/// Errors     None. A point that is not finite lies on every line, and a move or wall that is not
///            finite crosses nothing.
/// Source     J. R. Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
///            Geometric Predicates" (filter and exact sum); H. Edelsbrunner, E. P. Mücke 1990,
///            "Simulation of Simplicity" (the infinitesimal shift).
#ifndef GRAZE_ORIENT_H
#define GRAZE_ORIENT_H

#include <graze/shape.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns on which side of the line from a to b the point p lies. +1 is left of it (y axis up), -1
/// right of it, 0 exactly on it. When a == b, or a coordinate is not finite: 0.
///
/// Swapping two arguments negates the result; rotating all three keeps it.
/// Cost       Two products and a comparison (bench: narrowphase/orient). A tie or near tie whose
///            line is not parallel to an axis also takes an exact sum of six products.
int graze_orient(graze_vec2 a, graze_vec2 b, graze_vec2 p);

/// Returns whether a point that moves in a straight line from `from` to `to` crosses the wall, a
/// segment.
///
/// The decision is made as if the mover were shifted by an infinitesimal (eps, eps^2), with the
/// walls left in place. So no mover is ever exactly on a wall, and
///   - a position on a wall belongs to one side of it, the same in this move and in the next;
///   - of walls that share a vertex, a move through the vertex crosses each or none, such that the
///     sides stay consistent. A closed path crosses a closed chain an even number of times. A move
///     from inside to outside crosses it an odd number of times;
///   - a move along a wall does not cross it.
/// A wall or a move of length 0 crosses nothing. Reversing the move or the wall changes nothing.
/// Cost       Two or four orientations (bench: narrowphase/crosses).
bool graze_crosses(graze_vec2 from, graze_vec2 to, graze_segment wall);

#ifdef __cplusplus
}
#endif

#endif
