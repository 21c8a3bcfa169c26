#include "json_fault.h"

#include "common.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
    text += *text == '-';
    const char *rest = text + (*text == '0' ? 1 : strspn(text, digits));
    bool is_whole = rest > text && !is_digit(*rest);
    if (is_whole && *rest == '.') {
        text = rest + 1;
        rest = text + strspn(text, digits);
        is_whole = rest > text;
    }
    if (is_whole && (*rest == 'e' || *rest == 'E')) {
        rest += 1 + (rest[1] == '+' || rest[1] == '-');
        rest += strspn(rest, digits);
    }
    return is_whole ? rest : NULL;
}

// Whether \u is followed by four hexadecimal digits that are not all 0: cJSON accepts others, and
// takes a zero for the end of the text.
static bool is_code(const char *four)
{
    return strspn(four, "0123456789abcdefABCDEF") >= 4 && strncmp(four, "0000", 4) != 0;
}

// From quote to quote; null if there is a fault.
static const char *skip_text(const char *text)
{
    for (++text; *text != '"'; ++text) {
        const bool is_escape = *text == '\\';
        text += is_escape;
        if (is_control(*text) || (is_escape && *text == 'u' && !is_code(text + 1))) {
            return NULL;
        }
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

const char *cli_json_find_fault(const char *text)
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

static int compare_keys(const void *a, const void *b)
{
    const cJSON *const *one = a;
    const cJSON *const *other = b;
    return strcmp((*one)->string, (*other)->string);
}

// Sorted, equal keys are neighbours. `members` is a list to work with.
static const cJSON *find_twin_in(const cJSON *object, const cJSON ***members)
{
    grz_list_clear(*members);
    for (const cJSON *child = object->child; child; child = child->next) {
        cli_push(*members, child);
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
static const cJSON *find_twin(const cJSON *node, const cJSON ***members)
{
    const cJSON *twin = cJSON_IsObject(node) ? find_twin_in(node, members) : NULL;
    for (const cJSON *child = node->child; child && !twin; child = child->next) {
        twin = find_twin(child, members);
    }
    return twin;
}

const cJSON *cli_json_find_twin(const cJSON *root)
{
    const cJSON **members = NULL;
    const cJSON *twin = find_twin(root, &members);
    grz_list_free(members);
    return twin;
}
