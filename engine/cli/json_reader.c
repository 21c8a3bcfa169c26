#include "json_reader.h"

#include "json_fault.h"
#include "text_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 256 };

typedef struct text_place {
    size_t line, column; ///< From 1; columns are bytes.
} text_place;

static text_place find_place(const char *text, const char *at)
{
    text_place place = {1, 1};
    for (; text < at; ++text) {
        ++place.column;
        if (*text == '\n') {
            ++place.line;
            place.column = 1;
        }
    }
    return place;
}

static const char *skip_string(const char *text, const char *end)
{
    for (++text; text < end && *text != '"'; ++text) {
        if (*text == '\\' && text + 1 < end) {
            ++text;
        }
    }
    return text;
}

static int count_depth(const char *text, const char *end)
{
    int depth = 0;
    for (; text < end; ++text) {
        if (*text == '"') {
            text = skip_string(text, end);
        } else if (*text == '[' || *text == '{') {
            ++depth;
        } else if (*text == ']' || *text == '}') {
            --depth;
        }
    }
    return depth;
}

// If the parser wanted a key and found something else, it points past that.
static const char *find_culprit(const char *text, const char *at)
{
    const char *before = at - 1;
    while (before > text && strchr(" \t\r\n", before[-1])) {
        --before;
    }
    bool wanted_key = before > text && (before[-1] == ',' || (before[-1] == '{' && at[-1] != '}'));
    return wanted_key && at[-1] != '"' ? at - 1 : at;
}

static bool fail_at(const char *path, const char *text, const char *at, cli_error *error)
{
    const text_place place = find_place(text, at);
    const int length = (int)strcspn(at, "\r\n");
    return cli_fail(error, "%s:%zu:%zu: not valid JSON at \"%.*s\"", path, place.line, place.column,
                    length < 20 ? length : 20, at);
}

static bool fail_syntax(const char *path, const char *text, size_t size, const char *at,
                        cli_error *error)
{
    const char *end = text + size;
    at = at && at > text ? find_culprit(text, at) : text;
    at = at < end ? at : end;
    text_place place = find_place(text, at);
    if (at == text && *at == '<') {
        return cli_fail(error, "%s:1:1: this is XML: export it from Tiled as JSON (.tmj)", path);
    }
    if (count_depth(text, at) >= CJSON_NESTING_LIMIT) {
        return cli_fail(error, "%s:%zu:%zu: nested deeper than %d levels", path, place.line,
                        place.column, CJSON_NESTING_LIMIT);
    }
    if (at == end) {
        return cli_fail(error, "%s:%zu:%zu: the file ends in the middle", path, place.line,
                        place.column);
    }
    return fail_at(path, text, at, error);
}

static const char *trim_end(const char *text, const char *end)
{
    while (end > text && strchr(" \t\r\n", end[-1])) {
        --end;
    }
    return end;
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    cli_require_memory(memory);
    return memory;
}

// cJSON returns the same for a lack of memory as for text that is not JSON. So it never sees one.
static void require_memory_of_parser(void)
{
    cJSON_Hooks hooks = {allocate, free};
    cJSON_InitHooks(&hooks);
}

bool cli_json_parse(cli_json *json, const char *path, const char *text, size_t size,
                    cli_error *error)
{
    json->path = path;
    json->error = error;
    const char *at = NULL;
    require_memory_of_parser();
    json->root = cJSON_ParseWithLengthOpts(text, size + 1, &at, true);
    if (!json->root) {
        return fail_syntax(path, text, (size_t)(trim_end(text, text + size) - text), at, error);
    }
    const char *fault = cli_json_find_fault(text);
    if (fault) {
        cli_json_free(json);
        return fail_at(path, text, fault, error);
    }
    const cJSON *twin = cli_json_find_twin(json->root);
    if (twin) {
        cli_json_fail(json, twin, "stands twice in the same object");
        cli_json_free(json);
    }
    return !twin;
}

bool cli_json_read(cli_json *json, const char *path, cli_error *error)
{
    cli_text text;
    if (!cli_text_read(path, &text, error)) {
        json->root = NULL;
        return false;
    }
    bool done = cli_json_parse(json, path, text.data, text.size, error);
    free(text.data);
    return done;
}

void cli_json_free(cli_json *json)
{
    cJSON_Delete(json->root);
    json->root = NULL;
}

/// A path being written; `length` may exceed `size`, beyond which nothing is stored.
typedef struct path_writer {
    char *text;
    size_t size, length;
} path_writer;

static void append_path(path_writer *path, const char *format, ...) CLI_PRINTF(2, 3);

static void append_path(path_writer *path, const char *format, ...)
{
    size_t used = path->length < path->size ? path->length : path->size - 1;
    va_list values;
    va_start(values, format);
    int added = vsnprintf(path->text + used, path->size - used, format, values);
    va_end(values);
    path->length += added > 0 ? (size_t)added : 0;
}

// A Tiled map's layers, objects and properties are known to people by name or id, not by place.
static void append_element(path_writer *path, const cJSON *element, size_t index)
{
    const char *name = cli_json_text(element, "name");
    const cJSON *id = cli_json_get(element, "id");
    append_path(path, "[%zu", index);
    if (*name) {
        append_path(path, " \"%.40s\"", name);
    } else if (cJSON_IsNumber(id)) {
        append_path(path, " id %.0f", id->valuedouble);
    }
    append_path(path, "]");
}

// Depth is bounded by the parser's own limit.
static bool search_path(path_writer *path, const cJSON *at, const cJSON *node)
{
    if (at == node) {
        return true;
    }
    size_t length = path->length;
    size_t index = 0;
    for (const cJSON *child = at->child; child; child = child->next, ++index) {
        if (cJSON_IsArray(at)) {
            append_element(path, child, index);
        } else {
            append_path(path, "%s%.60s", length ? "." : "", child->string);
        }
        if (search_path(path, child, node)) {
            return true;
        }
        path->length = length;
    }
    return false;
}

void cli_json_path(const cli_json *json, const cJSON *node, char *path, size_t size)
{
    path_writer writer = {path, size, 0};
    path[0] = 0;
    if (!search_path(&writer, json->root, node) || writer.length == 0) {
        snprintf(path, size, "the whole file");
    }
}

bool cli_json_fail(const cli_json *json, const cJSON *node, const char *format, ...)
{
    char path[LONGEST_PATH];
    char message[sizeof json->error->text];
    cli_json_path(json, node, path, sizeof path);
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return cli_fail(json->error, "%s: %s: %s", json->path, path, message);
}

// With enough digits to tell it from every other number, at least nine. Numbers beyond double are
// infinite already.
static void describe_number(double number, char *text, size_t size)
{
    if (!isfinite(number)) {
        snprintf(text, size, "a number %s", number > 0 ? "above 1.8e308" : "below -1.8e308");
        return;
    }
    int digits = 9;
    do {
        snprintf(text, size, "%.*g", digits, number);
    } while (++digits <= 17 && strtod(text, NULL) != number);
}

void cli_json_describe(const cJSON *node, char *text, size_t size)
{
    if (cJSON_IsNumber(node)) {
        describe_number(node->valuedouble, text, size);
    } else if (cJSON_IsString(node)) {
        snprintf(text, size, "\"%.40s\"", node->valuestring);
    } else if (cJSON_IsBool(node)) {
        snprintf(text, size, "%s", cJSON_IsTrue(node) ? "true" : "false");
    } else {
        const char *kind = cJSON_IsArray(node) ? "an array" : "an object";
        snprintf(text, size, "%s", cJSON_IsNull(node) ? "null" : kind);
    }
}

const cJSON *cli_json_get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *cli_json_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cli_json_get(object, key));
    return text ? text : "";
}

double cli_json_number(const cJSON *object, const char *key, double otherwise)
{
    const cJSON *node = cli_json_get(object, key);
    return cJSON_IsNumber(node) && isfinite(node->valuedouble) ? node->valuedouble : otherwise;
}

bool cli_json_refuse(const cli_json *json, const cJSON *node, const char *wanted)
{
    char value[CLI_LONGEST_VALUE];
    cli_json_describe(node, value, sizeof value);
    return cli_json_fail(json, node, "must be %s, not %s", wanted, value);
}

bool cli_json_expect_array(const cli_json *json, const cJSON *parent, const char *key,
                           const cJSON **array)
{
    const cJSON *node = cli_json_get(parent, key);
    if (!node) {
        return cli_json_fail(json, parent, "\"%s\" is missing", key);
    }
    *array = node;
    return cJSON_IsArray(node) || cli_json_refuse(json, node, "an array");
}

bool cli_json_list(const cli_json *json, const cJSON *parent, const char *key, const cJSON **first)
{
    const cJSON *node = cli_json_get(parent, key);
    *first = cJSON_IsArray(node) ? node->child : NULL;
    return !node || cJSON_IsArray(node) || cli_json_refuse(json, node, "an array");
}

bool cli_json_expect_object(const cli_json *json, const cJSON *node)
{
    return cJSON_IsObject(node) || cli_json_refuse(json, node, "an object");
}
