#include "json_reader.h"

#include "json_blobs.h"
#include "json_fault.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_PATH = 256,
    LARGEST_TREE = 64 * 1024 * 1024 ///< Bytes of text; as a tree they may be forty times as many.
};

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

static bool fail_at(const grz_json *json, const char *text, const char *at)
{
    const text_place place = find_place(text, at);
    const int length = (int)strcspn(at, "\r\n");
    return grz_tiled_fail_at(json->error, json->path, place.line, place.column,
                             "not valid JSON at \"%.*s\"", length < 20 ? length : 20, at);
}

static bool fail_syntax(const grz_json *json, const char *text, size_t size, const char *at)
{
    const char *end = text + size;
    at = at && at > text ? find_culprit(text, at) : text;
    at = at < end ? at : end;
    const text_place place = find_place(text, at);
    if (at == text && *at == '<') {
        return grz_tiled_fail_at(json->error, json->path, 1, 1, "this is XML, not JSON");
    }
    if (count_depth(text, at) >= CJSON_NESTING_LIMIT) {
        return grz_tiled_fail_at(json->error, json->path, place.line, place.column,
                                 "nested deeper than %d levels", CJSON_NESTING_LIMIT);
    }
    if (at == end) {
        return grz_tiled_fail_at(json->error, json->path, place.line, place.column,
                                 "the file ends in the middle");
    }
    return fail_at(json, text, at);
}

static const char *trim_end(const char *text, const char *end)
{
    while (end > text && strchr(" \t\r\n", end[-1])) {
        --end;
    }
    return end;
}

static void free_tree(void *root)
{
    cJSON_Delete(root);
}

static bool check_size(const grz_json *json, const grz_json_short *made)
{
    return made->size <= LARGEST_TREE ||
           grz_tiled_fail(json->error, json->path, "", "has more than %d MiB besides tile data",
                          LARGEST_TREE >> 20);
}

// Errors are about the whole text.
static bool parse_short(grz_json *json, const grz_json_short *made, const char *text, size_t size)
{
    const char *at = NULL;
    const size_t deferred = grz_memory_defer(json->memory, free_tree, NULL);
    json->root = cJSON_ParseWithLengthOpts(made->text, made->size + 1, &at, true);
    if (!json->root) {
        grz_memory_require(json->memory, !grz_json_is_whole(made->text));
        const char *end = trim_end(text, text + size);
        const size_t place = at ? grz_json_short_origin(made, (size_t)(at - made->text)) : 0;
        return fail_syntax(json, text, (size_t)(end - text), text + place);
    }
    grz_memory_update(json->memory, deferred, json->root);
    const char *fault = grz_json_find_fault(made->text);
    return !fault ||
           fail_at(json, text, text + grz_json_short_origin(made, (size_t)(fault - made->text)));
}

bool grz_json_parse(grz_json *json, const char *text, size_t size)
{
    json->blobs = grz_blobs_create(json->memory);
    grz_json_short made = grz_json_shorten(json->blobs, text, size);
    const bool done = check_size(json, &made) && parse_short(json, &made, text, size);
    grz_json_short_free(&made);
    const cJSON *twin = done ? grz_json_find_twin(json) : NULL;
    return done && (!twin || grz_json_fail(json, twin, "stands twice in the same object"));
}

bool grz_json_has_key(const char *text, size_t size, const char *key)
{
    const char *const end = text + size;
    const size_t length = strlen(key);
    int depth = 0;
    for (; text < end; ++text) {
        depth += *text == '{' || *text == '[';
        depth -= *text == '}' || *text == ']';
        if (*text == '"') {
            const char *name = text + 1;
            text = skip_string(text, end);
            const char *colon = text + 1;
            while (colon < end && strchr(" \t\r\n", *colon) && *colon) {
                ++colon;
            }
            if (depth == 1 && colon < end && *colon == ':' && (size_t)(text - name) == length &&
                memcmp(name, key, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

/// A path being written; `length` may exceed `size`, beyond which nothing is stored.
typedef struct path_writer {
    char *text;
    size_t size, length;
} path_writer;

static void append_path(path_writer *path, const char *format, ...) GRZ_PRINTF(2, 3);

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
    const char *name = grz_json_text(element, "name");
    const cJSON *id = grz_json_get(element, "id");
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

void grz_json_path(const grz_json *json, const cJSON *node, char *path, size_t size)
{
    path_writer writer = {path, size, 0};
    path[0] = 0;
    if (!search_path(&writer, json->root, node) || writer.length == 0) {
        snprintf(path, size, "the whole file");
    }
}

bool grz_json_fail(const grz_json *json, const cJSON *node, const char *format, ...)
{
    char path[LONGEST_PATH];
    grz_json_path(json, node, path, sizeof path);
    va_list values;
    va_start(values, format);
    grz_tiled_fail_values(json->error, json->path, path, format, values);
    va_end(values);
    return false;
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

void grz_json_describe(const cJSON *node, char *text, size_t size)
{
    if (cJSON_IsNumber(node)) {
        describe_number(node->valuedouble, text, size);
    } else if (grz_blob_is_mark(node)) {
        snprintf(text, size, "tile data");
    } else if (cJSON_IsString(node)) {
        snprintf(text, size, "\"%.40s\"", node->valuestring);
    } else if (cJSON_IsBool(node)) {
        snprintf(text, size, "%s", cJSON_IsTrue(node) ? "true" : "false");
    } else {
        const char *kind = cJSON_IsArray(node) ? "an array" : "an object";
        snprintf(text, size, "%s", cJSON_IsNull(node) ? "null" : kind);
    }
}

const cJSON *grz_json_get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *grz_json_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(grz_json_get(object, key));
    return text ? text : "";
}

double grz_json_number(const cJSON *object, const char *key, double otherwise)
{
    const cJSON *node = grz_json_get(object, key);
    return cJSON_IsNumber(node) && isfinite(node->valuedouble) ? node->valuedouble : otherwise;
}

bool grz_json_refuse(const grz_json *json, const cJSON *node, const char *wanted)
{
    char value[GRZ_LONGEST_VALUE];
    grz_json_describe(node, value, sizeof value);
    return grz_json_fail(json, node, "must be %s, not %s", wanted, value);
}

bool grz_json_expect_array(const grz_json *json, const cJSON *parent, const char *key,
                           const cJSON **array)
{
    const cJSON *node = grz_json_get(parent, key);
    if (!node) {
        return grz_json_fail(json, parent, "\"%s\" is missing", key);
    }
    *array = node;
    return cJSON_IsArray(node) || grz_json_refuse(json, node, "an array");
}

bool grz_json_list(const grz_json *json, const cJSON *parent, const char *key, const cJSON **first)
{
    const cJSON *node = grz_json_get(parent, key);
    *first = cJSON_IsArray(node) ? node->child : NULL;
    return !node || cJSON_IsArray(node) || grz_json_refuse(json, node, "an array");
}

bool grz_json_expect_object(const grz_json *json, const cJSON *node)
{
    return cJSON_IsObject(node) || grz_json_refuse(json, node, "an object");
}
