#include "tiled_text.h"

#include "xml_reader.h"

#include <string.h>

// LDtk's own files begin with a header that says so.
static bool is_ldtk(const char *bytes, size_t size)
{
    enum { HEAD = 1024 };
    return grz_json_has_key(bytes, size < HEAD ? size : HEAD, "__header__");
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

// A text with a zero behind it.
static char *copy_text(grz_memory *memory, const char *bytes, size_t size)
{
    char *text = NULL;
    grz_memory_require(memory, grz_list_reserve(text, &memory->inner, size + 1));
    memcpy(text, bytes, size);
    text[size] = 0;
    return text;
}

static bool parse_json(grz_json *json, const char *bytes, size_t size)
{
    if (!check_text(json, bytes, size)) {
        return false;
    }
    if (is_ldtk(bytes, size)) {
        return grz_tiled_fail(json->error, json->path, "",
                              "this is an LDtk project, not a Tiled map: in LDtk, tick Project "
                              "settings > Export > Tiled");
    }
    char *text = copy_text(json->memory, bytes, size);
    const bool done = grz_json_parse(json, text, size);
    grz_list_free(text);
    return done;
}

bool grz_tiled_parse(grz_json *json, const char *bytes, size_t size)
{
    return size > 0 && grz_xml_is(bytes, size) ? grz_xml_parse(json, bytes, size)
                                               : parse_json(json, bytes, size);
}

bool graze_tiled_is_map(const void *data, size_t size)
{
    return size > 0 &&
           (grz_xml_is(data, size) || is_ldtk(data, size) ||
            grz_json_has_key(data, size, "layers") || grz_json_has_key(data, size, "tilewidth") ||
            grz_json_has_key(data, size, "type"));
}
