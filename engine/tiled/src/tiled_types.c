#include "tiled_types.h"

#include <stdint.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// What a value must be, and the words of the error when it is not.
typedef struct grz_type {
    const char *key;
    bool (*fits)(const cJSON *value);
    const char *wanted;
} grz_type;

static bool is_text(const cJSON *value)
{
    return cJSON_IsString(value) != 0;
}

static bool is_flag(const cJSON *value)
{
    return cJSON_IsBool(value) != 0;
}

static bool is_object(const cJSON *value)
{
    return cJSON_IsObject(value) != 0;
}

static bool is_number(const cJSON *value)
{
    return cJSON_IsNumber(value) != 0;
}

static bool is_gid(const cJSON *value)
{
    const double number = cJSON_IsNumber(value) ? value->valuedouble : -1;
    return number >= 0 && number <= (double)UINT32_MAX && number == (double)(uint32_t)number;
}

// Since Tiled 1.2 a list of objects with names and values, before that an object of them.
static bool is_properties(const cJSON *value)
{
    bool fits = cJSON_IsArray(value) || cJSON_IsObject(value);
    for (const cJSON *one = cJSON_IsArray(value) ? value->child : NULL; one; one = one->next) {
        fits = fits && *grz_json_text(one, "name") != 0;
    }
    return fits;
}

// Keys whose values are checked where they are read are not listed.
static const grz_type types[] = {
    {"capsule", is_flag, "true or false"},
    {"class", is_text, "a text"},
    {"compression", is_text, "a text"},
    {"ellipse", is_flag, "true or false"},
    {"encoding", is_text, "a text"},
    {"gid", is_gid, "a whole number from 0 to 4294967295"},
    {"image", is_text, "a text"},
    {"imageheight", is_number, "a number"},
    {"imagewidth", is_number, "a number"},
    {"infinite", is_flag, "true or false"},
    {"name", is_text, "a text"},
    {"objectalignment", is_text, "a text"},
    {"objectgroup", is_object, "an object"},
    {"point", is_flag, "true or false"},
    {"properties", is_properties, "a list of properties with names"},
    {"source", is_text, "a text"},
    {"template", is_text, "a text"},
    {"text", is_object, "an object"},
    {"tileoffset", is_object, "an object"},
    {"type", is_text, "a text"},
};

static const grz_type *find_type(const char *key)
{
    const grz_type *const end = types + COUNT_OF(types);
    const grz_type *type = types;
    while (type < end && strcmp(type->key, key) != 0) {
        ++type;
    }
    return type < end ? type : NULL;
}

// A text object holds its text; properties are called as their users like.
static bool has_keys_of_its_own(const cJSON *node)
{
    static const char *const keys[] = {"text", "properties", "propertytypes", "tileproperties",
                                       "tilepropertytypes"};
    size_t i = 0;
    while (node->string && i < COUNT_OF(keys) && strcmp(node->string, keys[i]) != 0) {
        ++i;
    }
    return node->string && i < COUNT_OF(keys);
}

// Depth is bounded by the parser's own limit.
bool grz_tiled_check_types(const grz_json *json, const cJSON *node)
{
    for (const cJSON *child = node->child; child; child = child->next) {
        const grz_type *type = child->string ? find_type(child->string) : NULL;
        if (type && !type->fits(child)) {
            return grz_json_refuse(json, child, type->wanted);
        }
        if (!has_keys_of_its_own(child) && !grz_tiled_check_types(json, child)) {
            return false;
        }
    }
    return true;
}
