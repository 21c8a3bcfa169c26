// The walls on the paths of the rays of a group: crossed ones, those near by, and the points on
// this side of them.

#include "collide/certify.h"
#include "collide/terrain_sweep.h"
#include "fault.h"
#include "step/ray_group.h"
#include "world/bodies.h"
#include "world/rows.h"

#include <string.h>

const grz_ray_loops *grz_ray_loops_for(grz_lane_set lanes)
{
    static const grz_ray_loops *const tables[] = GRZ_WIDE_TABLES(grz_ray_loops);
    return tables[lanes];
}

// Returns the data of a ray that decides which walls it meets. Its filter and id are read only if
// some body has a filter of its own or the game has a callback: else all rays are alike.
static grz_mover mover_of(const graze_world *world, grz_row row)
{
    static const graze_filter plain = {1, UINT32_MAX, 0, 0};
    grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &plain};
    if (world->bodies.filter_count || world->config.filter) {
        ray.filter = grz_filter_of(world, world->bodies.rows.index[row]);
        ray.body = grz_row_id(&world->bodies.rows, row);
    }
    return ray;
}

bool grz_ray_group_meets_all(const grz_ray_group *group)
{
    const graze_world *world = group->world;
    return !world->config.filter && !world->terrain.odd_chain_count && grz_all_meet_default(world);
}

bool grz_ray_group_meets(const grz_ray_group *group, uint32_t ray, graze_segment wall,
                         const graze_segment_name *name)
{
    const graze_world *world = group->world;
    if (grz_ray_group_meets_all(group) ||
        (!world->config.filter && grz_all_meet_default(world) &&
         grz_chain_is_plain(&world->terrain.chains[name->owner]))) {
        return true;
    }
    const grz_mover mover = mover_of(world, group->rays.rows[ray]);
    return grz_ray_meets(world, &mover, group->from[ray], wall, name->owner);
}

// If a ray's walls do not fit, they are searched again when needed.
static void forgo_near_walls(grz_ray_group *group, const graze_segment_finds *finds)
{
    for (uint32_t i = 0; i < finds->count; ++i) {
        uint8_t *searched = &group->searched[finds->move[i]];
        *searched = *searched > GRAZE_SEGMENT_SEARCH_MOVE ? *searched : GRAZE_SEGMENT_SEARCH_MOVE;
    }
}

static void keep_near_walls(grz_ray_group *group, const graze_segment_finds *finds)
{
    if (group->near_count == GRZ_NEAR_LISTS) {
        forgo_near_walls(group, finds);
        return;
    }
    graze_segment_finds *near = &group->near[group->near_count++];
    near->count = finds->count;
    memcpy(near->move, finds->move, finds->count * sizeof *near->move);
    memcpy(near->ax, finds->ax, finds->count * sizeof *near->ax);
    memcpy(near->ay, finds->ay, finds->count * sizeof *near->ay);
    memcpy(near->bx, finds->bx, finds->count * sizeof *near->bx);
    memcpy(near->by, finds->by, finds->count * sizeof *near->by);
    memcpy(near->names, finds->names, finds->count * sizeof *near->names);
}

static void keep_crossings(grz_ray_group *group, const graze_segment_finds *finds)
{
    grz_crossings crossings;
    const bool meets_all = grz_ray_group_meets_all(group);
    const uint32_t count = group->loops->sift(finds, group->from, group->to, &crossings);
    grz_prefetch_names(finds, crossings.places, count,
                       meets_all ? NULL : group->world->terrain.chains);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        if (meets_all || grz_ray_group_meets(group, finds->move[place],
                                             grz_found_wall(finds, place), finds->names[place])) {
            grz_wall_hits_keep(&group->walls, finds, place, crossings.times[place]);
        }
    }
}

static void keep_finds(void *context, const graze_segment_finds *finds)
{
    keep_near_walls(context, finds);
    keep_crossings(context, finds);
}

void grz_ray_group_find_walls(grz_ray_group *group)
{
    group->walls.count = 0;
    group->walls.tie_count = 0;
    group->near_count = 0;
    for (uint32_t i = 0; i < group->rays.count; ++i) {
        group->walls.time[i] = 2;
    }
    const graze_segment_search worst =
        graze_segment_grid_find(&group->world->terrain.grid, group->from, group->to,
                                group->rays.count, group->searched, keep_finds, group);
    grz_wall_hits_resolve_ties(&group->walls);
    grz_prefetch_chains(&group->walls, group->world->terrain.chains);
    group->has_unsearched = worst == GRAZE_SEGMENT_SEARCH_NONE;
}

// --- The points where rays end ---

// Half of all rounded points lie beyond the wall. The points of all rays are tested together,
// against the walls found: those near the box around a ray's move, which holds the move to its
// point. Points beyond a wall are moved back and tested again, until none is left.

enum { AT_REST = 0 }; ///< As a round: the ray's point is final.

/// The points being tested, round by round: there are some thirty rounds at most, as each leaves
/// out twice as much.
typedef struct trial {
    grz_ray_group *group;
    grz_ray_ends *ends;
    uint8_t round;
    uint8_t round_of[GRZ_RAYS_AT_ONCE]; ///< The round that tests a ray's point next, or AT_REST.
    double left_out[GRZ_RAYS_AT_ONCE];  ///< By ray: see grz_next_point.
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
    attempt->left_out[ray] = GRZ_MIN_LEFT_OUT;
    attempt->round_of[ray] = attempt->round;
    if (!has_near_walls(group, ray, ends->point[ray])) {
        const grz_mover mover = grz_mover_of(group->world, group->rays.rows[ray]);
        ends->point[ray] = grz_certified_point(group->world, &mover, from, to, ends->share[ray]);
        attempt->round_of[ray] = AT_REST;
    }
}

static void begin(trial *attempt, grz_ray_group *group, grz_ray_ends *ends)
{
    attempt->group = group;
    attempt->ends = ends;
    attempt->round = AT_REST + 1;
    memset(attempt->round_of, AT_REST, group->rays.count);
    for (uint32_t k = 0; k < ends->count; ++k) {
        begin_end(attempt, ends->rays[k]);
    }
}

static void move_wall(graze_segment_finds *near, uint32_t from, uint32_t to)
{
    near->move[to] = near->move[from];
    near->ax[to] = near->ax[from];
    near->ay[to] = near->ay[from];
    near->bx[to] = near->bx[from];
    near->by[to] = near->by[from];
    near->names[to] = near->names[from];
}

// Keeps only the walls of rays that are tested in this round: few.
static void keep_walls(const trial *attempt, graze_segment_finds *near)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < near->count; ++i) {
        if (attempt->round_of[near->move[i]] >= attempt->round) {
            move_wall(near, i, count++);
        }
    }
    near->count = count;
}

static bool is_kept_off(const grz_ray_group *group, const graze_segment_finds *near, uint32_t place)
{
    GRZ_FAULT(certified_rays, return false);
    const graze_segment wall = grz_found_wall(near, place);
    const graze_segment_name *name = near->names[place];
    const uint32_t ray = near->move[place];
    return (grz_ray_group_meets_all(group) && !grz_ray_group_may_pass(group)) ||
           (!group->world->terrain.chains[name->owner].sensor &&
            !grz_chain_lets_pass(group->world, name->owner, group->rays.rows[ray]) &&
            grz_ray_group_meets(group, ray, wall, name));
}

// Moves a ray's point back, once a round.
static void draw_back(trial *attempt, uint32_t ray)
{
    const grz_ray_group *group = attempt->group;
    grz_ray_ends *ends = attempt->ends;
    ends->point[ray] = grz_next_point(group->from[ray], group->to[ray], ends->share[ray],
                                      ends->point[ray], &attempt->left_out[ray]);
    attempt->round_of[ray] = (uint8_t)(attempt->round + 1);
}

// Moves points back that lie beyond the walls of a list. Returns whether there are any: their rays
// are tested again. Those that have been moved back in this round are tested again anyway.
static bool test_walls(trial *attempt, graze_segment_finds *near)
{
    const grz_ray_group *group = attempt->group;
    grz_crossings crossed;
    bool any = false;
    keep_walls(attempt, near);
    const uint32_t count = group->loops->sift(near, group->from, attempt->ends->point, &crossed);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t place = crossed.places[k], ray = near->move[place];
        if (attempt->round_of[ray] == attempt->round && is_kept_off(group, near, place)) {
            draw_back(attempt, ray);
            any = true;
        }
    }
    return any;
}

// HOT. bench: engine/step/bullets-terrain/100k
//
// Data    32 bytes of each near wall; if its ray is tested, also the ray's move.
// Branch  Per ray only if its point is beyond a wall.
void grz_ray_group_find_ends(grz_ray_group *group, grz_ray_ends *ends)
{
    trial attempt;
    begin(&attempt, group, ends);
    for (bool any = true; any; ++attempt.round) {
        any = false;
        for (uint32_t k = 0; k < group->near_count; ++k) {
            any |= test_walls(&attempt, &group->near[k]);
        }
    }
}
