// Tile objects that are solid: their tile's collision shapes, or their rectangle.

#include "tiled_reader.h"

#include <string.h>

/// The place of the object's own (x, y) in a rect, as shares of its size.
typedef struct anchor {
    double x, y;
} anchor;

static anchor find_anchor(const grz_map_reader *reader, const cJSON *object)
{
    static const struct {
        const char *name;
        anchor at;
    } anchors[] = {{"topleft", {0, 0}},    {"top", {0.5, 0}},      {"topright", {1, 0}},
                   {"left", {0, 0.5}},     {"center", {0.5, 0.5}}, {"right", {1, 0.5}},
                   {"bottomleft", {0, 1}}, {"bottom", {0.5, 1}},   {"bottomright", {1, 1}}};
    const anchor rect = {0, 0};
    const anchor tile = {0, 1};
    if (grz_tiled_object_kind(object) != GRZ_OBJECT_TILE) {
        return rect;
    }
    const grz_tileset *set = grz_tilesets_find(&reader->sets, grz_tiled_object_gid(object));
    const char *name = grz_json_text(set ? set->node : NULL, "objectalignment");
    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; ++i) {
        if (strcmp(anchors[i].name, name) == 0) {
            return anchors[i].at;
        }
    }
    return tile;
}

graze_vec2d grz_tiled_find_center(const grz_map_reader *reader, const cJSON *object,
                                  const grz_frame *frame)
{
    const anchor at = find_anchor(reader, object);
    return grz_tiled_place(frame, (0.5 - at.x) * frame->width, (0.5 - at.y) * frame->height);
}

/// How points of a tile get to where the object is.
typedef struct tile_view {
    grz_frame frame;
    anchor at;
    graze_vec2d size; ///< The tile's own.
    bool flip_x, flip_y;
} tile_view;

static graze_vec2d place_point(const tile_view *view, graze_vec2d point)
{
    const double x = (view->flip_x ? view->size.x - point.x : point.x) / view->size.x;
    const double y = (view->flip_y ? view->size.y - point.y : point.y) / view->size.y;
    return grz_tiled_place(&view->frame, (x - view->at.x) * view->frame.width,
                           (y - view->at.y) * view->frame.height);
}

// A mirrored open chain is reversed, so that its left side stays the same.
static bool add_points(grz_map_reader *reader, const grz_layer *layer, graze_tiled_chain chain,
                       const tile_view *view, graze_vec2d *points)
{
    for (size_t i = 0; i < grz_list_count(points); ++i) {
        points[i] = place_point(view, points[i]);
    }
    if (!chain.def.loop && view->flip_x != view->flip_y) {
        grz_tiled_reverse(points);
    }
    return grz_tiled_add_chain(reader, layer, chain, points);
}

static bool add_shape(grz_map_reader *reader, const grz_layer *layer, graze_tiled_chain chain,
                      const tile_view *view, const grz_json *json, const cJSON *shape)
{
    const grz_object_kind kind = grz_tiled_object_kind(shape);
    graze_vec2d *points = NULL;
    if (!grz_tiled_has_outline(kind)) {
        return true;
    }
    chain.def.loop = kind != GRZ_OBJECT_POLYLINE;
    const bool done = grz_tiled_read_outline(json, shape, &points) &&
                      add_points(reader, layer, chain, view, points);
    grz_list_free(points);
    return done;
}

static bool add_whole(grz_map_reader *reader, const grz_layer *layer, graze_tiled_chain chain,
                      const tile_view *view)
{
    const graze_vec2d size = view->size;
    const graze_vec2d corners[4] = {{0, 0}, {0, size.y}, {size.x, size.y}, {size.x, 0}};
    graze_vec2d *points = NULL;
    for (int i = 0; i < 4; ++i) {
        grz_push(reader->memory, points, corners[i]);
    }
    chain.def.loop = true;
    const bool done = add_points(reader, layer, chain, view, points);
    grz_list_free(points);
    return done;
}

static graze_vec2d size_of_tile(const grz_map_reader *reader, uint32_t gid, const grz_frame *frame)
{
    const grz_tile *tile = grz_tilesets_find_tile(&reader->sets, gid);
    const grz_tileset *set = grz_tilesets_find(&reader->sets, gid);
    graze_vec2d size = {tile  ? tile->width
                        : set ? set->tile_width
                              : 0,
                        tile  ? tile->height
                        : set ? set->tile_height
                              : 0};
    if (!(size.x > 0 && size.y > 0)) {
        size.x = frame->width > 0 ? frame->width : 1;
        size.y = frame->height > 0 ? frame->height : 1;
    }
    return size;
}

bool grz_tiled_add_tile_object(grz_map_reader *reader, const grz_layer *layer,
                               const grz_scope *scope, bool is_sensor, const char *place)
{
    const cJSON *object = scope->node;
    const uint32_t gid = grz_tiled_object_gid(object);
    const uint32_t raw = (uint32_t)grz_json_number(object, "gid", 0);
    const grz_tile *tile = grz_tilesets_find_tile(&reader->sets, gid);
    tile_view view = {.at = find_anchor(reader, object),
                      .flip_x = (raw & GRAZE_TILED_FLIP_X) != 0,
                      .flip_y = (raw & GRAZE_TILED_FLIP_Y) != 0};
    graze_tiled_chain chain;
    if (!grz_tiled_read_frame(reader->json, object, &view.frame) ||
        !grz_tiled_start_chain(reader, scope, is_sensor, place, &chain)) {
        return false;
    }
    view.size = size_of_tile(reader, gid, &view.frame);
    if (!tile || !tile->shapes) {
        return add_whole(reader, layer, chain, &view);
    }
    const grz_json *json = &reader->sets.list[tile->tileset].json;
    for (const cJSON *shape = tile->shapes->child; shape; shape = shape->next) {
        if (!add_shape(reader, layer, chain, &view, json, shape)) {
            return false;
        }
    }
    return true;
}
