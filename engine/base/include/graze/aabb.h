/// @file aabb.h
/// Axis-aligned bounding boxes, stored as two opposite corners.
///
/// Units      The game's own.
/// Exactness  Comparing stored sides is exact (graze_overlap_aabbs() in overlap.h does it). With
///            centres and half extents it would not be: `|dx| <= h1 + h2` rounds.
/// Threads    A plain value: any number of threads.
/// Errors     None here. What takes a box says how it treats sides that are not finite, and boxes
///            whose lower side is above the upper one.
#ifndef GRAZE_AABB_H
#define GRAZE_AABB_H

#include <graze/vec2.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A closed box: lower.x <= x <= upper.x and lower.y <= y <= upper.y. With lower == upper it is a
/// point.
typedef struct graze_aabb {
    graze_vec2 lower, upper;
} graze_aabb;

#ifdef __cplusplus
}
#endif

#endif
