/// @file joint.h
/// Where walls end and others begin: corners of a chain, points where several chains end (corners
/// of a map's tiles), and the ends of one-sided walls.
///
/// A mover slides over joints as if the walls were one smooth line (chain.h, Joints).
#ifndef GRZ_JOINT_H
#define GRZ_JOINT_H

#include <graze/segment_grid.h>

#include "collide/terrain_sweep.h"
#include "list.h"
#include "vec2d.h"
#include "world/terrain_state.h"

// --- Corners of a chain ---

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

/// Returns whether one wall begins where another ends.
static inline bool grz_is_continued_by(graze_segment wall, graze_segment other)
{
    return is_same_point(wall.b, other.a) || is_same_point(wall.a, other.b);
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

/// Returns the normal of a touch of the wall, given as it would be if the wall were alone.
graze_vec2d grz_joint_normal(const grz_joint *joint, graze_vec2d normal);

/// As grz_smooth_normal, at an end of the wall.
graze_vec2d grz_smooth_normal_at(const grz_chain *chain, uint32_t item, graze_vec2d wall_along,
                                 bool at_end, graze_vec2 mover, graze_vec2d normal);

/// Returns the normal, on the chain as a whole, of a touch of a mover whose centre is at `mover`.
/// `normal` is that of the wall alone; the two differ only at an end that the wall shares: the one
/// that is farthest towards the mover. Most touch the wall between its ends.
static inline graze_vec2d grz_smooth_normal(const grz_chain *chain, uint32_t item,
                                            graze_segment wall, graze_vec2 mover,
                                            graze_vec2d normal)
{
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const double lean = dot(normal, wall_along);
    return lean == 0 ? normal
                     : grz_smooth_normal_at(chain, item, wall_along, lean < 0, mover, normal);
}

// --- Ends of walls of several chains ---

/// An end of a wall, as seen by a mover beside it.
typedef struct grz_wall_end {
    bool is_hidden; ///< By others: of all walls that end there only two can be met, between which
                    ///< the mover's centre lies.
    bool is_joined; ///< It is one of these two, and the other is another wall:
    grz_joint joint;
} grz_wall_end;

/// Looks at an end of a wall: b, or a. `centre` is the mover's. Only walls count that the mover
/// meets from the same sides: solid ones, of whichever chain.
///
/// Cost       A look at all walls in one cell of the grid.
grz_wall_end grz_look_at_end(const grz_move *move, graze_segment_id segment, bool at_end,
                             graze_vec2d centre);

// --- One-sided walls ---
//
// What comes from the right passes until it has left the wall (chain.h, One
// side).
//
// No state is kept of bodies on their way through. A body whose centre is on the left either comes
// through or lies on the wall: how deep it is in the wall, and what it met in the last step,
// decide.

/// Returns whether a point is left of a wall's a->b. One on its line counts as the fill rule of
/// orient.h says: the same side in this step and in the next.
bool grz_is_on_left(graze_segment wall, graze_vec2 point);

/// Returns whether a body (no ray) that touches a one-sided wall, with its centre on the left,
/// comes through it from the right, and so does not meet it.
bool grz_is_coming_through(const grz_move *move, const grz_wall *wall, const grz_touch *touch);

#endif
