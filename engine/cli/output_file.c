#define _POSIX_C_SOURCE 200809L

#include "output_file.h"

#include <errno.h>
#include <string.h>

#ifdef _WIN32
static bool is_pipe_or_device(const char *path)
{
    (void)path;
    return false;
}

static bool is_plain_file(const char *path)
{
    (void)path;
    return true;
}
#else
#include <sys/stat.h>

static bool is_pipe_or_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_plain_file(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}
#endif

static bool try_mode(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file) {
        fclose(file);
    }
    return file;
}

bool cli_output_check(const char *path, cli_error *error)
{
    if (!path || cli_is_standard_stream(path) || is_pipe_or_device(path)) {
        return true;
    }
    if (try_mode(path, "wbx")) {
        remove(path);
        return true;
    }
    return try_mode(path, "ab") ||
           cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}

void cli_output_discard(const char *path)
{
    if (is_plain_file(path)) {
        remove(path);
    }
}
