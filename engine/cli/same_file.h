/// @file same_file.h
/// Are two names of one file? What is written under one of them would go over the other.
#ifndef CLI_SAME_FILE_H
#define CLI_SAME_FILE_H

#include <stdbool.h>

/// Returns whether the paths are the same, but for "./" and repeated slashes, or whether both are
/// there and the system takes them for one file (links; not on Windows).
bool cli_is_same_file(const char *a, const char *b);

#endif
