#include "picture.h"

#include "pixel_range.h"
#include "vec2d.h"

#include <graze/chain.h>
#include <graze/debug_draw.h>

#include <float.h>
#include <math.h>

enum {
    LONGER_SIDE = 1280,
    SHORTEST_SIDE = 160,
    PALETTE_COUNT = 6,
    MAX_STARTS = 256 ///< Bodies that are tested for the side of a loop on which they start.
};

static const uint32_t palette[PALETTE_COUNT] = {0x35C9FF, 0xFF4D9D, 0xFFB02E,
                                                0x7CF29C, 0xA98BFF, 0xFF6B45};

/// One picture while it is drawn.
typedef struct picture_view {
    const cli_picture *picture;
    const graze_world *world;
    cli_canvas *canvas;
    float *distances;  ///< To the nearest solid terrain, in pixels; glow_reach where it is farther.
    float scale;       ///< Pixels per unit.
    graze_vec2 middle; ///< Of the view.
} picture_view;

static const float glow_reach = 26; ///< Pixels around terrain that its light fills.

static void include_point(graze_aabb *box, graze_vec2 point, float reach)
{
    box->lower.x = point.x - reach < box->lower.x ? point.x - reach : box->lower.x;
    box->lower.y = point.y - reach < box->lower.y ? point.y - reach : box->lower.y;
    box->upper.x = point.x + reach > box->upper.x ? point.x + reach : box->upper.x;
    box->upper.y = point.y + reach > box->upper.y ? point.y + reach : box->upper.y;
}

// The extent of a body, or where it goes, may be past the float range.
static graze_aabb keep_finite(graze_aabb box)
{
    const graze_aabb finite = {{fmaxf(box.lower.x, -FLT_MAX), fmaxf(box.lower.y, -FLT_MAX)},
                               {fminf(box.upper.x, FLT_MAX), fminf(box.upper.y, FLT_MAX)}};
    return finite;
}

static float reach_of(graze_shape shape)
{
    return shape.radius + shape.half.x + shape.half.y;
}

graze_aabb cli_picture_view(const cli_scene *scene, float seconds)
{
    if (scene->has_view) {
        return scene->view;
    }
    graze_aabb box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    size_t point_count = grz_list_count(scene->points);
    for (size_t i = 0; i < point_count; ++i) {
        include_point(&box, scene->points[i], 0);
    }
    for (size_t i = 0; i < grz_list_count(scene->bodies); ++i) {
        const graze_body_def *def = &scene->bodies[i].def;
        graze_vec2 way = graze_vec2_scale(def->velocity, point_count ? 0 : seconds);
        include_point(&box, def->position, reach_of(def->shape));
        include_point(&box, graze_vec2_add(def->position, way), reach_of(def->shape));
    }
    const graze_aabb unit = {{-1, -1}, {1, 1}};
    return box.lower.x <= box.upper.x ? keep_finite(box) : unit;
}

// In double, since what is far from the view has pixels that float cannot hold.
static graze_vec2d project_far(const picture_view *view, graze_vec2 point)
{
    const double flip = view->picture->scene->y_down ? 1 : -1;
    const graze_vec2d off = scale(offset(point, view->middle), (double)view->scale);
    return vec2d(view->canvas->width / 2.0 + off.x, view->canvas->height / 2.0 + off.y * flip);
}

static graze_vec2 project(const picture_view *view, graze_vec2 point)
{
    return narrow(project_far(view, point));
}

// Projects what of a segment is in the picture or lights it; false if nothing does.
static bool project_segment(const picture_view *view, graze_segment segment, graze_segment *pixels)
{
    graze_vec2d a = project_far(view, segment.a);
    graze_vec2d b = project_far(view, segment.b);
    const bool is_there = cli_segment_cut(&a, &b, vec2d(view->canvas->width, view->canvas->height),
                                          (double)glow_reach);
    pixels->a = narrow(a);
    pixels->b = narrow(b);
    return is_there;
}

static graze_vec2 project_direction(const picture_view *view, graze_vec2 v)
{
    graze_vec2 turned = {v.x, view->picture->scene->y_down ? v.y : -v.y};
    return turned;
}

static uint32_t clamp_side(double side)
{
    return side > SHORTEST_SIDE ? (uint32_t)side : SHORTEST_SIDE;
}

static void fit_view(picture_view *view)
{
    graze_aabb box = view->picture->view;
    double width = (double)box.upper.x - (double)box.lower.x;
    double height = (double)box.upper.y - (double)box.lower.y;
    if (width == 0 && height == 0) {
        width = height = 1;
    }
    const double longer = width > height ? width : height;
    const uint32_t size = view->picture->size ? view->picture->size : LONGER_SIDE;
    view->middle.x = box.lower.x / 2 + box.upper.x / 2;
    view->middle.y = box.lower.y / 2 + box.upper.y / 2;
    view->scale = (float)((double)(0.96f * (float)size) / longer);
    view->canvas->width = clamp_side(width / longer * size);
    view->canvas->height = clamp_side(height / longer * size);
}

// A loop is a room if all bodies start in it, and a rock if none does.
static cli_fill guess_fill(const cli_scene *scene, const cli_chain *chain)
{
    if (!chain->def.loop || chain->def.sensor) {
        return CLI_FILL_NONE;
    }
    size_t count = grz_list_count(scene->bodies);
    count = count < MAX_STARTS ? count : MAX_STARTS;
    size_t inside = 0;
    for (size_t i = 0; i < count; ++i) {
        inside += cli_scene_chain_contains(scene, chain, scene->bodies[i].def.position);
    }
    if (inside == 0) {
        return CLI_FILL_INSIDE;
    }
    return inside == count ? CLI_FILL_OUTSIDE : CLI_FILL_NONE;
}

static void add_to_mask(const picture_view *view, const cli_chain *chain, cli_mask *mask,
                        cli_mask_operation operation)
{
    const graze_vec2 *points = view->picture->scene->points + chain->first;
    graze_vec2 *pixels = NULL;
    for (uint32_t i = 0; i < chain->def.count; ++i) {
        cli_push(pixels, project(view, points[i]));
    }
    cli_mask_polygon(mask, pixels, chain->def.count, operation);
    grz_list_free(pixels);
}

static cli_fill *choose_fills(const cli_scene *scene)
{
    cli_fill *fills = NULL;
    for (size_t i = 0; i < grz_list_count(scene->chains); ++i) {
        const cli_chain *chain = &scene->chains[i];
        cli_push(fills, chain->fill == CLI_FILL_AUTO ? guess_fill(scene, chain) : chain->fill);
    }
    return fills;
}

/// A chain that is filled or a hole, to be sorted.
typedef struct filled_chain {
    const cli_chain *chain;
    cli_fill fill;
    double area; ///< Of the polygon; units squared.
} filled_chain;

static double area_of(const cli_scene *scene, const cli_chain *chain)
{
    const graze_vec2 *points = scene->points + chain->first;
    double twice = 0;
    graze_vec2d a = offset(points[chain->def.count - 1], points[0]);
    for (uint32_t i = 0; i < chain->def.count; ++i) {
        const graze_vec2d b = offset(points[i], points[0]);
        twice += a.x * b.y - a.y * b.x;
        a = b;
    }
    return fabs(twice) / 2;
}

// Group by group, the larger first: what is in a hole is smaller than it.
static int compare_filled(const void *a, const void *b)
{
    const filled_chain *p = a, *q = b;
    if (p->chain->group != q->chain->group) {
        return p->chain->group < q->chain->group ? -1 : 1;
    }
    return p->area == q->area ? (p->chain > q->chain) - (p->chain < q->chain)
                              : (p->area < q->area) - (p->area > q->area);
}

static void take_larger(cli_mask *mask, const cli_mask *other)
{
    for (size_t i = 0; i < (size_t)mask->width * mask->height; ++i) {
        mask->values[i] = fmaxf(mask->values[i], other->values[i]);
    }
}

static void fill_group(const picture_view *view, const filled_chain *list, size_t count,
                       cli_mask *mask)
{
    for (size_t i = 0; i < count; ++i) {
        add_to_mask(view, list[i].chain, mask,
                    list[i].fill == CLI_FILL_INSIDE ? CLI_MASK_ADD : CLI_MASK_REMOVE);
    }
}

// A hole is one in its own group only: what others fill there stays solid.
static void fill_groups(const picture_view *view, const filled_chain *list, cli_mask *mask)
{
    const size_t count = grz_list_count(list);
    size_t end;
    for (size_t first = 0; first < count; first = end) {
        bool has_hole = false;
        for (end = first; end < count && list[end].chain->group == list[first].chain->group;) {
            has_hole |= list[end++].fill == CLI_FILL_HOLE;
        }
        cli_mask own;
        if (has_hole) {
            cli_mask_init(&own, mask->width, mask->height, 0);
            fill_group(view, list + first, end - first, &own);
            take_larger(mask, &own);
            cli_mask_free(&own);
        } else {
            fill_group(view, list + first, end - first, mask);
        }
    }
}

// Rooms first, since they make everything else solid.
static void fill_mask(const picture_view *view, cli_mask *mask)
{
    const cli_scene *scene = view->picture->scene;
    cli_fill *fills = choose_fills(scene);
    filled_chain *filled = NULL;
    bool has_room = false;
    for (size_t i = 0; i < grz_list_count(fills); ++i) {
        const cli_chain *chain = &scene->chains[i];
        const filled_chain added = {chain, fills[i], area_of(scene, chain)};
        has_room |= fills[i] == CLI_FILL_OUTSIDE;
        if (fills[i] == CLI_FILL_INSIDE || fills[i] == CLI_FILL_HOLE) {
            cli_push(filled, added);
        }
    }
    cli_mask_init(mask, view->canvas->width, view->canvas->height, has_room ? 1 : 0);
    for (size_t i = 0; i < grz_list_count(fills); ++i) {
        if (fills[i] == CLI_FILL_OUTSIDE) {
            add_to_mask(view, &scene->chains[i], mask, CLI_MASK_REMOVE);
        }
    }
    if (filled) {
        qsort(filled, grz_list_count(filled), sizeof *filled, compare_filled);
    }
    fill_groups(view, filled, mask);
    grz_list_free(filled);
    grz_list_free(fills);
}

static float distance_to_segment(graze_vec2 a, graze_vec2 b, graze_vec2 p)
{
    graze_vec2 ab = graze_vec2_sub(b, a);
    graze_vec2 ap = graze_vec2_sub(p, a);
    float square = graze_vec2_dot(ab, ab);
    float along = square > 0 ? graze_vec2_dot(ap, ab) / square : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    graze_vec2 off = graze_vec2_sub(ap, graze_vec2_scale(ab, along));
    return sqrtf(graze_vec2_dot(off, off));
}

static void note_distances(picture_view *view, graze_segment segment)
{
    const uint32_t width = view->canvas->width;
    const float low = fminf(segment.a.y, segment.b.y) - glow_reach;
    const float high = fmaxf(segment.a.y, segment.b.y) + glow_reach;
    const cli_pixel_range rows = cli_pixels_between(low, high, view->canvas->height);
    for (uint32_t y = rows.first; y < rows.end; ++y) {
        const cli_pixel_range columns = cli_pixels_near(segment, glow_reach, y, width);
        for (uint32_t x = columns.first; x < columns.end; ++x) {
            graze_vec2 p = {(float)x + 0.5f, (float)y + 0.5f};
            float distance = distance_to_segment(segment.a, segment.b, p);
            float *nearest = &view->distances[(size_t)y * width + x];
            *nearest = distance < *nearest ? distance : *nearest;
        }
    }
}

/// Marks along a segment: `count` of them, each from part to part of its share.
typedef struct mark_row {
    graze_vec2 from, share;
    int count;
} mark_row;

static mark_row divide_segment(graze_segment segment, float spacing)
{
    graze_vec2 way = graze_vec2_sub(segment.b, segment.a);
    float length = graze_vec2_length(way);
    int count = length < 400 * spacing ? (int)(length / spacing) + 1 : 400;
    mark_row row = {segment.a, graze_vec2_scale(way, 1 / (float)count), count};
    return row;
}

static graze_vec2 point_of(const mark_row *row, float shares)
{
    return graze_vec2_add(row->from, graze_vec2_scale(row->share, shares));
}

static void paint_sensor(picture_view *view, graze_segment pixels)
{
    const cli_paint paint = {cli_color_from_hex(0xF4E27A), 0.55f, 1.2f};
    mark_row row = divide_segment(pixels, 10);
    for (int i = 0; i < row.count; ++i) {
        cli_canvas_line(view->canvas, point_of(&row, (float)i), point_of(&row, (float)i + 0.55f),
                        paint);
    }
}

// Ticks on the side that movers must come from.
static void paint_side(picture_view *view, graze_segment segment, graze_segment pixels)
{
    const cli_paint paint = {cli_color_from_hex(0xA9C6E8), 0.5f, 1.0f};
    graze_vec2 way = graze_vec2_sub(segment.b, segment.a);
    graze_vec2 left = {-way.y, way.x};
    left = graze_vec2_scale(graze_vec2_normalize(project_direction(view, left)), 5);
    mark_row row = divide_segment(pixels, 14);
    for (int i = 0; i < row.count; ++i) {
        graze_vec2 foot = point_of(&row, (float)i + 0.5f);
        cli_canvas_line(view->canvas, foot, graze_vec2_add(foot, left), paint);
    }
}

static void visit_segment(graze_segment segment, graze_segment_id id, void *user)
{
    picture_view *view = user;
    graze_segment pixels;
    if (!graze_chain_get_def(view->world, id.chain).sensor &&
        project_segment(view, segment, &pixels)) {
        note_distances(view, pixels);
    }
}

static void visit_marks(graze_segment segment, graze_segment_id id, void *user)
{
    picture_view *view = user;
    graze_chain_def def = graze_chain_get_def(view->world, id.chain);
    graze_segment pixels;
    if (!project_segment(view, segment, &pixels)) {
        return;
    }
    if (def.sensor) {
        paint_sensor(view, pixels);
    }
    if (def.one_sided) {
        paint_side(view, segment, pixels);
    }
}

/// What the ground is painted with.
typedef struct ground_paint {
    cli_color night, dusk, glow, rock, lit_rock, rim;
} ground_paint;

static cli_color backdrop(const picture_view *view, const ground_paint *paint, uint32_t x,
                          uint32_t y)
{
    float across = (float)x / (float)view->canvas->width - 0.5f;
    float down = (float)y / (float)view->canvas->height - 0.5f;
    float part = 1 - 1.6f * (across * across + down * down);
    return cli_color_mix(paint->night, paint->dusk, part);
}

// Rock is lit from its rim inwards, air a little from the walls; the rim is a line.
static cli_color shade_ground(const picture_view *view, const ground_paint *paint, uint32_t x,
                              uint32_t y, float solid)
{
    float distance = view->distances[(size_t)y * view->canvas->width + x];
    float near = 1 - distance / glow_reach;
    near = near > 0 ? near * near : 0;
    cli_color air = cli_color_mix(backdrop(view, paint, x, y), paint->glow, 0.35f * near);
    cli_color rock = cli_color_mix(paint->rock, paint->lit_rock, 0.85f * near);
    float line = 1.4f - distance;
    line = line < 0 ? 0 : line > 1 ? 1 : line;
    return cli_color_mix(cli_color_mix(air, rock, solid), paint->rim, line);
}

static void paint_ground(picture_view *view)
{
    const ground_paint paint = {cli_color_from_hex(0x080B14), cli_color_from_hex(0x10172A),
                                cli_color_from_hex(0x21406A), cli_color_from_hex(0x1B2230),
                                cli_color_from_hex(0x3D5573), cli_color_from_hex(0xA9C6E8)};
    cli_mask mask;
    fill_mask(view, &mask);
    for (uint32_t y = 0; y < mask.height; ++y) {
        for (uint32_t x = 0; x < mask.width; ++x) {
            size_t i = (size_t)y * mask.width + x;
            view->canvas->pixels[i] = shade_ground(view, &paint, x, y, mask.values[i]);
        }
    }
    cli_mask_free(&mask);
}

uint32_t cli_picture_color(uint32_t number)
{
    return palette[number % PALETTE_COUNT];
}

static cli_color tint_of(const picture_view *view, graze_body_id body)
{
    const cli_picture *picture = view->picture;
    return cli_color_from_hex(picture->tint ? picture->tint(view->world, body, picture->tint_user)
                                            : cli_picture_color(body.index));
}

static bool is_kinematic(const picture_view *view, graze_body_id body)
{
    return graze_body_response(view->world, body) == GRAZE_PASS &&
           !graze_body_is_sensor(view->world, body);
}

// Of a circle or a rect.
static cli_color color_of(const picture_view *view, graze_body_id body)
{
    if (is_kinematic(view, body)) {
        return cli_color_from_hex(0xEFE6D2);
    }
    const float pale = graze_body_is_asleep(view->world, body) ? 0.6f : 0;
    return cli_color_mix(tint_of(view, body), cli_color_from_hex(0x7C8798), pale);
}

static cli_paint fill_of(const picture_view *view, graze_body_id body)
{
    bool is_sensor = graze_body_is_sensor(view->world, body);
    cli_paint paint = {color_of(view, body), is_sensor ? 0.08f : 0.30f, 0};
    return paint;
}

static cli_paint outline_of(const picture_view *view, graze_body_id body, float size)
{
    float stroke = 0.6f + size / 8;
    cli_paint paint = {color_of(view, body), 0.95f, stroke < 1.8f ? stroke : 1.8f};
    return paint;
}

// From the centre to the rim, so that rolling is seen.
static void paint_spoke(picture_view *view, graze_circle pixels, graze_body_id body)
{
    graze_rotation turn = graze_rotation_from_angle(graze_body_angle(view->world, body));
    graze_vec2 spoke = {turn.cosine, turn.sine};
    spoke = graze_vec2_scale(project_direction(view, spoke), pixels.radius);
    cli_canvas_line(view->canvas, pixels.center, graze_vec2_add(pixels.center, spoke),
                    outline_of(view, body, pixels.radius));
}

static void visit_circle(graze_circle circle, graze_body_id body, void *user)
{
    picture_view *view = user;
    graze_circle pixels = {project(view, circle.center), circle.radius * view->scale};
    pixels.radius = pixels.radius > 0.8f ? pixels.radius : 0.8f;
    cli_canvas_circle(view->canvas, pixels, fill_of(view, body));
    cli_canvas_circle(view->canvas, pixels, outline_of(view, body, pixels.radius));
    if (graze_body_response(view->world, body) == GRAZE_RIGID) {
        paint_spoke(view, pixels, body);
    }
}

static void visit_rect(graze_rect rect, graze_body_id body, void *user)
{
    picture_view *view = user;
    graze_vec2 axis = {rect.rotation.cosine, rect.rotation.sine};
    axis = project_direction(view, axis);
    graze_rect pixels = {
        project(view, rect.center), graze_vec2_scale(rect.half, view->scale), {axis.x, axis.y}};
    cli_canvas_rect(view->canvas, pixels, fill_of(view, body));
    cli_canvas_rect(view->canvas, pixels, outline_of(view, body, pixels.half.x));
}

static void visit_ray(graze_ray ray, graze_body_id body, void *user)
{
    picture_view *view = user;
    graze_vec2 way = project_direction(view, ray.delta);
    way = graze_vec2_scale(way, view->picture->streak * view->scale);
    float length = graze_vec2_length(way);
    float shown = length < 3 ? 3 : length > 60 ? 60 : length;
    graze_vec2 tip = project(view, ray.origin);
    graze_vec2 back = graze_vec2_scale(graze_vec2_normalize(way), shown);
    cli_canvas_streak(view->canvas, graze_vec2_sub(tip, back), tip, 4.5f, tint_of(view, body),
                      0.5f);
}

static bool is_ray(const picture_view *view, graze_body_id body)
{
    return graze_body_shape(view->world, body).kind == GRAZE_SHAPE_RAY;
}

static void visit_contact(const graze_contact *contact, void *user)
{
    picture_view *view = user;
    if (view->picture->hides_resting && !is_ray(view, contact->a) && !is_ray(view, contact->b)) {
        return;
    }
    bool is_new = contact->phase == GRAZE_CONTACT_BEGIN;
    const cli_color color = cli_color_from_hex(is_new ? 0xFFF3C9 : 0xB9C4D6);
    graze_vec2 at = project(view, contact->point);
    graze_vec2 normal = project_direction(view, contact->normal);
    cli_paint line = {color, is_new ? 0.9f : 0.6f, 1.1f};
    cli_canvas_line(view->canvas, at, graze_vec2_add(at, graze_vec2_scale(normal, -8)), line);
    graze_circle dot = {at, 1.7f};
    cli_paint fill = {color, is_new ? 1.0f : 0.7f, 0};
    cli_canvas_circle(view->canvas, dot, fill);
    if (is_new) {
        cli_canvas_streak(view->canvas, at, at, 9, color, 0.25f);
    }
}

void cli_picture_draw(const cli_picture *picture, const graze_world *world, cli_canvas *canvas)
{
    picture_view view = {picture, world, canvas, NULL, 1, {0, 0}};
    fit_view(&view);
    const cli_color black = {0, 0, 0};
    cli_canvas_init(canvas, canvas->width, canvas->height, black);
    cli_mask distances;
    cli_mask_init(&distances, canvas->width, canvas->height, glow_reach);
    view.distances = distances.values;
    const graze_painter terrain = {.segment = visit_segment, .user = &view};
    graze_debug_draw(world, &terrain);
    paint_ground(&view);
    const graze_painter bodies = {
        .segment = visit_marks, .circle = visit_circle, .rect = visit_rect, .user = &view};
    graze_debug_draw(world, &bodies);
    const graze_painter lights = {.ray = visit_ray, .contact = visit_contact, .user = &view};
    graze_debug_draw(world, &lights);
    cli_mask_free(&distances);
}
