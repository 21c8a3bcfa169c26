#include "rays/ray_group.h"
#include "terrain/certified.h"
#include "terrain/terrain.h"

#include <string.h>

// Half of all rounded points lie beyond the wall. The points of all rays are tested together,
// against the walls found: those near the box around a ray's move, which holds the move to its
// point. Points beyond a wall are moved back and tested again, until none is left.

enum { AT_REST = 0 }; ///< As a round: the ray's point is final.

/// The points being tested, round by round: there are some thirty rounds at most, as each leaves
/// out twice as much.
typedef struct trial {
    const grz_ray_group *group;
    grz_ray_ends *ends;
    uint8_t round;
    uint8_t round_of[GRZ_RAYS_AT_ONCE]; ///< The round that tests a ray's point next, or AT_REST.
} trial;

static bool is_between(float v, float a, float b)
{
    return (v >= a && v <= b) || (v >= b && v <= a);
}

// Whether all walls that may separate the point from the ray's start are known.
static bool has_near_walls(const grz_ray_group *group, uint32_t ray, graze_vec2 point)
{
    const graze_vec2 from = group->from[ray];
    const graze_vec2 to = group->to[ray];
    return group->searched[ray] == GRAZE_SEGMENT_SEARCH_BOX && is_between(point.x, from.x, to.x) &&
           is_between(point.y, from.y, to.y);
}

static void begin_end(trial *attempt, uint32_t ray)
{
    const grz_ray_group *group = attempt->group;
    grz_ray_ends *ends = attempt->ends;
    const graze_vec2 from = group->from[ray];
    const graze_vec2 to = group->to[ray];
    ends->point[ray] = grz_point_at(from, to, ends->share[ray]);
    ends->left_out[ray] = GRZ_MIN_LEFT_OUT;
    attempt->round_of[ray] = attempt->round;
    if (!has_near_walls(group, ray, ends->point[ray])) {
        const grz_mover mover = grz_mover_of(group->world, group->rays.rows[ray]);
        ends->point[ray] = grz_certified_point(group->world, &mover, from, to, ends->share[ray]);
        attempt->round_of[ray] = AT_REST;
    }
}

static void begin(trial *attempt, const grz_ray_group *group, grz_ray_ends *ends)
{
    attempt->group = group;
    attempt->ends = ends;
    attempt->round = AT_REST + 1;
    memset(attempt->round_of, AT_REST, group->rays.count);
    for (uint32_t k = 0; k < ends->count; ++k) {
        begin_end(attempt, ends->rays[k]);
    }
}

static void list_walls(const trial *attempt, grz_near_places *walls)
{
    const grz_near_walls *near = &attempt->group->near;
    uint32_t count = 0;
    for (uint32_t i = 0; i < near->count; ++i) {
        walls->places[count] = i;
        count += attempt->round_of[near->ray[i]] == attempt->round;
    }
    walls->count = count;
}

// Keeps only the walls of rays that are tested again.
static void keep_walls(const trial *attempt, grz_near_places *walls)
{
    const grz_near_walls *near = &attempt->group->near;
    uint32_t count = 0;
    for (uint32_t i = 0; i < walls->count; ++i) {
        const uint32_t place = walls->places[i];
        walls->places[count] = place;
        count += attempt->round_of[near->ray[place]] == attempt->round;
    }
    walls->count = count;
}

static bool is_kept_off(const trial *attempt, uint32_t place)
{
    const grz_ray_group *group = attempt->group;
    const grz_near_walls *near = &group->near;
    const graze_segment wall = {near->a[place], near->b[place]};
    const graze_segment_name *name = near->names[place];
    return (grz_ray_group_meets_all(group) && !grz_ray_group_may_pass(group)) ||
           (!group->world->chains[name->owner].sensor &&
            !grz_chain_lets_pass(group->world, name->owner, group->rays.rows[near->ray[place]]) &&
            grz_ray_group_meets(group, near->ray[place], wall, name));
}

// Lists the rays whose points lie beyond walls that they meet, and returns how many.
static uint32_t list_beyond(trial *attempt, const grz_near_places *crossed,
                            uint32_t rays[GRZ_RAYS_AT_ONCE])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < crossed->count; ++k) {
        const uint32_t ray = attempt->group->near.ray[crossed->places[k]];
        if (attempt->round_of[ray] == attempt->round && is_kept_off(attempt, crossed->places[k])) {
            attempt->round_of[ray] = (uint8_t)(attempt->round + 1);
            rays[count++] = ray;
        }
    }
    return count;
}

// Returns whether any ray is to be tested again.
static bool draw_back(trial *attempt, grz_near_places *walls)
{
    const grz_ray_group *group = attempt->group;
    grz_near_places crossed;
    uint32_t rays[GRZ_RAYS_AT_ONCE];
    group->loops->cross(&group->near, walls, group->from, attempt->ends->point, &crossed);
    const uint32_t count = list_beyond(attempt, &crossed, rays);
    group->loops->draw_back(attempt->ends, rays, count, group->from, group->to);
    ++attempt->round;
    return count > 0;
}

// HOT. bench: engine/step/bullets-terrain/100k
//
// Data    4 bytes of each near wall; if its ray is tested 24 and the ray's move.
// Branch  Per ray only if its point is beyond a wall.
void grz_ray_group_find_ends(const grz_ray_group *group, grz_ray_ends *ends)
{
    trial attempt;
    grz_near_places walls;
    begin(&attempt, group, ends);
    list_walls(&attempt, &walls);
    while (walls.count && draw_back(&attempt, &walls)) {
        keep_walls(&attempt, &walls);
    }
}
