#include "narrow_checks.h"

#include <graze/cast.h>
#include <graze/collide.h>
#include <graze/cross.h>
#include <graze/orient.h>
#include <graze/overlap.h>

#include <math.h>
#include <string.h>

/// Any bits in all numbers.
typedef struct wild_shapes {
    graze_vec2 delta;
    graze_circle disc, other_disc;
    graze_rect rect, other_rect;
    graze_segment segment;
    graze_polygon triangle;
} wild_shapes;

/// The floats of a shape.
typedef struct wild_input {
    const void *floats; ///< Null: there is none.
    size_t size;        ///< In bytes.
} wild_input;

/// What a kernel says of shapes.
typedef struct wild_answer {
    const char *kernel;
    bool touches;
    wild_input inputs[3];
} wild_answer;

#define INPUT(shape)                                                                               \
    {                                                                                              \
        &(shape), sizeof(shape)                                                                    \
    }

static void draw_floats(fuzz_bytes *bytes, void *shape, size_t size)
{
    char *next = shape;
    for (size_t i = 0; i < size; i += sizeof(float)) {
        const float value = fuzz_any_float(bytes);
        memcpy(next + i, &value, sizeof value);
    }
}

static wild_shapes draw_shapes(fuzz_bytes *bytes)
{
    wild_shapes shapes;
    memset(&shapes, 0, sizeof shapes);
    draw_floats(bytes, &shapes.delta, sizeof shapes.delta);
    draw_floats(bytes, &shapes.disc, sizeof shapes.disc);
    draw_floats(bytes, &shapes.other_disc, sizeof shapes.other_disc);
    draw_floats(bytes, &shapes.rect, sizeof shapes.rect);
    draw_floats(bytes, &shapes.other_rect, sizeof shapes.other_rect);
    draw_floats(bytes, &shapes.segment, sizeof shapes.segment);
    draw_floats(bytes, shapes.triangle.vertices, 3 * sizeof *shapes.triangle.vertices);
    shapes.triangle.count = 3;
    return shapes;
}

static bool is_finite(const wild_input *input)
{
    for (size_t i = 0; i < input->size; i += sizeof(float)) {
        float value;
        memcpy(&value, (const char *)input->floats + i, sizeof value);
        if (!isfinite(value)) {
            return false;
        }
    }
    return true;
}

static void expect_finite(const wild_answer *answers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < 3 && answers[i].touches; ++k) {
            FUZZ_CHECK(is_finite(&answers[i].inputs[k]), "%s: what is not finite touches",
                       answers[i].kernel);
        }
    }
}

static void try_standing(const wild_shapes *s)
{
    const graze_line line = {s->segment.a, s->segment.b};
    const wild_answer answers[] = {
        {"circles",
         graze_overlap_circles(s->disc, s->other_disc),
         {INPUT(s->disc), INPUT(s->other_disc)}},
        {"circle line",
         graze_overlap_circle_line(s->disc, line),
         {INPUT(s->disc), INPUT(s->segment)}},
        {"circle segment",
         graze_overlap_circle_segment(s->disc, s->segment),
         {INPUT(s->disc), INPUT(s->segment)}},
        {"circle rect",
         graze_overlap_circle_rect(s->disc, s->rect),
         {INPUT(s->disc), INPUT(s->rect)}},
        {"circle polygon",
         graze_overlap_circle_polygon(s->disc, &s->triangle),
         {INPUT(s->disc), {s->triangle.vertices, 3 * sizeof(graze_vec2)}}},
        {"point circle",
         graze_overlap_point_circle(s->delta, s->disc),
         {INPUT(s->delta), INPUT(s->disc)}},
        {"point rect",
         graze_overlap_point_rect(s->delta, s->rect),
         {INPUT(s->delta), INPUT(s->rect)}},
        {"point polygon",
         graze_overlap_point_polygon(s->delta, &s->triangle),
         {INPUT(s->delta), {s->triangle.vertices, 3 * sizeof(graze_vec2)}}},
        {"rects",
         graze_overlap_rects(s->rect, s->other_rect),
         {INPUT(s->rect), INPUT(s->other_rect)}},
        {"rect segment",
         graze_overlap_rect_segment(s->rect, s->segment),
         {INPUT(s->rect), INPUT(s->segment)}},
        {"polygon segment",
         graze_overlap_polygon_segment(&s->triangle, s->segment),
         {{s->triangle.vertices, 3 * sizeof(graze_vec2)}, INPUT(s->segment)}},
        {"rim",
         graze_cross_segment_circle(s->segment, s->disc).count > 0,
         {INPUT(s->segment), INPUT(s->disc)}},
        {"crosses",
         graze_crosses(s->delta, s->disc.center, s->segment),
         {INPUT(s->delta), INPUT(s->disc.center), INPUT(s->segment)}},
        {"orient",
         graze_orient(s->segment.a, s->segment.b, s->delta) != 0,
         {INPUT(s->segment), INPUT(s->delta)}},
    };
    expect_finite(answers, sizeof answers / sizeof *answers);
}

static void try_manifolds(const wild_shapes *s)
{
    const wild_answer answers[] = {
        {"collide circles",
         graze_collide_circles(s->disc, s->other_disc).count > 0,
         {INPUT(s->disc), INPUT(s->other_disc)}},
        {"collide circle segment",
         graze_collide_circle_segment(s->disc, s->segment).count > 0,
         {INPUT(s->disc), INPUT(s->segment)}},
        {"collide circle rect",
         graze_collide_circle_rect(s->disc, s->rect).count > 0,
         {INPUT(s->disc), INPUT(s->rect)}},
        {"collide rects",
         graze_collide_rects(s->rect, s->other_rect).count > 0,
         {INPUT(s->rect), INPUT(s->other_rect)}},
        {"collide rect segment",
         graze_collide_rect_segment(s->rect, s->segment).count > 0,
         {INPUT(s->rect), INPUT(s->segment)}},
    };
    expect_finite(answers, sizeof answers / sizeof *answers);
}

// Returns whether there is a hit.
static bool is_hit(graze_hit hit)
{
    const float fields[5] = {hit.time, hit.point.x, hit.point.y, hit.normal.x, hit.normal.y};
    FUZZ_CHECK(hit.time >= 0 && hit.time <= 1, "time %a", (double)hit.time);
    for (int i = 0; i < 5 && !hit.hit; ++i) {
        FUZZ_CHECK(fields[i] == 0, "no hit, but field %d is %a", i, (double)fields[i]);
    }
    return hit.hit;
}

static void try_moving(const wild_shapes *s)
{
    const graze_ray ray = {s->other_disc.center, s->delta};
    const graze_line line = {s->segment.a, s->segment.b};
    const wild_answer answers[] = {
        {"cast circle segment",
         is_hit(graze_cast_circle_segment(s->disc, s->delta, s->segment)),
         {INPUT(s->disc), INPUT(s->delta), INPUT(s->segment)}},
        {"cast circle circle",
         is_hit(graze_cast_circle_circle(s->disc, s->delta, s->other_disc)),
         {INPUT(s->disc), INPUT(s->delta), INPUT(s->other_disc)}},
        {"cast circle rect",
         is_hit(graze_cast_circle_rect(s->disc, s->delta, s->rect)),
         {INPUT(s->disc), INPUT(s->delta), INPUT(s->rect)}},
        {"cast rect segment",
         is_hit(graze_cast_rect_segment(s->rect, s->delta, s->segment)),
         {INPUT(s->rect), INPUT(s->delta), INPUT(s->segment)}},
        {"cast rect rect",
         is_hit(graze_cast_rect_rect(s->rect, s->delta, s->other_rect)),
         {INPUT(s->rect), INPUT(s->delta), INPUT(s->other_rect)}},
        {"cast ray line", is_hit(graze_cast_ray_line(ray, line)), {INPUT(ray), INPUT(s->segment)}},
        {"cast ray segment",
         is_hit(graze_cast_ray_segment(ray, s->segment)),
         {INPUT(ray), INPUT(s->segment)}},
        {"cast ray circle",
         is_hit(graze_cast_ray_circle(ray, s->disc)),
         {INPUT(ray), INPUT(s->disc)}},
        {"cast ray rect", is_hit(graze_cast_ray_rect(ray, s->rect)), {INPUT(ray), INPUT(s->rect)}},
        {"cast ray polygon",
         is_hit(graze_cast_ray_polygon(ray, &s->triangle)),
         {INPUT(ray), {s->triangle.vertices, 3 * sizeof(graze_vec2)}}},
    };
    expect_finite(answers, sizeof answers / sizeof *answers);
}

void narrow_check_wild(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    (void)ground;
    const wild_shapes shapes = draw_shapes(bytes);
    try_standing(&shapes);
    try_manifolds(&shapes);
    try_moving(&shapes);
}
