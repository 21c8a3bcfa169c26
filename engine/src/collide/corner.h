/// @file corner.h
/// Corners of a chain, where two of its walls meet, and what normal a mover feels there: it slides
/// over joints as if the chain were smooth (chain.h, Joints).
#ifndef GRZ_CORNER_H
#define GRZ_CORNER_H

#include <graze/segment_grid.h>

#include "list.h"
#include "vec2d.h"
#include "world/terrain_state.h"

/// Returns the place of a point, counted past the last one at most once around: a modulo would take
/// longer than its callers' other work.
static inline uint32_t grz_wrap_place(uint32_t place, uint32_t count)
{
    return place < count ? place : place - count;
}

/// Returns the line through a list of points.
static inline graze_polyline grz_polyline_of(const graze_vec2 *points, bool loop)
{
    const graze_polyline line = {points, (uint32_t)grz_list_count(points), loop};
    return line;
}

/// Returns a wall of a chain.
static inline graze_segment grz_chain_wall(const grz_chain *chain, uint32_t item)
{
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const graze_segment wall = {chain->points[item],
                                chain->points[grz_wrap_place(item + 1, count)]};
    return wall;
}

/// Returns the place of the point at which a wall ends (b), or begins (a).
static inline uint32_t grz_place_of_end(const grz_chain *chain, uint32_t item, bool at_end)
{
    return at_end ? grz_wrap_place(item + 1, (uint32_t)grz_list_count(chain->points)) : item;
}

/// Returns whether a normal leans along the wall by rounding alone: then the wall is touched
/// between its ends, and the normal says from which side. The centre does not say it: it may be
/// beyond a corner over which the mover leans. A wall that is a point has no face. `lean` is
/// dot(normal, wall_along).
static inline bool grz_is_of_face(graze_vec2d wall_along, double lean)
{
    const double rounding = 1e-12;
    return lean * lean < rounding * rounding * dot(wall_along, wall_along);
}

/// Returns whether what is exactly on the line of a wall in this direction counts as on its left,
/// as the fill rule of orient.h says: the same side in every step.
static inline bool grz_line_is_on_left(graze_vec2d wall)
{
    return wall.y < 0 || (wall.y == 0 && wall.x > 0);
}

/// Returns the normal into the face of a wall, given its direction, for a mover on its left (`side`
/// 1) or right (-1).
graze_vec2d grz_normal_into(graze_vec2d wall, double side);

/// Finds the chain's next point in a direction that differs from `corner`. Returns false at a
/// chain's end.
bool grz_chain_neighbour(const grz_chain *chain, uint32_t corner, bool forward,
                         graze_vec2 *neighbour);

/// The end of a wall where another wall continues it.
typedef struct grz_joint {
    graze_vec2d along, other; ///< From a to b: of the wall, and of the other.
    graze_vec2d mover;        ///< Its centre, as seen from the end.
    bool at_end;              ///< The wall's end is b; else a.
    bool one_sided;           ///< Both walls are.
} grz_joint;

/// Finds the joint at an end of a wall of this chain, as seen by a mover whose centre is at
/// `mover`. Returns false at a chain's end.
bool grz_chain_joint(const grz_chain *chain, uint32_t item, graze_vec2d wall_along, bool at_end,
                     graze_vec2 mover, grz_joint *joint);

/// Returns whether a mover that touches the joint itself is left of it.
bool grz_is_left_of_joint(const grz_joint *joint);

/// Returns the normal of a touch of the wall, given as it would be if the wall were alone.
graze_vec2d grz_joint_normal(const grz_joint *joint, graze_vec2d normal);

/// Returns the normal, on the chain as a whole, of a touch of a mover whose centre is at `mover`.
/// `normal` is that of the wall alone; the two differ only at an end that the wall shares.
graze_vec2d grz_smooth_normal(const grz_chain *chain, uint32_t item, graze_segment wall,
                              graze_vec2 mover, graze_vec2d normal);

#endif
