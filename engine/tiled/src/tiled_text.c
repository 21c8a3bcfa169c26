#include "tiled_text.h"

#include <string.h>

static bool starts_as_xml(const char *bytes, size_t size)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t at = size >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
    while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at])) {
        ++at;
    }
    return at < size && bytes[at] == '<';
}

static bool check_text(const grz_json *json, const char *bytes, size_t size)
{
    if (size == 0) {
        return grz_tiled_fail(json->error, json->path, "", "the file is empty");
    }
    const char *zero = memchr(bytes, 0, size);
    return !zero || grz_tiled_fail(json->error, json->path, "", "byte %zu is zero: not a text file",
                                   (size_t)(zero - bytes));
}

bool grz_tiled_parse(grz_json *json, const char *bytes, size_t size)
{
    if (!check_text(json, bytes, size)) {
        return false;
    }
    if (starts_as_xml(bytes, size)) {
        return grz_tiled_fail_at(json->error, json->path, 1, 1,
                                 "this is XML: export it from Tiled as JSON (.tmj)");
    }
    char *text = grz_memory_take(json->memory, size + 1);
    memcpy(text, bytes, size);
    text[size] = 0;
    return grz_json_parse(json, text, size);
}

bool graze_tiled_is_map(const void *data, size_t size)
{
    return starts_as_xml(data, size) || grz_json_has_key(data, size, "type") ||
           grz_json_has_key(data, size, "layers") || grz_json_has_key(data, size, "tilewidth");
}
