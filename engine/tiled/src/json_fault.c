#include "json_fault.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 64 }; ///< Bytes, with one more: the parser takes no longer ones.

static const char digits[] = "0123456789";

static bool is_control(char letter)
{
    return (unsigned char)letter < ' ';
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

// A sign, digits without a leading zero, a fraction, an exponent. Null if it is not of this form.
static const char *skip_number(const char *text)
{
    const char *const first = text;
    text += *text == '-';
    const char *rest = text + (*text == '0' ? 1 : strspn(text, digits));
    bool is_whole = rest > text && !is_digit(*rest);
    if (is_whole && *rest == '.') {
        text = rest + 1;
        rest = text + strspn(text, digits);
        is_whole = rest > text;
    }
    if (is_whole && (*rest == 'e' || *rest == 'E')) {
        text = rest + 1 + (rest[1] == '+' || rest[1] == '-');
        rest = text + strspn(text, digits);
        is_whole = rest > text;
    }
    return is_whole && rest - first < LONGEST_NUMBER ? rest : NULL;
}

// Returns the code of \u and four hexadecimal digits; 0 if there are none: cJSON accepts 0000, and
// takes it for the end of the text.
static unsigned long read_code(const char *escape)
{
    char four[5] = "";
    if (escape[0] != '\\' || escape[1] != 'u') {
        return 0;
    }
    strncpy(four, escape + 2, 4);
    return strspn(four, "0123456789abcdefABCDEF") == 4 ? strtoul(four, NULL, 16) : 0;
}

// Codes beyond 16 bits are two.
static bool is_escape(const char *escape)
{
    if (escape[1] != 'u') {
        return escape[1] && strchr("\"\\/bfnrt", escape[1]);
    }
    const unsigned long code = read_code(escape);
    const bool is_first = code >= 0xD800 && code < 0xDC00;
    const unsigned long next = is_first ? read_code(escape + 6) : 0xDC00;
    return code > 0 && !(code >= 0xDC00 && code < 0xE000) && next >= 0xDC00 && next < 0xE000;
}

// From quote to quote; null if there is a fault.
static const char *skip_text(const char *text)
{
    for (++text; *text != '"'; ++text) {
        const unsigned long code = *text == '\\' ? read_code(text) : 0;
        if (is_control(*text) || (*text == '\\' && !is_escape(text))) {
            return NULL;
        }
        text += *text != '\\' ? 0 : code >= 0xD800 && code < 0xDC00 ? 11 : code > 0 ? 5 : 1;
    }
    return text + 1;
}

static const char *skip_token(const char *text)
{
    if (*text == '"') {
        return skip_text(text);
    }
    if (*text == '-' || is_digit(*text)) {
        return skip_number(text);
    }
    return is_control(*text) && !strchr("\t\n\r", *text) ? NULL : text + 1;
}

const char *grz_json_find_fault(const char *text)
{
    while (*text) {
        const char *next = skip_token(text);
        if (!next) {
            return text;
        }
        text = next;
    }
    return NULL;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

static const char *skip_word(const char *text)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        const size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) == 0) {
            return text + length;
        }
    }
    return NULL;
}

static const char *skip_value(const char *text, int depth);

// A key, a colon, a value; in an array the value alone.
static const char *skip_member(const char *text, bool has_key, int depth)
{
    text = skip_blanks(text);
    if (has_key) {
        text = *text == '"' ? skip_text(text) : NULL;
        text = text ? skip_blanks(text) : NULL;
        text = text && *text == ':' ? text + 1 : NULL;
    }
    text = text ? skip_value(skip_blanks(text), depth + 1) : NULL;
    return text ? skip_blanks(text) : NULL;
}

// Depth is bounded as the parser bounds it.
static const char *skip_value(const char *text, int depth)
{
    if (*text != '{' && *text != '[') {
        return *text == '"'                      ? skip_text(text)
               : *text == '-' || is_digit(*text) ? skip_number(text)
                                                 : skip_word(text);
    }
    const bool is_object = *text == '{';
    const char end = is_object ? '}' : ']';
    const char *next = skip_blanks(text + 1);
    if (*next == end) {
        return depth < CJSON_NESTING_LIMIT ? next + 1 : NULL;
    }
    for (next = text; next && (next == text || *next == ',');) {
        next = depth < CJSON_NESTING_LIMIT ? skip_member(next + 1, is_object, depth) : NULL;
    }
    return next && *next == end ? next + 1 : NULL;
}

bool grz_json_is_whole(const char *text)
{
    const char *end = skip_value(skip_blanks(text), 0);
    return end && *skip_blanks(end) == 0;
}

static int compare_keys(const void *a, const void *b)
{
    const cJSON *const *one = a;
    const cJSON *const *other = b;
    return strcmp((*one)->string, (*other)->string);
}

// Sorted, equal keys are neighbours. `members` is a list to work with.
static const cJSON *find_twin_in(grz_memory *memory, const cJSON *object, const cJSON ***members)
{
    grz_list_clear(*members);
    for (const cJSON *child = object->child; child; child = child->next) {
        grz_push(memory, *members, child);
    }
    const size_t count = grz_list_count(*members);
    if (count > 1) {
        qsort(*members, count, sizeof **members, compare_keys);
    }
    for (size_t i = 1; i < count; ++i) {
        if (compare_keys(&(*members)[i - 1], &(*members)[i]) == 0) {
            return (*members)[i];
        }
    }
    return NULL;
}

// Depth is bounded by the parser's own limit.
static const cJSON *find_twin(grz_memory *memory, const cJSON *node, const cJSON ***members)
{
    const cJSON *twin = cJSON_IsObject(node) ? find_twin_in(memory, node, members) : NULL;
    for (const cJSON *child = node->child; child && !twin; child = child->next) {
        twin = find_twin(memory, child, members);
    }
    return twin;
}

const cJSON *grz_json_find_twin(const grz_json *json)
{
    const cJSON **members = NULL;
    const cJSON *twin = find_twin(json->memory, json->root, &members);
    grz_list_free(members);
    return twin;
}
