#include "map_command.h"

#include "text_file.h"
#include "tiled_scene.h"

#include <graze/tiled.h>

#include <math.h>
#include <stdlib.h>

static const char *const layer_kinds[] = {"tiles", "objects", "image", "group", "unknown"};
static const char *const object_kinds[] = {"rect",     "ellipse", "capsule", "polygon",
                                           "polyline", "point",   "tile",    "text"};
static const char *const fills[] = {"line", "outline", "solid", "hole"};

static void print_text(const char *text)
{
    putchar('"');
    for (; *text; ++text) {
        const unsigned char letter = (unsigned char)*text;
        if (letter < 0x20 || letter == 0x7F) {
            printf("\\u%04x", letter);
        } else {
            printf("%s%c", letter == '"' || letter == '\\' ? "\\" : "", letter);
        }
    }
    putchar('"');
}

static void print_text_field(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    print_text(text);
    printf(", ");
}

// JSON has no infinity.
static void print_number(double number)
{
    if (isfinite(number)) {
        printf("%.17g", number);
    } else {
        printf("null");
    }
}

static void print_vec2(graze_vec2 v)
{
    printf("[%.9g, %.9g]", (double)v.x, (double)v.y);
}

static void print_vec2_field(const char *key, graze_vec2 v)
{
    printf("\"%s\": ", key);
    print_vec2(v);
    printf(", ");
}

static void print_index_field(const char *key, uint32_t index)
{
    if (index == GRAZE_TILED_NONE) {
        printf("\"%s\": null, ", key);
    } else {
        printf("\"%s\": %u, ", key, index);
    }
}

static const char *truth(bool flag)
{
    return flag ? "true" : "false";
}

static void print_points(const graze_vec2 *points, uint32_t count)
{
    printf("\"points\": [");
    for (uint32_t i = 0; i < count; ++i) {
        printf("%s", i ? ", " : "");
        print_vec2(points[i]);
    }
    printf("]");
}

static void print_value(const graze_tiled_property *property);

// The members of a class, or the elements of a list. Depth is bounded by the reader's.
static void print_members(const graze_tiled_property *list, uint32_t count, bool has_names)
{
    putchar(has_names ? '{' : '[');
    for (uint32_t i = 0; i < count; ++i) {
        printf("%s", i ? ", " : "");
        if (has_names) {
            print_text(list[i].name);
            printf(": ");
        }
        print_value(&list[i]);
    }
    putchar(has_names ? '}' : ']');
}

static void print_value(const graze_tiled_property *property)
{
    switch (property->type) {
    case GRAZE_TILED_BOOL:
        printf("%s", truth(property->number != 0));
        break;
    case GRAZE_TILED_INT:
    case GRAZE_TILED_FLOAT:
    case GRAZE_TILED_OBJECT_REFERENCE:
        print_number(property->number);
        break;
    case GRAZE_TILED_CLASS:
    case GRAZE_TILED_LIST:
        print_members(property->members, property->member_count,
                      property->type == GRAZE_TILED_CLASS);
        break;
    default:
        print_text(property->text);
        break;
    }
}

static void print_properties(graze_tiled_properties properties)
{
    printf("\"properties\": ");
    print_members(properties.list, properties.count, true);
}

static void print_chunk(const graze_tiled_chunk *chunk)
{
    printf("{\"x\": %d, \"y\": %d, \"width\": %u, \"height\": %u, \"gids\": [", chunk->x, chunk->y,
           chunk->width, chunk->height);
    for (size_t i = 0; i < (size_t)chunk->width * chunk->height; ++i) {
        printf("%s%u", i ? "," : "", chunk->gids[i]);
    }
    printf("]}");
}

static void print_layer(const graze_tiled_layer *layer, bool with_tiles)
{
    printf("{");
    print_text_field("name", layer->name);
    print_text_field("class", layer->class_name);
    printf("\"kind\": \"%s\", \"solid\": %s, \"visible\": %s, ", layer_kinds[layer->kind],
           truth(layer->solid), truth(layer->visible));
    print_index_field("parent", layer->parent);
    print_vec2_field("offset", layer->offset);
    printf("\"objects\": %u, ", layer->object_count);
    if (with_tiles) {
        printf("\"chunks\": [");
        for (uint32_t i = 0; i < layer->chunk_count; ++i) {
            printf("%s", i ? ", " : "");
            print_chunk(&layer->chunks[i]);
        }
        printf("], ");
    }
    print_properties(layer->properties);
    printf("}");
}

static void print_chain(const graze_tiled_chain *chain)
{
    printf("{");
    print_index_field("layer", chain->layer);
    print_index_field("object", chain->object);
    printf("\"loop\": %s, \"one_sided\": %s, \"sensor\": %s, \"fill\": \"%s\", ",
           truth(chain->def.loop), truth(chain->def.one_sided), truth(chain->def.sensor),
           fills[chain->fill]);
    print_points(chain->def.points, chain->def.count);
    printf("}");
}

static void print_body(const graze_tiled_body *body)
{
    static const char *const shapes[] = {"circle", "rect", "ray"};
    const graze_shape *shape = &body->def.shape;
    printf("{");
    print_index_field("object", body->object);
    printf("\"shape\": \"%s\", \"angle\": %.9g, ",
           shape->kind == GRAZE_SHAPE_CIRCLE ? shapes[0]
           : shape->kind == GRAZE_SHAPE_RECT ? shapes[1]
                                             : shapes[2],
           (double)body->def.angle);
    if (shape->kind == GRAZE_SHAPE_RECT) {
        print_vec2_field("half", shape->half);
    } else if (shape->kind == GRAZE_SHAPE_CIRCLE) {
        printf("\"radius\": %.9g, ", (double)shape->radius);
    }
    print_vec2_field("position", body->def.position);
    printf("\"velocity\": ");
    print_vec2(body->def.velocity);
    printf("}");
}

static void print_object(const graze_tiled_object *object)
{
    printf("{\"id\": %u, ", object->id);
    print_text_field("name", object->name);
    print_text_field("class", object->class_name);
    printf("\"kind\": \"%s\", \"visible\": %s, \"gid\": %u, \"angle\": %.9g, ",
           object_kinds[object->kind], truth(object->visible), object->gid, (double)object->angle);
    print_index_field("layer", object->layer);
    print_vec2_field("position", object->position);
    print_vec2_field("center", object->center);
    print_vec2_field("size", object->size);
    print_index_field("chain", object->chain);
    print_index_field("body", object->body);
    if (object->kind == GRAZE_TILED_TEXT) {
        print_text_field("text", object->text);
    }
    if (object->point_count > 0) {
        print_points(object->points, object->point_count);
        printf(", ");
    }
    print_properties(object->properties);
    printf("}");
}

static void print_tileset(const graze_tiled_tileset *set)
{
    printf("{");
    print_text_field("name", set->name);
    print_text_field("path", set->path);
    print_text_field("image", set->image);
    print_vec2_field("tile_size", set->tile_size);
    printf("\"first_gid\": %u, \"tile_count\": %u, \"columns\": %u, ", set->first_gid,
           set->tile_count, set->columns);
    print_properties(set->properties);
    printf("}");
}

static void begin_list(const char *key)
{
    printf(",\n\"%s\": [", key);
}

static void begin_element(uint32_t index)
{
    printf("%s\n  ", index ? "," : "");
}

static void print_lines(const char *key, const char *const *lines, uint32_t count)
{
    begin_list(key);
    for (uint32_t i = 0; i < count; ++i) {
        begin_element(i);
        print_text(lines[i]);
    }
    printf("]");
}

static void print_map(const graze_tiled_map *map, const char *path, bool with_tiles)
{
    printf("{");
    print_text_field("file", path);
    print_vec2_field("size", map->size);
    print_vec2_field("tile_size", map->tile_size);
    print_vec2_field("gravity", map->gravity);
    print_properties(map->properties);
    begin_list("layers");
    for (uint32_t i = 0; i < map->layer_count; ++i) {
        begin_element(i);
        print_layer(&map->layers[i], with_tiles);
    }
    putchar(']');
    begin_list("chains");
    for (uint32_t i = 0; i < map->chain_count; ++i) {
        begin_element(i);
        print_chain(&map->chains[i]);
    }
    putchar(']');
    begin_list("bodies");
    for (uint32_t i = 0; i < map->body_count; ++i) {
        begin_element(i);
        print_body(&map->bodies[i]);
    }
    putchar(']');
    begin_list("objects");
    for (uint32_t i = 0; i < map->object_count; ++i) {
        begin_element(i);
        print_object(&map->objects[i]);
    }
    putchar(']');
    begin_list("tilesets");
    for (uint32_t i = 0; i < map->tileset_count; ++i) {
        begin_element(i);
        print_tileset(&map->tilesets[i]);
    }
    putchar(']');
    print_lines("notes", map->notes, map->note_count);
    print_lines("files", map->files, map->file_count);
    printf("}\n");
}

int cli_map(const cli_options *options)
{
    cli_text text;
    cli_error error;
    if (!cli_bytes_read(options->scene, CLI_LARGEST_FILE, &text, &error)) {
        return cli_complain(CLI_REFUSED, "%s", error.text);
    }
    if (!graze_tiled_is_map(text.data, text.size)) {
        free(text.data);
        return cli_complain(CLI_REFUSED, "%s: this is no Tiled map", options->scene);
    }
    graze_tiled_map *map =
        cli_tiled_load(options->scene, text.data, text.size, &options->solid, &error);
    free(text.data);
    if (!map) {
        return cli_complain(CLI_REFUSED, "%s", error.text);
    }
    print_map(map, options->scene, options->tiles);
    graze_tiled_free(map);
    return CLI_OK;
}
