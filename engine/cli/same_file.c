#define _POSIX_C_SOURCE 200809L

#include "same_file.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
static bool is_one_for_the_system(const char *a, const char *b)
{
    (void)a;
    (void)b;
    return false;
}

static bool is_standard_output(const char *name)
{
    (void)name;
    return false;
}
#else
#include <sys/stat.h>
#include <unistd.h>

static bool is_one_for_the_system(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static bool is_standard_output(const char *name)
{
    struct stat of_name, of_output;
    return stat(name, &of_name) == 0 && fstat(STDOUT_FILENO, &of_output) == 0 &&
           S_ISREG(of_output.st_mode) && of_name.st_dev == of_output.st_dev &&
           of_name.st_ino == of_output.st_ino;
}
#endif

static const char *last_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Files that do not exist yet are told apart by their folders, which do.
static bool is_one_place(const char *a, const char *b)
{
    const char *name_a = last_name_of(a), *name_b = last_name_of(b);
    char folder_a[4096], folder_b[4096];
    const int size_a = snprintf(folder_a, sizeof folder_a, "%.*s.", (int)(name_a - a), a);
    const int size_b = snprintf(folder_b, sizeof folder_b, "%.*s.", (int)(name_b - b), b);
    return size_a < (int)sizeof folder_a && size_b < (int)sizeof folder_b &&
           strcmp(name_a, name_b) == 0 && is_one_for_the_system(folder_a, folder_b);
}

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
    return is_one_name(a, b) || is_one_for_the_system(a, b) || is_one_place(a, b);
}

bool cli_check_two_files(cli_named_file one, cli_named_file other, cli_error *error)
{
    return !one.name || !other.name || !cli_is_same_file(one.name, other.name) ||
           cli_fail(error, "\"%s\" (%s) and \"%s\" (%s) are one file", one.name, one.what,
                    other.name, other.what);
}

bool cli_check_standard_output(cli_named_file one, cli_error *error)
{
    return !one.name || !is_standard_output(one.name) ||
           cli_fail(error, "\"%s\" (%s) and standard output are one file", one.name, one.what);
}
