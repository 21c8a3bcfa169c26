#include "json_blobs.h"

#include <stdbool.h>
#include <string.h>

/// Walks over a text, valid or not.
typedef struct walker {
    grz_blobs *blobs;
    const char *text, *end;
    grz_json_cut *cuts;
    char around[CJSON_NESTING_LIMIT + 1]; ///< Which brackets are open.
    size_t depth;
} walker;

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t')) {
        ++text;
    }
    return text;
}

// Returns the closing quote, or the end.
static const char *skip_string(const char *text, const char *end)
{
    for (++text; text < end && *text != '"'; ++text) {
        text += *text == '\\' && text + 1 < end;
    }
    return text;
}

static bool is_in_element(const walker *walk)
{
    return walk->depth >= 2 && walk->depth <= CJSON_NESTING_LIMIT &&
           walk->around[walk->depth - 1] == '{' && walk->around[walk->depth - 2] == '[';
}

static void open_bracket(walker *walk, char bracket)
{
    if (walk->depth <= CJSON_NESTING_LIMIT) {
        walk->around[walk->depth] = bracket;
    }
    ++walk->depth;
}

// Feeds a value block by block, up to its last bracket or quote. Returns that; null if the value is
// not as it should be.
static const char *feed_value(walker *walk, const char *from, char last)
{
    enum { BLOCK = 64 * 1024 };
    const grz_blobs *blobs = walk->blobs;
    const char *close = NULL;
    while (!close && from < walk->end && !blobs->list[grz_list_count(blobs->list) - 1].problem) {
        const size_t left = (size_t)(walk->end - from);
        const size_t size = left < BLOCK ? left : BLOCK;
        close = memchr(from, last, size);
        grz_blobs_feed(walk->blobs, from, close ? (size_t)(close - from) : size);
        from += size;
    }
    grz_blobs_end(walk->blobs);
    return close;
}

// JSON has no comma after the last number, and no line ends in texts.
static bool is_json(const grz_blob *blob, const char *from, const char *to)
{
    const size_t size = (size_t)(to - from);
    const bool ends_in_comma = blob->is_separated && grz_list_count(blob->numbers) > 0;
    const bool has_control =
        memchr(from, '\n', size) || memchr(from, '\r', size) || memchr(from, '\t', size);
    return blob->kind == GRZ_BLOB_NUMBERS ? !ends_in_comma : !has_control;
}

// Returns where to go on: behind the value if it was taken out, else at its beginning.
static const char *take_value(walker *walk, const char *value)
{
    const bool is_array = value < walk->end && *value == '[';
    if (!is_array && (value == walk->end || *value != '"')) {
        return value;
    }
    const size_t number =
        grz_blobs_begin(walk->blobs, is_array ? GRZ_BLOB_NUMBERS : GRZ_BLOB_BASE64);
    const char *close = feed_value(walk, value + 1, is_array ? ']' : '"');
    const grz_blob *blob = &walk->blobs->list[number];
    if (!close || blob->problem || !is_json(blob, value + 1, close)) {
        grz_blobs_drop(walk->blobs);
        return value;
    }
    const grz_json_cut cut = {(size_t)(value - walk->text), (size_t)(close + 1 - walk->text), 0, 0};
    grz_push(walk->blobs->memory, walk->cuts, cut);
    return close + 1;
}

// `text` is the opening quote of a text, which may be a key.
static const char *walk_string(walker *walk, const char *text)
{
    static const char key[] = "\"data\"";
    const char *close = skip_string(text, walk->end);
    const char *rest = close < walk->end ? close + 1 : close;
    if ((size_t)(rest - text) != sizeof key - 1 || memcmp(text, key, sizeof key - 1) != 0 ||
        !is_in_element(walk)) {
        return rest;
    }
    const char *colon = skip_blanks(rest, walk->end);
    return colon < walk->end && *colon == ':' ? take_value(walk, skip_blanks(colon + 1, walk->end))
                                              : rest;
}

static void walk_text(walker *walk)
{
    const char *text = walk->text;
    while (text < walk->end) {
        if (*text == '"') {
            text = walk_string(walk, text);
            continue;
        }
        if (*text == '{' || *text == '[') {
            open_bracket(walk, *text);
        } else if (*text == '}' || *text == ']') {
            walk->depth -= walk->depth > 0;
        }
        ++text;
    }
}

static size_t copy_bytes(char *to, size_t at, const char *from, size_t size)
{
    memcpy(to + at, from, size);
    return at + size;
}

// The blobs' numbers are those of the cuts, after `first`.
static size_t replace(grz_json_cut *cuts, size_t first, const char *text, size_t size, char *made)
{
    size_t from = 0;
    size_t at = 0;
    for (size_t i = 0; i < grz_list_count(cuts); ++i) {
        char mark[GRZ_LONGEST_MARK];
        grz_blob_mark(first + i, mark);
        at = copy_bytes(made, at, text + from, cuts[i].from - from);
        cuts[i].mark = at;
        at = copy_bytes(made, at, "\"", 1);
        at = copy_bytes(made, at, mark, strlen(mark));
        at = copy_bytes(made, at, "\"", 1);
        cuts[i].mark_end = at;
        from = cuts[i].to;
    }
    at = copy_bytes(made, at, text + from, size - from);
    made[at] = 0;
    return at;
}

static size_t measure(const grz_json_cut *cuts, size_t size)
{
    for (size_t i = 0; i < grz_list_count(cuts); ++i) {
        size += GRZ_LONGEST_MARK + 2 - (cuts[i].to - cuts[i].from);
    }
    return size;
}

grz_json_short grz_json_shorten(grz_blobs *blobs, const char *text, size_t size)
{
    grz_json_short made = {text, size, NULL, NULL};
    if (size == 0 || memchr(text, 0xFF, size)) {
        return made; // What is not UTF-8 could look like a mark.
    }
    const size_t first = grz_list_count(blobs->list);
    walker walk = {.blobs = blobs, .text = text, .end = text + size};
    walk_text(&walk);
    made.cuts = walk.cuts;
    if (grz_list_count(made.cuts) > 0) {
        const size_t room = measure(made.cuts, size) + 1;
        grz_memory_require(blobs->memory, grz_list_reserve(made.own, &blobs->memory->inner, room));
        made.size = replace(made.cuts, first, text, size, made.own);
        made.text = made.own;
    }
    return made;
}

void grz_json_short_free(grz_json_short *made)
{
    grz_list_free(made->own);
    grz_list_free(made->cuts);
}

size_t grz_json_short_origin(const grz_json_short *made, size_t byte)
{
    size_t lost = 0;
    for (size_t i = 0; i < grz_list_count(made->cuts); ++i) {
        const grz_json_cut *cut = &made->cuts[i];
        if (byte < cut->mark) {
            break;
        }
        if (byte < cut->mark_end) {
            return cut->from;
        }
        lost = cut->to - cut->mark_end;
    }
    return byte + lost;
}
