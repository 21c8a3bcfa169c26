#define _POSIX_C_SOURCE 200809L

#include "tiled_disk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 256 << 20 }; ///< Bytes.

#ifdef _WIN32
static bool is_plain(const char *path)
{
    (void)path;
    return true;
}
#else
#include <sys/stat.h>

static bool is_plain(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}
#endif

static bool fail(graze_tiled_file *file, const char *reason)
{
    free(file->handle);
    file->handle = NULL;
    file->reason = reason;
    return false;
}

// Grows as it reads: a pipe has no size to ask for.
static bool read_all(FILE *stream, graze_tiled_file *file)
{
    size_t capacity = 0;
    size_t got = 0;
    do {
        capacity = capacity ? 2 * capacity : 64 * 1024;
        char *grown = realloc(file->handle, capacity);
        if (!grown) {
            return fail(file, "out of memory");
        }
        file->handle = grown;
        do {
            got = fread(grown + file->size, 1, capacity - file->size, stream);
            file->size += got;
        } while (got > 0 && file->size < capacity);
    } while (file->size == capacity && capacity <= LARGEST_FILE);
    if (ferror(stream)) {
        return fail(file, strerror(errno));
    }
    file->data = file->handle;
    return file->size <= LARGEST_FILE || fail(file, "larger than 256 MiB");
}

bool grz_disk_open(const char *path, bool must_be_plain, graze_tiled_file *file)
{
    memset(file, 0, sizeof *file);
    if (must_be_plain && !is_plain(path)) {
        return fail(file, "is no plain file");
    }
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return fail(file, strerror(errno));
    }
    const bool done = read_all(stream, file);
    fclose(stream);
    return done;
}

void grz_disk_close(graze_tiled_file *file, void *user)
{
    (void)user;
    free(file->handle);
}
