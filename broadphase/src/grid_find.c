// Finding: the places near many rays at once. One query at a time is in grid_query.c.

#include "grid_moves.h"

#include "min_max.h"

// Rays are processed in groups, each class by class: rays with small windows together, by one loop
// in lanes, the others row by row, as in grid_query.c.

enum {
    RAYS_AT_ONCE = 64,
    RAYS_ROOM = RAYS_AT_ONCE + GRZ_GRID_PADDING,
    FINDS_AT_ONCE = 512,
    PLACES_AT_ONCE = 64
};

/// The bounding boxes of some rays, and where their finds go.
typedef struct ray_group {
    const graze_grid *grid;
    const graze_vec2 *from, *to;
    uint32_t first; ///< Of all rays, the first in the group.
    uint32_t count;
    const uint32_t *kinds; ///< Those to find; null: all.
    graze_grid_pair_sink *sink;
    void *context;
    grz_grid_sink finds;
    float min_x[RAYS_ROOM], min_y[RAYS_ROOM], max_x[RAYS_ROOM], max_y[RAYS_ROOM];
    graze_pair pairs[FINDS_AT_ONCE];
} ray_group;

// Clips the boxes of the rays to the bounds of all boxes in the grid. One that lies outside becomes
// inverted, and an inverted box has no cells.
static void measure_rays(ray_group *group)
{
    const graze_aabb bounds = group->grid->bounds;
    const graze_vec2 *from = group->from + group->first, *to = group->to + group->first;
    for (uint32_t i = 0; i < group->count; ++i) {
        group->min_x[i] = max_float(min_float(from[i].x, to[i].x), bounds.lower.x);
        group->min_y[i] = max_float(min_float(from[i].y, to[i].y), bounds.lower.y);
        group->max_x[i] = min_float(max_float(from[i].x, to[i].x), bounds.upper.x);
        group->max_y[i] = min_float(max_float(from[i].y, to[i].y), bounds.upper.y);
    }
    for (uint32_t i = group->count; i < group->count + GRZ_GRID_PADDING; ++i) {
        group->min_x[i] = group->min_y[i] = group->max_x[i] = group->max_y[i] = 0;
    }
}

static void drop_unmet(ray_group *group)
{
    const graze_grid *grid = group->grid;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < group->finds.count; ++i) {
        const graze_pair pair = group->pairs[i];
        group->pairs[kept] = pair;
        kept += grz_set_has_kind(group->kinds, grid->kinds[pair.b]);
    }
    group->finds.count = kept;
}

static void hand_over(ray_group *group)
{
    if (group->kinds && group->grid->lists.mixed) {
        drop_unmet(group);
    }
    for (uint32_t i = 0; i < group->finds.count; ++i) {
        group->pairs[i].a += group->first;
    }
    if (group->finds.count) {
        group->sink(group->context, group->pairs, group->finds.count);
    }
    group->finds.count = 0;
}

static void scan_alone(ray_group *group, const grz_grid_class *size_class, uint32_t ray)
{
    const uint32_t which = group->first + ray;
    uint32_t places[PLACES_AT_ONCE];
    graze_grid_cursor cursor =
        graze_grid_begin_ray(group->grid, group->from[which], group->to[which]);
    for (bool done = false; !done;) {
        grz_grid_sink found = {NULL, places, 0, 0, PLACES_AT_ONCE, 0};
        done = grz_scan_ray(group->grid, size_class, &cursor, &found);
        for (uint32_t i = 0; i < found.count; ++i) {
            const graze_pair pair = {ray, places[i]};
            group->pairs[group->finds.count++] = pair;
        }
        if (group->finds.count > FINDS_AT_ONCE - PLACES_AT_ONCE) {
            hand_over(group);
        }
    }
}

static void scan_class(ray_group *group, const grz_grid_class *size_class)
{
    const graze_grid *grid = group->grid;
    const grz_grid_scanners rays = {{group->min_x, group->min_y, group->max_x, group->max_y},
                                    GRZ_GRID_WINDOW_CELLS};
    uint32_t ray = 0;
    if (group->kinds &&
        grz_grid_compare_kinds(group->kinds, &grid->lists.kinds[size_class->list]) ==
            GRZ_KINDS_APART) {
        return;
    }
    while ((ray = grid->loops->scan_windows(grid, size_class, &rays, ray, group->count,
                                            &group->finds)) < group->count) {
        // The scan stopped because the room is full or at a large window. Once all room is free it
        // can only be the window.
        if (group->finds.count) {
            hand_over(group);
        } else {
            scan_alone(group, size_class, ray++);
        }
    }
}

void graze_grid_find_rays(const graze_grid *grid, const graze_vec2 *from, const graze_vec2 *to,
                          uint32_t count, const uint32_t *kinds, graze_grid_pair_sink *sink,
                          void *context)
{
    ray_group group;
    group.grid = grid;
    group.from = from;
    group.to = to;
    group.kinds = kinds;
    group.sink = sink;
    group.context = context;
    for (group.first = 0; group.first < count; group.first += RAYS_AT_ONCE) {
        const uint32_t left = count - group.first;
        const grz_grid_sink empty = {group.pairs, NULL, 0, 0, FINDS_AT_ONCE, 0};
        group.count = min_u32(left, RAYS_AT_ONCE);
        group.finds = empty;
        measure_rays(&group);
        for (uint32_t i = 0; i < grid->class_count; ++i) {
            scan_class(&group, &grid->classes[i]);
        }
        if (group.finds.count) {
            hand_over(&group);
        }
    }
}
