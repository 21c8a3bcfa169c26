#include "tiled_map.h"

#include "tiled_reader.h"
#include "tiled_template.h"
#include "tiled_types.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MAX_STEPS = 1000000000 };

static const grz_field map_fields[] = {
    {"gravity_x", GRZ_FLOAT, offsetof(graze_tiled_map, gravity.x), 0, 0},
    {"gravity_y", GRZ_FLOAT, offsetof(graze_tiled_map, gravity.y), 0, 0},
    {"dt", GRZ_FLOAT, offsetof(graze_tiled_map, dt), (double)FLT_MIN, (double)FLT_MAX},
    {"steps", GRZ_UINT32, offsetof(graze_tiled_map, steps), 0, MAX_STEPS},
};

static bool is_kind(const cJSON *layer, const char *kind)
{
    return strcmp(grz_json_text(layer, "type"), kind) == 0;
}

static const char *name_place(const grz_map_reader *reader, const grz_layer_view *outer,
                              const cJSON *node, size_t index)
{
    char place[160];
    char name[48] = "";
    const char *said = grz_json_text(node, "name");
    const cJSON *id = grz_json_get(node, "id");
    if (*said) {
        snprintf(name, sizeof name, " \"%.40s\"", said);
    } else if (cJSON_IsNumber(id)) {
        snprintf(name, sizeof name, " id %.0f", id->valuedouble);
    }
    snprintf(place, sizeof place, "%s%slayers[%zu%s]", outer->place, *outer->place ? "." : "",
             index, name);
    return grz_memory_copy(reader->memory, place);
}

static bool enter_layer(const grz_map_reader *reader, const cJSON *node, size_t index,
                        const grz_layer_view *outer, grz_layer_view *layer)
{
    static const char *const numbers[] = {"offsetx", "offsety"};
    if (!grz_json_expect_object(reader->json, node) ||
        !grz_json_expect_numbers(reader->json, node, numbers, COUNT_OF(numbers)) ||
        !grz_tiled_own_role(reader->json, node, &layer->role)) {
        return false;
    }
    bool is_called_solid =
        grz_tiled_names_solid(grz_json_text(node, "name")) || grz_tiled_says_solid(node);
    if (layer->role == GRZ_ROLE_NONE && is_called_solid) {
        layer->role = GRZ_ROLE_TERRAIN;
    }
    layer->role = layer->role == GRZ_ROLE_NONE ? outer->role : layer->role;
    layer->scope.json = reader->json;
    layer->scope.node = node;
    layer->scope.outer = &outer->scope;
    layer->offset_x = outer->offset_x + grz_json_number(node, "offsetx", 0);
    layer->offset_y = outer->offset_y + grz_json_number(node, "offsety", 0);
    layer->place = name_place(reader, outer, node, index);
    return true;
}

typedef bool visit_layer(grz_map_reader *reader, const grz_layer_view *layer);

static bool visit_layers(grz_map_reader *reader, const grz_layer_view *outer, visit_layer *visit)
{
    const cJSON *node;
    if (!grz_json_list(reader->json, outer->scope.node, "layers", &node)) {
        return false;
    }
    for (size_t index = 0; node; node = node->next, ++index) {
        grz_layer_view layer;
        if (!enter_layer(reader, node, index, outer, &layer)) {
            return false;
        }
        if (is_kind(node, "group") ? !visit_layers(reader, &layer, visit)
                                   : !visit(reader, &layer)) {
            return false;
        }
    }
    return true;
}

static bool survey_layer(grz_map_reader *reader, const grz_layer_view *layer)
{
    const cJSON *node = layer->scope.node;
    reader->has_terrain_layer |= grz_tiled_is_solid(layer) && is_kind(node, "objectgroup");
    reader->has_solid_tiles |= grz_tiled_is_solid(layer) && is_kind(node, "tilelayer");
    return true;
}

static bool read_layer(grz_map_reader *reader, const grz_layer_view *layer)
{
    if (is_kind(layer->scope.node, "objectgroup")) {
        return grz_tiled_read_objects(reader, layer);
    }
    if (is_kind(layer->scope.node, "tilelayer")) {
        return grz_tiled_read_tiles(reader, layer);
    }
    reader->strange_layers += !is_kind(layer->scope.node, "imagelayer");
    return true;
}

static void note_left_out(grz_map_reader *reader)
{
    static const char not_solid[] = "their layers are not called solid";
    char template_reason[256];
    snprintf(template_reason, sizeof template_reason, "%.200s cannot be opened",
             reader->files->missing_template ? reader->files->missing_template : "a template");
    const struct {
        grz_object_kind kind;
        const char *name, *reason;
    } notes[] = {
        {GRZ_OBJECT_POLYGON, "polygons", not_solid},
        {GRZ_OBJECT_POLYLINE, "polylines", not_solid},
        {GRZ_OBJECT_RECT, "rectangles", not_solid},
        {GRZ_OBJECT_ELLIPSE, "ellipses", not_solid},
        {GRZ_OBJECT_POINT, "points", "the class \"body\" makes bullets of them"},
        {GRZ_OBJECT_TILE, "tile objects", "the class \"body\" lets them move"},
        {GRZ_OBJECT_TEXT, "text objects", "they are nothing to meet"},
        {GRZ_OBJECT_TEMPLATE, "objects from templates", template_reason},
    };
    for (size_t i = 0; i < COUNT_OF(notes); ++i) {
        uint32_t count = reader->left_out[notes[i].kind];
        if (count > 0) {
            grz_files_note(reader->files, "%s left out: %u (%s)", notes[i].name, count,
                           notes[i].reason);
        }
    }
    if (reader->short_chains > 0) {
        grz_files_note(reader->files, "polylines and polygons of one point left out: %u",
                       reader->short_chains);
    }
    if (reader->sets.left_out > 0) {
        grz_files_note(reader->files,
                       "points, texts and the like among the collision shapes of tiles left "
                       "out: %u",
                       reader->sets.left_out);
    }
    if (reader->strange_layers > 0) {
        grz_files_note(reader->files, "layers of an unknown type left out: %u",
                       reader->strange_layers);
    }
    if (reader->strange_tiles > 0) {
        grz_files_note(reader->files,
                       "tiles that no tileset has: %u, the first with gid %u (left out where "
                       "their layer is not called solid)",
                       reader->strange_tiles, reader->strange_gid);
    }
}

static bool check_map(const grz_json *json)
{
    const char *type = grz_json_text(json->root, "type");
    const char *orientation = grz_json_text(json->root, "orientation");
    if (*type && strcmp(type, "map") != 0) {
        return grz_json_fail(json, grz_json_get(json->root, "type"),
                             "this is a Tiled %.40s, not a map", type);
    }
    if (!*type && !grz_json_get(json->root, "layers")) {
        return grz_json_fail(json, json->root, "\"layers\" is missing: no Tiled map");
    }
    const cJSON *said = grz_json_get(json->root, "orientation");
    if (said && !cJSON_IsString(said)) {
        return grz_json_refuse(json, said, "\"orthogonal\"");
    }
    return !*orientation || strcmp(orientation, "orthogonal") == 0 ||
           grz_json_fail(json, said, "must be \"orthogonal\", not \"%.40s\"", orientation);
}

static bool read_size(grz_map_reader *reader)
{
    static const char *const numbers[] = {"width", "height", "tilewidth", "tileheight"};
    const cJSON *root = reader->json->root;
    if (!grz_json_expect_numbers(reader->json, root, numbers, COUNT_OF(numbers))) {
        return false;
    }
    reader->tile_width = grz_json_number(root, "tilewidth", 16);
    reader->tile_height = grz_json_number(root, "tileheight", 16);
    if (!(reader->tile_width > 0 && reader->tile_height > 0)) {
        return grz_json_fail(reader->json, root, "its tiles measure %g x %g", reader->tile_width,
                             reader->tile_height);
    }
    graze_vec2d size = {grz_json_number(root, "width", 0) * reader->tile_width,
                        grz_json_number(root, "height", 0) * reader->tile_height};
    bool is_infinite = cJSON_IsTrue(grz_json_get(root, "infinite"));
    const graze_vec2d tile = {reader->tile_width, reader->tile_height};
    return grz_tiled_round(tile, &reader->map->tile_size) &&
           (is_infinite || !(size.x > 0 && size.y > 0) ||
            grz_tiled_round(size, &reader->map->size) || true);
}

static bool read_map(grz_map_reader *reader)
{
    const grz_json *json = reader->json;
    const grz_layer_view all = {{json, json->root, NULL}, GRZ_ROLE_NONE, 0, 0, ""};
    if (!grz_json_expect_object(json, json->root) || !grz_tiled_check_types(json, json->root) ||
        !check_map(json) || !read_size(reader) || !grz_templates_resolve(reader->files, json) ||
        !grz_tiled_read_properties(&all.scope, map_fields, COUNT_OF(map_fields), reader->map) ||
        !grz_tilesets_read(&reader->sets, reader->files, json)) {
        return false;
    }
    reader->has_solid_tiles = reader->sets.collide;
    if (!visit_layers(reader, &all, survey_layer) || !visit_layers(reader, &all, read_layer)) {
        return false;
    }
    note_left_out(reader);
    if (grz_list_count(reader->chains) == 0) {
        grz_files_note(reader->files,
                       "the map has no terrain: call an object layer \"Collision\", or "
                       "give tiles collision shapes or a property \"solid\"");
    }
    return true;
}

// The map's arrays are the reader's lists.
static void finish_map(grz_map_reader *reader)
{
    graze_tiled_map *map = reader->map;
    map->chain_count = (uint32_t)grz_list_count(reader->chains);
    for (uint32_t i = 0; i < map->chain_count; ++i) {
        reader->chains[i].def.points = reader->points + reader->firsts[i];
    }
    map->chains = reader->chains;
    map->bodies = reader->bodies;
    map->body_count = (uint32_t)grz_list_count(reader->bodies);
    map->things = reader->things;
    map->thing_count = (uint32_t)grz_list_count(reader->things);
    map->notes = (const char *const *)reader->files->notes;
    map->note_count = (uint32_t)grz_list_count(reader->files->notes);
    map->files = (const char *const *)reader->files->paths;
    map->file_count = (uint32_t)grz_list_count(reader->files->paths);
}

bool grz_tiled_read_map(graze_tiled_map *map, grz_files *files, const grz_json *json)
{
    grz_map_reader reader = {
        .def = files->def, .map = map, .memory = files->memory, .json = json, .files = files};
    map->steps = GRAZE_TILED_NONE;
    const bool done = read_map(&reader);
    if (done) {
        finish_map(&reader);
    }
    return done;
}
