/// @file ray_group.h
/// Free rays that Respond processes as a group: the walls on their paths, and the outcome for each.
#ifndef GRZ_RAY_GROUP_H
#define GRZ_RAY_GROUP_H

#include "step/rays.h"
#include "world/world_state.h"

enum { GRZ_NEAR_WALLS = 4 * GRAZE_SEGMENT_FINDS };

/// A wall that a ray may meet, rounding included.
typedef struct grz_wall_near_ray {
    graze_segment segment;
    const graze_segment_name *name;
    uint32_t before; ///< The place of another one of the same ray; GRZ_NONE: none.
} grz_wall_near_ray;

/// Some dynamic rays, in the order of their rows.
typedef struct grz_ray_group {
    const graze_world *world;
    const grz_ray_loops *loops;
    grz_ray_list rays;
    const graze_vec2 *from, *to; ///< Their moves: of rows side by side, or in `own`.
    graze_vec2 own[2][GRZ_RAYS_AT_ONCE];
    uint8_t searched[GRZ_RAYS_AT_ONCE]; ///< graze_segment_search: what `near` has for a ray.
    bool has_unsearched;                ///< Some are GRAZE_SEGMENT_SEARCH_NONE.
    grz_wall_hits walls;                ///< The first wall that each ray meets.
    uint32_t near_count;
    uint32_t last_near[GRZ_RAYS_AT_ONCE];   ///< By ray: the last of its walls; GRZ_NONE: none.
    grz_wall_near_ray near[GRZ_NEAR_WALLS]; ///< Of all rays.
} grz_ray_group;

/// Finds the first wall that each ray meets, and the walls near it.
void grz_ray_group_find_walls(grz_ray_group *group);

/// The outcomes for rays that touch something. There is room for all rays.
typedef struct grz_ray_outcomes {
    uint32_t spent_count, open_count;
    grz_spent *spent;
    grz_contact *contacts; ///< Spend them.
    uint32_t *open;        ///< Rows of rays whose outcomes are found by events.
} grz_ray_outcomes;

/// Adds the outcomes for the group's rays, in their order. The group's walls are found.
void grz_ray_group_find_outcomes(grz_ray_group *group, grz_ray_outcomes *outcomes);

#endif
