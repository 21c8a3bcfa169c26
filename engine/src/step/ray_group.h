/// @file ray_group.h
/// Free rays that Respond processes as a group: the walls on their paths, and the outcome for each.
#ifndef GRZ_RAY_GROUP_H
#define GRZ_RAY_GROUP_H

#include "step/rays.h"
#include "world/world_state.h"

enum { GRZ_NEAR_LISTS = 4 };

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
    graze_segment_finds near[GRZ_NEAR_LISTS]; ///< Walls that rays may meet, rounding included.
} grz_ray_group;

/// Returns whether chains treat all rays alike, and all chains are plain.
bool grz_ray_group_meets_all(const grz_ray_group *group);

/// Returns whether filters may let some of the rays pass through chains that they meet.
static inline bool grz_ray_group_may_pass(const grz_ray_group *group)
{
    return group->world->bodies.filter_count || group->world->terrain.odd_chain_count;
}

/// Finds the first wall that each ray meets, and the walls near it.
void grz_ray_group_find_walls(grz_ray_group *group);

/// Returns whether a ray that crosses a wall meets it: by its chain's filter, and from its side.
/// The name is not read if neither matters.
bool grz_ray_group_meets(const grz_ray_group *group, uint32_t ray, graze_segment wall,
                         const graze_segment_name *name);

/// Finds the ends of rays that stop at a fraction of their moves: points that no solid wall
/// separates from the ray's start, as for grz_certified_point. The group's walls are found; those
/// near by are used up.
void grz_ray_group_find_ends(grz_ray_group *group, grz_ray_ends *ends);

/// The outcomes for rays that touch something. There is room for all rays.
typedef struct grz_ray_outcomes {
    uint32_t spent_count, hit_count, open_count;
    grz_spent *spent;
    grz_hit *hits;           ///< Spend some of them;
    uint64_t *ranks;         ///< of the hits.
    graze_contact *contacts; ///< Spend the others.
    uint32_t *open;          ///< Rows of rays whose outcomes are found by events.
} grz_ray_outcomes;

/// Adds the outcomes for the group's rays, in their order. The group's walls are found.
void grz_ray_group_find_outcomes(grz_ray_group *group, grz_ray_outcomes *outcomes);

#endif
