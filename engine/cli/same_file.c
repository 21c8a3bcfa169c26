#define _POSIX_C_SOURCE 200809L

#include "same_file.h"

#ifdef _WIN32
static bool is_one_for_the_system(const char *a, const char *b)
{
    (void)a;
    (void)b;
    return false;
}
#else
#include <sys/stat.h>

static bool is_one_for_the_system(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}
#endif

static const char *skip_slashes(const char *path)
{
    while (*path == '/') {
        ++path;
    }
    return path;
}

// Skips parts of the path that lead nowhere, such as "./".
static const char *skip_here(const char *path)
{
    while (path[0] == '.' && path[1] == '/') {
        path = skip_slashes(path + 1);
    }
    return path;
}

static bool is_one_name(const char *a, const char *b)
{
    a = skip_here(a);
    b = skip_here(b);
    while (*a && *a == *b) {
        const bool is_slash = *a == '/';
        a = is_slash ? skip_here(skip_slashes(a)) : a + 1;
        b = is_slash ? skip_here(skip_slashes(b)) : b + 1;
    }
    return *a == *b;
}

bool cli_is_same_file(const char *a, const char *b)
{
    return is_one_name(a, b) || is_one_for_the_system(a, b);
}
