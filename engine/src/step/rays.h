/// @file rays.h
/// Many rays against terrain at a time.
#ifndef GRZ_RAYS_H
#define GRZ_RAYS_H

#include <graze/shape.h>

#include "prefetch.h"
#include "vec2d.h"
#include "world/world_state.h"

enum { GRZ_CROSSINGS = GRAZE_SEGMENT_FINDS + GRZ_LANES_MAX };

/// Finds that are crossed by their moves.
typedef struct grz_crossings {
    uint32_t places[GRZ_CROSSINGS]; ///< Among the finds.
    double times[GRZ_CROSSINGS];    ///< By place, of those crossed: 0 to 1 of the move.
} grz_crossings;

enum { GRZ_RAYS_AT_ONCE = 256, GRZ_RAYS_ROOM = GRZ_RAYS_AT_ONCE + GRZ_LANES_MAX };

enum { GRZ_WALL_TIES = 64 };

/// A crossing at the same time as the first one of its ray.
typedef struct grz_wall_tie {
    uint32_t ray;
    graze_vec2 a, b;
    double time;
    const graze_segment_name *name;
} grz_wall_tie;

/// Walls that rays cross, at most one a ray: by time, then chain, then item.
typedef struct grz_wall_hits {
    uint32_t count;
    uint32_t rays[GRZ_RAYS_ROOM];      ///< Rays that have one.
    double time[GRZ_RAYS_AT_ONCE + 1]; ///< By ray, like all below; one to spare. Above 1: none.
    graze_vec2 a[GRZ_RAYS_AT_ONCE + 1], b[GRZ_RAYS_AT_ONCE + 1]; ///< The wall.
    const graze_segment_name *names[GRZ_RAYS_AT_ONCE + 1];       ///< Owned by chains.
    uint32_t tie_count;
    grz_wall_tie ties[GRZ_WALL_TIES];
} grz_wall_hits;

/// Returns the rank of a wall among those that a ray crosses at one time: by chain, then item.
static inline uint64_t grz_wall_rank(const graze_segment_name *name)
{
    return (uint64_t)name->owner << 32 | name->item;
}

/// Of crossings at one time makes the first by chain and item the ray's first.
static inline void grz_wall_hits_resolve_ties(grz_wall_hits *walls)
{
    for (uint32_t k = 0; k < walls->tie_count; ++k) {
        const grz_wall_tie *tie = &walls->ties[k];
        const uint32_t ray = tie->ray;
        if (tie->time == walls->time[ray] &&
            grz_wall_rank(tie->name) < grz_wall_rank(walls->names[ray])) {
            walls->a[ray] = tie->a;
            walls->b[ray] = tie->b;
            walls->names[ray] = tie->name;
        }
    }
    walls->tie_count = 0;
}

/// Keeps a crossing if it is the first of its ray: by time alone, until grz_wall_hits_resolve_ties,
/// so that no name has to be read. That cannot be predicted: others are stored in the spare place,
/// without a branch. Ties are few: usually the same wall, from another cell.
static inline void grz_wall_hits_keep(grz_wall_hits *walls, const graze_segment_finds *finds,
                                      uint32_t place, double time)
{
    const uint32_t ray = finds->move[place];
    const double least = walls->time[ray];
    const uint32_t is_first = time < least;
    const uint32_t to = GRZ_RAYS_AT_ONCE - ((GRZ_RAYS_AT_ONCE - ray) & (0 - is_first));
    const graze_vec2 a = {finds->ax[place], finds->ay[place]};
    const graze_vec2 b = {finds->bx[place], finds->by[place]};
    walls->rays[walls->count] = ray;
    walls->count += least > 1;
    walls->time[to] = time;
    walls->names[to] = finds->names[place];
    walls->a[to] = a;
    walls->b[to] = b;
    if (time == least) {
        const grz_wall_tie tie = {ray, a, b, time, finds->names[place]};
        walls->ties[walls->tie_count++] = tie;
        if (walls->tie_count == GRZ_WALL_TIES) {
            grz_wall_hits_resolve_ties(walls);
        }
    }
}

/// Prefetches the names of the finds at these places, then their chains, if given.
static inline void grz_prefetch_names(const graze_segment_finds *finds, const uint32_t *places,
                                      uint32_t count, const grz_chain *chains)
{
    for (uint32_t i = 0; i < count; ++i) {
        GRZ_PREFETCH(finds->names[places[i]]);
    }
    for (uint32_t i = 0; i < count && chains; ++i) {
        GRZ_PREFETCH(&chains[finds->names[places[i]]->owner]);
    }
}

/// Prefetches the chains of walls that are met.
static inline void grz_prefetch_chains(const grz_wall_hits *walls, const grz_chain *chains)
{
    for (uint32_t k = 0; k < walls->count; ++k) {
        GRZ_PREFETCH(&chains[walls->names[walls->rays[k]]->owner]);
    }
}

/// Returns the wall of a find.
static inline graze_segment grz_found_wall(const graze_segment_finds *finds, uint32_t place)
{
    const graze_segment wall = {{finds->ax[place], finds->ay[place]},
                                {finds->bx[place], finds->by[place]}};
    return wall;
}

/// Points and normals, by place in `rays`: rounded, normals facing the ray.
typedef struct grz_wall_points {
    graze_vec2 point[GRZ_RAYS_ROOM], normal[GRZ_RAYS_ROOM];
} grz_wall_points;

/// Some dynamic rays.
typedef struct grz_ray_list {
    uint32_t count, linked_count;
    uint32_t rows[GRZ_RAYS_ROOM];
    uint32_t linked[GRZ_RAYS_ROOM]; ///< Places in `rows` of those that have links.
} grz_ray_list;

/// The loops in lanes: see lanes.h.
typedef struct grz_ray_loops {
    /// Lists the dynamic rays of the rows from `row` up to `end`, at most GRZ_RAYS_AT_ONCE: all, or
    /// only those that have links. Null: none has. Returns the row to continue with. Lanes read
    /// some rows past the last.
    uint32_t (*list)(const uint32_t *traits, const uint32_t *links, grz_row row, uint32_t end,
                     bool all, grz_ray_list *list);
    /// Returns whether both ends of every ray are finite.
    bool (*are_finite)(const graze_ray *rays, uint32_t count);
    /// Fills in where the rays begin and end: at origin + delta, rounded.
    void (*load)(const graze_ray *rays, uint32_t count, graze_vec2 *from, graze_vec2 *to);
    /// Fills in which finds are crossed by their moves from[move] -> to[move], and when, with the
    /// bits of graze_sweep_point_segment. Returns how many.
    uint32_t (*sift)(const graze_segment_finds *finds, const graze_vec2 *from, const graze_vec2 *to,
                     grz_crossings *crossings);
    /// Fills in where the rays hit, likewise. May overwrite `hits` only past the last of its list
    /// of rays.
    void (*locate)(grz_wall_hits *hits, const graze_vec2 *from, const graze_vec2 *to,
                   grz_wall_points *points);
} grz_ray_loops;

GRZ_DECLARE_WIDE(grz_ray_loops, grz_ray_loops);

/// Returns the loops for a set of lanes.
const grz_ray_loops *grz_ray_loops_for(grz_lane_set lanes);

// --- Free rays that Respond processes as a group: ray_group.c ---

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
