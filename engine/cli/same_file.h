/// @file same_file.h
/// Tests whether two names are of one file, where writing one would overwrite the other.
#ifndef CLI_SAME_FILE_H
#define CLI_SAME_FILE_H

#include "common.h"

#include <stdbool.h>

/// A file, and what it is to the user.
typedef struct cli_named_file {
    const char *what; ///< Such as "--picture".
    const char *name; ///< Null: none.
} cli_named_file;

/// Returns whether the paths are equal, apart from "./" and repeated slashes, or whether both exist
/// and are one file to the system (links; not on Windows).
bool cli_is_same_file(const char *a, const char *b);

/// Fails if the two are one file; not if either is none.
bool cli_check_two_files(cli_named_file one, cli_named_file other, cli_error *error);

/// Fails if it is the file to which standard output goes: what is printed would be written over it.
bool cli_check_standard_output(cli_named_file one, cli_error *error);

#endif
