#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t read_up_to(FILE *file, char *data, size_t size)
{
    size_t count = 0;
    for (size_t got = 1; got > 0 && count < size; count += got) {
        got = fread(data + count, 1, size - count, file);
    }
    return count;
}

// Grows as it reads: a pipe has no size to ask for.
static bool read_all(FILE *file, const char *path, size_t limit, cli_text *text, cli_error *error)
{
    size_t capacity = 0;
    do {
        capacity = capacity ? 2 * capacity : 64 * 1024;
        char *grown = realloc(text->data, capacity + 1);
        cli_require_memory(grown);
        text->data = grown;
        text->size += read_up_to(file, text->data + text->size, capacity - text->size);
    } while (text->size == capacity && capacity <= limit);
    text->data[text->size] = 0;
    if (ferror(file)) {
        return cli_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (text->size > limit) {
        return cli_fail(error, "%s: larger than %zu MiB", path, limit >> 20);
    }
    return true;
}

bool cli_text_check(const char *path, const cli_text *text, cli_error *error)
{
    if (text->size == 0) {
        return cli_fail(error, "%s: the file is empty", path);
    }
    const char *zero = memchr(text->data, 0, text->size);
    if (zero) {
        return cli_fail(error, "%s: byte %zu is zero: not a text file", path,
                        (size_t)(zero - text->data));
    }
    return true;
}

static void free_text(cli_text *text)
{
    free(text->data);
    text->data = NULL;
}

bool cli_bytes_read(const char *path, size_t limit, cli_text *text, cli_error *error)
{
    text->data = NULL;
    text->size = 0;
    const bool is_stream = cli_is_standard_stream(path);
    FILE *file = is_stream ? stdin : fopen(path, "rb");
    if (!file) {
        return cli_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    bool done = read_all(file, path, limit, text, error);
    if (!is_stream) {
        fclose(file);
    }
    if (!done) {
        free_text(text);
    }
    return done;
}
