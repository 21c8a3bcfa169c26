#include "output.h"

#include <errno.h>
#include <string.h>

static bool complain(const char *path)
{
    fprintf(stderr, "graze_bench: %s: cannot be written: %s\n", path, strerror(errno));
    return false;
}

// Opening for appending leaves what is in a file, but would leave a new one behind.
bool output_check(const char *path)
{
    if (!path) {
        return true;
    }
    FILE *created = fopen(path, "wbx");
    FILE *file = created ? created : fopen(path, "ab");
    if (!file) {
        return complain(path);
    }
    fclose(file);
    if (created) {
        remove(path);
    }
    return true;
}

FILE *output_open(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        complain(path);
    }
    return file;
}

bool output_close(FILE *file, const char *path)
{
    bool written = (fflush(file) == 0 && !ferror(file)) || complain(path);
    if (fclose(file) != 0 && written) {
        written = complain(path);
    }
    if (written) {
        printf("\nWritten to %s\n", path);
    }
    return written;
}
