#include "operands.h"

#include <math.h>

#define REACH 2.0f ///< Places lie in [-REACH, REACH] on each axis.

static graze_vec2 draw_vec2(random_state *random, float reach)
{
    float x = random_float(random, -reach, reach);
    float y = random_float(random, -reach, reach);
    graze_vec2 drawn = {x, y};
    return drawn;
}

/// A displacement that is long enough to have a direction.
static graze_vec2 draw_side(random_state *random)
{
    for (;;) {
        graze_vec2 side = draw_vec2(random, REACH);
        if (side.x * side.x + side.y * side.y > 0.1f) {
            return side;
        }
    }
}

static graze_rotation draw_rotation(random_state *random)
{
    graze_vec2 side = draw_side(random);
    double length = sqrt((double)(side.x * side.x + side.y * side.y));
    graze_rotation rotation = {(float)((double)side.x / length), (float)((double)side.y / length)};
    return rotation;
}

static graze_circle draw_circle(random_state *random)
{
    graze_circle circle = {draw_vec2(random, REACH), 0.0f};
    circle.radius = random_float(random, 0.1f, 1.5f);
    return circle;
}

static graze_rect draw_rect(random_state *random)
{
    graze_rect rect = {.center = draw_vec2(random, REACH)};
    rect.half.x = random_float(random, 0.2f, 1.5f);
    rect.half.y = random_float(random, 0.2f, 1.5f);
    rect.rotation = draw_rotation(random);
    return rect;
}

static graze_segment draw_segment(random_state *random)
{
    graze_segment segment = {.a = draw_vec2(random, REACH)};
    segment.b = graze_vec2_add(segment.a, draw_side(random));
    return segment;
}

static void draw_point_operand(random_state *random, void *value)
{
    *(graze_vec2 *)value = draw_vec2(random, REACH);
}

static void draw_circle_operand(random_state *random, void *value)
{
    *(graze_circle *)value = draw_circle(random);
}

static void draw_aabb_operand(random_state *random, void *value)
{
    graze_vec2 center = draw_vec2(random, REACH);
    float half_x = random_float(random, 0.2f, 1.5f);
    float half_y = random_float(random, 0.2f, 1.5f);
    graze_aabb box = {{center.x - half_x, center.y - half_y},
                      {center.x + half_x, center.y + half_y}};
    *(graze_aabb *)value = box;
}

static void draw_rect_operand(random_state *random, void *value)
{
    *(graze_rect *)value = draw_rect(random);
}

static void draw_segment_operand(random_state *random, void *value)
{
    *(graze_segment *)value = draw_segment(random);
}

static void draw_line_operand(random_state *random, void *value)
{
    graze_segment segment = draw_segment(random);
    graze_line line = {segment.a, segment.b};
    *(graze_line *)value = line;
}

static void draw_ray_operand(random_state *random, void *value)
{
    graze_ray ray = {.origin = draw_vec2(random, REACH)};
    ray.delta = draw_side(random);
    *(graze_ray *)value = ray;
}

/// Corners of a regular octagon, five to eight of them, stretched and turned: convex.
static void draw_polygon_operand(random_state *random, void *value)
{
    static const graze_vec2 octagon[GRAZE_POLYGON_CAPACITY] = {
        {1.0f, 0.0f},  {0.7f, 0.7f},   {0.0f, 1.0f},  {-0.7f, 0.7f},
        {-1.0f, 0.0f}, {-0.7f, -0.7f}, {0.0f, -1.0f}, {0.7f, -0.7f}};
    graze_rect frame = draw_rect(random);
    graze_polygon *polygon = value;
    polygon->count = 5 + random_below(random, 4);
    for (uint32_t i = 0; i < polygon->count; ++i) {
        float x = octagon[i].x * frame.half.x;
        float y = octagon[i].y * frame.half.y;
        graze_rotation turn = frame.rotation;
        polygon->vertices[i].x = frame.center.x + x * turn.cosine - y * turn.sine;
        polygon->vertices[i].y = frame.center.y + x * turn.sine + y * turn.cosine;
    }
}

static void draw_moving_circle_operand(random_state *random, void *value)
{
    moving_circle *moving = value;
    moving->circle = draw_circle(random);
    moving->circle.radius *= 0.5f;
    moving->delta = draw_side(random);
}

static void draw_moving_rect_operand(random_state *random, void *value)
{
    moving_rect *moving = value;
    moving->rect = draw_rect(random);
    moving->rect.half = graze_vec2_scale(moving->rect.half, 0.5f);
    moving->delta = draw_side(random);
}

static hull outline_point(const void *value)
{
    return hull_of_point(*(const graze_vec2 *)value);
}

static hull outline_circle(const void *value)
{
    return hull_of_circle(*(const graze_circle *)value);
}

static hull outline_aabb(const void *value)
{
    const graze_aabb *box = value;
    hull shape = {.points = {{(double)box->lower.x, (double)box->lower.y},
                             {(double)box->upper.x, (double)box->lower.y},
                             {(double)box->upper.x, (double)box->upper.y},
                             {(double)box->lower.x, (double)box->upper.y}},
                  .count = 4};
    return shape;
}

static hull outline_rect(const void *value)
{
    return hull_of_rect(*(const graze_rect *)value);
}

static hull outline_segment(const void *value)
{
    return hull_of_segment(*(const graze_segment *)value);
}

/// A piece of the line so long that its ends are out of reach of all shapes.
static hull outline_line(const void *value)
{
    const graze_line *line = value;
    const double far = 1000.0;
    graze_vec2d a = widen(line->a);
    graze_vec2d b = widen(line->b);
    hull shape = {.points = {{a.x + far * (a.x - b.x), a.y + far * (a.y - b.y)},
                             {b.x + far * (b.x - a.x), b.y + far * (b.y - a.y)}},
                  .count = 2};
    return shape;
}

static hull outline_ray(const void *value)
{
    const graze_ray *ray = value;
    hull origin = hull_of_point(ray->origin);
    return hull_sweep(&origin, widen(ray->delta));
}

static hull outline_polygon(const void *value)
{
    const graze_polygon *polygon = value;
    hull shape = {.count = polygon->count};
    for (uint32_t i = 0; i < polygon->count; ++i) {
        shape.points[i] = widen(polygon->vertices[i]);
    }
    return shape;
}

static hull outline_moving_circle(const void *value)
{
    const moving_circle *moving = value;
    hull still = hull_of_circle(moving->circle);
    return hull_sweep(&still, widen(moving->delta));
}

static hull outline_moving_rect(const void *value)
{
    const moving_rect *moving = value;
    hull still = hull_of_rect(moving->rect);
    return hull_sweep(&still, widen(moving->delta));
}

const operand operand_graze_vec2 = {sizeof(graze_vec2), draw_point_operand, outline_point};
const operand operand_graze_circle = {sizeof(graze_circle), draw_circle_operand, outline_circle};
const operand operand_graze_aabb = {sizeof(graze_aabb), draw_aabb_operand, outline_aabb};
const operand operand_graze_rect = {sizeof(graze_rect), draw_rect_operand, outline_rect};
const operand operand_graze_segment = {sizeof(graze_segment), draw_segment_operand,
                                       outline_segment};
const operand operand_graze_line = {sizeof(graze_line), draw_line_operand, outline_line};
const operand operand_graze_ray = {sizeof(graze_ray), draw_ray_operand, outline_ray};
const operand operand_graze_polygon = {sizeof(graze_polygon), draw_polygon_operand,
                                       outline_polygon};
const operand operand_moving_circle = {sizeof(moving_circle), draw_moving_circle_operand,
                                       outline_moving_circle};
const operand operand_moving_rect = {sizeof(moving_rect), draw_moving_rect_operand,
                                     outline_moving_rect};
