#include "canvas.h"

#include "pixel_range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUBROWS = 4 }; ///< Samples per pixel row for polygons; along x coverage is exact.

static float clamp_unit(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static float decode_srgb(uint32_t value)
{
    float part = (float)(value & 255) / 255.0f;
    return part <= 0.04045f ? part / 12.92f : powf((part + 0.055f) / 1.055f, 2.4f);
}

cli_color cli_color_from_hex(uint32_t hex)
{
    cli_color color = {decode_srgb(hex >> 16), decode_srgb(hex >> 8), decode_srgb(hex)};
    return color;
}

cli_color cli_color_mix(cli_color from, cli_color to, float part)
{
    cli_color mixed = {from.r + (to.r - from.r) * part, from.g + (to.g - from.g) * part,
                       from.b + (to.b - from.b) * part};
    return mixed;
}

void cli_canvas_init(cli_canvas *canvas, uint32_t width, uint32_t height, cli_color color)
{
    size_t count = (size_t)width * height;
    canvas->width = width;
    canvas->height = height;
    canvas->pixels = malloc(count * sizeof *canvas->pixels);
    cli_require_memory(canvas->pixels);
    for (size_t i = 0; i < count; ++i) {
        canvas->pixels[i] = color;
    }
}

void cli_canvas_free(cli_canvas *canvas)
{
    free(canvas->pixels);
    canvas->pixels = NULL;
}

void cli_canvas_paste(cli_canvas *canvas, const cli_canvas *other, uint32_t x, uint32_t y)
{
    for (uint32_t row = 0; row < other->height; ++row) {
        memcpy(canvas->pixels + (size_t)(y + row) * canvas->width + x,
               other->pixels + (size_t)row * other->width, other->width * sizeof *other->pixels);
    }
}

void cli_mask_init(cli_mask *mask, uint32_t width, uint32_t height, float value)
{
    size_t count = (size_t)width * height;
    mask->width = width;
    mask->height = height;
    mask->values = malloc(count * sizeof *mask->values);
    cli_require_memory(mask->values);
    for (size_t i = 0; i < count; ++i) {
        mask->values[i] = value;
    }
}

void cli_mask_free(cli_mask *mask)
{
    free(mask->values);
    mask->values = NULL;
}

static int compare_floats(const void *a, const void *b)
{
    float p = *(const float *)a;
    float q = *(const float *)b;
    return (p > q) - (p < q);
}

// Every edge is taken as half open in y, so that a vertex on the line counts once.
static void collect_crossings(const graze_vec2 *points, size_t count, float y, float **crossings)
{
    grz_list_clear(*crossings);
    graze_vec2 a = points[count - 1];
    for (size_t i = 0; i < count; ++i) {
        graze_vec2 b = points[i];
        if ((a.y > y) != (b.y > y)) {
            cli_push(*crossings, a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
        }
        a = b;
    }
    if (*crossings) {
        qsort(*crossings, grz_list_count(*crossings), sizeof **crossings, compare_floats);
    }
}

static void add_span(float *row, cli_pixel_range columns, float from, float to, float weight)
{
    from = from < (float)columns.first ? (float)columns.first : from;
    to = to > (float)columns.end ? (float)columns.end : to;
    if (!(from < to)) {
        return;
    }
    uint32_t last = (uint32_t)to < columns.end ? (uint32_t)to : columns.end - 1;
    for (uint32_t x = (uint32_t)from; x <= last; ++x) {
        float left = from > (float)x ? from : (float)x;
        float right = to < (float)x + 1 ? to : (float)x + 1;
        row[x] += (right - left) * weight;
    }
}

/// A polygon in pixels, and the part of the picture that it can cover.
typedef struct pixel_polygon {
    const graze_vec2 *points;
    size_t count;
    cli_pixel_range rows, columns;
} pixel_polygon;

static pixel_polygon bound_polygon(const graze_vec2 *points, size_t count, uint32_t width,
                                   uint32_t height)
{
    graze_vec2 low = points[0];
    graze_vec2 high = points[0];
    for (size_t i = 1; i < count; ++i) {
        low.x = points[i].x < low.x ? points[i].x : low.x;
        low.y = points[i].y < low.y ? points[i].y : low.y;
        high.x = points[i].x > high.x ? points[i].x : high.x;
        high.y = points[i].y > high.y ? points[i].y : high.y;
    }
    pixel_polygon polygon = {points, count, cli_pixels_between(low.y, high.y, height),
                             cli_pixels_between(low.x, high.x, width)};
    return polygon;
}

static void cover_row(float *row, uint32_t y, const pixel_polygon *polygon, float **crossings)
{
    cli_pixel_range columns = polygon->columns;
    memset(row + columns.first, 0, (columns.end - columns.first) * sizeof *row);
    for (int k = 0; k < SUBROWS; ++k) {
        float at = (float)y + ((float)k + 0.5f) / SUBROWS;
        collect_crossings(polygon->points, polygon->count, at, crossings);
        for (size_t i = 0; i + 1 < grz_list_count(*crossings); i += 2) {
            add_span(row, columns, (*crossings)[i], (*crossings)[i + 1], 1.0f / SUBROWS);
        }
    }
}

/// Gets one row's coverage; `row` is valid in the columns only.
typedef void row_fn(void *target, uint32_t y, const float *row, cli_pixel_range columns);

static void cover_polygon(const pixel_polygon *polygon, row_fn *use, void *target)
{
    float *row = malloc((polygon->columns.end + 1) * sizeof *row);
    cli_require_memory(row);
    float *crossings = NULL;
    for (uint32_t y = polygon->rows.first; y < polygon->rows.end; ++y) {
        cover_row(row, y, polygon, &crossings);
        use(target, y, row, polygon->columns);
    }
    grz_list_free(crossings);
    free(row);
}

static void add_row(void *target, uint32_t y, const float *row, cli_pixel_range columns)
{
    cli_mask *mask = target;
    float *values = mask->values + (size_t)y * mask->width;
    for (uint32_t x = columns.first; x < columns.end; ++x) {
        values[x] = row[x] > values[x] ? row[x] : values[x];
    }
}

static void remove_row(void *target, uint32_t y, const float *row, cli_pixel_range columns)
{
    cli_mask *mask = target;
    float *values = mask->values + (size_t)y * mask->width;
    for (uint32_t x = columns.first; x < columns.end; ++x) {
        float open = clamp_unit(1 - row[x]);
        values[x] = open < values[x] ? open : values[x];
    }
}

void cli_mask_polygon(cli_mask *mask, const graze_vec2 *points, size_t count,
                      cli_mask_operation operation)
{
    if (count >= 3) {
        pixel_polygon polygon = bound_polygon(points, count, mask->width, mask->height);
        cover_polygon(&polygon, operation == CLI_MASK_ADD ? add_row : remove_row, mask);
    }
}

static void blend(cli_color *pixel, cli_color color, float alpha)
{
    *pixel = cli_color_mix(*pixel, color, clamp_unit(alpha));
}

/// A shape with a signed distance: a line with round ends (a circle if these coincide), or a rect.
typedef struct painted_shape {
    bool is_rect;
    graze_vec2 a, b; ///< A line's ends.
    float radius;    ///< Around the line.
    graze_rect rect;
} painted_shape;

static float distance_to_line(graze_vec2 a, graze_vec2 b, graze_vec2 p, float *along)
{
    graze_vec2 ab = graze_vec2_sub(b, a);
    graze_vec2 ap = graze_vec2_sub(p, a);
    float square = graze_vec2_dot(ab, ab);
    *along = square > 0 ? clamp_unit(graze_vec2_dot(ap, ab) / square) : 1;
    graze_vec2 off = graze_vec2_sub(ap, graze_vec2_scale(ab, *along));
    return sqrtf(graze_vec2_dot(off, off));
}

static float distance_to_rect(const graze_rect *rect, graze_vec2 p)
{
    graze_vec2 off = graze_vec2_sub(p, rect->center);
    graze_rotation turn = rect->rotation;
    float x = fabsf(off.x * turn.cosine + off.y * turn.sine) - rect->half.x;
    float y = fabsf(off.y * turn.cosine - off.x * turn.sine) - rect->half.y;
    float outside_x = x > 0 ? x : 0;
    float outside_y = y > 0 ? y : 0;
    float inside = x > y ? x : y;
    return sqrtf(outside_x * outside_x + outside_y * outside_y) + (inside < 0 ? inside : 0);
}

static float distance_to(const painted_shape *shape, graze_vec2 p)
{
    float along;
    return shape->is_rect ? distance_to_rect(&shape->rect, p)
                          : distance_to_line(shape->a, shape->b, p, &along) - shape->radius;
}

static void paint_shape(cli_canvas *canvas, const painted_shape *shape, graze_vec2 lower,
                        graze_vec2 upper, cli_paint paint)
{
    float reach = paint.stroke / 2 + 1;
    const graze_segment core = {shape->a, shape->b};
    cli_pixel_range rows = cli_pixels_between(lower.y - reach, upper.y + reach, canvas->height);
    cli_pixel_range columns = cli_pixels_between(lower.x - reach, upper.x + reach, canvas->width);
    for (uint32_t y = rows.first; y < rows.end; ++y) {
        if (!shape->is_rect) {
            columns = cli_pixels_near(core, shape->radius + reach, y, canvas->width);
        }
        for (uint32_t x = columns.first; x < columns.end; ++x) {
            graze_vec2 p = {(float)x + 0.5f, (float)y + 0.5f};
            float distance = distance_to(shape, p);
            distance = paint.stroke > 0 ? fabsf(distance) - paint.stroke / 2 : distance;
            float coverage = clamp_unit(0.5f - distance);
            if (coverage > 0) {
                blend(&canvas->pixels[(size_t)y * canvas->width + x], paint.color,
                      coverage * paint.alpha);
            }
        }
    }
}

static graze_vec2 least_of(graze_vec2 a, graze_vec2 b, float less)
{
    graze_vec2 least = {(a.x < b.x ? a.x : b.x) - less, (a.y < b.y ? a.y : b.y) - less};
    return least;
}

static graze_vec2 most_of(graze_vec2 a, graze_vec2 b, float more)
{
    graze_vec2 most = {(a.x > b.x ? a.x : b.x) + more, (a.y > b.y ? a.y : b.y) + more};
    return most;
}

void cli_canvas_circle(cli_canvas *canvas, graze_circle circle, cli_paint paint)
{
    painted_shape shape = {.a = circle.center, .b = circle.center, .radius = circle.radius};
    paint_shape(canvas, &shape, least_of(shape.a, shape.a, circle.radius),
                most_of(shape.a, shape.a, circle.radius), paint);
}

void cli_canvas_rect(cli_canvas *canvas, graze_rect rect, cli_paint paint)
{
    painted_shape shape = {.is_rect = true, .rect = rect};
    float reach = rect.half.x + rect.half.y;
    paint_shape(canvas, &shape, least_of(rect.center, rect.center, reach),
                most_of(rect.center, rect.center, reach), paint);
}

void cli_canvas_line(cli_canvas *canvas, graze_vec2 a, graze_vec2 b, cli_paint paint)
{
    painted_shape shape = {.a = a, .b = b, .radius = paint.stroke / 2};
    paint.stroke = 0;
    paint_shape(canvas, &shape, least_of(a, b, shape.radius), most_of(a, b, shape.radius), paint);
}

void cli_canvas_streak(cli_canvas *canvas, graze_vec2 tail, graze_vec2 tip, float radius,
                       cli_color color, float brightness)
{
    graze_vec2 lower = least_of(tail, tip, radius);
    graze_vec2 upper = most_of(tail, tip, radius);
    cli_pixel_range rows = cli_pixels_between(lower.y, upper.y, canvas->height);
    cli_pixel_range columns = cli_pixels_between(lower.x, upper.x, canvas->width);
    for (uint32_t y = rows.first; y < rows.end; ++y) {
        for (uint32_t x = columns.first; x < columns.end; ++x) {
            graze_vec2 p = {(float)x + 0.5f, (float)y + 0.5f};
            float along;
            float distance = distance_to_line(tail, tip, p, &along);
            float halo = clamp_unit(1 - distance / radius);
            float core = clamp_unit(1.1f - distance) * along * along * brightness;
            float light = halo * halo * halo * along * brightness;
            cli_color *pixel = &canvas->pixels[(size_t)y * canvas->width + x];
            pixel->r += light * color.r + 0.6f * core * (0.35f + color.r);
            pixel->g += light * color.g + 0.6f * core * (0.35f + color.g);
            pixel->b += light * color.b + 0.6f * core * (0.35f + color.b);
        }
    }
}

// Linear up to the knee, then ever closer to 1.
static float compress_light(float light)
{
    const float knee = 0.75f;
    return light < knee ? light : 1 - (1 - knee) * expf((knee - light) / (1 - knee));
}

static unsigned char encode_srgb(float light)
{
    float value = compress_light(light > 0 ? light : 0);
    float coded = value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
    return (unsigned char)(clamp_unit(coded) * 255 + 0.5f);
}

unsigned char *cli_canvas_to_bytes(const cli_canvas *canvas)
{
    size_t count = (size_t)canvas->width * canvas->height;
    unsigned char *bytes = malloc(3 * count);
    cli_require_memory(bytes);
    for (size_t i = 0; i < count; ++i) {
        bytes[3 * i] = encode_srgb(canvas->pixels[i].r);
        bytes[3 * i + 1] = encode_srgb(canvas->pixels[i].g);
        bytes[3 * i + 2] = encode_srgb(canvas->pixels[i].b);
    }
    return bytes;
}
