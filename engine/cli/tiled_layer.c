// The objects of an object layer: what becomes of each.

#include "tiled_reader.h"

#include <stdio.h>

static bool add_terrain(cli_map_reader *reader, const cli_layer_view *layer, const cli_scope *scope,
                        bool is_sensor, const char *place)
{
    cli_chain chain;
    graze_vec2d *points = NULL;
    bool done = cli_tiled_start_chain(reader, scope, is_sensor, place, &chain) &&
                cli_tiled_read_outline(reader->json, scope->node, &points);
    chain.def.loop = cli_tiled_object_kind(scope->node) != CLI_OBJECT_POLYLINE;
    done = done && cli_tiled_add_chain(reader, layer, chain, points);
    grz_list_free(points);
    return done;
}

// If nothing says what an object is for. In a map whose tiles collide, rects are places where
// something happens, not walls.
static cli_role guess_role(const cli_map_reader *reader, cli_object_kind kind)
{
    bool is_area = kind == CLI_OBJECT_RECT || kind == CLI_OBJECT_ELLIPSE;
    bool is_left_out = reader->has_terrain_layer || (reader->has_solid_tiles && is_area);
    return is_left_out ? CLI_ROLE_IGNORE : CLI_ROLE_TERRAIN;
}

// A place where a game has put something is most likely in the open.
static void note_thing(cli_map_reader *reader, const cli_layer_view *layer, const cJSON *object)
{
    graze_vec2d middle = {layer->offset_x + cli_json_number(object, "x", 0) +
                              cli_json_number(object, "width", 0) / 2,
                          layer->offset_y + cli_json_number(object, "y", 0) -
                              cli_json_number(object, "height", 0) / 2};
    graze_vec2 thing;
    if (cli_tiled_round(middle, &thing)) {
        cli_push(reader->things, thing);
    }
}

// A tile object has the class and the properties of its tile, where it has none of its own. A tile
// that is terrain in tile layers says nothing about objects.
static cli_scope enter_tile(const cli_map_reader *reader, const cli_layer_view *layer,
                            const cJSON *object, cli_role *role)
{
    const bool is_tile = cli_tiled_object_kind(object) == CLI_OBJECT_TILE;
    const uint32_t gid = is_tile ? cli_tiled_object_gid(object) : 0;
    const cli_tile *tile = cli_tilesets_find_tile(&reader->sets, gid);
    if (!tile) {
        return layer->scope;
    }
    const bool is_of_objects = tile->role == CLI_ROLE_BODY || tile->role == CLI_ROLE_IGNORE;
    *role = *role == CLI_ROLE_NONE && is_of_objects ? tile->role : *role;
    const cli_scope scope = {&reader->sets.list[tile->tileset].json, tile->node, &layer->scope};
    return scope;
}

static bool read_object(cli_map_reader *reader, const cli_layer_view *layer, const cJSON *object,
                        const char *place)
{
    cli_object_kind kind = cli_tiled_object_kind(object);
    cli_role role;
    if (!cli_json_expect_object(reader->json, object) ||
        !cli_tiled_own_role(reader->json, object, &role)) {
        return false;
    }
    const cli_scope outer = enter_tile(reader, layer, object, &role);
    const cli_scope scope = {reader->json, object, &outer};
    bool is_guessed = role == CLI_ROLE_NONE && layer->role == CLI_ROLE_NONE;
    role = is_guessed ? guess_role(reader, kind) : role != CLI_ROLE_NONE ? role : layer->role;
    bool is_drawn = kind != CLI_OBJECT_TEXT && kind != CLI_OBJECT_TEMPLATE;
    if (role == CLI_ROLE_BODY && is_drawn) {
        return cli_tiled_add_body(reader, layer, &scope, place);
    }
    if ((role == CLI_ROLE_TERRAIN || role == CLI_ROLE_SENSOR) && cli_tiled_has_outline(kind)) {
        return add_terrain(reader, layer, &scope, role == CLI_ROLE_SENSOR, place);
    }
    if (kind == CLI_OBJECT_POINT || kind == CLI_OBJECT_TILE) {
        note_thing(reader, layer, object);
    }
    reader->left_out[kind] += is_guessed || role != CLI_ROLE_IGNORE;
    return true;
}

bool cli_tiled_read_objects(cli_map_reader *reader, const cli_layer_view *layer)
{
    const cJSON *object;
    size_t index = 0;
    if (!cli_json_list(reader->json, layer->scope.node, "objects", &object)) {
        return false;
    }
    for (; object; object = object->next) {
        char place[256];
        snprintf(place, sizeof place, "%s.objects[%zu id %.0f]", layer->place, index++,
                 cli_json_number(object, "id", 0));
        if (!read_object(reader, layer, object, place)) {
            return false;
        }
    }
    return true;
}
