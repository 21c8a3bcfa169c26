/// @file terrain_state.h
/// The world's terrain, except the grid of segments, which has copies of the points.
#ifndef GRZ_TERRAIN_STATE_H
#define GRZ_TERRAIN_STATE_H

#include <graze/aabb.h>
#include <graze/chain.h>
#include <graze/shape.h>

#include "array.h"

/// A chain of terrain. The segment grid has its own copies of the points.
typedef struct grz_chain {
    uint32_t generation;
    bool in_world;
    bool loop, one_sided, sensor;
    uint32_t segment_count;
    graze_filter filter;
    uint64_t user_data;
    graze_vec2 *points;      ///< A list.
    graze_surface surface;   ///< Of all segments, if they have none of their own.
    graze_surface *surfaces; ///< A list, one for each segment; null: they have none of their own.
} grz_chain;

/// Returns the surface of a segment.
static inline graze_surface grz_chain_surface(const grz_chain *chain, uint32_t segment)
{
    return chain->surfaces ? chain->surfaces[segment] : chain->surface;
}

/// A segment of terrain as the grid keeps it.
typedef struct grz_wall {
    graze_segment segment;
    uint32_t chain, item;
} grz_wall;

enum { GRZ_KNOWN_WALLS_MAX = 32 }; ///< Of a body: where there are more, the grid is asked.

/// The walls near a body, looked up once a step: all that share a point with the box are among
/// them, each once.
typedef struct grz_known_walls {
    graze_aabb box;
    uint32_t first; ///< Their place in the world's known_walls.
    uint32_t count; ///< GRZ_KNOWN_WALLS_MAX at most; 0: they are not known.
} grz_known_walls;

/// What is tested against terrain: a body in the step, or a shape in a query.
typedef struct grz_mover {
    graze_shape_kind kind;
    graze_vec2 half;             ///< Half extents; a circle's radius twice; a ray's 0, 0.
    graze_rotation rotation;     ///< Before the step.
    bool responds;               ///< It may be pushed or stopped: a body, not a query.
    bool rotates;                ///< It spins.
    double turned;               ///< By how much it has turned when the move begins: radians,
    double turn;                 ///< and by how much it turns on the move.
    graze_vec2 extent;           ///< Of the box around it, however it is turned in the step.
    const graze_filter *filter;  ///< Read only when a wall is touched.
    graze_body_id body;          ///< For the game's filter; none in a query, which does not ask it.
    grz_known_walls known_walls; ///< For a move within their box no others are searched.
} grz_mover;

#endif
