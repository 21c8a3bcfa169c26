#include "json_fields.h"

#include "plural.h"

#include <graze/body.h>
#include <graze/vec2.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const grz_field grz_surface_fields[] = {
    {"friction", GRZ_FLOAT, offsetof(graze_surface, friction), 0, (double)FLT_MAX},
    {"restitution", GRZ_FLOAT, offsetof(graze_surface, restitution), 0, 1},
    {"rolling_resistance", GRZ_FLOAT, offsetof(graze_surface, rolling_resistance), 0,
     (double)FLT_MAX},
    {"speed", GRZ_FLOAT, offsetof(graze_surface, speed), 0, 0},
};

const size_t grz_surface_field_count = sizeof grz_surface_fields / sizeof *grz_surface_fields;

static bool fail_bound(const grz_json *json, const cJSON *node, const char *relation, double bound)
{
    char wanted[GRZ_LONGEST_VALUE];
    snprintf(wanted, sizeof wanted, "%s %g", relation, bound);
    return grz_json_refuse(json, node, wanted);
}

static bool store_float(const grz_json *json, const cJSON *node, const grz_field *field,
                        float *value)
{
    if (!cJSON_IsNumber(node)) {
        return grz_json_refuse(json, node, "a number");
    }
    double number = node->valuedouble;
    if (!isfinite(number) || fabs(number) > (double)FLT_MAX) {
        char text[GRZ_LONGEST_VALUE];
        grz_json_describe(node, text, sizeof text);
        return grz_json_fail(json, node, "%s is beyond the range of float", text);
    }
    bool is_bounded = field->least < field->most;
    if (is_bounded && number > 0 && number < (double)FLT_TRUE_MIN) {
        return grz_json_refuse(json, node, "a number that float can hold");
    }
    if (is_bounded && number < field->least && field->least > 0) {
        return grz_json_refuse(json, node, "above 0");
    }
    if (is_bounded && number < field->least) {
        return fail_bound(json, node, "at least", field->least);
    }
    if (is_bounded && number > field->most) {
        return fail_bound(json, node, "at most", field->most);
    }
    *value = (float)number;
    return true;
}

static bool store_vec2(const grz_json *json, const cJSON *node, const grz_field *field,
                       graze_vec2 *value)
{
    if (!cJSON_IsArray(node)) {
        return grz_json_refuse(json, node, "two numbers [x, y]");
    }
    int count = cJSON_GetArraySize(node);
    if (count != 2) {
        return grz_json_fail(json, node, "must be two numbers [x, y], not %d %s", count,
                             grz_plural((unsigned)count, "value", "values"));
    }
    return store_float(json, node->child, field, &value->x) &&
           store_float(json, node->child->next, field, &value->y);
}

static bool read_integer(const grz_json *json, const cJSON *node, double least, double most,
                         double *value)
{
    bool fits = cJSON_IsNumber(node) && node->valuedouble >= least && node->valuedouble <= most &&
                floor(node->valuedouble) == node->valuedouble;
    if (!fits) {
        char wanted[GRZ_LONGEST_VALUE];
        snprintf(wanted, sizeof wanted, "a whole number from %.0f to %.0f", least, most);
        return grz_json_refuse(json, node, wanted);
    }
    *value = node->valuedouble;
    return true;
}

static bool store_bool(const grz_json *json, const cJSON *node, bool *value)
{
    if (!cJSON_IsBool(node)) {
        return grz_json_refuse(json, node, "true or false");
    }
    *value = cJSON_IsTrue(node);
    return true;
}

static bool store_response(const grz_json *json, const cJSON *node, graze_response *value)
{
    static const char *const names[] = {"pass", "stop", "slide", "bounce", "rigid"};
    for (unsigned i = 0; cJSON_IsString(node) && i < sizeof names / sizeof *names; ++i) {
        if (strcmp(node->valuestring, names[i]) == 0) {
            *value = (graze_response)i;
            return true;
        }
    }
    return grz_json_refuse(json, node, "\"pass\", \"stop\", \"slide\", \"bounce\" or \"rigid\"");
}

bool grz_json_store(const grz_json *json, const cJSON *node, const grz_field *field, void *target)
{
    void *place = (char *)target + field->offset;
    double whole = 0;
    switch (field->kind) {
    case GRZ_ELSEWHERE:
        return true;
    case GRZ_BOOL:
        return store_bool(json, node, place);
    case GRZ_FLOAT:
        return store_float(json, node, field, place);
    case GRZ_VEC2:
        return store_vec2(json, node, field, place);
    case GRZ_RESPONSE:
        return store_response(json, node, place);
    case GRZ_INT32:
        return read_integer(json, node, INT32_MIN, INT32_MAX, &whole) &&
               (*(int32_t *)place = (int32_t)whole, true);
    case GRZ_UINT32:
        return read_integer(json, node, 0, field->most > 0 ? field->most : UINT32_MAX, &whole) &&
               (*(uint32_t *)place = (uint32_t)whole, true);
    case GRZ_UINT64:
        return read_integer(json, node, 0, 9007199254740991.0, &whole) &&
               (*(uint64_t *)place = (uint64_t)whole, true);
    }
    return false;
}

static size_t find_field(const grz_field *fields, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(fields[i].name, name) != 0) {
        ++i;
    }
    return i;
}

static bool fail_unknown(const grz_json *json, const cJSON *node, const grz_field *fields,
                         size_t count)
{
    char known[sizeof json->error->message] = "";
    for (size_t i = 0; i < count; ++i) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", fields[i].name);
    }
    return grz_json_fail(json, node, "unknown key; known here: %s", known);
}

bool grz_json_read_fields(const grz_json *json, const cJSON *object, const grz_field *fields,
                          size_t count, void *target)
{
    if (!grz_json_expect_object(json, object)) {
        return false;
    }
    for (const cJSON *child = object->child; child; child = child->next) {
        size_t i = find_field(fields, count, child->string);
        if (i == count) {
            return fail_unknown(json, child, fields, count);
        }
        if (!grz_json_store(json, child, &fields[i], target)) {
            return false;
        }
    }
    return true;
}

bool grz_json_expect_numbers(const grz_json *json, const cJSON *object, const char *const *keys,
                             size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const grz_field field = {keys[i], GRZ_FLOAT, 0, 0, 0};
        const cJSON *node = grz_json_get(object, keys[i]);
        float unused;
        if (node && !grz_json_store(json, node, &field, &unused)) {
            return false;
        }
    }
    return true;
}
