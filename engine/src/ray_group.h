/// @file ray_group.h
/// Some free rays that Respond takes together: the walls on their ways, and what becomes of each.
#ifndef GRZ_RAY_GROUP_H
#define GRZ_RAY_GROUP_H

#include "rays.h"
#include "state.h"

enum { GRZ_NEAR_WALLS = 1024 };

/// A wall that a ray may come to on its way, or beside it by a rounding.
typedef struct grz_near_wall {
    graze_segment wall;
    uint32_t chain;
    uint32_t next; ///< Of the same ray; GRZ_NONE: none.
} grz_near_wall;

/// Some free rays, in the order of their rows.
typedef struct grz_ray_group {
    const graze_world *world;
    const grz_ray_loops *loops;
    uint32_t count;
    uint32_t rows[GRZ_RAYS_AT_ONCE];
    graze_vec2 from[GRZ_RAYS_AT_ONCE], to[GRZ_RAYS_AT_ONCE];
    uint8_t searched[GRZ_RAYS_AT_ONCE]; ///< graze_segment_search: what `near` has of a ray.
    grz_wall_hits walls;                ///< The first wall that each meets.
    uint32_t first_near[GRZ_RAYS_AT_ONCE];
    uint32_t near_count;
    grz_near_wall near[GRZ_NEAR_WALLS];
} grz_ray_group;

/// Finds the first wall that each ray meets, and the walls that are near it.
void grz_ray_group_find_walls(grz_ray_group *group);

/// Returns the end of the ray's way up to `share` of it: a point that no solid wall of the ray's
/// parts from where it comes from, as grz_certified_point has it. The group's walls are found.
graze_vec2 grz_ray_group_point(const grz_ray_group *group, uint32_t ray, double share);

/// Fills in what becomes of the rays that touch something, in their order, and returns how many
/// these are. The group's walls are found.
uint32_t grz_ray_group_find_fates(const grz_ray_group *group, grz_ray_fate *fates);

#endif
