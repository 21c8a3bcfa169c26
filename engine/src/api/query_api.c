#include "api/query_api.h"

#include <graze/overlap.h>
#include <graze/query.h>

#include "collide/box.h"
#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "fault.h"
#include "fp_environment.h"
#include "root.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/message.h"
#include "world/rows.h"
#include "world/value_check.h"

enum { PLACES_AT_ONCE = 64 };

// The grid has the boxes of the last step, which held each body's whole motion and so its end.
// Bodies created or teleported since are unsorted.

static void visit_body(const grz_visitor *visitor, grz_index index)
{
    const grz_row row = visitor->world->bodies.row_of_index.data[index];
    if (row < GRZ_NONE &&
        grz_filters_meet(visitor->filter, *grz_filter_of(visitor->world, index))) {
        visitor->visit(visitor->context, row);
    }
}

// Bodies of the world's grid. One that is unsorted comes as such.
static void visit_places(const grz_visitor *visitor, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const grz_index index = grz_index_of_place(visitor->world, places[i]);
        if (!grz_index_set_has(&visitor->world->bodies.unsorted, index)) {
            visit_body(visitor, index);
        }
    }
}

// Likewise of the grid of bodies at rest.
static void visit_still(const grz_visitor *visitor, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        visit_body(visitor, grz_sleep_index_of_place(visitor->world, places[i]));
    }
}

/// Where a query looks: in a box, or along a ray.
typedef struct region {
    bool is_ray;
    graze_aabb box;
    graze_vec2 from, to;
} region;

typedef void visit_places_fn(const grz_visitor *visitor, const uint32_t *places, uint32_t count);

static void visit_grid(const grz_visitor *visitor, const graze_grid *grid, const region *where,
                       const uint32_t *kinds, visit_places_fn *visit)
{
    uint32_t places[PLACES_AT_ONCE], count;
    graze_grid_cursor cursor = where->is_ray ? graze_grid_begin_ray(grid, where->from, where->to)
                                             : graze_grid_begin_box(grid, where->box);
    graze_grid_set_kinds(&cursor, kinds);
    while ((count = where->is_ray ? graze_grid_next_ray(grid, &cursor, places, PLACES_AT_ONCE)
                                  : graze_grid_next_box(grid, &cursor, places, PLACES_AT_ONCE))) {
        visit(visitor, places, count);
    }
}

static void visit_region(const grz_visitor *visitor, const region *where)
{
    const graze_world *world = visitor->world;
    const grz_index_set *unsorted = &world->bodies.unsorted;
    uint32_t kinds[GRAZE_GRID_KIND_WORDS];
    visit_grid(visitor, world->grid.cells, where,
               grz_list_sorted_kinds(world, visitor->filter, kinds), visit_places);
    if (!grz_all_are_active(world)) {
        visit_grid(visitor, world->sleep.grid, where,
                   grz_list_still_kinds(world, visitor->filter, kinds), visit_still);
    }
    for (grz_index index = 0; (index = grz_index_set_next(unsorted, index)) != UINT32_MAX;
         ++index) {
        visit_body(visitor, index);
    }
}

void grz_visit_box(const grz_visitor *visitor, graze_aabb box)
{
    const region where = {.box = box};
    visit_region(visitor, &where);
}

// --- Casts, points, boxes ---

static int compare_hits(const grz_cast_hit *first, const grz_cast_hit *second)
{
    if (first->time != second->time) {
        return first->time < second->time ? -1 : 1;
    }
    const bool first_is_wall = first->hit.segment.chain.generation != 0;
    const bool second_is_wall = second->hit.segment.chain.generation != 0;
    if (first_is_wall != second_is_wall) {
        return first_is_wall ? -1 : 1;
    }
    if (!first_is_wall) {
        return grz_compare_ids(first->hit.body, second->hit.body);
    }
    return grz_compare_segments(first->hit.segment, second->hit.segment);
}

// Keeps the hit if it is among the first in order. An equal hit is the same wall, found twice.
static void keep_hit(grz_cast *moving, const grz_cast_hit *hit)
{
    if (moving->after && compare_hits(hit, moving->after) <= 0) {
        return;
    }
    uint32_t place = moving->count;
    int order = 1;
    while (place > 0 && (order = compare_hits(&moving->hits[place - 1], hit)) > 0) {
        --place;
    }
    if (place == moving->capacity || (place > 0 && order == 0)) {
        return;
    }
    moving->count += moving->count < moving->capacity;
    for (uint32_t k = moving->count - 1; k > place; --k) {
        moving->hits[k] = moving->hits[k - 1];
    }
    moving->hits[place] = *hit;
}

static double time_of_last(const grz_cast *moving)
{
    return moving->count == moving->capacity ? moving->hits[moving->count - 1].time : 1;
}

static grz_cast_hit make_hit(double time, graze_vec2d point, graze_vec2d normal)
{
    const grz_cast_hit hit = {
        .time = time,
        .hit = {.time = (float)time + 0.0f,
                .point = narrow_reported2(point),
                .normal = narrow_reported2(negate(normal))},
    };
    return hit;
}

static graze_aabb box_of_way(const grz_cast *moving)
{
    return grz_swept_box(moving->from, moving->to, moving->mover.extent);
}

static bool is_near_way(const grz_cast *moving, grz_row row)
{
    const grz_rows *rows = &moving->world->bodies.rows;
    return moving->mover.kind == GRAZE_SHAPE_RAY
               ? grz_is_near_ray(rows, row, moving->from, moving->to)
               : grz_is_near(rows, row, box_of_way(moving));
}

static void cast_at_body(void *context, grz_row row)
{
    grz_cast *moving = context;
    const grz_rows *rows = &moving->world->bodies.rows;
    const grz_figure mover = {moving->mover.kind, moving->mover.half, moving->mover.rotation};
    const grz_figure target = grz_figure_of(rows, row);
    const graze_vec2 centre = rows->position[row];
    const graze_vec2d start = offset(moving->from, centre);
    const graze_vec2d delta = offset(moving->to, moving->from);
    const graze_sweep sweep = grz_sweep_figures(&mover, &target, start, delta);
    if (sweep.hit && is_near_way(moving, row)) {
        grz_cast_hit hit = make_hit(sweep.time, add(sweep.point, widen(centre)), sweep.normal);
        hit.hit.body = grz_row_id(rows, row);
        keep_hit(moving, &hit);
    }
}

static void cast_at_terrain(grz_cast *moving)
{
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, moving->world, &moving->mover, moving->from, moving->to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, time_of_last(moving), &touch, &segment)) {
        grz_cast_hit hit = make_hit(touch.time, touch.point, touch.normal);
        hit.hit.segment = segment;
        keep_hit(moving, &hit);
    }
}

static void cast_at_all(grz_cast *moving)
{
    const grz_visitor bodies = {moving->world, moving->filter, cast_at_body, moving};
    const bool is_ray = moving->mover.kind == GRAZE_SHAPE_RAY;
    const region where = {is_ray, box_of_way(moving), moving->from, moving->to};
    cast_at_terrain(moving);
    visit_region(&bodies, &where);
}

static void begin_cast(grz_cast *moving, const graze_world *world, grz_figure shape,
                       graze_filter filter)
{
    moving->world = world;
    moving->after = NULL;
    moving->count = 0;
    const grz_mover mover = {
        .kind = shape.kind,
        .half = shape.half,
        .rotation = shape.rotation,
        .extent = grz_extent_of_figure(&shape),
        .filter = &moving->filter,
    };
    moving->filter = filter;
    moving->mover = mover;
}

void grz_cast_begin_ray(grz_cast *moving, const graze_world *world, graze_ray ray,
                        graze_filter filter)
{
    const grz_figure point = {GRAZE_SHAPE_RAY, {0, 0}, {1, 0}};
    begin_cast(moving, world, point, filter);
    moving->from = ray.origin;
    moving->to = graze_vec2_add(ray.origin, ray.delta);
}

graze_query_hit grz_cast_closest(grz_cast *moving)
{
    moving->capacity = 1;
    cast_at_all(moving);
    if (moving->count) {
        return moving->hits[0].hit;
    }
    const graze_query_hit nothing = {.time = 1, .point = moving->to};
    return nothing;
}

graze_status grz_check_ray(const graze_world *world, const char *call, const char *what,
                           graze_ray ray)
{
    const bool finite = is_finite(ray.origin) && is_finite(ray.delta) &&
                        is_finite(graze_vec2_add(ray.origin, ray.delta));
    return finite ? GRAZE_OK
                  : grz_fail(world, GRAZE_ERROR_ARGUMENT,
                             "%s: %s is (%g, %g) + (%g, %g); both ends must be finite", call, what,
                             (double)ray.origin.x, (double)ray.origin.y, (double)ray.delta.x,
                             (double)ray.delta.y);
}

graze_status graze_query_ray(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *closest)
{
    static const char call[] = "graze_query_ray";
    const grz_fp_environment caller = grz_fp_enter();
    graze_status status = grz_check_not_null(world, call, "closest", closest != NULL);
    status = status ? status : grz_check_ray(world, call, "ray", ray);
    if (!status) {
        grz_cast moving;
        grz_cast_begin_ray(&moving, world, ray, filter);
        *closest = grz_cast_closest(&moving);
    }
    grz_fp_leave(caller);
    return status;
}

// Each pass finds a few hits that come after the last hit of the pass before: so any number of hits
// is listed in order, without memory.
static uint32_t list_ray_hits(const graze_world *world, graze_ray ray, graze_filter filter,
                              graze_query_hit *hits, uint32_t capacity)
{
    if (grz_check_ray(world, "graze_query_ray_all", "ray", ray)) {
        return 0;
    }
    if (!hits && capacity) {
        grz_fail(world, GRAZE_ERROR_ARGUMENT, "graze_query_ray_all: hits is null; capacity is %u",
                 (unsigned)capacity);
        return 0;
    }
    uint32_t total = 0;
    grz_cast_hit last;
    grz_cast moving;
    grz_cast_begin_ray(&moving, world, ray, filter);
    moving.capacity = GRZ_HITS_AT_ONCE;
    do {
        moving.count = 0;
        cast_at_all(&moving);
        for (uint32_t i = 0; i < moving.count; ++i, ++total) {
            if (total < capacity) {
                hits[total] = moving.hits[i].hit;
            }
        }
        if (moving.count) {
            last = moving.hits[moving.count - 1];
            moving.after = &last;
        }
    } while (moving.count == GRZ_HITS_AT_ONCE);
    return total;
}

static grz_figure figure_of(graze_shape shape, float angle)
{
    const bool is_rect = grz_kind_has_sides(shape.kind);
    const graze_rotation upright = {1, 0};
    const grz_figure figure = {shape.kind, grz_half_of(shape),
                               is_rect ? graze_rotation_from_angle(angle) : upright};
    return figure;
}

uint32_t graze_query_ray_all(const graze_world *world, graze_ray ray, graze_filter filter,
                             graze_query_hit *hits, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    const uint32_t total = list_ray_hits(world, ray, filter, hits, capacity);
    grz_fp_leave(caller);
    return total;
}

graze_status graze_query_cast(const graze_world *world, graze_shape shape, graze_vec2 from,
                              float angle, graze_vec2 delta, graze_filter filter,
                              graze_query_hit *closest)
{
    const grz_fp_environment caller = grz_fp_enter();
    const grz_value_source source = {.world = world, .call = "graze_query_cast"};
    graze_status status = grz_check_not_null(world, source.call, "closest", closest != NULL);
    status = status ? status : grz_check_shape(&source, shape);
    status = status ? status : grz_check_finite(&source, "angle", angle);
    status = status ? status
                    : grz_check_ray(world, source.call, "from + delta", (graze_ray){from, delta});
    if (!status) {
        grz_cast moving;
        begin_cast(&moving, world, figure_of(shape, angle), filter);
        moving.from = from;
        moving.to = graze_vec2_add(from, delta);
        *closest = grz_cast_closest(&moving);
    }
    grz_fp_leave(caller);
    return status;
}

// --- Lists: what overlaps, what is nearest ---

// Lists: the first `capacity` bodies of an order, however many there are.

typedef struct listing {
    const graze_world *world;
    graze_vec2 point;
    graze_aabb box; ///< Only bodies whose boxes are near it are listed.
    double radius;
    bool by_distance;
    graze_body_id *bodies; ///< A heap while it fills.
    uint32_t capacity;
    uint32_t total;
    double last; ///< By distance: of the last one listed; infinite while there is room for more.
} listing;

// The distance of the point from a body's shape; 0 inside. Not its square: bodies at equal
// distances must not differ by its rounding.
static double find_distance(const listing *list, grz_row row)
{
    const grz_rows *rows = &list->world->bodies.rows;
    const grz_figure shape = grz_figure_of(rows, row);
    const graze_vec2d from_centre = offset(list->point, rows->position[row]);
    if (shape.kind != GRAZE_SHAPE_RECT) {
        return max_double(length_of(from_centre) - (double)shape.half.x, 0);
    }
    const double c = (double)shape.rotation.cosine;
    const double s = (double)shape.rotation.sine;
    double u =
        max_double(absolute(c * from_centre.x + s * from_centre.y) - (double)shape.half.x, 0);
    double v =
        max_double(absolute(c * from_centre.y - s * from_centre.x) - (double)shape.half.y, 0);
    return grz_sqrt(u * u + v * v);
}

static bool is_listed_after(const listing *list, graze_body_id first, graze_body_id second)
{
    if (list->by_distance) {
        const uint32_t *row = list->world->bodies.row_of_index.data;
        const double a = find_distance(list, row[first.index]);
        const double b = find_distance(list, row[second.index]);
        if (a != b) {
            return a > b;
        }
    }
    return first.index > second.index;
}

// --- A binary heap, the last in the order on top ---

static void sift_down(const listing *list, uint32_t count, graze_body_id body)
{
    graze_body_id *heap = list->bodies;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && is_listed_after(list, heap[child + 1], heap[child]);
        if (!is_listed_after(list, heap[child], body)) {
            break;
        }
        heap[place] = heap[child];
    }
    heap[place] = body;
}

static void sift_up(const listing *list, uint32_t place, graze_body_id body)
{
    graze_body_id *heap = list->bodies;
    while (place > 0 && is_listed_after(list, body, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = body;
}

static void list_body(listing *list, grz_row row)
{
    if (!grz_is_near(&list->world->bodies.rows, row, list->box)) {
        return;
    }
    const graze_body_id body = grz_row_id(&list->world->bodies.rows, row);
    const uint32_t place = list->total++;
    if (place < list->capacity) {
        sift_up(list, place, body);
    } else if (list->capacity && is_listed_after(list, list->bodies[0], body)) {
        sift_down(list, list->capacity, body);
    } else {
        return;
    }
    if (list->by_distance && list->total >= list->capacity) {
        list->last =
            find_distance(list, list->world->bodies.row_of_index.data[list->bodies[0].index]);
    }
}

// Sorts the heap: removes the last in the order again and again.
static uint32_t finish_list(const listing *list)
{
    uint32_t count = list->total < list->capacity ? list->total : list->capacity;
    while (count > 1) {
        const graze_body_id last = list->bodies[0];
        --count;
        sift_down(list, count, list->bodies[count]);
        list->bodies[count] = last;
    }
    return list->total;
}

static bool check_array(const listing *list, const char *call)
{
    return list->bodies || !list->capacity ||
           !grz_fail(list->world, GRAZE_ERROR_ARGUMENT, "%s: bodies is null; capacity is %u", call,
                     (unsigned)list->capacity);
}

// Lists the bodies near its box that `visit` adds.
static uint32_t fill_list(listing *list, graze_filter filter, grz_visit_fn *visit)
{
    const grz_visitor visitor = {list->world, filter, visit, list};
    grz_visit_box(&visitor, list->box);
    return finish_list(list);
}

static graze_circle circle_of(const grz_rows *rows, grz_row row)
{
    const graze_circle circle = {rows->position[row], rows->half[row].x};
    return circle;
}

static graze_rect rect_of(const grz_rows *rows, grz_row row)
{
    const graze_rect rect = {rows->position[row], rows->half[row], grz_rotation_of(rows, row)};
    return rect;
}

static void list_if_over_point(void *context, grz_row row)
{
    listing *list = context;
    const grz_rows *rows = &list->world->bodies.rows;
    const bool rect = grz_has_sides(rows->traits[row]);
    if (rect ? graze_overlap_point_rect(list->point, rect_of(rows, row))
             : graze_overlap_point_circle(list->point, circle_of(rows, row))) {
        list_body(list, row);
    }
}

uint32_t graze_query_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                           graze_body_id *bodies, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    const grz_value_source source = {.world = world, .call = "graze_query_point"};
    listing list = {.world = world,
                    .point = point,
                    .box = {point, point},
                    .bodies = bodies,
                    .capacity = capacity};
    const bool right = check_array(&list, source.call) &&
                       grz_check_finite_point(&source, "point", point) == GRAZE_OK;
    const uint32_t total = right ? fill_list(&list, filter, list_if_over_point) : 0;
    grz_fp_leave(caller);
    return total;
}

// Clamping the centre to the box gives its nearest point.
static bool circle_touches_box(graze_circle circle, graze_aabb box)
{
    graze_vec2 nearest = circle.center;
    nearest.x = nearest.x < box.lower.x ? box.lower.x : nearest.x;
    nearest.x = nearest.x > box.upper.x ? box.upper.x : nearest.x;
    nearest.y = nearest.y < box.lower.y ? box.lower.y : nearest.y;
    nearest.y = nearest.y > box.upper.y ? box.upper.y : nearest.y;
    return graze_overlap_point_circle(nearest, circle);
}

static bool interval_touches(float centre, float half, float lower, float upper)
{
    return (double)centre - (double)half <= (double)upper &&
           (double)centre + (double)half >= (double)lower;
}

// Returns the part of an interval within `reach` of `centre`, relative to it. Without such a part
// it ends before it begins.
static graze_vec2d clip_interval(float lower, float upper, float centre, double reach)
{
    const graze_vec2d part = {max_double((double)lower - (double)centre, -reach),
                              min_double((double)upper - (double)centre, reach)};
    return part;
}

// Separating axes of the box and of the rect, relative to centres: corners of a turned rect would
// have to be rounded, which shows far from the origin. A large box is clipped to the part near the
// rect, or its size would swamp the rect's sides.
static bool turned_touches_box(graze_rect rect, graze_aabb box)
{
    const graze_vec2d own = widen(rect.half);
    const double reach = 2 * (own.x + own.y);
    const graze_vec2d x = clip_interval(box.lower.x, box.upper.x, rect.center.x, reach);
    const graze_vec2d y = clip_interval(box.lower.y, box.upper.y, rect.center.y, reach);
    const graze_vec2d half = {(x.y - x.x) / 2, (y.y - y.x) / 2};
    const graze_vec2d between = {(x.x + x.y) / 2, (y.x + y.y) / 2};
    const graze_vec2d turn = {(double)rect.rotation.cosine, (double)rect.rotation.sine};
    const double c = absolute(turn.x), s = absolute(turn.y);
    return half.x >= 0 && half.y >= 0 && absolute(between.x) <= half.x + c * own.x + s * own.y &&
           absolute(between.y) <= half.y + s * own.x + c * own.y &&
           absolute(dot(turn, between)) <= own.x + c * half.x + s * half.y &&
           absolute(cross(turn, between)) <= own.y + s * half.x + c * half.y;
}

static bool rect_touches_box(graze_rect rect, graze_aabb box)
{
    if (rect.rotation.sine == 0) {
        return interval_touches(rect.center.x, rect.half.x, box.lower.x, box.upper.x) &&
               interval_touches(rect.center.y, rect.half.y, box.lower.y, box.upper.y);
    }
    return turned_touches_box(rect, box);
}

static void list_if_in_box(void *context, grz_row row)
{
    listing *list = context;
    const grz_rows *rows = &list->world->bodies.rows;
    const bool rect = grz_has_sides(rows->traits[row]);
    if (rect ? rect_touches_box(rect_of(rows, row), list->box)
             : circle_touches_box(circle_of(rows, row), list->box)) {
        list_body(list, row);
    }
}

static bool check_box(const graze_world *world, graze_aabb box)
{
    const bool right = is_finite(box.lower) && is_finite(box.upper) && box.lower.x <= box.upper.x &&
                       box.lower.y <= box.upper.y;
    return right || !grz_fail(world, GRAZE_ERROR_ARGUMENT,
                              "graze_query_box: box is (%.9g, %.9g) to (%.9g, %.9g); it must be "
                              "finite, lower <= upper",
                              (double)box.lower.x, (double)box.lower.y, (double)box.upper.x,
                              (double)box.upper.y);
}

uint32_t graze_query_box(const graze_world *world, graze_aabb box, graze_filter filter,
                         graze_body_id *bodies, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    listing list = {.world = world, .box = box, .bodies = bodies, .capacity = capacity};
    const bool right = check_array(&list, "graze_query_box") && check_box(world, box);
    const uint32_t total = right ? fill_list(&list, filter, list_if_in_box) : 0;
    grz_fp_leave(caller);
    return total;
}

// What a search for the nearest makes of most bodies, as their centres tell with room to spare for
// all roundings: so it takes no root of their squared distances.
typedef enum glance { IS_OUTSIDE, ONLY_COUNTS, IS_CLOSE } glance;

// HOT. bench: engine/query_nearest/gas
//
// Data    28 bytes of a row.
// Branch  None before the result. A centre in the box spares grz_is_near().
static glance glance_at(const listing *list, grz_row row)
{
    const grz_rows *rows = &list->world->bodies.rows;
    const double x = (double)rows->half[row].x, y = (double)rows->half[row].y;
    const bool is_rect = grz_has_sides(rows->traits[row]);
    const double inner = is_rect ? min_double(x, y) : x;
    const double outer = is_rect ? x + y : x;
    const graze_vec2 centre = rows->position[row];
    const graze_vec2d from_centre = offset(list->point, centre);
    const double square = dot(from_centre, from_centre);
    const bool is_outside = square > (1 + grz_query_margin) * squared(list->radius + outer);
    const bool is_inside = square < (1 - grz_query_margin) * squared(list->radius + inner);
    const bool is_after_all = square > (1 + grz_query_margin) * squared(list->last + outer);
    GRZ_FAULT(nearest_by_surface,
              is_after_all = square > (1 + grz_query_margin) * squared(list->last));
    const bool is_in_box = (centre.x >= list->box.lower.x) & (centre.x <= list->box.upper.x) &
                           (centre.y >= list->box.lower.y) & (centre.y <= list->box.upper.y);
    const bool is_counted = is_inside & is_after_all & is_in_box;
    return is_outside ? IS_OUTSIDE : is_counted ? ONLY_COUNTS : IS_CLOSE;
}

static void list_if_near(void *context, grz_row row)
{
    listing *list = context;
    const glance seen = glance_at(list, row);
    list->total += seen == ONLY_COUNTS;
    if (seen == IS_CLOSE && find_distance(list, row) <= list->radius) {
        list_body(list, row);
    }
}

uint32_t graze_query_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity)
{
    const grz_fp_environment caller = grz_fp_enter();
    const grz_value_source source = {.world = world, .call = "graze_query_nearest"};
    listing list = {
        .world = world,
        .point = point,
        .box = grz_swept_box(point, point, (graze_vec2){radius, radius}),
        .radius = (double)radius,
        .by_distance = true,
        .bodies = bodies,
        .capacity = capacity,
        .last = capacity ? (double)INFINITY : 0,
    };
    const bool right = check_array(&list, source.call) &&
                       grz_check_finite_point(&source, "point", point) == GRAZE_OK &&
                       grz_check_at_least_zero(&source, "radius", radius) == GRAZE_OK;
    const uint32_t total = right ? fill_list(&list, filter, list_if_near) : 0;
    grz_fp_leave(caller);
    return total;
}
