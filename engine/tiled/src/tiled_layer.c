// The objects of an object layer: what becomes of each.

#include "tiled_reader.h"

#include <stdio.h>

static bool add_terrain(grz_map_reader *reader, const grz_layer_view *layer, const grz_scope *scope,
                        bool is_sensor, const char *place)
{
    graze_tiled_chain chain;
    graze_vec2d *points = NULL;
    bool done = grz_tiled_start_chain(reader, scope, is_sensor, place, &chain) &&
                grz_tiled_read_outline(reader->json, scope->node, &points);
    chain.def.loop = grz_tiled_object_kind(scope->node) != GRZ_OBJECT_POLYLINE;
    done = done && grz_tiled_add_chain(reader, layer, chain, points);
    grz_list_free(points);
    return done;
}

// If nothing says what an object is for. In a map whose tiles collide, rects are places where
// something happens, not walls.
static grz_role guess_role(const grz_map_reader *reader, grz_object_kind kind)
{
    bool is_area = kind == GRZ_OBJECT_RECT || kind == GRZ_OBJECT_ELLIPSE;
    bool is_left_out = reader->has_terrain_layer || (reader->has_solid_tiles && is_area);
    return is_left_out ? GRZ_ROLE_IGNORE : GRZ_ROLE_TERRAIN;
}

// A place where a game has put something is most likely in the open.
static void note_thing(grz_map_reader *reader, const grz_layer_view *layer, const cJSON *object)
{
    graze_vec2d middle = {layer->offset_x + grz_json_number(object, "x", 0) +
                              grz_json_number(object, "width", 0) / 2,
                          layer->offset_y + grz_json_number(object, "y", 0) -
                              grz_json_number(object, "height", 0) / 2};
    graze_vec2 thing;
    if (grz_tiled_round(middle, &thing)) {
        grz_push(reader->memory, reader->things, thing);
    }
}

// A tile object has the class and the properties of its tile, where it has none of its own. A tile
// that is terrain in tile layers says nothing about objects.
static grz_scope enter_tile(const grz_map_reader *reader, const grz_layer_view *layer,
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

static bool read_object(grz_map_reader *reader, const grz_layer_view *layer, const cJSON *object,
                        const char *place)
{
    grz_object_kind kind = grz_tiled_object_kind(object);
    grz_role role;
    if (!grz_json_expect_object(reader->json, object) ||
        !grz_tiled_own_role(reader->json, object, &role)) {
        return false;
    }
    const grz_scope outer = enter_tile(reader, layer, object, &role);
    const grz_scope scope = {reader->json, object, &outer};
    bool is_guessed = role == GRZ_ROLE_NONE && layer->role == GRZ_ROLE_NONE;
    role = is_guessed ? guess_role(reader, kind) : role != GRZ_ROLE_NONE ? role : layer->role;
    bool is_drawn = kind != GRZ_OBJECT_TEXT && kind != GRZ_OBJECT_TEMPLATE;
    if (role == GRZ_ROLE_BODY && is_drawn) {
        return grz_tiled_add_body(reader, layer, &scope, place);
    }
    if ((role == GRZ_ROLE_TERRAIN || role == GRZ_ROLE_SENSOR) && grz_tiled_has_outline(kind)) {
        return add_terrain(reader, layer, &scope, role == GRZ_ROLE_SENSOR, place);
    }
    if (kind == GRZ_OBJECT_POINT || kind == GRZ_OBJECT_TILE) {
        note_thing(reader, layer, object);
    }
    reader->left_out[kind] += is_guessed || role != GRZ_ROLE_IGNORE;
    return true;
}

bool grz_tiled_read_objects(grz_map_reader *reader, const grz_layer_view *layer)
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
