/// @file surface.h
/// The surface of a body, of a chain, or of one of its segments: what things feel where they touch.
///
///     graze_surface ice = graze_surface_default();
///     ice.friction = 0.02f;
///     graze_chain_set_surface(world, chain, GRAZE_ALL_SEGMENTS, ice);
///
/// Units      The game's own; speeds in units per second.
/// Mixing     Where two surfaces touch, the friction is the geometric mean of the two, and the
///            restitution is the larger one.
#ifndef GRAZE_SURFACE_H
#define GRAZE_SURFACE_H

#ifdef __cplusplus
extern "C" {
#endif

/// A surface. Start from graze_surface_default().
typedef struct graze_surface {
    float friction;           ///< >= 0: Coulomb's coefficient.
    float restitution;        ///< 0 to 1: the share of its speed kept by a bounce.
    float rolling_resistance; ///< >= 0, in radii of the disc: what keeps it from rolling for ever.
    float speed; ///< Units per second, along the surface: a conveyor's belt. On a chain it goes in
                 ///< the order of its points if it is positive, against it if it is negative. On a
                 ///< body it goes around it, clockwise with the y axis up if it is positive.
} graze_surface;

/// Returns friction 0.6; all else is 0.
graze_surface graze_surface_default(void);

#ifdef __cplusplus
}
#endif

#endif
