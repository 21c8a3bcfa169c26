#include <graze/orient.h>

#include "bodies.h"
#include "prefetch.h"
#include "ray_group.h"
#include "rows.h"
#include "terrain.h"

// Returns what of a ray decides which walls it meets. Its filter and id are read only where some
// body has a filter of its own or the game has a callback: else all rays are alike.
static grz_mover mover_of(const graze_world *world, uint32_t row)
{
    static const graze_filter plain = {1, UINT32_MAX, 0};
    grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &plain};
    if (world->filter_count || world->filter) {
        ray.filter = grz_filter_of(world, world->rows.index[row]);
        ray.body = grz_row_id(&world->rows, row);
    }
    return ray;
}

static graze_segment wall_of(const graze_segment_finds *finds, uint32_t place)
{
    const graze_segment wall = {{finds->ax[place], finds->ay[place]},
                                {finds->bx[place], finds->by[place]}};
    return wall;
}

// A ray whose walls find no room is searched anew where they are wanted.
static void keep_near_walls(grz_ray_group *group, const graze_segment_finds *finds)
{
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t ray = finds->move[i];
        if (group->near_count == GRZ_NEAR_WALLS) {
            const uint8_t most = group->searched[ray];
            group->searched[ray] = most > GRAZE_SEARCHED_MOVE ? most : GRAZE_SEARCHED_MOVE;
            continue;
        }
        const grz_near_wall near = {wall_of(finds, i), finds->owner[i], group->first_near[ray]};
        group->first_near[ray] = group->near_count;
        group->near[group->near_count++] = near;
    }
}

static void keep_crossings(grz_ray_group *group, const graze_segment_finds *finds)
{
    const graze_world *world = group->world;
    grz_crossings crossings;
    const uint32_t count = group->loops->sift(finds, group->from, group->to, &crossings);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        GRZ_PREFETCH(&world->chains[finds->owner[place]]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = crossings.places[i];
        const uint32_t ray = finds->move[place];
        const grz_mover mover = mover_of(world, group->rows[ray]);
        if (grz_ray_meets(world, &mover, group->from[ray], wall_of(finds, place),
                          finds->owner[place])) {
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
    group->near_count = 0;
    for (uint32_t i = 0; i < group->count; ++i) {
        group->walls.time[i] = 2;
        group->first_near[i] = GRZ_NONE;
        group->searched[i] = GRAZE_SEARCHED_BOX;
    }
    if (group->world->segment_count) {
        graze_segment_grid_find(&group->world->terrain, group->from, group->to, group->count,
                                group->searched, keep_finds, group);
    }
}

static bool crosses_near(const grz_ray_group *group, uint32_t ray, graze_vec2 to)
{
    const graze_world *world = group->world;
    const graze_vec2 from = group->from[ray];
    for (uint32_t i = group->first_near[ray]; i != GRZ_NONE; i = group->near[i].next) {
        const grz_near_wall *near = &group->near[i];
        if (graze_crosses(from, to, near->wall) && !world->chains[near->chain].sensor) {
            const grz_mover mover = mover_of(world, group->rows[ray]);
            if (grz_ray_meets(world, &mover, from, near->wall, near->chain)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_between(float v, float a, float b)
{
    return (v >= a && v <= b) || (v >= b && v <= a);
}

// As grz_certified_point, by the walls at hand: those near the box around the way, which holds the
// way to the point that is looked for.
graze_vec2 grz_ray_group_point(const grz_ray_group *group, uint32_t ray, double share)
{
    const graze_vec2 from = group->from[ray];
    const graze_vec2 to = group->to[ray];
    graze_vec2 point = grz_point_at(from, to, share);
    if (group->searched[ray] != GRAZE_SEARCHED_BOX || !is_between(point.x, from.x, to.x) ||
        !is_between(point.y, from.y, to.y)) {
        const grz_mover mover = mover_of(group->world, group->rows[ray]);
        return grz_certified_point(group->world, &mover, from, to, share);
    }
    double left_out = GRZ_LEAST_LEFT_OUT;
    while (crosses_near(group, ray, point)) {
        point = grz_next_point(from, to, share, point, &left_out);
    }
    return point;
}
