/// @file terrain_sweep.h
/// Which walls a body touches on a straight piece of its motion.
#ifndef GRZ_TERRAIN_SWEEP_H
#define GRZ_TERRAIN_SWEEP_H

#include "bits.h"
#include "collide/box.h"
#include "collide/pair_sweep.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/world_state.h"

/// Returns whether every mover with the default filter, from either side, meets the chain and is
/// stopped by it.
static inline bool grz_chain_is_plain(const grz_chain *chain)
{
    return !chain->one_sided && !chain->sensor && grz_filter_is_default(chain->filter);
}

/// A move of a mover from one point to another.
typedef struct grz_move {
    const graze_world *world;
    const grz_mover *mover; ///< The caller's; must not change meanwhile.
    graze_vec2 from, to;
    graze_aabb box; ///< Around all of the move: what lies outside is not touched.
} grz_move;

/// Returns a move, with the box around it. It refers to `mover`.
static inline grz_move grz_move_of(const graze_world *world, const grz_mover *mover,
                                   graze_vec2 from, graze_vec2 to)
{
    const grz_move move = {world, mover, from, to, grz_swept_box(from, to, mover->extent)};
    return move;
}

/// Returns where the mover's centre is at a time of the move, 0 to 1.
static inline graze_vec2d grz_centre_at(const grz_move *move, double time)
{
    return along(widen(move->from), offset(move->to, move->from), time);
}

/// Returns how far the move leads along the normal of a touch, as in grz_touch: 0 for a touch at
/// its very end.
static inline double grz_approach_along(const grz_move *move, double time, graze_vec2d normal)
{
    return time < 1 ? dot(offset(move->to, move->from), normal) : 0;
}

/// Returns a wall that a walk along the terrain has found.
static inline grz_wall grz_wall_of_span(const graze_segment_span *span, uint32_t place)
{
    const grz_wall wall = {
        {{span->ax[place], span->ay[place]}, {span->bx[place], span->by[place]}},
        span->names[place].owner,
        span->names[place].item,
    };
    return wall;
}

/// A search for the walls whose boxes overlap a box.
typedef struct grz_wall_search {
    graze_aabb box;
    const grz_wall *known_walls; ///< Null: the grid is walked.
    uint64_t known_left;         ///< A bit for each of them that is near, and is left.
    graze_segment_walk walk;
    graze_segment_span span;
    uint32_t next;  ///< In the span.
    grz_wall found; ///< The last that was found there.
} grz_wall_search;

/// A walk along the walls that a mover touches on its move.
typedef struct grz_wall_walk {
    grz_move move;
    grz_wall_search search;
} grz_wall_walk;

/// Fills in a body of the step as a mover; in Respond with the walls that are known to be near one
/// that has a trajectory; null: it has none.
void grz_mover_fill(const graze_world *world, grz_row row, const grz_trajectory *trajectory,
                    grz_mover *mover);

/// Returns whether a ray, `mover`, that comes from `from` and crosses a wall of a chain meets it:
/// by its filter, and from that side.
bool grz_ray_meets(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                   graze_segment wall, uint32_t chain);

/// Finds where a circle or a rect touches a wall on its move, whichever side it comes from and
/// whether its filter lets it meet the wall or not. Does not fill in `touch->approach`.
bool grz_touch_by_shape(const grz_mover *mover, graze_vec2 from, graze_vec2 to, graze_segment wall,
                        grz_touch *touch);

/// Returns whether the mover meets a wall of which some point is in the move's box, and where.
/// `touch->time` is of the move.
bool grz_touch_wall(const grz_move *move, const grz_wall *wall, grz_touch *touch);

/// Finds how a rect, shifted by `aside` at `time` (0 to 1) of its move, would touch a wall on the
/// rest of the move. Fills in the normal.
bool grz_touch_wall_aside(const grz_move *move, graze_segment_id segment, double time,
                          graze_vec2d aside, graze_vec2d *normal);

/// Returns the id of a wall.
static inline graze_segment_id grz_wall_id(const graze_world *world, const grz_wall *wall)
{
    const graze_segment_id id = {{wall->chain, world->terrain.chains[wall->chain].generation},
                                 wall->item};
    return id;
}

/// Begins a search for the walls at a point: among those that are known to be near a mover, if
/// their box holds it, else in the grid.
void grz_wall_search_begin(grz_wall_search *search, const graze_world *world,
                           const grz_known_walls *known, graze_vec2 point);

/// Returns the next wall of the grid that is not beside the box; null: there is none.
const grz_wall *grz_wall_search_grid(grz_wall_search *search, double limit);

/// Returns the next wall, in no particular order, some more than once; null: there is none. It is
/// valid until the next is asked for. `limit` is as in graze_segment_walk_next.
static inline const grz_wall *grz_wall_search_next(grz_wall_search *search, double limit)
{
    if (!search->known_walls) {
        return grz_wall_search_grid(search, limit);
    }
    if (!search->known_left) {
        return NULL;
    }
    const grz_wall *known = &search->known_walls[grz_lowest_bit(search->known_left)];
    search->known_left &= search->known_left - 1;
    return known;
}

/// Begins a walk along the walls of a move from -> to: those that are known to be near the mover,
/// if the move stays within their box, else those of the grid. It refers to `mover`.
void grz_wall_walk_begin(grz_wall_walk *walk, const graze_world *world, const grz_mover *mover,
                         graze_vec2 from, graze_vec2 to);

/// Steps to the next wall touched at `limit` (0 to 1 of the move) or before. Walls come in no
/// particular order, some more than once. `touch->time` is of the move.
static inline bool grz_wall_walk_next(grz_wall_walk *walk, double limit, grz_touch *touch,
                                      graze_segment_id *segment)
{
    const grz_wall *wall;
    while ((wall = grz_wall_search_next(&walk->search, limit)) != NULL) {
        if (grz_touch_wall(&walk->move, wall, touch) && touch->time <= limit) {
            *segment = grz_wall_id(walk->move.world, wall);
            return true;
        }
    }
    return false;
}

/// Returns whether a chain and a body pass through each other: a filter says so.
static inline bool grz_chain_lets_pass(const graze_world *world, uint32_t chain, grz_row row)
{
    return grz_filters_pass(*grz_filter_of(world, world->bodies.rows.index[row]),
                            world->terrain.chains[chain].filter);
}

/// Returns whether a chain stops a mover with this filter that meets it: sensors stop none.
static inline bool grz_chain_stops(const graze_world *world, graze_segment_id segment,
                                   const graze_filter *filter)
{
    const grz_chain *chain = &world->terrain.chains[segment.chain.index];
    return !chain->sensor && !grz_filters_pass(*filter, chain->filter);
}

/// Returns whether a chain stops a body that meets it.
static inline bool grz_chain_stops_body(const graze_world *world, graze_segment_id segment,
                                        grz_row row)
{
    return grz_chain_stops(world, segment, grz_filter_of(world, world->bodies.rows.index[row]));
}

#endif
