#include "meet.h"

#include "bodies.h"
#include "rows.h"

#include <float.h>

/// A straight piece of a motion.
typedef struct piece {
    double start_time, end_time;
    graze_vec2 start, end;
} piece;

bool grz_filters_meet(graze_filter a, graze_filter b)
{
    if (a.group == b.group && a.group != 0) {
        return a.group > 0;
    }
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

bool grz_bodies_meet(const graze_world *world, uint32_t row_a, uint32_t row_b)
{
    const grz_rows *rows = &world->rows;
    if (!world->filter_count && !world->filter) {
        return true;
    }
    uint32_t a = rows->index[row_a];
    uint32_t b = rows->index[row_b];
    if (!grz_filters_meet(world->bodies.data[a].filter, world->bodies.data[b].filter)) {
        return false;
    }
    const graze_segment_id none = {{0, 0}, 0};
    return !world->filter || world->filter(world, grz_bodies_id(world, a), grz_bodies_id(world, b),
                                           none, world->filter_user);
}

static graze_vec2d difference(graze_vec2 a, graze_vec2 b)
{
    graze_vec2d d = {(double)a.x - (double)b.x, (double)a.y - (double)b.y};
    return d;
}

static graze_vec2d subtract(graze_vec2d a, graze_vec2d b)
{
    graze_vec2d d = {a.x - b.x, a.y - b.y};
    return d;
}

static graze_vec2d step_along(graze_vec2d start, graze_vec2d delta, double time)
{
    graze_vec2d at = {start.x + delta.x * time, start.y + delta.y * time};
    return at;
}

grz_figure grz_figure_of(const grz_rows *rows, uint32_t row)
{
    grz_figure shape = {grz_kind_of(rows->traits[row]), rows->half[row], rows->rotation[row]};
    return shape;
}

static grz_figure figure_at_end(const grz_rows *rows, uint32_t row)
{
    grz_figure shape = {grz_kind_of(rows->traits[row]), rows->half[row], rows->end_rotation[row]};
    return shape;
}

// A circle's or a ray's: its half extents are its radius.
static double radius_of(const grz_figure *shape)
{
    return (double)shape->half.x;
}

// The kernel wants the rect as b: turned around, the answer is turned back.
static graze_sweep sweep_rect_circle(const grz_figure *a, const grz_figure *b, graze_vec2d start,
                                     graze_vec2d delta)
{
    graze_vec2d back = {-start.x, -start.y};
    graze_vec2d away = {-delta.x, -delta.y};
    graze_sweep sweep = graze_sweep_circle_rect(back, away, radius_of(b), a->half, a->rotation);
    graze_vec2d centre = step_along(start, delta, sweep.time);
    sweep.normal.x = -sweep.normal.x;
    sweep.normal.y = -sweep.normal.y;
    sweep.point.x += centre.x;
    sweep.point.y += centre.y;
    return sweep;
}

graze_sweep grz_sweep_figures(const grz_figure *a, const grz_figure *b, graze_vec2d start,
                              graze_vec2d delta)
{
    bool a_is_rect = a->kind == GRAZE_SHAPE_RECT;
    bool b_is_rect = b->kind == GRAZE_SHAPE_RECT;
    if (a_is_rect && b_is_rect) {
        return graze_sweep_rects(start, delta, a->half, a->rotation, b->half, b->rotation);
    }
    if (a_is_rect) {
        return sweep_rect_circle(a, b, start, delta);
    }
    if (b_is_rect) {
        return graze_sweep_circle_rect(start, delta, radius_of(a), b->half, b->rotation);
    }
    return graze_sweep_circles(start, delta, radius_of(a), radius_of(b));
}

static double along(graze_vec2d v, graze_vec2d normal)
{
    return v.x * normal.x + v.y * normal.y;
}

// Fills `touch` from a sweep over part of the step; b is at `b_start` when the part begins and goes
// `b_delta`.
static void fill_touch(grz_touch *touch, const graze_sweep *sweep, graze_vec2d b_start,
                       graze_vec2d b_delta)
{
    graze_vec2d b = step_along(b_start, b_delta, sweep->time);
    touch->point.x = b.x + sweep->point.x;
    touch->point.y = b.y + sweep->point.y;
    touch->normal = sweep->normal;
    touch->depth = sweep->depth;
}

static bool touch_turned(const grz_rows *rows, uint32_t row_a, uint32_t row_b, graze_vec2d start,
                         graze_vec2d b_at, grz_touch *touch)
{
    if (!((rows->traits[row_a] | rows->traits[row_b]) & GRZ_TRAIT_SPINS)) {
        return false;
    }
    grz_figure a = figure_at_end(rows, row_a);
    grz_figure b = figure_at_end(rows, row_b);
    const graze_vec2d still = {0, 0};
    graze_sweep sweep = grz_sweep_figures(&a, &b, start, still);
    if (!sweep.hit) {
        return false;
    }
    fill_touch(touch, &sweep, b_at, still);
    touch->time = 1;
    touch->depth = 0;
    touch->approach = 0;
    touch->crosses = false;
    return true;
}

// HOT. bench: engine/step/gas
//
// Data    Position, end, half and traits of two rows: 56 bytes.
// Branch  The kernel is chosen by kinds: pairs of one world are mostly alike.
bool grz_touch_straight(const grz_rows *rows, uint32_t row_a, uint32_t row_b, grz_touch *touch)
{
    graze_vec2d start = difference(rows->position[row_a], rows->position[row_b]);
    graze_vec2d finish = difference(rows->end[row_a], rows->end[row_b]);
    graze_vec2d delta = subtract(finish, start);
    grz_figure a = grz_figure_of(rows, row_a);
    grz_figure b = grz_figure_of(rows, row_b);
    graze_vec2 b_start = rows->position[row_b];
    graze_sweep sweep = grz_sweep_figures(&a, &b, start, delta);
    if (!sweep.hit) {
        graze_vec2d b_end = {(double)rows->end[row_b].x, (double)rows->end[row_b].y};
        return touch_turned(rows, row_a, row_b, finish, b_end, touch);
    }
    graze_vec2d b_origin = {(double)b_start.x, (double)b_start.y};
    fill_touch(touch, &sweep, b_origin, difference(rows->end[row_b], b_start));
    touch->time = sweep.time;
    touch->approach = along(delta, sweep.normal);
    touch->crosses = false;
    return true;
}

grz_motion *grz_motion_of(const graze_world *world, uint32_t row)
{
    if (!world->free_count || world->motion_of_row.data[row] == GRZ_NONE) {
        return NULL;
    }
    return &world->motions.data[world->motion_of_row.data[row]];
}

// Finds the piece of a body's motion that is under way at `time`, before the step's end. Returns
// false when the body is gone then.
static bool find_piece(const graze_world *world, uint32_t row, double time, piece *found)
{
    const grz_motion *motion = grz_motion_of(world, row);
    if (!motion) {
        piece straight = {0, 1, world->rows.position[row], world->rows.end[row]};
        *found = straight;
        return true;
    }
    uint32_t last = motion->count - 1;
    if (motion->gone && time >= motion->time[last]) {
        return false;
    }
    uint32_t k = last - 1;
    while (k > 0 && motion->time[k] > time) {
        --k;
    }
    piece bent = {motion->time[k], motion->time[k + 1], motion->at[k], motion->at[k + 1]};
    *found = bent;
    return true;
}

static graze_vec2d position_on(const piece *way, double time)
{
    graze_vec2d end = {(double)way->end.x, (double)way->end.y};
    graze_vec2d start = {(double)way->start.x, (double)way->start.y};
    if (time >= way->end_time) {
        return end;
    }
    double share = (time - way->start_time) / (way->end_time - way->start_time);
    return step_along(start, subtract(end, start), share);
}

graze_vec2d grz_course_at(const graze_world *world, uint32_t row, double time)
{
    piece way;
    const graze_vec2d still = {0, 0};
    if (!find_piece(world, row, time, &way) || way.end_time <= way.start_time) {
        return still;
    }
    graze_vec2d course = difference(way.end, way.start);
    course.x /= way.end_time - way.start_time;
    course.y /= way.end_time - way.start_time;
    return course;
}

static double earlier(double a, double b)
{
    return a < b ? a : b;
}

bool grz_touch_moving(const graze_world *world, uint32_t row_a, uint32_t row_b, double from,
                      grz_touch *touch)
{
    const grz_rows *rows = &world->rows;
    grz_figure shape_a = grz_figure_of(rows, row_a);
    grz_figure shape_b = grz_figure_of(rows, row_b);
    piece way_a, way_b;
    if (from >= 1) {
        return false;
    }
    graze_vec2d b_end = {0, 0};
    graze_vec2d finish = {0, 0};
    for (double until; from < 1; from = until) {
        if (!find_piece(world, row_a, from, &way_a) || !find_piece(world, row_b, from, &way_b)) {
            return false;
        }
        until = earlier(way_a.end_time, way_b.end_time);
        graze_vec2d b_start = position_on(&way_b, from);
        graze_vec2d start = subtract(position_on(&way_a, from), b_start);
        b_end = position_on(&way_b, until);
        finish = subtract(position_on(&way_a, until), b_end);
        graze_vec2d delta = subtract(finish, start);
        graze_sweep sweep = grz_sweep_figures(&shape_a, &shape_b, start, delta);
        if (sweep.hit) {
            fill_touch(touch, &sweep, b_start, subtract(b_end, b_start));
            touch->time = from + sweep.time * (until - from);
            touch->depth = from > 0 ? 0 : sweep.depth;
            touch->approach = along(delta, sweep.normal) / (until - from);
            touch->crosses = false;
            return true;
        }
    }
    return touch_turned(rows, row_a, row_b, finish, b_end, touch);
}

// Rounding a side moves it by at most half a unit in the last place, 2^-24 of its size: a margin of
// 2^-22 covers that of the sum and of the margin itself.
static float lower_side(float centre, float extent)
{
    float side = centre - extent;
    side -= (side < 0 ? -side : side) * 2.3841858e-7f;
    return side > -FLT_MAX ? side : -FLT_MAX;
}

static float upper_side(float centre, float extent)
{
    return -lower_side(-centre, extent);
}

graze_aabb grz_swept_box(graze_vec2 from, graze_vec2 to, graze_vec2 extent)
{
    graze_aabb box = {
        {lower_side(from.x < to.x ? from.x : to.x, extent.x),
         lower_side(from.y < to.y ? from.y : to.y, extent.y)},
        {upper_side(from.x > to.x ? from.x : to.x, extent.x),
         upper_side(from.y > to.y ? from.y : to.y, extent.y)},
    };
    return box;
}

static float magnitude(float number)
{
    return number < 0 ? -number : number;
}

// A little more than exact: its own rounding is covered by a margin of 2^-21.
static graze_vec2 extent_turned(graze_vec2 half, graze_rotation rotation)
{
    const float margin = 1.00000048f;
    float cosine = magnitude(rotation.cosine);
    float sine = magnitude(rotation.sine);
    graze_vec2 extent = {(cosine * half.x + sine * half.y) * margin,
                         (sine * half.x + cosine * half.y) * margin};
    return extent;
}

graze_vec2 grz_extent_of_figure(const grz_figure *shape)
{
    return shape->kind == GRAZE_SHAPE_RECT ? extent_turned(shape->half, shape->rotation)
                                           : shape->half;
}

graze_vec2 grz_extent_of(const grz_rows *rows, uint32_t row)
{
    uint32_t traits = rows->traits[row];
    if (grz_kind_of(traits) != GRAZE_SHAPE_RECT) {
        return rows->half[row];
    }
    graze_vec2 extent = extent_turned(rows->half[row], rows->rotation[row]);
    if (traits & GRZ_TRAIT_SPINS) {
        graze_vec2 end = extent_turned(rows->half[row], rows->end_rotation[row]);
        extent.x = extent.x > end.x ? extent.x : end.x;
        extent.y = extent.y > end.y ? extent.y : end.y;
    }
    return extent;
}
