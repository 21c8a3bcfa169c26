// Queries: the places near a box, a move or a ray, or near many rays.

#include "grid_moves.h"

#include "bounds.h"
#include "fault.h"
#include "min_max.h"
#include "prefetch.h"
#include "vec2d.h"

// A query of one box, move or ray has one stage for each class; within it the cursor's row, part
// and next are the position in the window, as in grid_pairs.c.

// A cursor on this stage is past all classes.
static const uint32_t stream_is_done = UINT32_MAX;

// Boxes are clipped to the bounds of all boxes, outside of which nothing overlaps them. These are
// finite: a box with infinite sides would find removed boxes.
graze_grid_cursor graze_grid_begin_box(const graze_grid *grid, graze_aabb box)
{
    graze_grid_cursor cursor = {0};
    cursor.box = clip_box(box, grid->bounds);
    return cursor;
}

void graze_grid_set_kinds(graze_grid_cursor *cursor, const uint32_t kinds[GRAZE_GRID_KIND_WORDS])
{
    cursor->kinds = kinds;
}

/// Scans a class for what the cursor's box, move or ray meets, as grz_scan_window() does.
typedef bool scan_fn(const graze_grid *grid, const grz_grid_class *size_class,
                     graze_grid_cursor *cursor, grz_grid_sink *sink);

static bool scan_box(const graze_grid *grid, const grz_grid_class *size_class,
                     graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    return grz_scan_window(grid, size_class, cursor->box, cursor, sink);
}

// Drops, of the finds from `first` on, those of other kinds.
static void drop_unmet(const graze_grid *grid, const uint32_t *kinds, uint32_t first,
                       grz_grid_sink *sink)
{
    GRZ_FAULT(kinds_of_queries, first = sink->count);
    uint32_t kept = first;
    for (uint32_t i = first; i < sink->count; ++i) {
        const uint32_t place = sink->pairs ? sink->pairs[i].b : sink->places[i];
        if (sink->pairs) {
            sink->pairs[kept] = sink->pairs[i];
        } else {
            sink->places[kept] = place;
        }
        kept += grz_set_has_kind(kinds, grid->kinds[place]);
    }
    sink->count = kept;
}

// Finds those places of the class that are of the cursor's kinds.
static bool scan_kinds(const graze_grid *grid, const grz_grid_class *size_class, scan_fn *scan,
                       graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_kind_set *own = &grid->lists.kinds[size_class->list];
    const grz_kinds_meet meeting =
        cursor->kinds ? grz_grid_compare_kinds(cursor->kinds, own) : GRZ_KINDS_MEET;
    if (meeting == GRZ_KINDS_APART) {
        return true;
    }
    bool done = false;
    while (!done && sink->count < sink->capacity) {
        const uint32_t first = sink->count;
        done = scan(grid, size_class, cursor, sink);
        if (meeting == GRZ_KINDS_MIXED && grid->lists.mixed) {
            drop_unmet(grid, cursor->kinds, first, sink);
        }
    }
    return done;
}

static uint32_t next_places(const graze_grid *grid, graze_grid_cursor *cursor, scan_fn *scan,
                            uint32_t *places, uint32_t capacity)
{
    grz_grid_sink sink = {NULL, places, 0, 0, capacity, 0};
    while (cursor->stage < grid->class_count &&
           scan_kinds(grid, &grid->classes[cursor->stage], scan, cursor, &sink)) {
        ++cursor->stage;
    }
    cursor->tested += sink.tested;
    return sink.count;
}

uint32_t graze_grid_next_box(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity)
{
    return next_places(grid, cursor, scan_box, places, capacity);
}

graze_grid_cursor graze_grid_begin_move(graze_aabb box, graze_vec2 from, graze_vec2 to)
{
    graze_grid_cursor cursor = {0};
    cursor.box = box;
    cursor.from = from;
    cursor.to = to;
    return cursor;
}

// Drops, of the finds from `first` on, those that the path passes.
static void drop_passed(const graze_grid *grid, const grz_grid_class *size_class,
                        const grz_grid_path *path, uint32_t first, grz_grid_sink *sink)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < sink->count; ++i) {
        sink->places[kept] = sink->places[i];
        kept += !grz_passes(grid, path, size_class, sink->places[i]);
    }
    sink->count = kept;
}

static bool scan_move(const graze_grid *grid, const grz_grid_class *size_class,
                      graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_grid_path path = grz_make_path(cursor->box, cursor->from, cursor->to);
    const graze_aabb box = clip_box(cursor->box, grid->bounds);
    if (grz_is_long_to_class(&path, size_class)) {
        return grz_scan_path(grid, size_class, &path, box, cursor, sink);
    }
    const uint32_t first = sink->count;
    const bool done = grz_scan_window(grid, size_class, box, cursor, sink);
    drop_passed(grid, size_class, &path, first, sink);
    return done;
}

uint32_t graze_grid_next_move(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                              uint32_t capacity)
{
    return next_places(grid, cursor, scan_move, places, capacity);
}

// As much as a query of a few cells reads: to prefetch more would push other data out of the cache.
enum { ROWS_TO_PREFETCH = 4, PLACES_TO_PREFETCH = 64 };

static void prefetch_places(const grz_grid_boxes *boxes, grz_grid_range range)
{
    const uint32_t count = range.last - range.first;
    const uint32_t end = range.first + (count < PLACES_TO_PREFETCH ? count : PLACES_TO_PREFETCH);
    for (uint32_t place = range.first; place < end; place += 16) {
        GRZ_PREFETCH(&boxes->min_x[place]);
        GRZ_PREFETCH(&boxes->min_y[place]);
        GRZ_PREFETCH(&boxes->max_x[place]);
        GRZ_PREFETCH(&boxes->max_y[place]);
    }
}

// The first of the cells from `index` on, or the boxes in them.
static void prefetch_row(const graze_grid *grid, const grz_grid_class *size_class, uint32_t index,
                         uint32_t width, bool boxes)
{
    grz_grid_range ranges[2];
    if (boxes) {
        (void)grz_split_cells(grid, size_class, index, width, ranges);
        prefetch_places(&grid->boxes, ranges[0]);
    } else {
        GRZ_PREFETCH(&grid->starts[size_class->first_cell + (index & (size_class->cells - 1))]);
    }
}

static void prefetch_window(const graze_grid *grid, graze_aabb box, bool boxes)
{
    const graze_aabb clipped = clip_box(box, grid->bounds);
    for (uint32_t k = 0; k < grid->class_count; ++k) {
        const grz_grid_class *size_class = &grid->classes[k];
        const grz_cell_runs runs = grz_find_window(size_class, clipped);
        for (uint32_t row = 0; row < runs.count && row < ROWS_TO_PREFETCH; ++row) {
            prefetch_row(grid, size_class, runs.index + row * size_class->stride, runs.width,
                         boxes);
        }
    }
}

void graze_grid_prefetch_cells(const graze_grid *grid, graze_aabb box)
{
    prefetch_window(grid, box, false);
}

void graze_grid_prefetch_boxes(const graze_grid *grid, graze_aabb box)
{
    prefetch_window(grid, box, true);
}

graze_grid_cursor graze_grid_begin_ray(const graze_grid *grid, graze_vec2 from, graze_vec2 to)
{
    const graze_aabb box = {{min_float(from.x, to.x), min_float(from.y, to.y)},
                            {max_float(from.x, to.x), max_float(from.y, to.y)}};
    graze_grid_cursor cursor = {0};
    cursor.from = from;
    cursor.to = to;
    cursor.box = clip_box(box, grid->bounds);
    if (!is_finite(from) || !is_finite(to)) {
        cursor.stage = stream_is_done;
    }
    return cursor;
}

static bool scan_ray(const graze_grid *grid, const grz_grid_class *size_class,
                     graze_grid_cursor *cursor, grz_grid_sink *sink)
{
    const grz_grid_path path = {.from = cursor->from, .to = cursor->to};
    return grz_scan_path(grid, size_class, &path, cursor->box, cursor, sink);
}

uint32_t graze_grid_next_ray(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity)
{
    return next_places(grid, cursor, scan_ray, places, capacity);
}

// --- Many rays at once ---

// Rays are processed in groups, each class by class: rays with small windows together, by one loop
// in lanes, the others row by row, as single ones.

enum { RAYS_AT_ONCE = 64, RAYS_ROOM = RAYS_AT_ONCE + GRZ_GRID_PADDING, FINDS_AT_ONCE = 512 };

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

static void hand_over(ray_group *group)
{
    if (group->kinds && group->grid->lists.mixed) {
        drop_unmet(group->grid, group->kinds, 0, &group->finds);
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
    graze_grid_cursor cursor =
        graze_grid_begin_ray(group->grid, group->from[which], group->to[which]);
    group->finds.item = ray;
    while (!scan_ray(group->grid, size_class, &cursor, &group->finds)) {
        hand_over(group);
    }
}

static void scan_rays(ray_group *group, const grz_grid_class *size_class)
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
            scan_rays(&group, &grid->classes[i]);
        }
        if (group.finds.count) {
            hand_over(&group);
        }
    }
}
