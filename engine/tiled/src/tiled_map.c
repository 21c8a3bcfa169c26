#include "tiled_map.h"

#include "tiled_properties.h"
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

static bool read_layer(grz_map_reader *reader, const grz_layer *layer)
{
    if (layer->kind == GRAZE_TILED_OBJECTS) {
        return grz_tiled_read_objects(reader, layer);
    }
    return layer->kind != GRAZE_TILED_TILES || grz_tiled_read_tiles(reader, layer);
}

static void note_left_out(grz_map_reader *reader)
{
    static const char not_solid[] = "nothing says that they are solid";
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
        {GRZ_OBJECT_CAPSULE, "capsules", not_solid},
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

static bool read_layers(grz_map_reader *reader)
{
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        const uint32_t first = (uint32_t)grz_list_count(reader->objects);
        if (!read_layer(reader, reader->layers[i])) {
            return false;
        }
        reader->layers[i]->first_object = first;
    }
    return true;
}

static bool read_map(grz_map_reader *reader)
{
    const grz_json *json = reader->json;
    const grz_scope all = {json, json->root, NULL};
    if (!grz_json_expect_object(json, json->root) || !grz_tiled_check_types(json, json->root) ||
        !check_map(json) || !read_size(reader) || !grz_templates_resolve(reader->files, json) ||
        !grz_tiled_read_properties(&all, map_fields, COUNT_OF(map_fields), reader->map) ||
        !grz_tilesets_read(&reader->sets, reader->files, json) || !grz_tiled_list_layers(reader) ||
        !grz_tiled_decide(reader) || !read_layers(reader)) {
        return false;
    }
    note_left_out(reader);
    if (grz_list_count(reader->chains) == 0) {
        grz_tiled_note_nothing(reader);
    }
    return true;
}

static graze_tiled_layer finish_layer(const grz_map_reader *reader, const grz_layer *from)
{
    const cJSON *node = from->scope.node;
    graze_tiled_layer layer = {.kind = from->kind,
                               .parent = from->outer->index,
                               .chunks = from->chunks,
                               .chunk_count = (uint32_t)grz_list_count(from->chunks),
                               .first_object = from->first_object,
                               .object_count = from->object_count};
    layer.name = grz_memory_copy(reader->memory, grz_json_text(node, "name"));
    layer.class_name = grz_memory_copy(reader->memory, grz_json_text(node, "class"));
    layer.offset.x = (float)from->offset_x;
    layer.offset.y = (float)from->offset_y;
    layer.visible = !cJSON_IsFalse(grz_json_get(node, "visible"));
    layer.solid = grz_tiled_is_solid(from);
    layer.properties = grz_properties_read(reader->json, node);
    return layer;
}

static uint32_t read_count(const cJSON *node, const char *key)
{
    const double count = grz_json_number(node, key, 0);
    return count >= 0 && count <= (double)UINT32_MAX ? (uint32_t)count : 0;
}

static graze_tiled_tileset finish_tileset(const grz_map_reader *reader, const grz_tileset *from)
{
    graze_tiled_tileset set = {.first_gid = from->first_gid,
                               .tile_count = read_count(from->node, "tilecount"),
                               .columns = read_count(from->node, "columns"),
                               .margin = read_count(from->node, "margin"),
                               .spacing = read_count(from->node, "spacing")};
    const bool is_own_file = from->json.path != reader->json->path;
    set.name = grz_memory_copy(reader->memory, grz_json_text(from->node, "name"));
    set.path = grz_memory_copy(reader->memory, is_own_file ? from->json.path : "");
    set.image = grz_memory_copy(reader->memory, grz_json_text(from->node, "image"));
    set.tile_size.x = (float)from->tile_width;
    set.tile_size.y = (float)from->tile_height;
    set.properties = grz_properties_read(&from->json, from->node);
    return set;
}

static graze_tiled_tile finish_tile(const grz_map_reader *reader, const grz_tile *from)
{
    const grz_json *json = &reader->sets.list[from->tileset].json;
    const graze_tiled_tile tile = {
        from->gid,
        grz_memory_copy(reader->memory, grz_class_of(from->node)),
        grz_memory_copy(reader->memory, grz_json_text(from->node, "image")),
        {(float)from->width, (float)from->height},
        grz_tile_collides(&reader->sets, from),
        grz_properties_read(json, from->node)};
    return tile;
}

static void finish_tiles(grz_map_reader *reader)
{
    graze_tiled_tile *tiles = NULL;
    for (size_t i = 0; i < grz_list_count(reader->sets.tiles); ++i) {
        grz_push(reader->memory, tiles, finish_tile(reader, &reader->sets.tiles[i]));
    }
    reader->map->tiles = tiles;
    reader->map->tile_count = (uint32_t)grz_list_count(tiles);
}

static void finish_layers_and_sets(grz_map_reader *reader)
{
    graze_tiled_layer *layers = NULL;
    graze_tiled_tileset *sets = NULL;
    for (size_t i = 0; i < grz_list_count(reader->layers); ++i) {
        grz_push(reader->memory, layers, finish_layer(reader, reader->layers[i]));
    }
    for (size_t i = 0; i < grz_list_count(reader->sets.list); ++i) {
        grz_push(reader->memory, sets, finish_tileset(reader, &reader->sets.list[i]));
    }
    reader->map->layers = layers;
    reader->map->layer_count = (uint32_t)grz_list_count(layers);
    reader->map->tilesets = sets;
    reader->map->tileset_count = (uint32_t)grz_list_count(sets);
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
    map->objects = reader->objects;
    map->object_count = (uint32_t)grz_list_count(reader->objects);
    map->properties = grz_properties_read(reader->json, reader->json->root);
    finish_layers_and_sets(reader);
    finish_tiles(reader);
    map->notes = (const char *const *)reader->files->notes;
    map->note_count = (uint32_t)grz_list_count(reader->files->notes);
    map->files = (const char *const *)reader->files->paths;
    map->file_count = (uint32_t)grz_list_count(reader->files->paths);
}

bool grz_tiled_read_map(graze_tiled_map *map, grz_files *files, const grz_json *json)
{
    grz_map_reader reader = {.def = files->def,
                             .map = map,
                             .memory = files->memory,
                             .json = json,
                             .files = files,
                             .object = GRAZE_TILED_NONE};
    map->steps = GRAZE_TILED_NONE;
    reader.solid = grz_solid_init(files->memory, files->def);
    reader.sets.solid = &reader.solid;
    reader.sets.take_shapes = grz_solid_takes_shapes(&reader.solid);
    const bool done = read_map(&reader);
    if (done) {
        finish_map(&reader);
    }
    return done;
}
