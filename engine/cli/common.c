#include "common.h"

#include "memory.h"
#include "tiled_error.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void write_line(cli_error *error, const char *format, va_list values)
{
    vsnprintf(error->text, sizeof error->text, format, values);
    grz_error_clean(error->text);
}

bool cli_fail(cli_error *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    write_line(error, format, values);
    va_end(values);
    return false;
}

int cli_complain(int status, const char *format, ...)
{
    cli_error error;
    va_list values;
    va_start(values, format);
    write_line(&error, format, values);
    va_end(values);
    fprintf(stderr, "graze: %s\n", error.text);
    return status;
}

void cli_report(FILE *file, const char *format, ...)
{
    cli_error line;
    va_list values;
    va_start(values, format);
    write_line(&line, format, values);
    va_end(values);
    fprintf(file, "%s\n", line.text);
}

bool cli_is_standard_stream(const char *name)
{
    return strcmp(name, "-") == 0;
}

const graze_allocator *cli_allocator(void)
{
    static graze_allocator allocator;
    allocator = grz_allocator_or_default(allocator);
    return &allocator;
}

void cli_require_memory(bool there_was_memory)
{
    if (!there_was_memory) {
        exit(cli_complain(CLI_FAILED, "out of memory"));
    }
}

char *cli_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    cli_require_memory(copy);
    return memcpy(copy, text, size);
}
