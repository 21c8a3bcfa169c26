#include "json_fields.h"

#include "plural.h"

#include <graze/body.h>
#include <graze/vec2.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const cli_field cli_surface_fields[] = {
    {"friction", CLI_FLOAT, offsetof(graze_surface, friction), 0, (double)FLT_MAX},
    {"restitution", CLI_FLOAT, offsetof(graze_surface, restitution), 0, 1},
    {"rolling_resistance", CLI_FLOAT, offsetof(graze_surface, rolling_resistance), 0,
     (double)FLT_MAX},
    {"speed", CLI_FLOAT, offsetof(graze_surface, speed), 0, 0},
};

const size_t cli_surface_field_count = sizeof cli_surface_fields / sizeof *cli_surface_fields;

static bool fail_bound(const cli_json *json, const cJSON *node, const char *relation, double bound)
{
    char wanted[CLI_LONGEST_VALUE];
    snprintf(wanted, sizeof wanted, "%s %g", relation, bound);
    return cli_json_refuse(json, node, wanted);
}

static bool store_float(const cli_json *json, const cJSON *node, const cli_field *field,
                        float *value)
{
    if (!cJSON_IsNumber(node)) {
        return cli_json_refuse(json, node, "a number");
    }
    double number = node->valuedouble;
    if (!isfinite(number) || fabs(number) > (double)FLT_MAX) {
        char text[CLI_LONGEST_VALUE];
        cli_json_describe(node, text, sizeof text);
        return cli_json_fail(json, node, "%s is beyond the range of float", text);
    }
    bool is_bounded = field->least < field->most;
    if (is_bounded && number > 0 && number < (double)FLT_TRUE_MIN) {
        return cli_json_refuse(json, node, "a number that float can hold");
    }
    if (is_bounded && number < field->least && field->least > 0) {
        return cli_json_refuse(json, node, "above 0");
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

static bool store_vec2(const cli_json *json, const cJSON *node, const cli_field *field,
                       graze_vec2 *value)
{
    if (!cJSON_IsArray(node)) {
        return cli_json_refuse(json, node, "two numbers [x, y]");
    }
    int count = cJSON_GetArraySize(node);
    if (count != 2) {
        return cli_json_fail(json, node, "must be two numbers [x, y], not %d %s", count,
                             grz_plural((unsigned)count, "value", "values"));
    }
    return store_float(json, node->child, field, &value->x) &&
           store_float(json, node->child->next, field, &value->y);
}

static bool read_integer(const cli_json *json, const cJSON *node, double least, double most,
                         double *value)
{
    bool fits = cJSON_IsNumber(node) && node->valuedouble >= least && node->valuedouble <= most &&
                floor(node->valuedouble) == node->valuedouble;
    if (!fits) {
        char wanted[CLI_LONGEST_VALUE];
        snprintf(wanted, sizeof wanted, "a whole number from %.0f to %.0f", least, most);
        return cli_json_refuse(json, node, wanted);
    }
    *value = node->valuedouble;
    return true;
}

static bool store_bool(const cli_json *json, const cJSON *node, bool *value)
{
    if (!cJSON_IsBool(node)) {
        return cli_json_refuse(json, node, "true or false");
    }
    *value = cJSON_IsTrue(node);
    return true;
}

static bool store_response(const cli_json *json, const cJSON *node, graze_response *value)
{
    static const char *const names[] = {"pass", "stop", "slide", "bounce", "rigid"};
    for (unsigned i = 0; cJSON_IsString(node) && i < sizeof names / sizeof *names; ++i) {
        if (strcmp(node->valuestring, names[i]) == 0) {
            *value = (graze_response)i;
            return true;
        }
    }
    return cli_json_refuse(json, node, "\"pass\", \"stop\", \"slide\", \"bounce\" or \"rigid\"");
}

bool cli_json_store(const cli_json *json, const cJSON *node, const cli_field *field, void *target)
{
    void *place = (char *)target + field->offset;
    double whole = 0;
    switch (field->kind) {
    case CLI_ELSEWHERE:
        return true;
    case CLI_BOOL:
        return store_bool(json, node, place);
    case CLI_FLOAT:
        return store_float(json, node, field, place);
    case CLI_VEC2:
        return store_vec2(json, node, field, place);
    case CLI_RESPONSE:
        return store_response(json, node, place);
    case CLI_INT32:
        return read_integer(json, node, INT32_MIN, INT32_MAX, &whole) &&
               (*(int32_t *)place = (int32_t)whole, true);
    case CLI_UINT32:
        return read_integer(json, node, 0, field->most > 0 ? field->most : UINT32_MAX, &whole) &&
               (*(uint32_t *)place = (uint32_t)whole, true);
    case CLI_UINT64:
        return read_integer(json, node, 0, 9007199254740991.0, &whole) &&
               (*(uint64_t *)place = (uint64_t)whole, true);
    }
    return false;
}

static size_t find_field(const cli_field *fields, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(fields[i].name, name) != 0) {
        ++i;
    }
    return i;
}

static bool fail_unknown(const cli_json *json, const cJSON *node, const cli_field *fields,
                         size_t count)
{
    char known[sizeof json->error->text] = "";
    for (size_t i = 0; i < count; ++i) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", fields[i].name);
    }
    return cli_json_fail(json, node, "unknown key; known here: %s", known);
}

bool cli_json_read_fields(const cli_json *json, const cJSON *object, const cli_field *fields,
                          size_t count, void *target)
{
    if (!cli_json_expect_object(json, object)) {
        return false;
    }
    for (const cJSON *child = object->child; child; child = child->next) {
        size_t i = find_field(fields, count, child->string);
        if (i == count) {
            return fail_unknown(json, child, fields, count);
        }
        if (!cli_json_store(json, child, &fields[i], target)) {
            return false;
        }
    }
    return true;
}

bool cli_json_expect_numbers(const cli_json *json, const cJSON *object, const char *const *keys,
                             size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const cli_field field = {keys[i], CLI_FLOAT, 0, 0, 0};
        const cJSON *node = cli_json_get(object, keys[i]);
        float unused;
        if (node && !cli_json_store(json, node, &field, &unused)) {
            return false;
        }
    }
    return true;
}
