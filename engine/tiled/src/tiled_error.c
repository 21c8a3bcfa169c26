#include "tiled_error.h"

#include <stdio.h>
#include <string.h>

// How many bytes the control character at `text` has; 0 if there is none. Terminals obey U+0080 to
// U+009F, too, which have two: U+009B begins a command as ESC [ does.
static size_t measure_control(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    const unsigned char second = (unsigned char)(first ? text[1] : 0);
    const bool has_two = first == 0xC2 && second >= 0x80 && second < 0xA0;
    return first < 0x20 || first == 0x7F ? 1 : has_two ? 2 : 0;
}

void grz_error_clean(char *text)
{
    for (; *text; ++text) {
        memset(text, '?', measure_control(text));
    }
}

bool grz_tiled_fail_values(grz_error *error, const char *path, const char *place,
                           const char *format, va_list values)
{
    error->status = GRAZE_ERROR_FORMAT;
    error->line = error->column = 0;
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->place, sizeof error->place, "%s", place);
    vsnprintf(error->message, sizeof error->message, format, values);
    grz_error_clean(error->file);
    grz_error_clean(error->place);
    grz_error_clean(error->message);
    return false;
}

bool grz_tiled_fail(grz_error *error, const char *path, const char *place, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    grz_tiled_fail_values(error, path, place, format, values);
    va_end(values);
    return false;
}

bool grz_tiled_fail_at(grz_error *error, const char *path, size_t line, size_t column,
                       const char *format, ...)
{
    va_list values;
    va_start(values, format);
    grz_tiled_fail_values(error, path, "", format, values);
    va_end(values);
    error->line = (uint32_t)line;
    error->column = (uint32_t)column;
    return false;
}

size_t graze_tiled_error_text(const graze_tiled_error *error, char *text, size_t size)
{
    char place[sizeof error->place + 2] = "";
    if (error->line > 0) {
        snprintf(place, sizeof place, "%u:%u: ", error->line, error->column);
    } else if (error->place[0]) {
        snprintf(place, sizeof place, "%s: ", error->place);
    }
    const char *mark = !error->file[0] ? "" : error->line > 0 ? ":" : ": ";
    const int length = snprintf(text, size, "%s%s%s%s", error->file, mark, place, error->message);
    return length > 0 ? (size_t)length : 0;
}
