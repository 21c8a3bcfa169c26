/// @file chain.h
/// Chains: static terrain made of segments that share their end points.
///
/// Units      The game's own.
/// Exactness  Bullets cross or do not cross a segment by exact signs (orient.h): a vertex that two
///            segments share lets nothing through and is crossed once.
/// Memory     Points are copied; the def and its points are not kept.
/// Errors     As in body.h.
#ifndef GRAZE_CHAIN_H
#define GRAZE_CHAIN_H

#include <graze/body.h>
#include <graze/id.h>
#include <graze/status.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a chain is made from. Start from graze_chain_def_default().
typedef struct graze_chain_def {
    const graze_vec2 *points; ///< count points, finite. Repeated ones are allowed.
    uint32_t count;           ///< At least 2; it makes count - 1 segments, count when it loops.
    bool loop;                ///< The last point is joined to the first. Default false.
    bool one_sided;      ///< Met only by movers that come from the left of a->b. Default false.
    bool sensor;         ///< Crossed and reported, stops nobody. Default false.
    graze_filter filter; ///< Default graze_filter_default().
    uint64_t user_data;  ///< The game's own. Default 0.
    uint32_t cookie;     ///< Set by graze_chain_def_default(); a def without it is refused.
} graze_chain_def;

/// Returns a def that is valid but for its points.
graze_chain_def graze_chain_def_default(void);

/// Adds terrain. Returns its id, or none: then graze_world_last_status() says why. It is met from
/// the next step on, and by queries at once. It may lie on top of bodies.
///
/// Cost       Linear in `count`, whatever else is in the world (amortised over growth).
graze_chain_id graze_chain_create(graze_world *world, const graze_chain_def *def);

/// Removes terrain at once; contacts with it end in the next step.
///
/// Cost       Linear in the chain's own points.
graze_status graze_chain_destroy(graze_world *world, graze_chain_id chain);

/// Returns whether the id names a chain that is in the world.
bool graze_chain_is_valid(const graze_world *world, graze_chain_id chain);

/// Returns the def it was made from, with the world's own copy of the points, valid until the chain
/// is destroyed; a def with null points for an id that is not valid.
graze_chain_def graze_chain_get_def(const graze_world *world, graze_chain_id chain);

#ifdef __cplusplus
}
#endif

#endif
