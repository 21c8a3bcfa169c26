/// @file obstacle.h
/// What a body meets that does not give way: segments of terrain, and driven bodies.
///
/// Where walls or blocks join, each of them by itself may have a corner in the way of what slides
/// along all of them: a ghost contact. One rule finds those, from the geometry around one body, and
/// needs to know neither neighbours nor the order of ids.
///
/// Behind     What lies on or behind the plane of another contact cannot be reached while that one
///            holds: it is dropped.
/// Sweep      A corner that is left is met only if the body, going where the other contacts let it
///            go, enters its obstacle in this step; then by the side that it enters last.
///
/// Lengths are compared up to a slop: see tolerance.h.
#ifndef GRZ_OBSTACLE_H
#define GRZ_OBSTACLE_H

#include "vec2d.h"
#include "world/solve_state.h"
#include "world/world_state.h"

/// The body that meets them.
typedef struct grz_met_by {
    grz_row row;
    bool is_round, turns;
    graze_vec2d half;
    graze_rotation rotation;
    graze_vec2d corners[GRZ_OBSTACLE_CORNERS]; ///< From its centre; of a rect.
    graze_vec2d reach;                         ///< Along the axes of a rect, from its centre.
    double size;                               ///< The smaller half extent.
    double slop;                               ///< A smaller length is none.
    double play;                               ///< So deep a disc may be in what it rolls up.
    graze_vec2d velocity; ///< At the end of the step if nothing stops it, units per second.
    double spin, dt;
    graze_vec2d way; ///< Where it goes in the step, if nothing stops it.
    double margin;   ///< How far ahead a contact with terrain is a constraint.
} grz_met_by;

/// Returns whether contacts turn a body: what slides or bounces keeps its spin.
static inline bool grz_turns_by_contacts(const graze_world *world, grz_row row)
{
    return world->bodies.cold.data[world->bodies.rows.index[row]].response == GRAZE_RIGID;
}

/// Returns whether a body that others could stop stands where it has stopped (GRAZE_STOP): it holds
/// them as terrain does.
static inline bool grz_stands(const grz_rows *rows, grz_row row)
{
    const uint32_t stops = GRZ_TRAIT_RESPONDS, moves = GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID;
    const graze_vec2 velocity = rows->velocity[row];
    return (rows->traits[row] & (stops | moves)) == stops && velocity.x == 0 && velocity.y == 0;
}

/// Returns the velocity of what drives others: what stands does not begin to fall.
static inline graze_vec2 grz_driving_velocity(const grz_rows *rows, grz_row row)
{
    return grz_stands(rows, row) ? rows->velocity[row] : rows->end_velocity[row];
}

/// Returns the length below which one is none for the body in a row.
double grz_slop_of(const graze_world *world, grz_row row);

/// Fills in how the body in a row meets obstacles.
void grz_met_by_fill(const graze_world *world, grz_row row, grz_met_by *body);

/// Fills in the obstacle that a driven body is.
void grz_obstacle_of_row(const graze_world *world, const grz_met_by *body, grz_row row,
                         grz_obstacle *obstacle);

/// Fills in the obstacle that a wall is.
void grz_obstacle_of_wall(const graze_world *world, const grz_met_by *body, const grz_wall *wall,
                          grz_obstacle *obstacle);

/// Finds the contacts with all obstacles of a body, which are in the order of contacts, and drops
/// those that do not hold it.
void grz_obstacles_rule(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count);

/// Joins contacts in one plane: the first of them gets the two points that are farthest apart, the
/// others are dropped.
void grz_obstacles_merge(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count);

/// Returns how far ahead a contact with this obstacle is a constraint.
double grz_obstacle_margin(const grz_met_by *body, const grz_obstacle *obstacle);

#endif
