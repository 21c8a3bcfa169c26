// The objects of an object layer: what becomes of each.

#include "tiled_properties.h"
#include "tiled_reader.h"

#include <stdio.h>
#include <string.h>

static bool add_terrain(grz_map_reader *reader, const grz_layer *layer, const grz_scope *scope,
                        bool is_sensor, const char *place)
{
    if (grz_tiled_object_kind(scope->node) == GRZ_OBJECT_TILE) {
        return grz_tiled_add_tile_object(reader, layer, scope, is_sensor, place);
    }
    graze_tiled_chain chain;
    graze_vec2d *points = NULL;
    bool done = grz_tiled_start_chain(reader, scope, is_sensor, place, &chain) &&
                grz_tiled_read_outline(reader->json, scope->node, &points);
    chain.def.loop = grz_tiled_object_kind(scope->node) != GRZ_OBJECT_POLYLINE;
    done = done && grz_tiled_add_chain(reader, layer, chain, points);
    grz_list_free(points);
    return done;
}

grz_rank grz_tiled_rank_object(const grz_map_reader *reader, const grz_layer *layer,
                               const cJSON *object)
{
    const grz_solid *solid = &reader->solid;
    const char *class_name = grz_class_of(object);
    const grz_rank said = grz_solid_rank_properties(solid, object);
    const grz_rank classed = grz_solid_rank_name(solid, class_name);
    const grz_rank named = grz_solid_rank_name(solid, grz_json_text(object, "name"));
    if (grz_solid_is_asked(solid)) {
        return said > classed ? said : classed > named ? classed : named;
    }
    const bool is_of_things = grz_name_is_thing(grz_json_text(layer->scope.node, "name"));
    return said != GRZ_RANK_NONE                          ? said
           : *class_name                                  ? classed
           : is_of_things && layer->rank == GRZ_RANK_NONE ? GRZ_RANK_NONE
                                                          : named;
}

// What an object says itself counts, then its class, then its layer. One with a class of its own,
// or called a spawn, is no terrain. Where all objects have classes, these are kinds of terrain.
static grz_role choose_role(const grz_map_reader *reader, const grz_layer *layer,
                            const cJSON *object, grz_role own)
{
    if (own != GRZ_ROLE_NONE) {
        return own;
    }
    const grz_rank rank = grz_tiled_rank_object(reader, layer, object);
    const bool is_asked = grz_solid_is_asked(&reader->solid);
    if (rank == GRZ_RANK_COLLISION ||
        (!is_asked && rank >= reader->least && rank != GRZ_RANK_NOT)) {
        return GRZ_ROLE_TERRAIN;
    }
    const bool is_classed = *grz_class_of(object) && rank < GRZ_RANK_FLOOR && !layer->has_kinds;
    const bool is_thing =
        rank == GRZ_RANK_NOT || is_classed || grz_name_is_thing(grz_json_text(object, "name"));
    return grz_tiled_is_solid(layer) && is_thing && !is_asked ? GRZ_ROLE_NONE : layer->role;
}

// A tile object has the class and the properties of its tile, where it has none of its own. A tile
// that is terrain in tile layers says nothing about objects.
static grz_scope enter_tile(const grz_map_reader *reader, const grz_layer *layer,
                            const cJSON *object, grz_role *role)
{
    const bool is_tile = grz_tiled_object_kind(object) == GRZ_OBJECT_TILE;
    const uint32_t gid = is_tile ? grz_tiled_object_gid(object) : 0;
    const grz_tile *tile = grz_tilesets_find_tile(&reader->sets, gid);
    if (!tile) {
        return layer->scope;
    }
    const bool is_of_objects = tile->role == GRZ_ROLE_BODY || tile->role == GRZ_ROLE_IGNORE;
    *role = *role == GRZ_ROLE_NONE && is_of_objects ? tile->role : *role;
    const grz_scope scope = {&reader->sets.list[tile->tileset].json, tile->node, &layer->scope};
    return scope;
}

static bool read_role(grz_map_reader *reader, const grz_layer *layer, const cJSON *object,
                      const char *place)
{
    const grz_object_kind kind = grz_tiled_object_kind(object);
    grz_role own;
    if (!grz_tiled_own_role(reader->json, object, &own)) {
        return false;
    }
    const grz_scope outer = enter_tile(reader, layer, object, &own);
    const grz_scope scope = {reader->json, object, &outer};
    const grz_role role = choose_role(reader, layer, object, own);
    const bool is_drawn = kind != GRZ_OBJECT_TEXT && kind != GRZ_OBJECT_TEMPLATE;
    if (role == GRZ_ROLE_BODY && is_drawn) {
        return grz_tiled_add_body(reader, layer, &scope, place);
    }
    const bool is_solid = role == GRZ_ROLE_TERRAIN || role == GRZ_ROLE_SENSOR;
    if (is_solid && (grz_tiled_has_outline(kind) || kind == GRZ_OBJECT_TILE)) {
        return add_terrain(reader, layer, &scope, role == GRZ_ROLE_SENSOR, place);
    }
    // What has a class is the game's own, and known to it.
    const bool is_known = *grz_class_of(object) && grz_tiled_has_outline(kind);
    reader->left_out[kind] += role != GRZ_ROLE_IGNORE && !is_known;
    return true;
}

static graze_tiled_object_kind public_kind(grz_object_kind kind)
{
    static const graze_tiled_object_kind kinds[GRZ_OBJECT_KIND_COUNT] = {
        [GRZ_OBJECT_RECT] = GRAZE_TILED_RECT,         [GRZ_OBJECT_ELLIPSE] = GRAZE_TILED_ELLIPSE,
        [GRZ_OBJECT_CAPSULE] = GRAZE_TILED_CAPSULE,   [GRZ_OBJECT_POLYGON] = GRAZE_TILED_POLYGON,
        [GRZ_OBJECT_POLYLINE] = GRAZE_TILED_POLYLINE, [GRZ_OBJECT_POINT] = GRAZE_TILED_POINT,
        [GRZ_OBJECT_TILE] = GRAZE_TILED_TILE,         [GRZ_OBJECT_TEXT] = GRAZE_TILED_TEXT,
        [GRZ_OBJECT_TEMPLATE] = GRAZE_TILED_RECT};
    return kinds[kind];
}

static bool round_to(const grz_map_reader *reader, const grz_layer *layer, graze_vec2d exact,
                     const char *place, graze_vec2 *point)
{
    const graze_vec2d moved = {exact.x + layer->offset_x, exact.y + layer->offset_y};
    return grz_tiled_round(moved, point) ||
           grz_tiled_fail(reader->json->error, reader->json->path, place,
                          "a point is beyond the range of float");
}

static graze_vec2 smaller(graze_vec2 a, graze_vec2 b)
{
    const graze_vec2 corner = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y};
    return corner;
}

static graze_vec2 larger(graze_vec2 a, graze_vec2 b)
{
    const graze_vec2 corner = {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y};
    return corner;
}

// The corners of a polygon or polyline, and the middle of the box around them.
static bool record_points(grz_map_reader *reader, const grz_layer *layer, const cJSON *node,
                          const char *place, graze_tiled_object *object)
{
    graze_vec2d *exact = NULL;
    bool done = grz_tiled_read_outline(reader->json, node, &exact);
    const size_t count = done ? grz_list_count(exact) : 0;
    graze_vec2 *points = count ? grz_memory_take(reader->memory, count * sizeof *points) : NULL;
    graze_vec2 lower = object->position, upper = object->position;
    for (size_t i = 0; done && i < count; ++i) {
        done = round_to(reader, layer, exact[i], place, &points[i]);
        lower = i ? smaller(lower, points[i]) : points[i];
        upper = i ? larger(upper, points[i]) : points[i];
    }
    object->points = points;
    object->point_count = (uint32_t)count;
    object->center.x = lower.x / 2 + upper.x / 2;
    object->center.y = lower.y / 2 + upper.y / 2;
    grz_list_free(exact);
    return done;
}

static bool record_frame(grz_map_reader *reader, const grz_layer *layer, const cJSON *node,
                         const char *place, graze_tiled_object *object)
{
    grz_frame frame;
    if (!grz_tiled_read_frame(reader->json, node, &frame)) {
        return false;
    }
    const double pi = 3.14159265358979323846;
    const graze_vec2d position = {frame.x, frame.y};
    object->size.x = (float)frame.width;
    object->size.y = (float)frame.height;
    object->angle = (float)(frame.degrees * pi / 180.0);
    return round_to(reader, layer, position, place, &object->position) &&
           round_to(reader, layer, grz_tiled_find_center(reader, node, &frame), place,
                    &object->center);
}

static const char *copy_class(const grz_map_reader *reader, const cJSON *node, uint32_t gid)
{
    const char *name = grz_class_of(node);
    const grz_tile *tile = grz_tilesets_find_tile(&reader->sets, gid & GRAZE_TILED_GID_MASK);
    return grz_memory_copy(reader->memory, *name || !tile ? name : grz_class_of(tile->node));
}

static bool record_object(grz_map_reader *reader, const grz_layer *layer, const cJSON *node,
                          const char *place)
{
    const grz_object_kind kind = grz_tiled_object_kind(node);
    graze_tiled_object object = {.kind = public_kind(kind), .layer = layer->index};
    const double id = grz_json_number(node, "id", 0);
    object.id = id >= 0 && id <= (double)UINT32_MAX ? (uint32_t)id : 0;
    object.gid = kind == GRZ_OBJECT_TILE ? (uint32_t)grz_json_number(node, "gid", 0) : 0;
    object.name = grz_memory_copy(reader->memory, grz_json_text(node, "name"));
    object.class_name = copy_class(reader, node, object.gid);
    object.text =
        grz_memory_copy(reader->memory, grz_json_text(grz_json_get(node, "text"), "text"));
    object.visible = !cJSON_IsFalse(grz_json_get(node, "visible"));
    object.properties = grz_properties_read(reader->json, node);
    object.chain = object.body = GRAZE_TILED_NONE;
    const bool has_points = kind == GRZ_OBJECT_POLYGON || kind == GRZ_OBJECT_POLYLINE;
    if (!record_frame(reader, layer, node, place, &object) ||
        (has_points && !record_points(reader, layer, node, place, &object))) {
        return false;
    }
    grz_push(reader->memory, reader->objects, object);
    return true;
}

static bool read_object(grz_map_reader *reader, const grz_layer *layer, const cJSON *node,
                        const char *place)
{
    const size_t chains = grz_list_count(reader->chains), bodies = grz_list_count(reader->bodies);
    if (!grz_json_expect_object(reader->json, node) || !record_object(reader, layer, node, place)) {
        return false;
    }
    reader->object = (uint32_t)grz_list_count(reader->objects) - 1;
    const bool done = read_role(reader, layer, node, place);
    graze_tiled_object *object = &reader->objects[reader->object];
    if (grz_list_count(reader->chains) > chains) {
        object->chain = (uint32_t)chains;
    }
    if (grz_list_count(reader->bodies) > bodies) {
        object->body = (uint32_t)bodies;
    }
    reader->object = GRAZE_TILED_NONE;
    return done;
}

bool grz_tiled_read_objects(grz_map_reader *reader, const grz_layer *layer)
{
    const cJSON *object;
    size_t index = 0;
    if (!grz_json_list(reader->json, layer->scope.node, "objects", &object)) {
        return false;
    }
    for (; object; object = object->next) {
        char place[256];
        snprintf(place, sizeof place, "%s.objects[%zu id %.0f]", layer->place, index++,
                 grz_json_number(object, "id", 0));
        if (!read_object(reader, layer, object, grz_memory_copy(reader->memory, place))) {
            return false;
        }
    }
    return true;
}
