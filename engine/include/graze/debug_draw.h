/// @file debug_draw.h
/// Draws a world through the caller's own drawing functions.
///
///     static void draw_circle(graze_circle circle, graze_body_id body, void *user)
///     {
///         ... a circle around circle.center, in a colour that tells whether it is asleep ...
///     }
///     ... graze_debug_draw(world, &(graze_painter){.circle = draw_circle}); ...
///
/// Units      Coordinates, sizes and velocities are the world's.
/// Order      Terrain by chain id, bodies by id, then the last step's contacts in their order. Last
///            come cells, in no order that a game may rely on.
/// Threads    A reading call, like queries. The functions are called on the caller's thread.
/// Errors     None.
/// Cost       Linear in the contents of the world. Nothing is allocated.
#ifndef GRAZE_DEBUG_DRAW_H
#define GRAZE_DEBUG_DRAW_H

#include <graze/aabb.h>
#include <graze/contact.h>
#include <graze/id.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Drawing functions. Where one is null, that kind of thing is not drawn. They may read the world,
/// but must not change it. What a pointer refers to is valid during the call only.
typedef struct graze_painter {
    void (*segment)(graze_segment segment, graze_segment_id id, void *user); ///< Terrain.
    void (*circle)(graze_circle circle, graze_body_id body, void *user);     ///< Where it is now.
    void (*rect)(graze_rect rect, graze_body_id body, void *user);           ///< Where it is now.
    /// The ray's origin is the body's position, its delta the velocity in units per second.
    void (*ray)(graze_ray ray, graze_body_id body, void *user);
    void (*contact)(const graze_contact *contact, void *user); ///< Of the last step.
    /// A cell of the grid in which the last step looked for pairs, and how many bodies are in it,
    /// at least 1. Bodies of other sizes have other cells. One may be told in several parts.
    void (*cell)(graze_aabb cell, uint32_t bodies, void *user);
    void *user; ///< Passed to every function; may be null.
} graze_painter;

/// Calls the painter's functions for everything in the world. Neither pointer may be null.
void graze_debug_draw(const graze_world *world, const graze_painter *painter);

#ifdef __cplusplus
}
#endif

#endif
