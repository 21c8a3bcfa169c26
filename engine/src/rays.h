/// @file rays.h
/// Many rays against terrain at a time.
#ifndef GRZ_RAYS_H
#define GRZ_RAYS_H

#include <graze/query.h>

#include "message.h"
#include "state.h"

enum {
    GRZ_CROSSINGS = GRAZE_SEGMENT_FINDS + 16 ///< The last lanes may overshoot.
};

/// Which of some finds are crossed by their moves.
typedef struct grz_crossings {
    uint32_t places[GRZ_CROSSINGS]; ///< Among the finds.
    double times[GRZ_CROSSINGS];    ///< By place: of those that are crossed, 0 to 1 of the move.
} grz_crossings;

enum { GRZ_RAYS_AT_ONCE = 256 };

/// Walls that rays cross, at most one a ray.
typedef struct grz_wall_hits {
    uint32_t count;
    uint32_t rays[GRZ_RAYS_AT_ONCE + 16]; ///< Which rays have one; room for lanes that overshoot.
    double time[GRZ_RAYS_AT_ONCE + 1];    ///< By ray, like all below; one to spare. Above 1: none.
    graze_vec2 a[GRZ_RAYS_AT_ONCE + 1], b[GRZ_RAYS_AT_ONCE + 1]; ///< The wall.
    uint64_t id[GRZ_RAYS_AT_ONCE + 1];                           ///< Chain << 32 | item.
} grz_wall_hits;

/// Keeps a crossing if it is the first of its ray: by time, then chain, then item. Which it is
/// cannot be guessed: what is not kept goes to the spare place, without a branch.
static inline void grz_wall_hits_keep(grz_wall_hits *walls, const graze_segment_finds *finds,
                                      uint32_t place, double time)
{
    const uint32_t ray = finds->move[place];
    const uint64_t id = (uint64_t)finds->owner[place] << 32 | finds->item[place];
    const double least = walls->time[ray];
    const uint32_t is_first =
        (uint32_t)(time < least) | ((uint32_t)(time == least) & (uint32_t)(id < walls->id[ray]));
    const uint32_t to = GRZ_RAYS_AT_ONCE - ((GRZ_RAYS_AT_ONCE - ray) & (0 - is_first));
    walls->rays[walls->count] = ray;
    walls->count += least > 1;
    walls->time[to] = time;
    walls->id[to] = id;
    walls->a[to].x = finds->ax[place];
    walls->a[to].y = finds->ay[place];
    walls->b[to].x = finds->bx[place];
    walls->b[to].y = finds->by[place];
}

/// Where and how, by place in `rays`: rounded, the normal facing the ray.
typedef struct grz_wall_points {
    graze_vec2 point[GRZ_RAYS_AT_ONCE + 16], normal[GRZ_RAYS_AT_ONCE + 16];
} grz_wall_points;

enum { GRZ_NEAR_WALLS = 1024 };

/// Walls that rays may come to on their ways, or beside them by a rounding.
typedef struct grz_near_walls {
    uint32_t count;
    uint32_t ray[GRZ_NEAR_WALLS], chain[GRZ_NEAR_WALLS];
    graze_vec2 a[GRZ_NEAR_WALLS], b[GRZ_NEAR_WALLS];
} grz_near_walls;

/// Some of the near walls. Lanes that overshoot need room.
typedef struct grz_near_places {
    uint32_t count;
    uint32_t places[GRZ_NEAR_WALLS + 16];
} grz_near_places;

/// Rays that end on their ways; all but the list is by ray.
typedef struct grz_ray_ends {
    uint32_t count;
    uint32_t rays[GRZ_RAYS_AT_ONCE];
    double share[GRZ_RAYS_AT_ONCE];    ///< 0 to 1 of the way.
    double left_out[GRZ_RAYS_AT_ONCE]; ///< As grz_next_point has it.
    graze_vec2 point[GRZ_RAYS_AT_ONCE];
} grz_ray_ends;

/// Some free rays.
typedef struct grz_ray_list {
    uint32_t count, linked_count;
    uint32_t rows[GRZ_RAYS_AT_ONCE + 16];   ///< Room for lanes that overshoot, like below.
    uint32_t linked[GRZ_RAYS_AT_ONCE + 16]; ///< Places in `rows` of those that have links.
} grz_ray_list;

/// What the loops in lanes do: see lanes.h.
typedef struct grz_ray_loops {
    /// Lists the free rays of the rows from `row` up to `end`, at most GRZ_RAYS_AT_ONCE: all, or
    /// only those that have links. Null: none has. Returns the row to go on with. Lanes that
    /// overshoot read some rows behind the last.
    uint32_t (*list)(const uint32_t *traits, const uint32_t *links, uint32_t row, uint32_t end,
                     bool all, grz_ray_list *list);
    /// Returns whether both ends of every ray are finite.
    bool (*are_finite)(const graze_ray *rays, uint32_t count);
    /// Fills in where the rays begin and end: at origin + delta, rounded.
    void (*load)(const graze_ray *rays, uint32_t count, graze_vec2 *from, graze_vec2 *to);
    /// Fills in which finds are crossed by their moves from[move] -> to[move], and when: as
    /// graze_sweep_point_segment has it, bit for bit. Returns how many there are.
    uint32_t (*sift)(const graze_segment_finds *finds, const graze_vec2 *from, const graze_vec2 *to,
                     grz_crossings *crossings);
    /// Fills in where the rays hit, likewise. `hits` is the caller's but for what its list of rays
    /// has behind the last.
    void (*locate)(grz_wall_hits *hits, const graze_vec2 *from, const graze_vec2 *to,
                   grz_wall_points *points);
    /// Lists those of `walls` that are crossed by the moves from[ray] -> to[ray], as graze_crosses
    /// has it. What `walls` has behind the last of them is lost.
    void (*cross)(const grz_near_walls *near, grz_near_places *walls, const graze_vec2 *from,
                  const graze_vec2 *to, grz_near_places *crossed);
    /// Moves the points of these rays back to the next ones, as grz_next_point has it, bit for bit.
    void (*draw_back)(grz_ray_ends *ends, const uint32_t *rays, uint32_t count,
                      const graze_vec2 *from, const graze_vec2 *to);
} grz_ray_loops;

GRZ_DECLARE_WIDE(grz_ray_loops, grz_ray_loops);

/// Returns the loops for a set of lanes.
const grz_ray_loops *grz_ray_loops_for(grz_lane_set lanes);

#endif
