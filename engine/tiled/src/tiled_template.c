#include "tiled_template.h"

#include "tiled_types.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

// Of these an object has one at most.
static bool is_shape(const char *key)
{
    static const char *const shapes[] = {"gid",     "ellipse",  "point", "capsule",
                                         "polygon", "polyline", "text"};
    size_t i = 0;
    while (i < COUNT_OF(shapes) && strcmp(shapes[i], key) != 0) {
        ++i;
    }
    return i < COUNT_OF(shapes);
}

static bool has_shape(const cJSON *object)
{
    const cJSON *child = object->child;
    while (child && !is_shape(child->string)) {
        child = child->next;
    }
    return child;
}

static cJSON *copy_value(grz_memory *memory, const cJSON *value)
{
    cJSON *copy = cJSON_Duplicate(value, true);
    grz_memory_require(memory, copy);
    return copy;
}

static bool has_property(const cJSON *list, const char *name)
{
    const cJSON *property = list->child;
    while (property && strcmp(grz_json_text(property, "name"), name) != 0) {
        property = property->next;
    }
    return property;
}

static void merge_lists(grz_memory *memory, cJSON *own, const cJSON *from)
{
    for (const cJSON *property = from->child; property; property = property->next) {
        if (!has_property(own, grz_json_text(property, "name"))) {
            grz_memory_require(memory, cJSON_AddItemToArray(own, copy_value(memory, property)));
        }
    }
}

// Before Tiled 1.2 properties were an object of names.
static void merge_objects(grz_memory *memory, cJSON *own, const cJSON *from)
{
    for (const cJSON *value = from->child; value; value = value->next) {
        if (!grz_json_get(own, value->string)) {
            grz_memory_require(
                memory, cJSON_AddItemToObject(own, value->string, copy_value(memory, value)));
        }
    }
}

static void merge_properties(grz_memory *memory, cJSON *own, const cJSON *from)
{
    if (cJSON_IsArray(own) && cJSON_IsArray(from)) {
        merge_lists(memory, own, from);
    } else if (cJSON_IsObject(own) && cJSON_IsObject(from)) {
        merge_objects(memory, own, from);
    }
}

// `object` may be changed; its key "template" goes.
static void merge(grz_memory *memory, cJSON *object, const cJSON *from)
{
    const bool has_own_shape = has_shape(object);
    cJSON_DeleteItemFromObjectCaseSensitive(object, "template");
    for (const cJSON *value = from->child; value; value = value->next) {
        cJSON *own = cJSON_GetObjectItemCaseSensitive(object, value->string);
        if (own && strcmp(value->string, "properties") == 0) {
            merge_properties(memory, own, value);
        } else if (!own && !(has_own_shape && is_shape(value->string))) {
            grz_memory_require(
                memory, cJSON_AddItemToObject(object, value->string, copy_value(memory, value)));
        }
    }
}

// --- The tile of a template ---

static bool ends_in_parent(const char *path, const char *end)
{
    return end - path >= 3 && memcmp(end - 3, "../", 3) == 0;
}

// Drops "." and what ".." goes back from, so that two paths of a file are one.
static void simplify_path(char *path)
{
    char *to = path;
    const char *from = path;
    while (*from) {
        const size_t length = strcspn(from, "/");
        const size_t taken = length + (from[length] == '/');
        const bool goes_back = length == 2 && memcmp(from, "..", 2) == 0;
        if (goes_back && to > path && !ends_in_parent(path, to)) {
            for (--to; to > path && to[-1] != '/'; --to) {
            }
        } else if (!(length == 1 && *from == '.') && !(length == 0 && to > path)) {
            memmove(to, from, taken);
            to += taken;
        }
        from += taken;
    }
    *to = 0;
}

static char *path_of(grz_memory *memory, const grz_json *json, const cJSON *tileset)
{
    char *path = grz_path_beside(memory, json->path, grz_json_text(tileset, "source"));
    simplify_path(path);
    return path;
}

// Returns the map's tileset of the same file; null if it has none.
static const cJSON *find_tileset(const grz_json *map, const grz_json *from, const cJSON *wanted)
{
    const char *path = path_of(map->memory, from, wanted);
    const cJSON *list = grz_json_get(map->root, "tilesets");
    const cJSON *set = cJSON_IsArray(list) ? list->child : NULL;
    while (set && strcmp(path_of(map->memory, map, set), path) != 0) {
        set = set->next;
    }
    return set;
}

// A template has a tileset of its own, whose tiles count from another number. A gid of 0 is that of
// a tile that is not known.
static void number_tile(const grz_json *map, const grz_json *from, cJSON *object)
{
    cJSON *gid = cJSON_GetObjectItemCaseSensitive(object, "gid");
    const cJSON *wanted = grz_json_get(from->root, "tileset");
    if (!cJSON_IsNumber(gid) || !wanted) {
        return;
    }
    const cJSON *set = find_tileset(map, from, wanted);
    const double shift =
        grz_json_number(set, "firstgid", 0) - grz_json_number(wanted, "firstgid", 1);
    cJSON_SetNumberHelper(gid, set ? gid->valuedouble + shift : 0);
}

// --- All objects ---

/// A template that has been read, or could not be.
typedef struct template_file {
    const char *name; ///< As the map has it.
    cJSON *object;    ///< Null: it could not be opened.
} template_file;

typedef struct template_list {
    grz_files *files;
    const grz_json *map;
    template_file *list;
} template_list;

static bool check_template(const grz_json *json)
{
    return cJSON_IsObject(grz_json_get(json->root, "object")) ||
           grz_json_fail(json, json->root, "\"object\" is missing: no Tiled template");
}

static bool read_template(template_list *templates, const cJSON *name, template_file *file)
{
    grz_json json;
    file->name = name->valuestring;
    file->object = NULL;
    if (!grz_files_read(templates->files, &json, templates->map, name)) {
        const char **missing = &templates->files->missing_template;
        *missing = *missing ? *missing : json.path;
        return templates->files->is_missing;
    }
    if (!check_template(&json) || !grz_tiled_check_types(&json, json.root)) {
        return false;
    }
    file->object = cJSON_GetObjectItemCaseSensitive(json.root, "object");
    cJSON_DeleteItemFromObjectCaseSensitive(file->object, "template");
    number_tile(templates->map, &json, file->object);
    return true;
}

static bool find_template(template_list *templates, const cJSON *name, template_file *file)
{
    for (size_t i = 0; i < grz_list_count(templates->list); ++i) {
        *file = templates->list[i];
        if (strcmp(file->name, name->valuestring) == 0) {
            return true;
        }
    }
    if (!read_template(templates, name, file)) {
        return false;
    }
    file->name = grz_memory_copy(templates->map->memory, file->name);
    grz_push(templates->map->memory, templates->list, *file);
    return true;
}

static bool resolve_objects(template_list *templates, cJSON *layer)
{
    const cJSON *objects = grz_json_get(layer, "objects");
    for (cJSON *object = cJSON_IsArray(objects) ? objects->child : NULL; object;
         object = object->next) {
        const cJSON *name = grz_json_get(object, "template");
        template_file file;
        if (!cJSON_IsString(name)) {
            continue;
        }
        if (!find_template(templates, name, &file)) {
            return false;
        }
        if (file.object) {
            merge(templates->map->memory, object, file.object);
        }
    }
    return true;
}

// Depth is bounded by the parsers' own limits.
static bool resolve_layers(template_list *templates, const cJSON *parent)
{
    const cJSON *layers = grz_json_get(parent, "layers");
    for (cJSON *layer = cJSON_IsArray(layers) ? layers->child : NULL; layer; layer = layer->next) {
        if (!resolve_objects(templates, layer) || !resolve_layers(templates, layer)) {
            return false;
        }
    }
    return true;
}

bool grz_templates_resolve(grz_files *files, const grz_json *map)
{
    template_list templates = {files, map, NULL};
    const bool done = resolve_layers(&templates, map->root);
    grz_list_free(templates.list);
    return done;
}
