#include "tiled_properties.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

bool grz_number_read(const char *text, double *number)
{
    char copy[64];
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof copy || strspn(text, "0123456789+-.eE") < length) {
        return false;
    }
    memcpy(copy, text, length + 1);
    char *point = strchr(copy, '.');
    if (point) {
        *point = localeconv()->decimal_point[0];
    }
    char *end;
    *number = strtod(copy, &end);
    return end == copy + length;
}

static graze_tiled_property read_property(const grz_json *json, const char *name, const char *type,
                                          const char *class_name, const cJSON *value);

// Since Tiled 1.2 a list of {name, type, value}, before that an object of names and values, with
// their types beside it. The members of a class are such an object, too.
static graze_tiled_properties read_list(const grz_json *json, const cJSON *list, const cJSON *types)
{
    graze_tiled_property *properties = NULL;
    const cJSON *child = list ? list->child : NULL;
    for (; child; child = child->next) {
        const bool is_plain = cJSON_IsObject(list);
        const char *name = is_plain ? child->string : grz_json_text(child, "name");
        const char *type = is_plain ? grz_json_text(types, name) : grz_json_text(child, "type");
        const char *class_name = is_plain ? "" : grz_json_text(child, "propertytype");
        const cJSON *value = is_plain ? child : grz_json_get(child, "value");
        const graze_tiled_property property = read_property(json, name, type, class_name, value);
        grz_push(json->memory, properties, property);
    }
    const graze_tiled_properties read = {properties, (uint32_t)grz_list_count(properties)};
    return read;
}

static graze_tiled_type choose_type(const char *type, const cJSON *value)
{
    static const struct {
        const char *name;
        graze_tiled_type type;
    } types[] = {{"bool", GRAZE_TILED_BOOL},    {"int", GRAZE_TILED_INT},
                 {"float", GRAZE_TILED_FLOAT},  {"color", GRAZE_TILED_COLOR},
                 {"file", GRAZE_TILED_FILE},    {"object", GRAZE_TILED_OBJECT_REFERENCE},
                 {"class", GRAZE_TILED_CLASS},  {"list", GRAZE_TILED_LIST},
                 {"string", GRAZE_TILED_STRING}};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        if (strcmp(type, types[i].name) == 0) {
            return types[i].type;
        }
    }
    return cJSON_IsBool(value)     ? GRAZE_TILED_BOOL
           : cJSON_IsNumber(value) ? GRAZE_TILED_FLOAT
           : cJSON_IsObject(value) ? GRAZE_TILED_CLASS
           : cJSON_IsArray(value)  ? GRAZE_TILED_LIST
                                   : GRAZE_TILED_STRING;
}

// What a value is counts, not what its type says: it may be of another.
static graze_tiled_property read_property(const grz_json *json, const char *name, const char *type,
                                          const char *class_name, const cJSON *value)
{
    graze_tiled_property property = {grz_memory_copy(json->memory, name),
                                     choose_type(type, value),
                                     grz_memory_copy(json->memory, class_name),
                                     "",
                                     0,
                                     NULL,
                                     0};
    if (cJSON_IsString(value)) {
        property.text = grz_memory_copy(json->memory, value->valuestring);
        if (!grz_number_read(value->valuestring, &property.number)) {
            property.number = strcmp(value->valuestring, "true") == 0 ? 1 : 0;
        }
    } else if (cJSON_IsNumber(value)) {
        property.number = value->valuedouble;
    } else if (cJSON_IsBool(value)) {
        property.number = cJSON_IsTrue(value) ? 1 : 0;
    } else if (cJSON_IsObject(value) || cJSON_IsArray(value)) {
        const graze_tiled_properties members = read_list(json, value, NULL);
        property.members = members.list;
        property.member_count = members.count;
    }
    return property;
}

graze_tiled_properties grz_properties_read(const grz_json *json, const cJSON *node)
{
    return read_list(json, grz_json_get(node, "properties"), grz_json_get(node, "propertytypes"));
}

bool grz_properties_visit(const cJSON *node, grz_property_fn *visit, void *user)
{
    const cJSON *list = grz_json_get(node, "properties");
    for (const cJSON *child = list ? list->child : NULL; child; child = child->next) {
        const bool is_plain = cJSON_IsObject(list);
        const char *name = is_plain ? child->string : grz_json_text(child, "name");
        const cJSON *value = is_plain ? child : grz_json_get(child, "value");
        if (value && visit(name, value, user)) {
            return true;
        }
    }
    return false;
}

const graze_tiled_property *graze_tiled_find(graze_tiled_properties properties, const char *name)
{
    for (uint32_t i = 0; i < properties.count; ++i) {
        if (strcmp(properties.list[i].name, name) == 0) {
            return &properties.list[i];
        }
    }
    return NULL;
}

const char *graze_tiled_text(graze_tiled_properties properties, const char *name,
                             const char *otherwise)
{
    const graze_tiled_property *found = graze_tiled_find(properties, name);
    const bool is_text =
        found && (found->type == GRAZE_TILED_STRING || found->type == GRAZE_TILED_COLOR ||
                  found->type == GRAZE_TILED_FILE);
    return is_text ? found->text : otherwise;
}

double graze_tiled_number(graze_tiled_properties properties, const char *name, double otherwise)
{
    const graze_tiled_property *found = graze_tiled_find(properties, name);
    if (!found) {
        return otherwise;
    }
    if (found->type == GRAZE_TILED_INT || found->type == GRAZE_TILED_FLOAT ||
        found->type == GRAZE_TILED_OBJECT_REFERENCE) {
        return found->number;
    }
    double number;
    return grz_number_read(found->text, &number) ? number : otherwise;
}

bool graze_tiled_flag(graze_tiled_properties properties, const char *name, bool otherwise)
{
    const graze_tiled_property *found = graze_tiled_find(properties, name);
    if (found && found->type == GRAZE_TILED_BOOL) {
        return found->number != 0;
    }
    if (found && (strcmp(found->text, "true") == 0 || strcmp(found->text, "false") == 0)) {
        return found->text[0] == 't';
    }
    return otherwise;
}
