// Lists: the first `capacity` bodies of an order, however many there are.

#include <graze/overlap.h>
#include <graze/query.h>

#include "api/query_visit.h"
#include "collide/box.h"
#include "collide/near.h"
#include "collide/pair_sweep.h"
#include "fp_environment.h"
#include "root.h"
#include "vec2d.h"
#include "world/message.h"
#include "world/rows.h"

/// Of a square: more than a distance from a turned rect, whose axes are floats, is rounded.
static const double far_more = 0x1p-20;

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
static double find_distance(const listing *list, uint32_t row)
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

static void list_body(listing *list, uint32_t row)
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

static graze_circle circle_of(const grz_rows *rows, uint32_t row)
{
    const graze_circle circle = {rows->position[row], rows->half[row].x};
    return circle;
}

static graze_rect rect_of(const grz_rows *rows, uint32_t row)
{
    const graze_rect rect = {rows->position[row], rows->half[row], grz_rotation_of(rows, row)};
    return rect;
}

static void list_if_over_point(void *context, uint32_t row)
{
    listing *list = context;
    const grz_rows *rows = &list->world->bodies.rows;
    const bool rect = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    if (rect ? graze_overlap_point_rect(list->point, rect_of(rows, row))
             : graze_overlap_point_circle(list->point, circle_of(rows, row))) {
        list_body(list, row);
    }
}

static bool check_point(const graze_world *world, graze_vec2 point, const char *call)
{
    return is_finite(point) ||
           !grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: point is (%g, %g); it must be finite", call,
                     (double)point.x, (double)point.y);
}

static uint32_t list_over_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                                graze_body_id *bodies, uint32_t capacity)
{
    if (!check_point(world, point, "graze_query_point")) {
        return 0;
    }
    listing list = {.world = world,
                    .point = point,
                    .box = {point, point},
                    .bodies = bodies,
                    .capacity = capacity};
    const grz_visitor visitor = {world, filter, list_if_over_point, &list};
    grz_visit_box(&visitor, list.box);
    return finish_list(&list);
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

static void list_if_in_box(void *context, uint32_t row)
{
    listing *list = context;
    const grz_rows *rows = &list->world->bodies.rows;
    const bool rect = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    if (rect ? rect_touches_box(rect_of(rows, row), list->box)
             : circle_touches_box(circle_of(rows, row), list->box)) {
        list_body(list, row);
    }
}

static uint32_t list_in_box(const graze_world *world, graze_aabb box, graze_filter filter,
                            graze_body_id *bodies, uint32_t capacity)
{
    if (!is_finite(box.lower) || !is_finite(box.upper) || box.lower.x > box.upper.x ||
        box.lower.y > box.upper.y) {
        grz_fail(world, GRAZE_ERROR_ARGUMENT,
                 "graze_query_box: box is (%.9g, %.9g) to (%.9g, %.9g); it must be finite, "
                 "lower <= upper",
                 (double)box.lower.x, (double)box.lower.y, (double)box.upper.x,
                 (double)box.upper.y);
        return 0;
    }
    listing list = {.world = world, .box = box, .bodies = bodies, .capacity = capacity};
    const grz_visitor visitor = {world, filter, list_if_in_box, &list};
    grz_visit_box(&visitor, box);
    return finish_list(&list);
}

// What a search for the nearest makes of most bodies, as their centres tell with room to spare for
// all roundings: so it takes no root of their squared distances.
typedef enum glance { IS_OUTSIDE, ONLY_COUNTS, IS_CLOSE } glance;

// HOT. bench: engine/query_nearest/gas
//
// Data    28 bytes of a row.
// Branch  None before the result. A centre in the box spares grz_is_near().
static glance glance_at(const listing *list, uint32_t row)
{
    const grz_rows *rows = &list->world->bodies.rows;
    const double x = (double)rows->half[row].x, y = (double)rows->half[row].y;
    const bool is_rect = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    const double inner = is_rect ? min_double(x, y) : x;
    const double outer = is_rect ? x + y : x;
    const graze_vec2 centre = rows->position[row];
    const graze_vec2d from_centre = offset(list->point, centre);
    const double square = dot(from_centre, from_centre);
    const bool is_outside = square > (1 + far_more) * squared(list->radius + outer);
    const bool is_inside = square < (1 - far_more) * squared(list->radius + inner);
    const bool is_after_all = square > (1 + far_more) * squared(list->last + outer);
    const bool is_in_box = (centre.x >= list->box.lower.x) & (centre.x <= list->box.upper.x) &
                           (centre.y >= list->box.lower.y) & (centre.y <= list->box.upper.y);
    const bool is_counted = is_inside & is_after_all & is_in_box;
    return is_outside ? IS_OUTSIDE : is_counted ? ONLY_COUNTS : IS_CLOSE;
}

static void list_if_near(void *context, uint32_t row)
{
    listing *list = context;
    const glance seen = glance_at(list, row);
    list->total += seen == ONLY_COUNTS;
    if (seen == IS_CLOSE && find_distance(list, row) <= list->radius) {
        list_body(list, row);
    }
}

static uint32_t list_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity)
{
    static const char call[] = "graze_query_nearest";
    if (!check_point(world, point, call)) {
        return 0;
    }
    if (!is_finite_sum((double)radius) || radius < 0) {
        grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: radius is %g; it must be finite and at least 0",
                 call, (double)radius);
        return 0;
    }
    const graze_vec2 extent = {radius, radius};
    listing list = {
        .world = world,
        .point = point,
        .box = grz_swept_box(point, point, extent),
        .radius = (double)radius,
        .by_distance = true,
        .bodies = bodies,
        .capacity = capacity,
        .last = capacity ? (double)INFINITY : 0,
    };
    const grz_visitor visitor = {world, filter, list_if_near, &list};
    grz_visit_box(&visitor, list.box);
    return finish_list(&list);
}

static bool check_array(const graze_world *world, const graze_body_id *bodies, uint32_t capacity,
                        const char *call)
{
    return bodies || !capacity ||
           !grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: bodies is null; capacity is %u", call,
                     (unsigned)capacity);
}

uint32_t graze_query_point(const graze_world *world, graze_vec2 point, graze_filter filter,
                           graze_body_id *bodies, uint32_t capacity)
{
    if (!check_array(world, bodies, capacity, "graze_query_point")) {
        return 0;
    }
    const grz_fp_environment caller = grz_fp_enter();
    const uint32_t total = list_over_point(world, point, filter, bodies, capacity);
    grz_fp_leave(caller);
    return total;
}

uint32_t graze_query_box(const graze_world *world, graze_aabb box, graze_filter filter,
                         graze_body_id *bodies, uint32_t capacity)
{
    if (!check_array(world, bodies, capacity, "graze_query_box")) {
        return 0;
    }
    const grz_fp_environment caller = grz_fp_enter();
    const uint32_t total = list_in_box(world, box, filter, bodies, capacity);
    grz_fp_leave(caller);
    return total;
}

uint32_t graze_query_nearest(const graze_world *world, graze_vec2 point, float radius,
                             graze_filter filter, graze_body_id *bodies, uint32_t capacity)
{
    if (!check_array(world, bodies, capacity, "graze_query_nearest")) {
        return 0;
    }
    const grz_fp_environment caller = grz_fp_enter();
    const uint32_t total = list_nearest(world, point, radius, filter, bodies, capacity);
    grz_fp_leave(caller);
    return total;
}
