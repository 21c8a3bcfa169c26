// The walls on the paths of the rays of a group: crossed ones, and those near by.

#include "body/bodies.h"
#include "body/rows.h"
#include "rays/ray_group.h"
#include "terrain/terrain.h"

#include <string.h>

// Returns the data of a ray that decides which walls it meets. Its filter and id are read only if
// some body has a filter of its own or the game has a callback: else all rays are alike.
static grz_mover mover_of(const graze_world *world, uint32_t row)
{
    static const graze_filter plain = {1, UINT32_MAX, 0, 0};
    grz_mover ray = {.kind = GRAZE_SHAPE_RAY, .filter = &plain};
    if (world->filter_count || world->filter) {
        ray.filter = grz_filter_of(world, world->rows.index[row]);
        ray.body = grz_row_id(&world->rows, row);
    }
    return ray;
}

bool grz_ray_group_meets_all(const grz_ray_group *group)
{
    const graze_world *world = group->world;
    return !world->filter && !world->odd_chain_count && grz_all_meet_default(world);
}

bool grz_ray_group_meets(const grz_ray_group *group, uint32_t ray, graze_segment wall,
                         const graze_segment_name *name)
{
    const graze_world *world = group->world;
    if (grz_ray_group_meets_all(group) || (!world->filter && grz_all_meet_default(world) &&
                                           grz_chain_is_plain(&world->chains[name->owner]))) {
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
    grz_prefetch_names(finds, crossings.places, count, meets_all ? NULL : group->world->chains);
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
        graze_segment_grid_find(&group->world->terrain, group->from, group->to, group->rays.count,
                                group->searched, keep_finds, group);
    grz_wall_hits_resolve_ties(&group->walls);
    grz_prefetch_chains(&group->walls, group->world->chains);
    group->has_unsearched = worst == GRAZE_SEGMENT_SEARCH_NONE;
}
