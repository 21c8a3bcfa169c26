#include "common.h"

#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One line of plain text, whatever a file's names hold. Bytes of UTF-8 stay.
static void blank_control_characters(char *text)
{
    for (; *text; ++text) {
        if ((unsigned char)*text < 0x20 || *text == 0x7F) {
            *text = '?';
        }
    }
}

static void write_line(cli_error *error, const char *format, va_list values)
{
    vsnprintf(error->text, sizeof error->text, format, values);
    blank_control_characters(error->text);
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
