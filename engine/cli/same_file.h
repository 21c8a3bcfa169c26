/// @file same_file.h
/// Tests whether two names are of one file, where writing one would overwrite the other.
#ifndef CLI_SAME_FILE_H
#define CLI_SAME_FILE_H

#include <stdbool.h>

/// Returns whether the paths are equal, apart from "./" and repeated slashes, or whether both exist
/// and are one file to the system (links; not on Windows).
bool cli_is_same_file(const char *a, const char *b);

#endif
