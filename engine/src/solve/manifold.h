/// @file manifold.h
/// Where two bodies touch, or come close: points, gaps, and which features made them.
///
/// Source     S. Gottschalk 1996, "Separating Axis Theorem"; I. Sutherland, G. Hodgman 1974,
///            "Reentrant Polygon Clipping"; E. Catto 2007, "Modeling and Solving Constraints"
///            (features tell the points of two steps apart).
#ifndef GRZ_MANIFOLD_H
#define GRZ_MANIFOLD_H

#include "collide/pair_sweep.h"
#include "vec2d.h"
#include "world/solve_state.h"

/// Makes a manifold one without points.
static inline void grz_manifold_clear(grz_manifold *manifold, double apart)
{
    manifold->count = 0;
    manifold->apart = (float)apart;
    manifold->at_end = false;
}

/// Fills in the manifold of two figures, circles or rects, if they are no farther apart than
/// `margin`. `offset` leads from a's centre to b's. Points that it does not have stay as they are.
void grz_manifold_find(const grz_figure *a, const grz_figure *b, graze_vec2d offset, double margin,
                       grz_manifold *manifold);

/// Returns how far a figure reaches from its centre along a unit vector.
double grz_reach_of_figure(const grz_figure *figure, graze_vec2d direction);

/// Returns the same.
static inline grz_manifold grz_manifold_of(const grz_figure *a, const grz_figure *b,
                                           graze_vec2d offset, double margin)
{
    grz_manifold manifold = {0};
    grz_manifold_find(a, b, offset, margin, &manifold);
    return manifold;
}

/// Fills in the manifold of two circles that touch, of which the centres are `distance` apart.
void grz_manifold_set_discs(grz_manifold *manifold, double radius_a, double radius_b,
                            graze_vec2d offset, double distance);

/// Returns v turned by a rotation.
static inline graze_vec2d grz_turned(graze_vec2d v, graze_rotation rotation)
{
    const double cosine = (double)rotation.cosine, sine = (double)rotation.sine;
    return vec2d(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y);
}

/// Returns v turned back by a rotation.
static inline graze_vec2d grz_turned_back(graze_vec2d v, graze_rotation rotation)
{
    const double cosine = (double)rotation.cosine, sine = (double)rotation.sine;
    return vec2d(cosine * v.x + sine * v.y, cosine * v.y - sine * v.x);
}

/// Returns the rotation that leads from one to another.
static inline graze_rotation grz_rotation_between(graze_rotation from, graze_rotation to)
{
    const double cosine =
        (double)from.cosine * (double)to.cosine + (double)from.sine * (double)to.sine;
    const double sine =
        (double)from.cosine * (double)to.sine - (double)from.sine * (double)to.cosine;
    const graze_rotation between = {(float)cosine, (float)sine};
    return between;
}

#endif
