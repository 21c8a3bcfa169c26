#include "xml_reader.h"

#include "xml_names.h"

#include <expat.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 200,
    LONGEST_TEXT = 4 * 1024 * 1024, ///< Of an attribute, or between tags; bytes.
    MOST_VALUES = 4 * 1000 * 1000,
    LONGEST_NUMBER = 63
};

typedef struct open_element {
    grz_xml_kind kind;
    cJSON *node; ///< Where its values go.
} open_element;

typedef struct xml_reader {
    grz_json *json;
    XML_Parser parser;
    const char *source, *end; ///< What is parsed.
    size_t deferred;          ///< The tree's, in the memory.
    open_element open[DEEPEST + 1];
    size_t depth;   ///< Of the open elements.
    size_t skipped; ///< Elements open inside of one that is not read.
    size_t value_count;
    char *text;          ///< A list: what stands between tags, if it is a value.
    size_t line, column; ///< Of the first byte that is parsed; from 0.
    bool has_failed;
    bool lacks_memory;
} xml_reader;

// --- Errors ---

static bool fail_here(xml_reader *reader, const char *format, ...) GRZ_PRINTF(2, 3);

// The first failure counts.
static bool fail_here(xml_reader *reader, const char *format, ...)
{
    const size_t line = XML_GetCurrentLineNumber(reader->parser);
    const size_t column = XML_GetCurrentColumnNumber(reader->parser) + 1;
    const size_t shift = line == 1 ? reader->column : 0;
    if (!reader->has_failed) {
        char problem[sizeof reader->json->error->message];
        va_list values;
        va_start(values, format);
        vsnprintf(problem, sizeof problem, format, values);
        va_end(values);
        grz_tiled_fail_at(reader->json->error, reader->json->path, line + reader->line,
                          column + shift, "%s", problem);
        XML_StopParser(reader->parser, XML_FALSE);
    }
    reader->has_failed = true;
    return false;
}

// --- Values ---

static cJSON *keep(xml_reader *reader, cJSON *value)
{
    grz_memory_require(reader->json->memory, value);
    if (++reader->value_count == MOST_VALUES) {
        fail_here(reader, "has more than 4000000 values besides tile data");
    }
    return value;
}

static void add_member(xml_reader *reader, cJSON *object, const char *key, cJSON *value)
{
    grz_memory_require(reader->json->memory,
                       cJSON_AddItemToObject(object, key, keep(reader, value)));
}

static void add_string(xml_reader *reader, cJSON *object, const char *key, const char *text)
{
    add_member(reader, object, key, cJSON_CreateString(text));
}

// As JSON writes numbers, and also with a plus sign; whatever the locale is.
static bool read_number(const char *text, size_t length, double *number)
{
    char copy[LONGEST_NUMBER + 1];
    if (length == 0 || length > LONGEST_NUMBER || strspn(text, "0123456789+-.eE") < length) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    char *point = strchr(copy, '.');
    if (point) {
        *point = localeconv()->decimal_point[0];
    }
    char *end;
    *number = strtod(copy, &end);
    return end == copy + length;
}

static bool is_true(const char *text)
{
    return strcmp(text, "1") == 0 || strcmp(text, "true") == 0;
}

static bool add_attribute(xml_reader *reader, cJSON *node, const grz_xml_attribute *attribute,
                          const char *text)
{
    double number = 0;
    switch (attribute->type) {
    case GRZ_XML_STRING:
        add_string(reader, node, attribute->name, text);
        return true;
    case GRZ_XML_BOOL:
        add_member(reader, node, attribute->name, cJSON_CreateBool(is_true(text)));
        return true;
    case GRZ_XML_NUMBER:
        if (!read_number(text, strlen(text), &number)) {
            return fail_here(reader, "%s must be a number, not \"%.40s\"", attribute->name, text);
        }
        add_member(reader, node, attribute->name, cJSON_CreateNumber(number));
        return true;
    }
    return false;
}

static const char *find_value(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

static bool check_lengths(xml_reader *reader, const char **attributes)
{
    for (; *attributes; attributes += 2) {
        if (strlen(attributes[1]) > LONGEST_TEXT) {
            return fail_here(reader, "the attribute %.40s has more than 4 MiB", attributes[0]);
        }
    }
    return true;
}

static void add_attributes(xml_reader *reader, cJSON *node, grz_xml_kind kind,
                           const char **attributes)
{
    for (; *attributes && !reader->has_failed; attributes += 2) {
        const grz_xml_attribute *attribute = grz_xml_find_attribute(attributes[0], kind);
        if (attribute && !grz_json_get(node, attribute->name)) {
            add_attribute(reader, node, attribute, attributes[1]);
        }
    }
}

// --- Elements ---

static cJSON *add_root(xml_reader *reader)
{
    reader->json->root = keep(reader, cJSON_CreateObject());
    grz_memory_update(reader->json->memory, reader->deferred, reader->json->root);
    return reader->json->root;
}

// Returns the parent's list, which may be there already; null if another value is in its place.
static cJSON *find_list(xml_reader *reader, cJSON *parent, const char *key)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(parent, key);
    if (!list) {
        list = cJSON_CreateArray();
        add_member(reader, parent, key, list);
    }
    return cJSON_IsArray(list) ? list : NULL;
}

static cJSON *add_element(xml_reader *reader, cJSON *list)
{
    cJSON *object = keep(reader, cJSON_CreateObject());
    grz_memory_require(reader->json->memory, cJSON_AddItemToArray(list, object));
    return object;
}

// Null if there is one already, which counts.
static cJSON *add_object(xml_reader *reader, cJSON *parent, const char *key)
{
    if (grz_json_get(parent, key)) {
        return NULL;
    }
    cJSON *object = cJSON_CreateObject();
    add_member(reader, parent, key, object);
    return object;
}

static cJSON *find_home(xml_reader *reader, const grz_xml_element *element, cJSON *parent)
{
    cJSON *list;
    switch (element->home) {
    case GRZ_XML_AS_ROOT:
        return add_root(reader);
    case GRZ_XML_AS_MEMBER:
        return add_object(reader, parent, element->key);
    case GRZ_XML_AS_LIST:
        return find_list(reader, parent, element->key);
    case GRZ_XML_IN_LIST:
        list = find_list(reader, parent, element->key);
        return list ? add_element(reader, list) : NULL;
    case GRZ_XML_IN_PARENT:
        return parent;
    }
    return NULL;
}

// --- Tile data ---

static void mark_blob(xml_reader *reader, cJSON *node, size_t number)
{
    char mark[GRZ_LONGEST_MARK];
    grz_blob_mark(number, mark);
    add_string(reader, node, "data", mark);
}

// The text up to the next tag.
static void expect_text(xml_reader *reader)
{
    const XML_Index at = XML_GetCurrentByteIndex(reader->parser);
    const int tag = XML_GetCurrentByteCount(reader->parser);
    const size_t size = (size_t)(reader->end - reader->source);
    if (at >= 0 && tag > 0 && (size_t)at + (size_t)tag < size) {
        const char *text = reader->source + at + tag;
        const char *next = memchr(text, '<', (size_t)(reader->end - text));
        grz_blobs_expect(reader->json->blobs, text, (size_t)((next ? next : reader->end) - text));
    }
}

// Places of errors are those of the beginning: an editor shows the line.
static void begin_blob(xml_reader *reader, const char *encoding)
{
    grz_blobs *blobs = reader->json->blobs;
    const bool is_base64 = strcmp(encoding, "base64") == 0;
    const size_t number = grz_blobs_begin(blobs, is_base64 ? GRZ_BLOB_BASE64 : GRZ_BLOB_NUMBERS);
    grz_blob *blob = &blobs->list[number];
    blob->line = XML_GetCurrentLineNumber(reader->parser) + reader->line;
    blob->column = XML_GetCurrentColumnNumber(reader->parser) + 1;
    if (!is_base64 && *encoding && strcmp(encoding, "csv") != 0) {
        blob->problem = "has an encoding that is neither csv nor base64";
    }
    expect_text(reader);
}

static cJSON *begin_data(xml_reader *reader, cJSON *layer, const char **attributes)
{
    if (grz_json_get(layer, "data") || grz_json_get(layer, "chunks") ||
        grz_json_get(layer, "encoding")) {
        return NULL;
    }
    const char *encoding = find_value(attributes, "encoding");
    const char *compression = find_value(attributes, "compression");
    add_string(reader, layer, "encoding", encoding ? encoding : "");
    add_string(reader, layer, "compression", compression ? compression : "");
    begin_blob(reader, encoding ? encoding : "");
    return layer;
}

// The layer's data is what no chunk holds.
static void end_data(xml_reader *reader, cJSON *layer)
{
    grz_blobs *blobs = reader->json->blobs;
    if (!grz_json_get(layer, "chunks")) {
        grz_blobs_end(blobs);
        mark_blob(reader, layer, grz_list_count(blobs->list) - 1);
    }
}

static void begin_chunk(xml_reader *reader)
{
    const cJSON *layer = reader->open[reader->depth].node;
    begin_blob(reader, grz_json_text(layer, "encoding"));
}

static void end_chunk(xml_reader *reader, cJSON *chunk)
{
    grz_blobs_end(reader->json->blobs);
    mark_blob(reader, chunk, grz_list_count(reader->json->blobs->list) - 1);
}

static void add_cell(xml_reader *reader, const char **attributes)
{
    const char *text = find_value(attributes, "gid");
    double gid = 0;
    if (text && (!read_number(text, strlen(text), &gid) || !(gid >= 0 && gid <= UINT32_MAX))) {
        fail_here(reader, "gid must be a whole number from 0 to 4294967295, not \"%.40s\"", text);
        return;
    }
    grz_blobs_add(reader->json->blobs, (uint32_t)gid);
}

// --- Points, images, values ---

static void add_point(xml_reader *reader, cJSON *list, double x, double y)
{
    cJSON *point = add_element(reader, list);
    add_member(reader, point, "x", cJSON_CreateNumber(x));
    add_member(reader, point, "y", cJSON_CreateNumber(y));
}

// "0,0 16,-8.5 ..."
static void add_points(xml_reader *reader, cJSON *list, const char **attributes)
{
    static const char blanks[] = " \t\r\n";
    const char *text = find_value(attributes, "points");
    for (text = text ? text + strspn(text, blanks) : ""; *text; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        const char *comma = memchr(text, ',', length);
        const char *second = comma ? comma + 1 : text;
        const size_t first_length = comma ? (size_t)(comma - text) : 0;
        double x = 0;
        double y = 0;
        if (!read_number(text, first_length, &x) ||
            !read_number(second, length - first_length - 1, &y)) {
            fail_here(reader, "points must be pairs \"x,y\" of numbers, not \"%.40s\"", text);
        }
        if (reader->has_failed) {
            return;
        }
        add_point(reader, list, x, y);
        text += length;
    }
}

static void add_image(xml_reader *reader, cJSON *node, const char **attributes)
{
    static const char *const names[][2] = {
        {"source", "image"}, {"width", "imagewidth"}, {"height", "imageheight"}};
    for (size_t i = 0; i < 3; ++i) {
        const char *text = find_value(attributes, names[i][0]);
        const grz_xml_attribute attribute = {names[i][1], i == 0 ? GRZ_XML_STRING : GRZ_XML_NUMBER,
                                             0};
        if (text && !grz_json_get(node, names[i][1])) {
            add_attribute(reader, node, &attribute, text);
        }
    }
}

// In a class, the property is found by its name when it ends.
static cJSON *begin_property(xml_reader *reader, cJSON *parent)
{
    cJSON *property;
    if (cJSON_IsArray(parent)) {
        return add_element(reader, parent);
    }
    property = cJSON_CreateObject();
    add_member(reader, parent, "", property);
    return property;
}

static cJSON *make_value(const char *type, const char *text)
{
    double number;
    const bool is_number =
        strcmp(type, "int") == 0 || strcmp(type, "float") == 0 || strcmp(type, "object") == 0;
    if (is_number && read_number(text, strlen(text), &number)) {
        return cJSON_CreateNumber(number);
    }
    const bool is_bool = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    return strcmp(type, "bool") == 0 && is_bool ? cJSON_CreateBool(is_true(text))
                                                : cJSON_CreateString(text);
}

// A text of several lines stands between the tags.
static void end_value(xml_reader *reader, cJSON *node)
{
    const cJSON *value = grz_json_get(node, "value");
    if (value && !cJSON_IsString(value)) {
        return;
    }
    const char *text = value ? value->valuestring : reader->text;
    cJSON *typed = keep(reader, make_value(grz_json_text(node, "type"), text));
    cJSON_DeleteItemFromObjectCaseSensitive(node, "value");
    add_member(reader, node, "value", typed);
}

static void end_property(xml_reader *reader, cJSON *node)
{
    end_value(reader, node);
    cJSON *parent = reader->open[reader->depth - 1].node;
    if (!cJSON_IsArray(parent)) {
        cJSON *value = cJSON_DetachItemFromObjectCaseSensitive(node, "value");
        add_member(reader, parent, grz_json_text(node, "name"), value);
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, node));
    }
}

// --- The parser's calls ---

static void clear_text(xml_reader *reader)
{
    grz_list_clear(reader->text);
    grz_push(reader->json->memory, reader->text, 0);
}

static void begin_kind(xml_reader *reader, const grz_xml_element *element, cJSON *node,
                       const char **attributes)
{
    switch (element->kind) {
    case GRZ_XML_CHUNK:
        begin_chunk(reader);
        break;
    case GRZ_XML_CELL:
        add_cell(reader, attributes);
        break;
    case GRZ_XML_FLAG:
        if (!grz_json_get(node, element->key)) {
            add_member(reader, node, element->key, cJSON_CreateTrue());
        }
        break;
    case GRZ_XML_POINTS:
        add_points(reader, node, attributes);
        break;
    case GRZ_XML_IMAGE:
        add_image(reader, node, attributes);
        break;
    default:
        break;
    }
}

static cJSON *find_node(xml_reader *reader, const grz_xml_element *element, cJSON *parent,
                        const char **attributes)
{
    if (element->kind == GRZ_XML_DATA) {
        return begin_data(reader, parent, attributes);
    }
    return element->kind == GRZ_XML_PROPERTY ? begin_property(reader, parent)
                                             : find_home(reader, element, parent);
}

static void begin_element(xml_reader *reader, const grz_xml_element *element,
                          const char **attributes)
{
    cJSON *node = find_node(reader, element, reader->open[reader->depth].node, attributes);
    if (!node) {
        reader->skipped = 1;
        return;
    }
    if (element->type) {
        add_string(reader, node, "type", element->type);
    }
    const bool has_values = cJSON_IsObject(node) && element->kind != GRZ_XML_MEMBERS;
    if (has_values && (element->home != GRZ_XML_IN_PARENT || element->kind == GRZ_XML_PROPERTY)) {
        add_attributes(reader, node, element->kind, attributes);
    }
    begin_kind(reader, element, node, attributes);
    clear_text(reader);
    ++reader->depth;
    reader->open[reader->depth].kind = element->kind;
    reader->open[reader->depth].node = node;
}

static void start(xml_reader *reader, const char *name, const char **attributes)
{
    if (!check_lengths(reader, attributes)) {
        return;
    }
    if (reader->depth + reader->skipped == DEEPEST) {
        fail_here(reader, "nested deeper than 200 levels");
        return;
    }
    const grz_xml_element *element =
        reader->skipped ? NULL : grz_xml_find_element(name, reader->open[reader->depth].kind);
    if (element) {
        begin_element(reader, element, attributes);
    } else if (reader->depth == 0) {
        fail_here(reader, "its root is <%.40s>: no Tiled map, tileset or template", name);
    } else {
        ++reader->skipped;
    }
}

static void end_element(xml_reader *reader)
{
    const open_element ended = reader->open[reader->depth];
    switch (ended.kind) {
    case GRZ_XML_DATA:
        end_data(reader, ended.node);
        break;
    case GRZ_XML_CHUNK:
        end_chunk(reader, ended.node);
        break;
    case GRZ_XML_TEXT:
        add_string(reader, ended.node, "text", reader->text);
        break;
    case GRZ_XML_PROPERTY:
        end_property(reader, ended.node);
        break;
    case GRZ_XML_ITEM:
        end_value(reader, ended.node);
        break;
    default:
        break;
    }
    clear_text(reader);
    --reader->depth;
}

static void end(xml_reader *reader)
{
    if (reader->skipped > 0) {
        --reader->skipped;
    } else {
        end_element(reader);
    }
}

// The list ends in a zero.
static void append_text(xml_reader *reader, const char *text, size_t size)
{
    const size_t before = grz_list_count(reader->text) - 1;
    if (before + size > LONGEST_TEXT) {
        fail_here(reader, "a text has more than 4 MiB");
        return;
    }
    grz_memory_require(reader->json->memory,
                       grz_list_reserve(reader->text, &reader->json->memory->inner, size));
    memcpy(reader->text + before, text, size);
    grz_list_extend(reader->text, size);
    reader->text[before + size] = 0;
}

static bool is_cells_encoded(const xml_reader *reader)
{
    const size_t depth = reader->depth;
    const bool is_chunk = reader->open[depth].kind == GRZ_XML_CHUNK;
    const open_element *data = &reader->open[is_chunk ? depth - 1 : depth];
    return data->kind == GRZ_XML_DATA && *grz_json_text(data->node, "encoding");
}

static void read_text(xml_reader *reader, const char *text, int size)
{
    if (reader->skipped > 0 || reader->depth == 0) {
        return;
    }
    const grz_xml_kind kind = reader->open[reader->depth].kind;
    if (kind == GRZ_XML_PROPERTY || kind == GRZ_XML_ITEM || kind == GRZ_XML_TEXT) {
        append_text(reader, text, (size_t)size);
    } else if (is_cells_encoded(reader)) {
        grz_blobs_feed(reader->json->blobs, text, (size_t)size);
    }
}

// The parser must not be jumped out of: it could not be freed. So a lack of memory ends here, and
// is told when the parser has returned.
static bool can_go_on(xml_reader *reader)
{
    if (reader->lacks_memory) {
        reader->has_failed = true;
        XML_StopParser(reader->parser, XML_FALSE);
    }
    return !reader->has_failed;
}

static void on_start(void *user, const char *name, const char **attributes)
{
    xml_reader *reader = user;
    if (setjmp(reader->json->memory->on_lack) != 0) {
        reader->lacks_memory = true;
    }
    if (can_go_on(reader)) {
        start(reader, name, attributes);
    }
}

static void on_end(void *user, const char *name)
{
    (void)name;
    xml_reader *reader = user;
    if (setjmp(reader->json->memory->on_lack) != 0) {
        reader->lacks_memory = true;
    }
    if (can_go_on(reader)) {
        end(reader);
    }
}

static void on_text(void *user, const char *text, int size)
{
    xml_reader *reader = user;
    if (setjmp(reader->json->memory->on_lack) != 0) {
        reader->lacks_memory = true;
    }
    if (can_go_on(reader)) {
        read_text(reader, text, size);
    }
}

static void on_doctype(void *user, const char *name, const char *system, const char *public_id,
                       int has_declarations)
{
    (void)name;
    (void)system;
    (void)public_id;
    if (has_declarations) {
        fail_here(user, "its <!DOCTYPE> has declarations, which are not read");
    }
}

// --- The whole file ---

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
}

// Byte order marks of UTF-8, and blanks.
static size_t skip_front(const char *text, size_t size)
{
    size_t i = 0;
    size_t before;
    do {
        before = i;
        i += size - i >= 3 && memcmp(text + i, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        i += i < size && is_blank(text[i]);
    } while (i > before);
    return i;
}

bool grz_xml_is(const char *text, size_t size)
{
    const bool is_utf16 =
        size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
    const size_t front = skip_front(text, size);
    return is_utf16 || (front < size && text[front] == '<');
}

static void free_parser(void *thing)
{
    XML_ParserFree(thing);
}

static void free_tree(void *thing)
{
    cJSON_Delete(thing);
}

static void set_up(xml_reader *reader)
{
    XML_Parser parser = reader->parser;
    XML_SetUserData(parser, reader);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
}

// What stands before the XML is not parsed, but counted.
static void skip(xml_reader *reader, const char *text, size_t size)
{
    const size_t front = skip_front(text, size);
    for (size_t i = 0; i < front; ++i) {
        const bool is_end = text[i] == '\n';
        reader->line += is_end;
        reader->column = is_end ? 0 : reader->column + 1;
    }
    reader->source = text + front;
    reader->end = text + size;
}

static bool parse_piece(xml_reader *reader, const char *piece, size_t size, bool is_last)
{
    const enum XML_Status status = XML_Parse(reader->parser, piece, (int)size, is_last);
    if (reader->has_failed || reader->lacks_memory || status == XML_STATUS_OK) {
        return !reader->has_failed && !reader->lacks_memory;
    }
    const enum XML_Error error = XML_GetErrorCode(reader->parser);
    reader->lacks_memory |= error == XML_ERROR_NO_MEMORY;
    if (is_last && (error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN ||
                    error == XML_ERROR_UNCLOSED_CDATA_SECTION)) {
        return fail_here(reader, "the file ends in the middle");
    }
    if (error == XML_ERROR_UNKNOWN_ENCODING) {
        return fail_here(reader, "its encoding is not read: UTF-8, UTF-16, ISO-8859-1, ASCII are");
    }
    return fail_here(reader, "not valid XML: %s", XML_ErrorString(error));
}

// In pieces, which the parser copies. It starts again with a tag that has not ended, so they may
// not be long.
static bool parse(xml_reader *reader)
{
    enum { PIECE = 256 * 1024, LONGEST_TAG = LONGEST_TEXT + PIECE };
    XML_Index begin = 0; // Of the tag that has not ended.
    for (const char *piece = reader->source; piece < reader->end;) {
        const size_t left = (size_t)(reader->end - piece);
        const size_t size = left < PIECE ? left : PIECE;
        if (!parse_piece(reader, piece, size, size == left)) {
            return false;
        }
        piece += size;
        const XML_Index at = XML_GetCurrentByteIndex(reader->parser);
        begin = at >= 0 ? at : begin;
        if (piece - reader->source - begin > LONGEST_TAG) {
            return fail_here(reader, "a tag or a comment has more than 4 MiB");
        }
    }
    return true;
}

bool grz_xml_parse(grz_json *json, const char *text, size_t size)
{
    grz_memory *memory = json->memory;
    xml_reader *list = NULL;
    grz_memory_require(memory, grz_list_reserve(list, &memory->inner, 1));
    xml_reader *reader = memset(list, 0, sizeof *list);
    reader->json = json;
    reader->deferred = grz_memory_defer(memory, free_tree, NULL);
    const size_t parser = grz_memory_defer(memory, free_parser, NULL);
    reader->parser = XML_ParserCreate(NULL);
    grz_memory_require(memory, reader->parser);
    grz_memory_update(memory, parser, reader->parser);
    json->blobs = grz_blobs_create(memory);
    clear_text(reader);
    set_up(reader);
    skip(reader, text, size);
    jmp_buf on_lack;
    memcpy(&on_lack, &memory->on_lack, sizeof on_lack);
    const bool done = parse(reader);
    memcpy(&memory->on_lack, &on_lack, sizeof on_lack);
    grz_memory_require(memory, !reader->lacks_memory);
    grz_memory_update(memory, parser, NULL);
    XML_ParserFree(reader->parser);
    grz_list_free(reader->text);
    grz_list_free(list);
    return done;
}
