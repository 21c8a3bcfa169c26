// The layers of a map, from its groups, in one list.

#include "tiled_data.h"
#include "tiled_reader.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *name_place(grz_memory *memory, const grz_layer *outer, const cJSON *node,
                              size_t index)
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
    snprintf(place, sizeof place, "%.80s%slayers[%zu%s]", outer->place, *outer->place ? "." : "",
             index, name);
    return grz_memory_copy(memory, place);
}

static graze_tiled_layer_kind kind_of(const cJSON *layer)
{
    static const char *const kinds[] = {"tilelayer", "objectgroup", "imagelayer", "group"};
    const char *type = grz_json_text(layer, "type");
    uint32_t kind = 0;
    while (kind < COUNT_OF(kinds) && strcmp(kinds[kind], type) != 0) {
        ++kind;
    }
    return (graze_tiled_layer_kind)kind;
}

// What its properties say counts, then its class, then its name, then its group.
static grz_rank rank_layer(const grz_solid *solid, const cJSON *node, const grz_layer *outer)
{
    const grz_rank ranks[] = {grz_solid_rank_properties(solid, node),
                              grz_solid_rank_name(solid, grz_json_text(node, "class")),
                              grz_solid_rank_name(solid, grz_json_text(node, "name")), outer->rank};
    size_t first = 0;
    while (first + 1 < COUNT_OF(ranks) && ranks[first] == GRZ_RANK_NONE) {
        ++first;
    }
    return ranks[first];
}

static bool enter_layer(const grz_map_reader *reader, const cJSON *node, size_t index,
                        grz_layer *layer)
{
    static const char *const numbers[] = {"offsetx", "offsety"};
    const grz_layer *outer = layer->outer;
    if (!grz_json_expect_object(reader->json, node) ||
        !grz_json_expect_numbers(reader->json, node, numbers, COUNT_OF(numbers)) ||
        !grz_tiled_own_role(reader->json, node, &layer->role)) {
        return false;
    }
    layer->role = layer->role == GRZ_ROLE_NONE ? outer->role : layer->role;
    layer->scope.json = reader->json;
    layer->scope.node = node;
    layer->scope.outer = &outer->scope;
    layer->offset_x = outer->offset_x + grz_json_number(node, "offsetx", 0);
    layer->offset_y = outer->offset_y + grz_json_number(node, "offsety", 0);
    layer->place = name_place(reader->memory, outer, node, index);
    layer->kind = kind_of(node);
    layer->rank = rank_layer(&reader->solid, node, outer);
    return true;
}

static void count_cells(const grz_map_reader *reader, grz_layer *layer)
{
    uint32_t last = 0;
    for (size_t i = 0; i < grz_list_count(layer->chunks); ++i) {
        const graze_tiled_chunk *chunk = &layer->chunks[i];
        const size_t count = (size_t)chunk->width * chunk->height;
        layer->cells += count;
        for (size_t k = 0; k < count; ++k) {
            const uint32_t gid = chunk->gids[k] & GRAZE_TILED_GID_MASK;
            layer->filled += gid != 0;
            if (gid != last && reader->sets.collide && !layer->has_solid_tiles) {
                const grz_tile *tile = grz_tilesets_find_tile(&reader->sets, gid);
                layer->has_solid_tiles = grz_tile_collides(&reader->sets, tile);
                last = gid;
            }
        }
    }
}

static bool count_objects(const grz_map_reader *reader, grz_layer *layer)
{
    const cJSON *object;
    if (!grz_json_list(reader->json, layer->scope.node, "objects", &object)) {
        return false;
    }
    layer->has_kinds = object && object->next;
    for (; object; object = object->next) {
        const char *class_name = grz_class_of(object);
        layer->has_kinds &= *class_name && !grz_name_is_thing(class_name);
        const bool is_drawn = grz_tiled_has_outline(grz_tiled_object_kind(object));
        const bool is_classless = is_drawn && !*class_name;
        ++layer->object_count;
        layer->nameless += is_classless && !*grz_json_text(object, "name");
        layer->named += is_classless && *grz_json_text(object, "name");
    }
    return true;
}

static bool read_contents(grz_map_reader *reader, grz_layer *layer)
{
    if (layer->kind == GRAZE_TILED_TILES && layer->role != GRZ_ROLE_IGNORE) {
        if (!grz_tiled_read_chunks(reader->json, layer->scope.node, &layer->chunks)) {
            return false;
        }
        count_cells(reader, layer);
    }
    reader->strange_layers += layer->kind == GRAZE_TILED_UNKNOWN;
    return layer->kind != GRAZE_TILED_OBJECTS || count_objects(reader, layer);
}

// Depth is bounded by the parser's own limit.
static bool list_layers(grz_map_reader *reader, const grz_layer *outer)
{
    const cJSON *node;
    if (!grz_json_list(reader->json, outer->scope.node, "layers", &node)) {
        return false;
    }
    for (size_t index = 0; node; node = node->next, ++index) {
        grz_layer *layer = grz_memory_take(reader->memory, sizeof *layer);
        memset(layer, 0, sizeof *layer);
        layer->outer = outer;
        layer->index = (uint32_t)grz_list_count(reader->layers);
        grz_push(reader->memory, reader->layers, layer);
        if (!enter_layer(reader, node, index, layer) || !read_contents(reader, layer) ||
            (layer->kind == GRAZE_TILED_GROUP && !list_layers(reader, layer))) {
            return false;
        }
    }
    return true;
}

bool grz_tiled_list_layers(grz_map_reader *reader)
{
    grz_layer *all = grz_memory_take(reader->memory, sizeof *all);
    memset(all, 0, sizeof *all);
    all->scope.json = reader->json;
    all->scope.node = reader->json->root;
    all->place = "";
    all->index = GRAZE_TILED_NONE;
    return list_layers(reader, all);
}
